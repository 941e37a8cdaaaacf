//! Reads the entry of a test's site.

use countersign::diagnostic::Diagnostics;
use countersign::model::config::RawHtml;
use countersign::model::entry::{Entry, Kind};
use countersign::model::slug::Slug;
use countersign::parse::entry::{self, EntryFile};
use countersign::source::{FileId, Sources};

/// The entry in a file of `content/terms`.
pub(crate) fn read(sources: &Sources, file: FileId) -> Entry {
    let path = &sources.file(file).path;
    let stem = path
        .rsplit('/')
        .next()
        .and_then(|name| name.strip_suffix(".md"));
    let at = EntryFile {
        id: Slug::new(stem.expect("an entry")).expect("an id"),
        kind: Kind::Term,
        file,
    };
    let mut out = Diagnostics::new();
    entry::read(sources, &at, RawHtml::Sanitize, &mut out).expect("readable front matter")
}
