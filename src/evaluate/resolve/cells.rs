//! Names of captures: constants, cells and columns.

use super::super::fact::{Operand, Origin};
use super::super::formula::{Fault, Function, Name};
use super::super::interval::Interval;
use super::super::term::Term;
use super::{Resolver, Scope};
use crate::diagnostic::nearest;
use crate::model::dataset::{Capture, Column, Exactness, Row};
use crate::model::entry::Entry;
use crate::model::number::Decimal;
use crate::source::Spanned;
use std::ops::Range;

/// The capture of this name and its position.
pub(super) fn capture<'a>(entry: &'a Entry, name: &Name) -> Option<(usize, &'a Capture)> {
    entry
        .measured
        .iter()
        .enumerate()
        .find(|(_, capture)| capture.name.value.as_str() == name.text)
}

/// A path into a capture has neither two nor three names.
pub(super) fn shape(capture: &Capture, names: &[Name], range: &Range<usize>) -> Fault {
    let name = &capture.name.value;
    let message = if names.len() == 1 {
        format!("`{name}` is a whole table, and one value is wanted here")
    } else {
        "a value of a capture has at most three names".to_owned()
    };
    Fault::new(range.clone(), message)
        .help(format!("Write `{name}.row.column` or `{name}.constant`."))
}

/// A fault that suggests the nearest of some names, or lists them.
pub(super) fn unknown<'n>(
    name: &Name,
    message: String,
    known: impl IntoIterator<Item = &'n str>,
    list: &str,
) -> Fault {
    let known: Vec<_> = known.into_iter().collect();
    let fault = Fault::new(name.range.clone(), message);
    if let Some(near) = nearest(&name.text, known.iter().copied()) {
        return fault.instead(near);
    }
    if let Some((left, right)) = name.text.split_once('-')
        && known.contains(&left.trim())
    {
        return fault.help(format!(
            "If `{left}` minus `{right}` is meant, put spaces around the `-`."
        ));
    }
    if known.is_empty() {
        return fault;
    }
    let more = if known.len() > 12 { " …" } else { "" };
    fault.help(format!(
        "{list}: {}{more}",
        known[..known.len().min(12)].join(", ")
    ))
}

/// What the cell of a column stands for.
pub(in super::super) fn cell_interval(column: &Column, number: &Decimal) -> Interval {
    match column.exactness {
        Exactness::Exact => Interval::exact(number.value.clone()),
        // A number's half unit is far smaller than the largest that is read.
        Exactness::Rounded => {
            Interval::printed(number).unwrap_or_else(|_| Interval::exact(number.value.clone()))
        }
    }
}

