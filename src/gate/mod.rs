//! The gate: who may be published.
//!
//! Takes each entry as written with its digests and whether other stages found errors in it,
//! the site's policy and its people; gives a [`Judgement`]: a state for every entry, findings,
//! and the [`PublishedSet`]. That set is the only way into a release, and [`judge`] is the only
//! way to the set: no flag, key or template publishes anything.

mod attest;
pub mod digest;
pub mod distinct;
mod requirements;
pub mod review;
mod set;
pub mod sign;
mod signatory;
pub mod signature;
mod state;
pub mod trust;

pub use attest::statements_of;
pub use digest::{Digests, digests, files_of};
pub use set::{EntrySet, PreviewSet, PublishedSet, Purpose};
pub use signatory::Signatory;
pub use state::{EntryState, SignOff, Verdict};

use crate::diagnostic::{Diagnostic, Diagnostics, Severity, rule};
use crate::model::byline::Role;
use crate::model::config::Config;
use crate::model::date::Date;
use crate::model::entry::{Entry, Kind};
use crate::model::name::is_placeholder;
use crate::model::person::People;
use crate::model::slug::Slug;
use crate::source::{FileId, Sources, Span};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// What the gate asks for, and of whom.
#[derive(Debug, Clone, Copy)]
pub struct Policy<'a> {
    /// All files, for the statements that stand beside the entries.
    pub sources: &'a Sources,
    /// The site's settings.
    pub config: &'a Config,
    /// Who may sign.
    pub people: &'a People,
    /// The day of the run.
    pub today: Date,
}

/// Whether other stages found fault with an entry, or with a capture, preset or model that it
/// uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soundness {
    /// No finding at error level.
    Sound,
    /// At least one, which has been reported.
    Faulty,
}

/// An entry that can be judged.
#[derive(Debug, Clone, Copy)]
pub struct Dossier<'a> {
    /// The entry as written.
    pub entry: &'a Entry,
    /// What its people sign.
    pub digests: Digests,
    /// What other stages found.
    pub soundness: Soundness,
}

/// A file of an entry, as far as it could be read.
#[derive(Debug, Clone, Copy)]
pub enum Submission<'a> {
    /// An entry.
    Entry(Dossier<'a>),
    /// A file whose front matter cannot be read, which has been reported. It is refused.
    Unreadable {
        /// The id that its name gives.
        id: &'a Slug,
        /// Term or lesson.
        kind: Kind,
        /// The file.
        file: FileId,
    },
}

impl<'a> Submission<'a> {
    /// The entry's id.
    pub fn id(&self) -> &'a Slug {
        match self {
            Self::Entry(dossier) => &dossier.entry.id,
            Self::Unreadable { id, .. } => id,
        }
    }
}

/// The gate's word on all entries.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// A verdict for each submission, in their order.
    pub verdicts: Vec<Arc<Verdict>>,
    /// What the gate found. Each finding names its entry.
    pub findings: Diagnostics,
    published: PublishedSet,
    /// Every entry that can be read, once somebody asks.
    readable: OnceLock<PreviewSet>,
}

impl Judgement {
    fn readable(&self) -> &PreviewSet {
        self.readable.get_or_init(|| PreviewSet::of(&self.verdicts))
    }

    /// Refuses every published entry that a later stage (drawing, rendering) found an error in.
    /// Nothing but a refusal can come of it.
    pub fn refuse_faulty(&mut self, findings: &Diagnostics) {
        let errors = findings.iter().filter(|f| f.severity == Severity::Error);
        let faulty: BTreeSet<&str> = errors
            .flat_map(Diagnostic::all_entries)
            .map(|id| &**id)
            .collect();
        for verdict in &mut self.verdicts {
            let is_faulty = faulty.contains(verdict.id.as_str());
            if is_faulty && verdict.state == EntryState::Published {
                let verdict = Arc::make_mut(verdict);
                verdict.state = EntryState::Refused;
                verdict.sign_off = None;
            }
        }
        self.published = PublishedSet::of(&self.verdicts);
        self.readable = OnceLock::new();
    }

    /// The entries that may be published.
    pub fn published(&self) -> &PublishedSet {
        &self.published
    }

    /// How many entries are in a state.
    pub fn count(&self, state: EntryState) -> usize {
        self.verdicts.iter().filter(|v| v.state == state).count()
    }

    /// A finding for each entry that is withheld, for runs in which every entry must be
    /// published.
    pub fn unpublished(&self) -> Diagnostics {
        let mut out = Diagnostics::new();
        let withheld = |v: &&Arc<Verdict>| v.state != EntryState::Published;
        out.extend(
            self.verdicts
                .iter()
                .filter(withheld)
                .map(|v| withheld_entry(v)),
        );
        out
    }
}

fn withheld_entry(verdict: &Verdict) -> Diagnostic {
    let (kind, id, state) = (verdict.kind.word(), &verdict.id, verdict.state.word());
    let waits: Vec<_> = verdict.waits_for.iter().map(|role| role.word()).collect();
    let finding = Diagnostic::new(
        rule::UNPUBLISHED,
        Span::file(verdict.file),
        format!("the {kind} `{id}` is not published: its state is `{state}`"),
    )
    .entry(id.shared());
    if waits.is_empty() {
        return finding;
    }
    finding.help(format!("It waits for its {}.", waits.join(" and its ")))
}

