//! Whole entries in, facts and findings out.

use super::*;
use crate::model::byline::Byline;
use crate::model::document::{BareNumber, Document};
use crate::model::entry::{Detail, Lesson};
use crate::model::figure::{Matrix, Model};
use crate::model::number::Exact;
use crate::model::signable::Signable;
use crate::model::slug::Slug;
use crate::model::tree::{Kind, Node};
use crate::parse::capture::{CaptureContext, Lookups, captures};
use crate::parse::{inline, yaml};
use crate::source::{Digest, FileId, Hasher, SourceFile, Sources, Span, Spanned};

mod claims;
mod columns;
mod properties;

const T4: &str = r#"t4:
  device: Tesla T4
  compute_capability: "7.5"
  driver: "595.84"
  toolkit: CUDA 12.6 (V12.6.85)
  build: nvcc -std=c++17 -O3 -arch=sm_75
  captured: 2026-09-01
  constants: {max_warps: 32, bytes: 201326592}
  columns:
    label: {}
    occupancy: {unit: "%", exact: true}
    loads_per_thread: {title: loads per thread, exact: true}
    loads_in_flight: {title: loads in flight, exact: true, derived: occupancy / 100 * max_warps * loads_per_thread}
    ms: {unit: ms}
    gbps: {unit: GB/s, derived: bytes / ms / 1000000}
  rows:
    - [tlp1, 100, 2, 64, 0.785, 256.5]
    - [ilp4-b1, 25, 8, 64, 0.798, 252.2]
    - [tlp1-b1, 25, 2, 16, 1.139, 176.7]
    - [off, 50, 2, 32, null, null]
"#;

/// A model that takes `latency` 4 or 12, and a preset of two configurations.
struct Simulations;

impl Lookup for Simulations {
    fn model_result(
        &self,
        model: &str,
        settings: &[(String, Exact)],
        result: &str,
    ) -> Result<Exact, LookupError> {
        let wrong = |asked, message: &str, known: &[&str]| LookupError::Wrong {
            asked,
            message: message.to_owned(),
            known: known.iter().map(|&name| name.to_owned()).collect(),
        };
        let latency = settings.iter().position(|(name, _)| name == "latency");
        let Some(latency) = latency else {
            return Err(wrong(Asked::Setting(0), "no such setting", &["latency"]));
        };
        match (model, settings[latency].1.to_whole(), result) {
            ("broken", ..) => Err(LookupError::Reported),
            ("loom", Some(4), "cycles") => Ok(Exact::whole(48)),
            ("loom", Some(12), "cycles") => Ok(Exact::whole(80)),
            ("loom", Some(12), "used") => Ok(Exact::ratio(48, 80).unwrap()),
            ("loom", Some(4 | 12), _) => Err(wrong(Asked::Result, "no such result", &["cycles"])),
            _ => Err(wrong(Asked::Setting(latency), "not simulated", &[])),
        }
    }

    fn preset_total(
        &self,
        _preset: &str,
        configuration: &str,
        total: &str,
    ) -> Result<Exact, LookupError> {
        match (configuration, total) {
            ("many" | "few", "loads_in_flight") => Ok(Exact::whole(64)),
            _ => Err(LookupError::Wrong {
                asked: Asked::Configuration,
                message: "no such configuration".to_owned(),
                known: vec!["many".to_owned(), "few".to_owned()],
            }),
        }
    }

    fn preset_names(&self) -> Vec<String> {
        vec!["two-ways-to-64".to_owned()]
    }
}

/// What came out of an entry: facts, and findings as rule, underlined text, message and help.
struct Outcome {
    facts: Facts,
    found: Vec<(String, String, String, String)>,
}

impl Outcome {
    fn rules(&self) -> Vec<&str> {
        self.found
            .iter()
            .filter(|(rule, ..)| rule != "unclaimed-number")
            .map(|(rule, ..)| rule.as_str())
            .collect()
    }
}

fn name(text: &str, span: Span) -> Spanned<Slug> {
    Spanned::new(Slug::new(text).unwrap(), span)
}

