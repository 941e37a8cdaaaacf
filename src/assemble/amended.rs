//! The files of a release in which edited entries show, where nothing else of the site has changed.
//!
//! An entry of which all that others show is as it was (its face, see [`crate::render::Dependence`])
//! shows in its own page and what belongs to that, and in three files of the whole release, whose last
//! state holds all else that they say: the glossary as data, the feed, and the search index. Those are
//! taken from the release, and what they say of the entry is put in its place.

use super::Assembly;
use super::audited::Audited;
use super::kept::{Keys, Putting};
use crate::compile::{Stage, observed};
use crate::gate::{self, EntrySet};
use crate::model::entry::Kind;
use crate::output::{EntryDigests, OutputPath, Proof as _, Sink, Tie};
use crate::render::surfaces::{self, Revised};
use crate::render::{Dependence, PageKey};
use crate::resolve::EntryIndex;
use crate::source::{Digest, FileId, Hasher};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::sync::Arc;

/// What becomes of a release when entries are edited.
#[derive(Debug)]
pub struct Amended {
    /// The digests of the entries.
    pub entries: BTreeMap<Arc<str>, EntryDigests>,
    /// Files that are no more.
    pub gone: Vec<OutputPath>,
}

/// What reads a file.
pub type Reader<'r> = &'r mut dyn FnMut(&mut dyn Read) -> Option<()>;

/// A release as it stands, and how its entries hang together.
pub struct Before<'b> {
    /// In the order of the site.
    pub ties: &'b [Tie],
    /// Gives the bytes of a file.
    pub read: &'b dyn Fn(&str) -> Option<Vec<u8>>,
    /// Lets a file be read from its beginning to its end, for one that is too long to lie in memory; `None`
    /// where the reader gives that.
    pub through: &'b dyn Fn(&str, Reader<'_>) -> Option<()>,
    /// Gives the files that were made with the page of the entry with this id.
    pub made: &'b dyn Fn(&str) -> Option<Vec<OutputPath>>,
}

impl std::fmt::Debug for Before<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Before").finish_non_exhaustive()
    }
}

