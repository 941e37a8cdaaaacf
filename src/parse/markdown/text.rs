//! Prose: words, citations, bare numbers, and what looks like markup but is not read as such.

use super::reader::Reader;
use crate::diagnostic::{nearest, rule};
use crate::model::document::{BareNumber, CitationRef, Part};
use crate::parse::characters::forbidden;
use pulldown_cmark_escape::escape_html_body_text;
use std::ops::Range;

/// How many bare numbers of a body are kept.
const MAX_NUMBERS: usize = 10_000;

/// How far before a citation its sentence is looked for.
const SENTENCE_MAX_BYTES: usize = 1_000;
/// What ends a sentence.
const SENTENCE_END: [char; 6] = ['.', '?', '!', ')', '*', '"'];

/// Appends text with `&`, `<` and `>` escaped.
pub(super) fn escape_into(html: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = escape_html_body_text(html, text);
}

/// Where the sentence begins that ends with the text, which may have its stop already. Cells, items and
/// paragraphs begin one too.
fn sentence_start(text: &str) -> usize {
    let end = text.trim_end_matches(SENTENCE_END).len();
    let from = text.floor_char_boundary(end.saturating_sub(SENTENCE_MAX_BYTES));
    let begins = |at: &usize| {
        let (before, rest) = (&text[from..*at], &text[*at..end]);
        let item = || ["\n", "- ", "* "].iter().any(|mark| rest.starts_with(mark));
        before.ends_with('|')
            || before.ends_with('\n') && item()
            || before.ends_with(char::is_whitespace) && is_stopped(before.trim_end())
    };
    let mut places = (from..end).rev().filter(|at| text.is_char_boundary(*at));
    places.find(begins).unwrap_or(from)
}

/// Whether a sentence ends here: `cells.` and `cells.[^paper]`.
fn is_stopped(mut text: &str) -> bool {
    while let Some(cited) = text.strip_suffix(']') {
        let open = cited.rfind(|c: char| c == '[' || c == ']' || c.is_whitespace());
        let Some(open) = open.filter(|open| cited[*open..].starts_with("[^")) else {
            break;
        };
        text = &text[..open];
    }
    let end = text.trim_end_matches(SENTENCE_END).len();
    text[end..].contains(['.', '?', '!'])
}

