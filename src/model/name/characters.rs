//! Single characters: which are invisible, which are punctuation, and what they are called.

use std::fmt::Write as _;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// Whether a character leaves no mark: controls, formatting and direction marks, joiners,
/// variation selectors, tags, fillers, and the blank Braille cell. White space is not among
/// them.
pub(super) fn is_invisible(c: char) -> bool {
    if c.is_whitespace() {
        return false;
    }
    matches!(
        c.general_category(),
        GeneralCategory::Control | GeneralCategory::Format
    ) || is_filler(c)
}

/// Characters that Unicode's `Default_Ignorable_Code_Point` has beyond the category of format
/// characters, and one blank.
fn is_filler(c: char) -> bool {
    matches!(c,
        '\u{034F}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{2065}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFF8}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether a character is a letter on its own: a mark that combines is none without its letter,
/// and a filler is a letter to Unicode that leaves the paper white.
pub(super) fn is_visible_letter(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Letter && !is_invisible(c)
}

/// Whether a character is punctuation or a symbol, or a letter that serves as an apostrophe.
pub(super) fn is_punctuation(c: char) -> bool {
    matches!(
        c.general_category_group(),
        GeneralCategoryGroup::Punctuation | GeneralCategoryGroup::Symbol
    ) || matches!(c, '\u{02B9}'..='\u{02BC}' | '\u{02C8}')
}

/// The Unicode name of a character with its number: `GREEK CAPITAL LETTER ALPHA (U+0391)`.
pub fn describe_character(c: char) -> String {
    let number = format!("U+{:04X}", u32::from(c));
    match unicode_names2::name(c) {
        Some(name) => format!("{name} ({number})"),
        None => number,
    }
}

/// A name in quotation marks, with what cannot be seen written as its number.
pub fn quoted(name: &str) -> String {
    let mut text = String::from("“");
    for c in name.chars() {
        if is_invisible(c) || (c.is_whitespace() && c != ' ') {
            // Writing to a string cannot fail.
            let _ = write!(text, "<U+{:04X}>", u32::from(c));
        } else {
            text.push(c);
        }
    }
    text.push('”');
    text
}
