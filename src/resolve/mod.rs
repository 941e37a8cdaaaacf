//! From files to a site: ids, names, links and orders.
//!
//! Takes what was read file by file; gives [`Site`], in which every reference points at what it
//! means or has been reported. Nothing here knows which entries are published.

mod address;
mod anchors;
mod links;
mod names;
mod order;
mod outline;
mod outputs;

use links::Places;
pub use links::{Destination, Resolver};
pub use names::{Names, fold_name};
pub use outline::{Anchors, Outline};

use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::config::Config;
use crate::model::entry::{Entry, Kind};
use crate::model::figure::Preset;
use crate::model::page::Page;
use crate::model::person::People;
use crate::model::slug::Slug;
use crate::parse::site::Parsed;
use crate::source::{FileId, Sources, Span, Spanned};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Position of an entry in [`Site::entries`].
pub type EntryIndex = usize;

/// An entry whose front matter cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Its id.
    pub id: Slug,
    /// Term or lesson.
    pub kind: Kind,
    /// Its file.
    pub file: FileId,
}

/// What the references of one entry point at. Each list stands beside the list it resolves; an
/// unknown reference is `None` and has been reported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct References {
    /// Beside `body.links`.
    pub links: Vec<Destination>,
    /// Beside `body.images`.
    pub images: Vec<Destination>,
    /// Beside `related` (terms).
    pub related: Vec<Option<EntryIndex>>,
    /// Beside `meets` (terms).
    pub meets: Vec<Option<EntryIndex>>,
    /// The owner (terms).
    pub owner: Option<EntryIndex>,
    /// Beside `prerequisites` (lessons).
    pub prerequisites: Vec<Option<EntryIndex>>,
    /// Beside `teaches` (lessons).
    pub teaches: Vec<Option<EntryIndex>>,
}

impl References {
    /// The entries that these references lead to and that a page lists as linking here, each once.
    pub(crate) fn targets(&self) -> Vec<EntryIndex> {
        let links = self.links.iter().filter_map(|link| match link {
            Destination::Entry { index, .. } => Some(*index),
            _ => None,
        });
        let listed = [&self.related, &self.prerequisites, &self.teaches];
        let listed = listed.into_iter().flatten().flatten().copied();
        let mut targets: Vec<_> = links.chain(listed).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }
}

/// A site in which every reference is resolved.
#[derive(Debug)]
pub struct Site {
    /// `site.toml`.
    pub config: Config,
    /// The people registry.
    pub people: Arc<People>,
    /// Every readable entry, in the order of kind and id.
    pub entries: Arc<Vec<Arc<Entry>>>,
    /// What each entry's references point at, beside `entries`.
    pub references: Arc<Vec<Arc<References>>>,
    /// Entries that cannot be read.
    pub unreadable: Vec<Unreadable>,
    /// The home page's text.
    pub home: Option<Arc<Page>>,
    /// Plain pages, by id.
    pub pages: Vec<Arc<Page>>,
    /// Links of the home page (first) and of the plain pages.
    pub page_links: Vec<References>,
    /// Presets by name; `None` for a file that cannot be read.
    pub presets: Arc<BTreeMap<Slug, Option<Preset>>>,
    /// Entries by id, name and alias.
    pub names: Arc<Names>,
    /// Entries that refer to each entry, beside `entries`; each list sorted.
    pub backlinks: Arc<Vec<Vec<EntryIndex>>>,
    /// Lessons in the order of the course.
    pub lessons: Arc<[EntryIndex]>,
    /// Terms in the order of the glossary.
    pub terms: Arc<[EntryIndex]>,
}

impl Site {
    /// The entry at an index.
    pub fn entry(&self, index: EntryIndex) -> &Entry {
        &self.entries[index]
    }
}

/// What a site consists of and what everything in it is called; not what it says.
#[derive(Debug, PartialEq, Eq)]
pub struct Structure {
    names: Arc<Names>,
    places: Places,
    lessons: Arc<[EntryIndex]>,
    terms: Arc<[EntryIndex]>,
}