fn matrix(text: &str, rows: &[&[&str]], repeat: usize, span: Span) -> Matrix {
    let cell = |text: &&str| Spanned::new((*text).to_owned(), span);
    Matrix {
        name: name(text, span),
        span,
        rows: rows
            .iter()
            .map(|row| row.iter().map(cell).collect())
            .collect(),
        repeat_columns: repeat,
        highlight: None,
        caption: None,
    }
}

/// Evaluates an entry with these captures and a body of this text, whose claims are read as in a
/// short text.
fn evaluate(measured: &str, body: &str) -> Outcome {
    let body = &format!("So {body}");
    let text = format!("{measured}---\n{body}");
    let offset = measured.len() + 4;
    let mut sources = Sources::new();
    let file = sources.add(SourceFile::new(
        "content/terms/x.md",
        text.as_str(),
        Digest::of(b""),
    ));
    let mut out = Diagnostics::new();
    let place = yaml::Place {
        file,
        offset: 0,
        line: 1,
        rule: rule::BAD_FRONT_MATTER,
    };
    let node = yaml::parse(measured, place, &mut out);
    let pairs = node.as_ref().and_then(Node::map).unwrap_or(&[]);
    let cx = CaptureContext {
        sources: &sources,
        entry: file,
        asked: &Lookups::default(),
    };
    let measured = captures(pairs, &cx, &mut out);
    let span = Span::new(file, offset..text.len());
    let body = inline::short_text(&Spanned::new(body.to_owned(), span), body, &mut out);
    let claims = body.claims().cloned().collect();
    let entry = entry_of(file, measured, claims, &text[offset..], offset);
    let facts = super::entry(&entry, &Simulations, &mut out);
    let found = out
        .iter()
        .map(|finding| {
            (
                finding.rule.name.to_owned(),
                sources.text(finding.span).to_owned(),
                finding.message.clone(),
                finding.help.clone().unwrap_or_default(),
            )
        })
        .collect();
    Outcome { facts, found }
}

fn entry_of(
    file: FileId,
    measured: Vec<crate::model::dataset::Capture>,
    claims: Vec<Claim>,
    body: &str,
    offset: usize,
) -> Entry {
    let span = Span::file(file);
    let model = |text| Model {
        name: name(text, span),
        span,
        kind: None,
        alt: None,
        caption: None,
        settings: Node {
            span,
            kind: Kind::Null,
        },
    };
    let mut document = Document {
        claims,
        ..Document::default()
    };
    if let Some(at) = body.find("bare 77") {
        document.numbers.push(BareNumber {
            span: Span::new(file, offset + at + 5..offset + at + 7),
            text: "77".to_owned(),
        });
    }
    Entry {
        id: Slug::new("x").unwrap(),
        file,
        title: Spanned::new("X".to_owned(), span),
        short: None,
        hold: None,
        detail: Detail::Lesson(Lesson {
            day: None,
            arc: None,
            prerequisites: Vec::new(),
            teaches: Vec::new(),
        }),
        measured,
        diagrams: Vec::new(),
        models: vec![model("loom"), model("broken")],
        matrices: vec![
            matrix(
                "a",
                &[&["1", "2", "3", "4"], &["2", "1", "0", "1"]],
                1,
                span,
            ),
            matrix(
                "b",
                &[&["3", "4"], &["0", "1"], &["1", "0"], &["1", "1"]],
                2,
                span,
            ),
        ],
        sources: Vec::new(),
        byline: unsigned(span),
        front: span,
        body: document,
        signable: Signable {
            claims: Hasher::new(),
            freshness: Digest::of(b""),
        },
    }
}

fn unsigned(span: Span) -> Byline {
    use crate::model::byline::DateField;
    Byline {
        span,
        written_by: None,
        reviewed_by: None,
        written_on: DateField::Absent,
        last_checked_on: DateField::Absent,
    }
}

fn decimal(number: i64, places: u32) -> String {
    let value = Exact::ratio(number, 10_i128.pow(places)).unwrap();
    value.decimal(i32::try_from(places).unwrap())
}
