//! One checked join for every address of an output.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// Longest name of one file or folder, in bytes: the limit of most file systems.
pub const SEGMENT_MAX_BYTES: usize = 255;

/// Longest path, in bytes. Windows and browsers differ above this; no page of ours comes near.
pub const PATH_MAX_BYTES: usize = 1024;

/// How often a path is percent-decoded in search of a hidden escape before it is refused as such.
const DECODINGS_MAX: usize = 4;

/// Characters that Windows allows in no file name; `:` would also name a second stream there.
const FORBIDDEN: &[char] = &['<', '>', ':', '"', '|', '?', '*'];

/// The path of a file in an output: relative, with forward slashes, made of plain names.
///
/// A value of this type can be joined to any folder and stays inside it, on every system, as
/// written and percent-decoded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutputPath(Arc<str>);

/// Why a text cannot be the path of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathFault {
    /// Nothing, or nothing between two slashes.
    EmptyName,
    /// It starts at a root or a drive.
    Absolute,
    /// It has a `.` or `..`.
    Dots,
    /// It has an escape that decodes to something that is refused.
    Escape,
    /// It has a backslash.
    Backslash,
    /// It has a control or invisible direction character.
    Control,
    /// It has a character that a system allows in no name.
    Character,
    /// A name ends in a dot or space, which a system drops.
    TrailingDot,
    /// A name is one that a system keeps for a device.
    Device,
    /// A name or the whole is too long.
    TooLong,
}

impl fmt::Display for PathFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EmptyName => "a name in it is empty",
            Self::Absolute => "it starts at the root of a disk instead of in the release",
            Self::Dots => "it climbs with `.` or `..`",
            Self::Escape => {
                "it has a percent escape that hides a dot, a slash or a control character"
            }
            Self::Backslash => "it has a backslash, which is a folder's end on some systems",
            Self::Control => "it has a control character",
            Self::Character => "it has one of `< > : \" | ? *`, which Windows allows in no name",
            Self::TrailingDot => "a name in it ends in a dot or a space, which Windows drops",
            Self::Device => "a name in it is one that Windows keeps for a device",
            Self::TooLong => "a name in it is longer than 255 bytes, or it is longer than 1024",
        })
    }
}

impl OutputPath {
    /// Checks a path.
    pub fn new(text: &str) -> Result<Self, PathFault> {
        check(text)?;
        let mut decoded = text.to_owned();
        for _ in 0..DECODINGS_MAX {
            if !decoded.contains('%') {
                return Ok(Self(text.into()));
            }
            let bytes: Vec<u8> = percent_encoding::percent_decode_str(&decoded).collect();
            let next = String::from_utf8_lossy(&bytes).into_owned();
            if next == decoded {
                return Ok(Self(text.into()));
            }
            check(&next).map_err(|_| PathFault::Escape)?;
            decoded = next;
        }
        Err(PathFault::Escape)
    }

    /// The path below this one, taken as a folder.
    pub fn join(&self, below: &str) -> Result<Self, PathFault> {
        Self::new(&format!("{}/{below}", self.0))
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The shared text.
    pub fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }

    /// The form under which two paths are one file on some disk: normal form C, letters' case aside.
    pub fn folded(&self) -> String {
        fold(&self.0)
    }
}

/// Text with letters' case and normal forms made one.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Upper and then lower case brings together what only one of the two would keep apart (ſ and s).
    let folded = text.nfc().flat_map(char::to_uppercase);
    let folded: String = folded.flat_map(char::to_lowercase).collect();
    if is_nfc_quick(folded.chars()) == IsNormalized::Yes {
        return folded;
    }
    folded.nfc().collect()
}

fn check(text: &str) -> Result<(), PathFault> {
    if text.starts_with('/') || text.get(1..2) == Some(":") {
        return Err(PathFault::Absolute);
    }
    if text.contains('\\') {
        return Err(PathFault::Backslash);
    }
    if text.len() > PATH_MAX_BYTES {
        return Err(PathFault::TooLong);
    }
    if text.chars().any(is_hidden) {
        return Err(PathFault::Control);
    }
    text.split('/').try_for_each(check_name)
}

