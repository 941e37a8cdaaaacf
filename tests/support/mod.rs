//! What tests through the real binary share.

mod folders;

pub(crate) use folders::{copy, files};

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The day of every run.
pub(crate) const TODAY: &str = "2026-10-01";

/// A folder of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A call of the real binary on a site, on the tests' day.
pub(crate) fn command(site: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    command
        .arg("-C")
        .arg(site)
        .args(arguments)
        .args(["--today", TODAY])
        .env_remove("SOURCE_DATE_EPOCH");
    command
}

/// Runs the real binary on a site.
pub(crate) fn countersign(site: &Path, arguments: &[&str]) -> io::Result<Output> {
    command(site, arguments).output()
}
