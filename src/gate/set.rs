//! The entries that a build may show. What a release shows and what a preview shows are two
//! types, so that code which writes a release cannot be given a draft.

use super::Judgement;
use super::state::{EntryState, Verdict};
use std::collections::BTreeMap;

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
    fn shown(&self) -> &[Verdict];

    /// The verdict on a shown entry.
    fn find(&self, id: &str) -> Option<&Verdict>;

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

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Members {
    verdicts: Vec<Verdict>,
    by_id: BTreeMap<String, usize>,
}

impl Members {
    fn new(verdicts: impl Iterator<Item = Verdict>) -> Self {
        let verdicts: Vec<_> = verdicts.collect();
        let ids = verdicts.iter().enumerate();
        let by_id = ids
            .map(|(at, verdict)| (verdict.id.to_string(), at))
            .collect();
        Self { verdicts, by_id }
    }

    fn find(&self, id: &str) -> Option<&Verdict> {
        self.by_id.get(id).and_then(|&at| self.verdicts.get(at))
    }
}

/// The entries that may be published. Nothing outside the gate can make one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedSet(Members);

impl PublishedSet {
    /// The one way to a set for a release.
    pub(super) fn of(verdicts: &[Verdict]) -> Self {
        let published = verdicts
            .iter()
            .filter(|v| v.state == EntryState::Published && v.sign_off.is_some());
        Self(Members::new(published.cloned()))
    }
}

/// Every entry that can be read, for looking at before it is signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewSet(Members);

impl EntrySet for PublishedSet {
    const PURPOSE: Purpose = Purpose::Release;
    type Output = crate::output::Release;

    fn select(judgement: &Judgement) -> Self {
        judgement.published().clone()
    }

    fn shown(&self) -> &[Verdict] {
        &self.0.verdicts
    }

    fn find(&self, id: &str) -> Option<&Verdict> {
        self.0.find(id)
    }
}

impl EntrySet for PreviewSet {
    const PURPOSE: Purpose = Purpose::Preview;
    type Output = crate::output::Preview;

    fn select(judgement: &Judgement) -> Self {
        let readable = judgement.verdicts.iter().filter(|v| v.digests.is_some());
        Self(Members::new(readable.cloned()))
    }

    fn shown(&self) -> &[Verdict] {
        &self.0.verdicts
    }

    fn find(&self, id: &str) -> Option<&Verdict> {
        self.0.find(id)
    }
}