fn check_name(name: &str) -> Result<(), PathFault> {
    if name.is_empty() {
        return Err(PathFault::EmptyName);
    }
    if matches!(name, "." | "..") {
        return Err(PathFault::Dots);
    }
    if name.len() > SEGMENT_MAX_BYTES {
        return Err(PathFault::TooLong);
    }
    if name.contains(FORBIDDEN) {
        return Err(PathFault::Character);
    }
    if name.ends_with(['.', ' ']) || name.starts_with(' ') {
        return Err(PathFault::TrailingDot);
    }
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    if is_device(stem) {
        return Err(PathFault::Device);
    }
    Ok(())
}

/// Control characters, and those that reorder or hide text around them.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffd}')
}

/// The names that Windows keeps for devices, whatever their ending.
fn is_device(stem: &str) -> bool {
    let lower = stem.to_ascii_lowercase();
    match lower.as_str() {
        "con" | "prn" | "aux" | "nul" | "conin$" | "conout$" => true,
        other => ["com", "lpt"].iter().any(|port| {
            other.strip_prefix(port).is_some_and(|number| {
                matches!(number, "¹" | "²" | "³")
                    || (number.len() == 1 && number.bytes().all(|b| b.is_ascii_digit()))
            })
        }),
    }
}

impl fmt::Display for OutputPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for OutputPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_paths_are_taken() {
        for good in [
            "index.html",
            "terms/warp/index.html",
            ".nojekyll",
            ".well-known/security.txt",
            "two words.png",
            "測試.png",
            "100%.txt",
            "a%20b.png",
            "console.txt",
        ] {
            assert!(OutputPath::new(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn each_fault_is_named() {
        for (bad, fault) in [
            ("", PathFault::EmptyName),
            ("a//b", PathFault::EmptyName),
            ("a/", PathFault::EmptyName),
            ("/etc/passwd", PathFault::Absolute),
            ("c:/x", PathFault::Absolute),
            ("../x", PathFault::Dots),
            ("a/./b", PathFault::Dots),
            ("%2e%2e/x", PathFault::Escape),
            ("a/%2E%2e/x", PathFault::Escape),
            ("%252e%252e%252fx", PathFault::Escape),
            ("a%2fb/%00", PathFault::Escape),
            ("a\\b", PathFault::Backslash),
            ("a%5cb", PathFault::Escape),
            ("a\0", PathFault::Control),
            ("a\u{202e}gnp.x", PathFault::Control),
            ("a?.png", PathFault::Character),
            ("a:b", PathFault::Absolute),
            ("ab:c", PathFault::Character),
            ("dir./x", PathFault::TrailingDot),
            ("x ", PathFault::TrailingDot),
            ("nul.txt", PathFault::Device),
            ("a/COM1", PathFault::Device),
        ] {
            assert_eq!(OutputPath::new(bad), Err(fault), "{bad}");
        }
        assert_eq!(OutputPath::new(&"x".repeat(256)), Err(PathFault::TooLong));
    }

    #[test]
    fn join_checks_the_whole() {
        let terms = OutputPath::new("terms").unwrap();
        assert_eq!(
            terms.join("warp/index.html").unwrap().as_str(),
            "terms/warp/index.html"
        );
        assert_eq!(terms.join("../x"), Err(PathFault::Dots));
    }

    #[test]
    fn folding_joins_case_and_normal_form() {
        let fold = |text: &str| OutputPath::new(text).unwrap().folded();
        assert_eq!(fold("Figure.TXT"), fold("figure.txt"));
        assert_eq!(fold("caf\u{e9}.png"), fold("CAFE\u{301}.png"));
        assert_ne!(fold("a/b"), fold("a-b"));
    }

    proptest! {
        #[test]
        fn a_taken_path_stays_inside(text in "\\PC{0,40}|[./%2eEfF5cC\\\\a:]{0,24}") {
            if let Ok(path) = OutputPath::new(&text) {
                let mut decoded = path.as_str().to_owned();
                for _ in 0..6 {
                    prop_assert!(!decoded.starts_with('/'));
                    prop_assert!(!decoded.contains('\\'));
                    prop_assert!(decoded.split('/').all(|name| !matches!(name, "" | "." | "..")));
                    decoded = percent_encoding::percent_decode_str(&decoded)
                        .decode_utf8_lossy()
                        .into_owned();
                }
            }
        }
    }
}
