//! The stages of a run by name, for whoever times them or shows how far the run is.

use std::time::Duration;

/// A stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Entries, pages, presets, people and settings are read.
    Parse,
    /// Names and links are settled.
    Resolve,
    /// Models and diagrams are run.
    Simulate,
    /// Claims are calculated.
    Evaluate,
    /// The rules are held against each entry.
    Check,
    /// Digests are taken and states decided.
    Gate,
    /// Pages are rendered, with their Markdown twins.
    Pages,
    /// Diagrams are drawn as files.
    Drawings,
    /// Diagrams and cards become PNGs.
    Pictures,
    /// The search index is made.
    Search,
    /// Sitemap, feed, `glossary.json` and their like are made.
    Surfaces,
    /// Finished files are audited.
    Audit,
    /// Files are written.
    Write,
}

impl Stage {
    /// Its name for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Resolve => "resolve",
            Self::Simulate => "simulate",
            Self::Evaluate => "evaluate",
            Self::Check => "check",
            Self::Gate => "gate",
            Self::Pages => "pages",
            Self::Drawings => "drawings",
            Self::Pictures => "PNGs",
            Self::Search => "search",
            Self::Surfaces => "surfaces",
            Self::Audit => "audit",
            Self::Write => "write",
        }
    }

    /// Whether several threads work at it at once, beside other stages.
    pub fn is_shared(self) -> bool {
        self >= Self::Pages
    }
}

/// Is told of stages, by any thread. It has the clock that the core has not.
pub trait Observer: Sync {
    /// A stage has `parts` parts to come.
    fn expect(&self, stage: Stage, parts: usize);

    /// A part of a stage begins; gives the time, from any fixed moment on.
    fn begin(&self, stage: Stage) -> Duration;

    /// The part that began at this time has ended.
    fn end(&self, stage: Stage, began: Duration);
}

/// Nobody.
#[derive(Debug, Clone, Copy)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn expect(&self, _: Stage, _: usize) {}

    fn begin(&self, _: Stage) -> Duration {
        Duration::ZERO
    }

    fn end(&self, _: Stage, _: Duration) {}
}

/// Does a part of a stage.
pub fn observed<T>(observer: &dyn Observer, stage: Stage, work: impl FnOnce() -> T) -> T {
    let began = observer.begin(stage);
    let made = work();
    observer.end(stage, began);
    made
}
