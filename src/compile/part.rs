//! Some entries of a site, which are looked at while the others stand around them.

use crate::diagnostic::Diagnostic;
use crate::resolve::Outline;
use crate::source::FileId;
use std::collections::BTreeSet;

/// The entries that a compilation is about, by their files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part(BTreeSet<FileId>);

impl Part {
    /// The entries in these files.
    pub fn of(files: impl IntoIterator<Item = FileId>) -> Self {
        Self(files.into_iter().collect())
    }

    /// Whether something was found in one of the entries, or concerns one.
    pub(super) fn concerns(&self, finding: &Diagnostic, outline: &Outline) -> bool {
        if self.0.contains(&finding.span.file) {
            return true;
        }
        let entries = outline.entries.iter().zip(&outline.files);
        let mut own = entries.filter(|(_, file)| self.0.contains(file));
        own.any(|(entry, _)| finding.concerns(entry.id.as_str()))
    }
}
