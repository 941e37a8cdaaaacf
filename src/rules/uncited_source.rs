//! `uncited-source`.

use super::{CheckContext, Rule, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};

pub(super) const RULE: Rule = Rule {
    id: rule::UNCITED_SOURCE,
    scope: Scope::Entry(check),
    explain: include_str!("uncited-source.md"),
};

fn check(cx: &CheckContext<'_>, out: &mut Diagnostics) {
    let entry = cx.entry;
    for source in &entry.sources {
        let id = &source.id.value;
        if entry
            .body
            .citations
            .iter()
            .any(|citation| citation.id == *id)
        {
            continue;
        }
        out.push(
            Diagnostic::new(
                rule::UNCITED_SOURCE,
                source.id.span,
                format!("the source `{id}` is cited nowhere"),
            )
            .label("never cited")
            .help(format!(
                "Write `[^{id}]` where the text leans on it, or take it out."
            )),
        );
    }
}
