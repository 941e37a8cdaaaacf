//! The pieces of a body under construction.
//!
//! HTML is appended to [`Stream::html`] and becomes a part of its own only when a hole follows it.

use crate::model::document::Part;

/// Parts that are finished, HTML that is still growing, and the notes that the text refers to
/// first.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pub(super) parts: Vec<Part>,
    pub(super) html: String,
    /// Indexes of notes whose first reference stands here and which have not been placed.
    pub(super) notes: Vec<usize>,
}

/// A place in a stream at which HTML may be put in later.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    part: usize,
    offset: usize,
}

impl Stream {
    /// Ends the present HTML. It is copied, so that what grew goes on to serve and what is kept is
    /// no longer than it need be.
    pub(super) fn flush(&mut self) {
        if !self.html.is_empty() {
            self.parts.push(Part::Html(self.html.as_str().to_owned()));
            self.html.clear();
        }
    }

    /// Adds a hole.
    pub(super) fn hole(&mut self, part: Part) {
        self.flush();
        self.parts.push(part);
    }

    /// The present end.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            part: self.parts.len(),
            offset: self.html.len(),
        }
    }

    /// Whether nothing was written since the mark.
    pub(super) fn is_at(&self, mark: Mark) -> bool {
        mark.part == self.parts.len() && mark.offset == self.html.len()
    }

    /// Removes the HTML since the mark, if nothing else was written since.
    pub(super) fn cut_back(&mut self, mark: Mark) {
        if mark.part == self.parts.len() {
            self.html.truncate(mark.offset);
        }
    }

    /// Puts HTML in at a mark.
    pub(super) fn insert(&mut self, mark: Mark, html: &str) {
        if mark.part == self.parts.len() {
            self.html.insert_str(mark.offset, html);
            return;
        }
        match &mut self.parts[mark.part] {
            Part::Html(text) if mark.offset <= text.len() => text.insert_str(mark.offset, html),
            _ => self.parts.insert(mark.part, Part::Html(html.to_owned())),
        }
    }
}
