//! What tests through the real binary share.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The day of every run.
pub(crate) const TODAY: &str = "2026-10-01";

/// A folder of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Copies a folder over another.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
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

/// Every file below a folder, by its path there.
pub(crate) fn files(folder: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut open = vec![PathBuf::new()];
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(folder.join(&inner))? {
            let entry = entry?;
            let path = inner.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                open.push(path);
            } else {
                let name = path.to_string_lossy().into_owned();
                files.insert(name, fs::read(entry.path())?);
            }
        }
    }
    Ok(files)
}
