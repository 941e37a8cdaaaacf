//! A site in a folder of its own, and the program run on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder that is gone when the test ends.
pub(crate) struct Shop {
    folder: TempDir,
}

/// How a run ended.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        Self {
            code: output.status.code().expect("it ended by itself"),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// Fails the test unless the run ended so.
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "stdout:\n{}\nstderr:\n{}",
            self.out, self.err
        );
        self
    }
}

impl Shop {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        Self {
            folder: TempDir::new().expect("a folder"),
        }
    }

    /// A site with one finished term, by Ada Lovelace and Grace Hopper.
    pub(crate) fn new() -> Self {
        let shop = Self::empty();
        shop.write(
            "site.toml",
            "title = \"Course\"\nbase_url = \"https://example.org/course/\"\n[gate]\nassurance = \"attested\"\n",
        );
        shop.write("content/terms/warp.md", WARP);
        shop
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("writes");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("reads")
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// Replaces text that must be there.
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{from:?} is not in {path}");
        self.write(path, &text.replace(from, to));
    }

    /// Runs the program in the folder, on the first of October.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        // What is asked of loopback goes there and to no proxy.
        for proxy in ["ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY"] {
            command.env_remove(proxy).env_remove(proxy.to_lowercase());
        }
        Ran::of(
            &command
                .current_dir(self.root())
                .args(arguments)
                // 1 October 2026.
                .env("SOURCE_DATE_EPOCH", "1790812800")
                .env_remove("NO_COLOR")
                .stdin(Stdio::null())
                .output()
                .expect("runs"),
        )
    }

    /// Runs git in the folder.
    pub(crate) fn git(&self, arguments: &[&str]) {
        let run = Command::new("git")
            .current_dir(self.root())
            .args([
                "-c",
                "user.name=Ada Lovelace",
                "-c",
                "user.email=ada@example.org",
            ])
            .args([
                "-c",
                "commit.gpgsign=false",
                "-c",
                "init.defaultBranch=main",
            ])
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .expect("`git` must be installed");
        let told = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "git {arguments:?}: {told}");
    }

    /// Commits everything.
    pub(crate) fn commit(&self, message: &str) {
        if !self.has(".git") {
            self.git(&["init", "--quiet"]);
        }
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }
}

/// A key of the fixtures.
pub(crate) fn key(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("tests/fixtures/keys").join(name);
    path.to_str().expect("a path").to_owned()
}

/// The one line of a public key of the fixtures.
pub(crate) fn public_key(name: &str) -> String {
    let line = fs::read_to_string(key(&format!("{name}.pub"))).expect("a key");
    line.trim().to_owned()
}

const WARP: &str = r#"---
title: What is a warp?
term: warp
short: Thirty-two threads that issue together.
measured:
  t4:
    device: Tesla T4
    driver: "595.84"
    toolkit: "12.6"
    build: nvcc -O3
    captured: 2026-09-01
    columns: {label: {}, ms: {unit: ms}}
    rows:
      - [one, 0.785]
      - [four, 0.798]
sources:
  - id: guide
    title: CUDA Programming Guide
    url: https://docs.nvidia.com/cuda/
    checked: 2026-08-30
byline:
  written_by: Ada Lovelace
  reviewed_by: Grace Hopper
  written_on: 2026-09-02
  last_checked_on: 2026-09-03
---

A warp is thirty-two threads[^guide]. Four took [1.02](<= t4.four.ms / t4.one.ms>) times as long.
"#;
