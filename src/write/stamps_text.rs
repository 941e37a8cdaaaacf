//! A record of stamps as it stands in the cache, for a tree of tens of thousands of files of which few
//! change: its lines are compared with the disk and with each other, and carried over, as they are.

use super::error::WriteError;
use super::opened::Opened;
use super::staging::Placed;
use super::stamps::{self, Stamp};
use super::tree::{self, folder_of};
use crate::output::{MANIFEST_NAME, OutputPath, Sorted, lines};
use crate::source::Digest;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// So much of a record is compared with the disk by one thread at a time.
const PART_BYTES: usize = 1 << 16;

/// A record: the digest of the manifest that it is bound to, then a line for each file and one for each
/// folder, both in the order of their paths.
#[derive(Debug)]
pub(super) struct StampsText {
    text: String,
    /// Where the lines of files are.
    files: Range<usize>,
    /// Every one of them.
    lines: Vec<Line>,
}

/// Where a line of a record is, without its newline.
#[derive(Debug, Clone, Copy)]
struct Line {
    begin: usize,
    /// Where its path begins, with which it ends.
    path: usize,
    end: usize,
}

/// Where a tree is not as it was recorded.
#[derive(Debug)]
pub(super) struct Looked<'t> {
    /// What no build wrote, by its path in the tree; what is below a path belongs to it.
    pub(super) foreign: Vec<PathBuf>,
    /// The folders of files in the record that are not as they were recorded, or were not recorded.
    pub(super) changed: BTreeSet<&'t str>,
    /// All folders of files in the record, in order.
    pub(super) folders: Vec<&'t str>,
}

/// What makes the files of one record those of another.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Difference<'o, 'n> {
    /// The paths of files that are no more.
    pub(super) gone: Vec<&'o str>,
    /// The lines of files that are new or not known to be the same.
    pub(super) other: Vec<&'n str>,
}

impl StampsText {
    /// Takes a record apart. `None` for one that is cut off.
    pub(super) fn new(text: String) -> Option<Self> {
        let begin = memchr::memchr(b'\n', text.as_bytes())? + 1;
        // The newline before the first folder ends what comes before it.
        let folders = memchr::memmem::find(text.as_bytes(), b"\nd ").map(|end| end + 1);
        let files = begin..folders.unwrap_or(text.len());
        let is_whole = text.ends_with('\n') && files.start <= files.end;
        is_whole.then(|| Self::of(text, files))
    }

    /// A record of whole lines. Where they are is found out once, since all of them are gone through
    /// again and again.
    fn of(text: String, files: Range<usize>) -> Self {
        let mut begin = files.start;
        let lines = lines(&text[files.clone()]).map(|line| {
            let end = begin + line.len();
            let path = end - path_of(line).len();
            let found = Line { begin, path, end };
            begin = end + 1;
            found
        });
        let lines = lines.collect();
        Self { text, files, lines }
    }

    /// Whether the record is bound to the manifest with this digest.
    pub(super) fn is_of(&self, manifest: &Digest) -> bool {
        Digest::parse(&self.text[..self.files.start - 1]) == Some(*manifest)
    }

