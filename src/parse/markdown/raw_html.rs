//! Raw HTML in Markdown.
//!
//! Under `sanitize` nothing that an author wrote is copied as markup: each tag is read, checked
//! against a short list, and written anew, so that no odd spelling gets past. Elements are closed
//! where the Markdown around them ends, and an end tag without a beginning is left out, so that a
//! page stays whole. Under `allow` it is copied, comments aside. What is no element of HTML
//! (`vector<int>`) is shown as text under each policy.

use super::element::{self, Kind, RawTag};
use super::reader::{MAX_DEPTH, OpenHtml, Paragraph, Reader};
use super::text::escape_into;
use crate::diagnostic::{Severity, rule};
use crate::model::config::RawHtml;
use pulldown_cmark_escape::escape_html;
use std::ops::Range;

/// An element of raw HTML that is open.
#[derive(Debug)]
pub(super) struct RawElement {
    name: String,
    /// The depth of the Markdown around it.
    pub(super) depth: usize,
    range: Range<usize>,
}

/// Where raw HTML stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Sentence,
    Block,
}

impl Reader<'_> {
    /// A tag or comment in a sentence.
    pub(super) fn inline_html(&mut self, text: &str, range: Range<usize>) {
        if self.is_captured() {
            self.capture(text);
            return;
        }
        match element::tag(text) {
            Some(tag)
                if element::kind(&tag.name) == Kind::Unknown
                    && !is_custom(&tag, self.cx.raw_html) =>
            {
                self.mistaken(&tag, text, range);
            }
            _ if self.refused(&range) => {
                escape_into(self.inline(), text);
                self.doc.prose.push_str(text);
            }
            _ if text.starts_with("<!--") => {}
            _ if self.cx.raw_html == RawHtml::Allow => {
                // A comment inside a tag is none, but could pass for a mark of ours.
                let text = text.replace("<!--", "&lt;!--");
                self.inline().push_str(&text);
            }
            Some(tag) => self.raw_tag(&tag, range, Place::Sentence),
            None => self.removed(range, "this", "is not shown"),
        }
    }

    pub(super) fn start_html(&mut self, range: Range<usize>) {
        self.definitions.leaf(&range);
        self.html = Some(OpenHtml::default());
    }

    /// A line of a block of raw HTML.
    pub(super) fn html_line(&mut self, text: &str, start: usize) {
        if let Some(html) = &mut self.html {
            html.places.push((html.text.len(), start));
            html.text.push_str(text);
        }
    }

    /// The end of a block of raw HTML.
    pub(super) fn end_html(&mut self) {
        let Some(html) = self.html.take() else { return };
        let text = html.text.as_str();
        let whole = html.place(0)..html.place(text.trim_end().len());
        let denied = self.cx.raw_html == RawHtml::Deny && self.refused(&whole);
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            if rest.starts_with("<!--") {
                // `<!-->` is a whole comment, so its end may share the hyphens of its beginning.
                at += rest[2..].find("-->").map_or(rest.len(), |end| end + 5);
                continue;
            }
            if self.cx.raw_html == RawHtml::Allow {
                let next = next_after_first(rest, "<!--");
                self.stream.html.push_str(&rest[..next]);
                self.copied_words(&rest[..next]);
                at += next;
                continue;
            }
            if let Some(tag) = element::tag(rest) {
                let range = html.place(at)..html.place(at + tag.len);
                at += self.block_tag(&tag, rest, range, denied);
                continue;
            }
            let next = next_after_first(rest, "<");
            self.raw_text(&rest[..next], html.place(at));
            at += next;
        }
        self.close_phrases();
        self.end_words();
    }

    /// One tag of a block; gives how many bytes it takes.
    fn block_tag(
        &mut self,
        tag: &RawTag<'_>,
        rest: &str,
        range: Range<usize>,
        denied: bool,
    ) -> usize {
        let kind = element::kind(&tag.name);
        if denied && kind != Kind::Unknown {
            escape_into(&mut self.stream.html, &rest[..tag.len]);
            return tag.len;
        }
        match kind {
            Kind::Unknown => self.mistaken(tag, &rest[..tag.len], range),
            Kind::Dropped if !tag.is_end => {
                let length = past_end_tag(rest, &tag.name);
                self.removed(
                    range,
                    &format!("`<{}>`", tag.name),
                    "is removed, with what is in it",
                );
                return length;
            }
            _ => self.raw_tag(tag, range, Place::Block),
        }
        tag.len
    }

    /// Text between the tags of a block.
    fn raw_text(&mut self, text: &str, start: usize) {
        let escaped = self.keeping_entities(text, start..start + text.len());
        self.stream.html.push_str(&escaped);
        self.words_between_tags(text);
    }

    /// Escapes text of raw HTML, in which entities stay as they are.
    fn keeping_entities(&mut self, text: &str, range: Range<usize>) -> String {
        let mut html = String::with_capacity(text.len());
        for (index, part) in text.split('&').enumerate() {
            if index > 0 {
                let entity = entity(part);
                html.push_str(if entity.is_some() { "&" } else { "&amp;" });
                if let Some(Entity::Code(c)) = entity {
                    self.check_characters(c.encode_utf8(&mut [0; 4]), range.clone());
                }
            }
            // Writing to a string cannot fail.
            let _ = escape_html(&mut html, part);
        }
        html
    }

    /// The words of raw HTML that is copied, scripts and styles aside.
    fn copied_words(&mut self, html: &str) {
        let mut rest = html;
        while !rest.is_empty() {
            let length = match element::tag(rest) {
                Some(tag) if !tag.is_end && matches!(tag.name.as_str(), "script" | "style") => {
                    past_end_tag(rest, &tag.name)
                }
                Some(tag) => tag.len,
                None => {
                    let next = next_after_first(rest, "<");
                    self.words_between_tags(&rest[..next]);
                    next
                }
            };
            rest = &rest[length..];
        }
    }

    fn words_between_tags(&mut self, text: &str) {
        let words = text.trim();
        if !words.is_empty() {
            self.doc.prose.push_str(words);
            self.doc.prose.push(' ');
        }
    }

    /// A tag that may stay.
    fn raw_tag(&mut self, tag: &RawTag<'_>, range: Range<usize>, place: Place) {
        let kind = element::kind(&tag.name);
        if tag.is_end {
            self.end_tag(&tag.name, range);
            return;
        }
        self.imply_end(&tag.name, kind);
        if !self.may_stand(kind, place) {
            let why = match kind {
                Kind::Removed | Kind::Dropped | Kind::Unknown => "is removed",
                _ => "cannot stand here and is removed",
            };
            self.removed(range, &format!("`<{}>`", tag.name), why);
            return;
        }
        let mut html = format!("<{}", tag.name);
        let mut written: Vec<String> = Vec::new();
        for (name, value) in &tag.attributes {
            let lower = name.to_ascii_lowercase();
            if !element::keeps(&tag.name, &lower, value) || written.contains(&lower) {
                let what = format!("the attribute `{name}` of `<{}>`", tag.name);
                self.removed(range.clone(), &what, "is removed");
                continue;
            }
            html.push(' ');
            html.push_str(&lower);
            if !value.is_empty() {
                html.push_str("=\"");
                html.push_str(&self.keeping_entities(value, range.clone()));
                html.push('"');
            }
            written.push(lower);
        }
        if tag.name == "details" && !written.iter().any(|name| name == "class") {
            html.push_str(" class=\"ask\"");
        }
        html.push('>');
        let is_void = kind == Kind::Void || tag.name == "hr";
        match place {
            Place::Sentence => self.inline().push_str(&html),
            Place::Block => self.stream.html.push_str(&html),
        }
        if self.raw.len() >= MAX_DEPTH {
            self.refuse_depth(range);
        } else if !is_void {
            self.raw.push(RawElement {
                name: tag.name.clone(),
                depth: self.depth,
                range,
            });
        }
    }

    /// Ends the item, term or paragraph before, which HTML lets an author leave open.
    fn imply_end(&mut self, name: &str, kind: Kind) {
        let Some(last) = self.raw.last().filter(|raw| raw.depth == self.depth) else {
            return;
        };
        let ends = match last.name.as_str() {
            "li" => name == "li",
            "dt" | "dd" => matches!(name, "dt" | "dd"),
            "rt" | "rp" => matches!(name, "rt" | "rp"),
            "p" => kind == Kind::Block || name == "p",
            _ => false,
        };
        if ends {
            self.close_last(false);
        }
    }

    /// Whether an element may stand here.
    fn may_stand(&self, kind: Kind, place: Place) -> bool {
        let around = self.raw.last().filter(|raw| raw.depth == self.depth);
        let around = around.map_or("", |raw| raw.name.as_str());
        let in_phrase = matches!(element::kind(around), Kind::Phrase)
            || matches!(around, "p" | "summary" | "figcaption" | "dt" | "rt" | "rp");
        match kind {
            Kind::Phrase | Kind::Void => !matches!(around, "ol" | "ul" | "dl"),
            Kind::Part(parents) if around == "ruby" => parents.contains(&around),
            Kind::Block => {
                place == Place::Block && !in_phrase && !matches!(around, "ol" | "ul" | "dl")
            }
            Kind::Part(parents) => place == Place::Block && parents.contains(&around),
            Kind::Removed | Kind::Dropped | Kind::Unknown => false,
        }
    }

    fn end_tag(&mut self, name: &str, range: Range<usize>) {
        let depth = self.depth;
        let open = self
            .raw
            .iter()
            .rposition(|raw| raw.name == name && raw.depth == depth);
        let Some(open) = open else {
            let why = match element::kind(name) {
                Kind::Removed | Kind::Dropped => "is removed",
                _ => "ends nothing that is open here and is removed",
            };
            self.removed(range, &format!("`</{name}>`"), why);
            return;
        };
        while self.raw.len() > open + 1 {
            self.close_last(true);
        }
        self.close_last(false);
    }

    /// Closes what is open inside the Markdown that ends.
    pub(super) fn close_raw(&mut self) {
        while self.raw.last().is_some_and(|raw| raw.depth >= self.depth) {
            self.close_last(true);
        }
    }

    /// Closes what may not go on after a block of raw HTML: all but blocks.
    fn close_phrases(&mut self) {
        while self.raw.last().is_some_and(|raw| {
            raw.depth == self.depth
                && !matches!(
                    raw.name.as_str(),
                    "aside" | "blockquote" | "details" | "div" | "figure" | "section"
                )
        }) {
            self.close_last(true);
        }
    }

    fn close_last(&mut self, report: bool) {
        let Some(raw) = self.raw.pop() else { return };
        if matches!(self.paragraph, Paragraph::Closed) {
            self.inline();
        }
        self.stream.html.push_str("</");
        self.stream.html.push_str(&raw.name);
        self.stream.html.push('>');
        if report && !matches!(raw.name.as_str(), "p" | "li" | "dt" | "dd" | "rt" | "rp") {
            let finding = self
                .finding(
                    rule::RAW_HTML,
                    raw.range,
                    format!("`<{}>` is never closed", raw.name),
                )
                .label("opened here")
                .help(format!(
                    "Write `</{}>` where it ends: in the same paragraph, item or quotation.",
                    raw.name
                ));
            self.push(finding);
        }
    }

    /// Whether the site denies raw HTML; reports it if so.
    fn refused(&mut self, range: &Range<usize>) -> bool {
        if self.cx.raw_html != RawHtml::Deny {
            return false;
        }
        let finding = self
            .finding(
                rule::RAW_HTML,
                range.clone(),
                "this site allows no raw HTML",
            )
            .severity(Severity::Error)
            .label("raw HTML")
            .help("Write it in Markdown; put code in backticks.");
        self.push(finding);
        true
    }

    fn removed(&mut self, range: Range<usize>, what: &str, why: &str) {
        let finding = self
            .finding(rule::RAW_HTML, range, format!("{what} {why}"))
            .label("removed from the page")
            .help("Write it in Markdown; put code in backticks.");
        self.push(finding);
    }

    /// What looks like a tag and is no element of HTML: shown as it is, and reported.
    fn mistaken(&mut self, tag: &RawTag<'_>, text: &str, range: Range<usize>) {
        let before = self.body[..range.start]
            .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':')))
            .map_or(0, |at| at + 1);
        let mut before = before;
        while !self.body.is_char_boundary(before) {
            before += 1;
        }
        let word = self.body.get(before..range.end).unwrap_or(text);
        let finding = self
            .finding(
                rule::LOST_TEXT,
                range,
                format!("`<{}>` is read as a tag of HTML", tag.name),
            )
            .label("no element of this name; shown as text")
            .note("Another reader of Markdown would show nothing here.")
            .help(format!("Put it in backticks: `` `{word}` ``."));
        self.push(finding);
        escape_into(self.inline(), text);
        self.doc.prose.push_str(text);
    }
}

