//! `duplicate-source`.

use super::{CheckContext, Rule, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::citation::Source;
use std::collections::BTreeMap;

pub(super) const RULE: Rule = Rule {
    id: rule::DUPLICATE_SOURCE,
    scope: Scope::Entry(check),
    explain: include_str!("duplicate-source.md"),
};

fn check(cx: &CheckContext<'_>, out: &mut Diagnostics) {
    let entry = cx.entry;
    // Each is compared with the first of its kind: five thousand copies are as many findings, and not
    // one for each pair.
    let mut by_id: BTreeMap<&str, &Source> = BTreeMap::new();
    let mut by_document: BTreeMap<_, &Source> = BTreeMap::new();
    for source in &entry.sources {
        let same_id = by_id.get(source.id.value.as_str()).copied();
        let document = document(source);
        let same = document
            .as_ref()
            .and_then(|document| by_document.get(document).copied());
        if let Some(first) = same_id {
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
        } else if let Some(first) = same {
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
        by_id.entry(source.id.value.as_str()).or_insert(source);
        if let Some(document) = document {
            by_document.entry(document).or_insert(source);
        }
    }
}

/// Address, title and sections of a source that has an address: two parts of one document are two
/// sources.
fn document(source: &Source) -> Option<(&str, &str, Vec<&str>)> {
    let url = source.url.as_ref()?;
    let mut sections: Vec<_> = source.sections.iter().map(|s| s.value.as_str()).collect();
    sections.sort_unstable();
    Some((url.value.as_str(), source.title.value.as_str(), sections))
}
