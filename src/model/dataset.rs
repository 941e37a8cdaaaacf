//! Captures: measured tables with their provenance.
//!
//! Cells and constants keep the characters they were written with.

use super::claim::ShortText;
use super::date::Date;
use super::slug::Slug;
use crate::source::{FileId, Span, Spanned};

/// Whether a column's cells are counts and settings, or rounded measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exactness {
    /// A count or a setting: the number itself.
    Exact,
    /// A measurement: it stands for the interval that rounds to it.
    Rounded,
}

/// Where and how a table was measured. An absent value has been reported if it is required.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The device's name.
    pub device: Option<Spanned<String>>,
    /// Compute capability, such as `7.5`.
    pub compute_capability: Option<Spanned<String>>,
    /// Driver version.
    pub driver: Option<Spanned<String>>,
    /// Toolkit version.
    pub toolkit: Option<Spanned<String>>,
    /// The build command.
    pub build: Option<Spanned<String>>,
    /// The day of the capture.
    pub captured: Option<Spanned<Date>>,
    /// Path of the program that measured, in its repository.
    pub program: Option<Spanned<String>>,
    /// SHA-256 of that program, in hexadecimal.
    pub program_sha256: Option<Spanned<String>>,
}

/// Whether a column stands in the table on the page. Formulas and downloads have every column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// It does.
    Shown,
    /// It does not: `show` names others.
    DataOnly,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name, as formulas use it.
    pub name: Spanned<String>,
    /// Its heading, if it is not the name.
    pub title: Option<Spanned<String>>,
    /// Its unit.
    pub unit: Option<Spanned<String>>,
    /// Whether it stands in the table on the page.
    pub visibility: Visibility,
    /// Whether its cells are exact.
    pub exactness: Exactness,
    /// The formula that every row's cell must agree with.
    pub derived: Option<Spanned<String>>,
}

/// A row. `cells` has one cell for each column; the first cell names the row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The whole row.
    pub span: Span,
    /// Cells, as written.
    pub cells: Vec<Spanned<String>>,
}

impl Row {
    /// The row's name: its first cell.
    pub fn label(&self) -> &str {
        self.cells.first().map_or("", |cell| cell.value.as_str())
    }
}

/// A measured table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// Its name in the entry.
    pub name: Spanned<Slug>,
    /// The whole block in the entry.
    pub span: Span,
    /// The file it was read from, if not from the entry itself.
    pub file: Option<FileId>,
    /// Where and how it was measured.
    pub provenance: Provenance,
    /// Named exact values.
    pub constants: Vec<(Spanned<String>, Spanned<String>)>,
    /// Columns; none if the table could not be read, which was reported.
    pub columns: Vec<Column>,
    /// The rows shown and usable in formulas.
    pub rows: Vec<Row>,
    /// The column that is plotted beside the table.
    pub plot: Option<Spanned<String>>,
    /// Caption.
    pub caption: Option<ShortText>,
    /// A note below the table.
    pub note: Option<ShortText>,
}

impl Capture {
    /// The position of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns
            .iter()
            .position(|column| column.name.value == name)
    }

    /// The row with this label.
    pub fn row(&self, label: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.label() == label)
    }

    /// The id of a row on the page: `t4-ilp4-b1`; by its number where the label is no id.
    pub fn row_anchor(&self, index: usize) -> String {
        let label = self.rows.get(index).map_or("", Row::label);
        if Slug::new(label).is_some() {
            format!("{}-{label}", self.name.value)
        } else {
            format!("{}-row-{}", self.name.value, index + 1)
        }
    }

    /// The value of a constant, as written.
    pub fn constant(&self, name: &str) -> Option<&Spanned<String>> {
        self.constants
            .iter()
            .find(|(constant, _)| constant.value == name)
            .map(|(_, value)| value)
    }
}
