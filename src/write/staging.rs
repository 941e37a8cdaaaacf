//! An output on its way to disk.

use super::cache::Cache;
use super::commit::Commit;
use super::error::WriteError;
use super::pages::{self, Pages};
use super::stamps::{Stamp, Stamps};
use super::swap::{self, Before};
use super::target::Place;
use super::tree;
use super::work::Work;
use crate::output::{EntryDigests, MadeFrom, Manifest, OutputPath, Proof, Purpose, Sink};
use crate::source::{Digest, Digester};
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An output that is being written beside its place. Dropped before [`Staging::commit`], it is
/// gone without a trace.
#[derive(Debug)]
pub struct Staging<P> {
    out: PathBuf,
    new: PathBuf,
    before: Before,
    old: Manifest,
    /// The digest of the old manifest's bytes.
    old_digest: Option<Digest>,
    old_stamps: Stamps,
    /// What the pages of the old output were made from, where that is known.
    old_pages: Pages,
    cache: Option<Cache>,
    files: Mutex<BTreeMap<OutputPath, Placed>>,
    pages: Mutex<Pages>,
    failure: Mutex<Option<WriteError>>,
    purpose: PhantomData<fn() -> P>,
    // Last, so that the lock outlives all else.
    work: Work,
}

/// A file of the new output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub(super) digest: Digest,
    pub(super) stamp: Option<Stamp>,
    pub(super) how: How,
}

/// Where a file of the new output comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// It was written just now.
    Written,
    /// The output before has it.
    Kept,
}

impl Placed {
    /// Makes sure that a second name stands for the file that was looked at: it may have been
    /// changed since, or copied.
    pub(super) fn check(&self, at: &Path) -> Result<(), WriteError> {
        let now = fs::metadata(at).ok().and_then(|now| Stamp::of(&now));
        if now.is_some() && now == self.stamp {
            return Ok(());
        }
        let bytes = tree::read(at).map_err(WriteError::io("read", at))?;
        if Digest::of(&bytes) == self.digest {
            return Ok(());
        }
        let changed = io::Error::other("the file was changed while the build ran");
        Err(WriteError::io("write", at)(changed))
    }
}

/// What a build changed on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Where the output stands, its links followed.
    pub out: PathBuf,
    /// The digest of its manifest.
    pub manifest: Digest,
    /// Files with new bytes.
    pub written: usize,
    /// Files whose bytes the output before had already.
    pub kept: usize,
    /// Files of the output before that are no more.
    pub removed: usize,
    /// Files that no build wrote, all still there.
    pub foreign: usize,
    /// What could not be removed, or put in the new output, of the one before.
    pub left: Vec<PathBuf>,
}

impl<P: Purpose> Staging<P> {
    pub(super) fn new(work: Work, place: Place, cache: Option<&Path>) -> Result<Self, WriteError> {
        let cache = cache.map(Cache::new);
        let new = work.new_folder();
        let old_digest = place.old.as_ref().map(|(_, digest)| *digest);
        let (old, old_stamps, old_pages) = match place.old {
            None => (empty_manifest::<P>(), Stamps::default(), Pages::new()),
            Some((manifest, digest)) => {
                let text = cache.as_ref().and_then(|cache| cache.stamps(&place.out));
                let stamps = text.and_then(|text| Stamps::parse(&text, &digest));
                let text = cache.as_ref().and_then(|cache| cache.pages(&place.out));
                let pages = text.and_then(|text| pages::parse(&text, &digest));
                (
                    manifest,
                    stamps.unwrap_or_default(),
                    pages.unwrap_or_default(),
                )
            }
        };
        fs::create_dir(&new).map_err(WriteError::io("create the folder", &new))?;
        Ok(Self {
            out: place.out,
            new,
            before: place.before,
            old,
            old_digest,
            old_stamps,
            old_pages,
            cache,
            files: Mutex::default(),
            pages: Mutex::default(),
            failure: Mutex::default(),
            purpose: PhantomData,
            work,
        })
    }

    /// The manifest of the output that stands there now, if one does.
    pub fn old(&self) -> Option<&Manifest> {
        (self.before == Before::Release).then_some(&self.old)
    }

    /// Puts the output in its place, whole. On an error the one before stands untouched.
    pub fn commit(self, entries: BTreeMap<Arc<str>, EntryDigests>) -> Result<Report, WriteError> {
        if let Some(failure) = lock(&self.failure).take() {
            return Err(failure);
        }
        let files = std::mem::take(&mut *lock(&self.files));
        let pages = std::mem::take(&mut *lock(&self.pages));
        let manifest = Manifest {
            contents: P::CONTENTS,
            files: files
                .iter()
                .map(|(path, placed)| (path.clone(), placed.digest))
                .collect(),
            entries,
        };
        let commit = Commit {
            work: &self.work,
            out: &self.out,
            before: self.before,
            old: (&self.old, &self.old_stamps),
            pages: (&self.old_pages, &pages),
            old_digest: self.old_digest,
            cache: self.cache.as_ref(),
            files: &files,
            manifest: &manifest,
        };
        commit.run()
    }

    /// The old output's file at this path, if its bytes have this digest: known from the stamp of
    /// last time, or else by reading it.
    fn find_old(&self, path: &OutputPath, digest: &Digest) -> Option<Placed> {
        if self.old.files.get(path) != Some(digest) {
            return None;
        }
        self.stands(path, digest)
    }

