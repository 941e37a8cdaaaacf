//! What the page of an entry depends on, and what depends on an entry.
//!
//! Job: tell whether a page that was made before would be made the same again, and whether anything but
//! its own page can show that an entry was edited. Input: what pages are made from. Output, for each
//! entry: a digest that covers the entry itself, and of every other entry that its page, its
//! twin or its drawings may show, all that is written of it outside its body; which those entries are;
//! and a digest of all that anything else may show of it. They cover more than is
//! shown: one that is too wide makes a page again, one that is too narrow would leave a wrong page.
//!
//! Not in it, since whoever asks has them: the program and its options; `site.toml`; the files of
//! templates, presets and plain pages, and those that are copied. Neither are the files that the
//! entry shows: those are in the digest of what its people sign.

use super::build::Build;
use super::shown::Standing;
use crate::model::document::Target;
use crate::model::entry::Entry;
use crate::resolve::{Destination, EntryIndex};
use crate::source::{Digest, Hasher};
use rayon::prelude::*;

/// How the page of an entry hangs together with the rest of its site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependence {
    /// The digest of all that the page depends on.
    pub key: Digest,
    /// The other entries that it depends on, each once, in order.
    pub others: Vec<EntryIndex>,
    /// The digest of all that others may show of the entry, or that lists of entries may, and of what
    /// the names and paths in it lead to: whatever is
    /// edited while it stays the same shows on the entry's own page, in its search words, in the
    /// content of the feed, and in digests of what its people sign. `None` where a look at more
    /// entries would be needed: another has the same short answer.
    pub face: Option<Digest>,
}

/// How the pages of entries hang together, beside the site's entries; `None` for one that is not shown.
pub(super) fn of_pages(build: &Build<'_>) -> Vec<Option<Dependence>> {
    let seen = Seen::new(build);
    let entries = (0..build.site.entries.len()).into_par_iter();
    entries.map(|index| of_page(build, &seen, index)).collect()
}

/// What pages may show of each entry other than their own; `None` for one that is not shown.
#[derive(Debug)]
struct Seen(Vec<Option<Digest>>);

impl Seen {
    /// Takes it from every entry that is shown.
    fn new(build: &Build<'_>) -> Self {
        let entries = build.site.entries.par_iter().enumerate();
        Self(
            entries
                .map(|(index, entry)| {
                    let link = build.link(index)?;
                    Some(seen(build, entry, &link.state))
                })
                .collect(),
        )
    }

    fn of(&self, index: EntryIndex) -> Option<&Digest> {
        self.0.get(index)?.as_ref()
    }
}

/// What a page depends on, as it is put together.
struct Depending<'s> {
    seen: &'s Seen,
    hasher: Hasher,
    others: Vec<EntryIndex>,
}

impl<'s> Depending<'s> {
    fn new(seen: &'s Seen) -> Self {
        Self {
            seen,
            hasher: Hasher::new(),
            others: Vec::new(),
        }
    }

    fn field(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        self.hasher.field(bytes);
        self
    }

    /// Another entry, in a role.
    fn entry(&mut self, role: &str, index: EntryIndex) {
        self.others.push(index);
        let seen = self.seen.of(index);
        let seen = seen.map_or(&[][..], |seen| seen.bytes());
        self.field(role).field(seen);
    }
}

/// All of an entry but its body, and the places on its page that a link may lead to.
fn seen(build: &Build<'_>, entry: &Entry, state: &str) -> Digest {
    let mut hasher = Hasher::new();
    hasher.field(entry.kind().word()).field(entry.id.as_str());
    hasher.field(state).field(build.sources.text(entry.front));
    hasher.field(entry.body.anchors.join("\n"));
    hasher.finish()
}

fn of_page(build: &Build<'_>, seen: &Seen, index: EntryIndex) -> Option<Dependence> {
    let own = seen.of(index)?;
    let mut on = Depending::new(seen);
    let entry = build.site.entry(index);
    let file = build.sources.file(entry.file);
    on.field(&*file.path).field(file.raw.bytes());
    on.field(entry.kind().word()).field(entry.id.as_str());
    let place = build.standing(index)?;
    standing(&place, &mut on.hasher);
    on.field(
        place
            .claims
            .as_ref()
            .map_or(&[][..], |claims| claims.bytes()),
    );
    on.field([u8::from(build.has_shared_description(index))]);
    references(build, index, &mut on)?;
    for from in build.site.backlinks.get(index).into_iter().flatten() {
        on.entry("from", *from);
    }
    let turn = build.turn(index);
    for (name, other) in [("previous", turn.previous), ("next", turn.next)] {
        if let Some(other) = other {
            on.entry(name, other);
        }
    }
    for part in build.series(entry) {
        on.entry("part", *part);
    }
    let Depending {
        hasher, mut others, ..
    } = on;
    others.sort_unstable();
    others.dedup();
    Some(Dependence {
        key: hasher.finish(),
        others,
        face: face(build, own, index).filter(|_| !build.has_shared_description(index)),
    })
}

/// What others see of an entry, what lists and the links of others may tell besides (who answers
/// for it and how surely, its headings), and what each of its names and paths leads to. While all that is the
/// same, so is whatever was found by looking through names and files that are not looked through again.
fn face(build: &Build<'_>, seen: &Digest, index: EntryIndex) -> Option<Digest> {
    let mut hasher = Hasher::new();
    hasher.field(seen.bytes());
    standing(&build.standing(index)?, &mut hasher);
    for heading in &build.site.entry(index).body.headings {
        hasher.field([heading.level]).field(&heading.text);
    }
    ways(build, index, &mut hasher)?;
    let turn = build.turn(index);
    let around = turn.previous.iter().chain(&turn.next);
    let around = around.chain(build.series(build.site.entry(index)));
    for other in around.chain(build.site.backlinks.get(index)?) {
        id_field(build, *other, &mut hasher);
    }
    Some(hasher.finish())
}

