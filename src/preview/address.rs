//! From the target of a request to an address of the site.
//!
//! A target is decoded and resolved before anything is looked up, and what comes out is an
//! [`OutputPath`], a redirect inside the site, or a refusal: there is no way from here to a file
//! that the site did not make.

use crate::output::OutputPath;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What is escaped in the path of a redirect.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// What a target asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asked {
    /// The file at an address. Where there is none, the page of a folder may be meant, which has
    /// another address.
    File {
        /// The address.
        path: OutputPath,
        /// The folder's page, and where it is found.
        folder: Option<(OutputPath, String)>,
    },
    /// Something that is at another place.
    Moved(String),
    /// No file can be there.
    Nothing,
    /// It is not a path at all, or climbs.
    Malformed,
}

/// Resolves a target, as it came over the wire, on a site under `base` (which begins and ends with
/// a slash).
pub(super) fn resolve(target: &str, base: &str) -> Asked {
    let (path, query) = match target.split_once('?') {
        Some((path, query)) => (path, format!("?{query}")),
        None => (target, String::new()),
    };
    let Some(path) = decode(path) else {
        return Asked::Malformed;
    };
    let base = decode(base).unwrap_or_else(|| "/".to_owned());
    if path == "/" && base != "/" || format!("{path}/") == base {
        return Asked::Moved(format!("{}{query}", encode(&base)));
    }
    let Some(below) = path.strip_prefix(&base) else {
        return Asked::Nothing;
    };
    if below.is_empty() || below.ends_with('/') {
        return match OutputPath::new(&format!("{below}index.html")) {
            Ok(path) => Asked::File { path, folder: None },
            Err(_) => Asked::Nothing,
        };
    }
    let Ok(address) = OutputPath::new(below) else {
        return Asked::Nothing;
    };
    let index = address.join("index.html").ok();
    let folder = index.map(|index| (index, format!("{}/{query}", encode(&path))));
    Asked::File {
        path: address,
        folder,
    }
}

/// A path with its escapes resolved; `None` if it does not begin at the root, climbs, has an
/// escape that is none, or is not text.
fn decode(path: &str) -> Option<String> {
    if !path.starts_with('/') || !has_whole_escapes(path) {
        return None;
    }
    let path = percent_decode_str(path).decode_utf8().ok()?.into_owned();
    let is_odd = |c: char| c.is_control() || c == '\\';
    let climbs = path.split('/').any(|name| matches!(name, "." | ".."));
    (!climbs && !path.contains(is_odd)).then_some(path)
}

fn has_whole_escapes(path: &str) -> bool {
    path.split('%').skip(1).all(|after| {
        let digits = after.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

fn encode(path: &str) -> String {
    let names: Vec<_> = path
        .split('/')
        .map(|name| utf8_percent_encode(name, ESCAPED).to_string())
        .collect();
    names.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(target: &str, base: &str) -> String {
        match resolve(target, base) {
            Asked::File { path, .. } => path.to_string(),
            other => panic!("{target}: {other:?}"),
        }
    }

    #[test]
    fn addresses_are_found_under_the_base() {
        assert_eq!(file("/", "/"), "index.html");
        assert_eq!(
            file("/terms/latency/?utm=1&x=%20", "/"),
            "terms/latency/index.html"
        );
        assert_eq!(file("/two%20words.png?v=2", "/"), "two words.png");
        assert_eq!(file("/%E6%B8%AC%E8%A9%A6.png", "/"), "測試.png");
        assert_eq!(
            file("/gloss/terms/latency/index.html", "/gloss/"),
            "terms/latency/index.html"
        );
        assert_eq!(file("/a%20b/x", "/a%20b/"), "x");
    }

    #[test]
    fn redirects_stay_inside_and_keep_the_query() {
        assert_eq!(resolve("/", "/gloss/"), Asked::Moved("/gloss/".to_owned()));
        assert_eq!(
            resolve("/gloss?a=b", "/gloss/"),
            Asked::Moved("/gloss/?a=b".to_owned())
        );
        let Asked::File { folder, .. } = resolve("/terms/%E6%B8%AC?a=/b", "/") else {
            panic!("no file");
        };
        let (index, location) = folder.unwrap();
        assert_eq!(index.as_str(), "terms/測/index.html");
        assert_eq!(location, "/terms/%E6%B8%AC/?a=/b");
    }

    #[test]
    fn nothing_climbs() {
        for target in [
            "/../secret.txt",
            "/../../../../../../etc/hostname",
            "/terms/latency/../../../secret.txt",
            "/%2e%2e/secret.txt",
            "/terms/%2E%2E%2f%2e%2e/secret.txt",
            "/./x",
            "/..%5csecret.txt",
            "/a%00b",
            "/a%0d%0aX: y",
            "/%ff",
            "/%zz",
            "/%",
            "secret.txt",
            "",
            "*",
            "http://evil.example/",
        ] {
            assert_eq!(resolve(target, "/"), Asked::Malformed, "{target}");
        }
        for target in [
            "//secret.txt",
            "/a//b",
            "/%252e%252e/secret.txt",
            "/c:/x",
            "/nul",
        ] {
            assert_eq!(resolve(target, "/"), Asked::Nothing, "{target}");
        }
        assert_eq!(resolve("/x", "/gloss/"), Asked::Nothing);
    }

    proptest! {
        #[test]
        fn no_target_leads_out(
            target in "\\PC{0,40}|[/.%2eE5cCfF0?a\\\\]{0,30}|/{1,2}[a-z.%/]{0,20}",
            base in "/|/gloss/|/a%20b/c/",
        ) {
            match resolve(&target, &base) {
                Asked::File { path, folder } => {
                    prop_assert!(OutputPath::new(path.as_str()).is_ok());
                    if let Some((index, location)) = folder {
                        prop_assert!(index.as_str().ends_with("/index.html"));
                        prop_assert!(location.starts_with('/') && !location.starts_with("//"));
                    }
                }
                Asked::Moved(location) => {
                    prop_assert!(location.starts_with('/') && !location.starts_with("//"));
                    prop_assert!(!location.contains(['\r', '\n']));
                }
                Asked::Nothing | Asked::Malformed => {}
            }
        }
    }
}
