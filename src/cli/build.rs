//! `countersign build`.

use super::again::{self, Told};
use super::args::{BuildArgs, PngArg};
use super::inputs::inputs;
use super::progress::Progress;
use super::report;
use super::session::{Session, find_root, options};
use super::terminal::Stream;
use super::{Failure, Outcome};
use crate::assemble::{self, Assembled, Assembly, PictureStore, Rasters, Showing};
use crate::check;
use crate::compile::{Compiled, Memory, Quiet};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, human, rule};
use crate::gate::{EntrySet, EntryState, PreviewSet, PublishedSet, Verdict};
use crate::load::{self, Glance, Known};
use crate::output::{Sink, Tie};
use crate::parse::config;
use crate::render::Templates;
use crate::source::{Digest, FileId};
use crate::write::record::{self, Inputs, Last, Said};
use crate::write::{self, Report, Staging, Target, cache::Cache};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

/// Checks, renders, audits, and swaps the release in.
pub(super) fn run(directory: Option<&Path>, args: &BuildArgs) -> Result<Outcome, Failure> {
    let progress = Progress::start();
    let root = find_root(directory)?;
    let mut glance = load::glance(&root).map_err(Failure::new)?;
    let mut options = options(&args.today, args.base_url.as_deref(), None)?;
    let target = target(&root, &mut glance, args)?;
    let told = Told {
        options: &options,
        args,
        target: &target,
        progress: &progress,
    };
    if let Some((said, report)) = again::run(told, &mut glance)? {
        progress.clear();
        say(&said, &outcome(Some(&report), args));
        if args.timings {
            Stream::Error.write(&progress.text());
        }
        return Ok(Outcome::Clean);
    }
    let mut session = Session::of(root, &mut glance)?;
    options.trusted = session.trust(args.trust_from.as_deref())?;
    progress.lap("load");
    // A build with files that could not be taken is not to be remembered.
    let known = session.loaded.is_empty();
    let known = known.then(|| glance.known(&Known::default())).flatten();
    drop(glance);
    let told = Told {
        options: &options,
        args,
        target: &target,
        progress: &progress,
    };
    let inputs = known.as_ref().and_then(|known| inputs(known, told));
    // The process ends soon after, which frees a whole site sooner than value by value.
    whole(&ManuallyDrop::new(session), told, inputs.zip(known))
}

/// Builds the whole site. `inputs` are what it is made from, if it is to be remembered.
fn whole(
    session: &Session,
    told: Told<'_>,
    inputs: Option<(Inputs, Known)>,
) -> Result<Outcome, Failure> {
    let Told {
        options,
        args,
        target,
        progress,
    } = told;
    let quiet = inputs.as_ref();
    let quiet = quiet.map(|(inputs, _)| Quiet::new(inputs.of_pages, record::quiet(target)));
    let memory = ManuallyDrop::new(Memory::none().knowing(quiet));
    let mut compiled = ManuallyDrop::new(session.compile_observed(options, &memory, progress));
    progress.skip();
    let mut findings = compiled.findings.clone();
    let templates = Templates::new(&session.sources, &mut findings);
    if let (Some(templates), false) = (&templates, args.drafts) {
        // A draft's own faults stop a release as they fail a check.
        findings.append(assemble::withheld(
            &compiled,
            &session.sources,
            templates,
            progress,
        ));
    }
    check::apply_severities(&compiled.site.config, &mut findings);
    let mut build = Build {
        session,
        compiled: &mut compiled,
        memory: &memory,
        told,
        inputs,
    };
    // A build with drafts is for looking at work in progress: only faults that leave nothing to
    // look at stop it.
    let stopped = match (&templates, args.drafts) {
        (None, _) => true,
        (Some(_), false) => findings.has_errors(),
        (Some(_), true) => has_site_errors(&findings),
    };
    let report = match templates.filter(|_| !stopped) {
        None => None,
        Some(templates) if args.drafts => {
            let staging = write::drafts(target).map_err(Failure::new)?;
            build.assemble::<PreviewSet>(&templates, staging, &mut findings)?
        }
        Some(templates) => {
            let staging = write::release(target).map_err(Failure::new)?;
            build.assemble::<PublishedSet>(&templates, staging, &mut findings)?
        }
    };
    progress.lap("render, audit and write");
    progress.clear();
    let said = build.tell(report.as_ref().map(|(report, _)| report), &mut findings);
    if let Some(built) = &report {
        build.remember(built, &findings, said);
    }
    if args.timings {
        Stream::Error.write(&progress.text());
    }
    Ok(if report.is_some() {
        Outcome::Clean
    } else {
        Outcome::Findings
    })
}

