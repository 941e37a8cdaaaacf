//! A compilation that remembers gives what one that does not would give.
//!
//! A small site goes through a long sequence of edits on disk, as a writer's day does: texts, names,
//! links, captures, presets, people, settings, statements, templates, files that come, go and move.
//! After each edit the files that changed are read again and compiled with the memory of all edits
//! before; a fresh look at the same folder, with no memory, must find the same and make the same files.
#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

mod builds;
#[path = "../support/folders.rs"]
mod folders;
mod site;
#[path = "../support/warm.rs"]
mod warm;

use countersign::assemble::{Assembly, NoPictures, Rasters, Showing};
use countersign::compile::{Compiled, Memory, Options, Quiet, compile};
use countersign::diagnostic::{Diagnostics, human};
use countersign::gate::{EntrySet, PreviewSet, PublishedSet};
use countersign::load::{CONFIG_NAME, Loader};
use countersign::model::byline::Role;
use countersign::model::date::Date;
use countersign::model::statement::{NewStatement, path};
use countersign::output::{Output, Sink};
use countersign::render::Templates;
use countersign::source::{Digest, Sources};
use proptest::prelude::*;
use site::{Site, Step};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

fn options() -> Options {
    Options {
        today: Date::parse("2026-10-01").unwrap(),
        base_url: None,
        trusted: None,
    }
}

/// A compiled site with its files.
struct Made {
    sources: Sources,
    compiled: Compiled,
}

impl Made {
    fn of(sources: Sources, loaded: Diagnostics, memory: &Memory) -> Self {
        let config = sources.find(CONFIG_NAME).unwrap();
        let compiled = compile(&sources, config, &options(), memory, loaded);
        Self { sources, compiled }
    }

    fn fresh(root: &Path) -> Self {
        let (sources, loaded) = Loader::new(root).load().unwrap();
        Self::of(sources, loaded, &Memory::none())
    }

    /// Everything that anybody could see of it, under a name each.
    fn outcome(&self) -> BTreeMap<String, String> {
        let mut findings = self.compiled.findings.clone();
        let templates = Templates::new(&self.sources, &mut findings);
        let shown = human::render(&findings, &self.sources, human::Colour::Never);
        let mut all = BTreeMap::from([("findings".to_owned(), shown)]);
        for verdict in &self.compiled.judgement.verdicts {
            let of = format!("verdict on {} `{}`", verdict.kind.word(), verdict.id);
            let said = format!(
                "{:?} {:?} {:?} {:?}",
                verdict.state, verdict.waits_for, verdict.digests, verdict.sign_off
            );
            all.insert(of, said);
        }
        if let Some(templates) = templates {
            self.files::<PreviewSet>(&templates, "preview", &mut all);
            self.files::<PublishedSet>(&templates, "release", &mut all);
        }
        all
    }

    fn files<S: EntrySet>(
        &self,
        templates: &Templates,
        what: &str,
        all: &mut BTreeMap<String, String>,
    ) where
        Output<S::Output>: Sink<S::Output>,
    {
        let showing = Showing::<S>::new(&self.compiled, &self.sources);
        let (compiled, sources) = (&self.compiled, &self.sources);
        let pictures = &NoPictures;
        let assembly = Assembly::new(
            compiled,
            sources,
            &showing,
            templates,
            pictures,
            Rasters::None,
        );
        let output = Output::<S::Output>::new();
        let findings = assembly.all(&output).findings;
        let shown = human::render(&findings, sources, human::Colour::Never);
        all.insert(format!("findings of the {what}"), shown);
        for (path, bytes) in output.into_files() {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            all.insert(format!("{what}: {}", path.as_str()), text);
        }
    }
}

/// Writes what differs; gives the paths that changed.
fn write(root: &Path, before: &Files, after: &Files) -> BTreeSet<String> {
    let mut changed = BTreeSet::new();
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        fs::remove_file(root.join(path)).unwrap();
        changed.insert(path.clone());
    }
    for (path, text) in after {
        if before.get(path) != Some(text) {
            let full = root.join(path);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, text).unwrap();
            changed.insert(path.clone());
        }
    }
    changed
}

type Files = BTreeMap<String, Vec<u8>>;

