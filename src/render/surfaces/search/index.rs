//! Which entries have which word.
//!
//! Entries are taken in stretches of a fixed length, each by one thread; what the stretches found
//! is then put together word by word, in the order of entries. So the index is the same whatever
//! thread took which stretch, and no entry has a map of its own. A few stretches are put together before
//! the next are read: all of them would take several times the memory of the index.

use super::words::{Weight, words_of};
use crate::model::entry::Entry;
use crate::source::Sources;
use rayon::prelude::*;
#[expect(
    clippy::disallowed_types,
    reason = "what comes out of it is sorted before anything sees it"
)]
use std::collections::HashMap;

/// The words of a stretch, each looked up at every occurrence: short texts, for which the standard
/// hasher takes longest.
#[expect(clippy::disallowed_types, reason = "see above")]
type Counts = HashMap<String, Count, foldhash::fast::RandomState>;

/// All words, each looked up once a stretch.
#[expect(clippy::disallowed_types, reason = "see above")]
type Words = HashMap<String, Vec<Posting>, foldhash::fast::RandomState>;

/// Entries that one thread takes at once.
const STRETCH: usize = 256;

/// Stretches that are read before they are put together.
const STRETCHES_AT_ONCE: usize = 8;

/// An entry that has a word, by its number, and how much the word says about it: four times the
/// one plus the other, since ten thousand entries have more than a million of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Posting(u32);

impl Posting {
    pub(super) fn new(entry: u32, weight: Weight) -> Self {
        Self(entry * 4 + u32::from(weight.0))
    }

    pub(super) fn entry(self) -> u32 {
        self.0 / 4
    }

    pub(super) fn weight(self) -> u32 {
        self.0 % 4
    }
}

/// A word with the entries that have it, in order.
pub(super) type Indexed = (String, Vec<Posting>);

/// A word while the entries of a stretch are read.
struct Count {
    postings: Vec<Posting>,
    /// The entry that was met last, and the sum of the word's occurrences in it.
    last: (u32, u32),
}

impl Count {
    fn end(&mut self) {
        let (entry, sum) = self.last;
        self.postings.push(Posting::new(entry, Weight::of(sum)));
    }
}

/// The words of all entries, in the order of the words.
pub(super) fn index(entries: &[&Entry], sources: &Sources) -> Vec<Indexed> {
    let numbered: Vec<(u32, &Entry)> = (0..).zip(entries.iter().copied()).collect();
    let mut all = Words::default();
    for wave in numbered.chunks(STRETCH * STRETCHES_AT_ONCE) {
        let stretches = wave.par_chunks(STRETCH);
        let found: Vec<Vec<Indexed>> = stretches.map(|entries| stretch(entries, sources)).collect();
        for (word, mut postings) in found.into_iter().flatten() {
            match all.get_mut(&word) {
                Some(held) => held.append(&mut postings),
                None => {
                    all.insert(word, postings);
                }
            }
        }
    }
    let mut index: Vec<Indexed> = all.into_iter().collect();
    index.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    index
}

fn stretch(entries: &[(u32, &Entry)], sources: &Sources) -> Vec<Indexed> {
    let mut counts = Counts::default();
    for &(number, entry) in entries {
        words_of(entry, sources, &mut |word, count| {
            let Some(known) = counts.get_mut(word) else {
                let count = Count {
                    postings: Vec::new(),
                    last: (number, count),
                };
                counts.insert(word.to_owned(), count);
                return;
            };
            if known.last.0 != number {
                known.end();
                known.last = (number, 0);
            }
            known.last.1 += count;
        });
    }
    let counts = counts.into_iter();
    counts
        .map(|(word, mut count)| {
            count.end();
            (word, count.postings)
        })
        .collect()
}