impl Resolver<'_> {
    /// A name in a derived column: a column of the row or a constant.
    pub(super) fn row_name(
        &mut self,
        capture: &Capture,
        row: &Row,
        names: &[Name],
        range: &Range<usize>,
    ) -> Result<Term, Fault> {
        let [name] = names else {
            return Err(
                Fault::new(range.clone(), "a derived column reads its own row only")
                    .help("Name a column or a constant of this capture, without points."),
            );
        };
        if let Some(column) = capture.column(&name.text) {
            return self.read((0, 0, column), capture, row, name);
        }
        if capture.constant(&name.text).is_some() {
            return self.constant(capture, name, range);
        }
        let columns = capture
            .columns
            .iter()
            .map(|column| column.name.value.as_str());
        let constants = capture
            .constants
            .iter()
            .map(|(name, _)| name.value.as_str());
        let message = format!("there is no column or constant `{}`", name.text);
        Err(unknown(
            name,
            message,
            columns.chain(constants),
            "Columns and constants",
        ))
    }

    pub(super) fn constant(
        &mut self,
        capture: &Capture,
        name: &Name,
        range: &Range<usize>,
    ) -> Result<Term, Fault> {
        let Some(text) = capture.constant(&name.text) else {
            return Err(unknown_constant(capture, name));
        };
        let path = || self.text[range.clone()].to_owned();
        let number = number(text, path, range)?;
        self.operand(|| Operand {
            path: format!("{}.{}", capture.name.value, name.text),
            text: text.value.clone(),
            unit: None,
            origin: measured(capture, None),
            span: Some(text.span),
        });
        Ok(Term::Exact(number.value))
    }

    pub(super) fn cell(
        &mut self,
        index: usize,
        capture: &Capture,
        row: &Name,
        column: &Name,
    ) -> Result<Term, Fault> {
        let place = column_place(capture, column)?;
        let found = capture
            .rows
            .iter()
            .enumerate()
            .find(|(_, candidate)| candidate.label() == row.text);
        let Some((row_place, found)) = found else {
            let labels = capture.rows.iter().map(Row::label);
            let message = format!("`{}` has no row `{}`", capture.name.value, row.text);
            return Err(unknown(row, message, labels, "Its rows"));
        };
        self.operand(|| {
            let path = cell_path(capture, found, &column.text);
            let anchor = capture.row_anchor(row_place);
            cell_operand(capture, found, place, path, anchor)
        });
        self.read((index, row_place, place), capture, found, column)
    }

    /// Every cell of a column that was measured.
    pub(super) fn column(
        &mut self,
        function: Function,
        names: &[Name],
        range: &Range<usize>,
    ) -> Result<Vec<Term>, Fault> {
        let Scope::Claim(entry, _) = self.scope else {
            return Err(Fault::new(
                range.clone(),
                "a derived column reads its own row only",
            ));
        };
        let [capture_name, row, column] = names else {
            return Err(Fault::new(
                range.clone(),
                "a column is named `capture.*.column`",
            ));
        };
        if row.text != "*" || column.text == "*" || capture_name.text == "*" {
            return Err(
                Fault::new(range.clone(), "`*` stands in the place of a row only")
                    .help("Write `capture.*.column`."),
            );
        }
        let Some((index, capture)) = capture(entry, capture_name) else {
            let known = entry
                .measured
                .iter()
                .map(|capture| capture.name.value.as_str());
            let message = format!("there is no capture `{}`", capture_name.text);
            return Err(unknown(capture_name, message, known, "Captures"));
        };
        if capture.columns.is_empty() {
            return Err(Fault::reported(range.clone()));
        }
        let place = column_place(capture, column)?;
        let mut terms = Vec::new();
        let mut texts: Vec<(Decimal, usize)> = Vec::new();
        for (row_place, row) in capture.rows.iter().enumerate() {
            let Some(cell) = row.cells.get(place).filter(|cell| !cell.value.is_empty()) else {
                continue;
            };
            let number = number(
                cell,
                || cell_path(capture, row, &column.text),
                &column.range,
            )?;
            terms.push(self.read((index, row_place, place), capture, row, column)?);
            texts.push((number, row_place));
        }
        self.column_operand(function, capture, place, &texts);
        Ok(terms)
    }

    /// One operand for a column: the cell that wins, or how many there are.
    fn column_operand(
        &mut self,
        function: Function,
        capture: &Capture,
        place: usize,
        cells: &[(Decimal, usize)],
    ) {
        let value = |cell: &&(Decimal, usize)| cell.0.value.clone();
        let winner = match function {
            Function::Max => cells.iter().rev().max_by_key(value),
            Function::Min => cells.iter().min_by_key(value),
            _ => None,
        };
        let Some(column) = capture.columns.get(place) else {
            return;
        };
        if let Some((_, row_place)) = winner
            && let Some(row) = capture.rows.get(*row_place)
        {
            self.operand(|| {
                let anchor = capture.row_anchor(*row_place);
                let path = cell_path(capture, row, &column.name.value);
                cell_operand(capture, row, place, path, anchor)
            });
            return;
        }
        self.operand(|| Operand {
            path: format!("{}.*.{}", capture.name.value, column.name.value),
            text: match cells.len() {
                1 => "1 value".to_owned(),
                count => format!("{count} values"),
            },
            unit: column.unit.as_ref().map(|unit| unit.value.clone()),
            origin: measured(capture, None),
            span: None,
        });
    }

    /// Reads a cell: one variable of the formula, however often it is named.
    fn read(
        &mut self,
        key: (usize, usize, usize),
        capture: &Capture,
        row: &Row,
        name: &Name,
    ) -> Result<Term, Fault> {
        let (.., place) = key;
        let (Some(column), Some(cell)) = (capture.columns.get(place), row.cells.get(place)) else {
            return Err(Fault::new(name.range.clone(), "this row has no such cell"));
        };
        self.budget
            .spend()
            .map_err(|_| Fault::reported(name.range.clone()))?;
        if let Some(&known) = self.known.get(&key) {
            return Ok(Term::Cell(known));
        }
        let path = || cell_path(capture, row, &column.name.value);
        let number = number(cell, path, &name.range)?;
        let index = self.written.len();
        self.intervals.push(cell_interval(column, &number));
        self.written.push(Interval::exact(number.value));
        self.known.insert(key, index);
        Ok(Term::Cell(index))
    }

    /// Keeps an operand, each path once. Nobody is shown what a derived cell was checked with.
    pub(super) fn operand(&mut self, make: impl FnOnce() -> Operand) {
        if matches!(self.scope, Scope::Row(..)) {
            return;
        }
        let operand = make();
        if !self.operands.iter().any(|known| known.path == operand.path) {
            self.operands.push(operand);
        }
    }
}

