//! Evaluating, remembered: the facts of an entry by its reading, its runs, and the presets where its
//! formulas ask for one.

use super::lookup::EntryLookup;
use super::memo::{Found, Keeping, Memo, collect};
use super::read::PresetStamp;
use crate::diagnostic::Diagnostics;
use crate::evaluate::{self, Facts};
use crate::model::entry::Entry;
use crate::resolve::Site;
use crate::simulate::{EntryRuns, Simulations};
use crate::source::FileId;
use std::cell::Cell;
use std::sync::Arc;

/// The facts of an entry, and the presets where its formulas asked for one.
#[derive(Debug, Clone)]
pub(super) struct HeldFacts {
    found: Found<Facts>,
    presets: Option<Arc<Vec<PresetStamp>>>,
}

/// The memo of this stage.
#[derive(Debug)]
pub(super) struct FactsMemo(Memo<(Arc<Entry>, Arc<EntryRuns>), HeldFacts>);

impl FactsMemo {
    pub(super) fn new(keeping: Keeping) -> Self {
        Self(Memo::new(keeping))
    }
}

/// Evaluates the claims of every entry.
pub(super) fn evaluate(
    memo: &FactsMemo,
    (site, simulations, files): (&Site, &Simulations, &[FileId]),
    stamps: &Arc<Vec<PresetStamp>>,
    out: &mut Diagnostics,
) -> Vec<Arc<Facts>> {
    let (entries, runs) = (&site.entries, &simulations.entries);
    let held = memo.0.all_while(
        files,
        |at| (&entries[at], &runs[at]),
        |held| {
            held.presets
                .as_ref()
                .is_none_or(|then| Arc::ptr_eq(then, stamps))
        },
        |at, _| {
            let lookup = EntryLookup {
                entry: &entries[at],
                runs: &runs[at],
                presets: &simulations.presets,
                has_asked_presets: Cell::new(false),
            };
            let found = Found::by(|out| {
                let facts = evaluate::entry(&entries[at], &lookup, out);
                out.name_entry_from(0, &entries[at].id.shared());
                facts
            });
            let asked = lookup.has_asked_presets.get();
            HeldFacts {
                found,
                presets: asked.then(|| Arc::clone(stamps)),
            }
        },
    );
    collect(held.into_iter().map(|held| held.found), out)
}
