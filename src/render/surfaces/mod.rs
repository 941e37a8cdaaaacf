//! What a release holds besides pages: the surfaces that machines read.
//!
//! Each file makes one surface from a [`Shelf`], which lists the entries of this build and no
//! others: what is not on the shelf cannot be named here.

mod feed;
mod glossary;
mod llms;
mod markdown;
mod redirect;
mod replace;
mod robots;
mod search;
mod sitemap;
mod twin;

pub use feed::{FeedContent, feed, revise as revise_feed};
pub use glossary::{GLOSSARY_SCHEMA, glossary, revise as revise_glossary};
pub use llms::llms;
pub use redirect::{Redirected, redirect};
pub(super) use robots::ROBOTS_OPEN;
pub use robots::{Access, robots};
pub use search::{Revised, revise as revise_search, search};
pub use sitemap::sitemap;
pub use twin::{index_twin, page_twin, twin};

use crate::model::entry::{Entry, Kind};
use crate::resolve::{EntryIndex, Site};
use crate::source::{Digest, Sources};

/// An entry of this build.
#[derive(Debug, Clone)]
pub struct Listed<'a> {
    /// Its position in the site.
    pub index: EntryIndex,
    /// The entry.
    pub entry: &'a Entry,
    /// Its state, as a word.
    pub state: &'static str,
    /// The author's name; `None` while it is pending.
    pub written_by: Option<String>,
    /// The reviewer's name.
    pub reviewed_by: Option<String>,
    /// The assurance of a published entry.
    pub assurance: Option<&'static str>,
    /// Digest of all that its page says.
    pub claims: Digest,
}

impl Listed<'_> {
    /// The day of writing, as ISO 8601.
    pub fn written_on(&self) -> Option<String> {
        let date = self.entry.byline.written_on.date()?;
        Some(date.value.to_string())
    }

    /// The day of the last check, as ISO 8601.
    pub fn last_checked_on(&self) -> Option<String> {
        let date = self.entry.byline.last_checked_on.date()?;
        Some(date.value.to_string())
    }

    /// The later of both days: when the page last changed or was last confirmed.
    pub fn updated(&self) -> Option<String> {
        self.last_checked_on().max(self.written_on())
    }

    /// The short answer, claims as their numbers.
    pub fn short(&self) -> String {
        let short = self.entry.short.as_ref();
        short.map_or_else(String::new, |short| short.plain().trim().to_owned())
    }
}

/// The entries of one build, in the order of kind and id.
#[derive(Debug)]
pub struct Shelf<'a> {
    /// The site.
    pub site: &'a Site,
    /// Its files.
    pub sources: &'a Sources,
    /// The entries.
    pub listed: Vec<Listed<'a>>,
    /// Position in `listed` by index of the site's entries; `None` for what is withheld.
    places: Vec<Option<usize>>,
}

impl<'a> Shelf<'a> {
    /// Puts entries on the shelf; they must be in the order of the site.
    pub fn new(site: &'a Site, sources: &'a Sources, listed: Vec<Listed<'a>>) -> Self {
        let mut places = vec![None; site.entries.len()];
        for (place, listed) in listed.iter().enumerate() {
            places[listed.index] = Some(place);
        }
        Self {
            site,
            sources,
            listed,
            places,
        }
    }

    /// The entry at an index of the site, if it is on the shelf.
    pub fn get(&self, index: EntryIndex) -> Option<&Listed<'a>> {
        self.listed.get(self.places.get(index).copied().flatten()?)
    }

    /// Terms in the order of the glossary.
    pub fn terms(&self) -> impl Iterator<Item = &Listed<'a>> {
        self.site.terms.iter().filter_map(|index| self.get(*index))
    }

    /// Lessons in the order of the course.
    pub fn lessons(&self) -> impl Iterator<Item = &Listed<'a>> {
        self.site
            .lessons
            .iter()
            .filter_map(|index| self.get(*index))
    }

    /// The absolute address of a path of the release.
    pub fn absolute(&self, path: &str) -> String {
        format!("{}{path}", self.site.config.base_url)
    }

    /// The addresses of all pages, each with the day of its last change: home, both lists,
    /// entries, plain pages.
    pub fn pages(&self) -> Vec<(String, Option<String>)> {
        let newest = |kind: Option<Kind>| {
            let of_kind = |l: &&Listed<'_>| kind.is_none_or(|kind| l.entry.kind() == kind);
            let listed = self.listed.iter().filter(of_kind);
            listed.filter_map(Listed::updated).max()
        };
        let mut pages = vec![
            (String::new(), newest(None)),
            ("terms/".to_owned(), newest(Some(Kind::Term))),
            ("lessons/".to_owned(), newest(Some(Kind::Lesson))),
        ];
        let entries = self.listed.iter();
        pages.extend(entries.map(|l| (l.entry.address(), l.updated())));
        pages.extend(self.site.pages.iter().map(|page| (page.address(), None)));
        pages
    }
}