impl Reader<'_> {
    /// A piece of text. Pieces that follow each other in the body are joined and read as one.
    pub(super) fn text(&mut self, text: &str, mut range: Range<usize>) {
        if let Some(code) = &mut self.code {
            code.text.push_str(text);
            return;
        }
        if let Some(heading) = &self.heading {
            range.end = range.end.min(heading.cut);
        }
        if self.closing_dollar.take() == Some(range.start) {
            range.start += 1;
        }
        let written = self.body.get(range.clone()).unwrap_or("");
        if !text.ends_with(written) && !text.starts_with(written) {
            self.flush_run();
            self.decoded(text, range);
        } else if !self.run.is_empty() && self.run.end == range.start {
            self.run.end = range.end;
        } else {
            self.flush_run();
            self.run = range;
        }
    }

    /// Text that stands for something else: an entity.
    fn decoded(&mut self, text: &str, range: Range<usize>) {
        self.check_characters(text, range);
        if self.is_captured() {
            self.capture(text);
            return;
        }
        escape_into(self.inline(), text);
        self.doc.prose.push_str(text);
    }

    /// Reports characters that came in by an escape or an entity.
    pub(super) fn check_characters(&mut self, text: &str, range: Range<usize>) {
        if let Some(c) = text.chars().find(|c| forbidden(*c)) {
            let finding = self
                .finding(
                    rule::CONTROL_CHARACTER,
                    range,
                    format!(
                        "this stands for the unseen character U+{:04X}",
                        u32::from(c)
                    ),
                )
                .help("Take it out: nobody sees it, and it can change how the text is read.");
            self.push(finding);
        }
    }

    /// Writes the text that has been seen.
    pub(super) fn flush_run(&mut self) {
        let range = std::mem::take(&mut self.run);
        if range.is_empty() {
            return;
        }
        let text = &self.body[range.clone()];
        if self.is_captured() {
            self.capture(text);
            return;
        }
        let mut from = range.start;
        while let Some(at) = self.body[from..range.end].find('[').map(|at| from + at) {
            let next = at + 1;
            if self.body[next..range.end].starts_with('^')
                && let Some(end) = self.citation_end(at, &range)
            {
                self.words_at(from..at);
                self.citation(at..end);
                from = end;
            } else {
                self.words_at(from..next);
                from = next;
            }
        }
        self.words_at(from..range.end);
        if text.contains("](") {
            self.look_for_claim(text, range.start);
        }
    }

    /// Where `[^label]` ends, if it begins at `at` and is not escaped.
    fn citation_end(&self, at: usize, run: &Range<usize>) -> Option<usize> {
        if at == run.start && at > 0 && self.body.as_bytes()[at - 1] == b'\\' {
            return None;
        }
        let label = &self.body[at + 2..run.end];
        let close = label.find(|c: char| c == ']' || c == '[' || c.is_whitespace())?;
        (close > 0 && label[close..].starts_with(']')).then_some(at + 2 + close + 1)
    }

    fn citation(&mut self, range: Range<usize>) {
        let id = &self.body[range.start + 2..range.end - 1];
        if self.cx.source_ids.contains(&id) {
            self.cite(id, range);
            return;
        }
        let near = nearest(id, self.cx.source_ids.iter().copied());
        let finding = match near {
            Some(near) => self
                .finding(
                    rule::UNKNOWN_CITATION,
                    range.clone(),
                    format!("no source of this entry has the id `{id}`"),
                )
                .help(format!("Did you mean `[^{near}]`?")),
            None => self
                .finding(
                    rule::UNKNOWN_FOOTNOTE,
                    range.clone(),
                    format!("`[^{id}]` is neither a footnote nor a source of this entry"),
                )
                .help(format!(
                    "Write the note, `[^{id}]: …`, or list the source under `sources`; code goes \
                     in backticks."
                )),
        };
        self.push(finding.label("leads nowhere"));
        self.words_at(range);
    }

    /// Places a citation of a source that the entry has. It bears the numbers before it in its sentence.
    pub(super) fn cite(&mut self, id: &str, range: Range<usize>) {
        let index = self.doc.citations.len();
        let sentence = sentence_start(&self.body[..range.start]);
        let start = self.span(sentence..sentence).start;
        while self
            .doc
            .numbers
            .pop_if(|number| number.span.start >= start)
            .is_some()
        {}
        self.doc.citations.push(CitationRef {
            span: self.span(range),
            id: id.to_owned(),
        });
        self.inline();
        self.stream.hole(Part::Citation(index));
    }

    /// Writes a range of the body as prose.
    fn words_at(&mut self, range: Range<usize>) {
        let text = &self.body[range.clone()];
        if text.is_empty() {
            return;
        }
        escape_into(self.inline(), text);
        self.doc.prose.push_str(text);
        if self.heading.is_none() && self.links.is_empty() {
            self.numbers(text, range.start);
        }
    }

    /// Notes the numbers that stand alone: `1,024` and `3.5`, and not `sm_75`, `T4` or `2x`.
    fn numbers(&mut self, text: &str, start: usize) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(found) = bytes[at..].iter().position(u8::is_ascii_digit) {
            let begin = at + found;
            at = begin;
            while at < bytes.len()
                && (bytes[at].is_ascii_digit()
                    || (matches!(bytes[at], b'.' | b',')
                        && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)))
            {
                at += 1;
            }
            let joined = |c: char| c.is_alphanumeric() || c == '_';
            let alone = !text[..begin].ends_with(joined) && !text[at..].starts_with(joined);
            if alone && self.doc.numbers.len() < MAX_NUMBERS {
                let number = BareNumber {
                    span: self.span(start + begin..start + at),
                    text: text[begin..at].to_owned(),
                };
                self.doc.numbers.push(number);
            }
        }
    }

    /// Reports a claim that was not read as a link, so that its formula stands in the text.
    fn look_for_claim(&mut self, text: &str, start: usize) {
        let mut from = 0;
        for (at, _) in text.match_indices("](") {
            let target = &text[at + 2..];
            let before = std::mem::replace(&mut from, at);
            if target.starts_with('=') || target.starts_with("<=") {
                let open = text[before..at].rfind('[').map_or(at, |open| before + open);
                let finding = self
                    .finding(
                        rule::BAD_FORMULA,
                        start + open..start + at + 2,
                        "this claim is not read as one",
                    )
                    .label("shown as text")
                    .help(
                        "Write it on one line and put the formula between `<=` and `>`, as in \
                         `[1.02](<= capture.row.column>)`.",
                    );
                self.push(finding);
            }
        }
    }

    /// A line that ends inside a paragraph.
    pub(super) fn line_break(&mut self, html: &str) {
        if self.is_captured() {
            self.capture(" ");
            return;
        }
        if matches!(self.paragraph, super::reader::Paragraph::Closed) {
            return;
        }
        self.inline().push_str(html);
        self.doc.prose.push(' ');
    }

    /// Code in a sentence, or a formula if dollar signs stand around it.
    pub(super) fn code_span(&mut self, text: &str, range: Range<usize>) {
        if self.is_formula(&range) {
            self.run.end -= 1;
            self.closing_dollar = Some(range.end);
            self.flush_run();
            self.inline_formula(text, range);
            return;
        }
        self.flush_run();
        if self.is_captured() {
            self.capture(text);
            return;
        }
        let html = self.inline();
        html.push_str("<code>");
        escape_into(html, text);
        html.push_str("</code>");
        self.doc.prose.push_str(text);
    }

    /// Whether a code span has one backtick and a dollar sign, not escaped, on either side.
    fn is_formula(&self, range: &Range<usize>) -> bool {
        let bytes = self.body.as_bytes();
        let written = &bytes[range.clone()];
        let opened = !self.run.is_empty()
            && self.run.end == range.start
            && bytes[range.start - 1] == b'$'
            && !(self.run.len() == 1 && self.run.start > 0 && bytes[self.run.start - 1] == b'\\');
        opened
            && bytes.get(range.end) == Some(&b'$')
            && written.get(1).is_some_and(|&byte| byte != b'`')
            && !self.is_captured()
    }

    /// `*`, `**` or `~~` begins. Underscores around a name are reported: they were meant as part
    /// of it.
    pub(super) fn start_emphasis(&mut self, tag: &pulldown_cmark::Tag<'_>, range: Range<usize>) {
        use pulldown_cmark::Tag;
        self.inline_depth += 1;
        match tag {
            Tag::Strong => self.look_for_dunder(&range),
            Tag::Emphasis => self.look_for_product(&range),
            _ => {}
        }
        if self.is_captured() {
            return;
        }
        self.inline().push_str(match tag {
            Tag::Emphasis => "<em>",
            Tag::Strong => "<strong>",
            _ => "<del>",
        });
    }

    /// `*`, `**` or `~~` ends.
    pub(super) fn end_emphasis(&mut self, tag: pulldown_cmark::TagEnd) {
        use pulldown_cmark::TagEnd;
        self.inline_depth -= 1;
        if self.is_captured() {
            return;
        }
        self.inline().push_str(match tag {
            TagEnd::Emphasis => "</em>",
            TagEnd::Strong => "</strong>",
            _ => "</del>",
        });
    }

    fn look_for_dunder(&mut self, range: &Range<usize>) {
        let written = &self.body[range.clone()];
        let Some(name) = written
            .strip_prefix("__")
            .and_then(|rest| rest.strip_suffix("__"))
        else {
            return;
        };
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if is_name {
            let finding = self
                .finding(
                    rule::LOST_TEXT,
                    range.clone(),
                    format!("the underscores of `{written}` are read as bold type and not shown"),
                )
                .label("shown bold, without underscores")
                .help(format!(
                    "Put the name in backticks: `` `{written}` ``. For bold type write `**{name}**`."
                ));
            self.push(finding);
        }
    }

    fn look_for_product(&mut self, range: &Range<usize>) {
        let written = &self.body[range.clone()];
        let before = self.body[..range.start].chars().next_back();
        let after = self.body[range.end..].chars().next();
        let tight = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        if written.starts_with('*') && tight(before) && tight(after) {
            let finding = self
                .finding(
                    rule::LOST_TEXT,
                    range.clone(),
                    format!("the asterisks of `{written}` are read as emphasis and not shown"),
                )
                .label("shown in italics, without asterisks")
                .help("Put a product in backticks, or write × or `\\*` for the sign.");
            self.push(finding);
        }
    }
}
