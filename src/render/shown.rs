//! What the renderer asks of a set of entries.
//!
//! Job: keep the pages apart from the reasons for publishing. The gate's sets implement [`Shown`];
//! only what a set shows gets a page, a link or a place in a list.

use crate::model::config::Assurance;
use crate::resolve::EntryIndex;
use crate::source::Digest;

/// A set of entries that may be shown.
pub trait Shown: Sync {
    /// Whether the set may hold entries that are not published.
    fn audience(&self) -> Audience;

    /// The state of an entry, if it is in the set.
    fn state(&self, entry: EntryIndex) -> Option<&'static str>;

    /// Where an entry of the set stands.
    fn standing(&self, entry: EntryIndex) -> Standing;

    /// What a reader of an unpublished page must know, a sentence each.
    fn reasons(&self, entry: EntryIndex) -> Vec<String>;
}

/// For whom pages are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// For readers: published entries alone.
    Readers,
    /// For those who write: drafts too, under a banner.
    Writers,
}

/// Somebody in a byline, as pages show them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// A page about the person, absolute.
    pub url: Option<String>,
}

/// Where an entry stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// `published`, `draft`, `refused`, `stale` or `held`.
    pub state: &'static str,
    /// Who is still to sign: `author`, `reviewer`.
    pub waits_for: Vec<&'static str>,
    /// The author, if known.
    pub author: Option<Named>,
    /// The reviewer, if known.
    pub reviewer: Option<Named>,
    /// How sure the two names are; absent until published.
    pub assurance: Option<Assurance>,
    /// The digest of all that the page claims.
    pub claims: Option<Digest>,
}

impl Standing {
    /// Whether the entry is published.
    pub fn is_published(&self) -> bool {
        self.state == "published"
    }
}
