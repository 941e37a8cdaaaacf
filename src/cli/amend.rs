//! A build after a few entries were edited: their pages are made, and the rest of the release stays.
//!
//! Everything that could make this differ from a build of the whole site is a reason to leave it to
//! that one: an entry is withheld, files came or went, anything but the text of entries was
//! changed, something is or was found in what was edited, or other pages show it.

use super::Failure;
use super::again::Told;
use super::build::{DiskPictures, rasters};
use super::inputs::is_of_an_entry;
use crate::assemble::{Amended, Assembly, Before, Reader, Showing};
use crate::compile::{self, Compiled, Memory, Part, Quiet};
use crate::diagnostic::Diagnostics;
use crate::gate::PublishedSet;
use crate::load::{self, Changes, Glance, Known};
use crate::model::byline::Role;
use crate::model::statement;
use crate::output::{OutputPath, Tie};
use crate::render::Templates;
use crate::source::{Digest, FileId, Sources};
use crate::write::record::{self, Inputs, Last, Said};
use crate::write::{self, Report, Standing};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Most entries that are edited one by one. Beyond it a build of the whole costs little more.
const EDITED_MAX: usize = 16;

/// Most files of one entry that are edited: its own, two statements, and their signatures.
const FILES_MAX: usize = 5;

/// Where captures lie.
const CAPTURES: &str = "content/captures/";

/// What is known before any entry is read.
pub(super) struct Case<'a> {
    pub(super) told: Told<'a>,
    /// How the files differ from those of the last build.
    pub(super) changes: &'a Changes,
    /// What is known of them now.
    pub(super) known: &'a Known,
    pub(super) inputs: &'a Inputs,
    /// The digest of the manifest of the release that the changes are counted from.
    pub(super) manifest: Option<Digest>,
}

/// Puts edited entries into the release that stands there; says what the last build said, which a build
/// of the whole would say too. `None`, with nothing changed, if the whole site has to be built.
pub(super) fn run(case: &Case<'_>, glance: &mut Glance) -> Result<Option<(Said, Report)>, Failure> {
    let Some(plan) = case.plan(glance) else {
        return Ok(None);
    };
    let standing = write::standing(case.told.target).map_err(Failure::new)?;
    let Some(standing) = standing.filter(|at| *at.manifest() == plan.last.manifest) else {
        return Ok(None);
    };
    case.told.progress.lap("look at the release");
    let Some(amended) = case.amend(&plan, &standing) else {
        return Ok(None);
    };
    for path in &amended.gone {
        standing.remove(path);
    }
    let entries = amended.entries.into_iter();
    let entries = entries.map(|(id, digests)| (id, Some(digests))).collect();
    let report = standing.commit(&entries).map_err(Failure::new)?;
    case.told.progress.lap("render, audit and write");
    write::remember_ties(case.told.target, &report.manifest, &plan.ties);
    record::remember_sources(case.told.target, &report, &case.known.to_bytes());
    let last = Last {
        inputs: *case.inputs,
        manifest: report.manifest,
        files: report.written + report.kept,
        ..plan.last
    };
    let said = last.said.clone();
    record::remember(case.told.target, &report, last);
    Ok(Some((said, report)))
}

/// What there is to do.
struct Plan {
    last: Last,
    ties: Vec<Tie>,
    /// What the pages of the edited entries depend on, and all that belongs to no single entry.
    sources: Sources,
    edited: Vec<FileId>,
}

