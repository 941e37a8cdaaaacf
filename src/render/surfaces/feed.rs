//! `feed.xml`: an Atom feed of what was newly published and re-signed.

use super::{Listed, Shelf};
use crate::resolve::EntryIndex;
use atom_syndication::{Content, Entry, Feed, FixedDateTime, Generator, Link, Person, Text};

/// Most entries of the feed; the newest are kept.
const ENTRIES_MAX: usize = 50;

/// The HTML of an entry's body with absolute addresses, for readers of feeds.
pub type FeedContent<'a> = dyn Fn(&Listed<'_>) -> String + 'a;

/// The feed, newest first. Entries without a date of their own are not in it.
pub fn feed(shelf: &Shelf<'_>, content: &FeedContent<'_>) -> Vec<u8> {
    let mut dated: Vec<(String, &Listed<'_>)> = shelf
        .listed
        .iter()
        .filter_map(|listed| Some((listed.updated()?, listed)))
        .collect();
    dated.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.entry.id.cmp(&b.1.entry.id)));
    dated.truncate(ENTRIES_MAX);
    of(shelf, &dated, content)
}

/// Puts an entry as it is now in the place of the one that a feed of ours has, whose dates must be the
/// same. A feed without it stays as it is; `None` if it cannot be told.
pub fn revise(
    shelf: &Shelf<'_>,
    index: EntryIndex,
    content: &FeedContent<'_>,
    feed: &mut String,
) -> Option<()> {
    // What an entry says is escaped, so that these stand around entries alone.
    const OPEN: &str = "<entry>";
    const CLOSE: &str = "</entry>";
    let listed = shelf.get(index)?;
    let id = format!("<id>{}</id>", shelf.absolute(&listed.entry.address()));
    let Some(at) = feed.find(&id) else {
        return Some(());
    };
    let now = of(shelf, &[(listed.updated()?, listed)], content);
    let now = String::from_utf8(now).ok()?;
    let now = &now[now.find(OPEN)?..now.rfind(CLOSE)?];
    let start = feed[..at].rfind(OPEN)?;
    let end = at + feed[at..].find(CLOSE)?;
    feed.replace_range(start..end, now);
    Some(())
}

/// A feed of these entries, with the days of their last changes.
fn of(shelf: &Shelf<'_>, dated: &[(String, &Listed<'_>)], content: &FeedContent<'_>) -> Vec<u8> {
    let updated = dated.first().map_or("1970-01-01", |(date, _)| date);
    let config = &shelf.site.config;
    let feed = Feed {
        title: Text::plain(config.title.clone()),
        subtitle: (!config.description.is_empty()).then(|| Text::plain(config.description.clone())),
        id: config.base_url.clone(),
        updated: at_noon(updated),
        lang: Some(config.language.clone()),
        links: vec![
            link("self", &shelf.absolute("feed.xml"), "application/atom+xml"),
            link("alternate", &config.base_url, "text/html"),
        ],
        generator: Some(Generator {
            value: "countersign".to_owned(),
            ..Generator::default()
        }),
        authors: vec![Person {
            name: config.title.clone(),
            ..Person::default()
        }],
        entries: dated
            .iter()
            .map(|(updated, listed)| entry(shelf, listed, updated, content))
            .collect(),
        ..Feed::default()
    };
    // Most of it is the bodies, which grow a little where their markup is escaped.
    let bodies = feed.entries.iter().filter_map(Entry::content);
    let length: usize = bodies.filter_map(Content::value).map(str::len).sum();
    let mut bytes = feed
        .write_to(Vec::with_capacity(length + length / 2))
        .unwrap_or_default();
    if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes
}

fn entry(
    shelf: &Shelf<'_>,
    listed: &Listed<'_>,
    updated: &str,
    content: &FeedContent<'_>,
) -> Entry {
    let address = shelf.absolute(&listed.entry.address());
    let person = |name: &String| Person {
        name: name.clone(),
        ..Person::default()
    };
    Entry {
        title: Text::plain(listed.entry.title.value.clone()),
        id: address.clone(),
        updated: at_noon(updated),
        published: listed.written_on().map(|date| at_noon(&date)),
        authors: listed.written_by.iter().map(person).collect(),
        contributors: listed.reviewed_by.iter().map(person).collect(),
        links: vec![link("alternate", &address, "text/html")],
        summary: Some(Text::plain(listed.short())),
        content: Some(Content {
            value: Some(content(listed)),
            content_type: Some("html".to_owned()),
            base: Some(address),
            ..Content::default()
        }),
        ..Entry::default()
    }
}

fn link(rel: &str, href: &str, mime: &str) -> Link {
    Link {
        href: href.to_owned(),
        rel: rel.to_owned(),
        mime_type: Some(mime.to_owned()),
        ..Link::default()
    }
}

/// Noon in UTC of a day: Atom wants a time, and noon is that day in almost every zone.
fn at_noon(date: &str) -> FixedDateTime {
    format!("{date}T12:00:00Z").parse().unwrap_or_default()
}
