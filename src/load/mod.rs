//! Reads a site from disk.
//!
//! Takes the folder that holds `site.toml`; gives its files as [`Sources`], in the order of their
//! paths, with a finding for each that could not be taken. Invariants: nothing is written; no
//! byte outside the site's folder is read; a file over [`FILE_MAX_BYTES`] is not read at all; the
//! result depends on the files alone, not on the order or time of their creation.

#![expect(clippy::disallowed_methods, reason = "it reads the site")]

mod fault;
mod names;
mod text;
mod walk;

pub use names::{CONFIG_NAME, FOLDERS, InStatic, Kind, is_ignored, kind_of};

use crate::diagnostic::{Diagnostics, rule};
use crate::output::Addresses;
use crate::source::{Digest, SourceFile, Sources};
use fault::Fault;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use walk::{Found, Stamp};

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
    Loader::new(root).load()
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

/// Reads a site again and again, and each time only what changed.
#[derive(Debug)]
pub struct Loader {
    root: PathBuf,
    held: BTreeMap<Arc<str>, Held>,
    last: Option<(Sources, Diagnostics)>,
}

/// A file as it was read last.
#[derive(Debug)]
struct Held {
    stamp: Option<Stamp>,
    item: Item,
    faults: Vec<Fault>,
}

#[derive(Debug, Clone)]
enum Item {
    Text(SourceFile),
    Bytes(Arc<[u8]>),
    Refused,
}

impl Held {
    fn refused(fault: Fault) -> Self {
        Self {
            stamp: None,
            item: Item::Refused,
            faults: vec![fault],
        }
    }
}

impl Loader {
    /// A loader for the site at `root`; nothing is read yet.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            held: BTreeMap::new(),
            last: None,
        }
    }

    /// The site's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads what is new or changed since the last time, by length, time and place on disk.
    pub fn load(&mut self) -> Result<(Sources, Diagnostics), LoadError> {
        let mut found = match walk::walk(&self.root) {
            Ok(found) => found,
            Err(error) => return Err(LoadError::Unreadable(self.root.clone(), error)),
        };
        if !found.contains_key(CONFIG_NAME) {
            return Err(LoadError::NoSite(self.root.clone()));
        }
        bound_total(&mut found, SITE_MAX_BYTES);
        let mut before = std::mem::take(&mut self.held);
        let mut to_read = Vec::new();
        for (path, found) in found {
            match (found, before.remove(path.as_str())) {
                (Found::Refused(fault), _) => {
                    self.held.insert(path.into(), Held::refused(fault));
                }
                (Found::File(stamp), Some(held)) if held.stamp.as_ref() == Some(&stamp) => {
                    self.held.insert(path.into(), held);
                }
                (Found::File(stamp), _) => to_read.push((Arc::<str>::from(path), stamp)),
            }
        }
        let root = &self.root;
        let read: Vec<_> = to_read
            .into_par_iter()
            .map(|(path, stamp)| (Arc::clone(&path), read(root, &path, stamp)))
            .collect();
        self.held.extend(read);
        Ok(self.assemble())
    }

    /// Reads the named files again, whatever their times say. Paths are relative to the site.
    /// Where one of them came or went, the whole site is looked through.
    pub fn reload(
        &mut self,
        changed: &std::collections::BTreeSet<String>,
    ) -> Result<(Sources, Diagnostics), LoadError> {
        let plain = changed.iter().all(|path| {
            self.held
                .get(path.as_str())
                .is_some_and(|held| held.stamp.is_some())
                && self.is_plain_file(path)
        });
        let last = if plain { self.last.take() } else { None };
        let Some((mut sources, findings)) = last else {
            for path in changed {
                if let Some(held) = self.held.get_mut(path.as_str()) {
                    held.stamp = None;
                }
            }
            return self.load();
        };
        let mut is_faultless = true;
        for path in changed {
            let path: Arc<str> = path.as_str().into();
            let now = read_now(&self.root, &path);
            let before = self.held.get(&path);
            is_faultless &= now.faults.is_empty();
            is_faultless &= before.is_none_or(|before| before.faults.is_empty());
            add(&mut sources, &path, &now);
            self.held.insert(path, now);
        }
        if !is_faultless {
            // The findings change too.
            self.last = Some((sources, findings));
            return Ok(self.assemble());
        }
        let loaded = (sources, findings);
        self.last = Some(loaded.clone());
        Ok(loaded)
    }

    /// Whether a file stands at the path and no folder on the way has become a link out of the site.
    fn is_plain_file(&self, path: &str) -> bool {
        let full = self.root.join(path);
        let is_inside = match (fs::canonicalize(&self.root), fs::canonicalize(&full)) {
            (Ok(root), Ok(real)) => real.starts_with(root),
            _ => false,
        };
        is_inside && fs::symlink_metadata(full).is_ok_and(|at| at.is_file())
    }

    /// Puts the files that are held together. A file keeps its id for as long as it is there.
    fn assemble(&mut self) -> (Sources, Diagnostics) {
        let mut sources = self.last.take().unwrap_or_default().0;
        let gone: Vec<_> = sources
            .iter()
            .filter(|(_, file)| !self.held.contains_key(&file.path))
            .map(|(_, file)| Arc::clone(&file.path))
            .collect();
        for path in &gone {
            sources.remove(path);
        }
        let mut findings = Diagnostics::new();
        for (path, held) in &self.held {
            let file = add(&mut sources, path, held);
            findings.extend(held.faults.iter().map(|fault| fault.finding(file)));
        }
        let _ = Addresses::of_copied(&sources, &mut findings);
        let loaded = (sources, findings);
        self.last = Some(loaded.clone());
        loaded
    }
}