fn id_field(build: &Build<'_>, index: EntryIndex, hasher: &mut Hasher) {
    let entry = build.site.entry(index);
    hasher.field(entry.kind().word()).field(entry.id.as_str());
}

/// Every name and path in an entry, with what it leads to.
fn ways(build: &Build<'_>, index: EntryIndex, hasher: &mut Hasher) -> Option<()> {
    let entry = build.site.entry(index);
    let found = build.site.references.get(index)?;
    let links = entry.body.links.iter().map(|link| match &link.target {
        Target::Entry(target) | Target::Relative(target) | Target::External(target) => target,
        Target::Refused => "",
    });
    let images = entry.body.images.iter().map(|image| image.target.as_str());
    let destinations = found.links.iter().chain(&found.images);
    for (target, destination) in links.chain(images).zip(destinations) {
        let is_elsewhere = matches!(destination, Destination::External(url) if url == target)
            && !mentions_host(target, &build.context.base_url);
        // Such a link leads there whatever the site has.
        if !is_elsewhere {
            hasher.field(target);
            way_field(build, destination, hasher);
        }
    }
    let lists = [
        &found.related,
        &found.meets,
        &found.prerequisites,
        &found.teaches,
    ];
    for other in lists.into_iter().flatten().chain([&found.owner]) {
        match other {
            Some(other) => id_field(build, *other, hasher),
            None => {
                hasher.field("none");
            }
        }
    }
    for capture in &entry.measured {
        let path = capture.file.map(|file| &*build.sources.file(file).path);
        hasher.field(path.unwrap_or_default());
    }
    Some(())
}

/// Whether an address names the host of the site, in whatever way.
fn mentions_host(url: &str, base_url: &str) -> bool {
    let host = base_url
        .split_once("://")
        .map_or(base_url, |(_, rest)| rest);
    let host = host.split('/').next().unwrap_or_default();
    url.to_lowercase().contains(&host.to_lowercase())
}

/// What a link leads to, by its name.
fn way_field(build: &Build<'_>, destination: &Destination, hasher: &mut Hasher) {
    let (what, fragment) = match destination {
        Destination::Entry { index, fragment } => {
            id_field(build, *index, hasher);
            ("entry", fragment.as_deref())
        }
        Destination::Page { index, fragment } => {
            let page = index.and_then(|index| build.site.pages.get(index));
            hasher.field(page.map(|page| page.address()).unwrap_or_default());
            ("page", fragment.as_deref())
        }
        Destination::Index(kind, fragment) => {
            hasher.field(kind.word());
            ("index", fragment.as_deref())
        }
        Destination::File(path) => ("file", Some(path.as_str())),
        Destination::Here(fragment) => ("here", Some(fragment.as_str())),
        Destination::External(url) => ("external", Some(url.as_str())),
        Destination::Broken => ("broken", None),
    };
    hasher.field(what).field([u8::from(fragment.is_some())]);
    hasher.field(fragment.unwrap_or_default());
}

/// Where an entry stands and who answers for it; not what it says.
fn standing(standing: &Standing, hasher: &mut Hasher) {
    hasher.field(standing.state);
    for role in &standing.waits_for {
        hasher.field(role);
    }
    for person in [&standing.author, &standing.reviewer] {
        let person = person.as_ref();
        hasher.field(person.map_or("", |person| &person.name));
        hasher.field(
            person
                .and_then(|person| person.url.as_deref())
                .unwrap_or(""),
        );
    }
    hasher.field(standing.assurance.map_or("", |assurance| assurance.word()));
}

/// Where everything on the page leads.
fn references(build: &Build<'_>, index: EntryIndex, on: &mut Depending<'_>) -> Option<()> {
    let found = build.site.references.get(index)?;
    for (name, list) in [("link", &found.links), ("image", &found.images)] {
        for destination in list {
            on.field(name);
            destination_field(build, destination, on);
        }
    }
    for (name, list) in [
        ("related", &found.related),
        ("meets", &found.meets),
        ("prerequisite", &found.prerequisites),
        ("teaches", &found.teaches),
    ] {
        for index in list {
            match index {
                Some(index) => on.entry(name, *index),
                None => {
                    on.field(name).field("none");
                }
            }
        }
    }
    if let Some(owner) = found.owner {
        on.entry("owner", owner);
    }
    Some(())
}

fn destination_field(build: &Build<'_>, destination: &Destination, on: &mut Depending<'_>) {
    let fragment_field = |fragment: &Option<String>, on: &mut Depending<'_>| {
        on.field([u8::from(fragment.is_some())]);
        on.field(fragment.as_deref().unwrap_or_default());
    };
    match destination {
        Destination::Entry { index, fragment } => {
            on.entry("entry", *index);
            fragment_field(fragment, on);
        }
        Destination::Page { index, fragment } => {
            let page = index.and_then(|index| build.site.pages.get(index));
            on.field("page").field([u8::from(index.is_some())]);
            on.field(page.map(|page| page.address()).unwrap_or_default());
            fragment_field(fragment, on);
        }
        Destination::Index(kind, fragment) => {
            on.field("index").field(kind.word());
            fragment_field(fragment, on);
        }
        Destination::File(path) => {
            let digest = build.copied_file(path);
            on.field("file").field(path);
            on.field(digest.as_ref().map_or(&[][..], |digest| digest.bytes()));
        }
        Destination::Here(fragment) => {
            on.field("here").field(fragment);
        }
        Destination::External(url) => {
            on.field("external").field(url);
        }
        Destination::Broken => {
            on.field("broken");
        }
    }
}
