//! The search index after entries were edited: taken from the files of the last one.
//!
//! The files hold the whole index, so that those of an edited entry's words that came or went can be
//! put into it and taken out. What comes out is what a new index of all entries would be.

use super::super::Shelf;
use super::index::Posting;
use super::parts::{Entries, Word, parts, read};
use super::words::{Weight, words_of};
use super::{PART_BYTES, WORDS_KEY, Words};
use crate::output::SEARCH_FOLDER;
use crate::resolve::EntryIndex;
use std::collections::BTreeMap;

/// What becomes of an index.
#[derive(Debug, Default)]
pub struct Revised {
    /// Files with their bytes: all of the index.
    pub files: Vec<(String, Vec<u8>)>,
    /// The paths of files that are no more.
    pub gone: Vec<String>,
}

/// The index with other words of some entries, each with its number among all entries. `last` gives the
/// files of the last index. `None` if that is not whole.
pub fn revise(
    shelf: &Shelf<'_>,
    edited: &[(EntryIndex, u32)],
    last: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Option<Revised> {
    let titles = String::from_utf8(last(&format!("{SEARCH_FOLDER}titles.json"))?).ok()?;
    let listed_at = titles.rfind(WORDS_KEY)? + WORDS_KEY.len();
    let listed = titles[listed_at..].strip_suffix('}')?;
    let before: Vec<Words> = serde_json::from_str(listed).ok()?;
    let mut words = Vec::new();
    for file in &before {
        let json = last(&format!("{SEARCH_FOLDER}{}", file.file))?;
        words.append(&mut read(std::str::from_utf8(&json).ok()?)?);
    }
    for (index, number) in edited {
        let now = words_now(shelf, *index)?;
        words = with(words, *number, now)?;
    }
    let (mut files, mut now) = (Vec::new(), Vec::new());
    for part in parts(words.into_iter(), PART_BYTES) {
        let (path, bytes, words) = super::file(part);
        files.push((path, bytes));
        now.push(words);
    }
    let is_gone = |was: &&Words| now.iter().all(|words| words.file != was.file);
    let gone = before.iter().filter(is_gone);
    let gone = gone
        .map(|was| format!("{SEARCH_FOLDER}{}", was.file))
        .collect();
    let mut bytes = titles.into_bytes();
    bytes.truncate(listed_at);
    serde_json::to_writer(&mut bytes, &now).ok()?;
    bytes.push(b'}');
    files.push((format!("{SEARCH_FOLDER}titles.json"), bytes));
    Some(Revised { files, gone })
}

/// The words of an entry as it is now.
fn words_now(shelf: &Shelf<'_>, index: EntryIndex) -> Option<BTreeMap<String, Weight>> {
    let entry = shelf.get(index)?.entry;
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    words_of(
        entry,
        shelf.sources,
        &mut |word, count| match counts.get_mut(word) {
            Some(sum) => *sum += count,
            None => {
                counts.insert(word.to_owned(), count);
            }
        },
    );
    let weighed = counts.into_iter();
    Some(weighed.map(|(word, sum)| (word, Weight::of(sum))).collect())
}

/// The words of all entries, where those of one are others.
fn with(words: Vec<Word>, number: u32, mut now: BTreeMap<String, Weight>) -> Option<Vec<Word>> {
    let mut all = Vec::with_capacity(words.len() + now.len());
    for (word, entries) in words {
        let list = entries.list()?;
        let place = list.binary_search_by_key(&number, |posting| posting.entry());
        let own = now.remove(&word).map(|weight| Posting::new(number, weight));
        let mut list = match (place, own) {
            (Ok(at), Some(own)) if list[at] == own => {
                all.push((word, entries));
                continue;
            }
            (Err(_), None) => {
                all.push((word, entries));
                continue;
            }
            _ => list.into_owned(),
        };
        match (place, own) {
            (Ok(at), Some(own)) => list[at] = own,
            (Err(at), Some(own)) => list.insert(at, own),
            (Ok(at), None) => {
                list.remove(at);
            }
            (Err(_), None) => {}
        }
        if !list.is_empty() {
            all.push((word, Entries::Listed(list)));
        }
    }
    let new = now.into_iter();
    all.extend(new.map(|(word, weight)| {
        let list = vec![Posting::new(number, weight)];
        (word, Entries::Listed(list))
    }));
    Some(all)
}
