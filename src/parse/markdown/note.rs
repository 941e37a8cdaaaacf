//! Footnotes. Each stands after the top-level block that refers to it first.
//!
//! Notes are lettered in the order of their first reference. One that is defined twice, or that
//! nothing on the page refers to, is reported: its text would not be shown.

use super::heading::slug;
use super::reader::Reader;
use super::stream::{self, Piece, Stream};
use crate::diagnostic::rule;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

/// The footnotes of a body.
#[derive(Debug, Default)]
pub(super) struct Notes {
    list: Vec<Note>,
    by_label: BTreeMap<String, usize>,
    ids: BTreeSet<String>,
    /// The number that was last put after an id.
    next: BTreeMap<String, usize>,
    letters: usize,
    /// The definitions that are open; `None` for a repeated one.
    open: Vec<Option<usize>>,
}

#[derive(Debug, Default)]
struct Note {
    label: String,
    /// Without `fn-`.
    id: String,
    definition: Option<Range<usize>>,
    pieces: Vec<Piece>,
    /// Notes that this one refers to first.
    inner: Vec<usize>,
    letter: Option<usize>,
    references: usize,
    placed: bool,
}

impl Notes {
    fn index(&mut self, label: &str) -> usize {
        let key = label.to_lowercase();
        if let Some(&index) = self.by_label.get(&key) {
            return index;
        }
        let base = slug(label);
        let mut id = base.clone();
        let next = self.next.entry(base.clone()).or_insert(1);
        while !self.ids.insert(id.clone()) {
            *next += 1;
            id = format!("{base}-{next}");
        }
        let index = self.list.len();
        self.by_label.insert(key, index);
        self.list.push(Note {
            label: label.to_owned(),
            id,
            ..Note::default()
        });
        index
    }
}

/// a, b, … z, aa, ab …
fn letters(mut index: usize) -> String {
    let mut text = Vec::new();
    loop {
        text.push(b"abcdefghijklmnopqrstuvwxyz"[index % 26]);
        match (index / 26).checked_sub(1) {
            Some(rest) => index = rest,
            None => break,
        }
    }
    text.iter().rev().map(|&byte| char::from(byte)).collect()
}

