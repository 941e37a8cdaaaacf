//! A site that did not change is not built again, and every kind of change is seen, by the real
//! binary.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

#[cfg(unix)]
mod stamps;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{copy, countersign, files, repository};

/// What `--timings` says of a build that was not run again.
const NOT_RUN: &str = "compare with the last build";

fn site() -> (tempfile::TempDir, PathBuf) {
    let space = tempfile::tempdir().unwrap();
    let site = space.path().join("site");
    copy(&repository("tests/cases/_base/site"), &site).unwrap();
    fs::create_dir_all(site.join("static")).unwrap();
    fs::write(site.join("static/notes.txt"), "one").unwrap();
    (space, site)
}

/// Builds, and returns what was said of it.
fn build(site: &Path, arguments: &[&str]) -> String {
    let arguments = [&["build", "--timings"], arguments].concat();
    let output = countersign(site, &arguments).unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    text + &String::from_utf8_lossy(&output.stdout)
}

/// What was said, without times and without what was written.
fn words(text: &str) -> Vec<&str> {
    let is_kept = |line: &&str| !line.contains(" ms  ") && !line.starts_with("release in ");
    text.lines().filter(is_kept).collect()
}

fn append(path: &Path, text: &str) {
    let before = fs::read_to_string(path).unwrap();
    fs::write(path, before + text).unwrap();
}

#[test]
fn a_site_that_did_not_change_is_not_built_again() {
    let (_space, site) = site();
    for arguments in [&[][..], &["--json"], &["--png", "none"]] {
        let first = build(&site, arguments);
        assert!(!first.contains(NOT_RUN), "{first}");
        let before = files(&site.join("public")).unwrap();
        let again = build(&site, arguments);
        assert!(again.contains(NOT_RUN), "{again}");
        assert!(again.contains(" 0 files written, "), "{again}");
        assert_eq!(words(&again), words(&first));
        assert!(files(&site.join("public")).unwrap() == before);
        assert!(!site.join(".public.countersign").exists());
    }
}

#[test]
fn every_kind_of_change_is_seen() {
    let (_space, site) = site();
    let public = |path: &str| site.join("public").join(path);
    let of_site = |path: &str| site.join(path);
    let write = |path: &str, text: &str| {
        let path = of_site(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let people = "ada:\n  name: Ada Lovelace\ngrace:\n  name: Grace Hopper\n";
    let changes: [(&str, &dyn Fn()); 14] = [
        ("an entry", &|| {
            append(&of_site("content/terms/latency.md"), "\nMore.\n");
        }),
        ("a file beside", &|| {
            write("content/terms/latency.txt", "beside");
        }),
        ("a static file", &|| write("static/notes.txt", "two")),
        ("a new static file", &|| write("static/new.txt", "new")),
        ("a static file gone", &|| {
            fs::remove_file(of_site("static/new.txt")).unwrap();
        }),
        ("a template", &|| {
            write("templates/partials/footer.html", "<footer>Ours</footer>");
        }),
        ("a plain page", &|| {
            write("content/pages/about.md", "---\ntitle: About\n---\nHere.\n");
        }),
        ("the people", &|| write("content/people.yaml", people)),
        ("the settings", &|| {
            let text = fs::read_to_string(of_site("site.toml")).unwrap();
            write(
                "site.toml",
                &text.replacen("title = \"", "title = \"New ", 1),
            );
        }),
        ("a page changed by hand", &|| {
            append(&public("index.html"), "x");
        }),
        ("a page removed", &|| {
            fs::remove_file(public("terms/index.html")).unwrap();
        }),
        ("the manifest", &|| append(&public("manifest.json"), " ")),
        ("the release", &|| fs::remove_dir_all(public("")).unwrap()),
        ("the cache", &|| {
            fs::remove_dir_all(of_site(".countersign-cache")).unwrap();
        }),
    ];
    build(&site, &[]);
    for (what, change) in changes {
        assert!(build(&site, &[]).contains(NOT_RUN), "before: {what}");
        change();
        let text = build(&site, &[]);
        assert!(!text.contains(NOT_RUN), "{what} was not seen: {text}");
        let other = tempfile::tempdir().unwrap();
        let out = other.path().join("out");
        build(&site, &["--out", out.to_str().unwrap()]);
        let (warm, cold) = (files(&public("")).unwrap(), files(&out).unwrap());
        assert!(warm == cold, "{what}: a cold build differs");
    }
}

#[test]
fn options_and_the_day_are_inputs_too() {
    let (_space, site) = site();
    build(&site, &[]);
    for arguments in [
        &["--base-url", "https://other.example/"][..],
        &["--json"],
        &["--png", "none"],
    ] {
        let text = build(&site, arguments);
        assert!(!text.contains(NOT_RUN), "{arguments:?}: {text}");
    }
    build(&site, &[]);
    let day = |day: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        let command = command.arg("-C").arg(&site);
        let output = command
            .args(["build", "--timings", "--today", day])
            .output();
        String::from_utf8_lossy(&output.unwrap().stderr).into_owned()
    };
    assert!(day(support::TODAY).contains(NOT_RUN));
    assert!(!day("2026-10-02").contains(NOT_RUN));
}

#[test]
fn a_damaged_record_counts_for_nothing() {
    let (_space, site) = site();
    build(&site, &[]);
    let cache = fs::read_dir(site.join(".countersign-cache")).unwrap();
    let record = cache
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_string_lossy().ends_with("-said"))
        .unwrap();
    let text = fs::read_to_string(&record).unwrap();
    for damaged in [text.replace("entries", "Entries"), String::new()] {
        fs::write(&record, damaged).unwrap();
        assert!(!build(&site, &[]).contains(NOT_RUN));
        assert!(build(&site, &[]).contains(NOT_RUN));
    }
}
