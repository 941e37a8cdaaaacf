//! A build with a release and a cache from before beside one in a fresh folder, by the real binary.

use crate::folders::{copy, files};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// The day of builds.
pub(crate) const DAY: &str = "2026-10-01";

/// What a build came to.
#[derive(Debug, PartialEq)]
pub(crate) struct Built {
    pub(crate) is_success: bool,
    /// What was said, without times, places and counts.
    pub(crate) words: String,
    /// How many pages were made.
    pub(crate) pages: usize,
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

/// Builds the site in a folder.
pub(crate) fn build(site: &Path, arguments: &[&str]) -> Built {
    let output = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .arg("-C")
        .arg(site)
        .args(["build", "--timings"])
        .args(arguments)
        .env_remove("SOURCE_DATE_EPOCH")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let is_said = |line: &&str| !line.contains(" ms  ") && !line.starts_with("release in ");
    let words: Vec<_> = text.lines().filter(is_said).collect();
    let pages = text.lines().find_map(|line| {
        let (_, times) = line.split_once("of it pages, ")?;
        times.split_once(' ')?.0.parse().ok()
    });
    Built {
        is_success: output.status.success(),
        words: words.join("\n") + &String::from_utf8(output.stdout).unwrap(),
        pages: pages.unwrap_or(0),
        files: files(&site.join("public")).unwrap_or_default(),
    }
}

/// Builds the site as it is now in a folder of its own.
pub(crate) fn cold(site: &Path, arguments: &[&str]) -> Built {
    let space = TempDir::new().unwrap();
    for inner in ["content", "static", "templates"] {
        if site.join(inner).exists() {
            copy(&site.join(inner), &space.path().join(inner)).unwrap();
        }
    }
    fs::copy(site.join("site.toml"), space.path().join("site.toml")).unwrap();
    build(space.path(), arguments)
}

/// Builds warm and cold; both must say the same and, if something was built, leave the same. Gives
/// the warm build.
#[track_caller]
pub(crate) fn same(site: &Path, arguments: &[&str], what: &str) -> Built {
    let (warm, cold) = (build(site, arguments), cold(site, arguments));
    assert_eq!(warm.words, cold.words, "{what}");
    assert_eq!(warm.is_success, cold.is_success, "{what}");
    if cold.is_success {
        assert!(
            warm.files.keys().eq(cold.files.keys()),
            "{what}: {:?}",
            warm.files.keys()
        );
        for (path, bytes) in &cold.files {
            assert!(
                warm.files[path] == *bytes,
                "{what}: {path} differs\nwarm: {}\ncold: {}",
                String::from_utf8_lossy(&warm.files[path]),
                String::from_utf8_lossy(bytes)
            );
        }
    }
    warm
}
