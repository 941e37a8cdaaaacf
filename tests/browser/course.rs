//! The course of this repository, built into memory and served: with its drafts, and as it would be
//! released if two people had signed it.

use crate::server::{Files, Server};
use countersign::assemble::{Assembly, NoPictures, Rasters, Showing};
use countersign::compile::{Compiled, Memory, Options, compile};
use countersign::diagnostic::Diagnostics;
use countersign::gate::{EntrySet, PreviewSet, PublishedSet};
use countersign::load;
use countersign::model::date::Date;
use countersign::output::Output;
use countersign::render::Templates;
use countersign::sim::Runs;
use countersign::source::{Digest, SourceFile, Sources};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use tempfile::TempDir;

/// The course, compiled and served.
pub(crate) struct Course {
    compiled: Compiled,
    /// Every file but pictures made of points.
    pub(crate) files: Files,
    pub(crate) server: Server,
}

/// A figure that can be stepped through.
pub(crate) struct Stepped<'a> {
    /// Path of its page.
    pub(crate) page: String,
    /// Its name in the page.
    pub(crate) name: String,
    /// What it shows.
    pub(crate) runs: &'a Runs,
}

/// The course; the first test that asks builds it.
pub(crate) fn course() -> &'static Course {
    static COURSE: OnceLock<Course> = OnceLock::new();
    COURSE.get_or_init(Course::build)
}

/// The course as a release; the first test that asks builds it.
pub(crate) fn release() -> &'static Course {
    static RELEASE: OnceLock<Course> = OnceLock::new();
    RELEASE.get_or_init(Course::released)
}

/// An entry's text with the names of two people and a check date for every source.
fn signed(text: &str) -> String {
    const BYLINE: [(&str, &str); 4] = [
        ("  written_by: ", "Ada Lovelace"),
        ("  reviewed_by: ", "Grace Hopper"),
        ("  written_on: ", "2026-11-20"),
        ("  last_checked_on: ", "2026-11-30"),
    ];
    let (mut lines, mut is_unchecked) = (Vec::new(), false);
    for line in text.lines() {
        let ends_source = line.starts_with("  - ") || !line.starts_with(' ');
        if is_unchecked && ends_source {
            lines.push("    checked: 2026-11-25".to_owned());
            is_unchecked = false;
        }
        is_unchecked |= line.starts_with("  - id: ");
        is_unchecked &= !line.starts_with("    checked: ");
        let known = BYLINE.iter().find(|(key, _)| line.starts_with(key));
        lines.push(known.map_or_else(|| line.to_owned(), |(key, value)| format!("{key}{value}")));
    }
    lines.join("\n") + "\n"
}

/// Copies a folder, its entries signed.
fn copy_signed(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (from, to) = {
            let name = entry.unwrap().file_name();
            (from.join(&name), to.join(&name))
        };
        if from.is_dir() {
            copy_signed(&from, &to);
        } else if from.extension().is_some_and(|ending| ending == "md") {
            fs::write(to, signed(&fs::read_to_string(from).unwrap())).unwrap();
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}

impl Course {
    fn released() -> Self {
        let (root, copy) = (
            Path::new(env!("CARGO_MANIFEST_DIR")),
            TempDir::new().unwrap(),
        );
        let config = fs::read_to_string(root.join("site.toml")).unwrap();
        // At the root, where the tests' server has it: `404.html` leads there.
        let config = config.replace("example/course/", "example/");
        fs::write(copy.path().join("site.toml"), config).unwrap();
        copy_signed(&root.join("content"), &copy.path().join("content"));
        let (sources, loaded) = load::site(copy.path()).unwrap();
        let course = Self::of::<PublishedSet>(&sources, loaded);
        let judged = course.compiled.site.entries.len();
        let published = course.compiled.judgement.published().shown().len();
        assert_eq!(published, judged, "{:#?}", course.compiled.findings);
        course
    }

    fn build() -> Self {
        let (sources, loaded) = load::site(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        Self::of::<PreviewSet>(&sources, loaded)
    }

    /// A small site.
    pub(crate) fn small(files: &[(&str, &str)]) -> Self {
        let mut sources = Sources::new();
        for (path, text) in files {
            sources.add(SourceFile::new(*path, *text, Digest::of(text)));
        }
        Self::of::<PreviewSet>(&sources, Diagnostics::new())
    }

    fn of<S: EntrySet>(sources: &Sources, loaded: Diagnostics) -> Self {
        let config = sources.find(load::CONFIG_NAME).unwrap();
        let options = Options {
            today: Date::parse("2026-12-01").unwrap(),
            base_url: None,
            trusted: None,
        };
        let compiled = compile(sources, config, &options, &Memory::none(), loaded);
        let templates = Templates::new(sources, &mut Diagnostics::new()).unwrap();
        let showing = Showing::<S>::new(&compiled, sources);
        let pictures = NoPictures;
        let assembly = Assembly::new(
            &compiled,
            sources,
            &showing,
            &templates,
            &pictures,
            Rasters::None,
        );
        let output = Output::<S::Output>::new();
        assembly.all(&output);
        let files: Files = output
            .into_files()
            .into_iter()
            .map(|(path, bytes)| (path.as_str().to_owned(), bytes))
            .collect();
        let server = Server::start(files.clone());
        Self {
            compiled,
            files,
            server,
        }
    }

    /// Every figure of the course that can be stepped through.
    pub(crate) fn stepped(&self) -> Vec<Stepped<'_>> {
        let mut all = Vec::new();
        for (entry, runs) in self
            .compiled
            .site
            .entries
            .iter()
            .zip(&self.compiled.simulations.entries)
        {
            let kind = entry.kind().folder();
            let page = format!("{kind}/{}/", entry.id);
            let diagrams = entry.diagrams.iter().map(|diagram| &diagram.name.value);
            let models = entry.models.iter().map(|model| &model.name.value);
            let named = diagrams.zip(&runs.diagrams).chain(models.zip(&runs.models));
            for (name, runs) in named {
                all.extend(runs.as_ref().map(|runs| Stepped {
                    page: page.clone(),
                    name: name.to_string(),
                    runs,
                }));
            }
        }
        all
    }

    /// The figure of this name.
    pub(crate) fn figure(&self, name: &str) -> Stepped<'_> {
        let mut all = self.stepped().into_iter();
        all.find(|stepped| stepped.name == name).unwrap()
    }
}
