//! The state of reading a body, and which event goes where.

use super::BodyContext;
use super::blocks::Numbering;
use super::heading::{HeadingIds, OpenHeading, Outline};
use super::image::OpenImage;
use super::link::OpenLink;
use super::note::Notes;
use super::raw_html::RawElement;
use super::references::Definitions;
use super::stream::{Mark, Stream};
use crate::diagnostic::{Diagnostic, Diagnostics, RuleId, Severity, rule};
use crate::model::document::Document;
use crate::source::Span;
use pulldown_cmark::{Event, Tag, TagEnd};
use std::collections::BTreeMap;
use std::ops::Range;

/// How deep blocks and inline elements may nest together.
pub(super) const MAX_DEPTH: usize = 64;

/// How many pieces a page may have: each link, claim or figure makes up to four.
const MAX_PARTS: usize = 400_000;

/// How many findings of one rule and severity one body may have before the rest is only counted.
const MAX_FINDINGS: usize = 500;

/// What the present paragraph has written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Paragraph {
    /// No paragraph: a tight list item, a cell, a heading.
    None,
    /// `<p>` stands at this mark.
    Open(Mark, Mark),
    /// An embed ended it; `<p>` follows if more text comes.
    Closed,
}

/// A fenced or indented block of code that is being read.
#[derive(Debug)]
pub(super) struct OpenCode {
    pub(super) info: String,
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

/// A block of raw HTML: its text, and where each piece of it stands in the body.
#[derive(Debug, Default)]
pub(super) struct OpenHtml {
    pub(super) text: String,
    pub(super) places: Vec<(usize, usize)>,
}

pub(super) struct Reader<'a> {
    pub(super) body: &'a str,
    pub(super) cx: &'a BodyContext<'a>,
    out: &'a mut Diagnostics,
    /// How many were found of each rule and severity, and where the last stands that is listed.
    found: BTreeMap<(&'static str, Severity), (usize, usize)>,
    pub(super) doc: Document,
    pub(super) stream: Stream,
    /// Streams that wait until a footnote's definition ends.
    pub(super) outer: Vec<Stream>,
    /// Where notes are placed among the main stream's parts.
    pub(super) breaks: Vec<(usize, Vec<usize>)>,
    pub(super) notes: Notes,
    pub(super) depth: usize,
    stopped: bool,
    /// Plain text that has been seen and not written yet.
    pub(super) run: Range<usize>,
    /// A dollar sign here closes a formula and is not text.
    pub(super) closing_dollar: Option<usize>,
    pub(super) paragraph: Paragraph,
    pub(super) paragraph_range: Range<usize>,
    pub(super) code: Option<OpenCode>,
    pub(super) html: Option<OpenHtml>,
    pub(super) raw: Vec<RawElement>,
    pub(super) heading: Option<OpenHeading>,
    pub(super) heading_ids: HeadingIds,
    pub(super) outline: Outline,
    pub(super) links: Vec<OpenLink>,
    pub(super) images: Vec<OpenImage>,
    /// How many emphases, links and the like are open.
    pub(super) inline_depth: usize,
    pub(super) in_cell: bool,
    pub(super) definitions: Definitions,
    /// The numbers of open lists; `None` for one without.
    pub(super) lists: Vec<Option<Numbering>>,
    /// The end tags of open block quotes.
    pub(super) quotes: Vec<&'static str>,
    labels: BTreeMap<String, usize>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        body: &'a str,
        cx: &'a BodyContext<'a>,
        definitions: Definitions,
        out: &'a mut Diagnostics,
    ) -> Self {
        let mut doc = Document {
            span: Some(Span::new(cx.file, cx.offset..cx.offset + body.len())),
            ..Document::default()
        };
        doc.prose.reserve(body.len());
        let mut stream = Stream::default();
        stream.html.reserve(body.len());
        Self {
            body,
            cx,
            out,
            found: BTreeMap::new(),
            doc,
            stream,
            outer: Vec::new(),
            breaks: Vec::new(),
            notes: Notes::default(),
            depth: 0,
            stopped: false,
            run: 0..0,
            closing_dollar: None,
            paragraph: Paragraph::None,
            paragraph_range: 0..0,
            code: None,
            html: None,
            raw: Vec::new(),
            heading: None,
            heading_ids: HeadingIds::new(body, cx.reserved_ids),
            outline: Outline::default(),
            links: Vec::new(),
            images: Vec::new(),
            inline_depth: 0,
            in_cell: false,
            definitions,
            lists: Vec::new(),
            quotes: Vec::new(),
            labels: BTreeMap::new(),
        }
    }