/// Refuses the files with which all together would come to more than `limit_bytes`; the first of
/// them has the finding.
fn bound_total(found: &mut BTreeMap<String, Found>, limit_bytes: u64) {
    let mut total_bytes = 0;
    let mut is_told = false;
    found.retain(|path, found| {
        let Found::File(stamp) = found else {
            return true;
        };
        // A file over the limit of one file is refused for itself; nothing goes without settings.
        if stamp.length_bytes > FILE_MAX_BYTES || path == CONFIG_NAME {
            return true;
        }
        total_bytes += stamp.length_bytes;
        if total_bytes <= limit_bytes {
            return true;
        }
        if is_told {
            return false;
        }
        is_told = true;
        *found = Found::Refused(site_too_large(limit_bytes));
        true
    });
}

fn site_too_large(limit_bytes: u64) -> Fault {
    let message = format!(
        "with this file, those of the site come to more than {limit_bytes} bytes; from here on nothing is read"
    );
    Fault::new(rule::TOO_LARGE, message).help("Host large files elsewhere and link to them.")
}

fn add(sources: &mut Sources, path: &Arc<str>, held: &Held) -> crate::source::FileId {
    match &held.item {
        Item::Text(file) => sources.add(file.clone()),
        Item::Bytes(bytes) => sources.add_binary(Arc::clone(path), Arc::clone(bytes)),
        Item::Refused => sources.add(SourceFile::refused(Arc::clone(path))),
    }
}

fn read_now(root: &Path, path: &Arc<str>) -> Held {
    match fs::metadata(root.join(&**path)) {
        Ok(metadata) => read(root, path, Stamp::of(&metadata)),
        Err(error) => Held::refused(walk::unreadable(&error)),
    }
}

fn read(root: &Path, path: &Arc<str>, stamp: Stamp) -> Held {
    let refused = |fault| Held {
        stamp: Some(stamp.clone()),
        item: Item::Refused,
        faults: vec![fault],
    };
    if stamp.length_bytes > FILE_MAX_BYTES {
        return refused(too_large(stamp.length_bytes));
    }
    let bytes = match read_bounded(&root.join(&**path)) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return refused(too_large(FILE_MAX_BYTES + 1)),
        Err(error) => return refused(walk::unreadable(&error)),
    };
    if kind_of(path) == Kind::Bytes {
        return Held {
            stamp: Some(stamp),
            item: Item::Bytes(bytes.into()),
            faults: Vec::new(),
        };
    }
    let raw = Digest::of(&bytes);
    let (text, fault) = text::decode(bytes);
    let file = SourceFile::new(Arc::clone(path), text, raw);
    Held {
        stamp: Some(stamp),
        item: Item::Text(if fault.is_some() { file.refuse() } else { file }),
        faults: fault.into_iter().collect(),
    }
}

/// The bytes of a file, or `None` if it grew over the limit since its length was taken.
fn read_bounded(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = File::open(path)?;
    let length_bytes = file.metadata()?.len().min(FILE_MAX_BYTES);
    let mut bytes = Vec::with_capacity(usize::try_from(length_bytes).unwrap_or(0) + 1);
    file.take(FILE_MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= FILE_MAX_BYTES).then_some(bytes))
}

/// The text of a file's bytes, in the form in which every file of a site is taken; `None` for
/// what is no text.
pub fn decode(bytes: Vec<u8>) -> Option<String> {
    let (text, fault) = text::decode(bytes);
    fault.is_none().then_some(text)
}

fn too_large(length_bytes: u64) -> Fault {
    Fault::new(
        rule::TOO_LARGE,
        format!("the file has {length_bytes} bytes; the limit is {FILE_MAX_BYTES} (8 MiB)"),
    )
    .help("Split the file, or host it elsewhere and link to it.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_read_up_to_its_limit() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(40).unwrap();
        let stamp = Stamp::of(&file.metadata().unwrap());
        let mut found: BTreeMap<_, _> = ["a", "b", "c", "d"]
            .map(|path| (path.to_owned(), Found::File(stamp.clone())))
            .into();
        bound_total(&mut found, 100);
        let kinds: Vec<_> = found
            .iter()
            .map(|(path, found)| (path.as_str(), matches!(found, Found::File(_))))
            .collect();
        assert_eq!(kinds, [("a", true), ("b", true), ("c", false)]);
    }
}
