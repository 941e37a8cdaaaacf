//! The entries that a build may show. What a release shows and what a preview shows are two
//! types, so that code which writes a release cannot be given a draft.

use super::Judgement;
use super::state::{EntryState, Verdict};
use std::sync::{Arc, OnceLock};

/// What a set is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// For readers: published entries alone.
    Release,
    /// For writers and reviewers: everything, with what it waits for.
    Preview,
}

/// A set of entries to show. Only the two types of this module are one.
pub trait EntrySet: sealed::Sealed + Clone + std::fmt::Debug + Send + Sync + 'static {
    /// What the set is for.
    const PURPOSE: Purpose;

    /// The output that it may be written to.
    type Output: crate::output::Purpose;

    /// Takes from a judgement the entries that this set may show.
    fn select(judgement: &Judgement) -> Self;

    /// The verdicts on the entries shown, in the order in which they were judged.
    fn shown(&self) -> &[Arc<Verdict>];

    /// The verdict on a shown entry.
    fn find(&self, id: &str) -> Option<&Verdict>;

    /// The verdict at a position among all that were given, if that entry is shown.
    fn at(&self, position: usize) -> Option<&Verdict>;

    /// Whether an entry is shown.
    fn contains(&self, id: &str) -> bool {
        self.find(id).is_some()
    }
}

mod sealed {
    /// Keeps other modules from making sets of their own.
    pub trait Sealed {}
    impl Sealed for super::PublishedSet {}
    impl Sealed for super::PreviewSet {}
}

#[derive(Debug, Default)]
struct Members {
    verdicts: Vec<Arc<Verdict>>,
    /// Positions in `verdicts` by position among all verdicts.
    places: Vec<Option<usize>>,
    /// Positions in `verdicts` in the order of ids, once one is looked for; of two with one id, that
    /// of the last.
    by_id: OnceLock<Vec<usize>>,
}

impl PartialEq for Members {
    fn eq(&self, other: &Self) -> bool {
        self.verdicts == other.verdicts
    }
}

impl Eq for Members {}

impl Members {
    fn new(verdicts: &[Arc<Verdict>], is_member: impl Fn(&Verdict) -> bool) -> Self {
        let mut members = Self::default();
        for verdict in verdicts {
            let place = is_member(verdict).then_some(members.verdicts.len());
            members.places.push(place);
            if place.is_some() {
                members.verdicts.push(Arc::clone(verdict));
            }
        }
        members
    }

    fn find(&self, id: &str) -> Option<&Verdict> {
        let verdicts = &self.verdicts;
        let by_id = self.by_id.get_or_init(|| {
            let mut by_id: Vec<_> = (0..verdicts.len()).rev().collect();
            by_id.sort_by(|&a, &b| verdicts[a].id.cmp(&verdicts[b].id));
            by_id.dedup_by(|later, first| verdicts[*later].id == verdicts[*first].id);
            by_id
        });
        let own = |at: &usize| verdicts[*at].id.as_str();
        let place = by_id.binary_search_by(|at| own(at).cmp(id)).ok()?;
        verdicts.get(by_id[place]).map(|verdict| &**verdict)
    }

    fn at(&self, position: usize) -> Option<&Verdict> {
        let place = self.places.get(position).copied().flatten()?;
        self.verdicts.get(place).map(|verdict| &**verdict)
    }
}

/// The entries that may be published. Nothing outside the gate can make one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedSet(Arc<Members>);

impl PublishedSet {
    /// The one way to a set for a release.
    pub(super) fn of(verdicts: &[Arc<Verdict>]) -> Self {
        let is_published = |v: &Verdict| v.state == EntryState::Published && v.sign_off.is_some();
        Self(Arc::new(Members::new(verdicts, is_published)))
    }
}

/// Every entry that can be read, for looking at before it is signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewSet(Arc<Members>);

impl PreviewSet {
    /// The one way to a set for a preview.
    pub(super) fn of(verdicts: &[Arc<Verdict>]) -> Self {
        Self(Arc::new(Members::new(verdicts, |v| v.digests.is_some())))
    }
}

impl EntrySet for PublishedSet {
    const PURPOSE: Purpose = Purpose::Release;
    type Output = crate::output::Release;

    fn select(judgement: &Judgement) -> Self {
        judgement.published().clone()
    }

    fn shown(&self) -> &[Arc<Verdict>] {
        &self.0.verdicts
    }

    fn find(&self, id: &str) -> Option<&Verdict> {
        self.0.find(id)
    }

    fn at(&self, position: usize) -> Option<&Verdict> {
        self.0.at(position)
    }
}

impl EntrySet for PreviewSet {
    const PURPOSE: Purpose = Purpose::Preview;
    type Output = crate::output::Preview;

    fn select(judgement: &Judgement) -> Self {
        judgement.readable().clone()
    }

    fn shown(&self) -> &[Arc<Verdict>] {
        &self.0.verdicts
    }

    fn find(&self, id: &str) -> Option<&Verdict> {
        self.0.find(id)
    }

    fn at(&self, position: usize) -> Option<&Verdict> {
        self.0.at(position)
    }
}
