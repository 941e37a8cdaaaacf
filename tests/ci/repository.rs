//! A site in a git repository of its own, in a temporary folder.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

pub(crate) const SITE: &str = "title = \"A course\"\nbase_url = \"https://example.org/course/\"\n";

pub(crate) const PEOPLE: &str = "ada: {name: Ada Lovelace}\ngrace: {name: Grace Hopper}\n";

/// An entry with this reviewer.
pub(crate) fn entry(reviewer: &str) -> String {
    format!(
        "---\ntitle: What is a warp?\nshort: Thirty-two threads that issue together.\nsources:\n  \
         - {{id: guide, title: CUDA Programming Guide, checked: 2026-09-01}}\nbyline:\n  \
         written_by: Ada Lovelace\n  reviewed_by: {reviewer}\n  written_on: 2026-09-02\n  \
         last_checked_on: 2026-09-03\n---\n"
    )
}

pub(crate) const WARP: &str = "content/terms/warp.md";

/// A repository with a site in it.
pub(crate) struct Repository {
    folder: TempDir,
    site: PathBuf,
}

impl Repository {
    /// A site at `inside` of a fresh repository, committed on the branch `main`.
    pub(crate) fn new(inside: &str, files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let site = folder.path().join(inside);
        fs::create_dir_all(&site).unwrap();
        let repository = Self { folder, site };
        repository.git(&["init", "--quiet", "--initial-branch", "main"]);
        repository.write(files);
        repository.commit("Begin");
        repository
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Writes files of the site.
    pub(crate) fn write(&self, files: &[(&str, &str)]) {
        for (path, text) in files {
            let full = self.site.join(path);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, text).unwrap();
        }
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(self.root(), arguments)
    }

    /// Runs the program on the site.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        run(&self.site, arguments)
    }

    /// The report of `check` with these arguments besides.
    pub(crate) fn check(&self, arguments: &[&str]) -> Value {
        let all = [&["check", "--format", "json"], arguments].concat();
        let output = self.run(&all);
        let told = String::from_utf8_lossy(&output.stderr);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{told}"))
    }
}

/// Runs git, without the settings of whoever runs the tests.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    for (name, value) in GIT {
        command.env(name, value);
    }
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {told}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// What git needs to know of its user.
pub(crate) const GIT: [(&str, &str); 6] = [
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_AUTHOR_NAME", "Ada Lovelace"),
    ("GIT_AUTHOR_EMAIL", "ada@example.org"),
    ("GIT_COMMITTER_NAME", "Ada Lovelace"),
    ("GIT_COMMITTER_EMAIL", "ada@example.org"),
];

/// Runs the program in a folder.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_countersign"))
        .current_dir(folder)
        .args(arguments)
        .env("SOURCE_DATE_EPOCH", "1790812800")
        .output()
        .unwrap()
}

/// The names of the rules in a report.
pub(crate) fn rules(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect()
}
