//! Ids: lower-case letters, digits and single hyphens.

use std::fmt;
use std::sync::Arc;

/// The id of an entry, or the name of a capture, diagram, model, matrix, preset or source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slug(Arc<str>);

impl Slug {
    /// Takes `text` if it is `[a-z0-9]+(-[a-z0-9]+)*`, at most 100 bytes, and no name that some
    /// system reserves for a device (`con`, `nul`, `com1` …).
    pub fn new(text: &str) -> Option<Self> {
        let words = text.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9'))
        });
        (words && text.len() <= 100 && !is_device(text)).then(|| Self(text.into()))
    }

    /// The nearest id to any text: an alias's address. Letters outside ASCII are kept as their
    /// code points, so that different names stay apart; `None` if nothing is left.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut id = String::new();
        for c in name.chars().flat_map(char::to_lowercase) {
            match c {
                'a'..='z' | '0'..='9' => id.push(c),
                '\'' | '’' => {}
                c if c.is_alphanumeric() => {
                    id.extend(["-u", &format!("{:x}", u32::from(c)), "-"]);
                }
                _ => id.push('-'),
            }
        }
        let id: Vec<_> = id.split('-').filter(|word| !word.is_empty()).collect();
        let id = id.join("-");
        Self::new(&id).or_else(|| Self::new(&format!("x-{id}")))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The shared text.
    pub fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

/// Names that Windows reserves for devices, whatever follows them.
pub fn is_device(text: &str) -> bool {
    matches!(text, "con" | "prn" | "aux" | "nul")
        || (text.len() == 4
            && (text.starts_with("com") || text.starts_with("lpt"))
            && text.ends_with(|c: char| c.is_ascii_digit()))
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_ids_are_taken() {
        for good in ["warp", "l1-cache", "2d", "a-1-b"] {
            assert!(Slug::new(good).is_some(), "{good}");
        }
        for bad in [
            "", "-a", "a-", "a--b", "Warp", "a_b", "a/b", "..", "é", "con", "lpt1",
        ] {
            assert!(Slug::new(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn aliases_get_safe_addresses() {
        let id = |name| Slug::from_name(name).map(|slug| slug.to_string());
        assert_eq!(id("Hiding latency").as_deref(), Some("hiding-latency"));
        assert_eq!(id("../../x").as_deref(), Some("x"));
        assert_eq!(id("線"), Some("u7dda".to_owned()));
        assert_eq!(id("con").as_deref(), Some("x-con"));
        assert_eq!(id("…"), None);
    }
}
