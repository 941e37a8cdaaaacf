//! Diagrams, models and matrices, as an entry declares them.

use super::claim::ShortText;
use super::slug::Slug;
use super::tree::Node;
use crate::source::{FileId, Span, Spanned};

/// A diagram of an entry: a preset shown under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    /// Its name in the entry.
    pub name: Spanned<Slug>,
    /// The whole block.
    pub span: Span,
    /// The preset's name, as written.
    pub preset: Option<Spanned<String>>,
    /// Alternative text.
    pub alt: Option<ShortText>,
    /// Caption.
    pub caption: Option<ShortText>,
    /// Configurations tied to measured rows: `many: t4.tlp1`.
    pub rows: Vec<(Spanned<String>, Spanned<String>)>,
}

/// A model of an entry: a simulated machine with the values it offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// Its name in the entry.
    pub name: Spanned<Slug>,
    /// The whole block.
    pub span: Span,
    /// What machine it is, as written.
    pub kind: Option<Spanned<String>>,
    /// Alternative text.
    pub alt: Option<ShortText>,
    /// Caption.
    pub caption: Option<ShortText>,
    /// Everything else: the parameters, which the simulation reads by its kind.
    pub settings: Node,
}

/// What a matrix shows marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Highlight {
    /// A row, from 0.
    Row(usize),
    /// A column, from 0.
    Column(usize),
}

/// A matrix of an entry. `rows` are all of one length, at least one by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    /// Its name in the entry.
    pub name: Spanned<Slug>,
    /// The whole block.
    pub span: Span,
    /// Cells as written: row, then column.
    pub rows: Vec<Vec<Spanned<String>>>,
    /// How many times the written columns repeat across the matrix; at least 1.
    pub repeat_columns: usize,
    /// The marked row or column.
    pub highlight: Option<Highlight>,
    /// Caption.
    pub caption: Option<ShortText>,
}

impl Matrix {
    /// Whether its cells could not be read, which has been reported.
    pub fn is_faulty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Number of columns, repeats counted.
    pub fn width(&self) -> usize {
        self.rows.first().map_or(0, Vec::len) * self.repeat_columns
    }

    /// The cell at `row`, `column` (from 0), repeats unfolded.
    pub fn cell(&self, row: usize, column: usize) -> Option<&Spanned<String>> {
        let cells = self.rows.get(row)?;
        (column < self.width()).then(|| &cells[column % cells.len()])
    }
}

/// A preset file: data for one kind of diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset {
    /// Its name: the file's name without `.toml`.
    pub name: Slug,
    /// Its file.
    pub file: FileId,
    /// What is drawn, as written.
    pub kind: Option<Spanned<String>>,
    /// Title of the drawing.
    pub title: Option<Spanned<String>>,
    /// The whole file, which the simulation reads by its kind.
    pub settings: Node,
}
