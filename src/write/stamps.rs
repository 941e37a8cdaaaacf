//! What the files of a release looked like right after they were written.
//!
//! A file whose place on disk, length and time of change are still the same need not be read to
//! know that its bytes are those that the manifest says. The record is bound to the bytes of one
//! manifest; without it, or with another, files are read and their digests compared.

use super::cache;
use crate::output::OutputPath;
use crate::source::Digest;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// A change within this time of another may get the same time from the file system.
const SETTLED_NS: i64 = 20_000_000;

/// A second.
const SECOND_NS: i64 = 1_000_000_000;

/// Place on disk, length and time of change of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    device: u64,
    inode: u64,
    pub(super) length_bytes: u64,
    /// Since 1970.
    modified_ns: i64,
}

impl Stamp {
    /// The stamp of a file; `None` on systems that do not tell one file from another.
    #[cfg(unix)]
    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let place = (metadata.dev(), metadata.ino());
        let modified = (metadata.mtime(), metadata.mtime_nsec());
        metadata
            .is_file()
            .then(|| Self::new(place, metadata.len(), modified))?
    }

    /// The stamp of a folder. Its length says nothing, and its time is that of the last change of any kind,
    /// which nobody can set back.
    #[cfg(unix)]
    pub(super) fn of_folder(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let place = (metadata.dev(), metadata.ino());
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        metadata.is_dir().then(|| Self::new(place, 0, changed))?
    }

    /// `None` for a time that is centuries away: what says so is not to be told from others by it.
    #[cfg(unix)]
    fn new(
        (device, inode): (u64, u64),
        length_bytes: u64,
        (seconds, and_ns): (impl TryInto<i64>, impl TryInto<i64>),
    ) -> Option<Self> {
        let seconds_ns = seconds.try_into().ok()?.checked_mul(SECOND_NS)?;
        Some(Self {
            device,
            inode,
            length_bytes,
            modified_ns: seconds_ns.checked_add(and_ns.try_into().ok()?)?,
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
        let length_bytes = u64::try_from(stat.st_size).unwrap_or_default();
        let modified = (stat.st_mtime, stat.st_mtime_nsec);
        is_file.then(|| Self::new((stat.st_dev, stat.st_ino), length_bytes, modified))?
    }

    /// The stamp of what the system says of a folder; see [`Self::of_folder`].
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(super) fn of_stat_of_folder(stat: &rustix::fs::Stat) -> Option<Self> {
        let is_folder = rustix::fs::FileType::from_raw_mode(stat.st_mode).is_dir();
        let changed = (stat.st_ctime, stat.st_ctime_nsec);
        is_folder.then(|| Self::new((stat.st_dev, stat.st_ino), 0, changed))?
    }

    /// Whether the change is so long ago that a further one cannot leave the same time.
    pub(super) fn is_settled(&self, now_ns: i64) -> bool {
        self.modified_ns.saturating_add(SETTLED_NS) < now_ns
    }

    /// Reads a line of a record: its kind, the stamp, and the path.
    pub(super) fn read(line: &str) -> Option<(char, Self, &str)> {
        let kind = char::from(*line.as_bytes().first()?);
        let (device, rest) = number(line.get(1..)?.strip_prefix(' ')?)?;
        let (inode, rest) = number(rest)?;
        let (length_bytes, rest) = number(rest)?;
        let positive = rest.strip_prefix('-');
        let (since_1970_ns, path) = number(positive.unwrap_or(rest))?;
        let since_1970_ns = i64::try_from(since_1970_ns).ok()?;
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
pub(super) fn now_ns() -> i64 {
    let since_1970 = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since_1970.as_nanos()).unwrap_or(0)
}

/// The lines of a record that is bound to this manifest and whole.
fn lines_of<'t>(text: &'t str, manifest: &Digest) -> Option<std::str::Lines<'t>> {
    let (first, rest) = text.split_once('\n')?;
    let is_whole = Digest::parse(first)? == *manifest && text.ends_with('\n');
    is_whole.then(|| rest.lines())
}

/// A record, bound to the manifest with this digest: in parts, since that of a large release has
/// megabytes. Files and folders come in the order of their paths.
pub(super) fn to_parts<'a>(
    manifest: &Digest,
    files: impl Iterator<Item = (&'a OutputPath, Stamp)>,
    folders: &'a Folders,
) -> impl Iterator<Item = String> {
    let files = files.map(|(path, stamp)| ('f', path.as_str(), stamp));
    let folders = folders.iter();
    let folders = folders.map(|(path, stamp)| ('d', path.as_str(), *stamp));
    let parts = cache::in_parts(files.chain(folders), |(kind, path, stamp), part| {
        stamp.write(kind, path, part);
    });
    std::iter::once(format!("{manifest}\n")).chain(parts)
}

/// The stamps of these folders of `tree`, without those that changed so lately that a further change might
/// leave the same time. The tree itself has none: it is always looked at, since all that others put into a
/// release most often lies there, and all else is found through it.
pub(super) fn settled_folders<'a>(tree: &Path, folders: impl Iterator<Item = &'a str>) -> Folders {
    let now_ns = now_ns();
    let inner = folders.filter(|path| !path.is_empty());
    let settled = inner.filter_map(|path| {
        let metadata = fs::symlink_metadata(tree.join(path)).ok()?;
        let stamp = Stamp::of_folder(&metadata)?;
        stamp.is_settled(now_ns).then(|| (path.to_owned(), stamp))
    });
    settled.collect()
}

/// The stamps of folders, by their paths in the tree.
pub(super) type Folders = BTreeMap<String, Stamp>;

/// The stamps of a tree: of the files that a build wrote, and of the folders that hold nothing
/// else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stamps {
    pub(super) files: BTreeMap<OutputPath, Stamp>,
    pub(super) folders: Folders,
}

impl Stamps {
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

    /// Whether the folder at this path, which looks so now, is as it was when it was recorded: the same
    /// names stand for the same files, and nothing was added.
    pub(super) fn has_folder(&self, path: &str, now: &Metadata) -> bool {
        let recorded = self.folders.get(path).filter(|_| !path.is_empty());
        recorded.is_some() && Stamp::of_folder(now).as_ref() == recorded
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
        let of_time = |seconds: i64| Stamp::new((1, 2), 3, (seconds, 7_i64));
        assert_eq!(of_time(i64::MAX), None);
        assert_eq!(of_time(-1).unwrap().modified_ns, 7 - SECOND_NS);
        let path = OutputPath::new("two words.png").unwrap();
        stamps.files.insert(path, stamp);
        stamps.folders.insert(String::new(), stamp);
        stamps.folders.insert("terms/a b".to_owned(), stamp);
        let files = stamps.files.iter().map(|(path, stamp)| (path, *stamp));
        let text: String = to_parts(&Digest::of("a"), files, &stamps.folders).collect();
        assert_eq!(Stamps::parse(&text, &Digest::of("a")), Some(stamps));
        assert_eq!(Stamps::parse(&text, &Digest::of("b")), None);
        assert_eq!(
            Stamps::parse(&text[..text.len() - 1], &Digest::of("a")),
            None
        );
        assert_eq!(Stamps::parse("", &Digest::of("a")), None);
    }
}
