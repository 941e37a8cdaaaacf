//! No copied file may stand where a build writes one of its own, and no address is kept free for nothing:
//! what is reserved is held against what a build of a site with a bit of everything writes.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

mod support;

use countersign::output::{REPLACEABLE, WRITTEN_BY_BUILDS};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use support::{copy, countersign, files, repository};

fn write(site: &Path, path: &str, text: &str) {
    let path = site.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Sources and a byline, as whatever is published has them.
const SIGNED: &str = "\
sources:
  - {id: guide, title: Vendor guide, url: \"https://docs.example/guide\", supports: all of it, checked: 2026-08-30}
byline: {written_by: Ada Lovelace, reviewed_by: Grace Hopper, written_on: 2026-09-02, last_checked_on: 2026-09-03}
---
";

/// A published site with a home page, a plain page, an alias, a folder of files, a diagram, a model, a plot and
/// tables of both kinds.
fn site() -> (tempfile::TempDir, PathBuf) {
    let space = tempfile::tempdir().unwrap();
    let site = space.path().join("site");
    copy(&repository("tests/cases/_base/site"), &site).unwrap();
    let warp = "---\ntitle: What is a warp?\nterm: warp\naliases: [wave front]\nshort: Threads that issue together.\n\
        diagrams:\n  two: {preset: two-ways-to-64, alt: Two ways to keep the loads of one multiprocessor in flight.}\n\
        measured:\n  t4:\n    device: Tesla T4\n    driver: \"595.84\"\n    toolkit: \"12.6\"\n    build: nvcc -O3\n    captured: 2026-09-01\n    \
        plot: ms\n    columns: {label: {}, ms: {unit: ms}}\n    rows: [[one, 0.785], [four, 0.798]]\n";
    write(
        &site,
        "content/terms/warp/index.md",
        &format!("{warp}{SIGNED}\nText.\n"),
    );
    write(&site, "content/terms/warp/photo.txt", "A photo.\n");
    let loom = "---\ntitle: The loom\nshort: Keep it busy.\n\
        models:\n  loom: {kind: warp-scheduler, warps: 2, steps: 1, residents: [1, 2], latency: 4, alt: Two warps that take turns at one issue slot.}\n";
    write(
        &site,
        "content/lessons/loom.md",
        &format!("{loom}{SIGNED}\n## Step {{#step kicker=\"First\"}}\n\nText.\n"),
    );
    write(&site, "content/index.md", "Welcome.\n");
    write(
        &site,
        "content/pages/about.md",
        "---\ntitle: About\nshort: Who we are.\n---\nText.\n",
    );
    (space, site)
}

fn release(site: &Path) -> BTreeMap<String, Vec<u8>> {
    let output = countersign(site, &["build"]).unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    files(&site.join("public")).unwrap()
}

/// The messages of all collisions.
fn collisions(site: &Path) -> String {
    let output = countersign(site, &["check", "--format", "json"]).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let collisions = findings.filter(|finding| finding["rule"] == "output-collision");
    let messages = collisions.map(|finding| finding["message"].as_str().unwrap());
    messages.collect::<Vec<_>>().join("\n")
}

/// Every folder above a file.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

#[test]
fn no_copied_file_takes_the_place_of_one_that_a_build_writes() {
    let (_space, site) = site();
    let release = release(&site);
    for path in release.keys() {
        write(
            &site,
            &format!("static/{path}"),
            "A file of the site's own.\n",
        );
    }
    let told = collisions(&site);
    for path in release.keys() {
        let is_told = told.contains(&format!("`static/{path}`"));
        assert_eq!(
            is_told,
            !REPLACEABLE.contains(&path.as_str()),
            "{path}\n{told}"
        );
    }
}

#[test]
fn no_copied_file_takes_the_place_of_a_folder() {
    let (_space, site) = site();
    let release = release(&site);
    let all: BTreeSet<_> = release.keys().flat_map(|path| folders(path)).collect();
    // One at a time: a file in the place of a folder leaves no room for those below it.
    for folder in all {
        let path = format!("static/{folder}");
        write(&site, &path, "A file.\n");
        let told = collisions(&site);
        assert!(told.contains(&format!("`{path}`")), "{path}: {told}");
        assert_eq!(told.lines().count(), 1, "{path}: {told}");
        fs::remove_file(site.join(&path)).unwrap();
    }
}

#[test]
fn no_folder_takes_the_place_of_a_file() {
    let (_space, site) = site();
    let release = release(&site);
    for path in release.keys() {
        write(&site, &format!("static/{path}/below"), "A file.\n");
    }
    let told = collisions(&site);
    for path in release.keys() {
        let below = format!("`static/{path}/below`");
        assert!(told.contains(&below), "{path}\n{told}");
    }
}

#[test]
fn what_is_reserved_is_written() {
    let (_space, site) = site();
    let release = release(&site);
    let own: Vec<_> = files(&repository("static")).unwrap().into_keys().collect();
    assert_eq!(own, REPLACEABLE);
    for path in WRITTEN_BY_BUILDS.iter().chain(&REPLACEABLE).copied() {
        assert!(release.contains_key(path), "{path} is not written");
    }
    for page in ["terms/warp", "lessons/loom", "about", "terms/occupancy"] {
        for name in ["index.md", "card.png"] {
            let path = format!("{page}/{name}");
            assert!(release.contains_key(&path), "{path} is not written");
        }
    }
    let has = |start: &str, end: &str| {
        let below = |path: &&String| path.starts_with(start) && path.ends_with(end);
        release.keys().any(|path| below(&path))
    };
    for (start, end) in [
        ("terms/warp/", ".csv"),
        ("terms/warp/", ".json"),
        ("diagrams/warp/", ".svg"),
        ("diagrams/loom/", ".png"),
        ("search/", ".json"),
    ] {
        assert!(has(start, end), "{start}*{end}");
    }
}
