//! One fault is one finding: what follows from it is not listed beside it.
#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

use countersign::compile::{Memory, Options, compile};
use countersign::gate::EntryState;
use countersign::load;
use countersign::model::date::Date;
use countersign::render::Templates;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const CONFIG: &str = "site.toml";
const TERM: &str = "content/terms/occupancy.md";
const OTHER: &str = "content/terms/latency.md";
const PRESET: &str = "content/presets/two-ways-to-64.toml";
const PEOPLE: &str = "content/people.yaml";
const CAPTURE: &str = "content/captures/c.json";

/// The small sound site of `tests/cases`, with changes.
struct Site(TempDir);

impl Site {
    fn new() -> Self {
        let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/_base/site");
        [CONFIG, TERM, OTHER, PRESET]
            .into_iter()
            .fold(Self(TempDir::new().unwrap()), |site, path| {
                site.write(path, fs::read(base.join(path)).unwrap())
            })
    }

    fn write(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.path().join(path)).unwrap()
    }

    /// Puts `new` in the place of the first `old`.
    fn edit(self, path: &str, old: &str, new: impl AsRef<[u8]>) -> Self {
        let text = self.read(path);
        let (before, after) = text.split_once(old).unwrap();
        let bytes = [before.as_bytes(), new.as_ref(), after.as_bytes()].concat();
        self.write(path, bytes)
    }

    /// Line and column after the first `text` of a file.
    fn end_of(&self, path: &str, text: &str) -> String {
        let whole = self.read(path);
        let before = &whole[..whole.find(text).unwrap() + text.len()];
        let line = before.rsplit('\n').next().unwrap();
        format!("{}:{}", before.matches('\n').count() + 1, line.len() + 1)
    }

    /// With a diagram and a capture file, so that a fault of either has an entry to spoil.
    fn furnished() -> Self {
        let capture = r#"{"device": "Tesla T4", "driver": "1", "toolkit": "12.6", "build": "nvcc", "captured": "2026-09-01", "columns": {"label": {}, "ms": {"unit": "ms"}}, "rows": [["one", 0.5]]}"#;
        Self::new().write(CAPTURE, capture).edit(
            OTHER,
            "related: [occupancy]\nmeasured:\n",
            "related: [occupancy]\n\
             diagrams:\n  two: {preset: two-ways-to-64, alt: Two ways to keep the loads of one multiprocessor in flight.}\n\
             measured:\n  c: {file: captures/c.json}\n",
        )
    }

    /// The findings, and how many entries are published.
    fn check(&self) -> (Vec<String>, usize) {
        check(self.0.path())
    }
}

fn check(root: &Path) -> (Vec<String>, usize) {
    let (sources, mut findings) = load::site(root).unwrap();
    Templates::new(&sources, &mut findings);
    let options = Options {
        today: Date::parse("2026-10-01").unwrap(),
        base_url: None,
        trusted: None,
    };
    let config = sources.find(CONFIG).unwrap();
    let compiled = compile(&sources, config, &options, &Memory::none(), findings);
    let shown = compiled.findings.iter().map(|finding| {
        let at = sources.position(finding.span).0;
        let path = &sources.file(finding.span.file).path;
        format!("{} {path}:{}:{}", finding.rule.name, at.line, at.column)
    });
    let published = compiled.judgement.count(EntryState::Published);
    (shown.collect(), published)
}

#[track_caller]
fn assert_one(site: &Site, finding: &str, published: usize) {
    let (found, is_published) = site.check();
    assert_eq!(found, [finding]);
    assert_eq!(is_published, published, "{finding}");
}

#[test]
fn the_site_is_sound() {
    assert_eq!(Site::new().check(), (Vec::new(), 2));
    assert_eq!(Site::furnished().check(), (Vec::new(), 2));
}

/// Every kind of file that is read, a text in it after which a fault is put, and how many
/// entries can still be published.
const TEXTS: &[(&str, &str, usize)] = &[
    (CONFIG, "title = \"Cases", 2),
    (CONFIG, "glossary.example/\"\n", 2),
    (TERM, "title: What", 1),
    (TERM, "ter", 1),
    (TERM, "Registers", 1),
    (PRESET, "Two ways", 1),
    (PRESET, "max_warps = 32\n", 1),
    (CAPTURE, "Tesla", 1),
    (CAPTURE, "0.5]]}", 1),
    (PEOPLE, "Ada", 0),
    (PEOPLE, "human}", 0),
    ("content/pages/about.md", "title: About", 2),
    ("content/pages/about.md", "Text", 2),
    ("content/index.md", "Home", 2),
    ("templates/term.html", "<p>", 2),
    ("templates/base.html", "<p>", 2),
];

