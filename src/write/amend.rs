//! From a release that stands, and a few changes, to the one that takes its place.

use super::commit;
use super::error::WriteError;
use super::opened::Opened;
use super::pages;
use super::spare;
use super::staging::{How, Placed, Report};
use super::stamps::Stamp;
use super::stamps_text::{Difference, StampsText, path_of};
use super::standing::Standing;
use super::swap::{self, Before};
use super::tree;
use crate::output::{EntryDigests, MANIFEST_NAME, MadeFrom, OutputPath};
use crate::source::Digest;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

/// All that the last step of a build needs.
#[derive(Debug)]
pub(super) struct Amendment<'a> {
    standing: &'a Standing,
    /// Files that are new or other ones, or no more.
    changes: &'a BTreeMap<OutputPath, Option<Placed>>,
    /// The text of the new manifest, and its digest.
    manifest: String,
    digest: Digest,
    /// What the files of the new release look like.
    stamps: StampsText,
}

/// A tree that became the new release but for the manifest.
struct Gathered {
    /// How it looked before, if it is one that was used again.
    before: Option<StampsText>,
    /// The folders that changed since.
    touched: BTreeSet<String>,
}

impl<'a> Amendment<'a> {
    pub(super) fn new(
        standing: &'a Standing,
        changes: &'a BTreeMap<OutputPath, Option<Placed>>,
        entries: &BTreeMap<Arc<str>, Option<EntryDigests>>,
    ) -> Self {
        let digests = changes.iter().map(|(path, placed)| {
            let digest = placed.map(|placed| placed.digest);
            (path.clone(), digest)
        });
        let manifest = standing
            .records
            .manifest
            .patched(&digests.collect(), entries);
        let digest = Digest::of(&manifest);
        Self {
            standing,
            changes,
            stamps: standing.records.stamps.patched(&digest, changes),
            manifest,
            digest,
        }
    }

    /// Puts the changes in place, if there are any, and remembers what was made.
    pub(super) fn run(
        &self,
        made: &BTreeMap<Arc<str>, Option<MadeFrom>>,
    ) -> Result<Report, WriteError> {
        let Standing {
            out,
            work,
            cache,
            records,
            ..
        } = self.standing;
        let mut report = self.report();
        let pages = records.pages.patched(made);
        if self.digest == records.digest {
            if !records.pages.is_same(&pages) {
                self.remember_pages(&pages);
            }
            return Ok(report);
        }
        let needed = tree::folders_of(self.stamps.paths());
        let gathered = self.gather(&needed)?;
        self.finish()?;
        let new = work.new_folder();
        let tree = Opened::new(&new).map_err(WriteError::io("look at", &new))?;
        let before = gathered.before.as_ref();
        let folders = StampsText::folders_in(&tree, &needed, before, &gathered.touched);
        swap::swap(work, out, Before::Release)?;
        let foreign;
        (foreign, report.left) = self.put_away();
        report.foreign = tree::count_files(out, &foreign);
        let folders = StampsText::without(&folders, &foreign);
        cache.put_stamps(out, [self.stamps.as_str(), &folders]);
        self.remember_pages(&pages);
        Ok(report)
    }

    fn report(&self) -> Report {
        let written = self.changes.values().flatten().count();
        let removed = self.changes.len() - written;
        let manifest = &self.standing.records.manifest;
        let put = self.changes.iter().filter(|(_, placed)| placed.is_some());
        let replaced = put.filter(|(path, _)| manifest.digest_of(path).is_some());
        Report {
            out: self.standing.out.clone(),
            manifest: self.digest,
            written,
            kept: self.standing.records.files - removed - replaced.count(),
            removed,
            foreign: 0,
            left: Vec::new(),
        }
    }

    /// Makes the work folder's `new` hold every file: by bringing the spare tree up to date, or else by
    /// making another.
    fn gather(&self, needed: &[&str]) -> Result<Gathered, WriteError> {
        let work = &self.standing.work;
        let spare = work.spare_folder();
        let gathered = match self.use_spare(needed) {
            Some(gathered) => gathered,
            // Nothing is lost: what was written is where it was.
            None => self.make_tree(needed)?,
        };
        spare::adopt(work).map_err(WriteError::io("put the new files together in", &spare))?;
        Ok(gathered)
    }

    fn use_spare(&self, needed: &[&str]) -> Option<Gathered> {
        let Standing {
            out, work, cache, ..
        } = self.standing;
        let at = work.spare_folder();
        fs::rename(cache.spare(out), &at).ok()?;
        // A link that came just now would lead out of the site.
        if !tree::is_folder(&at) {
            return None;
        }
        let before = StampsText::new(cache.spare_stamps(out)?)?;
        let touched = self
            .bring_up_to_date(&Opened::new(&at).ok()?, &before, needed)
            .ok()?;
        Some(Gathered {
            before: Some(before),
            touched,
        })
    }

    fn make_tree(&self, needed: &[&str]) -> Result<Gathered, WriteError> {
        let at = self.standing.work.spare_folder();
        let made = tree::remove_any(&at).and_then(|()| {
            fs::create_dir(&at)?;
            // From the outermost inwards: a folder's path comes after those above it.
            let mut folders = needed.iter().skip(1);
            folders.try_for_each(|folder| fs::create_dir(at.join(folder)))?;
            Opened::new(&at)
        });
        let tree = made.map_err(WriteError::io("create the folder", &at))?;
        let lines: Vec<_> = self.stamps.file_lines().collect();
        self.put(&lines, &tree)?;
        Ok(Gathered {
            before: None,
            touched: BTreeSet::new(),
        })
    }

