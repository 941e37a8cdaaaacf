//! From files that lie about to a release that stands in its place.

use super::cache::Cache;
use super::error::WriteError;
use super::pages::{self, Pages};
use super::spare::{self, Plan, Spare};
use super::staging::{How, Placed, Report};
use super::stamps::{self, Folders, Stamp, Stamps};
use super::swap::{self, Before};
use super::tree::{self, Foreign, Ours};
use super::work::Work;
use crate::output::{MANIFEST_NAME, Manifest, OutputPath};
use crate::source::Digest;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// Up to this many new files are flushed one by one; for more, the whole file system is.
const FLUSHED_SINGLY_MAX: usize = 64;

/// All that the last step of a build needs.
#[derive(Debug)]
pub(super) struct Commit<'a> {
    pub(super) work: &'a Work,
    pub(super) out: &'a Path,
    pub(super) before: Before,
    /// What the build before wrote, and how it looked.
    pub(super) old: (&'a Manifest, &'a Stamps),
    /// What the pages of the build before were made from, and those of this one.
    pub(super) pages: (&'a Pages, &'a Pages),
    /// The digest of the bytes of the manifest before.
    pub(super) old_digest: Option<Digest>,
    pub(super) cache: Option<&'a Cache>,
    pub(super) files: &'a BTreeMap<OutputPath, Placed>,
    pub(super) manifest: &'a Manifest,
}

