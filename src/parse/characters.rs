//! Characters that may not stand in a text: they are unseen, and some change the order in which
//! everything after them is read.
//!
//! Takes any text with its place and pushes one finding for each run of such characters, the first
//! [`RUNS_MAX`] of a text. Tabs and line ends are fine.

use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::tree::{Kind, Node};
use crate::source::{FileId, Span, Spanned};
use std::ops::Range;

/// Most runs of such characters that are listed for one text.
pub const RUNS_MAX: usize = 20;

/// Reports the control characters of a file's own text, of which `text` begins at byte `offset`.
pub fn control_characters(text: &str, file: FileId, offset: usize, out: &mut Diagnostics) {
    if !suspicious(text) {
        return;
    }
    let mut runs: Vec<(Range<usize>, char, usize)> = Vec::new();
    let mut more = 0_usize;
    for (at, c) in text.char_indices().filter(|(_, c)| forbidden(*c)) {
        let (start, end) = (offset + at, offset + at + c.len_utf8());
        let listed = runs.len();
        match runs.last_mut() {
            Some((range, _, count)) if range.end == start => {
                *count += 1;
                range.end = end;
            }
            _ if listed == RUNS_MAX => more += 1,
            _ => runs.push((start..end, c, 1)),
        }
    }
    let last = runs.len();
    for (place, (range, c, count)) in runs.into_iter().enumerate() {
        let mut finding = finding(Span::new(file, range), c);
        if count > 1 {
            finding = finding.label(format!("here, {count} of them, unseen"));
        }
        if more > 0 && place + 1 == last {
            finding = finding.note(format!("{more} more follow and are not listed."));
        }
        out.push(finding);
    }
}

/// Reports the control characters of a value after escapes and entities are read, at the place of
/// the whole value. Those that stand as themselves in `source`, the characters that the value was
/// read from, are left to [`control_characters`].
pub fn escaped_control_characters(value: &Spanned<String>, source: &str, out: &mut Diagnostics) {
    if !suspicious(&value.value) {
        return;
    }
    let mut seen = Vec::new();
    for c in value.value.chars().filter(|c| forbidden(*c)) {
        if !seen.contains(&c) && !source.contains(c) {
            seen.push(c);
            out.push(finding(value.span, c).note("It is written as an escape."));
        }
    }
}

/// Reports the control characters of a data file or of front matter: of its own `text`, which
/// begins at byte `offset` of the file, and of the values that were read from it. Gives whether
/// there was none.
pub fn check_values(text: &str, offset: usize, root: &Node, out: &mut Diagnostics) -> bool {
    let before = out.len();
    control_characters(text, root.span.file, offset, out);
    in_values(text, offset, root, out);
    out.len() == before
}

fn in_values(text: &str, offset: usize, node: &Node, out: &mut Diagnostics) {
    match &node.kind {
        Kind::Scalar(value, _) => in_value(text, offset, value, node.span, out),
        Kind::Null => {}
        Kind::List(items) => items
            .iter()
            .for_each(|item| in_values(text, offset, item, out)),
        Kind::Map(pairs) => {
            for (key, value) in pairs {
                in_value(text, offset, &key.value, key.span, out);
                in_values(text, offset, value, out);
            }
        }
    }
}

fn in_value(text: &str, offset: usize, value: &str, span: Span, out: &mut Diagnostics) {
    if suspicious(value) {
        let at = |at: usize| at.saturating_sub(offset);
        let written = text.get(at(span.range().start)..at(span.range().end));
        let value = Spanned::new(value.to_owned(), span);
        escaped_control_characters(&value, written.unwrap_or(""), out);
    }
}

/// Whether a character is one that no text may hold: a control other than tab and line feed, or
/// one of the nine that embed, override or isolate a direction of writing.
pub fn forbidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
}

/// A quick look that lets almost every text pass: no byte that a forbidden character begins with.
fn suspicious(text: &str) -> bool {
    let odd =
        |b: u8| (b < 0x20 && b != b'\t' && b != b'\n') || matches!(b, 0x7f | 0xc2 | 0xe2 | 0xef);
    text.as_bytes()
        .chunks(64)
        .any(|chunk| chunk.iter().fold(false, |found, &b| found | odd(b)))
}

fn finding(span: Span, c: char) -> Diagnostic {
    let code = format!("U+{:04X}", u32::from(c));
    let (message, why) = if c.is_control() {
        (
            format!("the text holds the control character {code}"),
            "Nobody sees it, and some programs stop reading at it.",
        )
    } else {
        (
            format!("the text holds {code}, which changes the direction of writing"),
            "What a reviewer sees would not be the order in which the characters stand.",
        )
    };
    Diagnostic::new(rule::CONTROL_CHARACTER, span, message)
        .label("here, unseen")
        .note(why)
        .help("Delete the character; it often comes along when text is pasted.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(u32, u32)> {
        let mut out = Diagnostics::new();
        control_characters(text, FileId::new(0), 10, &mut out);
        out.iter().map(|d| (d.span.start, d.span.end)).collect()
    }

    #[test]
    fn each_forbidden_character_is_found_at_its_place() {
        assert_eq!(found("a\tb\nc — “d” é\u{200d}"), []);
        assert_eq!(
            found("a\u{7}b\u{202e}c\u{85}"),
            [(11, 12), (13, 16), (17, 19)]
        );
        // A run of them is one fault, and a file full of them is no list without end.
        assert_eq!(found("\u{2066}\r\u{7f}"), [(10, 15)]);
        assert_eq!(found(&"\u{7}a".repeat(RUNS_MAX + 5)).len(), RUNS_MAX);
    }

    #[test]
    fn an_escape_is_found_once_and_a_plain_one_is_not_found_again() {
        let span = Span::new(FileId::new(0), 3..9);
        let value = Spanned::new("a\u{202e}b\u{202e}".to_owned(), span);
        let mut out = Diagnostics::new();
        escaped_control_characters(&value, r#""a\u202Eb\u202E""#, &mut out);
        assert_eq!(out.len(), 1);
        assert!(out.iter().all(|d| d.span == span));
        escaped_control_characters(&value, "\"a\u{202e}b\"", &mut out);
        assert_eq!(out.len(), 1);
    }
}