/// Whether a finding at error level is about the site as a whole and not about an entry. What a release
/// would lack for want of a draft is there with drafts.
fn has_site_errors(findings: &Diagnostics) -> bool {
    findings.iter().any(|f| {
        f.severity == Severity::Error && f.entry.is_none() && f.rule != rule::LINK_TO_DRAFT
    })
}

struct Build<'a> {
    session: &'a Session,
    compiled: &'a mut Compiled,
    memory: &'a Memory,
    told: Told<'a>,
    /// What the release is made from and what is known of these files, if it is to be remembered.
    inputs: Option<(Inputs, Known)>,
}

impl Build<'_> {
    /// Makes every file and swaps the result in; gives how the entries hang together. `None` if something
    /// was found on the way.
    fn assemble<S: EntrySet>(
        &self,
        templates: &Templates,
        staging: Staging<S::Output>,
        findings: &mut Diagnostics,
    ) -> Result<Option<(Report, Vec<Tie>)>, Failure>
    where
        Staging<S::Output>: Sink<S::Output>,
    {
        let showing = Showing::<S>::new(self.compiled, &self.session.sources);
        let store = DiskPictures::of(self.told.target);
        let assembly = Assembly::new(
            self.compiled,
            &self.session.sources,
            &showing,
            templates,
            &store,
            rasters(self.told.args),
        )
        .observed_by(self.told.progress)
        .remembering(self.inputs.as_ref().map(|(inputs, _)| inputs.of_pages));
        let Assembled {
            entries,
            findings: found,
            ties,
        } = assembly.all(&staging);
        let failed = found.has_errors();
        findings.append(found);
        if failed {
            return Ok(None);
        }
        let report = staging.commit(entries).map_err(Failure::new)?;
        Ok(Some((report, ties)))
    }

    /// Says what was found and what was built.
    fn tell(&mut self, report: Option<&Report>, findings: &mut Diagnostics) -> Said {
        check::apply_severities(&self.compiled.site.config, findings);
        if findings.has_errors() {
            self.compiled.judgement.refuse_faulty(findings);
        }
        check::sort(&self.session.sources, findings);
        let sources = &self.session.sources;
        let mut text = human::render(findings, sources, Stream::Error.colour());
        text.push_str(&report::closing_line(report::summary(
            self.compiled,
            findings,
        )));
        for verdict in &self.compiled.judgement.verdicts {
            if verdict.state != EntryState::Published {
                text.push_str(&withheld(verdict));
            }
        }
        let json = if self.told.args.json {
            report::to_json(self.compiled, sources, findings)
        } else {
            String::new()
        };
        let said = Said { text, json };
        say(&said, &outcome(report, self.told.args));
        said
    }

    /// Leaves to the next build what it need not find out again.
    fn remember(&self, (report, ties): &(Report, Vec<Tie>), findings: &Diagnostics, said: Said) {
        let (Some((inputs, known)), target) = (&self.inputs, self.told.target) else {
            return;
        };
        let last = Last {
            inputs: *inputs,
            manifest: report.manifest,
            files: report.written + report.kept,
            found_in: self.concerned(findings),
            said,
        };
        record::remember(target, report, last);
        record::remember_sources(target, report, &known.to_bytes());
        if let Some(known) = self.memory.news_of_quiet() {
            record::remember_quiet(target, report, &known);
        }
        // Of findings that are not listed it is not known at which files they point besides their own.
        let are_all_listed = findings.iter().all(|finding| finding.unlisted.count == 0);
        if are_all_listed {
            write::remember_ties(target, &report.manifest, ties);
        }
    }

    /// The files that findings point at, and those of the entries that they concern.
    fn concerned(&self, findings: &Diagnostics) -> BTreeSet<String> {
        let sources = &self.session.sources;
        let path = |file: FileId| sources.file(file).path.to_string();
        let spans = findings.iter().flat_map(|finding| {
            let related = finding.related.iter().map(|related| related.span);
            [finding.span].into_iter().chain(related)
        });
        let mut files: BTreeSet<_> = spans.map(|span| path(span.file)).collect();
        let ids: BTreeSet<&str> = findings
            .iter()
            .flat_map(Diagnostic::all_entries)
            .map(|id| &**id)
            .collect();
        let entries = self.compiled.site.entries.iter();
        let entries = entries.filter(|entry| ids.contains(entry.id.as_str()));
        files.extend(entries.map(|entry| path(entry.file)));
        files
    }
}

