//! Resolving, remembered: names and addresses by what entries are called, the references of an
//! entry by its reading and the places on pages that they name.

use super::memo::{By, ByRef, Found, Keeping, Memo, collect};
use super::read::Read;
use crate::diagnostic::Diagnostics;
use crate::model::entry::Entry;
use crate::parse::entry::EntryFile;
use crate::parse::site::{EntryReading, Parsed};
use crate::resolve::{
    self, Anchors, Edges, EntryIndex, Outline, References, Resolved, Site, Structure, Unreadable,
};
use crate::source::Sources;
use std::sync::Arc;

/// What is held of the inputs of references: the entry, what the site consists of, and its address.
type HeldLinks = (Arc<Entry>, Arc<Structure>, Arc<str>);

/// The memos of this stage.
#[derive(Debug)]
pub(super) struct ResolveMemos {
    structure: Memo<Arc<Outline>, Found<Structure>>,
    anchors: Memo<Anchors, Arc<()>>,
    references: Memo<HeldLinks, HeldReferences>,
    backlinks: Memo<Edges, Arc<Vec<Vec<EntryIndex>>>>,
}

/// The references of an entry, and the places on all pages where they name one.
#[derive(Debug, Clone)]
pub(super) struct HeldReferences {
    found: Found<References>,
    anchors: Option<Arc<()>>,
}

impl ResolveMemos {
    pub(super) fn new(keeping: Keeping) -> Self {
        Self {
            structure: Memo::new(keeping),
            anchors: Memo::new(keeping),
            references: Memo::new(keeping),
            backlinks: Memo::new(keeping),
        }
    }
}

/// Resolves every reference; reports those that point nowhere.
pub(super) fn resolve(
    memos: &ResolveMemos,
    read: Read,
    sources: &Sources,
    out: &mut Diagnostics,
) -> (Site, Arc<Outline>) {
    let outline = Arc::new(outline(&read, out));
    let parsed = read.parsed;
    let structure = memos.structure.one_while(
        By(Arc::clone(&outline)),
        // An outline is equal wherever the names stand in their files; findings have places.
        |structure| structure.findings.is_empty(),
        |before| Found::by(|out| Structure::new(&outline, sources, out)).settle(before),
    );
    out.append(structure.findings);
    let structure = structure.value;
    let references = references(memos, &outline, (&parsed, &structure), sources, out);
    let resolve_page = structure.resolver(&outline, &parsed.config, sources);
    let pages = parsed.home.iter().chain(&parsed.pages);
    let page_links = pages.map(|page| resolve_page.page(page, out)).collect();
    let edges = Edges(Arc::new(references));
    let backlinks = memos
        .backlinks
        .one(ByRef(&edges), |_| Arc::new(resolve::backlinks(&edges)));
    let resolved = Resolved {
        references: edges.0,
        page_links,
        backlinks,
    };
    let site = resolve::site(parsed, &outline, &structure, resolved, out);
    (site, outline)
}

/// Takes the entries and pages out of what was read.
fn outline(read: &Read, out: &mut Diagnostics) -> Outline {
    let mut entries = Vec::with_capacity(read.entries.len());
    let mut files = Vec::with_capacity(read.entries.len());
    let misnamed = read.files.misnamed.iter();
    let mut unreadable: Vec<_> = misnamed.map(unreadable_at).collect();
    for held in &read.entries {
        let EntryReading {
            at,
            entry,
            findings,
            ..
        } = &held.reading;
        out.extend(findings.iter().cloned());
        if let Some(entry) = entry {
            entries.push(Arc::clone(entry));
            files.push(at.file);
        } else {
            unreadable.push(unreadable_at(at));
        }
    }
    unreadable.sort_by(|one, other| (one.kind, &one.id).cmp(&(other.kind, &other.id)));
    Outline {
        entries: Arc::new(entries),
        files,
        unreadable,
        pages: read.parsed.pages.clone(),
        listing: Arc::clone(&read.listing),
    }
}

fn unreadable_at(at: &EntryFile) -> Unreadable {
    Unreadable {
        id: at.id.clone(),
        kind: at.kind,
        file: at.file,
    }
}

fn references(
    memos: &ResolveMemos,
    outline: &Outline,
    (parsed, structure): (&Parsed, &Arc<Structure>),
    sources: &Sources,
    out: &mut Diagnostics,
) -> Vec<Arc<References>> {
    let base_url: Arc<str> = parsed.config.base_url.as_str().into();
    let anchors = memos
        .anchors
        .one(By(Anchors::of(outline)), |_| Arc::new(()));
    let resolver = structure.resolver(outline, &parsed.config, sources);
    let entries = &outline.entries;
    let held = memos.references.all_while(
        &outline.files,
        |at| (&entries[at], structure, ByRef(&base_url)),
        |held| {
            let then = held.anchors.as_ref();
            then.is_none_or(|then| Arc::ptr_eq(then, &anchors))
        },
        |at, before| {
            let found = Found::by(|out| resolve::references(&entries[at], &resolver, out));
            HeldReferences {
                found: found.settle(before.map(|before| before.found)),
                anchors: Anchors::are_asked_by(&entries[at]).then(|| Arc::clone(&anchors)),
            }
        },
    );
    collect(held.into_iter().map(|held| held.found), out)
}