impl Commit<'_> {
    /// Puts the output in its place, unless it stands there already.
    pub(super) fn run(&self) -> Result<Report, WriteError> {
        let mut report = self.report();
        let is_unchanged = report.written == 0 && self.old_digest == Some(report.manifest);
        if is_unchanged && self.before == Before::Release {
            let old = &self.old.1;
            if !self
                .stamps()
                .eq(old.files.iter().map(|(path, stamp)| (path, *stamp)))
            {
                self.remember(&old.folders, &report.manifest);
            }
            if self.pages.0 != self.pages.1 {
                self.remember_pages(&report.manifest);
            }
            return Ok(report);
        }
        self.gather()?;
        let foreign = self.carry()?;
        report.foreign = foreign.0;
        self.finish()?;
        let folders = match self.cache {
            Some(_) => self.pure_folders(&foreign.1),
            None => Folders::new(),
        };
        swap::swap(self.work, self.out, self.before)?;
        report.left = self.put_away();
        self.remember(&folders, &report.manifest);
        self.remember_pages(&report.manifest);
        Ok(report)
    }

    fn report(&self) -> Report {
        let written = |placed: &&Placed| placed.how == How::Written;
        let written = self.files.values().filter(written).count();
        let gone = |path: &&OutputPath| !self.files.contains_key(*path);
        Report {
            out: self.out.to_owned(),
            manifest: self.manifest.digest(),
            written,
            kept: self.files.len() - written,
            removed: self.old.0.files.keys().filter(gone).count(),
            foreign: 0,
            left: Vec::new(),
        }
    }

    /// How the files looked right after they were written.
    fn stamps(&self) -> impl Iterator<Item = (&OutputPath, Stamp)> {
        let stamp = |(path, placed): (_, &Placed)| Some((path, placed.stamp?));
        self.files.iter().filter_map(stamp)
    }

    /// The folders of the new tree that hold nothing `foreign`.
    fn pure_folders(&self, foreign: &Foreign<'_>) -> Folders {
        let ours = Ours::new(self.manifest);
        let pure = ours.folders.iter().copied();
        let pure = pure.filter(|folder| !foreign.folders.contains(*folder));
        stamps::settled_folders(&self.work.new_folder(), pure)
    }

    /// Makes the work folder's `new` hold every file: by bringing the spare tree up to date, or
    /// else by linking what is kept to what was written.
    fn gather(&self) -> Result<(), WriteError> {
        let new = self.work.new_folder();
        if self.use_spare(&new) {
            return Ok(());
        }
        let _ = tree::remove_any(&self.work.spare_folder());
        let kept: Vec<_> = self
            .files
            .iter()
            .filter(|(_, placed)| placed.how == How::Kept)
            .collect();
        kept.into_par_iter().try_for_each(|(path, placed)| {
            let to = new.join(path.as_str());
            tree::link(&self.out.join(path.as_str()), &to).map_err(WriteError::io("write", &to))?;
            placed.check(&to)
        })
    }

    /// Whether the spare tree could be used. If not, nothing is lost: what was written is still
    /// where it was.
    fn use_spare(&self, new: &Path) -> bool {
        let Some(cache) = self.cache.filter(|_| self.before == Before::Release) else {
            return false;
        };
        let Some(spare) = Spare::take(cache, self.out, self.work) else {
            return false;
        };
        let plan = Plan {
            files: self.files,
            manifest: self.manifest,
            release: self.out,
            written: new,
        };
        if spare.bring_up_to_date(&plan).is_err() {
            return false;
        }
        spare::adopt(self.work).is_ok()
    }

    /// Links what no build wrote into the new tree; returns how many files that is, and what.
    fn carry(&self) -> Result<(usize, Foreign<'_>), WriteError> {
        if self.before == Before::Nothing {
            return Ok((0, Foreign::default()));
        }
        let new = self.work.new_folder();
        let foreign = Ours::new(self.old.0).find_foreign(self.out, self.old.1)?;
        let mut files = 0;
        for path in &foreign.paths {
            files += tree::carry(&self.out.join(path), &new.join(path))?;
        }
        tree::take_permissions(self.out, &new)?;
        Ok((files, foreign))
    }

    /// Writes the manifest, last of all, and makes sure that what is new is on the disk before it
    /// takes the place of what was there.
    fn finish(&self) -> Result<(), WriteError> {
        let new = self.work.new_folder();
        write_manifest(&new, |file| self.manifest.write_to(file))?;
        if self.before == Before::Nothing {
            // There is nothing to lose, and the build can be run again.
            return Ok(());
        }
        let written = self
            .files
            .iter()
            .filter(|(_, placed)| placed.how == How::Written);
        let written: Vec<_> = written.map(|(path, _)| path).collect();
        flush(&new, &written)
    }

    /// Puts the tree that was exchanged where the next build can use it, or removes it.
    fn put_away(&self) -> Vec<PathBuf> {
        let tree = self.work.new_folder();
        let mut left = match self.cache {
            // Without a record of it, it would be of no use.
            Some(cache) if tree.exists() && !self.old.1.files.is_empty() => {
                let ours = Ours::new(self.old.0);
                let left = tree::move_foreign(&tree, self.out, &ours, self.old.1);
                spare::retire(cache, self.out, &tree, left)
            }
            _ => Vec::new(),
        };
        if left.is_empty() {
            left = swap::clean(self.work, self.out);
        }
        left
    }

    /// Remembers what files and folders look like. Failing costs the next build time, and nothing else.
    fn remember(&self, folders: &Folders, manifest: &Digest) {
        if let Some(cache) = self.cache {
            cache.put_stamps(self.out, stamps::to_parts(manifest, self.stamps(), folders));
        }
    }

    /// Remembers what the pages were made from. Failing costs time alone, here too.
    fn remember_pages(&self, manifest: &Digest) {
        if let Some(cache) = self.cache.filter(|_| !self.pages.1.is_empty()) {
            cache.put_pages(self.out, pages::to_parts(self.pages.1, manifest));
        }
    }
}

/// Writes the manifest of a new tree.
pub(super) fn write_manifest(
    new: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), WriteError> {
    let path = new.join(MANIFEST_NAME);
    let written = File::create_new(&path).and_then(|file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.flush()
    });
    written.map_err(WriteError::io("write", &path))
}

/// Makes sure that the manifest and what was written of a new tree are on the disk.
pub(super) fn flush(new: &Path, written: &[&OutputPath]) -> Result<(), WriteError> {
    let flushed = if written.len() <= FLUSHED_SINGLY_MAX {
        let written = written.par_iter().map(|path| path.as_str());
        let all = written.chain([MANIFEST_NAME]);
        all.try_for_each(|path| File::open(new.join(path))?.sync_all())
    } else {
        sync(new)
    };
    flushed.map_err(WriteError::io("flush", new))
}

/// Waits until the folder's file system has all of it on the disk.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn sync(folder: &Path) -> io::Result<()> {
    rustix::fs::syncfs(File::open(folder)?).map_err(io::Error::from)
}

/// Waits until the manifest is on the disk, which is all that can be had in one call.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder.join(MANIFEST_NAME))?.sync_all()
}
