//! `glossary.json`: every term of the build as data, and captures as JSON.
//!
//! A site of ten thousand terms makes tens of megabytes of it, so it is never held as a tree: each
//! term becomes text by itself, many at once, and the texts are put together.

use super::replace::{Change, Replaced};
use super::{Listed, Shelf};
use crate::model::byline::DateField;
use crate::model::citation::Source;
use crate::model::claim::ShortText;
use crate::model::dataset::{Capture, Column, Exactness};
use crate::resolve::EntryIndex;
use crate::source::{Digest, Spanned};
use rayon::prelude::*;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::io::Read;

/// The JSON Schema of `glossary.json`, published beside it.
pub const GLOSSARY_SCHEMA: &str = include_str!("glossary.schema.json");

/// Terms that become text in one piece of work.
const TERMS_AT_ONCE: usize = 64;

/// Pieces that wait to be put together.
const PIECES_AT_ONCE: usize = 4;

/// Where the text of a term ends.
const TERM_END: &[u8] = b"\n    }";

#[derive(serde::Serialize)]
struct Glossary<'a> {
    #[serde(rename = "$schema")]
    schema: String,
    version: u32,
    title: &'a str,
    language: &'a str,
    base_url: &'a str,
    terms: [(); 0],
}

#[derive(serde::Serialize)]
struct Term<'a> {
    id: &'a str,
    name: &'a str,
    title: &'a str,
    aliases: Vec<&'a str>,
    short: String,
    url: String,
    related: Vec<&'a str>,
    owner: Option<&'a str>,
    measured: Measured<'a>,
    sources: Vec<Cited<'a>>,
    byline: Byline<'a>,
}

#[derive(serde::Serialize)]
struct Cited<'a> {
    id: &'a str,
    title: &'a str,
    sections: Vec<&'a str>,
    supports: Option<&'a str>,
    url: Option<&'a str>,
    checked: Option<String>,
}

#[derive(serde::Serialize)]
struct Byline<'a> {
    state: &'a str,
    written_by: Option<&'a str>,
    reviewed_by: Option<&'a str>,
    written_on: Option<String>,
    last_checked_on: Option<String>,
    assurance: Option<&'a str>,
    #[serde(serialize_with = "shown")]
    claims: Digest,
}

fn shown<S: Serializer>(digest: &Digest, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(digest)
}

/// The captures of a term by name.
struct Measured<'a>(&'a [Capture]);

impl Serialize for Measured<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for capture in self.0 {
            map.serialize_entry(capture.name.value.as_str(), &CaptureData::new(capture))?;
        }
        map.end()
    }
}

/// A capture as data. Every cell is text, with the digits it was written with.
#[derive(serde::Serialize)]
struct CaptureData<'a> {
    device: Option<&'a str>,
    compute_capability: Option<&'a str>,
    driver: Option<&'a str>,
    toolkit: Option<&'a str>,
    build: Option<&'a str>,
    captured: Option<String>,
    program: Option<&'a str>,
    program_sha256: Option<&'a str>,
    caption: Option<String>,
    note: Option<String>,
    constants: Constants<'a>,
    columns: Vec<ColumnData<'a>>,
    rows: Vec<Vec<&'a str>>,
}

struct Constants<'a>(&'a [(Spanned<String>, Spanned<String>)]);

impl Serialize for Constants<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pairs = self.0.iter();
        serializer.collect_map(pairs.map(|(name, value)| (name.as_str(), value.as_str())))
    }
}

#[derive(serde::Serialize)]
struct ColumnData<'a> {
    name: &'a str,
    title: Option<&'a str>,
    unit: Option<&'a str>,
    exact: bool,
    derived: Option<&'a str>,
}

/// Every term with its short answer, aliases, tables, sources and byline; in parts, which make the
/// file one after the other.
pub fn glossary<'s>(shelf: &'s Shelf<'_>) -> impl Iterator<Item = Vec<u8>> + 's {
    let config = &shelf.site.config;
    let head = pretty(&Glossary {
        schema: shelf.absolute("glossary.schema.json"),
        version: 1,
        title: &config.title,
        language: &config.language,
        base_url: &config.base_url,
        terms: [],
    });
    let terms: Vec<_> = shelf.terms().collect();
    // An empty list closes on the line on which it opens.
    let (open, close): (_, &[u8]) = match head.strip_suffix(b"]\n}") {
        Some(open) if !terms.is_empty() => (open.to_vec(), b"\n  ]\n}\n"),
        _ => (head, b"\n"),
    };
    let first = std::iter::once(open);
    first
        .chain(Waves {
            shelf,
            terms,
            at: 0,
        })
        .chain([close.to_vec()])
}

/// What takes the parts of a file.
pub(super) type TakeParts<'t> = &'t mut dyn FnMut(&mut dyn Iterator<Item = Vec<u8>>) -> Option<()>;

/// Lets `put` have the parts of a file of ours with the texts of some terms as they are now in the places of
/// those that it has. `None` if the file does not have one, or `put` gives that.
pub fn revise(
    shelf: &Shelf<'_>,
    terms: &[EntryIndex],
    file: &mut dyn Read,
    put: TakeParts<'_>,
) -> Option<()> {
    let change = |index: &EntryIndex| {
        let listed = shelf.get(*index)?;
        let id = serde_json::to_string(listed.entry.id.as_str()).ok()?;
        // The texts of terms are two levels deep, and no text in JSON runs over a line's end.
        Some(Change {
            begins: format!("\n    {{\n      \"id\": {id},\n").into_bytes(),
            now: piece(shelf, &[listed]),
        })
    };
    let changes = terms.iter().map(change).collect::<Option<_>>()?;
    let mut parts = Replaced::new(file, changes, TERM_END);
    put(&mut parts)?;
    parts.is_whole().then_some(())
}

