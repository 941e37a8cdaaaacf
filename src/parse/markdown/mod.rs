//! A Markdown body into a [`Document`]: finished HTML with holes, read once.
//!
//! Takes the body's text and what it may refer to; gives the document and findings with their
//! place in the author's file. No text is lost in silence: what Markdown would drop or turn into
//! markup by accident is reported. The HTML is balanced whatever the author wrote, except for raw
//! HTML that the site allows as it is.

mod blocks;
mod element;
mod heading;
mod image;
mod link;
mod math;
mod note;
mod raw_html;
mod reader;
mod references;
mod stream;
mod table;
mod text;

use crate::diagnostic::Diagnostics;
use crate::model::config::RawHtml;
use crate::model::document::Document;
use crate::source::FileId;
use pulldown_cmark::{BrokenLink, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use reader::Reader;
use std::cell::RefCell;
use std::ops::Range;

/// Whether a page's `##` headings are numbered sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sections {
    /// They stand as they are.
    Plain,
    /// "01 / The job": a lesson.
    Numbered,
}

/// What a body is read with.
#[derive(Debug, Clone, Copy)]
pub struct BodyContext<'a> {
    /// The author's file.
    pub file: FileId,
    /// Byte offset of the body in that file.
    pub offset: usize,
    /// The ids of the entry's sources: `[^id]` cites one of these.
    pub source_ids: &'a [&'a str],
    /// Ids that stand on the page besides the body's own: those of tables and figures, and the
    /// template's parts. An id made from a heading keeps clear of them. One with a hyphen in it
    /// (`table-t4`) also stands for those that begin with it and another hyphen.
    pub reserved_ids: &'a [&'a str],
    /// What happens to raw HTML.
    pub raw_html: RawHtml,
    /// Whether headings are numbered.
    pub sections: Sections,
}

impl BodyContext<'_> {
    /// A body without sources, reserved ids and numbered sections.
    pub fn new(file: FileId, offset: usize, raw_html: RawHtml) -> Self {
        Self {
            file,
            offset,
            source_ids: &[],
            reserved_ids: &[],
            raw_html,
            sections: Sections::Plain,
        }
    }
}

/// Reads a body.
pub fn read(body: &str, cx: &BodyContext<'_>, out: &mut Diagnostics) -> Document {
    super::characters::control_characters(body, cx.file, cx.offset, out);
    let unresolved = RefCell::new(Vec::new());
    let callback = |link: BrokenLink<'_>| -> Option<(CowStr<'_>, CowStr<'_>)> {
        if matches!(link.link_type, LinkType::Reference | LinkType::Collapsed) {
            unresolved.borrow_mut().push(link.span);
        }
        None
    };
    let parser = Parser::new_with_broken_link_callback(body, OPTIONS, Some(callback));
    let definitions = references::Definitions::of(&parser);
    let mut reader = Reader::new(body, cx, definitions, out);
    let mut events = parser.into_offset_iter();
    while let Some((event, range)) = events.next() {
        if let Event::Start(Tag::Table(alignments)) = event {
            let inner = until_table_end(&mut events);
            reader.table(&alignments, inner, range);
        } else {
            reader.event(event, range);
        }
        if reader.is_stopped() {
            break;
        }
    }
    drop(events);
    reader.finish(&unresolved.into_inner())
}

const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM)
    .union(Options::ENABLE_WIKILINKS);

/// An event and the bytes of the body that it comes from.
type Ranged<'a> = (Event<'a>, Range<usize>);

/// A table's events without its own start and end. Its columns are known only when all of its
/// cells are.
fn until_table_end<'a>(events: &mut impl Iterator<Item = Ranged<'a>>) -> Vec<Ranged<'a>> {
    events
        .take_while(|(event, _)| !matches!(event, Event::End(TagEnd::Table)))
        .take(table::MAX_EVENTS + 1)
        .collect()
}

#[cfg(test)]
mod tests;
