//! What a capture may be, in front matter and in files.

use super::*;
use crate::parse::yaml;
use crate::source::{Digest, SourceFile};
use proptest::prelude::*;

const T4: &str = r#"t4:
  device: Tesla T4
  compute_capability: "7.5"
  driver: "595.80"
  toolkit: 12.10
  build: nvcc -std=c++17 -O3 -arch=sm_75
  captured: 2026-09-01
  constants: {max_warps: 32, bytes: 201326592}
  columns:
    label: {}
    occupancy: {unit: "%", exact: true}
    ms: {unit: ms}
    gbps: {unit: GB/s, derived: bytes / ms / 1000000}
  rows:
    - [no, 100, 0.785, 256.50]
    - [1:30, 25, 0.798, 252.2]
    - [off, 25, 1.139, null]
"#;

const JSON: &str = r#"{"device": "Tesla T4", "driver": "595.84", "toolkit": "12.6", "build": "nvcc",
 "captured": "2026-09-01", "columns": {"label": null, "ms": {"unit": "ms"}},
 "rows": [["one", 0.70], ["two", 1.250], ["three", 3]], "note": "From a program."}"#;

const CSV: &str = "\
# device: Tesla T4
# driver: \"595.84\"
# toolkit: CUDA 12.6
# build: nvcc -O3
# captured: 2026-09-01
# columns:
#   label:
#   ms: {unit: ms}
label, ms
one, 0.70
\"two, or so\", 1.250
";

fn read(yaml_text: &str, files: &[(&str, &str)]) -> (Vec<Capture>, Vec<(String, String)>) {
    let mut sources = Sources::new();
    let add = |sources: &mut Sources, path: &str, text: &str| {
        sources.add(SourceFile::new(path, text, Digest::of(text.as_bytes())))
    };
    let entry = add(
        &mut sources,
        "content/terms/latency-hiding/index.md",
        yaml_text,
    );
    for (path, text) in files {
        add(&mut sources, path, text);
    }
    let mut out = Diagnostics::new();
    let place = yaml::Place {
        file: entry,
        offset: 0,
        line: 1,
        rule: rule::BAD_FRONT_MATTER,
    };
    let node = yaml::parse(yaml_text, place, &mut out);
    let cx = CaptureContext {
        sources: &sources,
        entry,
        asked: &Lookups::default(),
    };
    let pairs = node.as_ref().and_then(Node::map).unwrap_or(&[]);
    let list = captures(pairs, &cx, &mut out);
    let found = out
        .iter()
        .map(|d| {
            (
                d.rule.name.to_owned(),
                format!("{} | {}", sources.text(d.span), d.message),
            )
        })
        .collect();
    (list, found)
}

fn rules(yaml_text: &str, files: &[(&str, &str)]) -> Vec<String> {
    let (_, found) = read(yaml_text, files);
    found.into_iter().map(|(rule, _)| rule).collect()
}

#[test]
fn cells_and_versions_keep_their_characters() {
    let (list, found) = read(T4, &[]);
    assert_eq!(found, []);
    let t4 = &list[0];
    assert_eq!(t4.provenance.toolkit.as_ref().unwrap().value, "12.10");
    assert_eq!(t4.provenance.driver.as_ref().unwrap().value, "595.80");
    let labels: Vec<_> = t4.rows.iter().map(Row::label).collect();
    assert_eq!(labels, ["no", "1:30", "off"]);
    assert_eq!(t4.rows[0].cells[3].value, "256.50");
    assert_eq!(t4.rows[2].cells[3].value, "");
    assert_eq!(t4.row_anchor(0), "t4-no");
    assert_eq!(t4.row_anchor(1), "t4-row-2");
}

#[test]
fn files_lie_beside_the_entry_or_under_content() {
    let beside = ("content/terms/latency-hiding/t.json", JSON);
    let shared = ("content/captures/t.json", JSON);
    for (path, file) in [
        ("t.json", beside),
        ("captures/t.json", shared),
        ("../../captures/t.json", shared),
    ] {
        let (list, found) = read(
            &format!("t:\n  file: {path}\n  rows: [two, one]\n"),
            &[file],
        );
        assert_eq!(found, [], "{path}");
        let labels: Vec<_> = list[0].rows.iter().map(Row::label).collect();
        assert_eq!(labels, ["two", "one"]);
        assert_eq!(list[0].rows[0].cells[1].value, "1.250");
        assert_eq!(list[0].note.as_ref().unwrap().plain(), "From a program.");
        assert!(list[0].file.is_some());
    }
}

#[test]
fn csv_files_carry_their_provenance() {
    let (list, found) = read("t: {file: t.csv}", &[("content/t.csv", CSV)]);
    assert_eq!(found, []);
    let t = &list[0];
    assert_eq!(t.provenance.driver.as_ref().unwrap().value, "595.84");
    assert_eq!(t.columns[1].unit.as_ref().unwrap().value, "ms");
    assert_eq!(t.rows[1].label(), "two, or so");
    let cell = t.rows[0].cells[1].span;
    assert_eq!(&CSV[cell.range()], "0.70");
    let cell = t.rows[1].cells[1].span;
    assert_eq!(&CSV[cell.range()], "1.250");
    let driver = t.provenance.driver.as_ref().unwrap().span;
    assert_eq!(&CSV[driver.range()], "\"595.84\"");
}