    /// The same for a digest that the old manifest has for the path.
    fn stands(&self, path: &OutputPath, digest: &Digest) -> Option<Placed> {
        let at = self.out.join(path.as_str());
        let metadata = fs::symlink_metadata(&at).ok().filter(Metadata::is_file)?;
        let stamp = Stamp::of(&metadata);
        let kept = Placed {
            digest: *digest,
            stamp,
            how: How::Kept,
        };
        if stamp.is_some() && stamp == self.old_stamps.files.get(path).copied() {
            return Some(kept);
        }
        let bytes = tree::read(&at).ok()?;
        (Digest::of(&bytes) == *digest).then_some(kept)
    }

    /// Whether the old output's file passes another proof than the one that it passed when it was made.
    fn passes(&self, path: &OutputPath, placed: &Placed, proof: &dyn Proof) -> bool {
        let bytes = tree::read(&self.out.join(path.as_str()));
        bytes.is_ok_and(|bytes| Digest::of(&bytes) == placed.digest && proof.holds(path, &bytes))
    }

    fn place(&self, path: &OutputPath, placed: Placed) {
        lock(&self.files).insert(path.clone(), placed);
    }
}

impl<P: Purpose> Sink<P> for Staging<P> {
    fn put(&self, path: &OutputPath, bytes: Vec<u8>) -> ControlFlow<()> {
        let digest = Digest::of(&bytes);
        let placed = match self.find_old(path, &digest) {
            Some(kept) => kept,
            None => match write(&self.new, path, &bytes, digest) {
                Ok(written) => written,
                Err(error) => {
                    lock(&self.failure).get_or_insert(error);
                    return ControlFlow::Break(());
                }
            },
        };
        self.place(path, placed);
        ControlFlow::Continue(())
    }

    fn put_parts(
        &self,
        path: &OutputPath,
        parts: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> ControlFlow<()> {
        // Its digest is known only when it is written; then a file that stands already is kept.
        let written = write_parts(&self.new, path, parts).map(|written| {
            let kept = self.find_old(path, &written.digest);
            if kept.is_some() {
                let _ = fs::remove_file(self.new.join(path.as_str()));
            }
            kept.unwrap_or(written)
        });
        match written {
            Ok(placed) => self.place(path, placed),
            Err(error) => {
                lock(&self.failure).get_or_insert(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn keep(&self, page: &str, key: &Digest, proof: &dyn Proof) -> bool {
        let Some((name, from)) = self.old_pages.get_key_value(page) else {
            return false;
        };
        if from.key != *key {
            return false;
        }
        let found = from.files.iter().map(|path| {
            let digest = self.old.files.get(path)?;
            Some((path.clone(), self.stands(path, digest)?))
        });
        // All or none, so that a page is never half an old one.
        let Some(found) = found.collect::<Option<Vec<_>>>() else {
            return false;
        };
        let mut from = Arc::clone(from);
        if from.proof != proof.digest() {
            if !found
                .iter()
                .all(|(path, placed)| self.passes(path, placed, proof))
            {
                return false;
            }
            Arc::make_mut(&mut from).proof = proof.digest();
        }
        lock(&self.files).extend(found);
        lock(&self.pages).insert(Arc::clone(name), from);
        true
    }

    fn made(&self, page: Arc<str>, from: MadeFrom) {
        lock(&self.pages).insert(page, Arc::new(from));
    }
}

impl<P> Drop for Staging<P> {
    fn drop(&mut self) {
        // After a commit there is nothing left here, or what a report named.
        let _ = swap::clean(&self.work, &self.out);
    }
}

fn empty_manifest<P: Purpose>() -> Manifest {
    Manifest {
        contents: P::CONTENTS,
        files: BTreeMap::new(),
        entries: BTreeMap::new(),
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a file of a new output.
pub(super) fn write(
    new: &Path,
    path: &OutputPath,
    bytes: &[u8],
    digest: Digest,
) -> Result<Placed, WriteError> {
    let at = new.join(path.as_str());
    let written = create(&at).and_then(|mut file| {
        file.write_all(bytes)?;
        file.metadata()
    });
    let metadata = written.map_err(WriteError::io("write", &at))?;
    Ok(Placed {
        digest,
        stamp: Stamp::of(&metadata),
        how: How::Written,
    })
}

/// Writes a file of a new output that comes in parts.
pub(super) fn write_parts(
    new: &Path,
    path: &OutputPath,
    parts: &mut dyn Iterator<Item = Vec<u8>>,
) -> Result<Placed, WriteError> {
    let at = new.join(path.as_str());
    let written = create(&at).and_then(|mut file| {
        let mut digest = Digester::new();
        for part in parts {
            digest.update(&part);
            file.write_all(&part)?;
        }
        Ok(Placed {
            digest: digest.finish(),
            stamp: Stamp::of(&file.metadata()?),
            how: How::Written,
        })
    });
    written.map_err(WriteError::io("write", &at))
}

/// Makes a file that must not be there yet, and the folders that it needs.
fn create(path: &Path) -> io::Result<File> {
    File::create_new(path).or_else(|error| {
        let Some(parent) = path
            .parent()
            .filter(|_| error.kind() == io::ErrorKind::NotFound)
        else {
            return Err(error);
        };
        fs::create_dir_all(parent)?;
        File::create_new(path)
    })
}
