//! Each limit is a finding with its place, and the rest of the site is still checked.
//!
//! The limits of reading a disk (sizes, files, folders) are tested in `load.rs`.
#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

use countersign::compile::{Compiled, Memory, Options, compile};
use countersign::diagnostic::{Diagnostics, Severity};
use countersign::model::date::Date;
use countersign::model::number::{BITS_MAX, DIGITS_MAX, EXPONENT_MAX};
use countersign::model::tree;
use countersign::output::{OutputPath, PATH_MAX_BYTES, SEGMENT_MAX_BYTES};
use countersign::parse::capture::CELLS_MAX;
use countersign::parse::figures::MATRIX_CELLS_MAX;
use countersign::sim::{
    ARRAY_EDGE_MAX, COMBINATIONS_MAX, CONFIGURATIONS_MAX, FRAMES_MAX, FRAMES_TOTAL_MAX,
    LATENCY_CYCLES_MAX, MATRIX_EDGE_MAX, STEPS_MAX, TILE_SIDE_MAX, WARP_SLOTS_MAX, WARPS_MAX,
};
use countersign::source::{Digest, SourceFile, Sources};
use std::time::{Duration, Instant};

/// Longer than any of these sites takes, even in a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

// Limits that only their own module knows.
const BODY_DEPTH_MAX: usize = 64;
const MATH_DEPTH_MAX: usize = 30;
const BODY_PARTS_MAX: usize = 400_000;
const BODY_FINDINGS_MAX: usize = 500;
const TABLE_EVENTS_MAX: usize = 200_000;
const FORMULA_MAX_BYTES: usize = 1_000;
const FORMULA_DEPTH_MAX: usize = 32;

/// What is found in a site of these files beside a sound entry.
fn found(files: &[(&str, String)]) -> Vec<String> {
    let (sources, compiled) = site("", files);
    let shown = compiled.findings.iter().map(|finding| {
        let at = sources.position(finding.span).0;
        let path = &sources.file(finding.span.file).path;
        format!("{} {path}:{}:{}", finding.rule.name, at.line, at.column)
    });
    shown.collect()
}

fn compiled(settings: &str, files: &[(&str, String)]) -> Compiled {
    site(settings, files).1
}

/// A site of these files beside a sound entry.
fn site(settings: &str, files: &[(&str, String)]) -> (Sources, Compiled) {
    let mut sources = Sources::new();
    let settings = format!("title = \"T\"\nbase_url = \"https://example.org/\"\n{settings}");
    let config = add(&mut sources, "site.toml", &settings);
    add(
        &mut sources,
        "content/terms/sound.md",
        "---\ntitle: Sound\nshort: It is.\n---\n\nText.\n",
    );
    for (path, text) in files {
        add(&mut sources, path, text);
    }
    let options = Options {
        today: Date::parse("2026-10-01").unwrap(),
        base_url: None,
        trusted: None,
    };
    let start = Instant::now();
    let compiled = compile(
        &sources,
        config,
        &options,
        &Memory::none(),
        Diagnostics::new(),
    );
    assert!(start.elapsed() < PATIENCE);
    assert!(
        compiled
            .site
            .entries
            .iter()
            .any(|entry| entry.id.to_string() == "sound")
    );
    (sources, compiled)
}

fn add(sources: &mut Sources, path: &str, text: &str) -> countersign::source::FileId {
    sources.add(SourceFile::new(
        path,
        text.to_owned(),
        Digest::of(text.as_bytes()),
    ))
}

/// Whether a lesson with these lines of front matter and this body has the one finding.
#[track_caller]
fn assert_found(front: &str, text: &str, wanted: &str) {
    assert_all_found(front, text, &[wanted]);
}

