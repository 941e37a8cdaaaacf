//! What the page of an entry depends on, as a digest.
//!
//! Job: tell whether a page that was made before would be made the same again. Input: what pages are
//! made from. Output: a digest that covers the entry itself, and of every other entry that its page, its
//! twin or its drawings may show, all that is written of it outside its body. It covers more than is
//! shown: a key that is too wide makes a page again, one that is too narrow would leave a wrong page.
//!
//! Not in it, since whoever asks has them: the program and its options; `site.toml`; the files of
//! templates, presets and plain pages, and those that are copied. Neither are the files that the
//! entry shows: those are in the digest of what its people sign.

use super::build::Build;
use super::shown::Standing;
use crate::model::entry::Entry;
use crate::resolve::{Destination, EntryIndex};
use crate::source::{Digest, Hasher};
use rayon::prelude::*;

/// The digests of all that the pages of entries depend on, beside the site's entries; `None` for one
/// that is not shown.
pub(super) fn of_pages(build: &Build<'_>) -> Vec<Option<Digest>> {
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

    fn field(&self, name: &str, index: EntryIndex, hasher: &mut Hasher) {
        hasher.field(name);
        match self.0.get(index) {
            Some(Some(seen)) => hasher.field(seen.bytes()),
            _ => hasher.field(""),
        };
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

fn of_page(build: &Build<'_>, seen: &Seen, index: EntryIndex) -> Option<Digest> {
    let mut hasher = Hasher::new();
    let entry = build.site.entry(index);
    seen.0.get(index)?.as_ref()?;
    let file = build.sources.file(entry.file);
    hasher.field(&*file.path).field(file.raw.bytes());
    hasher.field(entry.kind().word()).field(entry.id.as_str());
    standing(&build.standing(index)?, &mut hasher);
    hasher.field([u8::from(build.has_shared_description(index))]);
    references(build, seen, index, &mut hasher)?;
    for from in build.site.backlinks.get(index).into_iter().flatten() {
        seen.field("from", *from, &mut hasher);
    }
    let turn = build.turn(index);
    for (name, other) in [("previous", turn.previous), ("next", turn.next)] {
        if let Some(other) = other {
            seen.field(name, other, &mut hasher);
        }
    }
    for part in build.series(entry) {
        seen.field("part", *part, &mut hasher);
    }
    Some(hasher.finish())
}

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
    hasher.field(
        standing
            .claims
            .as_ref()
            .map_or(&[][..], |claims| claims.bytes()),
    );
}

/// Where everything on the page leads.
fn references(
    build: &Build<'_>,
    seen: &Seen,
    index: EntryIndex,
    hasher: &mut Hasher,
) -> Option<()> {
    let found = build.site.references.get(index)?;
    for (name, list) in [("link", &found.links), ("image", &found.images)] {
        for destination in list {
            hasher.field(name);
            destination_field(build, seen, destination, hasher);
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
                Some(index) => seen.field(name, *index, hasher),
                None => {
                    hasher.field(name).field("none");
                }
            }
        }
    }
    if let Some(owner) = found.owner {
        seen.field("owner", owner, hasher);
    }
    Some(())
}

fn destination_field(
    build: &Build<'_>,
    seen: &Seen,
    destination: &Destination,
    hasher: &mut Hasher,
) {
    let fragment_field = |fragment: &Option<String>, hasher: &mut Hasher| {
        hasher.field([u8::from(fragment.is_some())]);
        hasher.field(fragment.as_deref().unwrap_or_default());
    };
    match destination {
        Destination::Entry { index, fragment } => {
            seen.field("entry", *index, hasher);
            fragment_field(fragment, hasher);
        }
        Destination::Page { index, fragment } => {
            let page = index.and_then(|index| build.site.pages.get(index));
            hasher.field("page").field([u8::from(index.is_some())]);
            hasher.field(page.map(|page| page.address()).unwrap_or_default());
            fragment_field(fragment, hasher);
        }
        Destination::Index(kind, fragment) => {
            hasher.field("index").field(kind.word());
            fragment_field(fragment, hasher);
        }
        Destination::File(path) => {
            let digest = build.copied_file(path);
            hasher.field("file").field(path);
            hasher.field(digest.as_ref().map_or(&[][..], |digest| digest.bytes()));
        }
        Destination::Here(fragment) => {
            hasher.field("here").field(fragment);
        }
        Destination::External(url) => {
            hasher.field("external").field(url);
        }
        Destination::Broken => {
            hasher.field("broken");
        }
    }
}
