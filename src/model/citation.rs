//! Cited documents.

use super::byline::DateField;
use crate::source::{Span, Spanned};

/// One document that an entry cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The whole item.
    pub span: Span,
    /// Its id in the entry: `[^id]` cites it.
    pub id: Spanned<String>,
    /// Title of the document.
    pub title: Spanned<String>,
    /// The sections that were read.
    pub sections: Vec<Spanned<String>>,
    /// What it supports.
    pub supports: Option<Spanned<String>>,
    /// Its address.
    pub url: Option<Spanned<String>>,
    /// When it was last opened and compared.
    pub checked: DateField,
}
