//! The texts that come with the program and stand in a release by themselves, with no entry at all.

use super::page::NOT_FOUND_TITLE;
use super::surfaces::{GLOSSARY_SCHEMA, ROBOTS_OPEN};
use super::{assets, templates};
use std::sync::LazyLock;

/// How every feed and site map begins.
const XML_DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";

static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let assets = assets::built_in();
    let assets = assets
        .iter()
        .filter_map(|asset| str::from_utf8(&asset.bytes).ok().map(str::to_owned));
    let templates = templates::BUILT_IN.iter().map(|(_, text)| printed(text));
    let surfaces = [
        GLOSSARY_SCHEMA,
        ROBOTS_OPEN,
        XML_DECLARATION,
        NOT_FOUND_TITLE,
    ]
    .map(str::to_owned);
    assets.chain(templates).chain(surfaces).collect()
});

/// Built-in style sheets, scripts, and templates without their instructions, and what surfaces and
/// the page of addresses that lead nowhere hold whatever is on the shelf. A site's own name is in none of them.
pub fn texts() -> &'static [String] {
    &TEXTS
}

/// What a template prints by itself: all but instructions, values and comments.
fn printed(template: &str) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((at, close)) = instruction(rest) {
        out.push_str(&rest[..at]);
        out.push('\n');
        let inner = &rest[at..];
        rest = inner.find(close).map_or("", |end| &inner[end + 2..]);
    }
    out.push_str(rest);
    out
}

/// Where the next instruction, value or comment begins, and what ends it.
fn instruction(text: &str) -> Option<(usize, &'static str)> {
    let pairs = [("{{", "}}"), ("{%", "%}"), ("{#", "#}")];
    let places = pairs.map(|(open, close)| Some((text.find(open)?, close)));
    places.into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::{printed, texts};

    #[test]
    fn instructions_of_templates_are_not_printed() {
        let template = "{# why #}<p>{% if entry.title -%} A {{ entry.title }} b{% endif %}</p>";
        assert_eq!(printed(template), "\n<p>\n A \n b\n</p>");
        assert_eq!(printed("a {{ open"), "a \n");
        for text in texts() {
            assert!(!text.contains("{%") && !text.contains("{#"), "{text}");
        }
    }
}
