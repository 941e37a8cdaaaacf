//! `orphan-term`.

use super::{CheckContext, Rule, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::resolve::EntryIndex;

pub(super) const RULE: Rule = Rule {
    id: rule::ORPHAN_TERM,
    scope: Scope::Entry(check),
    explain: include_str!("orphan-term.md"),
};

fn check(cx: &CheckContext<'_>, index: EntryIndex, out: &mut Diagnostics) {
    let (entry, references) = cx.entry(index);
    let Some(term) = entry.term() else { return };
    let met = references.owner.is_some() || references.meets.iter().any(Option::is_some);
    if met || !cx.site.backlinks[index].is_empty() {
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
