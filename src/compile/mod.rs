//! The spine: every stage once, in order.
//!
//! `build`, `check`, `preview`, `review` and the tests all call [`compile`]; none has a pipeline
//! of its own. It is a function of the files and the options: no disk, no clock, no environment.

mod lookup;
mod memory;

pub use memory::Memory;

use crate::check;
use crate::diagnostic::{Diagnostics, Severity};
use crate::evaluate::{self, Facts};
use crate::gate::{
    self, Digests, Dossier, EntryState, Judgement, Policy, Soundness, Submission, Verdict,
};
use crate::model::config::Config;
use crate::model::date::Date;
use crate::model::entry::Entry;
use crate::model::person::People;
use crate::output;
use crate::parse;
use crate::resolve::{self, EntryIndex, Site};
use crate::rules::CheckContext;
use crate::simulate::{self, Simulations};
use crate::source::{FileId, Sources};
use lookup::EntryLookup;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a run is told besides the files.
#[derive(Debug)]
pub struct Options {
    /// The day that findings are judged by.
    pub today: Date,
    /// The address to build for, in place of the configured one; checked and ending in `/`.
    pub base_url: Option<String>,
    /// The people and the policy of the base revision, in place of the site's own.
    pub trusted: Option<Trusted>,
}

/// What is trusted where a change is judged by its base revision; it takes the place of the
/// change's own people and configuration.
#[derive(Debug)]
pub struct Trusted {
    /// Who may sign: see [`gate::trust::people`].
    pub people: People,
    /// The stricter of the two configurations: see [`gate::trust::stricter`].
    pub config: Config,
}

/// A site after all stages that look at it as a whole.
#[derive(Debug)]
pub struct Compiled {
    /// The resolved site.
    pub site: Site,
    /// The runs of its models and diagrams.
    pub simulations: Simulations,
    /// The evaluated claims, beside the site's entries.
    pub facts: Vec<Arc<Facts>>,
    /// The gate's word: verdicts beside the site's entries, then those on unreadable ones.
    pub judgement: Judgement,
    /// Every finding, sorted, with the site's severities.
    pub findings: Diagnostics,
}

impl Compiled {
    /// The verdict on an entry of the site.
    pub fn verdict(&self, index: EntryIndex) -> &Verdict {
        &self.judgement.verdicts[index]
    }

    /// Whether an entry is published.
    pub fn is_published(&self, index: EntryIndex) -> bool {
        self.verdict(index).state == EntryState::Published
    }
}

/// Takes a site through every stage up to the gate.
pub fn compile(
    sources: &Sources,
    config_file: FileId,
    options: &Options,
    memory: &Memory,
    loaded: Diagnostics,
) -> Compiled {
    let mut out = loaded;
    let mut parsed = parse::site::read(sources, config_file, memory, &mut out);
    apply_options(&mut parsed, options);
    out.extend(output::check_out(&parsed.config));
    let site = resolve::resolve(parsed, sources, &mut out);
    let simulations = simulate::run(&site, &mut out);
    let facts = evaluate_all(&site, &simulations, &mut out);
    let context = CheckContext {
        site: &site,
        today: options.today,
    };
    check::entries(&context, &mut out);
    check::apply_severities(&site.config, &mut out);
    let mut judgement = judge(&site, sources, &simulations, options, &out);
    out.append(std::mem::take(&mut judgement.findings));
    let published = |index: EntryIndex| judgement.verdicts[index].state == EntryState::Published;
    let mut late = Diagnostics::new();
    check::published(&site, published, &mut late);
    check::apply_severities(&site.config, &mut late);
    out.append(late);
    check::sort(sources, &mut out);
    Compiled {
        site,
        simulations,
        facts,
        judgement,
        findings: out,
    }
}

fn apply_options(parsed: &mut parse::site::Parsed, options: &Options) {
    // What is trusted takes the place of the change's own from here on, in every stage.
    if let Some(trusted) = &options.trusted {
        parsed.config = trusted.config.clone();
        parsed.people = trusted.people.clone();
    }
    if let Some(base_url) = &options.base_url {
        parsed.config.base_url.clone_from(base_url);
    }
}

/// Evaluates the claims of every entry.
fn evaluate_all(site: &Site, simulations: &Simulations, out: &mut Diagnostics) -> Vec<Arc<Facts>> {
    let done: Vec<(Arc<Facts>, Diagnostics)> = site
        .entries
        .par_iter()
        .enumerate()
        .map(|(index, entry)| {
            let mut out = Diagnostics::new();
            let lookup = EntryLookup {
                entry,
                runs: &simulations.entries[index],
                presets: &simulations.presets,
            };
            let facts = evaluate::entry(entry, &lookup, &mut out);
            out.name_entry_from(0, &entry.id.shared());
            (Arc::new(facts), out)
        })
        .collect();
    let mut facts = Vec::with_capacity(done.len());
    for (fact, findings) in done {
        facts.push(fact);
        out.append(findings);
    }
    facts
}

/// Brings every entry before the gate. An entry is faulty if there is a finding at error level
/// about it, or in any file that it is made from.
fn judge(
    site: &Site,
    sources: &Sources,
    simulations: &Simulations,
    options: &Options,
    findings: &Diagnostics,
) -> Judgement {
    let errors = || findings.iter().filter(|d| d.severity == Severity::Error);
    let faulty: BTreeSet<&str> = errors().filter_map(|d| d.entry.as_deref()).collect();
    let of_no_entry = errors().filter(|d| d.entry.is_none());
    let faulty_files: BTreeSet<FileId> = of_no_entry.map(|d| d.span.file).collect();
    let is_faulty = |entry: &Entry| {
        let used = gate::files_of(entry, sources);
        faulty.contains(entry.id.as_str()) || !used.is_disjoint(&faulty_files)
    };
    let digests: Vec<Digests> = site
        .entries
        .par_iter()
        .enumerate()
        .map(|(index, entry)| {
            let traces = simulations.entries[index].trace_digests(entry);
            gate::digests(entry, sources, &traces)
        })
        .collect();
    let entries = site.entries.iter().zip(digests).map(|(entry, digests)| {
        Submission::Entry(Dossier {
            entry,
            digests,
            soundness: if is_faulty(entry) {
                Soundness::Faulty
            } else {
                Soundness::Sound
            },
        })
    });
    let unreadable = site.unreadable.iter().map(|entry| Submission::Unreadable {
        id: &entry.id,
        kind: entry.kind,
        file: entry.file,
    });
    let submissions: Vec<_> = entries.chain(unreadable).collect();
    let policy = Policy {
        sources,
        config: &site.config,
        people: &site.people,
        today: options.today,
    };
    gate::judge(&policy, &submissions)
}
