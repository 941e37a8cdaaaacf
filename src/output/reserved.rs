//! Which addresses a build writes itself, so that no copied file may stand there.
//!
//! The addresses of entries' and pages' own `index.html` are not among them: each is claimed with
//! its place, so that a finding can name both.

use super::OutputPath;
use super::path::fold;
use crate::source::Sources;

/// Files that every build writes, whatever the site holds.
const ALWAYS: [&str; 16] = [
    "404.html",
    "card.png",
    "feed.xml",
    "glossary.json",
    "glossary.schema.json",
    "index.html",
    "index.md",
    "lessons/card.png",
    "lessons/index.html",
    "lessons/index.md",
    "llms.txt",
    "robots.txt",
    "sitemap.xml",
    "terms/card.png",
    "terms/index.html",
    "terms/index.md",
];

/// Folders that builds make.
const FOLDERS: [&str; 4] = ["diagrams", "lessons", "search", "terms"];

/// The folder of the search index.
pub const SEARCH_FOLDER: &str = "search/";

/// The module that answers queries: the one file there that a site may replace with its own.
pub const SEARCH_MODULE: &str = "search/search.js";

/// Whether a build writes to this address, given in its folded form, or needs a folder there.
pub(super) fn is_made_by_a_build(folded: &str, sources: &Sources) -> bool {
    let stands_in_the_way = |made: &str| {
        let below = |long: &str, short: &str| {
            long.strip_prefix(short)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        folded == made || below(folded, made) || below(made, folded)
    };
    if ALWAYS.iter().any(|made| stands_in_the_way(made)) || FOLDERS.contains(&folded) {
        return true;
    }
    if folded.starts_with(SEARCH_FOLDER) {
        return folded != SEARCH_MODULE;
    }
    let Some((parent, name)) = folded.rsplit_once('/') else {
        return false;
    };
    if let Some(id) = parent.strip_prefix("diagrams/") {
        return is_entry("terms", id, sources) || is_entry("lessons", id, sources);
    }
    let is_beside = |kind: &str| {
        let id = parent
            .strip_prefix(kind)
            .and_then(|id| id.strip_prefix('/'));
        id.is_some_and(|id| is_entry(kind, id, sources))
    };
    // Captures are offered as files by their names.
    let is_data = [".csv", ".json"].iter().any(|end| name.ends_with(end));
    let is_of_a_page = matches!(name, "card.png" | "index.md");
    if is_beside("terms") || is_beside("lessons") {
        return is_data || is_of_a_page;
    }
    is_of_a_page && is_entry("pages", parent, sources)
}

/// The folder of a build that the first folder of an address differs from only in its spelling.
pub(super) fn folder_in_other_letters(path: &OutputPath) -> Option<&'static str> {
    let (first, _) = path.as_str().split_once('/')?;
    let plain = fold(first);
    let folder = FOLDERS.into_iter().find(|folder| *folder == plain)?;
    (folder != first).then_some(folder)
}

/// Whether a page is written under this id.
fn is_entry(kind: &str, id: &str, sources: &Sources) -> bool {
    let of = |end: &str| sources.find(&format!("content/{kind}/{id}{end}"));
    of(".md").or_else(|| of("/index.md")).is_some()
}