fn with_all_texts() -> Site {
    Site::furnished()
        .write(
            PEOPLE,
            "ada: {name: Ada Lovelace}\ngrace: {name: Grace Hopper, kind: human}\n",
        )
        .write(
            "content/pages/about.md",
            "---\ntitle: About\nshort: Who we are.\n---\nText\n",
        )
        .write("content/index.md", "Home sweet home\n")
}

#[test]
fn bad_bytes_and_nuls_in_any_file_are_one_finding() {
    for (path, after, published) in TEXTS {
        for (rule, bytes) in [
            ("bad-encoding", &b"\xe9"[..]),
            ("bad-encoding", b"\xe9\xff\xc3("),
            ("control-character", b"\0"),
            ("control-character", b"\0\0\0"),
        ] {
            let site = match path.strip_prefix("templates/") {
                Some(_) => with_all_texts().write(path, "<p></p>\n"),
                None => with_all_texts(),
            };
            let place = site.end_of(path, after);
            let site = site.edit(path, after, [after.as_bytes(), bytes].concat());
            assert_one(&site, &format!("{rule} {path}:{place}"), *published);
        }
    }
}

#[test]
fn other_characters_that_nobody_sees_are_one_finding() {
    let texts = TEXTS
        .iter()
        .filter(|(path, ..)| !path.starts_with("templates/"));
    for (path, after, published) in texts {
        let site = with_all_texts();
        let place = site.end_of(path, after);
        let site = site.edit(path, after, format!("{after}\u{7}\u{7}"));
        assert_one(
            &site,
            &format!("control-character {path}:{place}"),
            *published,
        );
    }
}

#[test]
fn bad_bytes_in_statements_and_signatures_are_one_finding() {
    for (path, text) in [
        (
            "content/terms/occupancy.author.toml",
            &b"site = \"\xe9\"\n"[..],
        ),
        ("content/terms/occupancy.author.toml", b"\0\0\n"),
        ("content/terms/occupancy.reviewer.toml", b"\xff\xfes\0i\0"),
    ] {
        let rule = if text.starts_with(b"\0") {
            "control-character"
        } else {
            "bad-encoding"
        };
        let column = if text.starts_with(b"site") { 9 } else { 1 };
        let site = Site::new().write(path, text);
        assert_one(&site, &format!("{rule} {path}:1:{column}"), 1);
    }
}

#[test]
fn a_registry_that_cannot_be_read_says_nothing_of_bylines() {
    for (text, place) in [
        ("ada: {name: Ada Lovelace\n", "1:6"),
        (
            "ada: {name: Ada Lovelace}\nada: {name: Grace Hopper}\n",
            "2:1",
        ),
        ("- Ada Lovelace\n", "1:1"),
        (
            "ada: {name: Ada Lovelace}\ngrace: {nam: Grace Hopper}\n",
            "",
        ),
    ] {
        let site = Site::new().write(PEOPLE, text);
        let (found, published) = site.check();
        assert_eq!(published, 0, "{text}");
        assert!(
            found.iter().all(|finding| finding.contains(PEOPLE)),
            "{found:?}"
        );
        if !place.is_empty() {
            assert_eq!(found, [format!("bad-people {PEOPLE}:{place}")]);
        }
    }
}

#[test]
fn a_faulty_preset_is_a_fault_at_its_own_place() {
    for (old, new, finding) in [
        (
            "kind =",
            "kind",
            "unknown-preset content/presets/two-ways-to-64.toml:1:6",
        ),
        (
            "= 32\n[[",
            "= 0\n[[",
            "bad-model content/presets/two-ways-to-64.toml:6:13",
        ),
        (
            "= 32\n[[",
            "= 99\n[[",
            "too-large content/presets/two-ways-to-64.toml:6:13",
        ),
        (
            "resident_warps = 8",
            "resident_warps = 8.5",
            "bad-model content/presets/two-ways-to-64.toml:17:18",
        ),
        (
            "loads_in_flight = 64\n[[",
            "loads_in_flight = 65\n[[",
            "preset-mismatch content/presets/two-ways-to-64.toml:13:19",
        ),
    ] {
        assert_one(&Site::furnished().edit(PRESET, old, new), finding, 1);
    }
}