#[track_caller]
fn assert_all_found(front: &str, text: &str, wanted: &[&str]) {
    let path = "content/lessons/a.md";
    let entry = format!("---\ntitle: A\nshort: One.\n{front}---\n{text}\n");
    let wanted: Vec<_> = wanted
        .iter()
        .map(|wanted| wanted.replace(' ', &format!(" {path}:")))
        .collect();
    assert_eq!(found(&[(path, entry)]), wanted);
}

fn numbers(count: usize) -> String {
    let all: Vec<_> = (1..=count).map(|number| number.to_string()).collect();
    all.join(", ")
}

/// An entry with a capture in a file of its own.
const CAPTURED: &str = "---\ntitle: A\nshort: One.\nmeasured:\n  c: {file: captures/c.json}\n---\n";

#[test]
fn nesting_of_data() {
    let open = "[".repeat(tree::MAX_DEPTH + 1);
    let close = "]".repeat(tree::MAX_DEPTH + 1);
    assert_found(
        &format!("related: {open}{close}\n"),
        "",
        &format!("too-deep 4:{}", "related: ".len() + tree::MAX_DEPTH + 1),
    );
    let preset = found(&[("content/presets/p.toml", format!("a = {open}{close}\n"))]);
    assert_eq!(preset, ["too-deep content/presets/p.toml:1:69"]);
    let capture = found(&[
        ("content/captures/c.json", format!("{open}{close}")),
        ("content/terms/a.md", CAPTURED.to_owned()),
    ]);
    assert_eq!(capture, ["too-deep content/captures/c.json:1:65"]);
}

#[test]
fn nesting_of_a_body() {
    let quotes = "> ".repeat(BODY_DEPTH_MAX + 1);
    assert_found("", &format!("{quotes}deep"), "too-deep 5:129");
    let math = "{".repeat(MATH_DEPTH_MAX + 1) + &"}".repeat(MATH_DEPTH_MAX + 1);
    assert_found("", &format!("$`{math}`$"), "bad-math 5:33");
}

#[test]
fn parts_of_a_body() {
    let links = "[a](#byline) ".repeat(BODY_PARTS_MAX / 2);
    assert_found("", &links, "too-large 5:1300001");
}

#[test]
fn findings_of_a_body() {
    let links = "[a](javascript:x)\n".repeat(BODY_FINDINGS_MAX + 7);
    // What the site does not want to see takes no place, and refuses nothing by its number.
    let tags = "<b onclick=\"a\">x</b>\n".repeat(BODY_FINDINGS_MAX + 3);
    let front = "---\ntitle: A\nshort: One.\n---\n";
    let files = [("content/terms/a.md", format!("{front}{tags}\n{links}"))];
    let told = |settings: &str| {
        let compiled = compiled(settings, &files);
        let found = &compiled.findings;
        let errors = found.count(Severity::Error);
        let last = found
            .iter()
            .last()
            .map(|last| (last.rule.name, last.unlisted.count));
        (errors, found.len() - errors, last)
    };
    let last = Some(("bad-scheme", 7));
    assert_eq!(told(""), (BODY_FINDINGS_MAX, BODY_FINDINGS_MAX, last));
    let off = "[rules]\nraw-html = \"off\"\n";
    assert_eq!(told(off), (BODY_FINDINGS_MAX, 0, last));
    let files = [("content/terms/a.md", format!("{front}{tags}"))];
    assert!(compiled(off, &files).findings.is_empty());
}

#[test]
fn cells_of_a_table() {
    let row = "|a|b|c|d|e|f|g|h|i|j|\n";
    let table = format!(
        "{row}{}{}",
        "|-".repeat(10) + "|\n",
        row.repeat(TABLE_EVENTS_MAX / 20)
    );
    assert_found("", &table, "too-large 5:1");
}

