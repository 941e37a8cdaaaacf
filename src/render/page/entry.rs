//! The page of a term or lesson.

use super::contents::{Numbering, contents};
use super::{announce, byline, cite, files, json_ld, row, sources};
use crate::diagnostic::Diagnostics;
use crate::model::entry::{Entry, Kind};
use crate::render::address;
use crate::render::build::Build;
use crate::render::context::{EntryContext, EntryPage, LinkContext, MeetContext, PageKind, Slot};
use crate::render::html::{Drawing, Here, Made, Writer};
use crate::render::renderer::{OutputFile, fill, page_file};
use crate::render::shown::Standing;
use crate::render::templates::Subject;
use crate::resolve::{EntryIndex, References};
use crate::source::Span;
use std::collections::BTreeSet;

/// Renders it; an entry that is not shown has none. `drawn` takes the drawings of the page.
pub(in crate::render) fn entry(
    build: &Build<'_>,
    index: EntryIndex,
    drawn: &mut Vec<Drawing>,
) -> Result<Vec<OutputFile>, Diagnostics> {
    let entry = build.site.entry(index);
    let (Some(standing), Some(references)) =
        (build.standing(index), build.site.references.get(index))
    else {
        return Ok(Vec::new());
    };
    let href = entry.address();
    let root = address::to_root(&href);
    let here = Here {
        address: &href,
        root: &root,
        entry: Some((index, entry)),
        body: &entry.body,
        references,
    };
    let mut made = Writer::new(build, here).make();
    drawn.append(&mut made.drawings);
    let kind = match entry.kind() {
        Kind::Term => PageKind::Term,
        Kind::Lesson => PageKind::Lesson,
    };
    let mut page = build.page(kind, &entry.title.value, build.description(index), &href);
    build.mark(&mut page, index, &standing);
    let context = context(build, index, &standing, &made);
    let json = json_ld::entry(build, entry, &context, &page);
    made.slots.insert(Slot::JsonLd, json);
    let whole = EntryPage {
        site: &build.context,
        page,
        entry: context,
        slots: announce(&made.slots),
    };
    let subject = Subject {
        what: format!("the page of `{}`", entry.id),
        span: Span::file(entry.file),
        entry: Some(entry.id.shared()),
    };
    let bytes = fill(build, kind, &whole, &made.slots, &subject)?;
    made.findings.name_entry_from(0, &entry.id.shared());
    files(page_file(&href, bytes), made)
}

fn context(build: &Build<'_>, index: EntryIndex, standing: &Standing, made: &Made) -> EntryContext {
    let site = build.site;
    let entry = site.entry(index);
    let empty = References::default();
    let references = site.references.get(index).map_or(&empty, |found| &**found);
    let link = build.link(index);
    let byline = byline::byline(entry, standing);
    let url = format!("{}{}", build.context.base_url, entry.address());
    let cited = standing.is_published();
    let numbering = match entry.kind() {
        Kind::Term => Numbering::Plain,
        Kind::Lesson => Numbering::Numbered,
    };
    let turn = build.turn(index);
    let linked = |index: Option<EntryIndex>| build.link(index?).cloned();
    EntryContext {
        id: entry.id.to_string(),
        kind: entry.kind().word(),
        title: entry.title.value.clone(),
        name: entry.name().to_owned(),
        short: link.map(|link| link.short.clone()).unwrap_or_default(),
        aliases: row::aliases(entry),
        state: standing.state.to_owned(),
        waits_for: standing
            .waits_for
            .iter()
            .map(|role| (*role).to_owned())
            .collect(),
        cite: cited
            .then(|| cite::cite(entry, &byline, &build.context, &url))
            .flatten(),
        byline,
        contents: contents(&entry.body, numbering),
        sources: sources::sources(entry, &made.citations),
        related: build.links(&references.related),
        meets: meets(build, entry, references),
        backlinks: backlinks(build, index, references),
        owner: linked(references.owner),
        lesson: row::lesson(build, index),
        previous: linked(turn.previous),
        next: linked(turn.next),
    }
}

/// The shown lessons in which a term is met.
fn meets(build: &Build<'_>, entry: &Entry, references: &References) -> Vec<MeetContext> {
    let Some(term) = entry.term() else {
        return Vec::new();
    };
    let pairs = term.meets.iter().zip(&references.meets);
    pairs
        .filter_map(|(meeting, index)| {
            let index = (*index)?;
            let lesson = build.site.entry(index).lesson();
            let day = lesson.and_then(|lesson| lesson.day.as_ref());
            let note = meeting.note.as_ref();
            Some(MeetContext {
                lesson: build.link(index)?.clone(),
                day: day.map(|day| day.value.to_string()),
                note: note.map(|note| note.value.clone()).unwrap_or_default(),
            })
        })
        .collect()
}

/// The shown entries that refer to this one and are not listed otherwise.
fn backlinks(build: &Build<'_>, index: EntryIndex, references: &References) -> Vec<LinkContext> {
    let listed: BTreeSet<EntryIndex> = references
        .related
        .iter()
        .chain(&references.meets)
        .flatten()
        .copied()
        .collect();
    let from = build.site.backlinks.get(index);
    let from = from.map(Vec::as_slice).unwrap_or_default().iter();
    from.filter(|index| !listed.contains(index))
        .filter_map(|index| build.link(*index).cloned())
        .collect()
}
