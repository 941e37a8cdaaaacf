//! Short texts of the front matter: words, letter for letter, and claims.
//!
//! Takes a decoded scalar and the characters it was read from; gives a [`ShortText`] whose claims
//! know their place in the file. Nothing but a claim is more than words here: `<b>` and `*x*` stay
//! as they are.

use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::claim::{Claim, Piece, ShortText};
use crate::source::{Span, Spanned, make_exact};
use std::ops::Range;

/// Reads a short text. `source` is what `text.span` covers in the author's file: the scalar with
/// its quotes, escapes and folds.
pub fn short_text(text: &Spanned<String>, source: &str, out: &mut Diagnostics) -> ShortText {
    let value = text.value.as_str();
    let mut places = Places {
        source,
        from: 0,
        whole: text.span,
    };
    let mut pieces = Vec::new();
    let mut words = 0;
    let mut at = 0;
    while let Some(open) = value[at..].find('[').map(|found| at + found) {
        at = open + 1;
        match scan(value, open) {
            Scan::Claim(found) => {
                push_words(&mut pieces, &value[words..open]);
                let claim = places.claim(value, &found);
                pieces.push(Piece::Claim(Box::new(claim)));
                at = found.whole.end;
                words = at;
            }
            Scan::Unclosed(range) => out.push(unclosed(places.find(&value[range]))),
            Scan::Words => {}
        }
    }
    push_words(&mut pieces, &value[words..]);
    make_exact(&mut pieces);
    ShortText {
        span: text.span,
        pieces,
    }
}

fn push_words(pieces: &mut Vec<Piece>, words: &str) {
    if !words.is_empty() {
        pieces.push(Piece::Words(words.to_owned()));
    }
}

/// The byte ranges of a claim's parts.
struct Found {
    whole: Range<usize>,
    text: Range<usize>,
    formula: Range<usize>,
}

enum Scan {
    Claim(Found),
    /// A claim was begun at this range, but its target has no end.
    Unclosed(Range<usize>),
    Words,
}

/// What begins with the `[` at `open`.
fn scan(value: &str, open: usize) -> Scan {
    let Some(close) = value[open + 1..].find([']', '[']).map(|at| open + 1 + at) else {
        return Scan::Words;
    };
    let target = close + 2;
    if !value[close..].starts_with("](") {
        return Scan::Words;
    }
    let (formula, end) = if value[target..].starts_with("<=") {
        let start = target + 2;
        match value[start..].find(">)") {
            Some(at) => (start..start + at, start + at + 2),
            None => return Scan::Unclosed(open..start),
        }
    } else if value[target..].starts_with('=') {
        let start = target + 1;
        match closing_parenthesis(&value[start..]) {
            Some(at) => (start..start + at, start + at + 1),
            None => return Scan::Unclosed(open..start),
        }
    } else {
        return Scan::Words;
    };
    Scan::Claim(Found {
        whole: open..end,
        text: open + 1..close,
        formula: trim(value, formula),
    })
}

/// The offset of the `)` that closes what was opened before `text`.
fn closing_parenthesis(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(at),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The range without white space at its ends.
pub(crate) fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

fn unclosed(span: Span) -> Diagnostic {
    Diagnostic::new(rule::BAD_FORMULA, span, "this claim has no end")
        .label("begun here")
        .note("A reader would see the formula where a number is meant.")
        .help("Write a claim as `[1.02](<= capture.row.column>)`.")
}

/// Finds pieces of a decoded scalar in the characters it was read from, in order.
struct Places<'a> {
    source: &'a str,
    from: usize,
    whole: Span,
}

impl Places<'_> {
    fn claim(&mut self, value: &str, found: &Found) -> Claim {
        let span = self.find(&value[found.whole.clone()]);
        let exact = span != self.whole;
        let part = |range: &Range<usize>| {
            let written = self.source.get(self.local(span)).unwrap_or("");
            let place = locate(written, &value[range.clone()]).filter(|_| exact);
            Spanned::new(
                value[range.clone()].to_owned(),
                place.map_or(span, |place| span.within(place)),
            )
        };
        Claim {
            span,
            text: part(&found.text),
            formula: part(&found.formula),
        }
    }

    /// The place of `needle` after what was found before; the whole scalar if escapes or folds
    /// hide it.
    fn find(&mut self, needle: &str) -> Span {
        let rest = self.source.get(self.from..).unwrap_or("");
        let Some(place) = locate(rest, needle) else {
            return self.whole;
        };
        let place = self.from + place.start..self.from + place.end;
        self.from = place.end;
        self.whole.within(place)
    }

    fn local(&self, span: Span) -> Range<usize> {
        let start = span.range().start - self.whole.range().start;
        start..start + span.range().len()
    }
}

