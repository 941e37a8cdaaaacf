//! What a build makes: addresses, bytes, and the list of both.
//!
//! Rendering gives its files one by one to a [`Sink`], so that ten thousand pages need not lie in
//! memory at once: a release's sink writes them to disk, a preview's keeps them ([`Output`]).
//! Every address is an [`OutputPath`], which cannot leave the folder it is joined to, and is
//! claimed once ([`Addresses`]). A sink for a release takes nothing that was made for a preview:
//! the two differ in type.

mod addresses;
mod manifest;
mod manifest_text;
mod out_folder;
mod path;
mod reserved;
mod sorted;

pub(crate) use addresses::released;
pub use addresses::{Addresses, Origin, STATIC_PREFIX};
pub use manifest::{Contents, EntryDigests, MANIFEST_NAME, Manifest};
pub use manifest_text::ManifestText;
pub use out_folder::{Overlap, check_out, overlap};
pub use path::{OutputPath, PATH_MAX_BYTES, PathFault, SEGMENT_MAX_BYTES};
pub use reserved::{REPLACEABLE, SEARCH_FOLDER, SEARCH_MODULE, WRITTEN_BY_BUILDS};
pub(crate) use sorted::{Sorted, lines};

use crate::source::Digest;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// What an output is for. Only the two below are.
pub trait Purpose: sealed::Sealed + Send + Sync + 'static {
    /// What such an output may hold.
    const CONTENTS: Contents;
}

/// An output that goes to readers: what two people signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {}

/// An output for those who write: every entry, drafts under a banner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preview {}

impl Purpose for Release {
    const CONTENTS: Contents = Contents::Published;
}

impl Purpose for Preview {
    const CONTENTS: Contents = Contents::WithDrafts;
}

mod sealed {
    /// Keeps the purposes to two.
    pub trait Sealed {}
    impl Sealed for super::Release {}
    impl Sealed for super::Preview {}
}

/// Takes finished files, from several threads at once.
pub trait Sink<P: Purpose>: Sync {
    /// Takes one file. `Break` says that the sink cannot take more (the disk is full): whoever
    /// renders stops, and the sink itself reports why.
    fn put(&self, path: &OutputPath, bytes: Vec<u8>) -> ControlFlow<()>;

    /// Takes one file that comes in parts, so that a long one need not lie in memory whole. A part
    /// ends where no text of an author can run on into the next (`glossary.json`: between terms), and
    /// the file is packed in no way: the audit looks at each part by itself.
    fn put_parts(
        &self,
        path: &OutputPath,
        parts: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> ControlFlow<()> {
        self.put(path, parts.flatten().collect())
    }

    /// Takes all files that the last build made for this page, if it made them from what has the
    /// digest `key`, they still stand as it left them, and the proof holds for each. Then they need
    /// not be made again; `false` says that they must.
    fn keep(&self, page: &str, key: &Digest, proof: &dyn Proof) -> bool {
        let _ = (page, key, proof);
        false
    }

    /// Is told which files were put for a page and what it was made from, so that the next build
    /// can keep them. Nothing was found about them.
    fn made(&self, page: Arc<str>, from: MadeFrom) {
        let _ = (page, from);
    }
}

/// What finished files are proved against.
pub trait Proof: Sync {
    /// The digest of all that decides whether a file of a page passes, besides what the page depends on.
    fn digest(&self) -> Digest;

    /// Whether the file at this path passes.
    fn holds(&self, path: &OutputPath, bytes: &[u8]) -> bool;
}

/// What a page was made from, and its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeFrom {
    /// The digest of all that they depend on.
    pub key: Digest,
    /// The digest of the proof that they passed.
    pub proof: Digest,
    /// The page itself and all files that were made with it.
    pub files: Vec<OutputPath>,
}

/// How an entry of a release hangs together with the others, so that a later build can make its page
/// alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tie {
    /// The path of its file in the site.
    pub file: Arc<str>,
    /// The digest of all that any other page, and any list, may show of it; `None` for an entry whose
    /// page cannot be made alone.
    pub face: Option<Digest>,
    /// The entries that its page depends on, by their numbers among those of the release.
    pub others: Vec<u32>,
}

/// An output in memory: an ordered map from addresses to bytes.
#[derive(Debug)]
pub struct Output<P> {
    files: Mutex<BTreeMap<OutputPath, Arc<[u8]>>>,
    purpose: PhantomData<fn() -> P>,
}

impl<P: Purpose> Output<P> {
    /// An empty output.
    pub fn new() -> Self {
        Self {
            files: Mutex::default(),
            purpose: PhantomData,
        }
    }

    /// The files, in the order of their addresses.
    pub fn into_files(self) -> BTreeMap<OutputPath, Arc<[u8]>> {
        self.files
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Purpose> Default for Output<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Purpose> Sink<P> for Output<P> {
    fn put(&self, path: &OutputPath, bytes: Vec<u8>) -> ControlFlow<()> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(path.clone(), bytes.into());
        ControlFlow::Continue(())
    }
}
