//! One file for each kind of page: fills its context, makes its HTML, and renders it.

mod byline;
mod cite;
mod contents;
mod course;
mod entry;
mod glossary;
mod home;
mod json_ld;
mod plain;
mod row;
mod sources;

pub(super) use course::lessons;
pub(super) use entry::entry;
pub(super) use glossary::terms;
pub(super) use home::home;
pub(super) use plain::{not_found, plain};

use super::build::Build;
use super::context::{Slot, SlotsContext};
use super::html::Made;
use super::renderer::OutputFile;
use super::templates::Subject;
use crate::diagnostic::Diagnostics;
use crate::source::{FileId, Span};
pub(super) use plain::NOT_FOUND_TITLE;
use std::collections::BTreeMap;

/// Announces the slots that have HTML.
fn announce(slots: &BTreeMap<Slot, String>) -> SlotsContext {
    let mut context = SlotsContext::default();
    for slot in slots.keys() {
        context.fill(*slot);
    }
    context
}

/// A page that no file of its own makes.
fn site_subject(build: &Build<'_>, what: &str) -> Subject {
    Subject {
        what: what.to_owned(),
        span: Span::file(build.site.config.file),
        entry: None,
    }
}

/// A page that one file makes.
fn file_subject(what: String, file: FileId) -> Subject {
    Subject {
        what,
        span: Span::file(file),
        entry: None,
    }
}

/// The page and the files beside it, unless something went wrong.
fn files(page: Option<OutputFile>, made: Made) -> Result<Vec<OutputFile>, Diagnostics> {
    if made.findings.has_errors() {
        return Err(made.findings);
    }
    Ok(page.into_iter().chain(made.files).collect())
}
