//! Releases of small sites and of the course, built by the real binary: the same bytes whatever the
//! machine, nothing stale, nothing of a draft, and publication by two people alone.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use support::{command, copy, countersign, files, repository};

/// A copy of a case's site, laid over the base.
fn site(case: &str) -> (tempfile::TempDir, PathBuf) {
    let space = tempfile::tempdir().unwrap();
    let site = space.path().join("a place/site");
    copy(&repository("tests/cases/_base/site"), &site).unwrap();
    copy(&repository("tests/cases").join(case).join("site"), &site).unwrap();
    (space, site)
}

/// The course, without what a working tree may hold besides.
fn course() -> (tempfile::TempDir, PathBuf) {
    let space = tempfile::tempdir().unwrap();
    let site = space.path().join("course");
    for folder in ["content", "templates", "static"] {
        copy(&repository(folder), &site.join(folder)).unwrap();
    }
    fs::copy(repository("site.toml"), site.join("site.toml")).unwrap();
    (space, site)
}

fn build(site: &Path) -> BTreeMap<String, Vec<u8>> {
    let output = countersign(site, &["build"]).unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    files(&site.join("public")).unwrap()
}

fn build_with(site: &Path, environment: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
    let _ = fs::remove_dir_all(site.join("public"));
    let _ = fs::remove_dir_all(site.join(".countersign-cache"));
    let mut command = command(site, &["build"]);
    command.envs(environment.iter().copied());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    files(&site.join("public")).unwrap()
}

/// Replaces a text in a file, which must hold it.
fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{} lacks {from:?}", path.display());
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn zones_locales_clocks_threads_and_fonts_change_no_byte() {
    for case in ["date-day-shift", "svg-missing-font", "same-bytes-order"] {
        let (_space, site) = site(case);
        let plain = build_with(&site, &[]);
        let environments: [&[(&str, &str)]; 6] = [
            &[("TZ", "America/Los_Angeles")],
            &[("TZ", "Asia/Tokyo"), ("LC_ALL", "tr_TR.UTF-8")],
            &[("RAYON_NUM_THREADS", "1")],
            &[("RAYON_NUM_THREADS", "7")],
            &[("SOURCE_DATE_EPOCH", "1900000000"), ("LANG", "C")],
            &[("FONTCONFIG_FILE", "/dev/null"), ("HOME", "/nonexistent")],
        ];
        for environment in environments {
            let other = build_with(&site, environment);
            assert!(plain == other, "{case} differs under {environment:?}");
        }
    }
}

#[test]
fn order_and_place_of_creation_change_no_byte() {
    let (_space, first) = site("same-bytes-order");
    let expected = build(&first);
    let _ = fs::remove_dir_all(first.join("public"));
    let _ = fs::remove_dir_all(first.join(".countersign-cache"));
    let originals = files(&first).unwrap();
    for round in 0..4_usize {
        let space = tempfile::tempdir().unwrap();
        let site = space.path().join(format!("copy {round}"));
        let mut paths: Vec<_> = originals.keys().collect();
        let turn = round * 3 % paths.len();
        paths.rotate_left(turn);
        if round % 2 == 1 {
            paths.reverse();
        }
        for path in paths {
            let at = site.join(path);
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            fs::write(at, &originals[path]).unwrap();
        }
        assert!(build(&site) == expected, "round {round} differs");
    }
}

#[test]
fn what_was_renamed_or_unpublished_is_gone() {
    let (_space, site) = site("stale-after-rename");
    build(&site);
    let terms = site.join("content/terms");
    fs::rename(terms.join("old-name.md"), terms.join("new-name.md")).unwrap();
    let renamed = build(&site);
    assert!(!renamed.keys().any(|path| path.contains("old-name")));
    assert!(
        renamed == build_with(&site, &[]),
        "a second build differs from a first one"
    );
    edit(
        &terms.join("latency.md"),
        "reviewed_by: Grace Hopper",
        "reviewed_by: pending",
    );
    let withdrawn = build(&site);
    for (path, bytes) in &withdrawn {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        assert!(
            !text.contains("latency hiding"),
            "{path} still names the draft"
        );
    }
    assert!(
        withdrawn == build_with(&site, &[]),
        "a second build differs from a first one"
    );
}

/// A draft with a token of its own in each field.
const CANARY: &str = "---
title: Canary-title-7q3x one
term: canary-name-7q3x
aliases: [canary-alias-7q3x]
short: Canary-short-7q3x says nothing.
measured:
  cap-7q3x:
    device: Canary-device-7q3x
    driver: \"1.0\"
    toolkit: canary-toolkit-7q3x
    build: nvcc canary-build-7q3x
    captured: 2026-09-01
    note: Canary-note-7q3x under the table.
    columns: {label: {}, ms: {unit: ms}}
    rows: [[canary-row-7q3x, 0.5]]
diagrams:
  dia-7q3x:
    preset: two-ways-to-64
    alt: Canary-alt-7q3x in many words.
    caption: Canary-caption-7q3x.
