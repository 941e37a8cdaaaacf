//! Addresses of pages and of the files beside them.
//!
//! An address is relative to the site's root: empty for the home page, `terms/warp/` for a term.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// What an address cannot hold as it is.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'\\')
    .add(b'`')
    .add(b'{')
    .add(b'}');

/// The address of the list of terms.
pub const TERMS: &str = "terms/";

/// The address of the list of lessons.
pub const LESSONS: &str = "lessons/";

/// The file that stands in for a page that does not exist.
pub const NOT_FOUND: &str = "404.html";

/// What leads from a page to the site's root.
pub fn to_root(address: &str) -> String {
    match address.matches('/').count() {
        0 => "./".to_owned(),
        depth => "../".repeat(depth),
    }
}

/// The Markdown twin of a page.
pub fn twin(address: &str) -> String {
    format!("{address}index.md")
}

/// The social card of a page.
pub fn card(address: &str) -> String {
    format!("{address}card.png")
}

/// A path as it stands in a link.
pub fn encode(path: &str) -> String {
    utf8_percent_encode(path, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_depth_leads_to_the_root() {
        assert_eq!(to_root(""), "./");
        assert_eq!(to_root("about/"), "../");
        assert_eq!(to_root("terms/warp/"), "../../");
        assert_eq!(encode("a b/ü#?%.png"), "a%20b/%C3%BC%23%3F%25.png");
    }
}
