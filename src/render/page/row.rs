//! A row of a list: a term or lesson without its text.

use super::contents::sections;
use crate::model::entry::Entry;
use crate::render::build::Build;
use crate::render::context::{ArcContext, ArcPartContext, LessonContext, RowContext};
use crate::resolve::EntryIndex;

/// The row of a shown entry.
pub(super) fn row(build: &Build<'_>, index: EntryIndex) -> Option<RowContext> {
    let entry = build.site.entry(index);
    let link = build.link(index)?;
    let standing = build.standing(index)?;
    let references = build.site.references.get(index)?;
    let owner = references.owner.and_then(|owner| build.link(owner));
    let waits_for = standing.waits_for.iter();
    Some(RowContext {
        id: entry.id.to_string(),
        href: entry.address(),
        name: entry.name().to_owned(),
        title: entry.title.value.clone(),
        short: link.short.clone(),
        aliases: aliases(entry),
        state: standing.state.to_owned(),
        waits_for: waits_for.map(|role| (*role).to_owned()).collect(),
        last_checked_on: super::byline::day(&entry.byline.last_checked_on),
        assurance: standing
            .assurance
            .map(|assurance| assurance.word().to_owned()),
        owner: owner.cloned(),
        lesson: lesson_facts(entry),
    })
}

/// Other names of an entry.
pub(super) fn aliases(entry: &Entry) -> Vec<String> {
    let aliases = entry.aliases().iter();
    aliases.map(|alias| alias.value.clone()).collect()
}

/// What a list says of a lesson; its links are for its own page.
fn lesson_facts(entry: &Entry) -> Option<LessonContext> {
    let lesson = entry.lesson()?;
    let arc = lesson.arc.as_ref().map(|arc| ArcContext {
        name: arc.name.value.clone(),
        part: part_of(entry),
        parts: Vec::new(),
    });
    Some(LessonContext {
        day: lesson.day.as_ref().map(|day| day.value.to_string()),
        arc,
        sections: sections(&entry.body),
        models: entry.models.len(),
        ..LessonContext::default()
    })
}

/// What the lesson's own page says.
pub(super) fn lesson(build: &Build<'_>, index: EntryIndex) -> Option<LessonContext> {
    let entry = build.site.entry(index);
    let mut facts = lesson_facts(entry)?;
    let references = build.site.references.get(index)?;
    facts.prerequisites = build.links(&references.prerequisites);
    facts.teaches = build.links(&references.teaches);
    if let Some(arc) = &mut facts.arc {
        let parts = build.series(entry).iter();
        arc.parts = parts
            .filter_map(|&part| {
                Some(ArcPartContext {
                    number: part_of(build.site.entry(part)),
                    lesson: build.link(part)?.clone(),
                    here: part == index,
                })
            })
            .collect();
    }
    Some(facts)
}

/// The part that a lesson is of its series; 0 where it does not say.
fn part_of(entry: &Entry) -> u64 {
    let arc = entry.lesson().and_then(|lesson| lesson.arc.as_ref());
    let part = arc.and_then(|arc| arc.part.as_ref());
    part.map_or(0, |part| part.value)
}
