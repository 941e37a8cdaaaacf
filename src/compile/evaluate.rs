//! Evaluating, remembered: the facts of an entry by its reading, its runs, and the presets where its
//! formulas ask for one.

use super::lookup::EntryLookup;
use super::memo::{Found, Keeping, Memo, collect};
use super::quiet::Quiet;
use super::read::PresetStamp;
use crate::diagnostic::Diagnostics;
use crate::evaluate::{self, Facts, LazyFacts};
use crate::model::entry::Entry;
use crate::model::slug::Slug;
use crate::resolve::Site;
use crate::sim::Runs;
use crate::simulate::{EntryRuns, Simulations};
use crate::source::{Digest, FileId, Sources};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// The facts of an entry, and the presets where its formulas asked for one.
#[derive(Debug, Clone)]
pub(super) struct HeldFacts {
    found: Found<LazyFacts>,
    presets: Option<Arc<Vec<PresetStamp>>>,
    /// The digest of what they were made from, if they are without findings and runs to come are to know that.
    quiet: Option<Digest>,
}

/// The memo of this stage.
#[derive(Debug)]
pub(super) struct FactsMemo {
    memo: Memo<(Arc<Entry>, Arc<EntryRuns>), HeldFacts>,
    /// What earlier runs knew.
    pub(super) quiet: Option<Quiet>,
}

impl FactsMemo {
    pub(super) fn new(keeping: Keeping) -> Self {
        Self {
            memo: Memo::new(keeping),
            quiet: None,
        }
    }
}

/// Evaluates the claims of every entry, those last that are known to be without findings: once
/// somebody asks.
pub(super) fn evaluate(
    memo: &FactsMemo,
    (site, simulations, files): (&Site, &Simulations, &[FileId]),
    stamps: &Arc<Vec<PresetStamp>>,
    sources: &Sources,
    out: &mut Diagnostics,
) -> Vec<Arc<LazyFacts>> {
    let (entries, runs) = (&site.entries, &simulations.entries);
    let quiet = memo.quiet.as_ref();
    let held = memo.memo.all_while(
        files,
        |at| (&entries[at], &runs[at]),
        |held| {
            held.presets
                .as_ref()
                .is_none_or(|then| Arc::ptr_eq(then, stamps))
        },
        |at, _| {
            let key = quiet.map(|quiet| quiet.key(&entries[at], sources));
            if let Some(key) = key.filter(|key| quiet.is_some_and(|quiet| quiet.knows(key))) {
                return HeldFacts {
                    found: later(&entries[at], &runs[at], simulations),
                    presets: Some(Arc::clone(stamps)),
                    quiet: Some(key),
                };
            }
            let (facts, findings, asked) = now(&entries[at], &runs[at], &simulations.presets);
            let quiet = key.filter(|_| findings.is_empty());
            let facts: LazyFacts = LazyLock::new(Box::new(|| facts));
            LazyLock::force(&facts);
            HeldFacts {
                found: Found {
                    value: Arc::new(facts),
                    findings,
                },
                presets: asked.then(|| Arc::clone(stamps)),
                quiet,
            }
        },
    );
    if let Some(quiet) = quiet {
        quiet.learn(held.iter().filter_map(|held| held.quiet).collect());
    }
    collect(held.into_iter().map(|held| held.found), out)
}

/// The facts of an entry, what was found, and whether its formulas asked for a preset.
fn now(
    entry: &Entry,
    runs: &EntryRuns,
    presets: &BTreeMap<Slug, Option<Runs>>,
) -> (Facts, Diagnostics, bool) {
    let lookup = EntryLookup {
        entry,
        runs,
        presets,
        has_asked_presets: Cell::new(false),
    };
    let mut findings = Diagnostics::new();
    let facts = evaluate::entry(entry, &lookup, &mut findings);
    findings.name_entry_from(0, &entry.id.shared());
    (facts, findings, lookup.has_asked_presets.get())
}

/// The facts of an entry in which nothing is found, made when they are looked at.
fn later(entry: &Arc<Entry>, runs: &Arc<EntryRuns>, simulations: &Simulations) -> Found<LazyFacts> {
    let (entry, runs) = (Arc::clone(entry), Arc::clone(runs));
    let presets = Arc::clone(&simulations.presets);
    let make = move || {
        let (facts, findings, _) = now(&entry, &runs, &presets);
        debug_assert!(findings.is_empty(), "{findings:?} was not known");
        facts
    };
    Found {
        value: Arc::new(LazyLock::new(Box::new(make))),
        findings: Diagnostics::new(),
    }
}
