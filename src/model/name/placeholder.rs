//! Words that stand for a name which is still to come.

use super::characters::is_visible_letter;
use super::keys;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The words, without spaces and punctuation.
const WORDS: [&str; 14] = [
    "pending",
    "tbd",
    "tba",
    "todo",
    "none",
    "unknown",
    "na",
    "null",
    "anonymous",
    "xxx",
    "author",
    "reviewer",
    "someone",
    "nobody",
];

/// The keys of all words, made once: look-alike letters are seen through as in names.
static KEYS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    WORDS
        .iter()
        .flat_map(|word| (*keys(word)).clone())
        .collect()
});

/// Whether a text only holds the place of a name: one of a few words in any spelling, or
/// anything without a letter that can be seen.
pub fn is_placeholder(text: &str) -> bool {
    !text.chars().any(is_visible_letter) || !KEYS.is_disjoint(&keys(text))
}
