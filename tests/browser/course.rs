//! The course of this repository: built into memory once, with its drafts, and served.

use crate::server::{Files, Server};
use countersign::assemble::{Assembly, NoPictures, Rasters, Showing};
use countersign::compile::{Compiled, Memory, Options, compile};
use countersign::diagnostic::Diagnostics;
use countersign::gate::PreviewSet;
use countersign::load;
use countersign::model::date::Date;
use countersign::output::{Output, Preview};
use countersign::render::Templates;
use countersign::sim::Runs;
use countersign::source::{Digest, SourceFile, Sources};
use std::path::Path;
use std::sync::OnceLock;

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

impl Course {
    fn build() -> Self {
        let (sources, loaded) = load::site(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        Self::of(&sources, loaded)
    }

    /// A small site.
    pub(crate) fn small(files: &[(&str, &str)]) -> Self {
        let mut sources = Sources::new();
        for (path, text) in files {
            sources.add(SourceFile::new(*path, *text, Digest::of(text)));
        }
        Self::of(&sources, Diagnostics::new())
    }

    fn of(sources: &Sources, loaded: Diagnostics) -> Self {
        let config = sources.find(load::CONFIG_NAME).unwrap();
        let options = Options {
            today: Date::parse("2026-12-01").unwrap(),
            base_url: None,
            trusted: None,
        };
        let compiled = compile(sources, config, &options, &Memory::none(), loaded);
        let templates = Templates::new(sources, &mut Diagnostics::new()).unwrap();
        let showing = Showing::<PreviewSet>::new(&compiled, sources);
        let pictures = NoPictures;
        let assembly = Assembly::new(
            &compiled,
            sources,
            &showing,
            &templates,
            &pictures,
            Rasters::None,
        );
        let output = Output::<Preview>::new();
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