/// The texts of all terms, some at a time.
struct Waves<'s, 'a> {
    shelf: &'s Shelf<'a>,
    terms: Vec<&'s Listed<'a>>,
    /// How many are done.
    at: usize,
}

impl Iterator for Waves<'_, '_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let rest = self.terms.get(self.at..).filter(|rest| !rest.is_empty())?;
        let wave = &rest[..rest.len().min(TERMS_AT_ONCE * PIECES_AT_ONCE)];
        let pieces = wave.par_chunks(TERMS_AT_ONCE);
        let pieces: Vec<Vec<u8>> = pieces.map(|terms| piece(self.shelf, terms)).collect();
        let mut text = Vec::with_capacity(pieces.iter().map(|piece| piece.len() + 1).sum());
        for (at, piece) in pieces.iter().enumerate() {
            if self.at + at > 0 {
                text.push(b',');
            }
            text.extend_from_slice(piece);
        }
        self.at += wave.len();
        Some(text)
    }
}

/// The text of a few terms, without a comma at either end.
fn piece(shelf: &Shelf<'_>, terms: &[&Listed<'_>]) -> Vec<u8> {
    let mut piece = Vec::new();
    let mut json = Vec::new();
    for listed in terms {
        if !piece.is_empty() {
            piece.push(b',');
        }
        piece.extend_from_slice(b"\n    ");
        json.clear();
        // Writing to a vector cannot fail, and JSON has a form for all of it.
        let _ = serde_json::to_writer_pretty(&mut json, &term(shelf, listed));
        indent(&json, &mut piece);
    }
    piece
}

/// Appends the JSON of a term as it stands two levels deep. No text in JSON runs over a line's end.
fn indent(json: &[u8], out: &mut Vec<u8>) {
    for line in json.split_inclusive(|byte| *byte == b'\n') {
        out.extend_from_slice(line);
        if line.ends_with(b"\n") {
            out.extend_from_slice(b"    ");
        }
    }
}

fn term<'a>(shelf: &'a Shelf<'_>, listed: &'a Listed<'_>) -> Term<'a> {
    let entry = listed.entry;
    let references = &shelf.site.references[listed.index];
    let shown = |index: &Option<usize>| Some(shelf.get((*index)?)?.entry.id.as_str());
    Term {
        id: entry.id.as_str(),
        name: entry.name(),
        title: &entry.title.value,
        aliases: entry.aliases().iter().map(Spanned::as_str).collect(),
        short: listed.short(),
        url: shelf.absolute(&entry.address()),
        related: references.related.iter().filter_map(shown).collect(),
        owner: shown(&references.owner),
        measured: Measured(&entry.measured),
        sources: entry.sources.iter().map(cited).collect(),
        byline: Byline {
            state: listed.state,
            written_by: listed.written_by.as_deref(),
            reviewed_by: listed.reviewed_by.as_deref(),
            written_on: listed.written_on(),
            last_checked_on: listed.last_checked_on(),
            assurance: listed.assurance,
            claims: listed.claims,
        },
    }
}

fn cited(source: &Source) -> Cited<'_> {
    Cited {
        id: source.id.as_str(),
        title: source.title.as_str(),
        sections: source.sections.iter().map(Spanned::as_str).collect(),
        supports: text(source.supports.as_ref()),
        url: text(source.url.as_ref()),
        checked: date(&source.checked),
    }
}

fn date(field: &DateField) -> Option<String> {
    field.date().map(|date| date.value.to_string())
}

fn text(text: Option<&Spanned<String>>) -> Option<&str> {
    text.map(Spanned::as_str)
}

impl<'a> CaptureData<'a> {
    fn new(capture: &'a Capture) -> Self {
        let provenance = &capture.provenance;
        let rows = capture.rows.iter();
        Self {
            device: text(provenance.device.as_ref()),
            compute_capability: text(provenance.compute_capability.as_ref()),
            driver: text(provenance.driver.as_ref()),
            toolkit: text(provenance.toolkit.as_ref()),
            build: text(provenance.build.as_ref()),
            captured: provenance.captured.as_ref().map(|d| d.value.to_string()),
            program: text(provenance.program.as_ref()),
            program_sha256: text(provenance.program_sha256.as_ref()),
            caption: capture.caption.as_ref().map(ShortText::plain),
            note: capture.note.as_ref().map(ShortText::plain),
            constants: Constants(&capture.constants),
            columns: capture.columns.iter().map(column).collect(),
            rows: rows
                .map(|row| row.cells.iter().map(Spanned::as_str).collect())
                .collect(),
        }
    }
}

fn column(column: &Column) -> ColumnData<'_> {
    ColumnData {
        name: column.name.as_str(),
        title: text(column.title.as_ref()),
        unit: text(column.unit.as_ref()),
        exact: column.exactness == Exactness::Exact,
        derived: text(column.derived.as_ref()),
    }
}

/// JSON with two spaces.
fn pretty<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec_pretty(value).unwrap_or_default()
}