impl Case<'_> {
    fn plan(&self, glance: &mut Glance) -> Option<Plan> {
        let Changes {
            changed,
            came,
            gone,
        } = self.changes;
        let is_small = !changed.is_empty() && changed.len() <= EDITED_MAX * FILES_MAX;
        if self.told.args.json || !is_small || !came.is_empty() || !gone.is_empty() {
            return None;
        }
        let last = record::last(self.told.target)?;
        let is_alike = self.manifest == Some(last.manifest)
            && last.inputs.frame == self.inputs.frame
            && last.inputs.of_pages == self.inputs.of_pages;
        if !is_alike {
            return None;
        }
        let ties = write::ties(self.told.target, &last.manifest);
        let edited = edited(&ties, changed)?;
        let own = edited.iter().map(|tie| &tie.file);
        let was_found = |path: &Arc<str>| last.found_in.contains(&**path);
        if own.chain(changed).any(was_found) {
            return None;
        }
        let (sources, loaded) = read(&ties, &edited, glance)?;
        let edited = edited.iter().map(|tie| sources.find(&tie.file));
        let edited = edited.collect::<Option<_>>()?;
        // Files that were taken for what they were are read now: they must be that still.
        let is_still_known = glance.known(self.known).as_ref() == Some(self.known);
        (loaded.is_empty() && is_still_known).then_some(Plan {
            last,
            ties,
            sources,
            edited,
        })
    }

    /// Makes the files in which the edited entries show.
    fn amend(&self, plan: &Plan, standing: &Standing) -> Option<Amended> {
        let compiled = self.compile(plan)?;
        let mut findings = Diagnostics::new();
        let templates = Templates::new(&plan.sources, &mut findings)?;
        let showing = Showing::<PublishedSet>::new(&compiled, &plan.sources);
        let store = DiskPictures::of(self.told.target);
        let sources = &plan.sources;
        let rasters = rasters(self.told.args);
        let assembly = Assembly::new(&compiled, sources, &showing, &templates, &store, rasters);
        let assembly = assembly
            .observed_by(self.told.progress)
            .remembering(Some(self.inputs.of_pages));
        let read = |path: &str| standing.read(&OutputPath::new(path).ok()?);
        let through = |path: &str, reader: Reader<'_>| {
            standing.read_through(&OutputPath::new(path).ok()?, reader)
        };
        let before = Before {
            ties: &plan.ties,
            read: &read,
            through: &through,
            made: &|id| standing.files_of(id),
        };
        let amended = assembly.amend(&plan.edited, &before, standing)?;
        findings.is_empty().then_some(amended)
    }

    /// The edited entries, taken through every stage; `None` if anything is found in them.
    fn compile(&self, plan: &Plan) -> Option<Compiled> {
        let config_file = plan.sources.find(load::CONFIG_NAME)?;
        let quiet = Quiet::new(self.inputs.of_pages, record::quiet(self.told.target));
        let memory = Memory::none().knowing(Some(quiet));
        let part = Part::of(plan.edited.iter().copied());
        let whole = (&plan.sources, config_file);
        let observer = (&part, self.told.progress as &dyn compile::Observer);
        let compiled = compile::compile_part(
            whole,
            self.told.options,
            &memory,
            Diagnostics::new(),
            observer,
        );
        compiled.findings.is_empty().then_some(compiled)
    }
}

/// The entries whose own files or statements have changed; `None` if anything else has, or too much.
fn edited<'t>(ties: &'t [Tie], changed: &[Arc<str>]) -> Option<Vec<&'t Tie>> {
    let mut edited: Vec<&Tie> = Vec::new();
    for path in changed {
        let stem = stem_of(path)?;
        let of_stem = ties.iter().find(|tie| stem_of(&tie.file) == Some(stem));
        let tie = of_stem.filter(|tie| tie.file == *path || is_statement(path, &tie.file))?;
        if !edited.iter().any(|known| known.file == tie.file) {
            edited.push(tie);
        }
    }
    (edited.len() <= EDITED_MAX).then_some(edited)
}

/// Whether a file is what one of an entry's people signed, or the signature of that.
fn is_statement(path: &str, entry: &str) -> bool {
    let path = path.strip_suffix(".sig").unwrap_or(path);
    let roles = [Role::Author, Role::Reviewer];
    roles
        .iter()
        .any(|role| statement::path(entry, *role) == *path)
}

/// Reads the edited entries, those that their pages depend on, what lies beside any of these, and
/// all that belongs to no entry.
fn read(ties: &[Tie], edited: &[&Tie], glance: &mut Glance) -> Option<(Sources, Diagnostics)> {
    let mut stems = BTreeSet::new();
    for tie in edited {
        stems.insert(stem_of(&tie.file)?);
        for other in &tie.others {
            let other = ties.get(usize::try_from(*other).ok()?)?;
            stems.insert(stem_of(&other.file)?);
        }
    }
    // What lies in a folder of the other kind with the same id belongs to the entry too.
    let twins: Vec<_> = stems
        .iter()
        .filter_map(|stem| of_other_kind(stem))
        .collect();
    stems.extend(twins.iter().map(String::as_str));
    let is_wanted = |path: &str| {
        !is_of_an_entry(path) || stem_of(path).is_some_and(|stem| stems.contains(stem))
    };
    let (sources, loaded) = glance.some(is_wanted);
    // A capture is named in the text of the entry that shows it.
    let entries = || {
        sources
            .iter()
            .filter(|(_, file)| is_of_an_entry(&file.path))
    };
    let is_named = |path: &str| {
        let name = path.strip_prefix(CAPTURES);
        let name = name.and_then(|name| name.rsplit('/').next());
        name.is_some_and(|name| entries().any(|(_, file)| file.text.contains(name)))
    };
    if !glance.paths().any(is_named) {
        return Some((sources, loaded));
    }
    Some(glance.some(|path| is_wanted(path) || is_named(path)))
}

/// Where terms lie, and lessons.
const KINDS: [&str; 2] = ["content/terms/", "content/lessons/"];

fn of_other_kind(stem: &str) -> Option<String> {
    let [terms, lessons] = KINDS;
    let id_of_term = stem.strip_prefix(terms).map(|id| format!("{lessons}{id}"));
    id_of_term.or_else(|| Some(format!("{terms}{}", stem.strip_prefix(lessons)?)))
}

/// What the paths of an entry and of all that lies beside it begin with: its folder, its kind and its
/// id.
fn stem_of(path: &str) -> Option<&str> {
    let folder = KINDS.iter().find(|folder| path.starts_with(**folder))?;
    let name = path[folder.len()..].split(['/', '.']).next()?;
    Some(&path[..folder.len() + name.len()])
}
