//! From a page's key to its files.

use super::address;
use super::build::{Build, Common, Input};
use super::context::{PageKind, Slot};
use super::depends::{self, Dependence};
use super::html::{Drawing, drawings};
use super::page;
use super::shown::Shown;
use super::splice::splice;
use super::templates::Subject;
use crate::diagnostic::Diagnostics;
use crate::output::OutputPath;
use crate::resolve::EntryIndex;
use serde::Serialize;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;

/// A file of the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// Its path.
    pub path: OutputPath,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A page of the build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageKey {
    /// The home page.
    Home,
    /// The list of terms.
    Terms,
    /// The list of lessons.
    Lessons,
    /// The page of a term or lesson.
    Entry(EntryIndex),
    /// A plain page, by its index in [`crate::resolve::Site::pages`].
    Page(usize),
    /// What stands in for a page that does not exist.
    NotFound,
}

/// Makes the pages of a set of entries `S`. What was made for one kind of set is of another type
/// than what was made for the other.
pub struct Renderer<'a, S> {
    build: Build<'a>,
    set: PhantomData<fn() -> S>,
}

impl<'a, S: Shown> Renderer<'a, S> {
    /// Prepares what all pages share.
    pub fn new(input: Input<'a>, set: &'a S) -> Self {
        Self::sharing(input, set, Arc::new(Common::new(input, set)))
    }

    /// The same with what all pages share made before, of the same input and set.
    pub fn sharing(input: Input<'a>, set: &'a S, common: Arc<Common>) -> Self {
        Self {
            build: Build::new(input, set, common),
            set: PhantomData,
        }
    }

    /// Every page, in a fixed order.
    pub fn pages(&self) -> Vec<PageKey> {
        let entries = self.build.shown().map(PageKey::Entry);
        let plain = (0..self.build.site.pages.len()).map(PageKey::Page);
        [PageKey::Home, PageKey::Terms, PageKey::Lessons]
            .into_iter()
            .chain(entries)
            .chain(plain)
            .chain([PageKey::NotFound])
            .collect()
    }

    /// The address of a page, relative to the site's root: `terms/warp/`, and empty for the home
    /// page.
    pub fn address(&self, key: PageKey) -> String {
        let site = self.build.site;
        match key {
            PageKey::Home => String::new(),
            PageKey::Terms => address::TERMS.to_owned(),
            PageKey::Lessons => address::LESSONS.to_owned(),
            PageKey::Entry(index) => site.entry(index).address(),
            PageKey::Page(at) => site
                .pages
                .get(at)
                .map_or_else(String::new, |page| page.address()),
            PageKey::NotFound => address::NOT_FOUND.to_owned(),
        }
    }

    /// The files of a page: the page itself first, then the data that it offers.
    pub fn render(&self, key: PageKey) -> Result<Vec<OutputFile>, Diagnostics> {
        self.render_with(key, &mut Vec::new())
    }

    /// The same; `drawn` takes the drawings that stand in the page, for [`Self::drawings`].
    pub fn render_with(
        &self,
        key: PageKey,
        drawn: &mut Vec<Drawing>,
    ) -> Result<Vec<OutputFile>, Diagnostics> {
        match key {
            PageKey::Home => page::home(&self.build),
            PageKey::Terms => page::terms(&self.build),
            PageKey::Lessons => page::lessons(&self.build),
            PageKey::Entry(index) => page::entry(&self.build, index, drawn),
            PageKey::Page(at) => page::plain(&self.build, at),
            PageKey::NotFound => page::not_found(&self.build),
        }
    }

    /// What the pages of entries, their twins and drawings depend on besides options
    /// and the files of the whole site, beside the site's entries; `None` for one that is not shown.
    pub fn dependencies(&self) -> Vec<Option<Dependence>> {
        depends::of_pages(&self.build)
    }

    /// The HTML of an entry's body for readers of feeds, with absolute addresses.
    pub fn feed_content(&self, entry: EntryIndex) -> String {
        super::html::feed_body(&self.build, entry)
    }

    /// The drawings of an entry, which stand as files in `diagrams/ENTRY/`; none for another
    /// page. Those that are among `drawn` are not drawn again. Faults are findings.
    pub fn drawings(
        &self,
        key: PageKey,
        drawn: Vec<Drawing>,
        out: &mut Diagnostics,
    ) -> Vec<Drawing> {
        let PageKey::Entry(index) = key else {
            return Vec::new();
        };
        let entry = self.build.site.entry(index);
        match self.build.runs.entries.get(index) {
            Some(runs) if self.build.link(index).is_some() => {
                drawings(self.build.site, (entry, runs), drawn, out)
            }
            _ => Vec::new(),
        }
    }
}

impl<S> std::fmt::Debug for Renderer<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").finish_non_exhaustive()
    }
}

/// Fills a template and its slots.
pub(super) fn fill<P: Serialize>(
    build: &Build<'_>,
    kind: PageKind,
    page: &P,
    slots: &BTreeMap<Slot, String>,
    subject: &Subject,
) -> Result<Vec<u8>, Diagnostics> {
    let text = build.templates.render(kind, page, subject)?;
    Ok(splice(&text, slots).into_bytes())
}

/// The file of a page at an address.
pub(super) fn page_file(address: &str, bytes: Vec<u8>) -> Option<OutputFile> {
    let path = if address == address::NOT_FOUND {
        address.to_owned()
    } else {
        format!("{address}index.html")
    };
    let path = OutputPath::new(&path).ok()?;
    Some(OutputFile { path, bytes })
}
