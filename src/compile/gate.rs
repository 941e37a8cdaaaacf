//! The gate, remembered: the digests of an entry by its reading, its runs and the files that its page
//! shows; the ruling on it by its digests, the policy, and the statements beside it.

use super::Options;
use super::memo::{By, ByRef, Input, Keeping, Memo};
use crate::diagnostic::{Diagnostics, Severity};
use crate::gate::{self, Digests, Dossier, Judgement, Policy, Ruling, Soundness};
use crate::model::config::Assurance;
use crate::model::date::Date;
use crate::model::entry::Entry;
use crate::model::person::People;
use crate::model::slug::Slug;
use crate::resolve::{Outline, Site};
use crate::simulate::{EntryRuns, Simulations};
use crate::source::{FileId, Listing, Sources, Stamp};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The files beside an entry that matter to the gate.
#[derive(Debug, Clone)]
pub(super) struct FilesOf {
    /// Every file that its page is made from besides its own; `None` for none.
    used: Option<Arc<[FileId]>>,
    /// What its people signed.
    statements: [Option<FileId>; 4],
}

impl FilesOf {
    fn used(&self) -> &[FileId] {
        self.used.as_deref().unwrap_or_default()
    }
}

/// Files as they are now, as an input.
struct Files<'a> {
    files: &'a [FileId],
    sources: &'a Sources,
}

impl Input for Files<'_> {
    type Held = Vec<Stamp>;

    fn is(&self, held: &Vec<Stamp>) -> bool {
        let now = self.files.iter().map(|file| self.sources.stamp(*file));
        now.eq(held.iter().copied())
    }

    fn hold(self) -> Vec<Stamp> {
        let files = self.files.iter();
        files.map(|file| self.sources.stamp(*file)).collect()
    }
}

/// The policy as far as a ruling depends on it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PolicyKey {
    assurance: Assurance,
    site_name: String,
    today: Date,
}

/// What is held of the inputs of a ruling.
type HeldDossier = (
    (Arc<Entry>, Digests, Soundness),
    (Arc<PolicyKey>, Arc<People>),
    [Option<Stamp>; 4],
);

/// What is held of the inputs of digests: the entry, its runs, and the files that its page shows.
type HeldSigned = (Arc<Entry>, Arc<EntryRuns>, Vec<Stamp>);

/// The memos of this stage.
#[derive(Debug)]
pub(super) struct GateMemos {
    files: Memo<(Arc<Entry>, Arc<Listing>), FilesOf>,
    digests: Memo<HeldSigned, Digests>,
    repeated: Memo<Arc<Outline>, Arc<BTreeSet<Slug>>>,
    policy: Memo<PolicyKey, Arc<PolicyKey>>,
    rulings: Memo<HeldDossier, Ruling>,
}

impl GateMemos {
    pub(super) fn new(keeping: Keeping) -> Self {
        Self {
            files: Memo::new(keeping),
            digests: Memo::new(keeping),
            repeated: Memo::new(keeping),
            policy: Memo::new(keeping),
            rulings: Memo::new(keeping),
        }
    }
}

/// What the gate looks at.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    pub(super) site: &'a Site,
    pub(super) outline: &'a Arc<Outline>,
    pub(super) sources: &'a Sources,
    pub(super) simulations: &'a Simulations,
    pub(super) options: &'a Options,
}

/// Brings every entry before the gate. An entry is faulty if there is a finding at error level
/// about it, or in any file that it is made from.
pub(super) fn judge(memos: &GateMemos, case: Case<'_>, findings: &Diagnostics) -> Judgement {
    let (entries, files) = (&case.site.entries, &case.outline.files);
    let beside = files_of(memos, case);
    let digests = digests(memos, case, &beside);
    let is_faulty = faults(memos, case, findings);
    let policy = Policy {
        sources: case.sources,
        config: &case.site.config,
        people: &case.site.people,
        today: case.options.today,
    };
    let policy_key = policy_key(memos, case);
    let soundness = |at: usize| {
        if is_faulty(at, beside[at].used()) {
            Soundness::Faulty
        } else {
            Soundness::Sound
        }
    };
    let mut rulings = memos.rulings.all(
        files,
        |at| {
            let statements = beside[at].statements;
            (
                (&entries[at], By(digests[at]), By(soundness(at))),
                (&policy_key, &case.site.people),
                By(statements.map(|file| file.map(|file| case.sources.stamp(file)))),
            )
        },
        |at, _| {
            let dossier = Dossier {
                entry: &entries[at],
                digests: digests[at],
                soundness: soundness(at),
            };
            Ruling::on(&policy, &dossier)
        },
    );
    let unreadable = case.site.unreadable.iter();
    rulings.extend(unreadable.map(|at| Ruling::on_unreadable(&at.id, at.kind, at.file)));
    Judgement::of(rulings)
}

fn files_of(memos: &GateMemos, case: Case<'_>) -> Vec<FilesOf> {
    let (entries, files) = (&case.site.entries, &case.outline.files);
    memos.files.all(
        files,
        |at| (&entries[at], &case.outline.listing),
        |at, _| {
            let mut used = gate::files_of(&entries[at], case.sources);
            used.remove(&files[at]);
            FilesOf {
                used: (!used.is_empty()).then(|| used.into_iter().collect()),
                statements: gate::statements_of(files[at], case.sources),
            }
        },
    )
}

fn digests(memos: &GateMemos, case: Case<'_>, beside: &[FilesOf]) -> Vec<Digests> {
    let (entries, runs) = (&case.site.entries, &case.simulations.entries);
    memos.digests.all(
        &case.outline.files,
        |at| {
            let used = Files {
                files: beside[at].used(),
                sources: case.sources,
            };
            (&entries[at], &runs[at], used)
        },
        |at, _| {
            let traces = runs[at].trace_digests(&entries[at]);
            gate::digests(&entries[at], case.sources, &traces)
        },
    )
}

/// Tells which entries are faulty, by the files besides their own that they are made from.
fn faults<'a>(
    memos: &GateMemos,
    case: Case<'a>,
    findings: &'a Diagnostics,
) -> impl Fn(usize, &[FileId]) -> bool + Sync + use<'a> {
    let errors = || findings.iter().filter(|d| d.severity == Severity::Error);
    let faulty: BTreeSet<&'a str> = errors().filter_map(|d| d.entry.as_deref()).collect();
    let of_no_entry = errors().filter(|d| d.entry.is_none());
    let faulty_files: BTreeSet<FileId> = of_no_entry.map(|d| d.span.file).collect();
    let repeated = memos.repeated.one(By(Arc::clone(case.outline)), |_| {
        let entries = case.outline.entries.iter().map(|entry| &entry.id);
        let unreadable = case.outline.unreadable.iter().map(|entry| &entry.id);
        Arc::new(gate::repeated(entries.chain(unreadable)))
    });
    let entries = &case.site.entries;
    let own = &case.outline.files;
    move |at, used| {
        // Most sites have no fault: then no entry need be looked at.
        (!faulty.is_empty() && faulty.contains(entries[at].id.as_str()))
            || (!repeated.is_empty() && repeated.contains(&entries[at].id))
            || (!faulty_files.is_empty()
                && (faulty_files.contains(&own[at])
                    || used.iter().any(|file| faulty_files.contains(file))))
    }
}

fn policy_key(memos: &GateMemos, case: Case<'_>) -> Arc<PolicyKey> {
    let config = &case.site.config;
    let key = PolicyKey {
        assurance: config.assurance,
        site_name: config.site_name(),
        today: case.options.today,
    };
    memos.policy.one(ByRef(&key), |_| Arc::new(key.clone()))
}
