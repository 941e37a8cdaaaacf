//! Folders of hard links: what a build did not write is carried over, what is old is removed.
//!
//! A file that no build wrote is never removed unless the same file, as the file system sees it,
//! also stands in the release.

use super::error::WriteError;
use crate::output::{MANIFEST_NAME, Manifest};
use std::fs::{self, Metadata};
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};

/// Whether two open places are one file.
#[cfg(unix)]
pub(super) fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Whether two open places are one file, as far as length and times tell.
#[cfg(not(unix))]
pub(super) fn is_same(a: &Metadata, b: &Metadata) -> bool {
    a.len() == b.len()
        && a.created().ok() == b.created().ok()
        && a.modified().ok() == b.modified().ok()
}

/// A second name for a file, or a copy where the file system has no second names.
pub(super) fn link(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::hard_link(from, to).or_else(|_| copy(from, to))
        }
        Err(error) if is_about_places(&error) => Err(error),
        Err(_) => copy(from, to),
        Ok(()) => Ok(()),
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    // `fs::copy` would overwrite.
    let mut target = fs::File::create_new(to)?;
    let mut source = fs::File::open(from)?;
    io::copy(&mut source, &mut target)?;
    target.set_permissions(source.metadata()?.permissions())
}

fn is_about_places(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, IsADirectory, NotADirectory, StorageFull};
    matches!(
        error.kind(),
        AlreadyExists | IsADirectory | NotADirectory | StorageFull
    )
}

/// Carries the files that no build wrote from one tree to another, under the same paths.
pub(super) struct Carry<'a> {
    pub(super) from: &'a Path,
    pub(super) to: &'a Path,
    /// What the build before wrote.
    pub(super) ours: &'a Manifest,
    /// How many files were carried.
    pub(super) carried: usize,
}

impl Carry<'_> {
    /// Carries everything.
    pub(super) fn run(&mut self) -> Result<(), WriteError> {
        self.folder("")
    }

    fn folder(&mut self, below: &str) -> Result<(), WriteError> {
        let from = self.from.join(below);
        let listing = fs::read_dir(&from).map_err(WriteError::io("list", &from))?;
        for entry in listing {
            let entry = entry.map_err(WriteError::io("list", &from))?;
            let name = entry.file_name();
            let kind = entry
                .file_type()
                .map_err(WriteError::io("look at", &entry.path()))?;
            match name.to_str().map(|name| join(below, name)) {
                Some(path) if kind.is_dir() && self.has_below(&path) => self.folder(&path)?,
                Some(path) if !kind.is_dir() && is_ours(self.ours, &path) => {}
                _ => self.foreign(&entry.path(), &self.to.join(below).join(name))?,
            }
        }
        Ok(())
    }

    /// Whether the build before wrote anything in this folder.
    fn has_below(&self, folder: &str) -> bool {
        let start = format!("{folder}/");
        self.ours
            .files
            .range::<str, _>((Bound::Included(start.as_str()), Bound::Unbounded))
            .next()
            .is_some_and(|(path, _)| path.as_str().starts_with(&start))
    }

    fn foreign(&mut self, from: &Path, to: &Path) -> Result<(), WriteError> {
        let metadata = fs::symlink_metadata(from).map_err(WriteError::io("look at", from))?;
        if !metadata.is_dir() {
            self.carried += 1;
            return link_unless_equal(from, to);
        }
        fs::create_dir_all(to).map_err(|error| in_the_way(from, error))?;
        for entry in fs::read_dir(from).map_err(WriteError::io("list", from))? {
            let entry = entry.map_err(WriteError::io("list", from))?;
            self.foreign(&entry.path(), &to.join(entry.file_name()))?;
        }
        fs::set_permissions(to, metadata.permissions())
            .map_err(WriteError::io("set the permissions of", to))
    }
}

fn link_unless_equal(from: &Path, to: &Path) -> Result<(), WriteError> {
    match link(from, to) {
        Ok(()) => Ok(()),
        // The site may have come to write the very file that was put there by hand.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_equal(from, to) => Ok(()),
        Err(error) => Err(in_the_way(from, error)),
    }
}

fn in_the_way(from: &Path, error: io::Error) -> WriteError {
    use io::ErrorKind::{AlreadyExists, NotADirectory};
    if matches!(error.kind(), AlreadyExists | NotADirectory) {
        return WriteError::InTheWay(from.to_owned());
    }
    WriteError::io("keep", from)(error)
}

fn is_equal(a: &Path, b: &Path) -> bool {
    match (fs::read(a), fs::read(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

fn is_ours(manifest: &Manifest, path: &str) -> bool {
    path == MANIFEST_NAME || manifest.files.contains_key(path)
}

fn join(below: &str, name: &str) -> String {
    if below.is_empty() {
        return name.to_owned();
    }
    format!("{below}/{name}")
}

/// Removes a tree that was a release, or was about to be one. Files that the tree's own manifest
/// does not list and that the release does not have are moved there; what cannot be is left, and
/// returned.
pub(super) fn remove(tree: &Path, release: &Path) -> Vec<PathBuf> {
    let json = fs::read(tree.join(MANIFEST_NAME)).ok();
    let Some(ours) = json.and_then(|json| Manifest::parse(&json)) else {
        // The manifest is written last and removed last, so this was never a release: all that it
        // holds was written here or stands in the release too.
        return match fs::remove_dir_all(tree) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => vec![tree.to_owned()],
            _ => Vec::new(),
        };
    };
    let mut removal = Removal {
        tree,
        release,
        ours: &ours,
        left: Vec::new(),
    };
    removal.folder("");
    if removal.left.is_empty() {
        let _ = fs::remove_file(tree.join(MANIFEST_NAME));
        let _ = fs::remove_dir(tree);
    }
    removal.left
}

struct Removal<'a> {
    tree: &'a Path,
    release: &'a Path,
    ours: &'a Manifest,
    left: Vec<PathBuf>,
}

impl Removal<'_> {
    fn folder(&mut self, below: &str) {
        let folder = self.tree.join(below);
        let Ok(listing) = fs::read_dir(&folder) else {
            return;
        };
        for entry in listing.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                self.foreign(&entry.path(), &self.release.join(below).join(&name));
                continue;
            };
            let path = join(below, name);
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder {
                self.folder(&path);
                // Fails where something was left in it, which is what is wanted.
                let _ = fs::remove_dir(entry.path());
            } else if path == MANIFEST_NAME {
                // Last of all, by the caller.
            } else if self.ours.files.contains_key(path.as_str()) {
                self.delete(&entry.path());
            } else {
                self.foreign(&entry.path(), &self.release.join(&path));
            }
        }
    }

    fn delete(&mut self, path: &Path) {
        if fs::remove_file(path).is_err() {
            self.left.push(path.to_owned());
        }
    }

    fn foreign(&mut self, path: &Path, in_release: &Path) {
        let both = (fs::symlink_metadata(path), fs::symlink_metadata(in_release));
        let is_there = match both {
            (Ok(here), Ok(there)) => {
                is_same(&here, &there) || (here.is_file() && is_equal(path, in_release))
            }
            _ => false,
        };
        if is_there || link(path, in_release).is_ok() {
            self.delete(path);
        } else {
            self.left.push(path.to_owned());
        }
    }
}