impl Reader<'_> {
    pub(super) fn footnote_reference(&mut self, label: &str, range: Range<usize>) {
        if self.is_captured() {
            return;
        }
        if self.cx.source_ids.contains(&label) {
            self.cite(label, range);
            return;
        }
        let index = self.notes.index(label);
        let note = &mut self.notes.list[index];
        note.references += 1;
        let letter = *note.letter.get_or_insert_with(|| {
            self.stream.notes.push(index);
            self.notes.letters += 1;
            self.notes.letters - 1
        });
        let (id, count, letter) = (note.id.clone(), note.references, letters(letter));
        let anchor = format!("fnref-{id}-{count}");
        // Writing to a string cannot fail.
        let _ = write!(
            self.inline(),
            "<sup class=\"noteref\" id=\"{anchor}\"><a href=\"#fn-{id}\" aria-label=\"Note {letter}\">{letter}</a></sup>"
        );
        self.doc.anchors.push(anchor);
    }

    pub(super) fn start_note(&mut self, label: &str, range: Range<usize>) {
        let index = self.notes.index(label);
        let first = self.notes.list[index].definition.clone();
        self.notes.open.push(first.is_none().then_some(index));
        let head = range.start
            ..self.body[range.start..]
                .find(':')
                .map_or(range.end, |at| range.start + at + 1);
        if let Some(first) = first {
            let first = self.span(first);
            let finding = self
                .finding(
                    rule::UNKNOWN_FOOTNOTE,
                    head,
                    format!("the footnote `{label}` is written twice"),
                )
                .label("this one is not shown")
                .related(first, "this one is")
                .help("Keep one of them, or give the second another name.");
            self.push(finding);
        } else {
            self.notes.list[index].definition = Some(head);
        }
        self.end_words();
        self.outer.push(std::mem::take(&mut self.stream));
    }

    pub(super) fn end_note(&mut self) {
        let outer = self.outer.pop().unwrap_or_default();
        let mut inner = std::mem::replace(&mut self.stream, outer);
        inner.flush();
        if let Some(Some(index)) = self.notes.open.pop() {
            let note = &mut self.notes.list[index];
            note.pieces = inner.pieces;
            note.inner = inner.notes;
        }
        self.end_words();
    }

    /// Remembers that the notes referred to in the block that ended belong after it.
    pub(super) fn end_of_top_block(&mut self) {
        if self.outer.is_empty() && !self.stream.notes.is_empty() {
            self.stream.flush();
            let notes = std::mem::take(&mut self.stream.notes);
            self.breaks.push((self.stream.pieces.len(), notes));
        }
    }

    /// Puts the main stream and the notes together into the document's parts.
    pub(super) fn place_notes(&mut self) {
        self.stream.flush();
        let Stream { pieces, notes, .. } = std::mem::take(&mut self.stream);
        let mut breaks = std::mem::take(&mut self.breaks);
        if breaks.is_empty() && notes.is_empty() {
            stream::join(pieces, &mut self.doc);
            return;
        }
        breaks.push((pieces.len(), notes));
        let mut pieces = pieces.into_iter();
        let mut taken = 0;
        let mut placed = Stream::default();
        for (at, notes) in breaks {
            for piece in pieces.by_ref().take(at - taken) {
                append(&mut placed, piece);
            }
            taken = at;
            self.place(notes, &mut placed);
        }
        placed.flush();
        stream::join(placed.pieces, &mut self.doc);
    }

    /// Writes notes, each followed by those that it refers to first.
    fn place(&mut self, notes: Vec<usize>, placed: &mut Stream) {
        let mut waiting = notes;
        waiting.reverse();
        while let Some(index) = waiting.pop() {
            let note = &mut self.notes.list[index];
            if note.definition.is_none() || note.placed {
                continue;
            }
            note.placed = true;
            waiting.extend(note.inner.iter().rev());
            let letter = letters(note.letter.unwrap_or(0));
            let pieces = std::mem::take(&mut note.pieces);
            let anchor = format!("fn-{}", note.id);
            // Writing to a string cannot fail.
            let _ = write!(
                placed.html,
                "<aside class=\"note\" id=\"{anchor}\" aria-label=\"Note {letter}\">"
            );
            let mark = format!("<span class=\"note-mark\">{letter}</span> ");
            write_note(
                placed,
                pieces,
                &mark,
                &back_links(&note.id, note.references),
            );
            placed.html.push_str("</aside>\n");
            self.doc.anchors.push(anchor);
        }
    }

    pub(super) fn report_notes(&mut self) {
        let unused: Vec<_> = self
            .notes
            .list
            .iter()
            .filter(|note| !note.placed)
            .filter_map(|note| Some((note.label.clone(), note.definition.clone()?)))
            .collect();
        for (label, range) in unused {
            let finding = self
                .finding(
                    rule::UNKNOWN_FOOTNOTE,
                    range,
                    format!("nothing refers to the footnote `{label}`"),
                )
                .label("its text is not shown")
                .help(format!(
                    "Refer to it in the text with `[^{label}]`, or take it out."
                ));
            self.push(finding);
        }
    }
}

/// The ways back from a note; one that is referred to very often leads to its first places.
fn back_links(id: &str, references: usize) -> String {
    let mut html = String::new();
    for count in 1..=references.min(20) {
        let label = match count {
            1 => "Back to the text".to_owned(),
            n => format!("Back to the text, place {n}"),
        };
        // Writing to a string cannot fail.
        let _ = write!(
            html,
            " <a href=\"#fnref-{id}-{count}\" aria-label=\"{label}\">↑</a>"
        );
    }
    html
}

/// Writes a note's pieces with the mark in its first paragraph and the way back in its last.
fn write_note(placed: &mut Stream, mut pieces: Vec<Piece>, mark: &str, back: &str) {
    match pieces.first_mut() {
        Some(Piece::Html(html)) if html.starts_with("<p>") => html.insert_str("<p>".len(), mark),
        _ => {
            let _ = writeln!(placed.html, "<p>{mark}</p>");
        }
    }
    for piece in pieces {
        append(placed, piece);
    }
    let html = &mut placed.html;
    if html.ends_with("</p>\n") {
        html.insert_str(html.len() - "</p>\n".len(), back);
    } else {
        let _ = writeln!(html, "<p>{}</p>", back.trim_start());
    }
}

fn append(stream: &mut Stream, piece: Piece) {
    match piece {
        Piece::Html(html) => stream.html.push_str(&html),
        Piece::Hole(part) => stream.hole(part),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn letters_go_on_after_z() {
        let at = super::letters;
        assert_eq!(
            [at(0), at(25), at(26), at(27), at(701), at(702)],
            ["a", "z", "aa", "ab", "zz", "aaa"]
        );
    }
}
