//! Folders of hard links: what a build did not write is carried over, what is old is removed.
//!
//! A file that no build wrote is never removed unless the same file, as the file system sees it,
//! also stands in the release.

use super::error::WriteError;
use super::stamps::Stamps;
use crate::output::{MANIFEST_NAME, Manifest, OutputPath};
use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io;
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
    check_is_file(from)?;
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

/// What a build wrote in a tree: files, and the folders that they need.
#[derive(Debug)]
pub(super) struct Ours<'a> {
    pub(super) manifest: &'a Manifest,
    /// Paths in the tree; the tree itself is the empty path.
    pub(super) folders: BTreeSet<&'a str>,
}

impl<'a> Ours<'a> {
    /// What the build that left this manifest wrote.
    pub(super) fn new(manifest: &'a Manifest) -> Self {
        let paths = manifest.files.keys().map(OutputPath::as_str);
        Self {
            manifest,
            folders: folders_of(paths).into_iter().collect(),
        }
    }

    fn is_file(&self, path: &str) -> bool {
        path == MANIFEST_NAME || self.manifest.files.contains_key(path)
    }

    /// The files and folders in `tree` that are not ours, by their paths in it, without what is
    /// below them; and the folders of ours that hold them. A folder that is as it was recorded is
    /// not looked through.
    pub(super) fn find_foreign(
        &self,
        tree: &Path,
        stamps: &Stamps,
    ) -> Result<Foreign<'a>, WriteError> {
        let mut foreign = Foreign::default();
        let mut lost: BTreeSet<&str> = BTreeSet::new();
        for folder in &self.folders {
            // A link in the place of a folder is found in the one above. What lies where it leads is
            // not of this tree.
            if above(folder).any(|above| lost.contains(above)) {
                continue;
            }
            let now = fs::symlink_metadata(tree.join(folder));
            let Some(now) = now.ok().filter(Metadata::is_dir) else {
                lost.insert(*folder);
                continue;
            };
            if stamps.has_folder(folder, &now) {
                foreign.same.insert(*folder);
                continue;
            }
            let before = foreign.paths.len();
            list_foreign(tree, folder, &mut foreign.paths, |path, is_folder| {
                if is_folder {
                    self.folders.contains(path)
                } else {
                    self.is_file(path)
                }
            })?;
            if foreign.paths.len() > before {
                foreign.folders.insert(*folder);
            }
        }
        Ok(foreign)
    }
}

/// Adds what lies in a folder of a tree and is not ours, by its path in the tree; `is_ours` is asked
/// for each path, and told whether a folder lies there.
pub(super) fn list_foreign(
    tree: &Path,
    folder: &str,
    foreign: &mut Vec<PathBuf>,
    is_ours: impl Fn(&str, bool) -> bool,
) -> Result<(), WriteError> {
    let at = tree.join(folder);
    // What took the place of a folder of ours is found in the folder above.
    if !is_folder(&at) {
        return Ok(());
    }
    for entry in fs::read_dir(&at).map_err(WriteError::io("list", &at))? {
        let entry = entry.map_err(WriteError::io("list", &at))?;
        let is_folder = entry
            .file_type()
            .map_err(WriteError::io("look at", &entry.path()))?
            .is_dir();
        let name = entry.file_name();
        let name_of_ours = name.to_str();
        if !name_of_ours.is_some_and(|name| is_ours(&join(folder, name), is_folder)) {
            foreign.push(Path::new(folder).join(name));
        }
    }
    Ok(())
}

/// What a build did not write.
#[derive(Debug, Default)]
pub(super) struct Foreign<'a> {
    /// Paths in the tree; what is below a path belongs to it.
    pub(super) paths: Vec<PathBuf>,
    /// The folders that a build made and that hold one of the paths.
    pub(super) folders: BTreeSet<&'a str>,
    /// The folders that a build made and that are as they were recorded.
    pub(super) same: BTreeSet<&'a str>,
}

/// Links a file or folder that no build wrote to another tree; returns the number of files.
pub(super) fn carry(from: &Path, to: &Path) -> Result<usize, WriteError> {
    let metadata = fs::symlink_metadata(from).map_err(WriteError::io("look at", from))?;
    if !metadata.is_dir() {
        return link_unless_equal(from, to).map(|()| 1);
    }
    fs::create_dir_all(to).map_err(|error| in_the_way(from, error))?;
    let mut files = 0;
    for entry in fs::read_dir(from).map_err(WriteError::io("list", from))? {
        let entry = entry.map_err(WriteError::io("list", from))?;
        files += carry(&entry.path(), &to.join(entry.file_name()))?;
    }
    fs::set_permissions(to, metadata.permissions())
        .map_err(WriteError::io("set the permissions of", to))?;
    Ok(files)
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
    match (read(a), read(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// The folders that files need, in order; the paths come in order too.
pub(super) fn folders_of<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut folders = vec![""];
    let mut last = "";
    for path in paths {
        let mut folder = folder_of(path);
        // What lies below one folder stands together.
        while !folder.is_empty() && !is_below(last, folder) {
            folders.push(folder);
            folder = folder_of(folder);
        }
        last = path;
    }
    folders.sort_unstable();
    folders
}

/// Whether a folder stands here, and no link to one.
pub(super) fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// The folder of a path; the tree itself is the empty path.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folders that a path lies in, the tree itself the last.
pub(super) fn above(path: &str) -> impl Iterator<Item = &str> {
    fn next<'p>(path: &&'p str) -> Option<&'p str> {
        (!path.is_empty()).then(|| folder_of(path))
    }
    std::iter::successors(next(&path), next)
}

