//! `orphan-term`.

use super::{CheckContext, Rule, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};

pub(super) const RULE: Rule = Rule {
    id: rule::ORPHAN_TERM,
    scope: Scope::Entry(check),
    explain: include_str!("orphan-term.md"),
};

fn check(cx: &CheckContext<'_>, out: &mut Diagnostics) {
    let (entry, references) = (cx.entry, cx.references);
    let Some(term) = entry.term() else { return };
    let met = references.owner.is_some() || references.meets.iter().any(Option::is_some);
    if met || cx.is_linked {
        return;
    }
    out.push(
        Diagnostic::new(
            rule::ORPHAN_TERM,
            term.name.span,
            format!("nothing leads to the term “{}”", term.name.value),
        )
        .label("met in no lesson, linked from no entry")
        .help("Name the lesson that meets it under `meets`, or link it where it is used."),
    );
}
