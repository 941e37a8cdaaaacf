//! The places on a page that a fragment may name.

use crate::diagnostic::{Diagnostic, nearest, rule};
use crate::model::document::Document;
use crate::model::entry::Entry;
use crate::source::Span;

/// Ids that a page of an entry has whatever its body says.
const SECTIONS: [&str; 8] = [
    "measured", "diagram", "diagrams", "related", "meets", "sources", "byline", "numbers",
];

/// Whether a page has a place; the empty fragment is its top.
pub(super) fn has_anchor(body: &Document, entry: Option<&Entry>, fragment: &str) -> bool {
    fragment.is_empty() || anchors(body, entry).iter().any(|anchor| anchor == fragment)
}

/// Every place that a link may name on a page. Figures and tables answer to their own names and to
/// the ids that they have on the page.
pub(super) fn anchors(body: &Document, entry: Option<&Entry>) -> Vec<String> {
    let mut anchors = body.anchors.clone();
    let Some(entry) = entry else { return anchors };
    anchors.extend(SECTIONS.map(str::to_owned));
    let sources = entry.sources.iter();
    anchors.extend(sources.map(|source| format!("source-{}", source.id.value)));
    for capture in &entry.measured {
        let name = &capture.name.value;
        anchors.extend([name.to_string(), format!("table-{name}")]);
        anchors.extend((0..capture.rows.len()).map(|row| capture.row_anchor(row)));
    }
    let diagrams = entry.diagrams.iter().map(|d| &d.name.value);
    let models = entry.models.iter().map(|m| &m.name.value);
    let matrices = entry.matrices.iter().map(|m| &m.name.value);
    for name in diagrams.chain(models).chain(matrices) {
        anchors.extend([name.to_string(), format!("figure-{name}")]);
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