/// The gate's word on one submission: a [`Judgement`] is made of these alone, and only the gate makes
/// one.
#[derive(Debug, Clone)]
pub struct Ruling {
    verdict: Arc<Verdict>,
    findings: Diagnostics,
}

impl Ruling {
    /// Judges an entry. What is said of it depends on the policy, the dossier, and the statements
    /// beside its file (see [`statements_of`]).
    pub fn on(policy: &Policy<'_>, dossier: &Dossier<'_>) -> Self {
        let mut findings = Diagnostics::new();
        let verdict = verdict(policy, dossier, &mut findings);
        findings.for_each_mut(|finding| finding.entry = Some(dossier.entry.id.shared()));
        Self {
            verdict: Arc::new(verdict),
            findings,
        }
    }

    /// Refuses a file whose front matter cannot be read, which has been reported.
    pub fn on_unreadable(id: &Slug, kind: Kind, file: FileId) -> Self {
        Self {
            verdict: Arc::new(Verdict {
                id: id.clone(),
                kind,
                file,
                state: EntryState::Refused,
                waits_for: Vec::new(),
                digests: None,
                sign_off: None,
            }),
            findings: Diagnostics::new(),
        }
    }
}

impl Judgement {
    /// Takes the rulings on all submissions together, in their order.
    pub fn of(rulings: Vec<Ruling>) -> Self {
        let mut findings = Diagnostics::new();
        let mut verdicts = Vec::with_capacity(rulings.len());
        for ruling in rulings {
            verdicts.push(ruling.verdict);
            findings.append(ruling.findings);
        }
        let published = PublishedSet::of(&verdicts);
        Self {
            verdicts,
            findings,
            published,
            readable: OnceLock::new(),
        }
    }
}

/// The ids that more than one submission has. None of these is sound: what is published under an id
/// must be what was signed under it. The finding is the resolver's.
pub fn repeated<'a>(ids: impl Iterator<Item = &'a Slug>) -> BTreeSet<Slug> {
    let mut ids: Vec<_> = ids.collect();
    ids.sort();
    let pairs = ids.windows(2).filter(|pair| pair[0] == pair[1]);
    pairs.map(|pair| pair[0].clone()).collect()
}

/// Judges every entry.
pub fn judge(policy: &Policy<'_>, submissions: &[Submission<'_>]) -> Judgement {
    let repeated = repeated(submissions.iter().map(Submission::id));
    let rulings = submissions.iter().map(|submission| match submission {
        Submission::Unreadable { id, kind, file } => Ruling::on_unreadable(id, *kind, *file),
        Submission::Entry(dossier) => {
            let mut dossier = *dossier;
            if repeated.contains(&dossier.entry.id) {
                dossier.soundness = Soundness::Faulty;
            }
            Ruling::on(policy, &dossier)
        }
    });
    Judgement::of(rulings.collect())
}

fn verdict(policy: &Policy<'_>, dossier: &Dossier<'_>, out: &mut Diagnostics) -> Verdict {
    let entry = dossier.entry;
    let mut verdict = Verdict {
        id: entry.id.clone(),
        kind: entry.kind(),
        file: entry.file,
        state: EntryState::Held,
        waits_for: Vec::new(),
        digests: Some(dossier.digests),
        sign_off: None,
    };
    if entry.hold.is_some() {
        return verdict;
    }
    let unnamed = |role: &Role| {
        let name = entry.byline.name(*role);
        name.is_none_or(|name| is_placeholder(&name.value))
    };
    verdict.waits_for = [Role::Author, Role::Reviewer]
        .into_iter()
        .filter(unnamed)
        .collect();
    if !verdict.waits_for.is_empty() {
        verdict.state = EntryState::Draft;
        return verdict;
    }
    let mut needs = requirements::check(policy, dossier);
    let attested = attest::check(policy, dossier, &mut needs);
    let stale = |finding: &Diagnostic| finding.rule == rule::STALE_SIGNOFF;
    let refused = dossier.soundness == Soundness::Faulty
        || policy.people.is_faulty()
        || requirements::has_unreadable_date(entry)
        || !attested.lacking.is_empty()
        || needs.iter().any(|finding| !stale(finding));
    verdict.sign_off = sign_off(policy, entry);
    verdict.state = match (refused, needs.is_empty()) {
        (true, _) => EntryState::Refused,
        (false, false) => EntryState::Stale,
        (false, true) if verdict.sign_off.is_none() => EntryState::Refused,
        (false, true) => EntryState::Published,
    };
    if verdict.state != EntryState::Published {
        verdict.sign_off = None;
    }
    verdict.waits_for = attested.lacking;
    verdict.waits_for.extend(attested.stale);
    verdict.waits_for.sort_unstable();
    out.append(needs);
    verdict
}

fn sign_off(policy: &Policy<'_>, entry: &Entry) -> Option<SignOff> {
    let signatory = |role| {
        let name = entry.byline.name(role)?;
        signatory::identify(policy.people, &name.value).signatory()
    };
    Some(SignOff {
        author: signatory(Role::Author)?,
        reviewer: signatory(Role::Reviewer)?,
        assurance: policy.config.assurance,
    })
}
