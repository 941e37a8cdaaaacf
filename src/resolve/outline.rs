//! What the structure of a site and its links are made from, as keys: two that are equal give equal
//! results, wherever in the files things stand.

use super::Unreadable;
use super::anchors::anchors;
use crate::model::document::Target;
use crate::model::entry::Entry;
use crate::model::page::Page;
use crate::source::{FileId, Listing};
use std::sync::Arc;

/// The entries and pages of a site, for their names. Two are equal if all in them are called the same
/// and stand in the same files, whatever else they say.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Every readable entry, in the order of kind and id.
    pub entries: Arc<Vec<Arc<Entry>>>,
    /// The files of these, in their order.
    pub files: Vec<FileId>,
    /// Entries that cannot be read.
    pub unreadable: Vec<Unreadable>,
    /// Plain pages, by id.
    pub pages: Vec<Arc<Page>>,
    /// Which files there are.
    pub listing: Arc<Listing>,
}

impl PartialEq for Outline {
    fn eq(&self, other: &Self) -> bool {
        let pages = |outline: &Self| -> Vec<_> {
            let pages = outline.pages.iter();
            pages.map(|page| (page.id.clone(), page.file)).collect()
        };
        (Arc::ptr_eq(&self.listing, &other.listing) || self.listing == other.listing)
            && self.unreadable == other.unreadable
            && all_equal(&self.entries, &other.entries, is_called_the_same)
            && pages(self) == pages(other)
    }
}

fn all_equal<T>(one: &[Arc<T>], other: &[Arc<T>], equal: impl Fn(&T, &T) -> bool) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len()
        && pairs.all(|(one, other)| Arc::ptr_eq(one, other) || equal(one, other))
}

/// Whether two readings of an entry agree in all that other entries and the order of lists see.
fn is_called_the_same(one: &Entry, other: &Entry) -> bool {
    fn aliases(entry: &Entry) -> impl Iterator<Item = &str> {
        entry.aliases().iter().map(|alias| alias.value.as_str())
    }
    let place = |entry: &Entry| {
        let lesson = entry.lesson();
        let day = lesson.and_then(|lesson| Some(lesson.day.as_ref()?.value));
        let arc = lesson.and_then(|lesson| lesson.arc.as_ref());
        let part = arc.and_then(|arc| Some(arc.part.as_ref()?.value));
        (day, arc.map(|arc| arc.name.value.clone()), part)
    };
    (one.file, one.kind(), &one.id) == (other.file, other.kind(), &other.id)
        && one.title.value == other.title.value
        && one.name() == other.name()
        && aliases(one).eq(aliases(other))
        && place(one) == place(other)
}

/// The entries and pages of a site, for the places on them. Two are equal if every page has the
/// same places.
#[derive(Debug, Clone)]
pub struct Anchors {
    entries: Arc<Vec<Arc<Entry>>>,
    pages: Vec<Arc<Page>>,
}

impl Anchors {
    /// Those of a site.
    pub fn of(outline: &Outline) -> Self {
        Self {
            entries: Arc::clone(&outline.entries),
            pages: outline.pages.clone(),
        }
    }

    /// Whether what the links of an entry come to depends on the places of pages.
    pub fn are_asked_by(entry: &Entry) -> bool {
        let links = entry.body.links.iter();
        let mut targets = links.filter_map(|link| match &link.target {
            Target::Entry(target) | Target::External(target) | Target::Relative(target) => {
                Some(target)
            }
            Target::Refused => None,
        });
        let mut images = entry.body.images.iter().map(|image| &image.target.value);
        targets.any(|target| target.contains('#')) || images.any(|target| target.contains('#'))
    }
}

impl PartialEq for Anchors {
    fn eq(&self, other: &Self) -> bool {
        all_equal(&self.entries, &other.entries, |one, other| {
            anchors(&one.body, Some(one)) == anchors(&other.body, Some(other))
        }) && all_equal(&self.pages, &other.pages, |one, other| {
            anchors(&one.body, None) == anchors(&other.body, None)
        })
    }
}