#[test]
fn a_faulty_table_is_one_finding() {
    let head = "  c:\n    device: T4\n    driver: \"1\"\n    toolkit: t\n    build: b\n    captured: 2026-09-01\n";
    let with =
        |rest: &str| Site::new().edit(OTHER, "measured:\n", format!("measured:\n{head}{rest}"));
    let none = with("    columns: {}\n    rows:\n      - [a, 1]\n      - [b, 2]\n");
    assert_one(&none, &format!("bad-table {OTHER}:7:3"), 1);
    let columns = "    columns:\n      label: {}\n      why: {}\n      ms: {unit: ms}\n";
    let rows = "    rows:\n      - [a, x, 1]\n      - [b, y, 2]\n";
    for plot in ["label", "why", "nobody"] {
        let site = with(&format!("    plot: {plot}\n{columns}{rows}"));
        assert_one(&site, &format!("bad-table {OTHER}:13:11"), 1);
    }
}

#[test]
fn a_faulty_matrix_is_one_finding() {
    let model = "models:\n  x:\n    kind: systolic-array\n    operands: {a: m, b: m}\n    alt: A product of two matrices, step by step.\n    caption: C.\n";
    let body = "---\n\n![](matrix:m)\n\n[1](<= m[0,0]>)\n\n[1](<= dot(m[0,*], m[*,0])>)\n";
    for (rows, finding) in [
        ("[[1, 2], [1]]", "bad-model content/lessons/l.md:5:23"),
        ("[]", "bad-model content/lessons/l.md:5:13"),
        ("5", "bad-model content/lessons/l.md:5:13"),
        ("[[[1]]]", "bad-model content/lessons/l.md:5:14"),
        (
            "[[1], [2]], repeat_columns: 4000",
            "too-large content/lessons/l.md:5:6",
        ),
    ] {
        let front = format!(
            "---\ntitle: L\nshort: One.\nmatrices:\n  m: {{rows: {rows}, caption: C.}}\n{model}"
        );
        let site = Site::new().write("content/lessons/l.md", front + body);
        assert_one(&site, finding, 2);
    }
}

#[test]
fn a_grid_of_millions_is_a_finding_for_each_of_its_lists() {
    let list: Vec<_> = (1..=2000).map(|number| number.to_string()).collect();
    let list = list.join(", ");
    let lesson = format!(
        "---\ntitle: L\nshort: One.\nmodels:\n  loom:\n    kind: warp-scheduler\n    warps: 4\n    steps: 4\n    residents: [{list}]\n    latency: [{list}]\n    alt: The loom of this lesson, step by step.\n    caption: C.\n---\n\n![](model:loom)\n"
    );
    let (found, _) = Site::new().write("content/lessons/l.md", lesson).check();
    assert_eq!(
        found,
        [
            "too-large content/lessons/l.md:9:16",
            "too-large content/lessons/l.md:10:14"
        ]
    );
}

#[test]
fn a_base_template_without_blocks_is_the_fault_of_that_file() {
    let site = Site::new().write("templates/base.html", "<p>Nothing of the page.</p>\n");
    assert_one(&site, "template-error templates/base.html:1:1", 2);
}

#[test]
fn a_file_with_a_fault_in_each_line_is_no_list_without_end() {
    let rows = "  - {id: a, id: a}\n".repeat(3_000);
    let site = Site::new().edit(TERM, "sources:\n", format!("sources:\n{rows}"));
    let (found, published) = site.check();
    assert_eq!(found.len(), countersign::check::LISTED_MAX);
    assert_eq!(published, 1);
}

#[test]
fn a_thousand_copies_are_not_a_million_pairs() {
    let copies = "  - {id: a, title: T, url: \"https://docs.example/a\", supports: all of it}\n"
        .repeat(3_000);
    let site = Site::new().edit(TERM, "sources:\n", format!("sources:\n{copies}"));
    let (found, _) = site.check();
    let duplicates = found
        .iter()
        .filter(|finding| finding.starts_with("duplicate-source"));
    assert_eq!(duplicates.count(), countersign::check::LISTED_MAX);
}
