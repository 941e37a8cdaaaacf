//! From the words of all entries to files, each with a stretch of the alphabet.
//!
//! Each word stands with the entries that have it, as a code. A code begins with a digit and goes
//! on with letters alone, and a word is followed by its code, so that no two words of the index
//! stand side by side as if they were a sentence.

use super::fold::{Class, class, fold};
use super::index::Posting;
use super::words::{NO_WORD, Weight};
use std::borrow::Cow;

/// A file of words.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The beginning of its first word, folded: enough to tell it from the last word before.
    pub(super) from: String,
    /// A JSON object of words and codes.
    pub(super) json: String,
}

/// The entries that have a word: a list of them, or the code for one, as it stood in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entries {
    Listed(Vec<Posting>),
    Coded(String),
}

/// A word with the entries that have it.
pub(super) type Word = (String, Entries);

impl Entries {
    /// The list; `None` for what is no code.
    pub(super) fn list(&self) -> Option<Cow<'_, [Posting]>> {
        Some(match self {
            Self::Listed(postings) => postings.into(),
            Self::Coded(code) => decode_all(code)?.into(),
        })
    }

    /// Appends the code.
    fn encode(&self, json: &mut String) {
        match self {
            Self::Listed(postings) => encode_all(postings, json),
            Self::Coded(code) => json.push_str(code),
        }
    }
}

/// The words in a file, as [`parts`] wrote it.
pub(super) fn read(json: &str) -> Option<Vec<Word>> {
    let lines = json.strip_prefix("{\n")?.strip_suffix("\n}\n")?;
    lines
        .split(",\n")
        .map(|line| {
            let (word, code) = line.strip_prefix('"')?.split_once("\":\"")?;
            let code = code.strip_suffix('"')?.to_owned();
            Some((word.to_owned(), Entries::Coded(code)))
        })
        .collect()
}

/// Puts the words of entries into files of at least `part_bytes` each (the last may be smaller), one
/// after the other: all of them would lie in memory beside the words. Words that fold alike stand in
/// one file.
pub(super) fn parts(
    words: impl Iterator<Item = Word>,
    part_bytes: usize,
) -> impl Iterator<Item = Part> {
    let mut words: Vec<_> = words
        .map(|(word, entries)| (key(&word), word, entries))
        .collect();
    // Browsers compare text by its UTF-16 units.
    words.sort_by(|a, b| {
        let units = a.0.encode_utf16().cmp(b.0.encode_utf16());
        units.then_with(|| a.1.cmp(&b.1))
    });
    let mut words = words.into_iter().peekable();
    let mut last = String::new();
    std::iter::from_fn(move || {
        let mut next = words.next();
        let (first, ..) = next.as_ref()?;
        let from = beginning(first, &last);
        let mut json = "{".to_owned();
        while let Some((key, word, entries)) = next {
            let comma = if json.len() > 1 { ",\n" } else { "\n" };
            // Words are letters, digits and marks: nothing in them needs an escape.
            json.extend([comma, "\"", &word, "\":\""]);
            entries.encode(&mut json);
            json.push('"');
            last = key;
            let is_full = json.len() >= part_bytes;
            next = words.next_if(|(key, ..)| !is_full || *key == last);
        }
        json.push_str("\n}\n");
        Some(Part { from, json })
    })
}

/// What a word is found by: itself, folded; a pair of letters without its mark.
fn key(word: &str) -> String {
    let spaceless = |text: &&str| text.starts_with(|c| class(c) == Class::Spaceless);
    let pair = word.strip_prefix(NO_WORD).filter(spaceless);
    pair.map_or_else(|| fold(word), str::to_owned)
}

/// The shortest beginning of `key` that comes after `last`.
fn beginning(key: &str, last: &str) -> String {
    let same = key.chars().zip(last.chars()).take_while(|(a, b)| a == b);
    let length = same.count() + 1;
    key.chars().take(length).collect()
}

/// Appends the code of the entries that have a word.
fn encode_all(postings: &[Posting], code: &mut String) {
    code.push(NO_WORD);
    let mut next = 0;
    for posting in postings {
        let number = (posting.entry() - next) * 4 + posting.weight();
        encode(number, code);
        next = posting.entry() + 1;
    }
}

