//! What is remembered from one compilation to the next: a memo for each stage.

use super::evaluate::FactsMemo;
use super::gate::GateMemos;
use super::memo::Keeping;
use super::quiet::Quiet;
use super::read::ReadMemos;
use super::resolve::ResolveMemos;
use super::rules::CheckMemo;
use super::simulate::RunsMemos;

/// The results of the last compilation, stage by stage.
#[derive(Debug)]
pub struct Memory {
    pub(super) read: ReadMemos,
    pub(super) resolve: ResolveMemos,
    pub(super) runs: RunsMemos,
    pub(super) facts: FactsMemo,
    pub(super) check: CheckMemo,
    pub(super) gate: GateMemos,
}

impl Memory {
    /// A memory that keeps nothing: for a single run, where keeping would only cost.
    pub fn none() -> Self {
        Self::new(Keeping::Nothing)
    }

    /// A memory that keeps results. It must see the sources of one loader alone, in which a file
    /// keeps its id for as long as it is there and no other file ever gets it.
    pub fn keeping() -> Self {
        Self::new(Keeping::Last)
    }

    /// The same, which knows besides in which entries evaluating finds nothing.
    #[must_use]
    pub fn knowing(mut self, quiet: Option<Quiet>) -> Self {
        self.facts.quiet = quiet;
        self
    }

    /// What is known of that after a compilation, if it is not what was known before.
    pub fn news_of_quiet(&self) -> Option<Vec<u8>> {
        self.facts.quiet.as_ref()?.news()
    }

    fn new(keeping: Keeping) -> Self {
        Self {
            read: ReadMemos::new(keeping),
            resolve: ResolveMemos::new(keeping),
            runs: RunsMemos::new(keeping),
            facts: FactsMemo::new(keeping),
            check: CheckMemo::new(keeping),
            gate: GateMemos::new(keeping),
        }
    }
}