/// What follows `&`.
enum Entity {
    /// A character by its number.
    Code(char),
    /// A name, or a number that no character has.
    Other,
}

/// The entity that `text` begins with, `&` aside.
fn entity(text: &str) -> Option<Entity> {
    let (name, _) = text.split_once(';')?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'#';
    if name.is_empty() || !name.bytes().all(plain) {
        return None;
    }
    let code = name
        .strip_prefix('#')
        .and_then(|code| match code.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => code.parse().ok(),
        });
    let c = code.and_then(char::from_u32);
    Some(c.map_or(Entity::Other, Entity::Code))
}

/// How many bytes of `text` go up to the end of the end tag of this name; all if there is none.
fn past_end_tag(text: &str, name: &str) -> usize {
    let bytes = text.as_bytes();
    let start = text.match_indices("</").find_map(|(at, _)| {
        let found = bytes.get(at + 2..at + 2 + name.len())?;
        found.eq_ignore_ascii_case(name.as_bytes()).then_some(at)
    });
    let end = start.and_then(|start| Some(start + text[start..].find('>')? + 1));
    end.unwrap_or(text.len())
}

/// Where `text` next holds `wanted`, its first character aside; its end if nowhere.
fn next_after_first(text: &str, wanted: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    text[first..]
        .find(wanted)
        .map_or(text.len(), |at| first + at)
}

/// Whether a tag is an element that the site defines itself: its name has a hyphen.
fn is_custom(tag: &RawTag<'_>, policy: RawHtml) -> bool {
    policy == RawHtml::Allow && tag.name.contains('-')
}

impl OpenHtml {
    /// The place in the body of an offset into the block's text.
    fn place(&self, offset: usize) -> usize {
        let after = self.places.partition_point(|(start, _)| *start <= offset);
        match after
            .checked_sub(1)
            .and_then(|index| self.places.get(index))
        {
            Some((start, place)) => place + (offset - start),
            None => 0,
        }
    }
}