/// Both statements on an entry as it is now.
fn sign(root: &Path, file: &str) -> Option<[(String, String); 2]> {
    let made = Made::fresh(root);
    let file = made.sources.find(file)?;
    let verdicts = made.compiled.judgement.verdicts.iter();
    let verdict = verdicts.into_iter().find(|verdict| verdict.file == file)?;
    let digests = verdict.digests?;
    let site = made.compiled.site.config.site_name();
    let people = [
        (Role::Author, "Ada Lovelace"),
        (Role::Reviewer, "Grace Hopper"),
    ];
    Some(people.map(|(role, person)| {
        let statement = NewStatement {
            site: &site,
            entry: verdict.id.as_str(),
            role,
            person,
            signed_on: Date::parse("2026-09-20").unwrap(),
            claims: digests.claims,
            freshness: digests.freshness,
            supersedes: None,
        };
        let path = path(&made.sources.file(file).path, role);
        (path, statement.text())
    }))
}

#[track_caller]
fn assert_same(remembering: &Made, fresh: &Made, steps: &[Step]) {
    let (one, other) = (remembering.outcome(), fresh.outcome());
    for name in one.keys().chain(other.keys()) {
        let (one, other) = (one.get(name), other.get(name));
        assert!(
            one == other,
            "after {steps:?}\n{name}\nremembering: {}\nfresh: {}",
            one.map_or("-", String::as_str),
            other.map_or("-", String::as_str)
        );
    }
}

/// Goes through a day of edits; gives every state of an entry and every rule that was met.
fn day(steps: &[Step]) -> BTreeSet<&'static str> {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    let mut site = Site::new();
    let mut files = site.files();
    write(root, &Files::new(), &files);
    let (mut reader, memory) = (Loader::new(root), Memory::keeping());
    let (sources, loaded) = reader.load().unwrap();
    let made = Made::of(sources, loaded, &memory);
    assert_same(&made, &Made::fresh(root), &[]);
    let mut met = BTreeSet::new();
    for (at, step) in steps.iter().enumerate() {
        if let Some(entry) = site.apply(*step)
            && let Some(statements) = sign(root, &entry)
        {
            site.statements.extend(statements);
        }
        let next = site.files();
        let changed = write(root, &files, &next);
        files = next;
        let (sources, loaded) = reader.reload(&changed).unwrap();
        let made = Made::of(sources, loaded, &memory);
        assert_same(&made, &Made::fresh(root), &steps[..=at]);
        let verdicts = made.compiled.judgement.verdicts.iter();
        met.extend(verdicts.map(|verdict| verdict.state.word()));
        met.extend(
            made.compiled
                .findings
                .iter()
                .map(|finding| finding.rule.name),
        );
    }
    met
}

/// What is known to hold is not evaluated, and comes out the same when it is looked at.
#[test]
fn nothing_is_evaluated_twice_by_two_runs() {
    let folder = TempDir::new().unwrap();
    let mut site = Site::new();
    // A number without a claim is found in the first entry.
    for step in [(0, 6), (0, 14), (1, 6), (1, 8)] {
        site.apply(Step::Entry(step.0, step.1));
    }
    write(folder.path(), &Files::new(), &site.files());
    let run = |known: Vec<u8>| {
        let quiet = Quiet::new(Digest::of("base"), known);
        let memory = Memory::none().knowing(Some(quiet));
        let (sources, loaded) = Loader::new(folder.path()).load().unwrap();
        let made = Made::of(sources, loaded, &memory);
        let is_evaluated = made
            .compiled
            .facts
            .iter()
            .map(|facts| LazyLock::get(facts).is_some());
        let evaluated = is_evaluated.filter(|is| *is).count();
        (made, evaluated, memory.news_of_quiet())
    };
    let (first, evaluated, news) = run(Vec::new());
    assert_eq!(evaluated, first.compiled.facts.len());
    let (second, evaluated, none) = run(news.unwrap());
    assert_eq!((evaluated, none), (1, None));
    let with_facts = first
        .compiled
        .facts
        .iter()
        .filter(|facts| !facts.is_empty());
    assert_eq!(with_facts.count(), 2);
    for (one, other) in first.compiled.facts.iter().zip(&second.compiled.facts) {
        assert_eq!(***one, ***other);
    }
}

/// Every kind of edit once, in an order in which they meet.
#[test]
fn every_edit_is_seen() {
    let met = day(&Step::each());
    for word in [
        "published",
        "draft",
        "refused",
        "stale",
        "held",
        "bad-front-matter",
        "bad-table",
        "broken-fragment",
        "broken-link",
        "claim-mismatch",
        "duplicate-name",
        "link-to-draft",
        "missing-statement",
        "orphan-term",
        "output-collision",
        "raw-html",
        "stale-signoff",
        "stale-source",
        "unknown-entry",
        "unknown-person",
        "unknown-preset",
    ] {
        assert!(met.contains(word), "{word} was not met: {met:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_day_of_edits_is_seen(steps in prop::collection::vec(site::step(), 12..16)) {
        day(&steps);
    }
}
