//! The state of an entry: computed, never typed.

use super::digest::Digests;
use super::signatory::Signatory;
use crate::model::byline::Role;
use crate::model::config::Assurance;
use crate::model::entry::Kind;
use crate::model::slug::Slug;
use crate::source::FileId;

/// Where an entry stands. Where several apply, the first of: held, draft, refused, stale,
/// published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryState {
    /// Author or reviewer is still to be named. Withheld, and no fault.
    Draft,
    /// Both are named, and something that the gate requires is missing or wrong.
    Refused,
    /// It was signed, and what was signed has changed since.
    Stale,
    /// `hold` gives a reason to wait. Withheld, and no fault.
    Held,
    /// Everything holds.
    Published,
}

impl EntryState {
    /// Every state, in the order of summaries.
    pub const ALL: [Self; 5] = [
        Self::Published,
        Self::Draft,
        Self::Refused,
        Self::Stale,
        Self::Held,
    ];

    /// The word used in commands, JSON and messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Refused => "refused",
            Self::Stale => "stale",
            Self::Held => "held",
            Self::Published => "published",
        }
    }
}

/// Who signed a published entry, and how surely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignOff {
    /// Who wrote it.
    pub author: Signatory,
    /// Who read and checked it.
    pub reviewer: Signatory,
    /// What the gate asked for.
    pub assurance: Assurance,
}

/// The gate's word on one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The entry's id.
    pub id: Slug,
    /// Term or lesson.
    pub kind: Kind,
    /// Its file.
    pub file: FileId,
    /// Where it stands.
    pub state: EntryState,
    /// Whose turn it is: for a draft, who is not named; else whose statement is missing or does
    /// not hold.
    pub waits_for: Vec<Role>,
    /// The digests; `None` for an entry that cannot be read.
    pub digests: Option<Digests>,
    /// Who signed; only a published entry has it.
    pub sign_off: Option<SignOff>,
}