impl<S: EntrySet> Assembly<'_, S> {
    /// Makes the files in which the entries of these files show. `None`, with nothing promised of what the
    /// sink was given, if more of the release would have to be made: an entry is not in it, something was
    /// found, or others show what was edited.
    pub fn amend(
        &self,
        edited: &[FileId],
        before: &Before<'_>,
        sink: &dyn Sink<S::Output>,
    ) -> Option<Amended> {
        let dependences = self.renderer.dependencies();
        let edited: Vec<_> = edited
            .iter()
            .map(|file| self.unseen(*file, &dependences, before))
            .collect::<Option<_>>()?;
        let audited = self.audited(sink);
        // Of the others too, so that what is shown of them is what was.
        dependences
            .iter()
            .try_for_each(|on| on.as_ref().map(|_| ()))?;
        let keys = Keys::new(&self.base?, &dependences);
        let mut gone = Vec::new();
        for (index, _) in &edited {
            gone.append(&mut self.page_of(*index, &keys, before, &audited)?);
        }
        gone.append(&mut self.amend_surfaces(&edited, before, &audited)?);
        if !audited.into_findings(self.sources).is_empty() {
            return None;
        }
        let mut entries = self.entries();
        let ids = edited
            .iter()
            .map(|(index, _)| self.compiled.site.entry(*index).id.as_str());
        let ids: Vec<_> = ids.collect();
        entries.retain(|id, _| ids.contains(&&**id));
        Some(Amended { entries, gone })
    }

    /// The entry of a file with its number in the release, if nothing that others show of it is another
    /// than before, and its page depends on no more entries.
    fn unseen(
        &self,
        file: FileId,
        dependences: &[Option<Dependence>],
        before: &Before<'_>,
    ) -> Option<(EntryIndex, u32)> {
        let path_of = |index: EntryIndex| {
            let entry = self.compiled.site.entries.get(index)?;
            Some(&*self.sources.file(entry.file).path)
        };
        let path = &*self.sources.file(file).path;
        let number = before.ties.iter().position(|tie| *tie.file == *path)?;
        let entries = self.compiled.site.entries.iter();
        let index = entries
            .map(|entry| entry.file)
            .position(|own| own == file)?;
        let (tie, now) = (before.ties.get(number)?, dependences.get(index)?.as_ref()?);
        let face = self.face(index, now);
        if face.is_none() || face != tie.face {
            return None;
        }
        let known = |other: &EntryIndex| {
            let path = path_of(*other)?;
            let mut others = tie.others.iter();
            let file_of = |at: &u32| before.ties.get(*at as usize).map(|tie| &*tie.file);
            others.any(|at| file_of(at) == Some(path)).then_some(())
        };
        now.others.iter().try_for_each(known)?;
        Some((index, u32::try_from(number).ok()?))
    }

    /// The face of an entry, with the paths of the files that its people sign with it.
    pub(super) fn face(&self, index: EntryIndex, on: &Dependence) -> Option<Digest> {
        let mut hasher = Hasher::new();
        hasher.field(on.face?.bytes());
        let files = gate::files_of(self.compiled.site.entry(index), self.sources);
        let paths = files.iter().map(|file| &*self.sources.file(*file).path);
        for path in paths.collect::<BTreeSet<_>>() {
            hasher.field(path);
        }
        Some(hasher.finish())
    }

    /// Makes the page of an entry with all that belongs to it; gives the files that it no longer has.
    fn page_of(
        &self,
        index: EntryIndex,
        keys: &Keys,
        before: &Before<'_>,
        audited: &Audited<'_, S::Output>,
    ) -> Option<Vec<OutputPath>> {
        let mut putting = Putting::new(audited);
        let findings = self.around(PageKey::Entry(index), &mut putting);
        if !findings.continue_value()?.is_empty() {
            return None;
        }
        let id = self.compiled.site.entry(index).id.shared();
        let mut gone = (before.made)(&id)?;
        let made = putting.made_from(keys.of(index)?, audited.digest());
        gone.retain(|path| !made.files.contains(path));
        audited.made(id, made);
        Some(gone)
    }

    fn is_term(&self, index: EntryIndex) -> bool {
        self.compiled.site.entry(index).kind() == Kind::Term
    }

    /// The files of the whole release in which the entries show; gives those that are no more.
    fn amend_surfaces(
        &self,
        edited: &[(EntryIndex, u32)],
        before: &Before<'_>,
        sink: &dyn Sink<S::Output>,
    ) -> Option<Vec<OutputPath>> {
        let listed = self.shelf();
        let put = |path: &str, bytes: Vec<u8>| super::put(sink, path, bytes).continue_value();
        observed(self.observer, Stage::Surfaces, || {
            let terms = edited.iter().map(|(index, _)| *index);
            let terms: Vec<_> = terms.filter(|index| self.is_term(*index)).collect();
            if !terms.is_empty() {
                let path = OutputPath::new("glossary.json").ok()?;
                let mut put = |parts: &mut dyn Iterator<Item = _>| {
                    sink.put_parts(&path, parts).continue_value()
                };
                (before.through)(path.as_str(), &mut |file| {
                    surfaces::revise_glossary(listed, &terms, file, &mut put)
                })?;
            }
            let feed = String::from_utf8((before.read)("feed.xml")?).ok()?;
            let mut now = feed.clone();
            let content = |of: &surfaces::Listed<'_>| self.renderer.feed_content(of.index);
            for (index, _) in edited {
                surfaces::revise_feed(listed, *index, &content, &mut now)?;
            }
            if now != feed {
                put("feed.xml", now.into_bytes())?;
            }
            Some(())
        })?;
        let Revised { files, gone } = observed(self.observer, Stage::Search, || {
            surfaces::revise_search(listed, edited, before.read)
        })?;
        for (path, bytes) in files {
            put(&path, bytes)?;
        }
        let gone = gone.iter().map(|path| OutputPath::new(path).ok());
        gone.collect()
    }
}
