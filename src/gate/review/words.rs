//! Words that changed, and the numbers among them.

use super::{Review, ValueChange};
use similar::{DiffTag, TextDiff};

/// A piece of a changed passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Stands in both versions.
    Kept(String),
    /// Only in the old one.
    Removed(String),
    /// Only in the new one.
    Added(String),
}

/// A passage that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Where it stands: `line 12` of the new file, or a key of the front matter.
    pub place: String,
    /// Its words in reading order.
    pub pieces: Vec<Piece>,
}

/// Compares two bodies; `line` is the line of the new file on which its body begins.
pub(super) fn compare(old: &str, new: &str, line: usize, review: &mut Review) {
    let lines = TextDiff::from_lines(old, new);
    for op in lines.ops() {
        let (tag, olds, news) = op.as_tag_tuple();
        if tag == DiffTag::Equal {
            continue;
        }
        let old: String = olds.filter_map(|at| lines.old_slice(at)).collect();
        let new: String = news.clone().filter_map(|at| lines.new_slice(at)).collect();
        let place = format!("line {}", line + news.start);
        numbers(&place, &old, &new, review);
        let pieces = pieces(&old, &new);
        review.words.push(Passage { place, pieces });
    }
}

/// The passage of a text that stands in one place of the front matter.
pub(super) fn of_value(change: &ValueChange) -> Passage {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    Passage {
        place: change.place.clone(),
        pieces: pieces(&text(&change.old), &text(&change.new)),
    }
}

fn pieces(old: &str, new: &str) -> Vec<Piece> {
    let words = TextDiff::from_words(old, new);
    let mut pieces = Vec::new();
    for op in words.ops() {
        let (tag, olds, news) = op.as_tag_tuple();
        let old: String = olds.filter_map(|at| words.old_slice(at)).collect();
        let new: String = news.filter_map(|at| words.new_slice(at)).collect();
        if tag == DiffTag::Equal {
            pieces.push(Piece::Kept(new));
            continue;
        }
        if !old.is_empty() {
            pieces.push(Piece::Removed(old));
        }
        if !new.is_empty() {
            pieces.push(Piece::Added(new));
        }
    }
    pieces
}

/// Pairs the numbers of a passage, if there are as many as before.
fn numbers(place: &str, old: &str, new: &str, review: &mut Review) {
    let (olds, news) = (numbers_in(old), numbers_in(new));
    if olds.len() != news.len() {
        return;
    }
    let differ = olds.into_iter().zip(news).filter(|(old, new)| old != new);
    review.numbers.extend(differ.map(|(old, new)| ValueChange {
        place: place.to_owned(),
        old: Some(old.to_owned()),
        new: Some(new.to_owned()),
    }));
}

/// The numbers of a text, as written: digits with points and commas between them.
fn numbers_in(text: &str) -> Vec<&str> {
    let inside = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let tail = &rest[start..];
        let end = tail.find(|c: char| !inside(c)).unwrap_or(tail.len());
        found.push(tail[..end].trim_end_matches(['.', ',']));
        rest = &tail[end..];
    }
    found
}
