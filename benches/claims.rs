//! How long the claims of a long entry take to check.
//!
//! `cargo bench --bench claims`. An entry of the size of a whole course's claims, 10,000, is to be
//! checked well under a second; one page has a few dozen.

use countersign::diagnostic::{Diagnostics, rule};
use countersign::evaluate::{self, Lookup, LookupError};
use countersign::model::byline::{Byline, DateField};
use countersign::model::claim::ShortText;
use countersign::model::document::Document;
use countersign::model::entry::{Detail, Entry, Lesson};
use countersign::model::number::Exact;
use countersign::model::signable::Signable;
use countersign::model::slug::Slug;
use countersign::model::tree::Node;
use countersign::parse::capture::{CaptureContext, Lookups, captures};
use countersign::parse::{inline, yaml};
use countersign::source::{Digest, Hasher, SourceFile, Sources, Span, Spanned};

const MEASURED: &str = "t4:
  device: Tesla T4
  driver: '595.84'
  toolkit: CUDA 12.6
  build: nvcc -O3
  captured: 2026-09-01
  constants: {bytes: 201326592}
  columns:
    label: {}
    loads_in_flight: {exact: true}
    ms: {unit: ms}
    gbps: {unit: GB/s, derived: bytes / ms / 1000000}
  rows:
    - [tlp1, 64, 0.785, 256.5]
    - [ilp4-b1, 64, 0.798, 252.2]
    - [tlp1-b1, 16, 1.139, 176.7]
";

/// One of each kind of formula that entries use.
const CLAIMS: [&str; 5] = [
    "[1.02](<= t4.ilp4-b1.ms / t4.tlp1.ms>)",
    "[0.69](<= t4.tlp1-b1.gbps / max(t4.*.gbps)>)",
    "[4](<= t4.tlp1.loads_in_flight / t4.tlp1-b1.loads_in_flight>)",
    "[201,326,592 bytes](<= t4.bytes>)",
    "[31%](<= (max(t4.*.gbps) - t4.tlp1-b1.gbps) / max(t4.*.gbps)>)",
];

struct NoSimulations;

impl Lookup for NoSimulations {
    fn model_result(&self, _: &str, _: &[(String, Exact)], _: &str) -> Result<Exact, LookupError> {
        Err(LookupError::Reported)
    }

    fn preset_total(&self, _: &str, _: &str, _: &str) -> Result<Exact, LookupError> {
        Err(LookupError::Reported)
    }

    fn preset_names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// An entry with this many claims in its body.
fn entry(claims: usize) -> Entry {
    let body: Vec<_> = CLAIMS.iter().cycle().take(claims).copied().collect();
    let body = format!("Body: {}", body.join(" "));
    let text = format!("{MEASURED}{body}");
    let mut sources = Sources::new();
    let file = sources.add(SourceFile::new(
        "content/lessons/x.md",
        text,
        Digest::of(b""),
    ));
    let mut out = Diagnostics::new();
    let place = yaml::Place {
        file,
        offset: 0,
        line: 1,
        rule: rule::BAD_FRONT_MATTER,
    };
    let node = yaml::parse(MEASURED, place, &mut out);
    let cx = CaptureContext {
        sources: &sources,
        entry: file,
        asked: &Lookups::default(),
    };
    let pairs = node.as_ref().and_then(Node::map).unwrap_or(&[]);
    let measured = captures(pairs, &cx, &mut out);
    let span = Span::new(file, MEASURED.len()..MEASURED.len() + body.len());
    let short: ShortText = inline::short_text(&Spanned::new(body.clone(), span), &body, &mut out);
    let start = Span::file(file);
    Entry {
        id: Slug::new("x").expect("an id"),
        file,
        title: Spanned::new("X".to_owned(), start),
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
        models: Vec::new(),
        matrices: Vec::new(),
        sources: Vec::new(),
        byline: Byline {
            span: start,
            written_by: None,
            reviewed_by: None,
            written_on: DateField::Absent,
            last_checked_on: DateField::Absent,
        },
        front: start,
        body: Document {
            claims: short.claims().cloned().collect(),
            ..Document::default()
        },
        signable: Signable {
            claims: Hasher::new(),
            freshness: Digest::of(b""),
        },
    }
}

#[divan::bench(args = [100, 10_000])]
fn check(bencher: divan::Bencher<'_, '_>, claims: usize) {
    let entry = entry(claims);
    let mut out = Diagnostics::new();
    let facts = evaluate::entry(&entry, &NoSimulations, &mut out);
    assert_eq!(facts.len(), claims, "every claim is evaluated");
    assert_eq!(out.iter().count(), 0, "every claim holds: {out:?}");
    bencher.bench_local(|| evaluate::entry(&entry, &NoSimulations, &mut Diagnostics::new()));
}

fn main() {
    divan::main();
}
