//! The search index, under `search/`: names for answers while typing, and the words of all pages.
//!
//! `titles.json` is read on the first search: each entry with its names, and the list of the files of
//! words. A file of words holds a stretch of the alphabet and is read when a query falls into it,
//! so that a reader of ten thousand entries loads a few of them. Its name holds its digest: a copy
//! that a browser kept fits the list that names it, or is not asked for.

mod fold;
mod index;
mod parts;
mod revise;
mod words;

pub use revise::{Revised, revise};

use super::{Listed, Shelf};
use crate::output::SEARCH_FOLDER;
use crate::source::{Digest, Spanned};
use parts::{Entries, Part, parts};
use serde::{Deserialize, Serialize, Serializer};
use words::NO_WORD;

/// Least bytes of a file of words, where there are enough.
const PART_BYTES: usize = 48 << 10;

/// What stands before the list of the files of words, which ends `titles.json`. No text in JSON has it.
const WORDS_KEY: &str = "],\"words\":";

#[derive(Serialize)]
struct Titles<'a> {
    entries: Answers<'a>,
    words: Vec<Words>,
}

/// The entries, each made when it is written.
struct Answers<'a>(&'a [Listed<'a>]);

impl Serialize for Answers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(answer))
    }
}

/// An entry as it is found by its names.
#[derive(Serialize)]
struct Answer<'a> {
    title: &'a str,
    href: String,
    short: String,
    names: Vec<&'a str>,
}

/// A file of words and where its stretch of the alphabet begins.
#[derive(Serialize, Deserialize)]
struct Words {
    from: String,
    file: String,
}

/// The files of the index, path and bytes, one after the other: all of them would lie in memory
/// beside the words.
pub fn search<'s>(shelf: &'s Shelf<'_>) -> impl Iterator<Item = (String, Vec<u8>)> + 's {
    let entries: Vec<_> = shelf.listed.iter().map(|listed| listed.entry).collect();
    let index = index::index(&entries, shelf.sources).into_iter();
    let words = index.map(|(word, postings)| (word, Entries::Listed(postings)));
    let mut parts = parts(words, PART_BYTES);
    let mut listed = Some(Vec::new());
    std::iter::from_fn(move || {
        if let Some(part) = parts.next() {
            let (path, bytes, words) = file(part);
            listed.as_mut()?.push(words);
            return Some((path, bytes));
        }
        let titles = Titles {
            entries: Answers(&shelf.listed),
            words: listed.take()?,
        };
        let bytes = serde_json::to_vec(&titles).unwrap_or_default();
        Some((format!("{SEARCH_FOLDER}titles.json"), bytes))
    })
}

/// A file of words: its path, its bytes, and what the list of all says of it.
fn file(part: Part) -> (String, Vec<u8>, Words) {
    let Part { from, json } = part;
    let digest = Digest::of(&json).to_string();
    let digest = digest.rsplit(':').next().unwrap_or_default();
    let file = format!("words-{}.json", digest.get(..8).unwrap_or(digest));
    let path = format!("{SEARCH_FOLDER}{file}");
    let from = format!("{NO_WORD}{from}");
    (path, json.into_bytes(), Words { from, file })
}

fn answer<'a>(listed: &'a Listed<'_>) -> Answer<'a> {
    let entry = listed.entry;
    Answer {
        title: entry.name(),
        href: entry.address(),
        short: listed.short(),
        names: entry.aliases().iter().map(Spanned::as_str).collect(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_module_is_small() {
        let script = include_str!("../../../../static/search/search.js");
        let released = crate::render::compact::compact(script);
        assert!(released.len() <= 6 << 10, "{} bytes", released.len());
    }
}
