//! The files of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold what was built, not what was written.
const BUILT: [&str; 5] = ["target", ".git", "public", "staging", "corpus"];

/// A file with its path from the repository's folder.
pub(crate) struct Written {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The repository's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every text file in a folder, at any depth, in the order of paths.
pub(crate) fn texts(folder: &str) -> Vec<Written> {
    let mut paths = Vec::new();
    collect(&root().join(folder), &mut paths);
    paths.sort();
    let texts = paths.into_iter().filter_map(|path| {
        let text = fs::read_to_string(&path).ok()?;
        let path = path.strip_prefix(root()).unwrap();
        let path = path.to_str().unwrap().replace('\\', "/");
        Some(Written { path, text })
    });
    texts.collect()
}

/// Every Rust file in a folder.
pub(crate) fn rust(folder: &str) -> Vec<Written> {
    let mut files = texts(folder);
    files.retain(|file| has_ending(&file.path, "rs"));
    assert!(!files.is_empty(), "no Rust file in {folder}");
    files
}

/// Whether a file holds nothing but tests.
pub(crate) fn is_test(path: &str) -> bool {
    path.split('/')
        .any(|part| part == "tests" || part == "tests.rs")
}

pub(crate) fn has_ending(path: &str, ending: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|found| found == ending)
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            if !BUILT.iter().any(|built| name == *built) {
                collect(&entry.path(), paths);
            }
        } else if kind.is_file() {
            paths.push(entry.path());
        }
    }
}
