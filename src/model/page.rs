//! Plain pages, without a byline.

use super::document::Document;
use super::slug::Slug;
use crate::source::{Digest, FileId, Span, Spanned};

/// A plain page of `content/pages`, or the text of the home page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// Its id; `None` for the home page.
    pub id: Option<Slug>,
    /// Its file.
    pub file: FileId,
    /// Its title; the home page may have none of its own.
    pub title: Option<Spanned<String>>,
    /// One sentence about it.
    pub description: Option<Spanned<String>>,
    /// The front matter; empty where there is none.
    pub front: Span,
    /// The body.
    pub body: Document,
    /// Digest of the file's text.
    pub digest: Digest,
}

impl Page {
    /// Its address in the release: empty for the home page, else `ID/`.
    pub fn address(&self) -> String {
        self.id
            .as_ref()
            .map_or_else(String::new, |id| format!("{id}/"))
    }
}