/// The entries that a code names; `None` for what is no code.
fn decode_all(code: &str) -> Option<Vec<Posting>> {
    let mut postings = Vec::new();
    let (mut number, mut next) = (0_u32, 0_u32);
    let mut is_whole = true;
    for byte in code.strip_prefix(NO_WORD)?.bytes() {
        let (zero, is_last) = match byte {
            b'a'..=b'z' => (b'a', false),
            b'A'..=b'Z' => (b'A', true),
            _ => return None,
        };
        number = number
            .checked_mul(26)?
            .checked_add(u32::from(byte - zero))?;
        if is_last {
            let weight = u8::try_from(number % 4).ok()?;
            let entry = next.checked_add(number / 4)?;
            postings.push(Posting::new(entry, Weight(weight)));
            (number, next) = (0, entry.checked_add(1)?);
        }
        is_whole = is_last;
    }
    is_whole.then_some(postings)
}

/// Appends a number: capital letters end one, small letters go before them; base 26.
fn encode(number: u32, code: &mut String) {
    let digit = |value: u32, zero: u8| {
        let offset = u8::try_from(value % 26).unwrap_or_default();
        char::from(zero + offset)
    };
    let mut place = 1;
    while number / 26 / place >= 26 {
        place *= 26;
    }
    while place > 0 && number >= 26 {
        code.push(digit(number / 26 / place, b'a'));
        place /= 26;
    }
    code.push(digit(number, b'A'));
}

#[cfg(test)]
mod tests {
    use super::super::words::Weight;
    use super::*;
    use std::collections::BTreeMap;

    /// The index of words with their entries and weights.
    fn index(words: &[(&str, &[(u32, u8)])]) -> Vec<Word> {
        let posting = |(entry, weight)| Posting::new(entry, Weight(weight));
        let words = words.iter();
        words
            .map(|(word, entries)| {
                let postings = entries.iter().copied().map(posting).collect();
                ((*word).to_owned(), Entries::Listed(postings))
            })
            .collect()
    }

    #[test]
    fn numbers_end_in_a_capital() {
        let code = |number| {
            let mut code = String::new();
            encode(number, &mut code);
            code
        };
        assert_eq!(code(0), "A");
        assert_eq!(code(25), "Z");
        assert_eq!(code(26), "bA");
        assert_eq!(code(26 * 26), "baA");
        assert_eq!(code(39_999), "cheL");
    }

    #[test]
    fn a_file_is_read_back_as_it_was_written() {
        let all: &[(&str, &[(u32, u8)])] = &[
            ("tile", &[(0, 0), (1, 3), (700, 2), (9_999, 1)]),
            ("warp", &[(26, 1)]),
            ("線程", &[(40_000, 3)]),
        ];
        let [part] = &parts(index(all).into_iter(), 1 << 10).collect::<Vec<_>>()[..] else {
            panic!("one file");
        };
        let read = read(&part.json).unwrap();
        for ((word, code), (written, entries)) in read.iter().zip(index(all)) {
            assert_eq!((word, code.list()), (&written, entries.list()));
        }
        let again: Vec<_> = parts(read.into_iter(), 1 << 10).collect();
        assert_eq!(
            again[..],
            [Part {
                from: part.from.clone(),
                json: part.json.clone()
            }]
        );
        for damaged in ["", "A", "0a", "0A!", "0zzzzzzzzzzzA"] {
            assert_eq!(decode_all(damaged), None, "{damaged}");
        }
    }

    #[test]
    fn entries_are_told_by_their_distance() {
        let index = index(&[("tile", &[(1, 0), (2, 2)]), ("warp", &[(0, 3), (2, 1)])]);
        let parts: Vec<_> = parts(index.into_iter(), 1 << 10).collect();
        assert_eq!(
            parts,
            [Part {
                from: "t".to_owned(),
                json: "{\n\"tile\":\"0EC\",\n\"warp\":\"0DF\"\n}\n".to_owned(),
            }]
        );
    }

    #[test]
    fn files_divide_the_alphabet() {
        let words = ["zoo", "mémoire", "memoire", "memory", "0線程", "0x1f"];
        let index = index(&words.map(|word| (word, &[(0, 0)][..])));
        let parts: Vec<_> = parts(index.into_iter(), 1).collect();
        let from: Vec<_> = parts.iter().map(|part| part.from.as_str()).collect();
        assert_eq!(from, ["0", "m", "memor", "z", "線"]);
        assert!(parts[1].json.contains("mémoire") && parts[1].json.contains("memoire"));
        for part in &parts {
            assert!(serde_json::from_str::<BTreeMap<String, String>>(&part.json).is_ok());
        }
    }

    #[test]
    fn no_entry_no_file() {
        assert_eq!(parts(std::iter::empty(), 1).next(), None);
    }
}
