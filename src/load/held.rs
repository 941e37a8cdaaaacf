//! One file of a site: found, and read.

use super::fault::Fault;
use super::stamp::Stamp;
use super::walk::{self, Found};
use super::{FILE_MAX_BYTES, Kind, kind_of, text};
use crate::diagnostic::{Diagnostics, rule};
use crate::source::{Digest, FileId, SourceFile, Sources};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

/// The files of a site by their paths in it.
pub(super) type Files = BTreeMap<Arc<str>, Held>;

/// A file as it was found or, once it was read, as it was then.
#[derive(Debug)]
pub(super) struct Held {
    /// Taken before the bytes were read, so that a change meanwhile shows the next time.
    pub(super) stamp: Option<Stamp>,
    pub(super) item: Item,
    pub(super) faults: Vec<Fault>,
}

#[derive(Debug)]
pub(super) enum Item {
    Unread,
    Text(SourceFile),
    Bytes(Arc<[u8]>, Digest),
    Refused,
}

impl From<Found> for Held {
    fn from(found: Found) -> Self {
        match found {
            Found::File(stamp) => Self {
                stamp: Some(stamp),
                item: Item::Unread,
                faults: Vec::new(),
            },
            Found::Refused(fault) => Self::refused(None, fault),
        }
    }
}

impl Held {
    fn refused(stamp: Option<Stamp>, fault: Fault) -> Self {
        Self {
            stamp,
            item: Item::Refused,
            faults: vec![fault],
        }
    }

    /// The digest of the bytes; `None` for a file that is not read, or that was refused.
    pub(super) fn raw(&self) -> Option<Digest> {
        match &self.item {
            Item::Text(file) => (!file.is_refused()).then_some(file.raw),
            Item::Bytes(_, raw) => Some(*raw),
            Item::Unread | Item::Refused => None,
        }
    }

    pub(super) fn is_unread(&self) -> bool {
        matches!(self.item, Item::Unread)
    }

    pub(super) fn is_read(&self) -> bool {
        matches!(self.item, Item::Text(_) | Item::Bytes(..))
    }

    /// Adds the file and its findings to those that were read. One that is not read is left out.
    pub(super) fn add(
        &self,
        path: &Arc<str>,
        sources: &mut Sources,
        findings: &mut Diagnostics,
    ) -> Option<FileId> {
        let file = match &self.item {
            Item::Unread => return None,
            Item::Text(file) => sources.add(file.clone()),
            Item::Bytes(bytes, raw) => {
                sources.add_digested(Arc::clone(path), Arc::clone(bytes), *raw)
            }
            Item::Refused => sources.add(SourceFile::refused(Arc::clone(path))),
        };
        findings.extend(self.faults.iter().map(|fault| fault.finding(file)));
        Some(file)
    }
}

/// Reads those of the files that are not read yet.
pub(super) fn read_unread<'f>(
    root: &Path,
    files: impl Iterator<Item = (&'f Arc<str>, &'f mut Held)>,
) {
    let unread: Vec<_> = files.filter(|(_, held)| held.is_unread()).collect();
    unread.into_par_iter().for_each(|(path, held)| {
        if let Some(stamp) = held.stamp {
            *held = read(root, path, stamp);
        }
    });
}

/// Looks at a file and reads it.
pub(super) fn read_now(root: &Path, path: &Arc<str>) -> Held {
    match fs::metadata(root.join(&**path)) {
        Ok(metadata) => read(root, path, Stamp::of(&metadata)),
        Err(error) => Held::refused(None, walk::unreadable(&error)),
    }
}

/// Reads a file that was found with this stamp.
fn read(root: &Path, path: &Arc<str>, stamp: Stamp) -> Held {
    let refused = |fault| Held::refused(Some(stamp), fault);
    if stamp.length_bytes > FILE_MAX_BYTES {
        return refused(too_large(stamp.length_bytes));
    }
    let (stamp, bytes) = match read_bounded(&root.join(&**path)) {
        Ok(Some(read)) => read,
        Ok(None) => return refused(too_large(FILE_MAX_BYTES + 1)),
        Err(error) => return refused(walk::unreadable(&error)),
    };
    let stamp = Some(stamp);
    let raw = Digest::of(&bytes);
    if kind_of(path) == Kind::Bytes {
        return Held {
            stamp,
            item: Item::Bytes(bytes.into(), raw),
            faults: Vec::new(),
        };
    }
    let (text, fault) = text::decode(bytes);
    let file = SourceFile::new(Arc::clone(path), text, raw);
    Held {
        stamp,
        item: Item::Text(if fault.is_some() { file.refuse() } else { file }),
        faults: fault.into_iter().collect(),
    }
}

/// The bytes of a file with the stamp that it had before they were read, or `None` if it grew over
/// the limit since its length was taken.
fn read_bounded(path: &Path) -> io::Result<Option<(Stamp, Vec<u8>)>> {
    let file = File::open(path)?;
    // Of the open file: what stands at the path may be another one since it was found.
    let stamp = Stamp::of(&file.metadata()?);
    let length_bytes = stamp.length_bytes.min(FILE_MAX_BYTES);
    let mut bytes = Vec::with_capacity(usize::try_from(length_bytes).unwrap_or(0) + 1);
    file.take(FILE_MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= FILE_MAX_BYTES).then_some((stamp, bytes)))
}

fn too_large(length_bytes: u64) -> Fault {
    Fault::new(
        rule::TOO_LARGE,
        format!("the file has {length_bytes} bytes; the limit is {FILE_MAX_BYTES} (8 MiB)"),
    )
    .help("Split the file, or host it elsewhere and link to it.")
}