#[test]
fn cells_of_a_capture() {
    let capture = r#"{"device": "d", "driver": "1", "toolkit": "t", "build": "b", "captured": "2026-09-01", "columns": {"label": {}, "ms": {"unit": "ms"}}, "rows": "#;
    let list: Vec<_> = (0..=CELLS_MAX / 2)
        .map(|row| format!("[\"r{row}\", 1]"))
        .collect();
    let json = format!("{capture}[{}]}}", list.join(",\n"));
    let all = found(&[
        ("content/captures/c.json", json),
        ("content/terms/a.md", CAPTURED.to_owned()),
    ]);
    assert_eq!(
        all,
        [format!(
            "too-large content/captures/c.json:{}:1",
            CELLS_MAX / 2 + 1
        )]
    );
}

#[test]
fn formulas() {
    let long = "1 + ".repeat(FORMULA_MAX_BYTES / 4) + "1";
    assert_found("", &format!("[1](<= {long}>)"), "bad-formula 5:8");
    let deep = "(".repeat(FORMULA_DEPTH_MAX + 1) + "1" + &")".repeat(FORMULA_DEPTH_MAX + 1);
    assert_found("", &format!("[1](<= {deep}>)"), "bad-formula 5:40");
    let digits = "1".repeat(DIGITS_MAX + 1);
    assert_found("", &format!("[1](<= {digits}>)"), "bad-formula 5:8");
    let power = "99999999999 * ".repeat(70) + "1";
    assert_found("", &format!("[1](<= {power}>)"), "bad-formula 5:8");
}

#[test]
fn exponents_and_bits_of_a_number() {
    let claim = |formula: &str| format!("[1](<= {formula}>)");
    let largest = format!("1e{EXPONENT_MAX}");
    assert_all_found("", &claim(&format!("{largest} / {largest}")), &[]);
    assert_found(
        "",
        &claim(&format!("1e{}", EXPONENT_MAX + 1)),
        "bad-formula 5:8",
    );
    assert_found(
        "",
        &claim(&format!("1e-{}", EXPONENT_MAX + 1)),
        "bad-formula 5:8",
    );
    // Ten to the power of 60 takes 200 bits, and its reciprocal as many.
    let bits = 200;
    let product = |count: u64| vec![largest.as_str(); usize::try_from(count).unwrap()].join(" * ");
    let fits = BITS_MAX / bits - 1;
    let sound = product(fits);
    assert_all_found("", &claim(&format!("({sound}) / ({sound})")), &[]);
    assert_found("", &claim(&product(BITS_MAX / bits + 2)), "bad-formula 5:8");
}

#[test]
fn matrices() {
    let wide = |repeat: usize| {
        format!("matrices:\n  m: {{rows: [[1], [2]], repeat_columns: {repeat}, caption: C.}}\n")
    };
    assert_found(&wide(MATRIX_CELLS_MAX / 2 + 1), "", "too-large 5:6");
    let square = |edge: usize| {
        let row = format!("[{}]", numbers(edge));
        format!("[{}]", vec![row; edge].join(", "))
    };
    let model = |kind: &str, edge: usize| {
        let rows = square(edge);
        format!(
            "matrices:\n  m: {{rows: {rows}, caption: C.}}\nmodels:\n  x:\n    kind: {kind}\n    operands: {{a: m, b: m}}\n    alt: A product of two matrices.\n    caption: C.\n"
        )
    };
    let tiles = model("tile-reuse\n    tile: [1]", TILE_SIDE_MAX + 1);
    assert_all_found(&tiles, "", &["too-large 10:19", "too-large 10:25"]);
    let cells = model("systolic-array", ARRAY_EDGE_MAX + 1);
    assert_found(&cells, "", "too-large 9:19");
    let long = format!(
        "matrices:\n  m: {{rows: [[{}]], caption: C.}}\n",
        numbers(MATRIX_EDGE_MAX + 1)
    );
    let used = "models:\n  x:\n    kind: systolic-array\n    operands: {a: m, b: m}\n    alt: A product of two matrices.\n    caption: C.\n";
    assert_found(&(long + used), "", "too-large 5:6");
}

