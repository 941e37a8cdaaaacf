//! The places on a page that a fragment may name.

use crate::diagnostic::{Diagnostic, nearest, rule};
use crate::model::document::Document;
use crate::model::entry::Entry;
use crate::source::Span;

/// Ids that a page of an entry has whatever its body says.
const SECTIONS: [&str; 6] = [
    "measured", "diagram", "related", "meets", "sources", "byline",
];

/// Whether a page has a place; the empty fragment is its top.
pub(super) fn has_anchor(body: &Document, entry: Option<&Entry>, fragment: &str) -> bool {
    fragment.is_empty() || anchors(body, entry).iter().any(|anchor| anchor == fragment)
}

/// Every id that a page has.
pub(super) fn anchors(body: &Document, entry: Option<&Entry>) -> Vec<String> {
    let mut anchors = body.anchors.clone();
    if let Some(entry) = entry {
        anchors.extend(SECTIONS.map(str::to_owned));
        anchors.extend(
            entry
                .sources
                .iter()
                .map(|s| format!("source-{}", s.id.value)),
        );
        for capture in &entry.measured {
            anchors.push(capture.name.value.to_string());
            let rows = capture.rows.iter();
            anchors.extend(rows.map(|row| format!("{}-{}", capture.name.value, row.label())));
        }
        anchors.extend(entry.diagrams.iter().map(|d| d.name.value.to_string()));
        anchors.extend(entry.models.iter().map(|m| m.name.value.to_string()));
        anchors.extend(entry.matrices.iter().map(|m| m.name.value.to_string()));
    }
    anchors
}

/// The finding about a place that a page does not have.
pub(super) fn broken_fragment(fragment: &str, span: Span, known: &[String]) -> Diagnostic {
    let near = nearest(fragment, known.iter().map(String::as_str));
    Diagnostic::new(
        rule::BROKEN_FRAGMENT,
        span,
        format!("the page has no place `#{fragment}`"),
    )
    .label("no heading has this id")
    .maybe_help(near.map(|near| format!("Did you mean `#{near}`?")))
}
