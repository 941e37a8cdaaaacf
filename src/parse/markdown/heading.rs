//! Headings: their level, id, kicker and number.
//!
//! `## Give one thread one number {#job kicker="The job"}`. An id made from the text depends on
//! what stands above it and on the ids that authors wrote, never on text below.

use super::reader::Reader;
use super::stream::Mark;
use super::{Sections, blocks::attribute};
use crate::diagnostic::rule;
use crate::model::document::Heading;
use crate::source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

/// Beginnings of ids that the page makes for claims, citations, notes and the like.
const PAGE_PREFIXES: [&str; 7] = [
    "card-", "cite-", "claim-", "fn-", "fnref-", "number-", "source-",
];

/// A heading whose end has not come yet.
#[derive(Debug)]
pub(super) struct OpenHeading {
    /// Where its attributes begin; nothing from here on is shown.
    pub(super) cut: usize,
    level: u8,
    own_id: Option<Spanned<String>>,
    kicker: Option<String>,
    mark: Mark,
    /// Length of the document's words before it.
    words: usize,
}

/// The levels of the headings above: as written and as shown.
#[derive(Debug, Default)]
pub(super) struct Outline {
    above: Vec<(u8, u8)>,
    sections: usize,
}

impl Outline {
    /// The level that a heading is shown with: one more than that of the heading it belongs to.
    fn shown(&mut self, written: u8) -> u8 {
        while self
            .above
            .last()
            .is_some_and(|(level, _)| *level >= written)
        {
            self.above.pop();
        }
        let shown = self.above.last().map_or(1, |(_, shown)| *shown) + 1;
        self.above.push((written, shown));
        shown
    }

    /// The level that the heading before was written with; the title's is 1.
    fn before(&self) -> u8 {
        self.above.last().map_or(1, |(written, _)| *written)
    }
}

/// Which ids are taken.
#[derive(Debug)]
pub(super) struct HeadingIds {
    taken: BTreeSet<String>,
    own: BTreeMap<String, Span>,
    reserved: BTreeSet<String>,
    /// The next number to try after an id.
    next: BTreeMap<String, usize>,
}

impl HeadingIds {
    /// Notes the ids that the author wrote, so that none made from a heading above repeats one.
    pub(super) fn new(body: &str, reserved: &[&str]) -> Self {
        let mut taken = BTreeSet::new();
        if body.contains("{#") {
            let own = body.lines().filter_map(|line| {
                let line = line.trim_end().trim_end_matches('#').trim_end();
                attributes(&line[line.rfind("{#")?..])
            });
            taken.extend(own.map(|found| found.id.to_owned()));
        }
        Self {
            taken,
            own: BTreeMap::new(),
            reserved: reserved.iter().map(|id| (*id).to_owned()).collect(),
            next: BTreeMap::new(),
        }
    }

    /// An id of its own for a heading without one.
    fn make(&mut self, text: &str) -> String {
        let mut base = slug(text);
        if self.is_reserved(&base) {
            base.insert_str(0, "h-");
        }
        if self.taken.insert(base.clone()) {
            return base;
        }
        let next = self.next.entry(base.clone()).or_insert(1);
        loop {
            let id = format!("{base}-{next}");
            *next += 1;
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }

    /// Whether the page has this id, or makes ids that begin as it does: a figure's caption and
    /// rows have its id, a hyphen and a word.
    fn is_reserved(&self, id: &str) -> bool {
        let figures = id
            .match_indices('-')
            .map(|(at, _)| &id[..at])
            .filter(|part| part.contains('-'));
        PAGE_PREFIXES.iter().any(|prefix| id.starts_with(prefix))
            || figures.chain([id]).any(|part| self.reserved.contains(part))
    }
}

/// The text in lower case, with hyphens for spaces and without punctuation.
pub(super) fn slug(text: &str) -> String {
    let mut id = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() || c == '_' {
            id.push(c);
        } else if (c.is_whitespace() || c == '-') && !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
    }
    id.truncate(id.trim_end_matches('-').len());
    if id.is_empty() {
        "section".clone_into(&mut id);
    }
    id
}

/// What braces after a heading say.
#[derive(Debug, PartialEq, Eq)]
struct Attributes<'a> {
    id: &'a str,
    kicker: Option<&'a str>,
    /// Parts that are not taken.
    others: Vec<&'a str>,
}

