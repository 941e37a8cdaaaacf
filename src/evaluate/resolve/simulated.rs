//! Names of models, presets and matrices.

use super::super::fact::{Operand, Origin};
use super::super::formula::{Fault, Formula, Index, Name, Part};
use super::super::lookup::{Asked, Lookup, LookupError};
use super::super::term::Term;
use super::cells::unknown;
use super::{Resolver, Scope};
use crate::diagnostic::nearest;
use crate::model::entry::Entry;
use crate::model::figure::Matrix;
use crate::model::number::{Decimal, Exact};
use std::ops::Range;

impl<'a> Resolver<'a> {
    /// `two-ways-to-64.many.loads_in_flight`; also where every name that is no capture ends.
    pub(super) fn preset(
        &mut self,
        entry: &Entry,
        lookup: &dyn Lookup,
        names: &[Name],
        range: &Range<usize>,
    ) -> Result<Term, Fault> {
        let presets = lookup.preset_names();
        let [preset, configuration, rest @ ..] = names else {
            return Err(unknown_name(entry, &presets, &names[0]));
        };
        if !presets.contains(&preset.text) {
            return Err(unknown_name(entry, &presets, preset));
        }
        let (Some(first), Some(last)) = (rest.first(), rest.last()) else {
            return Err(
                Fault::new(range.clone(), "a total of the preset is missing")
                    .help("Write `preset.configuration.total`."),
            );
        };
        let total = Name {
            text: self.text[first.range.start..last.range.end].to_owned(),
            range: first.range.start..last.range.end,
        };
        let value = lookup
            .preset_total(&preset.text, &configuration.text, &total.text)
            .map_err(|error| {
                let place = |asked| match asked {
                    Asked::Name | Asked::Setting(_) => preset,
                    Asked::Configuration => configuration,
                    Asked::Result => &total,
                };
                fault(error, place, range)
            })?;
        self.simulated(range, &value, Origin::Preset(preset.text.clone()));
        Ok(Term::Exact(value))
    }

    /// `loom(residents: 4, latency: 12).cycles`.
    pub(super) fn model(
        &mut self,
        model: &Name,
        settings: &[(Name, Exact)],
        result: &Name,
        range: &Range<usize>,
    ) -> Result<Term, Fault> {
        let Scope::Claim(entry, lookup) = self.scope else {
            return Err(Fault::new(
                range.clone(),
                "a derived column reads its own row only",
            ));
        };
        let models = entry.models.iter().map(|model| model.name.value.as_str());
        if !models.clone().any(|name| name == model.text) {
            let message = format!("there is no model `{}`", model.text);
            return Err(unknown(model, message, models, "Models"));
        }
        let given: Vec<_> = settings
            .iter()
            .map(|(name, value)| (name.text.clone(), value.clone()))
            .collect();
        let value = lookup
            .model_result(&model.text, &given, &result.text)
            .map_err(|error| {
                let place = |asked| match asked {
                    Asked::Name | Asked::Configuration => model,
                    Asked::Setting(index) => settings.get(index).map_or(model, |(name, _)| name),
                    Asked::Result => result,
                };
                fault(error, place, range)
            })?;
        self.simulated(range, &value, Origin::Model(model.text.clone()));
        Ok(Term::Exact(value))
    }

    fn simulated(&mut self, range: &Range<usize>, value: &Exact, origin: Origin) {
        let text = self.text;
        self.operand(|| Operand {
            path: text[range.clone()].to_owned(),
            text: value.to_string(),
            unit: None,
            origin,
            span: None,
        });
    }

    /// `a[0,2]`.
    pub(super) fn matrix_cell(
        &mut self,
        matrix: &Name,
        row: (usize, &Range<usize>),
        column: (usize, &Range<usize>),
        range: &Range<usize>,
    ) -> Result<Term, Fault> {
        let found = self.matrix(matrix)?;
        check_index(found.height(), row, matrix, "row")?;
        check_index(found.width(), column, matrix, "column")?;
        let (value, text) = value(found, (row.0, column.0), range)?;
        self.cells_operand(found, text, range);
        Ok(Term::Exact(value))
    }

    /// `a[0,*]`, `b[*,2]` or `a[*,*]`, by rows.
    pub(super) fn slice(
        &mut self,
        matrix: &Name,
        row: &Index,
        column: &Index,
        range: &Range<usize>,
    ) -> Result<Vec<Term>, Fault> {
        let values = self.slice_values(matrix, row, column, range)?;
        Ok(values.into_iter().map(Term::Exact).collect())
    }

    fn slice_values(
        &mut self,
        matrix: &Name,
        row: &Index,
        column: &Index,
        range: &Range<usize>,
    ) -> Result<Vec<Exact>, Fault> {
        let found = self.matrix(matrix)?;
        let rows = indexes(found.height(), row, matrix, "row")?;
        let columns = indexes(found.width(), column, matrix, "column")?;
        let mut values = Vec::new();
        let mut texts = Vec::new();
        for row in rows {
            for column in columns.clone() {
                let (value, text) = value(found, (row, column), range)?;
                values.push(value);
                texts.push(text);
            }
        }
        self.cells_operand(found, texts.join(" "), range);
        Ok(values)
    }