fn loom(parameters: &str) -> String {
    format!(
        "models:\n  loom:\n    kind: warp-scheduler\n{parameters}    alt: The loom of this lesson, step by step.\n    caption: C.\n"
    )
}

#[test]
fn grids_of_a_model() {
    let model = |warps: u32, steps: u32, residents: &str, latency: &str| {
        loom(&format!(
            "    warps: {warps}\n    steps: {steps}\n    residents: [{residents}]\n    latency: [{latency}]\n"
        ))
    };
    assert_found(&model(WARPS_MAX + 1, 1, "1", "4"), "", "too-large 7:12");
    assert_found(&model(1, STEPS_MAX + 1, "1", "4"), "", "too-large 8:12");
    let slow = (LATENCY_CYCLES_MAX + 1).to_string();
    assert_found(&model(1, 1, "1", &slow), "", "too-large 10:14");
    let many = numbers(COMBINATIONS_MAX / 8 + 1);
    assert_found(&model(9, 1, &many, &numbers(8)), "", "too-large 9:16");
    assert_found(
        &model(WARPS_MAX, STEPS_MAX, "1", "4"),
        "",
        "too-large 10:14",
    );
}

#[test]
fn frames_of_all_runs() {
    // One warp in residence: 16 steps in all, each of two loads, a wait and a multiply-add.
    let cycles = |latency: u32| 16 * (latency + 2);
    let latency = 200;
    let runs = FRAMES_TOTAL_MAX / cycles(latency) as usize;
    let model = |count: usize| {
        let values: Vec<_> = (0..count)
            .map(|run| (latency - u32::try_from(run).unwrap()).to_string())
            .collect();
        loom(&format!(
            "    warps: 4\n    steps: 4\n    residents: [1]\n    latency: [{}]\n",
            values.join(", ")
        ))
    };
    assert!(cycles(latency) as usize <= FRAMES_MAX);
    assert_all_found(&model(runs), "", &[]);
    assert_found(&model(runs + 1), "", "too-large 6:5");
}

#[test]
fn addresses_of_a_release() {
    let long = "a/".repeat(PATH_MAX_BYTES / 2) + "b";
    let part = "a".repeat(SEGMENT_MAX_BYTES + 1);
    for (path, is_sound) in [
        (long.as_str(), false),
        (&long[2..], true),
        (part.as_str(), false),
        (&part[1..], true),
    ] {
        assert_eq!(OutputPath::new(path).is_ok(), is_sound, "{}", path.len());
    }
}

#[test]
fn other_machines() {
    let _ = (TILE_SIDE_MAX, ARRAY_EDGE_MAX);
    let head = "kind = \"occupancy-stepper\"\ntitle = \"T\"\n[device]\nname = \"Tesla T4\"\ncompute_capability = \"7.5\"\n";
    let configuration = |id: usize| {
        format!(
            "[[configuration]]\nid = \"c{id}\"\nlabel = \"c{id}\"\nresident_warps = 1\nitems_per_thread = 1\nloads_per_item = 1\nloads_in_flight = 1\n"
        )
    };
    let entry = "---\ntitle: A\nshort: One.\ndiagrams:\n  d: {preset: p, alt: The slots of one multiprocessor.}\n---\n";
    let preset = |slots: u32, count: usize| {
        let configurations: String = (0..count).map(configuration).collect();
        let preset = format!("{head}max_warps = {slots}\n{configurations}");
        found(&[
            ("content/presets/p.toml", preset),
            ("content/terms/a.md", entry.to_owned()),
        ])
    };
    assert_eq!(preset(WARP_SLOTS_MAX, CONFIGURATIONS_MAX), [""; 0]);
    let slots = preset(WARP_SLOTS_MAX + 1, 1);
    assert_eq!(slots, ["too-large content/presets/p.toml:6:13"]);
    let side_by_side = preset(32, CONFIGURATIONS_MAX + 1);
    assert_eq!(side_by_side, ["too-large content/presets/p.toml:7:1"]);
}
