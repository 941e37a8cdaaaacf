//! A tree whose files are looked at by the tens of thousands: opened once, so that the system need
//! not find its way to it for each.

use super::stamps::Stamp;
use super::tree;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A folder and where it stands. Paths in it are relative; the folder itself is the empty path.
#[derive(Debug)]
pub(super) struct Opened {
    path: PathBuf,
    #[cfg_attr(
        not(any(target_os = "linux", target_os = "android")),
        expect(dead_code, reason = "only these systems look at files relative to it")
    )]
    folder: File,
}

impl Opened {
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            folder: File::open(path)?,
        })
    }

    pub(super) fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.path.join(path)
    }

    /// How the file looks that has this path now; `None` for whatever is not a file.
    pub(super) fn file(&self, path: &str) -> Option<Stamp> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        return Stamp::of_stat(&self.stat(path)?);
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        return Stamp::of(&std::fs::symlink_metadata(self.at(path)).ok()?);
    }

    /// How the folder looks that has this path now.
    pub(super) fn folder(&self, path: &str) -> Option<Stamp> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        return Stamp::of_stat_of_folder(&self.stat(if path.is_empty() { "." } else { path })?);
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        return Stamp::of_folder(&std::fs::symlink_metadata(self.at(path)).ok()?);
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn stat(&self, path: &str) -> Option<rustix::fs::Stat> {
        rustix::fs::statat(&self.folder, path, rustix::fs::AtFlags::SYMLINK_NOFOLLOW).ok()
    }

    /// A second name in another tree for the file at a path.
    pub(super) fn link(&self, path: &str, to: &Self) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            let none = rustix::fs::AtFlags::empty();
            if rustix::fs::linkat(&self.folder, path, &to.folder, path, none).is_ok() {
                return Ok(());
            }
        }
        tree::link(&self.at(path), &to.at(path))
    }
}