    /// `dot(a[0,*], b[*,2])`.
    pub(super) fn dot(
        &mut self,
        arguments: &[Formula],
        range: &Range<usize>,
    ) -> Result<Term, Fault> {
        let mut sides = Vec::new();
        for argument in arguments {
            let Part::Cells(matrix, row, column) = &argument.part else {
                return Err(dot_shape(argument.range.clone()));
            };
            sides.push(self.slice_values(matrix, row, column, &argument.range)?);
        }
        let [left, right] = sides.as_slice() else {
            return Err(dot_shape(range.clone()));
        };
        if left.len() != right.len() {
            return Err(Fault::new(
                range.clone(),
                format!(
                    "`dot` has {} values on the left and {} on the right",
                    left.len(),
                    right.len()
                ),
            )
            .help("A row and a column of the same length are wanted."));
        }
        let products = left.iter().zip(right).map(|(left, right)| {
            let [left, right] = [left, right].map(|value| Box::new(Term::Exact(value.clone())));
            Term::Product(left, right)
        });
        Ok(Term::Sum(products.collect()))
    }

    fn matrix(&self, name: &Name) -> Result<&'a Matrix, Fault> {
        let Scope::Claim(entry, _) = self.scope else {
            return Err(Fault::new(
                name.range.clone(),
                "a derived column reads its own row only",
            ));
        };
        let found = entry
            .matrices
            .iter()
            .find(|matrix| matrix.name.value.as_str() == name.text);
        if found.is_some_and(Matrix::is_faulty) {
            return Err(Fault::reported(name.range.clone()));
        }
        found.ok_or_else(|| {
            let known = entry
                .matrices
                .iter()
                .map(|matrix| matrix.name.value.as_str());
            let message = format!("there is no matrix `{}`", name.text);
            unknown(name, message, known, "Matrices")
        })
    }

    fn cells_operand(&mut self, matrix: &Matrix, text: String, range: &Range<usize>) {
        let formula = self.text;
        self.operand(|| Operand {
            path: formula[range.clone()].to_owned(),
            text,
            unit: None,
            origin: Origin::Matrix(matrix.name.value.to_string()),
            span: Some(matrix.span),
        });
    }
}

fn dot_shape(range: Range<usize>) -> Fault {
    Fault::new(range, "`dot` takes a row and a column of matrices")
        .help("Write `dot(a[0,*], b[*,2])`.")
}

/// The number in a cell, and the cell as written.
fn value(
    matrix: &Matrix,
    (row, column): (usize, usize),
    range: &Range<usize>,
) -> Result<(Exact, String), Fault> {
    let text = matrix
        .cell(row, column)
        .map_or("", |cell| cell.value.as_str());
    match Decimal::parse(text) {
        Ok(number) => Ok((number.value, text.to_owned())),
        Err(error) => Err(Fault::new(
            range.clone(),
            format!("the cell holds `{text}`, which {}", error.words()),
        )),
    }
}

fn check_index(
    count: usize,
    (index, place): (usize, &Range<usize>),
    matrix: &Name,
    what: &str,
) -> Result<(), Fault> {
    if index < count {
        return Ok(());
    }
    Err(Fault::new(
        place.clone(),
        format!("`{}` has no {what} {index}", matrix.text),
    )
    .help(format!(
        "Its {what}s count from 0 to {}.",
        count.saturating_sub(1)
    )))
}

fn indexes(count: usize, index: &Index, matrix: &Name, what: &str) -> Result<Range<usize>, Fault> {
    match index {
        Index::All => Ok(0..count),
        Index::At(at, place) => {
            check_index(count, (*at, place), matrix, what)?;
            Ok(*at..at + 1)
        }
    }
}

/// A name that is neither a capture nor a preset.
fn unknown_name(entry: &Entry, presets: &[String], name: &Name) -> Fault {
    let text = &name.text;
    let model = entry
        .models
        .iter()
        .any(|model| model.name.value.as_str() == text);
    if model {
        return Fault::new(name.range.clone(), format!("`{text}` is a model")).help(format!(
            "Give its settings and a result: `{text}(residents: 4).cycles`."
        ));
    }
    if entry
        .matrices
        .iter()
        .any(|matrix| matrix.name.value.as_str() == text)
    {
        return Fault::new(name.range.clone(), format!("`{text}` is a matrix"))
            .help(format!("Name one cell: `{text}[0,2]`."));
    }
    let captures = entry
        .measured
        .iter()
        .map(|capture| capture.name.value.as_str());
    let known = captures.chain(presets.iter().map(String::as_str));
    let message = format!("nothing is called `{text}` here");
    unknown(name, message, known, "Captures and presets")
}

/// A lookup's error at the part of the formula that it is about.
fn fault<'n>(error: LookupError, place: impl Fn(Asked) -> &'n Name, range: &Range<usize>) -> Fault {
    match error {
        LookupError::Wrong {
            asked,
            message,
            known,
        } => {
            let name = place(asked);
            let fault = Fault::new(name.range.clone(), message);
            let near = nearest(&name.text, known.iter().map(String::as_str));
            match near {
                Some(near) => fault.instead(near),
                None if known.is_empty() => fault,
                None => fault.help(format!(
                    "Known here: {}",
                    known[..known.len().min(12)].join(", ")
                )),
            }
        }
        LookupError::Reported => Fault::reported(range.clone()),
    }
}
