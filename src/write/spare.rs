//! The release before the last, kept so that the next one need not be built up from nothing.
//!
//! A release takes its place as a whole tree, and making a tree of tens of thousands of names costs
//! more than the one page that changed. So the tree that was exchanged is kept in the cache; the
//! next build brings it up to date, which takes as many steps as there are changes, and exchanges
//! the two again. Nothing in it is trusted: a name counts only if it still stands for the very
//! file that was just found right in the release, and what is not listed is removed.

use super::cache::Cache;
use super::error::WriteError;
use super::staging::{How, Placed};
use super::stamps::{Stamp, Stamps};
use super::tree::{self, Ours};
use super::work::Work;
use crate::output::{MANIFEST_NAME, Manifest, OutputPath};
use crate::source::Digest;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A tree that may become the new release.
#[derive(Debug)]
pub(super) struct Spare {
    tree: PathBuf,
    manifest: Manifest,
    stamps: Stamps,
}

/// What a tree is to become.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan<'a> {
    /// Every file of the new release.
    pub(super) files: &'a BTreeMap<OutputPath, Placed>,
    /// The same, as its manifest.
    pub(super) manifest: &'a Manifest,
    /// Where the kept ones stand.
    pub(super) release: &'a Path,
    /// Where the written ones stand.
    pub(super) written: &'a Path,
}

impl Spare {
    /// Takes the spare tree of a release out of the cache, if there is one that can be used.
    pub(super) fn take(cache: &Cache, out: &Path, work: &Work) -> Option<Self> {
        let tree = work.spare_folder();
        fs::rename(cache.spare(out), &tree).ok()?;
        let json = tree::read(&tree.join(MANIFEST_NAME)).ok()?;
        let stamps = cache.spare_stamps(out)?;
        Some(Self {
            tree,
            manifest: Manifest::parse(&json)?,
            stamps: Stamps::parse(&stamps, &Digest::of(&json))?,
        })
    }

    /// Makes the tree what the plan says, all but the manifest. After an error it is of no use.
    pub(super) fn bring_up_to_date(&self, plan: &Plan) -> Result<(), WriteError> {
        let failed = |error| WriteError::io("bring up to date", &self.tree)(error);
        // A tree without a manifest is nobody's release, should this be the last that happens.
        tree::remove_any(&self.tree.join(MANIFEST_NAME)).map_err(failed)?;
        let ours = Ours::new(&self.manifest);
        let foreign = ours.find_foreign(&self.tree, &self.stamps)?;
        for path in &foreign.paths {
            tree::remove_any(&self.tree.join(path)).map_err(failed)?;
        }
        self.remove_old(&ours, plan).map_err(failed)?;
        // Files of one folder stand together.
        let mut last = ("", foreign.same.contains(""));
        for (path, placed) in plan.files {
            let folder = tree::folder_of(path.as_str());
            if last.0 != folder {
                last = (folder, foreign.same.contains(folder));
            }
            if !self.has(path, placed, last.1) {
                self.put(path, placed, plan)?;
            }
        }
        Ok(())
    }

    fn remove_old(&self, ours: &Ours, plan: &Plan) -> io::Result<()> {
        let old = self.manifest.files.keys();
        for path in old.filter(|path| !plan.files.contains_key(*path)) {
            tree::remove_any(&self.tree.join(path.as_str()))?;
        }
        let needed = Ours::new(plan.manifest).folders;
        // From the innermost outwards: a folder's path comes before those below it.
        for folder in ours
            .folders
            .iter()
            .rev()
            .filter(|folder| !needed.contains(*folder))
        {
            tree::remove_any(&self.tree.join(folder))?;
        }
        Ok(())
    }

    /// Whether the name already stands for the file that was found right in the release.
    fn has(&self, path: &OutputPath, placed: &Placed, is_same_folder: bool) -> bool {
        if placed.how != How::Kept || placed.stamp.is_none() {
            return false;
        }
        if is_same_folder {
            // The names in the folder are those of the record, so this one is the same file.
            return self.stamps.files.get(path).copied() == placed.stamp;
        }
        let now = fs::symlink_metadata(self.tree.join(path.as_str()));
        now.ok().and_then(|metadata| Stamp::of(&metadata)) == placed.stamp
    }

    fn put(&self, path: &OutputPath, placed: &Placed, plan: &Plan) -> Result<(), WriteError> {
        let from = match placed.how {
            How::Kept => plan.release,
            How::Written => plan.written,
        };
        let to = self.tree.join(path.as_str());
        tree::remove_any(&to)
            .and_then(|()| tree::link(&from.join(path.as_str()), &to))
            .map_err(WriteError::io("write", &to))?;
        placed.check(&to)
    }
}

/// Makes a spare tree that is up to date the new release. The written files have their second names in
/// it now, so that the place where they were is removed; on an error they are there still.
pub(super) fn adopt(work: &Work) -> io::Result<()> {
    let (new, aside) = (work.new_folder(), work.written_folder());
    fs::rename(&new, &aside)
        .and_then(|()| fs::rename(work.spare_folder(), &new))
        .inspect_err(|_| {
            let _ = fs::rename(&aside, &new);
        })?;
    let _ = tree::remove_any(&aside);
    Ok(())
}

/// Keeps the tree that was exchanged as the next spare one, if nothing is `left` in it that no build
/// wrote. Returns what had to be left of it; a tree that cannot be kept is removed.
pub(super) fn retire(cache: &Cache, out: &Path, tree: &Path, left: Vec<PathBuf>) -> Vec<PathBuf> {
    if !left.is_empty() {
        return left;
    }
    let spare = cache.spare(out);
    let kept = tree::remove_any(&spare).and_then(|()| fs::rename(tree, &spare));
    match kept {
        Ok(()) => {
            cache.retire_stamps(out);
            Vec::new()
        }
        // The cache may lie on another disk.
        Err(_) => tree::remove(tree, out),
    }
}
