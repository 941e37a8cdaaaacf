//! The spine: every stage once, in order.
//!
//! `build`, `check`, `preview`, `review` and the tests all call [`compile`]; none has a pipeline
//! of its own. It is a function of the files and the options: no disk, no clock, no environment.

mod evaluate;
mod gate;
mod lookup;
pub(crate) mod memo;
mod memory;
mod part;
mod quiet;
mod read;
mod resolve;
mod rules;
mod simulate;
mod stage;

pub use memory::Memory;
pub use part::Part;
pub use quiet::Quiet;
pub use stage::{Observer, Stage, Unobserved, observed};

use crate::check;
use crate::diagnostic::Diagnostics;
use crate::evaluate::LazyFacts;
use crate::gate::{EntryState, Judgement, Verdict};
use crate::model::config::Config;
use crate::model::date::Date;
use crate::model::person::People;
use crate::output;
use crate::parse::site::Parsed;
use crate::resolve::{EntryIndex, Site};
use crate::simulate::Simulations;
use crate::source::{FileId, Sources};
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
    /// Who may sign: see [`crate::gate::trust::people`].
    pub people: Arc<People>,
    /// The stricter of the two configurations: see [`crate::gate::trust::stricter`].
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
    pub facts: Vec<Arc<LazyFacts>>,
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
    let whole = (sources, config_file);
    compile_observed(whole, options, memory, loaded, &Unobserved)
}

/// The same, while somebody looks on.
pub fn compile_observed(
    whole: (&Sources, FileId),
    options: &Options,
    memory: &Memory,
    loaded: Diagnostics,
    observer: &dyn Observer,
) -> Compiled {
    compile_within(whole, options, memory, loaded, (None, observer))
}

/// Takes some entries through every stage, with as much of the site as they depend on: `sources` need
/// hold no more. Only what is found in these entries is told, and only that makes one faulty; of the
/// others nothing must have been found when the site was compiled as a whole.
pub fn compile_part(
    whole: (&Sources, FileId),
    options: &Options,
    memory: &Memory,
    loaded: Diagnostics,
    (part, observer): (&Part, &dyn Observer),
) -> Compiled {
    compile_within(whole, options, memory, loaded, (Some(part), observer))
}

fn compile_within(
    (sources, config_file): (&Sources, FileId),
    options: &Options,
    memory: &Memory,
    loaded: Diagnostics,
    (part, observer): (Option<&Part>, &dyn Observer),
) -> Compiled {
    let mut out = loaded;
    let out = &mut out;
    let mut read = observed(observer, Stage::Parse, || {
        read::read(&memory.read, sources, config_file, out)
    });
    apply_options(&mut read.parsed, options);
    out.extend(output::check_out(&read.parsed.config));
    let presets = Arc::clone(&read.presets);
    let (site, outline) = observed(observer, Stage::Resolve, || {
        resolve::resolve(&memory.resolve, read, sources, out)
    });
    let files = outline.files.as_slice();
    let simulations = observed(observer, Stage::Simulate, || {
        simulate::run(&memory.runs, (&site, files), &presets, out)
    });
    let resolved = (&site, &simulations, files);
    let facts = observed(observer, Stage::Evaluate, || {
        evaluate::evaluate(&memory.facts, resolved, &presets, sources, out)
    });
    let of_part = |out: &mut Diagnostics| {
        if let Some(part) = part {
            out.retain(|finding| part.concerns(finding, &outline));
        }
    };
    observed(observer, Stage::Check, || {
        rules::check(&memory.check, (&site, files), options.today, out);
        of_part(out);
        check::apply_severities(&site.config, out);
    });
    let case = gate::Case {
        site: &site,
        outline: &outline,
        sources,
        simulations: &simulations,
        options,
    };
    let judgement = observed(observer, Stage::Gate, || {
        let mut judgement = gate::judge(&memory.gate, case, out);
        of_part(&mut judgement.findings);
        out.append(std::mem::take(&mut judgement.findings));
        judgement
    });
    let published = |index: EntryIndex| judgement.verdicts[index].state == EntryState::Published;
    let mut late = Diagnostics::new();
    check::published((&site, sources), published, &mut late);
    of_part(&mut late);
    check::apply_severities(&site.config, &mut late);
    out.append(late);
    check::sort(sources, out);
    Compiled {
        site,
        simulations,
        facts,
        judgement,
        findings: std::mem::take(out),
    }
}

fn apply_options(parsed: &mut Parsed, options: &Options) {
    // What is trusted takes the place of the change's own from here on, in every stage.
    if let Some(trusted) = &options.trusted {
        parsed.config = trusted.config.clone();
        parsed.people = Arc::clone(&trusted.people);
    }
    if let Some(base_url) = &options.base_url {
        parsed.config.base_url.clone_from(base_url);
    }
}
