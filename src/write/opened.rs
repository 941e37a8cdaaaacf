//! A tree whose files are looked at by the tens of thousands: it and what most of them lie in are opened
//! once, so that the system need not find its way there for each.

use super::stamps::Stamp;
use super::tree;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Folders in the tree that are opened at most. A release has few that hold many others.
const INNER_MAX: usize = 16;

/// A folder and where it stands. Paths in it are relative; the folder itself is the empty path.
#[derive(Debug)]
pub(super) struct Opened {
    path: PathBuf,
    #[cfg_attr(
        not(any(target_os = "linux", target_os = "android")),
        expect(dead_code, reason = "only these systems look at files relative to it")
    )]
    folder: File,
    /// Folders in it by their names.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    inner: Vec<(String, File)>,
}

impl Opened {
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        let folder = File::open(path)?;
        Ok(Self {
            path: path.to_owned(),
            #[cfg(any(target_os = "linux", target_os = "android"))]
            inner: open_inner(&folder)?,
            folder,
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
        let (folder, path) = self.nearest(path);
        rustix::fs::statat(folder, path, rustix::fs::AtFlags::SYMLINK_NOFOLLOW).ok()
    }

    /// The innermost opened folder that a path lies in, and its path from there.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn nearest<'p>(&self, path: &'p str) -> (&File, &'p str) {
        let below = |name: &str| path.strip_prefix(name)?.strip_prefix('/');
        let mut inner = self.inner.iter();
        inner
            .find_map(|(name, folder)| Some((folder, below(name)?)))
            .unwrap_or((&self.folder, path))
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

/// Opens folders in a folder; links that lead to one are not followed.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn open_inner(folder: &File) -> io::Result<Vec<(String, File)>> {
    use rustix::fs::{Dir, FileType, Mode, OFlags, openat};
    let mut inner = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let is_folder = entry.file_type() == FileType::Directory;
        let name = entry.file_name().to_str().ok();
        let Some(name) = name.filter(|name| is_folder && !matches!(*name, "." | "..")) else {
            continue;
        };
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        if let Ok(opened) = openat(folder, name, flags, Mode::empty()) {
            inner.push((name.to_owned(), File::from(opened)));
        }
        if inner.len() == INNER_MAX {
            break;
        }
    }
    Ok(inner)
}