impl Structure {
    /// Takes it from what was read; reports names and addresses that two pages want.
    pub fn new(outline: &Outline, sources: &Sources, out: &mut Diagnostics) -> Self {
        let Outline {
            entries,
            unreadable,
            pages,
            ..
        } = outline;
        let names = Names::new(entries, unreadable, out);
        outputs::check(sources, entries, pages, &names, out);
        Self {
            places: Places::new(sources, entries, pages),
            names: Arc::new(names),
            lessons: order::lessons(entries).into(),
            terms: order::terms(entries).into(),
        }
    }

    /// What resolves references of this site.
    pub fn resolver<'a>(
        &'a self,
        outline: &'a Outline,
        config: &'a Config,
        sources: &'a Sources,
    ) -> Resolver<'a> {
        Resolver {
            entries: &outline.entries,
            pages: &outline.pages,
            names: &self.names,
            places: &self.places,
            config,
            sources,
        }
    }
}

/// The references of a whole site.
#[derive(Debug)]
pub struct Resolved {
    /// Those of each entry, in the order of entries.
    pub references: Arc<Vec<Arc<References>>>,
    /// Those of the home page (first) and of the plain pages.
    pub page_links: Vec<References>,
    /// Entries that refer to each entry: see [`backlinks`].
    pub backlinks: Arc<Vec<Vec<EntryIndex>>>,
}

/// Puts a site together; reports terms that two lessons own.
pub fn site(
    parsed: Parsed,
    outline: &Outline,
    structure: &Structure,
    resolved: Resolved,
    out: &mut Diagnostics,
) -> Site {
    two_owners(&outline.entries, &resolved.references, out);
    Site {
        config: parsed.config,
        people: parsed.people,
        entries: Arc::clone(&outline.entries),
        references: resolved.references,
        unreadable: outline.unreadable.clone(),
        home: parsed.home,
        pages: parsed.pages,
        page_links: resolved.page_links,
        presets: parsed.presets,
        names: Arc::clone(&structure.names),
        backlinks: resolved.backlinks,
        lessons: Arc::clone(&structure.lessons),
        terms: Arc::clone(&structure.terms),
    }
}

/// Resolves the references of one entry; reports those that point nowhere.
pub fn references(entry: &Entry, resolver: &Resolver<'_>, out: &mut Diagnostics) -> References {
    let mut found = resolver.entry(entry, out);
    let (entries, names) = (resolver.entries, resolver.names);
    let look = |name: &Spanned<String>, wanted: Option<Kind>, out: &mut Diagnostics| {
        named(name, wanted, entry, entries, names, out)
    };
    if let Some(term) = entry.term() {
        let related = term.related.iter();
        found.related = related.map(|name| look(name, None, out)).collect();
        let meets = term.meets.iter();
        found.meets = meets
            .map(|meeting| look(&meeting.lesson, Some(Kind::Lesson), out))
            .collect();
        let owner = term.owner.as_ref();
        found.owner = owner.and_then(|name| look(name, Some(Kind::Lesson), out));
    }
    if let Some(lesson) = entry.lesson() {
        let names = lesson.prerequisites.iter();
        found.prerequisites = names.map(|name| look(name, None, out)).collect();
        let names = lesson.teaches.iter();
        found.teaches = names
            .map(|name| look(name, Some(Kind::Term), out))
            .collect();
    }
    listed_once(entry, entries, &mut found, out);
    found
}

/// Takes out of an entry's lists what they name again, and the entry itself: a page shows each once.
fn listed_once(
    entry: &Entry,
    entries: &[Arc<Entry>],
    found: &mut References,
    out: &mut Diagnostics,
) {
    let mut once = |key: &str, names: &[Spanned<String>], found: &mut [Option<EntryIndex>]| {
        let mut seen: BTreeMap<EntryIndex, Span> = BTreeMap::new();
        for (name, listed) in names.iter().zip(found) {
            let Some(index) = *listed else { continue };
            let first = seen.get(&index).copied();
            let message = match first {
                _ if entries[index].id == entry.id => format!("`{key}` names the entry itself"),
                Some(_) => format!("`{key}` names `{}` twice", entries[index].id),
                None => {
                    seen.insert(index, name.span);
                    continue;
                }
            };
            *listed = None;
            let finding = Diagnostic::new(rule::LOST_TEXT, name.span, message)
                .label("not shown")
                .help("Take this item out.")
                .entry(entry.id.shared());
            out.push(match first {
                Some(first) => finding.related(first, "named here already"),
                None => finding,
            });
        }
    };
    if let Some(term) = entry.term() {
        once("related", &term.related, &mut found.related);
    }
    if let Some(lesson) = entry.lesson() {
        once(
            "prerequisites",
            &lesson.prerequisites,
            &mut found.prerequisites,
        );
        once("teaches", &lesson.teaches, &mut found.teaches);
    }
}

