//! Source text and places in it.
//!
//! Every byte that a person wrote is reached through [`Sources`]: a fixed-order list of files with
//! their text. A [`Span`] is a byte range of one of them; it is resolved to line and column only
//! when a finding is shown. Nothing here reads a disk.

mod digest;
mod exact;
mod lines;
pub mod path;
mod span;

pub use digest::{Digest, Digester, Hasher};
pub use exact::make_exact;
pub use lines::{LineIndex, Position};
pub use span::{FileId, Span, Spanned};

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Whether a file was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// It was; `text` is its text, or empty for a file that is copied as it is.
    Taken,
    /// It was not, and a finding says why. No stage looks into it.
    Refused,
}

/// One text file of a site, or the record of a file that could not be read as text.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Path relative to the site, with forward slashes.
    pub path: Arc<str>,
    /// The text with a leading byte-order mark removed and every line end turned into `\n`.
    /// In a file that was refused it only shows the place of the finding; see [`Self::readable`].
    pub text: Arc<str>,
    /// SHA-256 of the bytes as they lie on disk; of nothing, for a file that was not opened.
    pub raw: Digest,
    /// Whether the text is there.
    pub reading: Reading,
    /// Shared by every copy of the file, so that a copy of ten thousand files is cheap.
    lines: Arc<OnceLock<LineIndex>>,
}

impl SourceFile {
    /// Makes a file from text that already has `\n` line ends.
    pub fn new(path: impl Into<Arc<str>>, text: impl Into<Arc<str>>, raw: Digest) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            raw,
            reading: Reading::Taken,
            lines: Arc::default(),
        }
    }

    /// The record of a file that was not read: too large, unreadable, a link out of the site. It
    /// has a finding already, so that nothing need be said about its text.
    pub fn refused(path: impl Into<Arc<str>>) -> Self {
        Self::new(path, "", Digest::of("")).refuse()
    }

    /// The same file, refused for its bytes. Its text still shows where the fault is.
    #[must_use]
    pub fn refuse(self) -> Self {
        Self {
            reading: Reading::Refused,
            ..self
        }
    }

    /// The text for whoever makes something of it; `None` for a refused file, which has its one
    /// finding already.
    pub fn readable(&self) -> Option<&Arc<str>> {
        (!self.is_refused()).then_some(&self.text)
    }

    /// Whether the file was not read.
    pub fn is_refused(&self) -> bool {
        self.reading == Reading::Refused
    }

    /// The index from byte offsets to lines, made on first use.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }
}

/// A file that is not text of ours: copied to the release as it is.
#[derive(Debug, Clone)]
pub struct BinaryFile {
    /// Its record among the sources, for findings about it.
    pub file: FileId,
    /// The bytes, as on disk.
    pub bytes: Arc<[u8]>,
}

/// All files of a site, in the order of their paths. A copy shares everything with what it is a
/// copy of, until one of the two is changed.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Arc<Vec<Arc<SourceFile>>>,
    by_path: Arc<BTreeMap<Arc<str>, FileId>>,
    binaries: Arc<BTreeMap<Arc<str>, BinaryFile>>,
}

/// A file as it is now. Equal stamps stand for equal contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The file.
    pub file: FileId,
    raw: Digest,
    is_refused: bool,
}

/// Which files there are, whatever is in them. Two are equal if a path names the same file in both.
#[derive(Debug, Clone)]
pub struct Listing {
    by_path: Arc<BTreeMap<Arc<str>, FileId>>,
    binaries: Arc<BTreeMap<Arc<str>, BinaryFile>>,
}

impl PartialEq for Listing {
    fn eq(&self, other: &Self) -> bool {
        let same_paths =
            Arc::ptr_eq(&self.by_path, &other.by_path) || self.by_path == other.by_path;
        same_paths
            && (Arc::ptr_eq(&self.binaries, &other.binaries)
                || self.binaries.keys().eq(other.binaries.keys()))
    }
}

impl Sources {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text file and returns its id. A path added twice keeps its first id and takes the
    /// new content.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        if let Some(&id) = self.by_path.get(&file.path) {
            if self.binaries.contains_key(&file.path) {
                Arc::make_mut(&mut self.binaries).remove(&file.path);
            }
            Arc::make_mut(&mut self.files)[id.index()] = Arc::new(file);
            return id;
        }
        let id = FileId::new(self.files.len());
        Arc::make_mut(&mut self.by_path).insert(Arc::clone(&file.path), id);
        Arc::make_mut(&mut self.files).push(Arc::new(file));
        id
    }

    /// Takes a file out. Its id is not given again, so that what is known of a file by its id is
    /// never taken for something about another.
    pub fn remove(&mut self, path: &str) {
        let Some(id) = Arc::make_mut(&mut self.by_path).remove(path) else {
            return;
        };
        Arc::make_mut(&mut self.binaries).remove(path);
        let gone = SourceFile::refused(Arc::clone(&self.file(id).path));
        Arc::make_mut(&mut self.files)[id.index()] = Arc::new(gone);
    }

    /// Adds a file that is copied as it is (`static/…`, or beside an entry).
    pub fn add_binary(&mut self, path: impl Into<Arc<str>>, bytes: impl Into<Arc<[u8]>>) -> FileId {
        let bytes = bytes.into();
        let raw = Digest::of(&bytes);
        self.add_digested(path.into(), bytes, raw)
    }

    /// The same for bytes whose digest is known.
    pub fn add_digested(&mut self, path: Arc<str>, bytes: Arc<[u8]>, raw: Digest) -> FileId {
        let id = self.add(SourceFile::new(Arc::clone(&path), "", raw));
        Arc::make_mut(&mut self.binaries).insert(path, BinaryFile { file: id, bytes });
        id
    }

    /// What tells whether a file changed.
    pub fn stamp(&self, id: FileId) -> Stamp {
        let file = self.file(id);
        Stamp {
            file: id,
            raw: file.raw,
            is_refused: file.is_refused(),
        }
    }

    /// Which files there are.
    pub fn listing(&self) -> Listing {
        Listing {
            by_path: Arc::clone(&self.by_path),
            binaries: Arc::clone(&self.binaries),
        }
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// The file at this path, if there is one.
    pub fn find(&self, path: &str) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    /// Every file in the order of paths.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.by_path.values().map(|&id| (id, self.file(id)))
    }

    /// Every file at or below `prefix` (a folder path ending in `/`), in the order of paths.
    pub fn below<'a>(
        &'a self,
        prefix: &'a str,
    ) -> impl Iterator<Item = (FileId, &'a SourceFile)> + 'a {
        self.by_path
            .range(Arc::<str>::from(prefix)..)
            .take_while(move |(path, _)| path.starts_with(prefix))
            .map(|(_, &id)| (id, self.file(id)))
    }

    /// The files that are copied as they are, in the order of paths.
    pub fn binaries(&self) -> impl Iterator<Item = (&str, &BinaryFile)> {
        self.binaries.iter().map(|(path, file)| (&**path, file))
    }

    /// The bytes of a copied file.
    pub fn binary(&self, path: &str) -> Option<&BinaryFile> {
        self.binaries.get(path)
    }

    /// The text that a span covers; empty when the span lies outside its file.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.range()).unwrap_or("")
    }

    /// The line and column where a span starts and ends.
    pub fn position(&self, span: Span) -> (Position, Position) {
        let file = self.file(span.file);
        let lines = file.lines();
        (
            lines.position(&file.text, span.start),
            lines.position(&file.text, span.end),
        )
    }
}
