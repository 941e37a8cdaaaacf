//! The list of lessons.

use super::{announce, json_ld, row, site_subject};
use crate::diagnostic::Diagnostics;
use crate::model::slug::Slug;
use crate::render::address::LESSONS;
use crate::render::build::Build;
use crate::render::context::{
    ArcGroupContext, CourseContext, LessonsPage, PageKind, RowContext, Slot,
};
use crate::render::renderer::{OutputFile, fill, page_file};
use std::collections::BTreeMap;

/// Renders it.
pub(in crate::render) fn lessons(build: &Build<'_>) -> Result<Vec<OutputFile>, Diagnostics> {
    let total = build.lessons.len();
    let description = match total {
        1 => format!("The one lesson of {}.", build.context.title),
        _ => format!(
            "All {total} lessons of {}, in the order of the course.",
            build.context.title
        ),
    };
    let page = build.page(PageKind::Lessons, "Lessons", description, LESSONS);
    let slots = BTreeMap::from([(Slot::JsonLd, json_ld::course(build, &page))]);
    let rows = build
        .lessons
        .iter()
        .filter_map(|index| row::row(build, *index));
    let whole = LessonsPage {
        site: &build.context,
        page,
        course: CourseContext {
            total,
            arcs: arcs(rows),
        },
        slots: announce(&slots),
    };
    let subject = site_subject(build, "the list of lessons");
    let bytes = fill(build, PageKind::Lessons, &whole, &slots, &subject)?;
    Ok(page_file(LESSONS, bytes).into_iter().collect())
}

/// The lessons by series, in the order in which each series begins.
fn arcs(rows: impl Iterator<Item = RowContext>) -> Vec<ArcGroupContext> {
    let mut groups: Vec<ArcGroupContext> = Vec::new();
    for row in rows {
        let lesson = row.lesson.as_ref();
        let name = lesson
            .and_then(|lesson| lesson.arc.as_ref())
            .map(|arc| arc.name.clone());
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.lessons.push(row),
            None => groups.push(ArcGroupContext {
                id: arc_id(name.as_deref(), groups.len()),
                name,
                lessons: vec![row],
            }),
        }
    }
    groups
}

fn arc_id(name: Option<&str>, at: usize) -> String {
    let slug = name.and_then(Slug::from_name);
    slug.map_or_else(|| format!("arc-{at}"), |slug| format!("arc-{slug}"))
}
