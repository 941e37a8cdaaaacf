//! A release that stands as the last build left it, to be changed in a few files.
//!
//! What a build writes is the same whether it goes this way or through [`super::Staging`]; this way costs
//! by the change and not by the release, but for one look at each file. So nothing is read into maps of
//! all paths: manifest and records stay the texts that they are, and the new ones are the old
//! ones with other lines in the places of a few. Whatever is not exactly as it was recorded, and
//! whatever no build wrote, is for a full build: then there is no such release ([`standing`]).

use super::amend::Amendment;
use super::cache::Cache;
use super::error::WriteError;
use super::opened::Opened;
use super::pages_text::PagesText;
use super::sound_cache;
use super::staging::{self, Placed, Report, lock};
use super::stamps::Stamp;
use super::stamps_text::StampsText;
use super::swap;
use super::target::{self, Target};
use super::tree;
use super::work::Work;
use crate::output::{
    EntryDigests, MANIFEST_NAME, MadeFrom, ManifestText, OutputPath, Release, Sink,
};
use crate::source::Digest;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A release that stands as the last build left it, and what is to change in it: files are put as into
/// any other [`Sink`], and all that is not put or removed stays. Dropped before [`Standing::commit`], it
/// leaves everything as it was; until then no other build of the release can begin.
#[derive(Debug)]
pub struct Standing {
    pub(super) out: PathBuf,
    new: PathBuf,
    pub(super) cache: Cache,
    pub(super) records: Records,
    changes: Mutex<BTreeMap<OutputPath, Option<Placed>>>,
    made: Mutex<BTreeMap<Arc<str>, Option<MadeFrom>>>,
    failure: Mutex<Option<WriteError>>,
    // Last, so that the lock outlives all else.
    pub(super) work: Work,
}

/// What is known of the release as it stands.
#[derive(Debug)]
pub(super) struct Records {
    /// The release itself.
    pub(super) tree: Opened,
    pub(super) manifest: ManifestText,
    /// Of the manifest's bytes.
    pub(super) digest: Digest,
    pub(super) stamps: StampsText,
    pub(super) pages: PagesText,
    /// How many files it has, the manifest aside.
    pub(super) files: usize,
}

/// Takes hold of a release to change it. `None` if its files do not stand exactly as a build left them, as
/// far as that is known, or if it held anything else then; errors are those of a full build. What
/// came since that no build wrote is found once the release has changed, and moved to the new one.
pub fn standing(target: &Target) -> Result<Option<Standing>, WriteError> {
    let out = target::resolve(&target.out)?;
    let Some(cache) = sound_cache(target, &out).map(Cache::new) else {
        return Ok(None);
    };
    target::check_surroundings(&target.site, &out)?;
    // Looked at before anything is made, so that a folder that is refused stays as it is.
    let Some(stamps) = cache.stamps(&out).and_then(StampsText::new) else {
        return Ok(None);
    };
    let work = Work::open(&out)?;
    swap::recover(&work, &out)?;
    let Some(records) = Records::read(&cache, &out, stamps) else {
        return Ok(None);
    };
    let new = work.new_folder();
    fs::create_dir(&new).map_err(WriteError::io("create the folder", &new))?;
    Ok(Some(Standing {
        out,
        new,
        cache,
        records,
        changes: Mutex::default(),
        made: Mutex::default(),
        failure: Mutex::default(),
        work,
    }))
}

/// A file, and how much of it was read.
struct Counted {
    file: File,
    read_bytes: u64,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read_bytes += u64::try_from(read).unwrap_or_default();
        Ok(read)
    }
}

impl Records {
    fn read(cache: &Cache, out: &Path, stamps: StampsText) -> Option<Self> {
        let manifest = tree::read(&out.join(MANIFEST_NAME)).ok()?;
        let digest = Digest::of(&manifest);
        if !stamps.is_of(&digest) {
            return None;
        }
        let manifest = ManifestText::new(String::from_utf8(manifest).ok()?)?;
        if !stamps.paths().eq(manifest.paths()) {
            return None;
        }
        let pages = PagesText::new(cache.pages(out)?, &digest)?;
        let tree = Opened::new(out).ok()?;
        let files = stamps.count_standing(&tree)?;
        if !stamps.known_foreign(&tree).ok()?.is_empty() {
            return None;
        }
        Some(Self {
            tree,
            manifest,
            digest,
            stamps,
            pages,
            files,
        })
    }
}

impl Standing {
    /// The digest of the manifest of the release as it stands.
    pub fn manifest(&self) -> &Digest {
        &self.records.digest
    }

