//! The leaks of one file, which may come in parts.

use super::haystack::Haystack;
use super::leak::Leak;
use super::needles::Needles;
use crate::resolve::EntryIndex;
use crate::source::Span;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Looks for leaks in the parts of one file. Words that run on from one part into the next are not
/// seen: parts end where no text of an author can run on, see [`crate::output::Sink::put_parts`].
#[derive(Debug)]
pub struct Parts<'a> {
    needles: &'a Needles,
    path: &'a str,
    copied: Option<Span>,
    /// The first words of each unpublished entry, by the text that they stand in and by the part: a
    /// file has one leak of an entry, however many of its words it holds.
    found: BTreeMap<Option<EntryIndex>, Found>,
}

/// Words of an entry that stand in a file.
#[derive(Debug)]
struct Found {
    /// Place of the text among those of its part.
    text: usize,
    /// Place in the list of words.
    needle: usize,
}

impl<'a> Parts<'a> {
    pub(super) fn new(needles: &'a Needles, path: &'a str, copied: Option<Span>) -> Self {
        Self {
            needles,
            path,
            copied,
            found: BTreeMap::new(),
        }
    }

    /// Looks at the next part.
    pub fn part(&mut self, bytes: &[u8]) {
        let haystack = Haystack::new(self.path, bytes);
        haystack.each_text(|text, words| {
            self.text(text, words, &haystack);
            self.until(text + 1)
        });
    }

    fn text(&mut self, text: usize, words: &[u8], haystack: &Haystack<'_>) {
        for (place, needle) in self.needles.find(words, self.copied.is_some()) {
            let before = self.found.get(&needle.entry);
            if before.is_some_and(|before| before.text <= text) {
                continue;
            }
            if needle.what == "the address" && !haystack.holds_address(&needle.shown) {
                continue;
            }
            let found = Found {
                text,
                needle: place,
            };
            self.found.insert(needle.entry, found);
            if self.until(text).is_break() {
                break;
            }
        }
    }

    /// Whether texts from this one on can tell anything new.
    fn until(&self, text: usize) -> ControlFlow<()> {
        let mut found = self.found.values();
        if self.found.len() == self.needles.entries() && found.all(|found| found.text <= text) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// What leaks, an item for each entry.
    pub fn finish(self) -> Vec<Leak> {
        let leaks = self.found.into_values().map(|found| Leak {
            needle: found.needle,
            path: self.path.to_owned(),
            copied: self.copied,
        });
        leaks.collect()
    }
}
