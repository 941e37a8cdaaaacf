//! What is known of a site's files, from one run to the next.

use super::stamp::Stamp;
use crate::source::Digest;
use std::cmp::Ordering;
use std::sync::Arc;

/// The length of a digest, in bytes.
const DIGEST_BYTES: usize = 32;

/// One file: its bytes, and what it looked like when they were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFile {
    /// Path relative to the site, with forward slashes.
    pub path: Arc<str>,
    /// `None` if the file may change without a trace: then it is read the next time.
    pub(super) stamp: Option<Stamp>,
    /// SHA-256 of the bytes as they lay on disk.
    pub raw: Digest,
}

impl KnownFile {
    /// Whether the file can be told from a changed one without reading it.
    pub fn is_stamped(&self) -> bool {
        self.stamp.is_some()
    }
}

/// Every file of a site, in the order of paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    files: Vec<KnownFile>,
}

/// How the files of a site differ from those of an earlier run, by their paths in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Files with other bytes.
    pub changed: Vec<Arc<str>>,
    /// Files that were not there.
    pub came: Vec<Arc<str>>,
    /// Files that are no longer there.
    pub gone: Vec<Arc<str>>,
}

impl Known {
    /// `files` stand in the order of their paths.
    pub(super) fn new(files: Vec<KnownFile>) -> Self {
        Self { files }
    }

    /// The files in the order of their paths.
    pub fn files(&self) -> &[KnownFile] {
        &self.files
    }

    /// The file at this path.
    pub fn find(&self, path: &str) -> Option<&KnownFile> {
        let at = self.files.binary_search_by(|file| (*file.path).cmp(path));
        at.ok().map(|at| &self.files[at])
    }

    /// How many files can be told from changed ones without reading them.
    pub fn count_stamped(&self) -> usize {
        self.files.iter().filter(|file| file.is_stamped()).count()
    }

    /// What is different from `before`.
    pub fn changes_since(&self, before: &Self) -> Changes {
        let mut changes = Changes::default();
        let (mut now, mut was) = (self.files.iter().peekable(), before.files.iter().peekable());
        loop {
            let order = match (now.peek(), was.peek()) {
                (None, None) => return changes,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(now), Some(was)) => now.path.cmp(&was.path),
            };
            let new = now.next_if(|_| order.is_le());
            let old = was.next_if(|_| order.is_ge());
            match (new, old) {
                (Some(new), Some(old)) if new.raw != old.raw => {
                    changes.changed.push(Arc::clone(&new.path));
                }
                (Some(new), None) => changes.came.push(Arc::clone(&new.path)),
                (None, Some(old)) => changes.gone.push(Arc::clone(&old.path)),
                _ => {}
            }
        }
    }

    /// Everything as bytes: for each file the length of its path, its path, its digest, whether
    /// there is a stamp, and the stamp.
    pub fn to_bytes(&self) -> Vec<u8> {
        let beside_path = size_of::<u32>() + DIGEST_BYTES + 1 + Stamp::BYTES;
        let room = |file: &KnownFile| file.path.len() + beside_path;
        let mut bytes = Vec::with_capacity(self.files.iter().map(room).sum());
        for file in &self.files {
            // No system has longer paths.
            let length_bytes = u32::try_from(file.path.len()).unwrap_or(u32::MAX);
            bytes.extend(length_bytes.to_le_bytes());
            bytes.extend(file.path.as_bytes());
            bytes.extend(file.raw.bytes());
            let stamp = file.stamp.and_then(Stamp::to_bytes);
            bytes.push(u8::from(stamp.is_some()));
            bytes.extend(stamp.iter().flatten());
        }
        bytes
    }

    /// Reads [`Self::to_bytes`] back; `None` for anything else.
    pub fn parse(mut bytes: &[u8]) -> Option<Self> {
        let mut files: Vec<KnownFile> = Vec::new();
        while !bytes.is_empty() {
            let length_bytes = u32::from_le_bytes(take(&mut bytes, 4)?.try_into().ok()?);
            let path = take(&mut bytes, usize::try_from(length_bytes).ok()?)?;
            let path = std::str::from_utf8(path).ok()?;
            if files.last().is_some_and(|last| *last.path >= *path) {
                return None;
            }
            let raw = Digest::from_bytes(take(&mut bytes, DIGEST_BYTES)?)?;
            let stamp = match take(&mut bytes, 1)? {
                [0] => None,
                [1] => Some(Stamp::from_bytes(take(&mut bytes, Stamp::BYTES)?)?),
                _ => return None,
            };
            let path = path.into();
            files.push(KnownFile { path, stamp, raw });
        }
        Some(Self { files })
    }
}

/// Takes the first bytes off.
fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (first, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, stamp: Option<Stamp>) -> KnownFile {
        KnownFile {
            path: path.into(),
            stamp,
            raw: Digest::of(path),
        }
    }

    #[test]
    fn bytes_are_read_back_and_nothing_else_is() {
        let stamp = Stamp::from_bytes(&[7; Stamp::BYTES]);
        let known = Known::new(vec![file("a", stamp), file("b c", None), file("ü", stamp)]);
        let bytes = known.to_bytes();
        assert_eq!(Known::parse(&bytes).as_ref(), Some(&known));
        assert_eq!(Known::parse(b""), Some(Known::default()));
        let whole: Vec<_> = (0..bytes.len())
            .filter_map(|end| Known::parse(&bytes[..end]))
            .map(|known| known.files.len())
            .collect();
        assert_eq!(whole, [0, 1, 2], "cut between files it is whole");
        let mut twice = bytes.clone();
        twice.extend(bytes);
        assert_eq!(Known::parse(&twice), None, "paths are in order");
        assert_eq!(known.find("b c").map(KnownFile::is_stamped), Some(false));
        assert_eq!(known.find("b"), None);
    }
}