    /// The bytes of a file of the release as it stands. `None` if it has none at this path, or it is no
    /// longer the one that was looked at.
    pub fn read(&self, path: &OutputPath) -> Option<Vec<u8>> {
        let length_bytes = self.records.stamps.stamp_of(path)?.length_bytes;
        // One more, so that the end is found without more room.
        let mut bytes = Vec::with_capacity(usize::try_from(length_bytes).ok()?.saturating_add(1));
        self.read_through(path, &mut |file| {
            file.read_to_end(&mut bytes).ok().map(|_| ())
        })?;
        Some(bytes)
    }

    /// Lets a file of the release as it stands be read from its beginning to its end. `None` where `reader`
    /// gives that, the release has no file at this path, or it is no longer the one that was looked
    /// at.
    pub fn read_through(
        &self,
        path: &OutputPath,
        reader: &mut dyn FnMut(&mut dyn Read) -> Option<()>,
    ) -> Option<()> {
        let recorded = self.records.stamps.stamp_of(path)?;
        let mut file = Counted {
            file: File::open(self.out.join(path.as_str())).ok()?,
            read_bytes: 0,
        };
        reader(&mut file)?;
        // Not before it: what is changed while it is read is seen, too.
        let stamp = Stamp::of(&file.file.metadata().ok()?);
        let is_same = stamp == Some(recorded) && file.read_bytes == recorded.length_bytes;
        is_same.then_some(())
    }

    /// The files that were made for a page, itself among them, when it was last made.
    pub fn files_of(&self, page: &str) -> Option<Vec<OutputPath>> {
        self.records.pages.files_of(page)
    }

    /// Takes a file out of the release, if it has one at this path.
    pub fn remove(&self, path: &OutputPath) {
        self.take_back(path);
        if self.records.manifest.digest_of(path).is_some() {
            lock(&self.changes).insert(path.clone(), None);
        }
    }

    /// Takes a page off the record of pages; its files are removed one by one.
    pub fn forget(&self, page: Arc<str>) {
        lock(&self.made).insert(page, None);
    }

    /// Puts the changes in place in one step. On an error the release stands untouched. Of the entries
    /// in the manifest only those that are named change: to these digests, or `None` to have the entry
    /// no more.
    pub fn commit(
        self,
        entries: &BTreeMap<Arc<str>, Option<EntryDigests>>,
    ) -> Result<Report, WriteError> {
        if let Some(failure) = lock(&self.failure).take() {
            return Err(failure);
        }
        let changes = std::mem::take(&mut *lock(&self.changes));
        let made = std::mem::take(&mut *lock(&self.made));
        Amendment::new(&self, &changes, entries).run(&made)
    }

    /// Forgets what was to become of a path, and removes what was put there.
    fn take_back(&self, path: &OutputPath) {
        if lock(&self.changes).remove(path).flatten().is_some() {
            let _ = fs::remove_file(self.new.join(path.as_str()));
        }
    }

    /// Notes what was put at a path; `None` if the file there has these bytes already.
    fn place(
        &self,
        path: &OutputPath,
        placed: Result<Option<Placed>, WriteError>,
    ) -> ControlFlow<()> {
        match placed {
            Ok(None) => {}
            Ok(placed) => {
                lock(&self.changes).insert(path.clone(), placed);
            }
            Err(error) => {
                lock(&self.failure).get_or_insert(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

impl Sink<Release> for Standing {
    fn put(&self, path: &OutputPath, bytes: Vec<u8>) -> ControlFlow<()> {
        self.take_back(path);
        let digest = Digest::of(&bytes);
        if self.records.manifest.digest_of(path) == Some(digest) {
            return self.place(path, Ok(None));
        }
        self.place(
            path,
            staging::write(&self.new, path, &bytes, digest).map(Some),
        )
    }

    fn put_parts(
        &self,
        path: &OutputPath,
        parts: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> ControlFlow<()> {
        self.take_back(path);
        let written = staging::write_parts(&self.new, path, parts).map(|written| {
            let is_kept = self.records.manifest.digest_of(path) == Some(written.digest);
            if is_kept {
                let _ = fs::remove_file(self.new.join(path.as_str()));
            }
            Some(written).filter(|_| !is_kept)
        });
        self.place(path, written)
    }

    fn made(&self, page: Arc<str>, from: MadeFrom) {
        lock(&self.made).insert(page, Some(from));
    }
}

impl Drop for Standing {
    fn drop(&mut self) {
        // After a commit there is nothing left here, or what a report named.
        let _ = swap::clean(&self.work, &self.out);
    }
}
