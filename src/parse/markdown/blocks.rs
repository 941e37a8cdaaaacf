//! Paragraphs, lists, quotations, alerts and code.

use super::reader::{OpenCode, Paragraph, Reader};
use crate::diagnostic::rule;
use crate::highlight::Language;
use crate::model::document::{Code, Listing, Part};
use pulldown_cmark::{BlockQuoteKind, CodeBlockKind};
use pulldown_cmark_escape::escape_html;
use std::fmt::Write as _;
use std::ops::Range;

/// How the items of a list are numbered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbering {
    first: u64,
    /// The number that the next item is shown with.
    next: u64,
}

impl Reader<'_> {
    pub(super) fn start_paragraph(&mut self, range: Range<usize>) {
        self.definitions.leaf(&range);
        self.paragraph_range = range;
        let before = self.stream.mark();
        self.stream.html.push_str("<p>");
        self.paragraph = Paragraph::Open(before, self.stream.mark());
    }

    pub(super) fn end_paragraph(&mut self) {
        self.close_paragraph();
        self.paragraph = Paragraph::None;
        self.end_words();
    }

    /// Writes `</p>`, or takes `<p>` back if nothing stands in it.
    pub(super) fn close_paragraph(&mut self) {
        let Paragraph::Open(before, after) = self.paragraph else {
            return;
        };
        if self.stream.is_at(after) {
            self.stream.cut_back(before);
            return;
        }
        let html = &mut self.stream.html;
        html.truncate(html.trim_end_matches([' ', '\n']).len());
        html.push_str("</p>\n");
    }

    pub(super) fn start_list(&mut self, first: Option<u64>, range: &Range<usize>) {
        self.end_words();
        self.lists
            .push(first.map(|first| Numbering { first, next: first }));
        let html = &mut self.stream.html;
        if !html.is_empty() && !html.ends_with('\n') {
            html.push('\n');
        }
        match first {
            None if is_task_list(&self.body[range.clone()]) => {
                html.push_str("<ul class=\"tasks\">\n");
            }
            None => html.push_str("<ul>\n"),
            Some(1) => html.push_str("<ol>\n"),
            Some(first) => {
                html.push_str("<ol start=\"");
                html.push_str(&first.to_string());
                html.push_str("\">\n");
            }
        }
    }

    /// An item at `start`. A list is shown with the numbers that follow its first; an item that
    /// was written with another one is reported, unless each has that of the first.
    pub(super) fn start_item(&mut self, start: usize) {
        self.stream.html.push_str("<li>");
        let Some(Some(numbers)) = self.lists.last_mut() else {
            return;
        };
        let shown = numbers.next;
        let first = numbers.first;
        numbers.next += 1;
        let rest = &self.body[start..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let written = rest[..digits].parse().unwrap_or(shown);
        if written != shown && written != first {
            let finding = self
                .finding(
                    rule::LOST_TEXT,
                    start..start + digits,
                    format!("the item is written as number {written} and shown as {shown}"),
                )
                .label(format!("shown as {shown}"))
                .help(
                    "Number a list without gaps, or put a backslash before the full stop to keep \
                     the number as text.",
                );
            self.push(finding);
        }
    }

    pub(super) fn end_list(&mut self) {
        let ordered = self.lists.pop().flatten().is_some();
        self.block(if ordered { "</ol>\n" } else { "</ul>\n" });
    }

    pub(super) fn task_marker(&mut self, done: bool) {
        self.inline().push_str(if done {
            "<input type=\"checkbox\" disabled checked aria-label=\"Done\"> "
        } else {
            "<input type=\"checkbox\" disabled aria-label=\"Not done\"> "
        });
    }

    pub(super) fn start_quote(&mut self, kind: Option<BlockQuoteKind>) {
        let Some(kind) = kind else {
            self.stream.html.push_str("<blockquote>\n");
            self.quotes.push("</blockquote>\n");
            return;
        };
        let (class, title) = match kind {
            BlockQuoteKind::Note => ("note", "Note"),
            BlockQuoteKind::Tip => ("tip", "Tip"),
            BlockQuoteKind::Important => ("important", "Important"),
            BlockQuoteKind::Warning => ("warning", "Warning"),
            BlockQuoteKind::Caution => ("caution", "Caution"),
        };
        let label = self.own_label(title);
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.stream.html,
            "<aside class=\"alert alert-{class}\" aria-label=\"{label}\"><p class=\"alert-title\">{title}</p>"
        );
        self.quotes.push("</aside>\n");
        self.doc.prose.push_str(title);
        self.end_words();
    }

    pub(super) fn start_code(&mut self, kind: CodeBlockKind<'_>, range: Range<usize>) {
        self.definitions.leaf(&range);
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.into_string(),
            CodeBlockKind::Indented => String::new(),
        };
        self.code = Some(OpenCode {
            info,
            text: String::new(),
            range,
        });
    }

    pub(super) fn end_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        let name = code
            .info
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | '{'))
            .next()
            .unwrap_or("");
        self.end_words();
        if name == "math" {
            self.display_formula(&code.text, code.range);
            return;
        }
        let language = Language::named(name);
        let label = match language {
            Some(language) => format!("{} code", language.label()),
            None => "Code".to_owned(),
        };
        let label = self.own_label(&label);
        let html = &mut self.stream.html;
        html.push_str("<div class=\"code\"");
        attribute(html, "data-lang", "", name);
        html.push_str("><pre tabindex=\"0\" role=\"region\"");
        attribute(html, "aria-label", "", &label);
        html.push_str("><code");
        attribute(html, "class", "language-", name);
        html.push('>');
        let listing = Listing {
            language: name.to_owned(),
            code: self.place_of(code.text, &code.range),
            prose_at: self.doc.prose.len(),
        };
        let place = self.doc.listings.len();
        self.doc.listings.push(listing);
        self.stream.hole(Part::Listing(place));
        self.stream.html.push_str("</code></pre></div>\n");
    }
}

impl Reader<'_> {
    /// Where the text of a listing stands between its fences, if it stands there as it is.
    fn place_of(&self, text: String, block: &Range<usize>) -> Code {
        let source = &self.body[block.clone()];
        // A fence may be followed by any word of the code.
        let first = source.find('\n').map_or(0, |end| end + 1);
        let inside = &source[first..];
        // It mostly begins there; to prepare a search for a long text takes longer than to compare it.
        let found = if inside.starts_with(&text) {
            Some(0)
        } else {
            inside.find(&text)
        };
        match found {
            Some(at) if !text.is_empty() => {
                let start = block.start + first + at;
                Code::At(self.span(start..start + text.len()))
            }
            _ => Code::Read(text),
        }
    }
}

/// Writes ` name="prefixvalue"` unless the value is empty.
pub(super) fn attribute(html: &mut String, name: &str, prefix: &str, value: &str) {
    if value.is_empty() {
        return;
    }
    html.push(' ');
    html.push_str(name);
    html.push_str("=\"");
    html.push_str(prefix);
    // Writing to a string cannot fail.
    let _ = escape_html(&mut *html, value);
    html.push('"');
}

/// Whether a list's first item begins with a check box.
fn is_task_list(list: &str) -> bool {
    let item = list
        .trim_start()
        .trim_start_matches(['-', '*', '+'])
        .trim_start();
    ["[ ]", "[x]", "[X]"]
        .iter()
        .any(|box_| item.starts_with(box_))
}
