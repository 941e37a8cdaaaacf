//! The home page.

use super::glossary::letters;
use super::{announce, file_subject, files, json_ld, row, site_subject};
use crate::diagnostic::Diagnostics;
use crate::model::document::Document;
use crate::render::address;
use crate::render::build::Build;
use crate::render::context::{HomeContext, HomePage, PageKind, Slot};
use crate::render::html::{Here, Writer};
use crate::render::renderer::{OutputFile, fill, page_file};
use crate::resolve::References;
use std::cmp::Reverse;

/// Most rows of each list.
const ROWS_MAX: usize = 12;

/// Renders it.
pub(in crate::render) fn home(build: &Build<'_>) -> Result<Vec<OutputFile>, Diagnostics> {
    let text = build.site.home.as_ref();
    let empty = (Document::default(), References::default());
    let own_links = text.and_then(|_| build.site.page_links.first());
    let root = address::to_root("");
    let here = Here {
        address: "",
        root: &root,
        entry: None,
        body: text.map_or(&empty.0, |page| &page.body),
        references: own_links.unwrap_or(&empty.1),
    };
    let mut made = Writer::new(build, here).make();
    let title = text.and_then(|page| page.title.as_ref());
    let title = title.map_or(build.context.title.as_str(), |title| &title.value);
    let page = build.page(PageKind::Home, title, description(build), "");
    made.slots
        .insert(Slot::JsonLd, json_ld::website(build, &page));
    let whole = HomePage {
        site: &build.context,
        page,
        home: context(build),
        slots: announce(&made.slots),
    };
    let subject = match text {
        Some(page) => file_subject("the home page".to_owned(), page.file),
        None => site_subject(build, "the home page"),
    };
    let bytes = fill(build, PageKind::Home, &whole, &made.slots, &subject)?;
    files(page_file("", bytes), made)
}

fn description(build: &Build<'_>) -> String {
    let own = build
        .site
        .home
        .as_ref()
        .and_then(|page| page.description.as_ref());
    if let Some(own) = own {
        return own.value.clone();
    }
    if !build.context.description.is_empty() {
        return build.context.description.clone();
    }
    format!(
        "{}: {} terms and {} lessons.",
        build.context.title,
        build.terms.len(),
        build.lessons.len()
    )
}

fn context(build: &Build<'_>) -> HomeContext {
    let site = build.site;
    let names = build.terms.iter().map(|index| site.entry(*index).name());
    let letters = letters(names);
    let mut newest: Vec<_> = build.terms.iter().copied().enumerate().collect();
    newest.sort_by_key(|(place, index)| {
        let checked = site.entry(*index).byline.last_checked_on.date();
        (Reverse(checked.map(|date| date.value)), *place)
    });
    let newest = newest.into_iter().take(ROWS_MAX);
    let lessons = build.lessons.iter().take(ROWS_MAX);
    HomeContext {
        terms_total: build.terms.len(),
        lessons_total: build.lessons.len(),
        letters,
        lessons: lessons
            .filter_map(|index| row::row(build, *index))
            .collect(),
        terms: newest
            .filter_map(|(_, index)| row::row(build, index))
            .collect(),
    }
}
