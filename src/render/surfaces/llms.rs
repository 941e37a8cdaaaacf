//! `llms.txt`: the site in one short text for language models, with links to the Markdown twins.

use super::markdown::one_line;
use super::{Listed, Shelf};
use std::fmt::Write as _;

/// The list of pages as Markdown.
pub fn llms(shelf: &Shelf<'_>) -> Vec<u8> {
    let config = &shelf.site.config;
    let mut text = format!("# {}\n", one_line(&config.title));
    if !config.description.is_empty() {
        let _ = write!(text, "\n> {}\n", one_line(&config.description));
    }
    text.push_str(
        "\nEvery number on these pages is tied to the data or the simulation it comes from, and every \
         page names an author and a different reviewer. Whole glossary as data: ",
    );
    let _ = writeln!(
        text,
        "[glossary.json]({}).",
        shelf.absolute("glossary.json")
    );
    section("Terms", shelf.terms(), shelf, &mut text);
    section("Lessons", shelf.lessons(), shelf, &mut text);
    if !shelf.site.pages.is_empty() {
        text.push_str("\n## Optional\n\n");
        for page in &shelf.site.pages {
            let title = page.title.as_ref().map_or("", |title| &title.value);
            let address = shelf.absolute(&format!("{}index.md", page.address()));
            let _ = writeln!(text, "- [{}]({address})", one_line(title));
        }
    }
    text.into_bytes()
}

fn section<'a>(
    heading: &str,
    listed: impl Iterator<Item = &'a Listed<'a>>,
    shelf: &Shelf<'_>,
    text: &mut String,
) {
    let mut listed = listed.peekable();
    if listed.peek().is_none() {
        return;
    }
    let _ = write!(text, "\n## {heading}\n\n");
    for one in listed {
        let address = shelf.absolute(&format!("{}index.md", one.entry.address()));
        let _ = writeln!(
            text,
            "- [{}]({address}): {}",
            one_line(one.entry.name()),
            one_line(&one.short())
        );
    }
}
