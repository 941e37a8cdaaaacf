//! Reads a site from disk.
//!
//! Takes the folder that holds `site.toml`; gives its files as [`Sources`], in the order of their
//! paths, with a finding for each that could not be taken. Invariants: nothing is written; no
//! byte outside the site's folder is read; a file over [`FILE_MAX_BYTES`] is not read at all; the
//! result depends on the files alone, not on the order or time of their creation. Finding and
//! reading are two steps, so that a file that is known from an earlier run need not be read.

#![expect(clippy::disallowed_methods, reason = "it reads the site")]

mod fault;
mod glance;
mod held;
mod known;
mod loader;
mod names;
mod stamp;
mod text;
mod walk;

pub use glance::{Glance, glance};
pub use known::{Changes, Known, KnownFile};
pub use loader::Loader;
pub use names::{CONFIG_NAME, FOLDERS, InStatic, Kind, is_ignored, kind_of};

use crate::diagnostic::Diagnostics;
use crate::source::Sources;
use stamp::Stamp;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use walk::Found;

/// Largest file, in bytes: 8 MiB. A larger one is a finding, by its length alone.
pub const FILE_MAX_BYTES: u64 = 8 << 20;

/// Most files and folders of a site. More are a finding, and the surplus is not read.
pub const FILES_MAX: usize = 200_000;

/// Most bytes of all files together: 1 GiB, since they lie in memory. More are a finding.
pub const SITE_MAX_BYTES: u64 = 1 << 30;

/// Most folders one in another.
pub const DEPTH_MAX: usize = 32;

/// Why there is nothing to check at all.
#[derive(Debug)]
pub enum LoadError {
    /// The folder has no `site.toml`.
    NoSite(PathBuf),
    /// The folder cannot be read.
    Unreadable(PathBuf, io::Error),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSite(folder) => write!(
                f,
                "no {CONFIG_NAME} in {}: name the site's folder with -C, or make a site with `countersign new site`",
                folder.display()
            ),
            Self::Unreadable(folder, error) => {
                write!(
                    f,
                    "cannot read the site's folder {}: {error}",
                    folder.display()
                )
            }
        }
    }
}

impl std::error::Error for LoadError {}

/// The site's folder: `start` or the nearest one above it with a `site.toml`.
pub fn find_root(start: &Path) -> Option<PathBuf> {
    let start = std::path::absolute(start).ok()?;
    start
        .ancestors()
        .find(|folder| folder.join(CONFIG_NAME).is_file())
        .map(Path::to_owned)
}

/// Reads the site at `root` once.
pub fn site(root: &Path) -> Result<(Sources, Diagnostics), LoadError> {
    Ok(glance(root)?.site())
}

/// What tells two states of a site's files apart without reading them.
pub(crate) type Survey = BTreeMap<String, Option<Stamp>>;

/// Looks at the files of the site at `root`; `None` stands for one that would not be read.
pub(crate) fn survey(root: &Path) -> io::Result<Survey> {
    let stamp = |found| match found {
        Found::File(stamp) => Some(stamp),
        Found::Refused(_) => None,
    };
    let found = walk::walk(root)?;
    Ok(found
        .into_iter()
        .map(|(path, found)| (path, stamp(found)))
        .collect())
}

/// The text of a file's bytes, in the form in which every file of a site is taken; `None` for
/// what is no text.
pub fn decode(bytes: Vec<u8>) -> Option<String> {
    let (text, fault) = text::decode(bytes);
    fault.is_none().then_some(text)
}
