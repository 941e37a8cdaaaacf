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
use crate::source::Digest;
use parts::{Entries, Part, Word, parts};
use serde::{Deserialize, Serialize};
use words::NO_WORD;

/// Least bytes of a file of words, where there are enough.
const PART_BYTES: usize = 48 << 10;

/// What stands before the list of the files of words, which ends `titles.json`. No text in JSON has it.
const WORDS_KEY: &str = "],\"words\":";

#[derive(Serialize)]
struct Titles {
    entries: Vec<Answer>,
    words: Vec<Words>,
}

/// An entry as it is found by its names.
#[derive(Serialize)]
struct Answer {
    title: String,
    href: String,
    short: String,
    names: Vec<String>,
}

/// A file of words and where its stretch of the alphabet begins.
#[derive(Serialize, Deserialize)]
struct Words {
    from: String,
    file: String,
}

/// The files of the index: path and bytes.
pub fn search(shelf: &Shelf<'_>) -> Vec<(String, Vec<u8>)> {
    let entries: Vec<_> = shelf.listed.iter().map(|listed| listed.entry).collect();
    let index = index::index(&entries, shelf.sources).into_iter();
    let (mut files, words) = files(index.map(|(word, postings)| (word, Entries::Listed(postings))));
    let titles = Titles {
        entries: shelf.listed.iter().map(answer).collect(),
        words,
    };
    let bytes = serde_json::to_vec(&titles).unwrap_or_default();
    files.push((format!("{SEARCH_FOLDER}titles.json"), bytes));
    files
}

/// The files of words with their paths, and the list of them.
fn files(words: impl Iterator<Item = Word>) -> (Vec<(String, Vec<u8>)>, Vec<Words>) {
    let (mut files, mut list) = (Vec::new(), Vec::new());
    for Part { from, json } in parts(words, PART_BYTES) {
        let digest = Digest::of(&json).to_string();
        let digest = digest.rsplit(':').next().unwrap_or_default();
        let file = format!("words-{}.json", digest.get(..8).unwrap_or(digest));
        files.push((format!("{SEARCH_FOLDER}{file}"), json.into_bytes()));
        list.push(Words {
            from: format!("{NO_WORD}{from}"),
            file,
        });
    }
    (files, list)
}

fn answer(listed: &Listed<'_>) -> Answer {
    let entry = listed.entry;
    Answer {
        title: entry.name().to_owned(),
        href: entry.address(),
        short: listed.short(),
        names: entry.aliases().iter().map(|a| a.value.clone()).collect(),
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
