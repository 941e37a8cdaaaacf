//! Simulating, remembered: the runs of an entry by its reading and the presets that it names.

use super::memo::{Found, Input, Keeping, Memo, collect};
use super::read::PresetStamp;
use crate::diagnostic::Diagnostics;
use crate::model::entry::Entry;
use crate::model::slug::Slug;
use crate::resolve::Site;
use crate::sim::Runs;
use crate::simulate::{self, EntryRuns, Presets, Simulations};
use crate::source::FileId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The presets that an entry's diagrams name, as an input.
struct PresetsOf<'a> {
    entry: &'a Entry,
    all: &'a Arc<Vec<PresetStamp>>,
}

/// What is held of them.
#[derive(Debug)]
pub(super) struct HeldPresets {
    all: Arc<Vec<PresetStamp>>,
    /// One for each diagram that names a preset; `None` for one that is not there, which depends on
    /// all names.
    own: Vec<Option<PresetStamp>>,
}

impl PresetsOf<'_> {
    fn own(&self) -> impl Iterator<Item = Option<&PresetStamp>> {
        let names = self.entry.diagrams.iter().filter_map(|d| d.preset.as_ref());
        names.map(|name| {
            let by_name = |(slug, _): &PresetStamp| slug.as_str().cmp(&name.value);
            let at = self.all.binary_search_by(by_name).ok()?;
            self.all.get(at)
        })
    }
}

impl Input for PresetsOf<'_> {
    type Held = HeldPresets;

    fn is(&self, held: &HeldPresets) -> bool {
        Arc::ptr_eq(self.all, &held.all)
            || (self.own().eq(held.own.iter().map(Option::as_ref))
                && held.own.iter().all(Option::is_some))
    }

    fn hold(self) -> HeldPresets {
        HeldPresets {
            own: self.own().map(Option::<&_>::cloned).collect(),
            all: Arc::clone(self.all),
        }
    }
}

/// The memos of this stage.
#[derive(Debug)]
pub(super) struct RunsMemos {
    presets: Memo<Arc<Vec<PresetStamp>>, PresetRuns>,
    entries: Memo<(Arc<Entry>, HeldPresets), Found<EntryRuns>>,
}

type PresetRuns = Found<BTreeMap<Slug, Option<Runs>>>;

impl RunsMemos {
    pub(super) fn new(keeping: Keeping) -> Self {
        Self {
            presets: Memo::new(keeping),
            entries: Memo::new(keeping),
        }
    }
}

/// Runs every model, diagram and preset of a site.
pub(super) fn run(
    memos: &RunsMemos,
    (site, files): (&Site, &[FileId]),
    stamps: &Arc<Vec<PresetStamp>>,
    out: &mut Diagnostics,
) -> Simulations {
    let runs = memos.presets.one(stamps, |_| {
        Found::by(|out| simulate::presets(&site.presets, out))
    });
    out.append(runs.findings);
    let presets = Presets {
        read: &site.presets,
        runs: &runs.value,
    };
    let entries = &site.entries;
    let found = memos.entries.all(
        files,
        |at| {
            let entry = &entries[at];
            (entry, PresetsOf { entry, all: stamps })
        },
        |at, before| Found::by(|out| simulate::entry(&entries[at], presets, out)).settle(before),
    );
    Simulations {
        entries: collect(found.into_iter(), out),
        presets: runs.value,
    }
}
