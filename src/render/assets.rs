//! Style sheets, scripts and icons that come with the program.

use super::compact::compact;
use std::borrow::Cow;

/// Built-in files by their path in a release.
const TEXTS: [(&str, &str); 7] = [
    ("css/index.css", include_str!("../../static/css/index.css")),
    (
        "css/lesson.css",
        include_str!("../../static/css/lesson.css"),
    ),
    ("css/site.css", include_str!("../../static/css/site.css")),
    ("favicon.svg", include_str!("../../static/favicon.svg")),
    ("js/player.js", include_str!("../../static/js/player.js")),
    ("js/site.js", include_str!("../../static/js/site.js")),
    (
        "search/search.js",
        include_str!("../../static/search/search.js"),
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
    let texts = TEXTS.iter().map(|(path, text)| Asset {
        path,
        bytes: released(path, text).into_owned().into_bytes(),
    });
    let icon = Asset {
        path: ICON.0,
        bytes: ICON.1.to_vec(),
    };
    let mut assets: Vec<_> = texts.chain([icon]).collect();
    assets.sort_by_key(|asset| asset.path);
    assets
}

/// Whether a site's own file is a copy of a built-in one, as in this program's own repository:
/// then the built-in one stands for it.
pub fn is_copy(path: &str, bytes: &[u8]) -> bool {
    let text = TEXTS.iter().find(|(built_in, _)| *built_in == path);
    text.is_some_and(|(_, text)| text.as_bytes() == bytes) || (path, bytes) == ICON
}

fn released<'a>(path: &str, text: &'a str) -> Cow<'a, str> {
    if path.ends_with("css") || path.ends_with("js") {
        Cow::Owned(compact(text))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{TEXTS, built_in};
    use crate::draw;

    #[test]
    fn drawings_inside_pages_have_their_colours() {
        let site = TEXTS.iter().find(|(path, _)| *path == "css/site.css");
        let style = draw::page_style();
        assert!(
            site.is_some_and(|(_, text)| text.contains(&style)),
            "end static/css/site.css with this line:\n{style}"
        );
    }

    #[test]
    fn assets_stand_in_the_order_of_their_paths() {
        let assets = built_in();
        assert!(assets.is_sorted_by_key(|asset| asset.path));
    }
}
