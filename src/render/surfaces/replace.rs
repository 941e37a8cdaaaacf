//! A file in which a few texts are others: passed on in parts as it is read, so that a file of tens of
//! megabytes never lies in memory.

use std::io::Read;

/// Bytes that are read in one go.
const PART_BYTES: usize = 256 << 10;

/// A text that is to stand in the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// What the other begins with, as nothing else in the file does.
    pub(super) begins: Vec<u8>,
    /// The text.
    pub(super) now: Vec<u8>,
}

/// The parts of a file, with changes in their places. Ends early on an error.
pub(super) struct Replaced<'f> {
    from: &'f mut dyn Read,
    part_bytes: usize,
    /// Those whose places are still to come.
    changes: Vec<Change>,
    /// What the texts that are replaced end with.
    ends: &'f [u8],
    /// What was read and not yet passed on.
    held: Vec<u8>,
    /// Whether what is read belongs to a text that was replaced.
    is_within: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    Reading,
    Whole,
    Failed,
}

impl<'f> Replaced<'f> {
    /// Replaces each text from where it begins up to the next `ends`, both included.
    pub(super) fn new(from: &'f mut dyn Read, changes: Vec<Change>, ends: &'f [u8]) -> Self {
        Self {
            from,
            part_bytes: PART_BYTES,
            changes,
            ends,
            held: Vec::new(),
            is_within: false,
            state: State::Reading,
        }
    }

    /// Whether the file was read to its end and had a place for each change.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.state, State::Whole) && self.changes.is_empty() && !self.is_within
    }

    /// Reads on.
    fn fill(&mut self) {
        self.held.reserve(self.part_bytes);
        let limit = u64::try_from(self.part_bytes).unwrap_or(u64::MAX);
        match (&mut *self.from).take(limit).read_to_end(&mut self.held) {
            Ok(read) if read < self.part_bytes => self.state = State::Whole,
            Ok(_) => {}
            Err(_) => self.state = State::Failed,
        }
    }

    /// Lets go of the beginning of what is held, and gives it.
    fn pass(&mut self, length: usize) -> Vec<u8> {
        let rest = self.held.split_off(length);
        std::mem::replace(&mut self.held, rest)
    }

    /// How much of what is held may be the beginning of `text` that has not come whole.
    fn kept_back(&self, text: &[u8]) -> usize {
        match self.state {
            State::Reading => text.len().saturating_sub(1),
            _ => 0,
        }
    }

    /// Lets go of a text that was replaced, as far as it has come.
    fn skip(&mut self) {
        let end = memchr::memmem::find(&self.held, self.ends);
        self.is_within = end.is_none();
        let kept = self.kept_back(self.ends);
        let length = match end {
            Some(at) => at + self.ends.len(),
            None => self.held.len().saturating_sub(kept),
        };
        self.held.drain(..length);
    }

    /// What comes before the next change, with that, or else all that is sure to have none.
    fn take(&mut self) -> Vec<u8> {
        let places = self.changes.iter().enumerate().filter_map(|(nth, change)| {
            let at = memchr::memmem::find(&self.held, &change.begins)?;
            Some((at, nth))
        });
        let Some((at, nth)) = places.min() else {
            let longest = self.changes.iter().map(|change| change.begins.as_slice());
            let longest = longest.max_by_key(|begins| begins.len());
            let kept = longest.map_or(0, |begins| self.kept_back(begins));
            return self.pass(self.held.len().saturating_sub(kept));
        };
        let change = self.changes.swap_remove(nth);
        let mut part = self.pass(at);
        part.extend_from_slice(&change.now);
        self.held.drain(..change.begins.len());
        self.is_within = true;
        part
    }
}

impl Iterator for Replaced<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            if matches!(self.state, State::Reading) {
                self.fill();
            }
            if matches!(self.state, State::Failed) || self.held.is_empty() {
                return None;
            }
            if self.is_within {
                self.skip();
                continue;
            }
            let part = self.take();
            if !part.is_empty() {
                return Some(part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    const ENDS: &[u8] = b"\n}";

    fn change(id: &str, now: &str) -> Change {
        Change {
            begins: format!("\n{{id {id}\n").into_bytes(),
            now: now.as_bytes().to_vec(),
        }
    }

    /// What a file becomes when it is read in parts of this length; `None` if it is not whole.
    fn replaced(text: &str, changes: &[Change], part_bytes: usize) -> Option<String> {
        let mut from = text.as_bytes();
        let mut parts = Replaced::new(&mut from, changes.to_vec(), ENDS);
        parts.part_bytes = part_bytes;
        let bytes: Vec<u8> = parts.by_ref().flatten().collect();
        parts.is_whole().then(|| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn texts_are_replaced_wherever_a_part_ends() {
        let text = "[\n{id a\n 1\n},\n{id ab\n 2\n},\n{id b\n{id a\n}\n]";
        let changes = [change("ab", "\n{new}"), change("a", "")];
        for part_bytes in 1..=text.len() + 1 {
            let now = replaced(text, &changes, part_bytes);
            let expected = "[,\n{new},\n{id b\n{id a\n}\n]";
            assert_eq!(now.as_deref(), Some(expected), "{part_bytes}");
            assert_eq!(replaced(text, &[], part_bytes).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_change_without_a_place_is_told() {
        let text = "[\n{id a\n 1\n},\n{id b\n 2";
        for part_bytes in 1..=text.len() + 1 {
            assert_eq!(replaced(text, &[change("c", "")], part_bytes), None);
            // What it begins with is there, and no end.
            assert_eq!(replaced(text, &[change("b", "")], part_bytes), None);
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_whole() {
        struct Torn;
        impl Read for Torn {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::InvalidData.into())
            }
        }
        let mut from = Torn;
        let mut parts = Replaced::new(&mut from, Vec::new(), ENDS);
        assert_eq!(parts.next(), None);
        assert!(!parts.is_whole());
    }
}
