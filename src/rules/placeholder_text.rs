//! `placeholder-text`: in an entry found by the gate; on the pages without a byline by the gate's verdict,
//! since they are released beside what is published.

use crate::diagnostic::{Diagnostic, Diagnostics, Severity, rule};
use crate::model::scaffold;
use crate::resolve::{EntryIndex, Site};
use crate::source::{Sources, Span};

/// Reports the sentences on the home page and on plain pages, as warnings, since nobody signs those
/// pages. A site of which nothing is published may keep them.
pub(crate) fn check(
    (site, sources): (&Site, &Sources),
    published: impl Fn(EntryIndex) -> bool,
    out: &mut Diagnostics,
) {
    if !(0..site.entries.len()).any(published) {
        return;
    }
    for page in site.home.iter().chain(&site.pages) {
        let text = &*sources.file(page.file).text;
        let found = scaffold::places(text, page.front.range().end);
        out.extend(found.into_iter().flatten().map(|range| {
            Diagnostic::new(
                rule::PLACEHOLDER_TEXT,
                Span::new(page.file, range),
                "this sentence is released, and only holds the place of one of yours",
            )
            .severity(Severity::Warning)
            .label("written by `countersign new`")
            .help("Write what it asks for in its place, or take it out.")
        }));
    }
}