    /// Whether the body is refused and need not be read on.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    pub(super) fn event(&mut self, event: Event<'a>, range: Range<usize>) {
        if self.heading.as_ref().is_some_and(|h| range.start >= h.cut) {
            return;
        }
        if let Event::Text(text) = event {
            self.text(&text, range);
            return;
        }
        if let Event::Code(text) = &event {
            self.code_span(text, range);
            return;
        }
        self.flush_run();
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Html(text) => self.html_line(&text, range.start),
            Event::InlineHtml(text) => self.inline_html(&text, range),
            Event::FootnoteReference(label) => self.footnote_reference(&label, range),
            Event::SoftBreak => self.line_break("\n"),
            Event::HardBreak => self.line_break("<br>\n"),
            Event::Rule => self.block("<hr>\n"),
            Event::TaskListMarker(done) => self.task_marker(done),
            // Text and code are handled above; the formulas of the parser are not switched on.
            Event::Text(_) | Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'a>, range: Range<usize>) {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.refuse_depth(range);
            return;
        }
        match tag {
            Tag::Paragraph => self.start_paragraph(range),
            Tag::Heading { level, .. } => self.start_heading(level as u8, range),
            Tag::BlockQuote(kind) => self.start_quote(kind),
            Tag::CodeBlock(kind) => self.start_code(kind, range),
            Tag::HtmlBlock => self.start_html(range),
            Tag::List(first) => self.start_list(first, &range),
            Tag::Item => self.start_item(range.start),
            Tag::FootnoteDefinition(label) => self.start_note(&label, range),
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => self.start_emphasis(&tag, range),
            Tag::Link {
                dest_url,
                title,
                id,
                link_type,
            } => {
                self.definitions.used(&id);
                self.start_link((link_type, &dest_url, &title), range);
            }
            Tag::Image {
                dest_url,
                title,
                id,
                link_type,
            } => {
                self.definitions.used(&id);
                self.start_image((link_type, &dest_url, &title), range);
            }
            // Tables come through `table`; the other extensions are not switched on.
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        let at = range.start;
        if !matches!(tag, TagEnd::HtmlBlock) {
            self.close_raw();
        }
        self.depth -= 1;
        match tag {
            TagEnd::Paragraph => self.end_paragraph(),
            TagEnd::Heading(_) => self.end_heading(range),
            TagEnd::BlockQuote(_) => {
                let end = self.quotes.pop().unwrap_or("");
                self.block(end);
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::HtmlBlock => self.end_html(),
            TagEnd::List(_) => self.end_list(),
            TagEnd::Item => self.block("</li>\n"),
            TagEnd::FootnoteDefinition => self.end_note(),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => self.end_emphasis(tag),
            TagEnd::Link => self.end_link(),
            TagEnd::Image => self.end_image(range),
            _ => {}
        }
        if self.depth == 0 {
            self.end_of_top_block();
        }
        self.check_size(at);
    }

    /// Gives up a body with more links, claims and the like than memory is meant for.
    fn check_size(&mut self, at: usize) {
        if self.stream.pieces.len() > MAX_PARTS {
            let finding = self
                .finding(
                    rule::TOO_LARGE,
                    at..at,
                    "the page has too many links and figures",
                )
                .help("Split it into several pages.");
            self.refuse(finding);
        }
    }

    /// Where inline HTML goes. Opens the paragraph again that an embed ended.
    pub(super) fn inline(&mut self) -> &mut String {
        if matches!(self.paragraph, Paragraph::Closed) {
            let before = self.stream.mark();
            self.stream.html.push_str("<p>");
            self.paragraph = Paragraph::Open(before, self.stream.mark());
        }
        &mut self.stream.html
    }

    /// Writes HTML that ends a line of words.
    pub(super) fn block(&mut self, html: &str) {
        self.stream.html.push_str(html);
        self.end_words();
    }

    /// Ends the present line of words.
    pub(super) fn end_words(&mut self) {
        let words = &mut self.doc.prose;
        words.truncate(words.trim_end_matches(' ').len());
        if !words.is_empty() && !words.ends_with('\n') {
            words.push('\n');
        }
    }

    /// A label for a region that is its own: "CUDA code", "CUDA code 2".
    pub(super) fn own_label(&mut self, label: &str) -> String {
        let count = self.labels.entry(label.to_owned()).or_insert(0);
        *count += 1;
        match *count {
            1 => label.to_owned(),
            n => format!("{label} {n}"),
        }
    }

    /// The place in the author's file of a range of the body.
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        let at = self.cx.offset;
        Span::new(self.cx.file, range.start + at..range.end + at)
    }

    /// Begins a finding at a range of the body.
    pub(super) fn finding(
        &self,
        rule: RuleId,
        range: Range<usize>,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(rule, self.span(range), message)
    }

    /// Reports a finding. Which severity the site gives its rule is not known here, so that each of the
    /// rules has room of its own: many findings that the site does not want to see must hide no error.
    pub(super) fn push(&mut self, finding: Diagnostic) {
        let key = (finding.rule.name, finding.severity);
        let (count, last) = self.found.entry(key).or_default();
        *count += 1;
        if *count <= MAX_FINDINGS {
            *last = self.out.len();
            self.out.push(finding);
        }
    }

    pub(super) fn refuse_depth(&mut self, range: Range<usize>) {
        let at = range.start..(range.start + 1).min(self.body.len());
        let finding = self
            .finding(rule::TOO_DEEP, at, "the text is nested too deeply")
            .label(format!("more than {MAX_DEPTH} levels deep here"))
            .help("Take some of the quotation marks, list levels or brackets out.");
        self.refuse(finding);
    }

    /// Gives the body up with a finding that says why, however many there are already: without it an
    /// empty page would pass for a sound one.
    pub(super) fn refuse(&mut self, finding: Diagnostic) {
        if !self.stopped {
            self.stopped = true;
            self.out.push(finding);
        }
    }

    /// Reports what only the end shows, and puts the parts together.
    pub(super) fn finish(mut self, unresolved: &[Range<usize>]) -> Document {
        if self.stopped {
            return Document {
                span: self.doc.span,
                ..Document::default()
            };
        }
        self.flush_run();
        self.close_raw();
        self.report_references(unresolved);
        self.place_notes();
        self.report_notes();
        for (count, last) in std::mem::take(&mut self.found).into_values() {
            self.out.leave_out(last, count.saturating_sub(MAX_FINDINGS));
        }
        self.doc.anchors.sort_unstable();
        self.doc.anchors.dedup();
        self.end_words();
        self.doc.shrink();
        self.doc
    }
}