fn join(below: &str, name: &str) -> String {
    if below.is_empty() {
        return name.to_owned();
    }
    format!("{below}/{name}")
}

/// How many files lie at these paths in a tree, and in the folders among them.
pub(super) fn count_files(tree: &Path, paths: &[PathBuf]) -> usize {
    paths.iter().map(|path| count_below(&tree.join(path))).sum()
}

fn count_below(path: &Path) -> usize {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            let inner = fs::read_dir(path).into_iter().flatten().flatten();
            inner.map(|entry| count_below(&entry.path())).sum()
        }
        found => usize::from(found.is_ok()),
    }
}

/// The bytes of a file. What is none is an error: a reader would wait for ever at a pipe that somebody put in
/// its place.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    check_is_file(path)?;
    fs::read(path)
}

fn check_is_file(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "this is not a file",
    ))
}

/// Gives a tree the permissions of the one whose place it takes.
pub(super) fn take_permissions(from: &Path, to: &Path) -> Result<(), WriteError> {
    fs::metadata(from)
        .and_then(|metadata| fs::set_permissions(to, metadata.permissions()))
        .map_err(WriteError::io("set the permissions of", to))
}

/// Removes a file or a whole folder; nothing there is fine too.
pub(super) fn remove_any(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Removes a tree that was a release, or was about to be one. Files that the tree's own manifest
/// does not list and that the release does not have are moved there; what cannot be is left, and
/// returned.
pub(super) fn remove(tree: &Path, release: &Path) -> Vec<PathBuf> {
    let json = read(&tree.join(MANIFEST_NAME)).ok();
    let Some(manifest) = json.and_then(|json| Manifest::parse(&json)) else {
        // The manifest is written last and removed last, so this was never a release: all that it
        // holds was written here or stands in the release too.
        let removed = remove_any(tree);
        return removed.err().map(|_| tree.to_owned()).into_iter().collect();
    };
    let left = move_foreign(tree, release, &Ours::new(&manifest), &Stamps::default());
    if !left.is_empty() {
        return left;
    }
    match remove_any(tree) {
        Ok(()) => Vec::new(),
        Err(_) => vec![tree.to_owned()],
    }
}

/// Moves what no build wrote out of a tree that is no longer the release, into the release, unless
/// it stands there already. Returns what could not be moved.
pub(super) fn move_foreign(
    tree: &Path,
    release: &Path,
    ours: &Ours,
    stamps: &Stamps,
) -> Vec<PathBuf> {
    let foreign = ours.find_foreign(tree, stamps);
    move_all(tree, release, foreign.map(|foreign| foreign.paths))
}

/// The same for the paths that were found; if that could not be said, the whole tree is left.
pub(super) fn move_all(
    tree: &Path,
    release: &Path,
    foreign: Result<Vec<PathBuf>, WriteError>,
) -> Vec<PathBuf> {
    let Ok(foreign) = foreign else {
        return vec![tree.to_owned()];
    };
    let mut left = Vec::new();
    for path in &foreign {
        move_one(&tree.join(path), &release.join(path), &mut left);
    }
    left
}

fn move_one(from: &Path, to: &Path, left: &mut Vec<PathBuf>) {
    let Ok(metadata) = fs::symlink_metadata(from) else {
        return;
    };
    if metadata.is_dir() {
        let is_new = fs::create_dir_all(to.parent().unwrap_or(to))
            .and_then(|()| fs::create_dir(to))
            .is_ok();
        for entry in fs::read_dir(from).into_iter().flatten().flatten() {
            move_one(&entry.path(), &to.join(entry.file_name()), left);
        }
        // Last, since they may forbid to put anything into it.
        if is_new {
            let _ = fs::set_permissions(to, metadata.permissions());
        }
        // Fails where something was left in it, which is what is wanted.
        let _ = fs::remove_dir(from);
        return;
    }
    let is_there = fs::symlink_metadata(to).is_ok_and(|there| {
        is_same(&metadata, &there) || (metadata.is_file() && is_equal(from, to))
    });
    let is_moved = is_there || link(from, to).is_ok();
    if !is_moved || fs::remove_file(from).is_err() {
        left.push(from.to_owned());
    }
}