/// Reads `{#id kicker="…"}`. `None` if `text` is anything else.
fn attributes(text: &str) -> Option<Attributes<'_>> {
    let inner = text.strip_prefix("{#")?.strip_suffix('}')?;
    let end = inner.find(char::is_whitespace).unwrap_or(inner.len());
    let (id, mut rest) = inner.split_at(end);
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    if id.is_empty() || !id.chars().all(plain) {
        return None;
    }
    let mut found = Attributes {
        id,
        kicker: None,
        others: Vec::new(),
    };
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some(found);
        }
        let name = rest
            .find(|c: char| c == '=' || c.is_whitespace())
            .unwrap_or(rest.len());
        let (value, length) = match rest[name..].strip_prefix('=') {
            None => ("", name),
            Some(value) => {
                let (value, length) = attribute_value(value)?;
                (value, name + 1 + length)
            }
        };
        if &rest[..name] == "kicker" && found.kicker.is_none() {
            found.kicker = Some(value);
        } else {
            found.others.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
}

/// A value, in quotes or not, and how many bytes it takes.
fn attribute_value(text: &str) -> Option<(&str, usize)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let end = quoted.find('"')?;
        return Some((&quoted[..end], end + 2));
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    Some((&text[..end], end))
}

/// Where the text of a heading ends: before the underline, or before closing `#` marks.
fn content_end(heading: &str) -> usize {
    let text = heading.trim_end();
    if !text.starts_with('#') {
        return text
            .rfind('\n')
            .map_or(text.len(), |line| text[..line].trim_end().len());
    }
    let open = text.trim_end_matches('#');
    if open.ends_with([' ', '\t']) {
        open.trim_end().len()
    } else {
        text.len()
    }
}

