//! Plain pages, and the one for an address that has none.

use super::contents::{Numbering, contents};
use super::{announce, file_subject, files, json_ld, site_subject};
use crate::diagnostic::Diagnostics;
use crate::model::page::Page;
use crate::render::address::{self, NOT_FOUND};
use crate::render::build::Build;
use crate::render::context::{PageKind, PlainPage, Slot, SlotsContext};
use crate::render::html::{Here, Writer};
use crate::render::renderer::{OutputFile, fill, page_file};
use crate::resolve::References;
use std::collections::BTreeMap;

/// The title of the page for addresses that lead nowhere.
pub(in crate::render) const NOT_FOUND_TITLE: &str = "Page not found";

/// Longest description made from a page's own words, in characters.
const DESCRIPTION_MAX: usize = 200;

/// Renders the page at an index.
pub(in crate::render) fn plain(
    build: &Build<'_>,
    at: usize,
) -> Result<Vec<OutputFile>, Diagnostics> {
    let Some(text) = build.site.pages.get(at) else {
        return Ok(Vec::new());
    };
    let empty = References::default();
    // The home page's links stand first, if there is one.
    let offset = usize::from(build.site.home.is_some());
    let references = build.site.page_links.get(at + offset).unwrap_or(&empty);
    let href = text.address();
    let root = address::to_root(&href);
    let here = Here {
        address: &href,
        root: &root,
        entry: None,
        body: &text.body,
        references,
    };
    let mut made = Writer::new(build, here).make();
    let title = text.title.as_ref().map_or("", |title| title.value.as_str());
    let page = build.page(
        PageKind::Page,
        title,
        description(build, text, title),
        &href,
    );
    made.slots.insert(Slot::JsonLd, json_ld::page(build, &page));
    let whole = PlainPage {
        site: &build.context,
        page,
        contents: contents(&text.body, Numbering::Plain),
        slots: announce(&made.slots),
    };
    let subject = file_subject(format!("the page `{href}`"), text.file);
    let bytes = fill(build, PageKind::Page, &whole, &made.slots, &subject)?;
    files(page_file(&href, bytes), made)
}

/// The page's own description, or its first words.
fn description(build: &Build<'_>, page: &Page, title: &str) -> String {
    if let Some(own) = &page.description {
        return own.value.clone();
    }
    let mut lines = page.body.words(build.sources).flat_map(str::lines);
    let first = lines.find(|line| line.trim().contains(' '));
    let Some(first) = first else {
        return format!("{title}: a page of {}.", build.context.title);
    };
    if first.chars().count() <= DESCRIPTION_MAX {
        return first.trim().to_owned();
    }
    let cut: String = first.chars().take(DESCRIPTION_MAX).collect();
    let whole_words = cut
        .rsplit_once(' ')
        .map_or(cut.as_str(), |(words, _)| words);
    format!("{whole_words} …")
}

/// Renders the page for an address that has none. It is served from any depth, so its links go
/// by the base path.
pub(in crate::render) fn not_found(build: &Build<'_>) -> Result<Vec<OutputFile>, Diagnostics> {
    let description = format!(
        "There is no page of {} at this address.",
        build.context.title
    );
    let mut page = build.page(PageKind::NotFound, NOT_FOUND_TITLE, description, NOT_FOUND);
    page.root.clone_from(&build.context.base_path);
    page.canonical = None;
    page.noindex = true;
    page.markdown_href = None;
    page.image = None;
    let whole = PlainPage {
        site: &build.context,
        page,
        contents: Vec::new(),
        slots: SlotsContext::default(),
    };
    let subject = site_subject(build, "the page for an unknown address");
    let bytes = fill(
        build,
        PageKind::NotFound,
        &whole,
        &BTreeMap::new(),
        &subject,
    )?;
    Ok(page_file(NOT_FOUND, bytes).into_iter().collect())
}
