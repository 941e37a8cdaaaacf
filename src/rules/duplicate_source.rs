//! `duplicate-source`.

use super::{CheckContext, Rule, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::citation::Source;

pub(super) const RULE: Rule = Rule {
    id: rule::DUPLICATE_SOURCE,
    scope: Scope::Entry(check),
    explain: include_str!("duplicate-source.md"),
};

fn check(cx: &CheckContext<'_>, out: &mut Diagnostics) {
    let entry = cx.entry;
    for (at, source) in entry.sources.iter().enumerate() {
        for first in &entry.sources[..at] {
            if first.id.value == source.id.value {
                out.push(
                    Diagnostic::new(
                        rule::DUPLICATE_SOURCE,
                        source.id.span,
                        format!("two sources have the id `{}`", source.id.value),
                    )
                    .label("the second")
                    .related(first.id.span, "the first")
                    .help("A citation must mean one document: give one of them another id."),
                );
            } else if same_document(first, source) {
                out.push(
                    Diagnostic::new(
                        rule::DUPLICATE_SOURCE,
                        source.span,
                        format!(
                            "`{}` and `{}` are the same sections of one document",
                            first.id.value, source.id.value
                        ),
                    )
                    .label("the second")
                    .related(first.span, "the first")
                    .help("Join them: list all sections under one source."),
                );
            }
        }
    }
}

/// Same title, same address and same sections: two parts of one document are two sources.
fn same_document(one: &Source, other: &Source) -> bool {
    let sections = |source: &Source| -> Vec<String> {
        let mut sections: Vec<_> = source.sections.iter().map(|s| s.value.clone()).collect();
        sections.sort();
        sections
    };
    let url = |source: &Source| source.url.as_ref().map(|url| url.value.clone());
    url(one).is_some()
        && url(one) == url(other)
        && one.title.value == other.title.value
        && sections(one) == sections(other)
}
