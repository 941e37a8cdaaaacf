//! Style sheets, scripts and icons that come with the program.

use super::compact::{compact, compact_css};

/// Built-in files by their path in a release, each with the sources that it is put together from.
const TEXTS: [(&str, &[&str]); 12] = [
    (
        "css/finders.css",
        &[include_str!("../../static/css/finders.css")],
    ),
    (
        "css/index.css",
        &[include_str!("../../static/css/index.css")],
    ),
    // What a lesson needs for its figures is there with the page; a term's rarer ones ask for it.
    (
        "css/lesson.css",
        &[
            include_str!("../../static/css/lesson.css"),
            include_str!("../../static/css/player.css"),
        ],
    ),
    (
        "css/player.css",
        &[include_str!("../../static/css/player.css")],
    ),
    ("css/site.css", &[include_str!("../../static/css/site.css")]),
    ("favicon.svg", &[include_str!("../../static/favicon.svg")]),
    ("js/cards.js", &[include_str!("../../static/js/cards.js")]),
    (
        "js/contents.js",
        &[include_str!("../../static/js/contents.js")],
    ),
    (
        "js/finders.js",
        &[include_str!("../../static/js/finders.js")],
    ),
    ("js/player.js", &[include_str!("../../static/js/player.js")]),
    ("js/site.js", &[include_str!("../../static/js/site.js")]),
    (
        "search/search.js",
        &[include_str!("../../static/search/search.js")],
    ),
];

const ICON: (&str, &[u8]) = ("favicon.ico", include_bytes!("../../static/favicon.ico"));

/// One built-in file as it is released.
#[derive(Debug, Clone)]
pub struct Asset {
    /// Path in the release.
    pub path: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Every built-in file, in the order of paths.
pub fn built_in() -> Vec<Asset> {
    let texts = TEXTS.iter().map(|(path, parts)| Asset {
        path,
        bytes: released(path, &parts.concat()).into_bytes(),
    });
    let icon = Asset {
        path: ICON.0,
        bytes: ICON.1.to_vec(),
    };
    let mut assets: Vec<_> = texts.chain([icon]).collect();
    assets.sort_by_key(|asset| asset.path);
    assets
}

/// Whether a site's own file is a copy of a built-in one's first source, as in this program's own
/// repository: then the built-in one stands for it.
pub fn is_copy(path: &str, bytes: &[u8]) -> bool {
    let text = TEXTS.iter().find(|(built_in, _)| *built_in == path);
    let first = text.and_then(|(_, parts)| parts.first());
    first.is_some_and(|first| first.as_bytes() == bytes) || (path, bytes) == ICON
}

fn released(path: &str, text: &str) -> String {
    match path.rsplit('.').next() {
        Some("css") => compact_css(text),
        Some("js") => compact(text),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{TEXTS, built_in};
    use crate::draw;

    #[test]
    fn drawings_inside_pages_have_their_colours() {
        for (sheet, style) in [
            ("css/site.css", draw::page_style()),
            ("css/lesson.css", draw::model_style()),
        ] {
            let text = TEXTS.iter().find(|(path, _)| *path == sheet);
            assert!(
                text.is_some_and(|(_, parts)| parts.concat().contains(&style)),
                "end static/{sheet} with this line:\n{style}"
            );
        }
    }

    #[test]
    fn assets_stand_in_the_order_of_their_paths() {
        let assets = built_in();
        assert!(assets.is_sorted_by_key(|asset| asset.path));
    }
}
