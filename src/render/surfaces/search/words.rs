//! The words of one entry, each with how much it says about the entry.

use super::fold::{Class, class, fold};
use crate::model::claim::ShortText;
use crate::model::entry::Entry;
use crate::source::Sources;

/// Most characters of a word. Longer ones are digests and addresses, which nobody types.
const LETTERS_MAX: usize = 40;

/// Marks what is no word of the text as it stands: a pair of letters, or a code. No word begins
/// so, because words of these scripts and digits are kept apart.
pub(super) const NO_WORD: char = '0';

/// What an occurrence counts, by its place.
const TITLE: u32 = 8;
const SHORT: u32 = 3;
const HEADING: u32 = 3;
const BODY: u32 = 1;

/// How much a word says about an entry: 0 (it occurs once) to 3 (the entry is about it).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Weight(pub(super) u8);

impl Weight {
    pub(super) fn of(count: u32) -> Self {
        Self(match count {
            0..=1 => 0,
            2..=3 => 1,
            4..=7 => 2,
            _ => 3,
        })
    }
}

/// Gives each word of an entry, as written but in lower case, with what the occurrence counts.
pub(super) fn words_of(entry: &Entry, sources: &Sources, give: &mut impl FnMut(&str, u32)) {
    let mut add = |text: &str, count: u32| words(text, &mut |word| give(word, count));
    add(&entry.title.value, TITLE);
    if let Some(short) = &entry.short {
        add(&short.plain(), SHORT);
    }
    for heading in &entry.body.headings {
        add(&heading.text, HEADING);
        add(heading.kicker.as_deref().unwrap_or_default(), HEADING);
    }
    for words in entry.body.words(sources) {
        add(words, BODY);
    }
    for text in figure_texts(entry) {
        add(&text.plain(), BODY);
    }
}

/// Captions and alternative texts of what the page shows.
fn figure_texts(entry: &Entry) -> impl Iterator<Item = &ShortText> {
    let diagrams = entry.diagrams.iter().flat_map(|d| [&d.alt, &d.caption]);
    let models = entry.models.iter().flat_map(|m| [&m.alt, &m.caption]);
    let matrices = entry.matrices.iter().map(|matrix| &matrix.caption);
    let captures = entry.measured.iter().flat_map(|c| [&c.caption, &c.note]);
    let texts = diagrams.chain(models).chain(matrices).chain(captures);
    texts.flatten()
}

/// Gives each word of a text. A run of a script without spaces gives its pairs of neighbouring
/// letters and its last letter, so that any part of it can be found by its own pairs.
pub(super) fn words(text: &str, give: &mut impl FnMut(&str)) {
    // A line's end is the end of a word, and most lines are plain.
    for line in text.split('\n') {
        if line.is_ascii() {
            plain_words(line, give);
        } else {
            any_words(line, give);
        }
    }
}

/// The words of a text of ASCII characters alone.
fn plain_words(text: &str, give: &mut impl FnMut(&str)) {
    let lower = text.to_ascii_lowercase();
    let mut start = 0;
    let mut end = |start: usize, end: usize| {
        let word = lower.get(start..end).unwrap_or_default();
        if !word.is_empty() && word.len() <= LETTERS_MAX {
            give(word);
        }
    };
    for (at, byte) in lower.bytes().enumerate() {
        if !byte.is_ascii_alphanumeric() {
            end(start, at);
            start = at + 1;
        }
    }
    end(start, lower.len());
}

fn any_words(text: &str, give: &mut impl FnMut(&str)) {
    let mut word = String::new();
    let mut run = String::new();
    for c in text.chars() {
        let kind = class(c);
        if kind != Class::Spaceless && kind != Class::Joiner && !run.is_empty() {
            pairs(&run, give);
            run.clear();
        }
        match kind {
            Class::Word if c.is_ascii() => word.push(c.to_ascii_lowercase()),
            Class::Word => word.extend(c.to_lowercase()),
            Class::Joiner => {}
            Class::Gap => end(&mut word, give),
            Class::Spaceless => {
                end(&mut word, give);
                run.push(c);
            }
        }
    }
    pairs(&run, give);
    end(&mut word, give);
}

fn end(word: &mut String, give: &mut impl FnMut(&str)) {
    if !word.is_empty() && (word.len() <= LETTERS_MAX || word.chars().count() <= LETTERS_MAX) {
        give(word);
    }
    word.clear();
}

fn pairs(run: &str, give: &mut impl FnMut(&str)) {
    let folded = fold(run);
    let letters: Vec<char> = folded.chars().collect();
    for at in 0..letters.len() {
        let pair = letters[at..].iter().take(2);
        let key: String = std::iter::once(&NO_WORD).chain(pair).collect();
        give(&key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        words(text, &mut |word| found.push(word.to_owned()));
        found
    }

    #[test]
    fn words_end_at_what_is_no_letter() {
        assert_eq!(
            all("The __shared__ L1-cache, sm_75; C++"),
            ["the", "shared", "l1", "cache", "sm", "75", "c"]
        );
        assert_eq!(
            all("Mémoire me\u{301}\u{ad}moire"),
            ["mémoire", "me\u{301}moire"]
        );
        assert_eq!(all(&"x".repeat(41)), [""; 0]);
        assert_eq!(all(" … "), [""; 0]);
        assert_eq!(all("One\nTwö\n\nthree"), ["one", "twö", "three"]);
    }

    #[test]
    fn runs_without_spaces_give_pairs() {
        assert_eq!(all("線程束 x"), ["0線程", "0程束", "0束", "x"]);
        assert_eq!(all("GPU程"), ["gpu", "0程"]);
        assert_eq!(all("程GPU"), ["0程", "gpu"]);
        assert_eq!(all("ﾒﾓﾘ"), ["0メモ", "0モリ", "0リ"]);
    }

    #[test]
    fn weights_grow_with_occurrences() {
        let weights: Vec<_> = [1, 2, 3, 4, 7, 8, 900].map(|n| Weight::of(n).0).into();
        assert_eq!(weights, [0, 1, 1, 2, 2, 3, 3]);
    }
}