    /// Makes a tree hold every file, and nothing else. Nothing in it is trusted: a name counts only if
    /// its folder is as it was recorded, and the record has the very file that was just found right
    /// in the release. Returns the folders that changed. After an error the tree is of no use.
    fn bring_up_to_date(
        &self,
        tree: &Opened,
        before: &StampsText,
        needed: &[&str],
    ) -> Result<BTreeSet<String>, WriteError> {
        let looked = before.look_through(tree)?;
        let Difference { gone, other } =
            before.difference(&self.stamps, |folder| looked.changed.contains(folder));
        // From the innermost outwards.
        let had = looked.folders.iter().rev();
        let gone_folders = had.filter(|folder| needed.binary_search(folder).is_err());
        // A tree without a manifest is nobody's release, should this be the last that happens.
        let removed = tree::remove_any(&tree.at(MANIFEST_NAME)).and_then(|()| {
            looked
                .foreign
                .iter()
                .try_for_each(|path| tree::remove_any(&tree.at(path)))?;
            let gone = gone.iter().chain(gone_folders);
            gone.copied().try_for_each(|path| remove(tree, path))
        });
        removed.map_err(WriteError::io("bring up to date", &tree.at("")))?;
        self.put(&other, tree)?;
        let mut touched: BTreeSet<_> = looked
            .changed
            .iter()
            .map(|folder| (*folder).to_owned())
            .collect();
        for path in gone.into_iter().chain(other.into_iter().map(path_of)) {
            // Folders may have come or gone with the file.
            touched.extend(tree::above(path).map(str::to_owned));
        }
        // The manifest is put there last.
        touched.insert(String::new());
        Ok(touched)
    }

    /// Links the files of these lines into a tree that has all else, unless they stand there.
    fn put(&self, lines: &[&str], tree: &Opened) -> Result<(), WriteError> {
        let new = self.standing.work.new_folder();
        let written = Opened::new(&new).map_err(WriteError::io("look at", &new))?;
        lines
            .par_iter()
            .try_for_each(|line| match Stamp::read(line) {
                Some((_, stamp, path)) if tree.file(path) != Some(stamp) => {
                    let path = OutputPath::new(path).map_err(|fault| {
                        WriteError::io("write", &tree.at(""))(io::Error::other(fault.to_string()))
                    })?;
                    self.put_one(&path, stamp, &written, tree)
                }
                _ => Ok(()),
            })
    }

    fn put_one(
        &self,
        path: &OutputPath,
        stamp: Stamp,
        written: &Opened,
        tree: &Opened,
    ) -> Result<(), WriteError> {
        let records = &self.standing.records;
        let put = self.changes.get(path).copied().flatten();
        let from = if put.is_some() {
            written
        } else {
            &records.tree
        };
        let kept = |digest| Placed {
            digest,
            stamp: Some(stamp),
            how: How::Kept,
        };
        let placed = put.or_else(|| records.manifest.digest_of(path).map(kept));
        let at = tree.at(path.as_str());
        let linked = match from.link(path.as_str(), tree) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                tree::remove_any(&at).and_then(|()| from.link(path.as_str(), tree))
            }
            other => other,
        };
        linked.map_err(WriteError::io("write", &at))?;
        placed.map_or(Ok(()), |placed| placed.check(&at))
    }

    /// Writes the manifest, last of all, and makes sure that what is new is on the disk before it
    /// takes the place of what was there.
    fn finish(&self) -> Result<(), WriteError> {
        let new = self.standing.work.new_folder();
        tree::take_permissions(&self.standing.out, &new)?;
        commit::write_manifest(&new, |file| file.write_all(self.manifest.as_bytes()))?;
        let written = self.changes.iter().filter(|(_, placed)| placed.is_some());
        commit::flush(&new, &written.map(|(path, _)| path).collect::<Vec<_>>())
    }

    /// Puts the tree that was exchanged where the next build can use it, or removes it. Returns what no
    /// build wrote, which the new release has now, and what had to be left of the tree.
    fn put_away(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let Standing {
            out,
            work,
            cache,
            records,
            ..
        } = self.standing;
        let tree = work.new_folder();
        let (mut foreign, mut left) = (Vec::new(), Vec::new());
        if tree.exists() {
            let opened = Opened::new(&tree).map_err(WriteError::io("look at", &tree));
            let found = opened.and_then(|opened| Ok(records.stamps.look_through(&opened)?.foreign));
            foreign = found.as_ref().ok().cloned().unwrap_or_default();
            left = spare::retire(cache, out, &tree, tree::move_all(&tree, out, found));
        }
        if left.is_empty() {
            left = swap::clean(work, out);
        }
        (foreign, left)
    }

    /// Remembers what the pages were made from. Failing costs the next build time, and nothing else.
    fn remember_pages(&self, lines: &str) {
        let Standing { out, cache, .. } = self.standing;
        let bound = pages::bind(lines, &self.digest);
        cache.put_pages(out, [&bound, lines]);
    }
}

/// Removes what stands at a path of a record, which anybody may have changed.
fn remove(tree: &Opened, path: &str) -> io::Result<()> {
    OutputPath::new(path).map_err(|fault| io::Error::other(fault.to_string()))?;
    tree::remove_any(&tree.at(path))
}
