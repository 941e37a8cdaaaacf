//! The form in which words are compared: what a reader need not get right is set aside.
//!
//! Case, accents, width and ligatures go. The browser folds the query in the same way
//! (`static/search/search.js`), so both must name the same characters; a test holds them together.

use std::ops::RangeInclusive;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Marks that may be left out in typing: accents of Latin, Greek and Cyrillic, the vowel points
/// of Hebrew and Arabic. Marks of other scripts make another letter.
pub(super) const MARKS: [RangeInclusive<u32>; 13] = [
    0x0300..=0x036f,
    0x0483..=0x0487,
    0x0591..=0x05bd,
    0x05bf..=0x05bf,
    0x05c1..=0x05c2,
    0x05c4..=0x05c5,
    0x05c7..=0x05c7,
    0x0610..=0x061a,
    0x064b..=0x065f,
    0x0670..=0x0670,
    0x1ab0..=0x1aff,
    0x1dc0..=0x1dff,
    0x20d0..=0x20ff,
];

/// Characters without width, and the stroke that lengthens an Arabic word.
pub(super) const JOINERS: [RangeInclusive<u32>; 5] = [
    0x00ad..=0x00ad,
    0x0640..=0x0640,
    0x200b..=0x200f,
    0x2060..=0x2060,
    0xfeff..=0xfeff,
];

/// Scripts that put no spaces between words: Thai and Lao, Burmese, Khmer, Chinese, Japanese.
pub(super) const SPACELESS: [RangeInclusive<u32>; 13] = [
    0x0e00..=0x0eff,
    0x1000..=0x109f,
    0x1780..=0x17ff,
    0x2e80..=0x2fdf,
    0x3005..=0x3007,
    0x3021..=0x3029,
    0x3038..=0x303b,
    0x3040..=0x30ff,
    0x31f0..=0x31ff,
    0x3400..=0x4dbf,
    0x4e00..=0x9fff,
    0xf900..=0xfaff,
    0x20000..=0x323af,
];

/// Letters that no normal form takes apart, and what is typed for them.
pub(super) const LETTERS: [(char, &str); 9] = [
    ('æ', "ae"),
    ('ð', "d"),
    ('ø', "o"),
    ('þ', "th"),
    ('đ', "d"),
    ('ħ', "h"),
    ('ł', "l"),
    ('œ', "oe"),
    ('ς', "σ"),
];

fn within(ranges: &[RangeInclusive<u32>], c: char) -> bool {
    ranges.iter().any(|range| range.contains(&u32::from(c)))
}

/// What a character is to a reader who looks for words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Part of a word.
    Word,
    /// Part of a run of words without spaces.
    Spaceless,
    /// Nothing: words go on over it.
    Joiner,
    /// The end of a word.
    Gap,
}

/// The class of a character.
pub(super) fn class(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() {
            Class::Word
        } else {
            Class::Gap
        };
    }
    if within(&JOINERS, c) {
        return Class::Joiner;
    }
    let halfwidth = ('\u{ff66}'..='\u{ff9f}').contains(&c);
    match (
        c.is_alphanumeric() || is_combining_mark(c),
        halfwidth || within(&SPACELESS, c),
    ) {
        (false, _) => Class::Gap,
        (true, true) => Class::Spaceless,
        (true, false) => Class::Word,
    }
}

/// The text in the form for comparison.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let plain: String = text
        .nfkd()
        .filter(|c| !within(&MARKS, *c) && !within(&JOINERS, *c))
        .nfc()
        .collect();
    // Upper case first: it takes `ß` and ligatures apart.
    let lower = plain.to_uppercase().to_lowercase();
    let mut folded = String::with_capacity(lower.len());
    for c in lower.chars() {
        match LETTERS.iter().find(|(letter, _)| *letter == c) {
            Some((_, typed)) => folded.push_str(typed),
            None => folded.push(c),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// Ranges as they stand in a class of a regular expression.
    fn class_of(ranges: &[RangeInclusive<u32>]) -> String {
        let mut class = String::new();
        for range in ranges {
            let _ = match (range.start(), range.end()) {
                (start, end) if start == end => write!(class, "\\u{start:04x}"),
                (start, end) if *end > 0xffff => write!(class, "\\u{{{start:x}}}-\\u{{{end:x}}}"),
                (start, end) => write!(class, "\\u{start:04x}-\\u{end:04x}"),
            };
        }
        class
    }

    #[test]
    fn the_browser_folds_alike() {
        let script = include_str!("../../../../static/search/search.js");
        let marks = class_of(&MARKS) + &class_of(&JOINERS);
        assert!(script.contains(&format!("[{marks}]")), "[{marks}]");
        let spaceless = class_of(&SPACELESS);
        assert!(script.contains(&format!("[{spaceless}]")), "[{spaceless}]");
        let letters: Vec<_> = LETTERS
            .iter()
            .map(|(letter, typed)| format!("{letter}: \"{typed}\""))
            .collect();
        let letters = letters.join(", ");
        assert!(script.contains(&letters), "{letters}");
    }

    #[test]
    fn what_a_reader_need_not_get_right_is_set_aside() {
        for word in [
            "memoire",
            "mémoire",
            "me\u{301}moire",
            "MÉMOIRE",
            "Mé\u{ad}moire",
        ] {
            assert_eq!(fold(word), "memoire", "{word}");
        }
        assert_eq!(fold("Straße"), "strasse");
        assert_eq!(fold("ﬁrst ﬂoor"), "first floor");
        assert_eq!(fold("Ｗａｒｐ"), "warp");
        assert_eq!(fold("ﾒﾓﾘ"), "メモリ");
        assert_eq!(fold("ガ"), "ガ");
        assert_eq!(fold("İstanbul ısı"), "istanbul isi");
        assert_eq!(fold("Søren Łódź æ"), "soren lodz ae");
        assert_eq!(fold("ΛΌΓΟΣ"), fold("λόγος"));
        assert_eq!(fold("한국어"), "한국어");
    }

    #[test]
    fn characters_have_their_class() {
        assert_eq!(class('é'), Class::Word);
        assert_eq!(class('\u{301}'), Class::Word);
        assert_eq!(class('線'), Class::Spaceless);
        assert_eq!(class('ﾒ'), Class::Spaceless);
        assert_eq!(class('。'), Class::Gap);
        assert_eq!(class('_'), Class::Gap);
        assert_eq!(class('\u{ad}'), Class::Joiner);
        assert_eq!(class('한'), Class::Word);
    }
}
