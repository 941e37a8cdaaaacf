//! Whether every page has an address of its own.
//!
//! A file that a site copies can stand where a page or a folder of pages has to be; then neither
//! may win without a word.

use super::Names;
use crate::diagnostic::Diagnostics;
use crate::model::entry::Entry;
use crate::model::page::Page;
use crate::output::{Addresses, Origin, OutputPath};
use crate::source::{Sources, Span};
use std::sync::Arc;

/// Reports pages that want an address which is taken.
pub(super) fn check(
    sources: &Sources,
    entries: &[Arc<Entry>],
    pages: &[Arc<Page>],
    names: &Names,
    out: &mut Diagnostics,
) {
    // Collisions among copied files were reported when they were loaded.
    let mut addresses = Addresses::of_copied(sources, &mut Diagnostics::new());
    let mut claim = |address: &str, what: String, span: Span, out: &mut Diagnostics| {
        if let Ok(path) = OutputPath::new(&format!("{address}index.html")) {
            addresses.claim(path, Origin::new(what, span), out);
        }
    };
    for entry in entries {
        let from = out.len();
        let what = format!("the page of `{}`", entry.id);
        claim(&entry.address(), what, entry.title.span, out);
        out.name_entry_from(from, &entry.id.shared());
    }
    for page in pages {
        let title = page.title.as_ref();
        let span = title.map_or(Span::file(page.file), |title| title.span);
        claim(&page.address(), "a page".to_owned(), span, out);
    }
    for redirect in names.redirects() {
        let entry = &entries[redirect.to];
        let what = format!("the redirect of an alias of `{}`", entry.id);
        let address = format!("terms/{}/", redirect.from);
        claim(&address, what, entry.title.span, out);
    }
}
