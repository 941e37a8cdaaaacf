//! What the files of a release looked like right after they were written.
//!
//! A file whose place on disk, length and time of change are still the same need not be read to
//! know that its bytes are those that the manifest says. The record is bound to the bytes of one
//! manifest; without it, or with another, files are read and their digests compared.

use crate::output::OutputPath;
use crate::source::Digest;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::Metadata;

/// Place on disk, length and time of change of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    device: u64,
    inode: u64,
    length_bytes: u64,
    modified_ns: i128,
}

impl Stamp {
    /// The stamp of a file; `None` on systems that do not tell one file from another.
    #[cfg(unix)]
    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        metadata.is_file().then(|| Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            length_bytes: metadata.len(),
            modified_ns: i128::from(metadata.mtime()) * 1_000_000_000
                + i128::from(metadata.mtime_nsec()),
        })
    }

    /// The stamp of a file; `None` on systems that do not tell one file from another.
    #[cfg(not(unix))]
    pub(super) fn of(_: &Metadata) -> Option<Self> {
        None
    }
}

/// The stamps of a release's files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stamps {
    files: BTreeMap<OutputPath, Stamp>,
}

impl Stamps {
    pub(super) fn insert(&mut self, path: OutputPath, stamp: Stamp) {
        self.files.insert(path, stamp);
    }

    pub(super) fn get(&self, path: &OutputPath) -> Option<Stamp> {
        self.files.get(path).copied()
    }

    /// The record, bound to the manifest with this digest.
    pub(super) fn to_text(&self, manifest: &Digest) -> String {
        let mut text = format!("{manifest}\n");
        for (path, stamp) in &self.files {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{} {} {} {} {path}",
                stamp.device, stamp.inode, stamp.length_bytes, stamp.modified_ns
            );
        }
        text
    }

    /// Reads a record. Nothing of it is taken if it is bound to another manifest, or damaged.
    pub(super) fn parse(text: &str, manifest: &Digest) -> Option<Self> {
        let (first, rest) = text.split_once('\n')?;
        if Digest::parse(first)? != *manifest || !text.ends_with('\n') {
            return None;
        }
        let mut stamps = Self::default();
        for line in rest.lines() {
            let mut fields = line.splitn(5, ' ');
            let stamp = Stamp {
                device: fields.next()?.parse().ok()?,
                inode: fields.next()?.parse().ok()?,
                length_bytes: fields.next()?.parse().ok()?,
                modified_ns: fields.next()?.parse().ok()?,
            };
            stamps.insert(OutputPath::new(fields.next()?).ok()?, stamp);
        }
        Some(stamps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_taken_for_its_own_manifest_only() {
        let mut stamps = Stamps::default();
        let stamp = Stamp {
            device: 1,
            inode: 2,
            length_bytes: 3,
            modified_ns: -4,
        };
        stamps.insert(OutputPath::new("two words.png").unwrap(), stamp);
        let text = stamps.to_text(&Digest::of("a"));
        assert_eq!(Stamps::parse(&text, &Digest::of("a")), Some(stamps));
        assert_eq!(Stamps::parse(&text, &Digest::of("b")), None);
        assert_eq!(
            Stamps::parse(&text[..text.len() - 1], &Digest::of("a")),
            None
        );
        assert_eq!(Stamps::parse("", &Digest::of("a")), None);
    }
}
