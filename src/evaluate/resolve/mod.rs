//! Formulas into terms: every name is looked up.
//!
//! Input: a [`Formula`] and a [`Scope`]. Output: [`Resolved`]: the term, its cells, and the operands
//! for the reader. Invariant: a name that is unknown, ambiguous, empty or no number is a fault at
//! its place in the formula, with the nearest name that would do.

mod cells;
mod simulated;

use super::fact::Operand;
use super::formula::{Fault, Formula, Function, Index, Name, Operator, Part};
pub(super) use cells::cell_interval;

use super::interval::Interval;
use super::lookup::Lookup;
use super::term::{Budget, Term};
use crate::model::dataset::{Capture, Row};
use crate::model::entry::Entry;
use crate::model::number::Exact;
use std::collections::BTreeMap;
use std::ops::Range;

/// Where names are looked up.
#[derive(Clone, Copy)]
pub(super) enum Scope<'a> {
    /// A claim: the captures and matrices of its entry, and simulations.
    Claim(&'a Entry, &'a dyn Lookup),
    /// A derived column: the columns of the row, and the constants of the capture.
    Row(&'a Capture, &'a Row),
}

/// A formula that can be evaluated.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) term: Term,
    /// The cells' values as written.
    pub(super) written: Vec<Interval>,
    /// What the cells stand for.
    pub(super) intervals: Vec<Interval>,
    pub(super) operands: Vec<Operand>,
}

/// Looks up every name of a formula. `text` is the formula as written.
pub(super) fn resolve(
    formula: &Formula,
    text: &str,
    scope: Scope<'_>,
    budget: &Budget,
) -> Result<Resolved, Fault> {
    let mut resolver = Resolver {
        scope,
        text,
        budget,
        known: BTreeMap::new(),
        written: Vec::new(),
        intervals: Vec::new(),
        operands: Vec::new(),
    };
    let term = resolver.term(formula)?;
    Ok(Resolved {
        term,
        written: resolver.written,
        intervals: resolver.intervals,
        operands: resolver.operands,
    })
}

struct Resolver<'a> {
    scope: Scope<'a>,
    text: &'a str,
    budget: &'a Budget,
    /// The number of each cell that was read, by capture, row and column.
    known: BTreeMap<(usize, usize, usize), usize>,
    written: Vec<Interval>,
    intervals: Vec<Interval>,
    operands: Vec<Operand>,
}

impl Resolver<'_> {
    fn term(&mut self, formula: &Formula) -> Result<Term, Fault> {
        match &formula.part {
            Part::Number(value) => Ok(Term::Exact(value.clone())),
            Part::Negate(inner) => Ok(Term::Negate(Box::new(self.term(inner)?))),
            Part::Binary(operator, left, right) => {
                let place = right.range.clone();
                let (left, right) = (self.term(left)?, Box::new(self.term(right)?));
                Ok(match operator {
                    Operator::Plus => Term::Sum(vec![left, *right]),
                    Operator::Minus => Term::Sum(vec![left, Term::Negate(right)]),
                    Operator::Times => Term::Product(Box::new(left), right),
                    Operator::Over => Term::Quotient(Box::new(left), right, place),
                })
            }
            Part::Call(function, arguments) => self.call(*function, arguments, &formula.range),
            Part::Path(names) => self.path(names, &formula.range),
            Part::Model(model, settings, result) => {
                self.model(model, settings, result, &formula.range)
            }
            Part::Cells(matrix, Index::At(row, row_at), Index::At(column, column_at)) => {
                self.matrix_cell(matrix, (*row, row_at), (*column, column_at), &formula.range)
            }
            Part::Cells(..) => Err(several(&formula.range)),
        }
    }

    fn path(&mut self, names: &[Name], range: &Range<usize>) -> Result<Term, Fault> {
        if names.iter().any(|name| name.text == "*") {
            return Err(several(range));
        }
        match self.scope {
            Scope::Row(capture, row) => self.row_name(capture, row, names, range),
            Scope::Claim(entry, lookup) => {
                let Some((index, capture)) = cells::capture(entry, &names[0]) else {
                    return self.preset(entry, lookup, names, range);
                };
                if capture.columns.is_empty() {
                    // Its file or its table could not be read, which was reported.
                    return Err(Fault::reported(range.clone()));
                }
                match names {
                    [_, constant] => self.constant(capture, constant, range),
                    [_, row, column] => self.cell(index, capture, row, column),
                    _ => Err(cells::shape(capture, names, range)),
                }
            }
        }
    }

    fn call(
        &mut self,
        function: Function,
        arguments: &[Formula],
        range: &Range<usize>,
    ) -> Result<Term, Fault> {
        match function {
            Function::Dot => return self.dot(arguments, range),
            Function::Round => return self.round(arguments, range),
            Function::Abs => {
                let [argument] = arguments else {
                    return Err(Fault::new(range.clone(), "`abs` takes one value"));
                };
                return Ok(Term::Absolute(Box::new(self.term(argument)?)));
            }
            _ => {}
        }
        let mut terms = Vec::new();
        for argument in arguments {
            match &argument.part {
                Part::Path(names) if names.iter().any(|name| name.text == "*") => {
                    terms.extend(self.column(function, names, &argument.range)?);
                }
                Part::Cells(matrix, row, column) if *row == Index::All || *column == Index::All => {
                    terms.extend(self.slice(matrix, row, column, &argument.range)?);
                }
                _ => terms.push(self.term(argument)?),
            }
        }
        if terms.is_empty() {
            return Err(Fault::new(
                range.clone(),
                format!("`{}` has no values", function.name()),
            )
            .help("Give it a column, `capture.*.column`, or values separated by commas."));
        }
        let count = Exact::whole(i128::try_from(terms.len()).unwrap_or(i128::MAX));
        Ok(match function {
            Function::Max => Term::Largest(terms),
            Function::Min => Term::Smallest(terms),
            Function::Count => Term::Exact(count),
            Function::Mean => Term::Quotient(
                Box::new(Term::Sum(terms)),
                Box::new(Term::Exact(count)),
                range.clone(),
            ),
            _ => Term::Sum(terms),
        })
    }

    /// `round(x)` or `round(x, 2)`.
    fn round(&mut self, arguments: &[Formula], range: &Range<usize>) -> Result<Term, Fault> {
        let (value, places) = match arguments {
            [value] => (value, Some(0)),
            [value, places] => {
                let places = match &places.part {
                    Part::Number(number) => number.to_whole(),
                    _ => None,
                };
                (value, places)
            }
            _ => return Err(Fault::new(range.clone(), "`round` takes one value")),
        };
        let places = places
            .and_then(|places| i32::try_from(places).ok())
            .filter(|places| (0..=30).contains(places))
            .ok_or_else(|| {
                Fault::new(
                    range.clone(),
                    "`round` takes the digits after the point as a number",
                )
                .help("Write `round(x, 2)` with a whole number from 0 to 30.")
            })?;
        Ok(Term::Rounded(Box::new(self.term(value)?), places))
    }
}

/// Several values stand where one is wanted.
fn several(range: &Range<usize>) -> Fault {
    Fault::new(
        range.clone(),
        "`*` stands for several values, and one is wanted here",
    )
    .help("Put it into max, min, sum, mean or count: `max(capture.*.column)`.")
}