/// Where `needle` stands in `source`. A space may stand for a fold: any run of white space.
/// A quoted scalar may write `"`, `\` and `'` as an escape.
fn locate(source: &str, needle: &str) -> Option<Range<usize>> {
    let first = needle.chars().next()?;
    source.match_indices(first).find_map(|(at, _)| {
        let rest = &source[at..];
        let exact = rest.starts_with(needle).then_some(needle.len());
        Some(at..at + exact.or_else(|| matched(rest, needle))?)
    })
}

/// How many bytes at the start of `source` read as `needle`.
fn matched(source: &str, needle: &str) -> Option<usize> {
    let mut rest = source;
    let mut wanted = needle.chars().peekable();
    while let Some(c) = wanted.next() {
        if c.is_whitespace() {
            while wanted.next_if(|c| c.is_whitespace()).is_some() {}
            let trimmed = rest.trim_start();
            if trimmed.len() == rest.len() {
                return None;
            }
            rest = trimmed;
            continue;
        }
        // A fold may be escaped in double quotes: a backslash at the end of a line.
        if let Some(folded) = rest.strip_prefix("\\\n") {
            rest = folded.trim_start();
        }
        let escaped = matches!(c, '"' | '\\') && rest.starts_with('\\');
        let doubled = c == '\'' && rest.starts_with("''");
        let skip = usize::from(escaped || doubled);
        rest = rest[skip..].strip_prefix(c)?;
    }
    Some(source.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn read(value: &str, source: &str) -> (ShortText, Diagnostics) {
        let mut out = Diagnostics::new();
        let span = Span::new(FileId::new(0), 100..100 + source.len());
        let text = short_text(&Spanned::new(value.to_owned(), span), source, &mut out);
        (text, out)
    }

    fn claims<'a>(text: &'a ShortText, source: &'a str) -> Vec<[&'a str; 4]> {
        let cut = |span: Span| &source[span.range().start - 100..span.range().end - 100];
        text.claims()
            .map(|c| {
                [
                    cut(c.span),
                    cut(c.text.span),
                    cut(c.formula.span),
                    &c.formula.value,
                ]
            })
            .collect()
    }

    #[test]
    fn only_claims_are_more_than_words() {
        let value = "<b> *x* [a](b.md) [1.02](<= t4.a.ms / t4.b.ms>) and [4](= max(t4.*.ms)).";
        let (text, out) = read(value, value);
        assert!(out.is_empty());
        assert_eq!(text.plain(), "<b> *x* [a](b.md) 1.02 and 4.");
        assert_eq!(
            claims(&text, value),
            [
                [
                    "[1.02](<= t4.a.ms / t4.b.ms>)",
                    "1.02",
                    "t4.a.ms / t4.b.ms",
                    "t4.a.ms / t4.b.ms"
                ],
                ["[4](= max(t4.*.ms))", "4", "max(t4.*.ms)", "max(t4.*.ms)"],
            ]
        );
    }

    #[test]
    fn places_survive_quotes_and_folds() {
        let value = "a \"b\" [4](<= x.y / z>) and [4](<= x.y / z>)";
        let source = "\"a \\\"b\\\" [4](<= x.y /\n    z>) and [4](<= x.y / z>)\"";
        let (text, _) = read(value, source);
        let [one, two] = claims(&text, source).try_into().unwrap();
        assert_eq!(
            one,
            ["[4](<= x.y /\n    z>)", "4", "x.y /\n    z", "x.y / z"]
        );
        assert_eq!(two, ["[4](<= x.y / z>)", "4", "x.y / z", "x.y / z"]);
    }

    #[test]
    fn an_escape_falls_back_to_the_whole_scalar() {
        let (text, _) = read("[4](<= x>)", r#""[\x34](<= x>)""#);
        assert_eq!(text.claims().next().map(|c| c.span), Some(text.span));
    }

    #[test]
    fn an_open_claim_is_reported_and_stays_words() {
        let (text, out) = read("see [4](<= x.y) now", "see [4](<= x.y) now");
        assert_eq!(text.plain(), "see [4](<= x.y) now");
        assert_eq!(
            out.iter().map(|d| d.rule.name).collect::<Vec<_>>(),
            ["bad-formula"]
        );
    }
}