fn cell_path(capture: &Capture, row: &Row, column: &str) -> String {
    format!("{}.{}.{column}", capture.name.value, row.label())
}

fn cell_operand(
    capture: &Capture,
    row: &Row,
    place: usize,
    path: String,
    anchor: String,
) -> Operand {
    let cell = row.cells.get(place);
    let column = capture.columns.get(place);
    Operand {
        path,
        text: cell.map_or_else(String::new, |cell| cell.value.clone()),
        unit: column
            .and_then(|column| column.unit.as_ref())
            .map(|unit| unit.value.clone()),
        origin: measured(capture, Some(anchor)),
        span: cell.map(|cell| cell.span),
    }
}

fn measured(capture: &Capture, anchor: Option<String>) -> Origin {
    Origin::Measured {
        capture: capture.name.value.clone(),
        device: capture
            .provenance
            .device
            .as_ref()
            .map(|device| device.value.clone()),
        captured: capture.provenance.captured.as_ref().map(|date| date.value),
        anchor,
    }
}

/// The number that a text of the data is.
/// The number that a cell or constant holds; `path` names it in a finding.
fn number(
    text: &Spanned<String>,
    path: impl Fn() -> String,
    range: &Range<usize>,
) -> Result<Decimal, Fault> {
    if text.value.is_empty() {
        return Err(
            Fault::new(range.clone(), format!("`{}` was not measured", path()))
                .help("Its cell is empty; name another row."),
        );
    }
    Decimal::parse(&text.value).map_err(|error| {
        Fault::new(
            range.clone(),
            format!("`{}` is `{}`, which {}", path(), text.value, error.words()),
        )
    })
}

fn column_place(capture: &Capture, name: &Name) -> Result<usize, Fault> {
    capture.column(&name.text).ok_or_else(|| {
        let known = capture
            .columns
            .iter()
            .map(|column| column.name.value.as_str());
        let message = format!("`{}` has no column `{}`", capture.name.value, name.text);
        unknown(name, message, known, "Its columns")
    })
}

fn unknown_constant(capture: &Capture, name: &Name) -> Fault {
    let table = &capture.name.value;
    if capture.row(&name.text).is_some() {
        return Fault::new(
            name.range.clone(),
            format!(
                "`{table}.{}` is a whole row, and one value is wanted here",
                name.text
            ),
        )
        .help(format!(
            "Name a column too: `{table}.{}.column`.",
            name.text
        ));
    }
    if capture.column(&name.text).is_some() {
        return Fault::new(
            name.range.clone(),
            format!(
                "`{}` is a column of `{table}`, and one value is wanted here",
                name.text
            ),
        )
        .help(format!("Name a row too: `{table}.row.{}`.", name.text));
    }
    let known = capture
        .constants
        .iter()
        .map(|(name, _)| name.value.as_str());
    let message = format!("`{table}` has no constant `{}`", name.text);
    unknown(name, message, known, "Its constants")
}