/// An entry by id, name or alias, of the wanted kind.
fn named(
    name: &Spanned<String>,
    wanted: Option<Kind>,
    entry: &Entry,
    entries: &[Arc<Entry>],
    names: &Names,
    out: &mut Diagnostics,
) -> Option<EntryIndex> {
    let found = names.find(&name.value);
    let kind_fits = |index: EntryIndex| wanted.is_none_or(|kind| entries[index].kind() == kind);
    if let Some(index) = found.filter(|&index| kind_fits(index)) {
        return Some(index);
    }
    if names.is_unreadable(&name.value) {
        return None;
    }
    let kind = wanted.map_or("an entry", |kind| match kind {
        Kind::Term => "a term",
        Kind::Lesson => "a lesson",
    });
    let label = match found {
        Some(index) => format!("this is a {}", entries[index].kind().word()),
        None => format!(
            "no {} has this id, name or alias",
            &kind[kind.find(' ').map_or(0, |at| at + 1)..]
        ),
    };
    let near = nearest(&name.value, names.all());
    out.push(
        Diagnostic::new(
            rule::UNKNOWN_ENTRY,
            name.span,
            format!("`{}` is not {kind} of this site", name.value),
        )
        .label(label)
        .help(near.map_or_else(
            || "Write that entry, or take its name out here.".to_owned(),
            |near| format!("Did you mean `{near}`?"),
        ))
        .entry(entry.id.shared()),
    );
    None
}

/// The references of every entry; two are equal if they lead to the same entries.
#[derive(Debug, Clone)]
pub struct Edges(pub Arc<Vec<Arc<References>>>);

impl PartialEq for Edges {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (&Arc<References>, &Arc<References>)| {
            Arc::ptr_eq(one, other) || one.targets() == other.targets()
        };
        self.0.len() == other.0.len() && self.0.iter().zip(other.0.iter()).all(same)
    }
}

/// For each entry those that refer to it, each once, in order.
pub fn backlinks(edges: &Edges) -> Vec<Vec<EntryIndex>> {
    let mut backlinks = vec![Vec::new(); edges.0.len()];
    for (from, found) in edges.0.iter().enumerate() {
        for to in found.targets().into_iter().filter(|to| *to != from) {
            backlinks[to].push(from);
        }
    }
    backlinks
}

/// A term owned by one lesson and taught, as its owner, by another is no fault; a term that
/// names one owner while two lessons claim to own it cannot be written. What can go wrong is a
/// term whose owner does not teach it while another lesson does.
fn two_owners(entries: &[Arc<Entry>], references: &[Arc<References>], out: &mut Diagnostics) {
    for (lesson, found) in references.iter().enumerate() {
        for (place, term) in found.teaches.iter().enumerate() {
            let Some(term) = *term else { continue };
            let Some(owner) = references[term].owner.filter(|owner| *owner != lesson) else {
                continue;
            };
            let owner_span = entries[term]
                .term()
                .and_then(|term| term.owner.as_ref())
                .map(|owner| owner.span);
            let (Some(by), Some(owner_span)) = (
                entries[lesson].lesson().and_then(|l| l.teaches.get(place)),
                owner_span,
            ) else {
                continue;
            };
            out.push(
                Diagnostic::new(
                    rule::TWO_OWNERS,
                    by.span,
                    format!(
                        "the term `{}` has two owners: `{}` and `{}`",
                        entries[term].id, entries[owner].id, entries[lesson].id
                    ),
                )
                .label("taught here")
                .related(owner_span, "owned there")
                .help("Let one lesson own the term; another meets it, under `meets` of the term.")
                .entry(entries[lesson].id.shared()),
            );
        }
    }
}
