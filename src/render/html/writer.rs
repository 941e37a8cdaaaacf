//! The state of one page while its HTML is made.

use super::citations::Citations;
use super::drawing::Drawing;
use super::numbers::Numbers;
use super::text::escape;
use crate::diagnostic::Diagnostics;
use crate::model::document::{Document, EmbedKind};
use crate::model::entry::Entry;
use crate::output::OutputPath;
use crate::render::build::Build;
use crate::render::context::Slot;
use crate::render::renderer::OutputFile;
use crate::resolve::{EntryIndex, References};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The page that is being made.
#[derive(Clone, Copy)]
pub(in crate::render) struct Here<'p> {
    /// Its address.
    pub(in crate::render) address: &'p str,
    /// What leads from it to the site's root.
    pub(in crate::render) root: &'p str,
    /// The entry, if it is one's page.
    pub(in crate::render) entry: Option<(EntryIndex, &'p Entry)>,
    /// Its text.
    pub(in crate::render) body: &'p Document,
    /// Where the links and images of its text lead.
    pub(in crate::render) references: &'p References,
}

/// Makes the HTML of one page.
pub(in crate::render) struct Writer<'p> {
    pub(super) build: &'p Build<'p>,
    pub(super) here: Here<'p>,
    pub(super) numbers: Numbers<'p>,
    pub(super) citations: Citations,
    /// Entries that the page links to.
    pub(super) linked: BTreeSet<EntryIndex>,
    /// What the body placed itself.
    placed: BTreeSet<(EmbedKind, String)>,
    /// How often a name stands in the page so far.
    places: BTreeMap<(Shape, String), usize>,
    pub(super) tables: usize,
    pub(super) figures: usize,
    pub(super) files: Vec<OutputFile>,
    /// The drawings that stand in the page.
    pub(super) drawings: Vec<Drawing>,
    pub(super) findings: Diagnostics,
}

/// What an id of a figure element begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    /// `table-`.
    Table,
    /// `figure-`.
    Figure,
}

/// What was made of one page.
pub(in crate::render) struct Made {
    /// HTML by slot; a slot with nothing is absent.
    pub(in crate::render) slots: BTreeMap<Slot, String>,
    /// Files beside the page.
    pub(in crate::render) files: Vec<OutputFile>,
    /// The drawings that stand in the page.
    pub(in crate::render) drawings: Vec<Drawing>,
    /// How often each source is cited.
    pub(in crate::render) citations: Citations,
    /// What went wrong.
    pub(in crate::render) findings: Diagnostics,
}

/// The text without white space at its ends, in its place.
fn trimmed(mut text: String) -> String {
    text.truncate(text.trim_end().len());
    text.drain(..text.len() - text.trim_start().len());
    text
}

impl<'p> Writer<'p> {
    pub(in crate::render) fn new(build: &'p Build<'p>, here: Here<'p>) -> Self {
        Self {
            build,
            here,
            numbers: Numbers::default(),
            citations: Citations::new(here.entry.map(|(_, entry)| entry), here.body),
            linked: BTreeSet::new(),
            placed: BTreeSet::new(),
            places: BTreeMap::new(),
            tables: 0,
            figures: 0,
            files: Vec::new(),
            drawings: Vec::new(),
            findings: Diagnostics::new(),
        }
    }

    /// Makes every slot but the JSON-LD.
    pub(in crate::render) fn make(mut self) -> Made {
        let mut slots = BTreeMap::new();
        let short = self.here.entry.and_then(|(_, entry)| entry.short.as_ref());
        for claim in short.iter().flat_map(|short| short.claims()) {
            self.number(claim);
        }
        let body = self.body();
        let measured = self.measured_left();
        let diagrams = self.figures_left();
        let numbers = self.numbers_list();
        let cards = self.cards();
        for (slot, html) in [
            (Slot::Body, body),
            (Slot::Measured, measured),
            (Slot::Diagrams, diagrams),
            (Slot::Numbers, numbers),
            (Slot::Cards, cards),
        ] {
            let html = trimmed(html);
            if !html.is_empty() {
                slots.insert(slot, html);
            }
        }
        Made {
            slots,
            files: self.files,
            drawings: self.drawings,
            citations: self.citations,
            findings: self.findings,
        }
    }

    /// The tables that the body did not place.
    fn measured_left(&mut self) -> String {
        let Some((_, entry)) = self.here.entry else {
            return String::new();
        };
        let mut html = String::new();
        for capture in &entry.measured {
            if !self.is_placed(EmbedKind::Measured, capture.name.value.as_str()) {
                html.push_str(&self.measured(capture, None));
            }
        }
        html
    }

    /// The models, diagrams and matrices that the body did not place.
    fn figures_left(&mut self) -> String {
        let Some((_, entry)) = self.here.entry else {
            return String::new();
        };
        let mut html = String::new();
        for (at, model) in entry.models.iter().enumerate() {
            if !self.is_placed(EmbedKind::Model, model.name.value.as_str()) {
                html.push_str(&self.model(at, None));
            }
        }
        for (at, diagram) in entry.diagrams.iter().enumerate() {
            if !self.is_placed(EmbedKind::Diagram, diagram.name.value.as_str()) {
                html.push_str(&self.diagram(at, None));
            }
        }
        for matrix in &entry.matrices {
            if !self.is_placed(EmbedKind::Matrix, matrix.name.value.as_str()) {
                html.push_str(&self.matrix(matrix, None));
            }
        }
        html
    }

    fn is_placed(&self, kind: EmbedKind, name: &str) -> bool {
        self.placed.contains(&(kind, name.to_owned()))
    }

    /// The name of a table or figure in ids: its own, and numbered apart where the body places it
    /// again or another figure has it.
    pub(super) fn place(&mut self, kind: EmbedKind, name: &str) -> String {
        self.placed.insert((kind, name.to_owned()));
        let what = match kind {
            EmbedKind::Measured => Shape::Table,
            _ => Shape::Figure,
        };
        let count = self.places.entry((what, name.to_owned())).or_insert(0);
        *count += 1;
        match *count {
            1 => name.to_owned(),
            again => format!("{name}-{again}"),
        }
    }

    /// The cards of the entries that the page links to.
    fn cards(&self) -> String {
        let mut html = String::new();
        for index in &self.linked {
            if let Some(link) = self.build.link(*index) {
                let id = &self.build.site.entry(*index).id;
                let (name, short) = (escape(&link.text), escape(&link.short));
                let _ = writeln!(
                    html,
                    "<div class=\"card\" id=\"card-{id}\"><p><b>{name}</b> {short}</p></div>"
                );
            }
        }
        html
    }

    /// Adds a file beside the page.
    pub(super) fn file(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        match OutputPath::new(path) {
            Ok(path) => self.files.push(OutputFile {
                path,
                bytes: bytes.into(),
            }),
            // Names are slugs, so only their length can be at fault.
            Err(fault) => {
                if let Some((_, entry)) = self.here.entry {
                    self.findings.push(crate::diagnostic::Diagnostic::new(
                        crate::diagnostic::rule::UNSAFE_PATH,
                        crate::source::Span::file(entry.file),
                        format!("`{path}` cannot be an address of the release: {fault}"),
                    ));
                }
            }
        }
    }
}