    /// The record as text.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The paths of the files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.items().map(|(_, path)| path)
    }

    pub(super) fn file_lines(&self) -> impl Iterator<Item = &str> {
        self.items().map(|(line, _)| line)
    }

    /// The lines of the files, each with its path.
    fn items(&self) -> impl Iterator<Item = (&str, &str)> {
        let lines = self.lines.iter();
        lines.map(|line| {
            let Line { begin, path, end } = *line;
            (&self.text[begin..end], &self.text[path..end])
        })
    }

    fn folder_lines(&self) -> impl Iterator<Item = &str> {
        lines(&self.text[self.files.end..])
    }

    /// What the file at this path looked like.
    pub(super) fn stamp_of(&self, path: &OutputPath) -> Option<Stamp> {
        let (_, stamp, _) = Stamp::read(self.files().get(path.as_str())?)?;
        Some(stamp)
    }

    /// How many files there are, if each stands in `tree` as it was recorded.
    pub(super) fn count_standing(&self, tree: &Opened) -> Option<usize> {
        let parts = parts(&self.text[self.files.clone()]);
        let counts = parts.into_par_iter().map(|part| {
            let mut count = 0;
            for line in lines(part) {
                let (_, stamp, path) = Stamp::read(line)?;
                if tree.file(path) != Some(stamp) {
                    return None;
                }
                count += 1;
            }
            Some(count)
        });
        counts.sum()
    }

    /// Compares the folders of `tree` with the record, and finds in those that differ what the record
    /// does not list.
    pub(super) fn look_through(&self, tree: &Opened) -> Result<Looked<'_>, WriteError> {
        let folders = tree::folders_of(self.paths());
        let pairs: Vec<_> = folders
            .iter()
            .copied()
            .zip(self.lines_of(&folders))
            .collect();
        // The stamp of a link that took the place of a folder is none.
        let differing = pairs.into_par_iter().filter_map(|(folder, line)| {
            let recorded = line.and_then(Stamp::read).map(|(_, stamp, _)| stamp);
            let now = tree.folder(folder);
            let is_same = now.is_some() && now == recorded;
            (!is_same).then_some((folder, now.is_some()))
        });
        let differing: Vec<_> = differing.collect();
        let lost = differing.iter().filter(|(_, is_there)| !is_there);
        let lost: BTreeSet<&str> = lost.map(|(folder, _)| *folder).collect();
        // What lies where such a link leads is not of this tree, whatever it looks like.
        let is_lost = |folder: &str| {
            let mut places = std::iter::once(folder).chain(tree::above(folder));
            places.any(|place| lost.contains(place))
        };
        let mut changed: BTreeSet<_> = differing.iter().map(|(folder, _)| *folder).collect();
        if !lost.is_empty() {
            changed.extend(folders.iter().copied().filter(|folder| is_lost(folder)));
        }
        let there = changed.iter().copied().filter(|folder| !is_lost(folder));
        Ok(Looked {
            foreign: self.foreign_in(there, &folders, tree)?,
            changed,
            folders,
        })
    }

    /// What the record does not list in `tree` itself and in the folders that it has no line for: all of it
    /// that was there when the record was made. Folders with a line are not looked at.
    pub(super) fn known_foreign(&self, tree: &Opened) -> Result<Vec<PathBuf>, WriteError> {
        let folders = tree::folders_of(self.paths());
        let lines = self.lines_of(&folders).into_iter();
        let pairs = folders.iter().copied().zip(lines);
        let unknown = pairs.filter(|(_, line)| line.is_none());
        self.foreign_in(unknown.map(|(folder, _)| folder), &folders, tree)
    }

    /// What some of the `folders` of the record's files hold in `tree` and the record does not list.
    fn foreign_in<'f>(
        &self,
        some: impl Iterator<Item = &'f str>,
        folders: &[&str],
        tree: &Opened,
    ) -> Result<Vec<PathBuf>, WriteError> {
        let mut foreign = Vec::new();
        for folder in some.filter(|folder| is_inside(folder)) {
            tree::list_foreign(&tree.at(""), folder, &mut foreign, |path, is_folder| {
                if is_folder {
                    folders.binary_search(&path).is_ok()
                } else {
                    path == MANIFEST_NAME || self.files().get(path).is_some()
                }
            })?;
        }
        Ok(foreign)
    }

    /// The line of each of these folders, which come in order, where there is one. The tree itself has none,
    /// whatever stands in the record; see [`stamps::settled_folders`].
    fn lines_of(&self, folders: &[&str]) -> Vec<Option<&str>> {
        let mut lines = self.folder_lines().peekable();
        let find = |folder: &&str| {
            while lines.next_if(|line| path_of(line) < *folder).is_some() {}
            let line = lines.next_if(|line| path_of(line) == *folder);
            line.filter(|_| !folder.is_empty())
        };
        folders.iter().map(find).collect()
    }

    /// The record of the files with some changed, added or taken out, bound to another manifest and
    /// without folders.
    pub(super) fn patched(
        &self,
        manifest: &Digest,
        changes: &BTreeMap<OutputPath, Option<Placed>>,
    ) -> Self {
        let mut text = String::with_capacity(self.files.end + changes.len() * 256);
        text.push_str(&manifest.to_string());
        text.push('\n');
        let begin = text.len();
        let changes = changes.iter().map(|(path, placed)| {
            let line = placed.and_then(|placed| placed.stamp).map(|stamp| {
                let mut line = String::new();
                stamp.write('f', path.as_str(), &mut line);
                line
            });
            (path.as_str(), line)
        });
        self.files().patch(&mut text, changes, |_, _| {});
        let files = begin..text.len();
        Self::of(text, files)
    }

    /// What makes the files of this record those of `new`. A line that is the same in both is not
    /// taken for the same file if it is in a folder that `is_doubtful`.
    pub(super) fn difference<'o, 'n>(
        &'o self,
        new: &'n Self,
        is_doubtful: impl Fn(&str) -> bool,
    ) -> Difference<'o, 'n> {
        let mut difference = Difference::default();
        let mut old = self.items().peekable();
        // Files of one folder stand together.
        let mut last = ("", is_doubtful(""));
        for (line, path) in new.items() {
            let folder = folder_of(path);
            if last.0 != folder {
                last = (folder, is_doubtful(folder));
            }
            let mut is_same = old.next_if(|(old, _)| *old == line).is_some();
            if !is_same {
                while let Some((_, gone)) = old.next_if(|(_, old)| *old < path) {
                    difference.gone.push(gone);
                }
                is_same = old.next_if(|(old, _)| *old == line).is_some();
                if !is_same {
                    let _ = old.next_if(|(_, old)| *old == path);
                }
            }
            if !is_same || last.1 {
                difference.other.push(line);
            }
        }
        difference.gone.extend(old.map(|(_, path)| path));
        difference
    }

    /// The lines of `folders`, which come in order, in `tree` as it is now: of those that are not
    /// `touched`, as they are in `old`. A folder that changed so lately that a further change might
    /// leave the same time has none.
    pub(super) fn folders_in(
        tree: &Opened,
        folders: &[&str],
        old: Option<&Self>,
        touched: &BTreeSet<String>,
    ) -> String {
        let known = old.map(|old| old.lines_of(folders));
        let now_ns = stamps::now_ns();
        let mut text = String::new();
        let inner = folders.iter().enumerate();
        for (place, folder) in inner.filter(|(_, folder)| !folder.is_empty()) {
            let known = known.as_ref().and_then(|known| known[place]);
            if let Some(line) = known.filter(|_| !touched.contains(*folder)) {
                text.push_str(line);
                text.push('\n');
                continue;
            }
            let stamp = tree.folder(folder).filter(|stamp| stamp.is_settled(now_ns));
            if let Some(stamp) = stamp {
                stamp.write('d', folder, &mut text);
            }
        }
        text
    }

    /// The lines of folders without those that hold one of these paths.
    pub(super) fn without(folders: &str, foreign: &[PathBuf]) -> String {
        let holders: BTreeSet<_> = foreign.iter().filter_map(|path| path.parent()).collect();
        let lines = folders.split_inclusive('\n');
        lines
            .filter(|line| !holders.contains(Path::new(path_of(line))))
            .collect()
    }

    fn files(&self) -> Sorted<'_> {
        Sorted {
            text: &self.text[self.files.clone()],
            begins: |_| true,
            key: path_of,
        }
    }
}