#[test]
fn csv_columns_are_held_against_the_block() {
    let swapped = CSV.replace("label, ms\n", "label, us\n");
    assert_eq!(
        rules("t: {file: t.csv}", &[("content/t.csv", &swapped)]),
        ["bad-table"]
    );
    let twice = CSV.replace("label, ms\n", "ms, ms\n");
    assert_eq!(
        rules("t: {file: t.csv}", &[("content/t.csv", &twice)]),
        ["bad-table"]
    );
}

#[test]
fn paths_stay_inside_content() {
    for path in [
        "/etc/passwd",
        "../../../secret.json",
        "..\\\\x.json",
        "C:/x.json",
        "%2e%2e/x.json",
    ] {
        let files = [("secret.json", JSON)];
        assert_eq!(
            rules(&format!("t: {{file: \"{path}\"}}"), &files),
            ["unsafe-path"],
            "{path}"
        );
    }
}

#[test]
fn a_missing_file_names_the_nearest() {
    let mut sources = Sources::new();
    let entry = sources.add(SourceFile::new("content/terms/x.md", "", Digest::of(b"")));
    sources.add(SourceFile::new(
        "content/captures/h200-day45.json",
        JSON,
        Digest::of(b""),
    ));
    let mut out = Diagnostics::new();
    let cx = CaptureContext {
        sources: &sources,
        entry,
        asked: &Lookups::default(),
    };
    let path = Spanned::new("h200-day4.json".to_owned(), Span::file(entry));
    assert_eq!(file::read(&path, &cx, &mut out), None);
    let found = out.iter().next().unwrap();
    assert_eq!(
        found.help.as_deref(),
        Some("Did you mean `captures/h200-day45.json`?")
    );
}

#[test]
fn each_fault_is_found_at_its_place() {
    for (from, to, rule, at) in [
        ("  driver: \"595.80\"\n", "", "missing-provenance", "t4"),
        ("\"595.80\"", "TBD", "missing-provenance", "TBD"),
        ("2026-09-01", "2026-09-31", "bad-date", "2026-09-31"),
        ("[1:30, 25,", "[1:30,", "bad-table", "[1:30, 0.798, 252.2]"),
        ("[1:30,", "[no,", "bad-table", "no"),
        ("[1:30,", "[\"\",", "bad-table", "\"\""),
        ("0.798", "fast", "bad-table", "fast"),
        ("0.798", "1e99999", "bad-table", "1e99999"),
        ("0.798", "[1]", "bad-table", "[1]"),
        ("unit: ms", "units: ms", "unknown-key", "units"),
        ("max_warps:", "ms:", "bad-table", "ms"),
        ("max_warps: 32", "max_warps: many", "bad-table", "many"),
        ("max_warps:", "Max Warps:", "bad-id", "Max Warps"),
        ("max_warps:", "32:", "bad-id", "32"),
        ("t4:", "T_4:", "bad-id", "T_4"),
        ("  rows:", "  plot: gpbs\n  rows:", "bad-table", "gpbs"),
        ("  rows:", "  speed: 3\n  rows:", "unknown-key", "speed"),
    ] {
        let text = T4.replacen(from, to, 1);
        assert_ne!(text, T4);
        let (_, found) = read(&text, &[]);
        let place = found.iter().find(|(name, _)| name == rule);
        let (_, message) = place.unwrap_or_else(|| panic!("{rule} for {to:?}: {found:?}"));
        assert!(message.starts_with(&format!("{at} | ")), "{message}");
    }
}

#[test]
fn the_entry_chooses_rows_by_name() {
    let files = [("content/t.json", JSON)];
    assert_eq!(
        rules("t: {file: t.json, rows: [tow]}", &files),
        ["bad-table"]
    );
    assert_eq!(
        rules("t: {file: t.json, rows: [one, one]}", &files),
        ["bad-table"]
    );
    assert_eq!(
        rules("t: {file: t.json, device: x}", &files),
        ["unknown-key"]
    );
    assert_eq!(
        rules("t: {file: t.txt}", &[("content/t.txt", "")]),
        ["bad-table"]
    );
}

#[test]
fn rows_of_two_captures_keep_apart() {
    let other = T4
        .replace("t4:", "t4-no:")
        .replace("[no,", "[x,")
        .replace("[off,", "[no-off,");
    let text = format!("{}{}", T4.replace("[off,", "[no-x,"), other);
    assert_eq!(rules(&text, &[]), ["bad-table"]);
}

#[test]
fn a_huge_table_is_refused() {
    let more: Vec<_> = (0..25_001)
        .map(|row| format!("    - [r{row}, 1, 1, 1]"))
        .collect();
    let text = format!("{T4}{}\n", more.join("\n"));
    assert_eq!(rules(&text, &[]), ["too-large"]);
}

proptest! {
    #[test]
    fn any_block_is_read_or_refused(text in "(t4:|[a-z:\\[\\]{},# \n\"0-9.-]|  file: |\n    - )*") {
        let _ = read(&text, &[("content/t.json", JSON)]);
    }

    #[test]
    fn any_file_is_read_or_refused(text in "(# |label|[a-z,\n\"0-9.: é-])*") {
        let _ = read("t: {file: t.csv}", &[("content/t.csv", &text)]);
        let _ = read("t: {file: t.json}", &[("content/t.json", &text)]);
    }
}