impl Reader<'_> {
    pub(super) fn start_heading(&mut self, level: u8, range: Range<usize>) {
        self.definitions.leaf(&range);
        self.end_words();
        let level = self.check_level(level, &range);
        let end = range.start + content_end(&self.body[range.clone()]);
        let mut heading = OpenHeading {
            cut: usize::MAX,
            level: self.outline.shown(level),
            own_id: None,
            kicker: None,
            mark: self.stream.mark(),
            words: self.doc.prose.len(),
        };
        let body = self.body;
        if let Some(open) = body[range.start..end]
            .rfind("{#")
            .map(|at| range.start + at)
            && !body[..open].ends_with('\\')
            && let Some(found) = attributes(&body[open..end])
        {
            heading.cut = range.start + body[range.start..open].trim_end().len();
            heading.kicker = found.kicker.map(str::to_owned);
            let id = open + 2..open + 2 + found.id.len();
            heading.own_id = Some(Spanned::new(found.id.to_owned(), self.span(id)));
            self.report_attributes(&found.others, open..end);
        }
        self.heading = Some(heading);
    }

    /// Reports a first-level heading and one that skips a level; gives the level to work with.
    fn check_level(&mut self, level: u8, range: &Range<usize>) -> u8 {
        let before = self.outline.before();
        if level == 1 {
            let finding = self
                .finding(
                    rule::HEADING_SKIP,
                    range.start..range.start + content_end(&self.body[range.clone()]),
                    "the title is the page's only heading of the first level",
                )
                .label("shown as a heading of the second level")
                .help("Begin headings of the body with `##`.");
            self.push(finding);
            return 2;
        }
        if level > before + 1 {
            let finding = self
                .finding(
                    rule::HEADING_SKIP,
                    range.start..range.start + content_end(&self.body[range.clone()]),
                    format!("a heading of level {level} follows one of level {before}"),
                )
                .label("skips a level")
                .note("Readers who move by headings take it that a section is missing.")
                .help(format!("Write `{}`.", "#".repeat(usize::from(before) + 1)));
            self.push(finding);
        }
        level
    }

    fn report_attributes(&mut self, others: &[&str], range: Range<usize>) {
        if others.is_empty() {
            return;
        }
        let finding = self
            .finding(
                rule::LOST_TEXT,
                range,
                format!(
                    "`{}` is not taken from a heading's braces",
                    others.join(" ")
                ),
            )
            .label("only an id and a kicker are")
            .help("Write `{#id kicker=\"…\"}`.");
        self.push(finding);
    }

    pub(super) fn end_heading(&mut self, range: Range<usize>) {
        let Some(heading) = self.heading.take() else {
            return;
        };
        let text = self.doc.prose[heading.words..].trim().to_owned();
        let id = match &heading.own_id {
            Some(own) => {
                self.check_own_id(own);
                own.value.clone()
            }
            None => self.heading_ids.make(&text),
        };
        let level = heading.level.min(6);
        let mut open = format!("<div class=\"heading\"><h{level}");
        attribute(&mut open, "id", "", &id);
        open.push('>');
        self.kicker(&mut open, level, heading.kicker.as_deref());
        self.stream.insert(heading.mark, &open);
        let html = &mut self.stream.html;
        html.truncate(html.trim_end_matches(' ').len());
        // Writing to a string cannot fail.
        let _ = write!(html, "</h{level}><a class=\"anchor\"");
        attribute(html, "href", "#", &id);
        attribute(html, "aria-label", "", &format!("Link to {text}"));
        html.push_str(">#</a></div>\n");
        self.end_words();
        self.doc.anchors.push(id.clone());
        self.doc.headings.push(Heading {
            level,
            id,
            own_id: heading.own_id,
            text,
            kicker: heading.kicker,
            span: self.span(range),
        });
    }

    /// Writes "01 / The job", or what of it there is.
    fn kicker(&mut self, open: &mut String, level: u8, kicker: Option<&str>) {
        let numbered = self.cx.sections == Sections::Numbered && level == 2;
        if !numbered && kicker.is_none() {
            return;
        }
        open.push_str("<span class=\"kicker\">");
        if numbered {
            self.outline.sections += 1;
            // Writing to a string cannot fail.
            let _ = write!(open, "{:02}", self.outline.sections);
        }
        if let Some(kicker) = kicker {
            open.push_str(if numbered { " / " } else { "" });
            super::text::escape_into(open, kicker);
        }
        open.push_str("</span> ");
    }

    fn check_own_id(&mut self, own: &Spanned<String>) {
        let first = self.heading_ids.own.get(&own.value).copied();
        let base = crate::diagnostic::Diagnostic::new(
            rule::DUPLICATE_ANCHOR,
            own.span,
            format!("the id `{}` is given twice on this page", own.value),
        );
        if let Some(first) = first {
            let finding = base
                .label("again here")
                .related(first, "first here")
                .help("Give one of the two another id: a link can lead to one place only.");
            self.push(finding);
            return;
        }
        if self.heading_ids.is_reserved(&own.value) {
            let finding = base
                .label("the page itself has an id of this name")
                .help("Choose another: the page uses this one for a table, figure or section.");
            self.push(finding);
        }
        self.heading_ids.own.insert(own.value.clone(), own.span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_id_and_a_kicker_are_attributes() {
        let found = |text| attributes(text).map(|a| (a.id, a.kicker, a.others));
        assert_eq!(found("{#job}"), Some(("job", None, vec![])));
        assert_eq!(
            found("{#job kicker=\"The job\"}"),
            Some(("job", Some("The job"), vec![]))
        );
        assert_eq!(
            found("{#job .big kicker=x data-a=\"b c\"}"),
            Some(("job", Some("x"), vec![".big", "data-a=\"b c\""]))
        );
        for text in [
            "{job}",
            "{# z #}",
            "{#}",
            "{#a kicker=\"x}",
            "{#a\"b}",
            "{#a} x",
            "{{ x }}",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn ids_stay_apart() {
        let mut ids = HeadingIds::new("## x {#taken}\n", &["table-t4", "sources"]);
        let made: Vec<_> = [
            "Setup",
            "Setup",
            "Setup 1",
            "Setup-1",
            "setup",
            "Setup",
            "Taken",
            "Sources of work",
            "Table T4 rows",
            "Sources",
            "Number 3",
            "Was ist „Wärme“?",
            "…",
        ]
        .map(|text| ids.make(text))
        .into();
        assert_eq!(
            made,
            [
                "setup",
                "setup-1",
                "setup-1-1",
                "setup-1-2",
                "setup-2",
                "setup-3",
                "taken-1",
                "sources-of-work",
                "h-table-t4-rows",
                "h-sources",
                "h-number-3",
                "was-ist-wärme",
                "section"
            ]
        );
    }
}