fn say(said: &Said, outcome: &str) {
    Stream::Error.write(&format!("{}{outcome}", said.text));
    if !said.json.is_empty() {
        Stream::Output.write(&said.json);
    }
}

/// The last line: what was built, if anything was.
fn outcome(report: Option<&Report>, args: &BuildArgs) -> String {
    let Some(report) = report else {
        return "nothing was built: the release stays as it was\n".to_owned();
    };
    let what = if args.drafts { "drafts" } else { "release" };
    let mut text = format!(
        "{what} in {}: {} files written, {} kept, {} removed\n",
        report.out.display(),
        report.written,
        report.kept,
        report.removed,
    );
    for path in &report.left {
        let path = path.display();
        let _ = writeln!(
            text,
            "left: {path} was not written by a build and could not be put into the release; move it away, or the next build stops at it"
        );
    }
    text
}

/// One line about an entry that is not in the release.
fn withheld(verdict: &Verdict) -> String {
    let waits: Vec<_> = verdict.waits_for.iter().map(|role| role.word()).collect();
    let waits = if waits.is_empty() {
        String::new()
    } else {
        format!(", waits for its {}", waits.join(" and its "))
    };
    format!(
        "withheld: {} `{}` is {}{waits}\n",
        verdict.kind.word(),
        verdict.id,
        verdict.state.word()
    )
}

/// Where the build goes. Of the site only the settings are read.
fn target(root: &Path, glance: &mut Glance, args: &BuildArgs) -> Result<Target, Failure> {
    let (sources, _) = glance.some(|path| path == load::CONFIG_NAME);
    let file = sources.find(load::CONFIG_NAME);
    let file = file.ok_or_else(|| Failure::new("site.toml cannot be read"))?;
    let settings = config::read(&sources, file, &mut Diagnostics::new());
    let release = root.join(&settings.out);
    let out = match &args.out {
        Some(out) => std::path::absolute(out).map_err(Failure::new)?,
        None => release.clone(),
    };
    Ok(Target {
        site: root.to_owned(),
        out,
        release,
        cache: Some(cache_folder(root)),
    })
}

fn cache_folder(root: &Path) -> PathBuf {
    root.join(write::cache::CACHE_NAME)
}

/// Whether drawings and cards are made as PNG.
pub(super) fn rasters(args: &BuildArgs) -> Rasters {
    match args.png {
        PngArg::All => Rasters::All,
        PngArg::None => Rasters::None,
    }
}

/// Pictures kept on disk.
pub(super) struct DiskPictures(Option<Cache>);

impl DiskPictures {
    /// Those in the cache of a target.
    pub(super) fn of(target: &Target) -> Self {
        Self(target.cache.as_ref().map(Cache::new))
    }
}

impl PictureStore for DiskPictures {
    fn get(&self, key: &Digest) -> Option<Vec<u8>> {
        self.0.as_ref()?.get(key)
    }
    fn put(&self, key: &Digest, png: &[u8]) {
        if let Some(cache) = &self.0 {
            cache.put(key, png);
        }
    }
}