/// The path of a line, after five other fields.
pub(super) fn path_of(line: &str) -> &str {
    let spaces = memchr::memchr_iter(b' ', line.as_bytes());
    let path = spaces.take(5).last().map_or("", |space| &line[space + 1..]);
    path.strip_suffix('\n').unwrap_or(path)
}

/// Whether a folder of a record, which anybody may have changed, is in the tree.
fn is_inside(folder: &str) -> bool {
    folder.is_empty() || OutputPath::new(folder).is_ok()
}

/// A text of whole lines in parts of whole lines.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::with_capacity(text.len() / PART_BYTES + 1);
    let mut rest = text;
    while rest.len() > PART_BYTES {
        let end = memchr::memchr(b'\n', &rest.as_bytes()[PART_BYTES..]);
        let end = end.map_or(rest.len(), |end| PART_BYTES + end + 1);
        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::staging::How;
    use crate::write::stamps::{self, Stamps};

    const NAMES: [&str; 6] = ["404.html", "a b/c", "a-b/c", "a.txt", "a/b", "a/d/e"];

    fn stamp(name: &str, version: usize) -> Stamp {
        let numbers = format!("f 1 {} {version} -{version} {name}", name.len());
        Stamp::read(&numbers).unwrap().1
    }

    fn stamps(present: usize, version: usize) -> Stamps {
        let there = NAMES
            .iter()
            .enumerate()
            .filter(|(place, _)| present >> place & 1 == 1);
        Stamps {
            files: there
                .map(|(place, name)| {
                    (
                        OutputPath::new(name).unwrap(),
                        stamp(name, version * (place % 2)),
                    )
                })
                .collect(),
            folders: BTreeMap::new(),
        }
    }

    fn record(of: &Stamps, manifest: &Digest) -> String {
        let files = of.files.iter().map(|(path, stamp)| (path, *stamp));
        stamps::to_parts(manifest, files, &of.folders).collect()
    }

    fn text(stamps: &Stamps) -> StampsText {
        StampsText::new(record(stamps, &Digest::of("manifest"))).unwrap()
    }

    #[test]
    fn a_changed_record_is_that_of_the_changed_files() {
        let other = Digest::of("other");
        for before in 0..64 {
            let mut old = stamps(before, 0);
            old.folders.insert("a".to_owned(), stamp("a", 7));
            let old_text = text(&old);
            assert!(old_text.is_of(&Digest::of("manifest")) && !old_text.is_of(&other));
            let paths = old.files.keys().map(OutputPath::as_str);
            assert!(old_text.paths().eq(paths));
            for after in 0..64 {
                let new = stamps(after, 1);
                let gone = old
                    .files
                    .keys()
                    .filter(|path| !new.files.contains_key(*path));
                let put = new.files.iter().map(|(path, stamp)| {
                    let placed = Placed {
                        digest: other,
                        stamp: Some(*stamp),
                        how: How::Written,
                    };
                    (path.clone(), Some(placed))
                });
                let changes = gone.map(|path| (path.clone(), None)).chain(put).collect();
                let patched = old_text.patched(&other, &changes);
                assert_eq!(
                    patched.as_str(),
                    record(&new, &other),
                    "{before} to {after}"
                );
            }
        }
    }

    #[test]
    fn two_records_differ_where_their_files_do() {
        for before in 0..64 {
            let old = stamps(before, 0);
            for after in 0..64 {
                let new = stamps(after, 1);
                let (old_text, new_text) = (text(&old), text(&new));
                let difference = old_text.difference(&new_text, |folder| folder == "a");
                let gone = old
                    .files
                    .keys()
                    .filter(|path| !new.files.contains_key(*path));
                assert!(
                    gone.map(OutputPath::as_str).eq(difference.gone),
                    "{before} to {after}"
                );
                let other = new.files.iter().filter(|(path, stamp)| {
                    folder_of(path.as_str()) == "a" || old.files.get(*path) != Some(*stamp)
                });
                let other = other.map(|(path, _)| path.as_str());
                assert!(other.eq(difference.other.into_iter().map(path_of)));
            }
        }
    }

    #[test]
    fn a_text_falls_into_parts_of_whole_lines() {
        let line = "0123456789\n";
        for lines in [
            0,
            1,
            PART_BYTES / line.len(),
            PART_BYTES / line.len() + 1,
            20_000,
        ] {
            let text = line.repeat(lines);
            let parts = parts(&text);
            assert_eq!(parts.concat(), text);
            assert!(parts.iter().all(|part| part.len() % line.len() == 0));
        }
        assert!(parts(&line.repeat(20_000)).len() > 2);
    }

    #[test]
    fn files_need_the_folders_above_them() {
        assert_eq!(
            tree::folders_of(NAMES.into_iter()),
            ["", "a", "a b", "a-b", "a/d"]
        );
        assert_eq!(
            tree::folders_of(["a/b/c/d", "a/x"].into_iter()),
            ["", "a", "a/b", "a/b/c"]
        );
    }
}
