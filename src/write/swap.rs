//! The one step in which a new release takes the place of the old one.

use super::error::WriteError;
use super::work::Work;
use std::fs;
use std::io;
use std::path::Path;

/// What stands where the release will be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing, or an empty folder.
    Nothing,
    /// A release.
    Release,
}

/// Puts `new` in the place of `out`. Afterwards the release before, if there was one, is in one of
/// the work folder's two places.
pub(super) fn swap(work: &Work, out: &Path, before: Before) -> Result<(), WriteError> {
    let new = work.new_folder();
    let failed = WriteError::io("put the new release at", out);
    let swapped = match before {
        // A rename replaces an empty folder only, so nothing that came meanwhile is lost.
        Before::Nothing => fs::rename(&new, out),
        Before::Release => match exchange(&new, out) {
            Err(error) if cannot_exchange(&error) => in_two_steps(work, out),
            other => other,
        },
    };
    swapped.map_err(failed)
}

/// Lets two folders change places in one step, so that a process killed at any instant leaves one
/// or the other, whole.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).map_err(io::Error::from)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn cannot_exchange(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, Unsupported};
    matches!(error.kind(), InvalidInput | Unsupported)
}

/// For file systems that cannot exchange. Killed between the two steps, there is no release until
/// the next build begins and puts the old one back ([`recover`]).
fn in_two_steps(work: &Work, out: &Path) -> io::Result<()> {
    let old = work.old_folder();
    fs::rename(out, &old)?;
    fs::rename(work.new_folder(), out).inspect_err(|_| {
        // The old release goes back; if even that fails, the next build tries again.
        let _ = fs::rename(&old, out);
    })
}

/// Puts the old release back where a build was killed between the two steps, and removes what
/// killed builds left.
pub(super) fn recover(work: &Work, out: &Path) -> Result<(), WriteError> {
    let old = work.old_folder();
    if old.exists() && !out.exists() {
        fs::rename(&old, out).map_err(WriteError::io("put the release back at", out))?;
    }
    let left = clean(work, out);
    match left.into_iter().next() {
        Some(path) => Err(WriteError::Left(path)),
        None => Ok(()),
    }
}

/// Removes the work folder's trees, and returns what had to be left of them.
pub(super) fn clean(work: &Work, out: &Path) -> Vec<std::path::PathBuf> {
    let _ = super::tree::remove_any(&work.spare_folder());
    let _ = super::tree::remove_any(&work.written_folder());
    let mut left = super::tree::remove(&work.new_folder(), out);
    left.extend(super::tree::remove(&work.old_folder(), out));
    left
}