sources:
  - id: canary-source-7q3x
    title: Canary-source-title-7q3x
    supports: canary-supports-7q3x
    url: https://canary-7q3x.example/
    checked: 2026-08-30
byline: {written_by: pending, reviewed_by: pending}
---

Canary-body-7q3x [1](<= cap-7q3x.canary-row-7q3x.ms * 2>).[^canary-source-7q3x]

## Canary-heading-7q3x

`canary-code-7q3x` and [canary-link-7q3x](https://canary-link-7q3x.example/).
";

#[test]
fn a_draft_leaves_no_token_in_any_file() {
    let (_space, site) = site("draft-leak");
    fs::create_dir_all(site.join("content/terms/canary-7q3x")).unwrap();
    fs::write(site.join("content/terms/canary-7q3x/index.md"), CANARY).unwrap();
    fs::write(
        site.join("content/terms/canary-7q3x/picture.svg"),
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>canary-7q3x</title></svg>",
    )
    .unwrap();
    // A published entry that refers to the draft: the reference becomes plain words.
    edit(
        &site.join("content/terms/latency.md"),
        "related: [occupancy]",
        "related: [occupancy, canary-7q3x]",
    );
    for (path, bytes) in build(&site) {
        let mut texts = vec![bytes.clone()];
        texts.extend(unpacked(&bytes));
        assert!(!path.contains("7q3x"), "{path} is named after the draft");
        for text in texts {
            let text = String::from_utf8_lossy(&text).to_lowercase();
            assert!(!text.contains("7q3x"), "{path} holds a token of the draft");
        }
    }
}

/// What is packed in a file: gzip members and the compressed parts of a PNG.
fn unpacked(bytes: &[u8]) -> Vec<Vec<u8>> {
    use std::io::Read as _;
    let mut out = Vec::new();
    let mut text = Vec::new();
    if bytes.starts_with(&[0x1f, 0x8b])
        && flate2::read::MultiGzDecoder::new(bytes)
            .read_to_end(&mut text)
            .is_ok()
    {
        out.push(text);
    }
    for at in 0..bytes.len().saturating_sub(2) {
        if bytes[at] == 0x78 && matches!(bytes[at + 1], 0x01 | 0x5e | 0x9c | 0xda) {
            let mut text = Vec::new();
            let _ = flate2::read::ZlibDecoder::new(&bytes[at..])
                .take(1 << 20)
                .read_to_end(&mut text);
            out.push(text);
        }
    }
    out
}

#[test]
fn a_leak_through_a_static_file_is_found_even_when_packed() {
    let (_space, site) = site("draft-leak");
    fs::create_dir_all(site.join("static")).unwrap();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(b"see UNSIGNED-DRAFT-5C1B body").unwrap();
    fs::write(site.join("static/notes.gz"), packer.finish().unwrap()).unwrap();
    let output = countersign(&site, &["build"]).unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("draft-leak"), "{text}");
    assert!(text.contains("static/notes.gz"), "{text}");
    assert!(!site.join("public").exists());
}

/// Signs the course's first term.
fn sign(site: &Path, author: &str, reviewer: &str) {
    let path = site.join("content/terms/latency-hiding.md");
    edit(
        &path,
        "written_by: pending",
        &format!("written_by: {author}"),
    );
    edit(
        &path,
        "reviewed_by: pending",
        &format!("reviewed_by: {reviewer}"),
    );
    edit(&path, "written_on: pending", "written_on: 2026-11-30");
    edit(
        &path,
        "last_checked_on: pending",
        "last_checked_on: 2026-12-01",
    );
}

fn course_build(site: &Path) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_countersign"));
    command
        .arg("-C")
        .arg(site)
        .args(["build", "--today", "2026-12-02"]);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text)
}

#[test]
fn the_course_publishes_nothing_until_two_people_sign() {
    let (_space, site) = course();
    let (code, text) = course_build(&site);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("`latency-hiding` is draft, waits for its author and its reviewer"),
        "{text}"
    );
    assert!(!site.join("public/terms/latency-hiding").exists());
    sign(&site, "Ada Lovelace", "Grace Hopper");
    let (code, text) = course_build(&site);
    assert_eq!(code, Some(0), "{text}");
    let page = fs::read_to_string(site.join("public/terms/latency-hiding/index.html")).unwrap();
    for shown in [
        "Ada Lovelace",
        "Grace Hopper",
        "2026-11-30",
        "2026-12-01",
        "Named",
    ] {
        assert!(page.contains(shown), "the page does not show {shown}");
    }
}

#[test]
fn one_person_twice_does_not_publish_the_course() {
    // The second name begins with a Greek letter that looks like the Latin one.
    for reviewer in ["Ada Lovelace", "\u{391}da Lovelace", "lovelace, ada"] {
        let (_space, site) = course();
        sign(&site, "Ada Lovelace", reviewer);
        let (code, text) = course_build(&site);
        assert_eq!(code, Some(1), "{reviewer}: {text}");
        assert!(text.contains("same-person"), "{reviewer}: {text}");
        assert!(!site.join("public").exists());
    }
}
