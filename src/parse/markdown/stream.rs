//! The pieces of a body under construction.
//!
//! HTML is appended to [`Stream::html`] and becomes a piece of its own only when a hole follows it.

use crate::model::document::{Document, Part};

/// A piece of a body.
#[derive(Debug)]
pub(super) enum Piece {
    /// Finished HTML.
    Html(String),
    /// What is filled in later: any part but HTML.
    Hole(Part),
}

/// Makes pieces the parts of a document.
pub(super) fn join(pieces: Vec<Piece>, doc: &mut Document) {
    let length = |piece: &Piece| match piece {
        Piece::Html(html) => html.len(),
        Piece::Hole(_) => 0,
    };
    // Just the room that it needs: thousands of bodies lie in memory together.
    doc.finished.reserve_exact(pieces.iter().map(length).sum());
    for piece in pieces {
        match piece {
            Piece::Html(html) => doc.push_html(&html),
            Piece::Hole(part) => doc.parts.push(part),
        }
    }
}

/// Pieces that are finished, HTML that is still growing, and the notes that the text refers to
/// first.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pub(super) pieces: Vec<Piece>,
    pub(super) html: String,
    /// Indexes of notes whose first reference stands here and which have not been placed.
    pub(super) notes: Vec<usize>,
}

/// A place in a stream at which HTML may be put in later.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    piece: usize,
    offset: usize,
}

impl Stream {
    /// Ends the present HTML. It is copied, so that what grew goes on to serve.
    pub(super) fn flush(&mut self) {
        if !self.html.is_empty() {
            self.pieces.push(Piece::Html(self.html.as_str().to_owned()));
            self.html.clear();
        }
    }

    /// Adds a hole.
    pub(super) fn hole(&mut self, part: Part) {
        self.flush();
        self.pieces.push(Piece::Hole(part));
    }

    /// The present end.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            piece: self.pieces.len(),
            offset: self.html.len(),
        }
    }

    /// Whether nothing was written since the mark.
    pub(super) fn is_at(&self, mark: Mark) -> bool {
        mark.piece == self.pieces.len() && mark.offset == self.html.len()
    }

    /// Removes the HTML since the mark, if nothing else was written since.
    pub(super) fn cut_back(&mut self, mark: Mark) {
        if mark.piece == self.pieces.len() {
            self.html.truncate(mark.offset);
        }
    }

    /// Puts HTML in at a mark.
    pub(super) fn insert(&mut self, mark: Mark, html: &str) {
        if mark.piece == self.pieces.len() {
            self.html.insert_str(mark.offset, html);
            return;
        }
        match &mut self.pieces[mark.piece] {
            Piece::Html(text) if mark.offset <= text.len() => text.insert_str(mark.offset, html),
            _ => {
                let piece = Piece::Html(html.to_owned());
                self.pieces.insert(mark.piece, piece);
            }
        }
    }
}
