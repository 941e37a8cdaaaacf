//! Which addresses a build writes itself, so that no copied file may stand there.
//!
//! The addresses of entries' and pages' own `index.html` are not among them: each is claimed with
//! its place, so that a finding can name both.

use super::OutputPath;
use super::path::fold;
use crate::source::Sources;

/// Files that builds write of their own, whatever the site's entries are.
pub const WRITTEN_BY_BUILDS: [&str; 16] = [
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

/// Files that come with the program, each of which a site may replace with its own.
pub const REPLACEABLE: [&str; 13] = [
    "css/finders.css",
    "css/index.css",
    "css/lesson.css",
    "css/player.css",
    "css/site.css",
    "favicon.ico",
    "favicon.svg",
    "js/cards.js",
    "js/contents.js",
    "js/finders.js",
    "js/player.js",
    "js/site.js",
    "search/search.js",
];

/// Folders that builds make.
const FOLDERS: [&str; 6] = ["css", "diagrams", "js", "lessons", "search", "terms"];

/// The folder of the search index.
pub const SEARCH_FOLDER: &str = "search/";

/// The module that answers queries.
pub const SEARCH_MODULE: &str = "search/search.js";

/// Whether a build writes to this address, given in its folded form, or needs a folder there.
pub(super) fn is_made_by_a_build(folded: &str, sources: &Sources) -> bool {
    if REPLACEABLE.contains(&folded) {
        return false;
    }
    let below = |long: &str, short: &str| {
        long.strip_prefix(short)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    let stands_in_the_way =
        |made: &&str| folded == *made || below(folded, made) || below(made, folded);
    let made = WRITTEN_BY_BUILDS.iter().chain(&REPLACEABLE);
    let is_folder = FOLDERS.contains(&folded) || folded.starts_with(SEARCH_FOLDER);
    if is_folder || made.into_iter().any(stands_in_the_way) {
        return true;
    }
    // What lies below a file's address is in its way as well.
    let mut parts = folded.split('/');
    let (first, second, third) = (parts.next(), parts.next(), parts.next());
    match (first, second, third) {
        (Some("diagrams"), Some(id), _) => {
            is_entry("terms", id, sources) || is_entry("lessons", id, sources)
        }
        (Some(kind @ ("terms" | "lessons")), Some(id), Some(name)) => {
            // Captures are offered as files by their names.
            let is_data = [".csv", ".json"].iter().any(|end| name.ends_with(end));
            (is_data || is_of_a_page(name)) && is_entry(kind, id, sources)
        }
        (Some(id), Some(name), _) => is_of_a_page(name) && is_entry("pages", id, sources),
        _ => false,
    }
}

/// Whether a reserved address, in its folded form, is that of a folder.
pub(super) fn is_folder_of_a_build(folded: &str) -> bool {
    let drawings = folded.strip_prefix("diagrams/");
    FOLDERS.contains(&folded) || drawings.is_some_and(|id| !id.contains('/'))
}

/// Whether each page has a file of this name beside it.
fn is_of_a_page(name: &str) -> bool {
    matches!(name, "card.png" | "index.md")
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
