//! What the files of a release looked like right after they were written.
//!
//! A file whose place on disk, length and time of change are still the same need not be read to
//! know that its bytes are those that the manifest says. The record is bound to the bytes of one
//! manifest; without it, or with another, files are read and their digests compared.

use crate::output::OutputPath;
use crate::source::Digest;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// A change within this time of another may get the same time from the file system.
const SETTLED_NS: i128 = 20_000_000;

/// The room of a line beside its path, as it is in most cases: four numbers.
const LINE_BYTES: usize = 64;

/// Place on disk, length and time of change of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    device: u64,
    inode: u64,
    pub(super) length_bytes: u64,
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

    /// The stamp of a folder, whose length says nothing.
    #[cfg(unix)]
    pub(super) fn of_folder(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        metadata.is_dir().then(|| Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            length_bytes: 0,
            modified_ns: i128::from(metadata.mtime()) * 1_000_000_000
                + i128::from(metadata.mtime_nsec()),
        })
    }

    /// The stamp of a file; `None` on systems that do not tell one file from another.
    #[cfg(not(unix))]
    pub(super) fn of(_: &Metadata) -> Option<Self> {
        None
    }

    /// The stamp of a folder; `None` on systems that do not tell one from another.
    #[cfg(not(unix))]
    pub(super) fn of_folder(_: &Metadata) -> Option<Self> {
        None
    }
}

impl Stamp {
    /// The stamp of what the system says of a file.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(super) fn of_stat(stat: &rustix::fs::Stat) -> Option<Self> {
        let is_file = rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file();
        is_file.then(|| Self::of_times(stat))
    }

    /// The stamp of what the system says of a folder, whose length says nothing.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(super) fn of_stat_of_folder(stat: &rustix::fs::Stat) -> Option<Self> {
        let is_folder = rustix::fs::FileType::from_raw_mode(stat.st_mode).is_dir();
        is_folder.then(|| Self {
            length_bytes: 0,
            ..Self::of_times(stat)
        })
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn of_times(stat: &rustix::fs::Stat) -> Self {
        Self {
            device: stat.st_dev,
            inode: stat.st_ino,
            length_bytes: u64::try_from(stat.st_size).unwrap_or_default(),
            modified_ns: i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec),
        }
    }

    /// Whether the change is so long ago that a further one cannot leave the same time.
    pub(super) fn is_settled(&self, now_ns: i128) -> bool {
        self.modified_ns + SETTLED_NS < now_ns
    }

    /// Reads a line of a record: its kind, the stamp, and the path.
    pub(super) fn read(line: &str) -> Option<(char, Self, &str)> {
        let kind = char::from(*line.as_bytes().first()?);
        let (device, rest) = number(line.get(1..)?.strip_prefix(' ')?)?;
        let (inode, rest) = number(rest)?;
        let (length_bytes, rest) = number(rest)?;
        let positive = rest.strip_prefix('-');
        let (since_1970_ns, path) = number(positive.unwrap_or(rest))?;
        let since_1970_ns = i128::from(since_1970_ns);
        let stamp = Self {
            device,
            inode,
            length_bytes,
            modified_ns: if positive.is_some() {
                -since_1970_ns
            } else {
                since_1970_ns
            },
        };
        Some((kind, stamp, path))
    }

    /// Adds a line to a record.
    pub(super) fn write(&self, kind: char, path: &str, text: &mut String) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{kind} {} {} {} {} {path}",
            self.device, self.inode, self.length_bytes, self.modified_ns
        );
    }
}

/// A number and what follows it after a space.
fn number(text: &str) -> Option<(u64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[digits..].strip_prefix(' ').filter(|_| digits > 0)?;
    let mut value = 0_u64;
    for digit in text[..digits].bytes() {
        value = value
            .checked_mul(10)?
            .checked_add(u64::from(digit - b'0'))?;
    }
    Some((value, rest))
}

/// The time, in nanoseconds since 1970.
pub(super) fn now_ns() -> i128 {
    let since_1970 = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i128::try_from(since_1970.as_nanos()).unwrap_or(0)
}

/// The lines of a record that is bound to this manifest and whole.
fn lines_of<'t>(text: &'t str, manifest: &Digest) -> Option<std::str::Lines<'t>> {
    let (first, rest) = text.split_once('\n')?;
    let is_whole = Digest::parse(first)? == *manifest && text.ends_with('\n');
    is_whole.then(|| rest.lines())
}

/// The stamps of a tree: of the files that a build wrote, and of the folders that hold nothing
/// else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stamps {
    pub(super) files: BTreeMap<OutputPath, Stamp>,
    /// By their paths in the tree; the tree itself is the empty path.
    pub(super) folders: BTreeMap<String, Stamp>,
}

impl Stamps {
    /// The record, bound to the manifest with this digest.
    pub(super) fn to_text(&self, manifest: &Digest) -> String {
        let paths = self.files.keys().map(|path| path.as_str().len());
        let room = paths.sum::<usize>() + LINE_BYTES * (self.files.len() + self.folders.len() + 1);
        let mut text = String::with_capacity(room);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{manifest}");
        let files = self
            .files
            .iter()
            .map(|(path, stamp)| ('f', path.as_str(), stamp));
        let folders = self
            .folders
            .iter()
            .map(|(path, stamp)| ('d', path.as_str(), stamp));
        for (kind, path, stamp) in files.chain(folders) {
            stamp.write(kind, path, &mut text);
        }
        text
    }

    /// Reads a record. Nothing of it is taken if it is bound to another manifest, or damaged.
    pub(super) fn parse(text: &str, manifest: &Digest) -> Option<Self> {
        // Lines stand in the order of paths, so that maps are made at once.
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for line in lines_of(text, manifest)? {
            let (kind, stamp, path) = Stamp::read(line)?;
            if kind == 'd' {
                folders.push((path.to_owned(), stamp));
            } else {
                files.push((OutputPath::new(path).ok()?, stamp));
            }
        }
        Some(Self {
            files: files.into_iter().collect(),
            folders: folders.into_iter().collect(),
        })
    }

    /// Whether the folder at this path in `tree` is as it was when it was recorded: the same
    /// names stand for the same files, and nothing was added.
    pub(super) fn is_same_folder(&self, tree: &Path, path: &str) -> bool {
        let Some(recorded) = self.folders.get(path) else {
            return false;
        };
        let now = fs::symlink_metadata(tree.join(path));
        now.ok().and_then(|metadata| Stamp::of_folder(&metadata)) == Some(*recorded)
    }

    /// Records these folders of `tree`, unless they changed so lately that a further change might
    /// leave the same time.
    pub(super) fn record_folders<'a>(
        &mut self,
        tree: &Path,
        folders: impl Iterator<Item = &'a str>,
    ) {
        let now_ns = now_ns();
        for path in folders {
            let metadata = fs::symlink_metadata(tree.join(path));
            let stamp = metadata
                .ok()
                .and_then(|metadata| Stamp::of_folder(&metadata));
            if let Some(stamp) = stamp.filter(|stamp| stamp.is_settled(now_ns)) {
                self.folders.insert(path.to_owned(), stamp);
            }
        }
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
        let path = OutputPath::new("two words.png").unwrap();
        stamps.files.insert(path, stamp);
        stamps.folders.insert(String::new(), stamp);
        stamps.folders.insert("terms/a b".to_owned(), stamp);
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
