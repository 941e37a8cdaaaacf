//! Formulas with their names looked up: arithmetic over numbered cells.
//!
//! Job: evaluate a formula for given intervals of its cells. Output: an [`Interval`] that holds
//! every value the formula can take; where each cell occurs once, no other. Invariant: the work of
//! a site's formulas is bounded by a [`Budget`].

use super::interval::Interval;
use crate::model::number::{Exact, NumberError};
use std::cell::Cell;
use std::ops::Range;

/// The steps that are left for the formulas of an entry.
#[derive(Debug)]
pub(super) struct Budget(Cell<u32>);

impl Budget {
    /// Enough for every cell of the largest capture, and for tens of thousands of claims.
    pub(super) const ENTRY: u32 = 10_000_000;

    pub(super) fn new(steps: u32) -> Self {
        Self(Cell::new(steps))
    }

    pub(super) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }

    /// Takes one step, if one is left.
    pub(super) fn spend(&self) -> Result<(), NumberError> {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        if left == 0 {
            return Err(NumberError::TooLarge);
        }
        Ok(())
    }
}

/// Why a formula has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NoValue {
    pub(super) error: NumberError,
    /// The divisor, if it is one that may be zero.
    pub(super) divisor: Option<Range<usize>>,
}

impl From<NumberError> for NoValue {
    fn from(error: NumberError) -> Self {
        Self {
            error,
            divisor: None,
        }
    }
}

/// A formula over cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Term {
    Exact(Exact),
    /// The cell of this number.
    Cell(usize),
    Negate(Box<Term>),
    Sum(Vec<Term>),
    Product(Box<Term>, Box<Term>),
    /// Dividend, divisor, and the place of the divisor in the formula.
    Quotient(Box<Term>, Box<Term>, Range<usize>),
    Largest(Vec<Term>),
    Smallest(Vec<Term>),
    Absolute(Box<Term>),
    /// Rounded to this many digits after the point.
    Rounded(Box<Term>, i32),
}

/// What a term is evaluated with: an interval for each cell.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub(super) cells: &'a [Interval],
    pub(super) budget: &'a Budget,
}

impl Term {
    /// An interval that holds every value of the term, each occurrence of a cell taken as a cell
    /// of its own.
    pub(super) fn interval(&self, values: Values<'_>) -> Result<Interval, NoValue> {
        values.budget.spend()?;
        match self {
            Self::Exact(value) => Ok(Interval::exact(value.clone())),
            Self::Cell(cell) => Ok(values
                .cells
                .get(*cell)
                .cloned()
                .unwrap_or_else(|| Interval::exact(Exact::whole(0)))),
            Self::Negate(inner) => Ok(inner.interval(values)?.negate()),
            Self::Sum(terms) => fold(terms, values, Interval::plus),
            Self::Product(left, right) => {
                Ok(left.interval(values)?.times(&right.interval(values)?)?)
            }
            Self::Quotient(left, right, place) => {
                let divisor = right.interval(values)?;
                left.interval(values)?
                    .over(&divisor)
                    .map_err(|error| NoValue {
                        error,
                        divisor: (error == NumberError::DivisionByZero).then(|| place.clone()),
                    })
            }
            Self::Largest(terms) => fold(terms, values, |a, b| Ok(a.larger(b))),
            Self::Smallest(terms) => fold(terms, values, |a, b| Ok(a.smaller(b))),
            Self::Absolute(inner) => Ok(inner.interval(values)?.abs()),
            Self::Rounded(inner, places) => Ok(inner.interval(values)?.round(*places)),
        }
    }

    /// The terms directly inside this one.
    pub(super) fn inner(&self) -> Vec<&Self> {
        match self {
            Self::Exact(_) | Self::Cell(_) => Vec::new(),
            Self::Negate(inner) | Self::Absolute(inner) | Self::Rounded(inner, _) => vec![inner],
            Self::Product(left, right) | Self::Quotient(left, right, _) => vec![left, right],
            Self::Sum(terms) | Self::Largest(terms) | Self::Smallest(terms) => {
                terms.iter().collect()
            }
        }
    }

    /// Counts how often each cell occurs.
    pub(super) fn count_cells(&self, counts: &mut [u32]) {
        if let Self::Cell(cell) = self
            && let Some(count) = counts.get_mut(*cell)
        {
            *count += 1;
        }
        for inner in self.inner() {
            inner.count_cells(counts);
        }
    }
}

fn fold(
    terms: &[Term],
    values: Values<'_>,
    join: impl Fn(&Interval, &Interval) -> Result<Interval, NumberError>,
) -> Result<Interval, NoValue> {
    let mut total: Option<Interval> = None;
    for term in terms {
        let next = term.interval(values)?;
        total = Some(match total {
            Some(total) => join(&total, &next)?,
            None => next,
        });
    }
    Ok(total.unwrap_or_else(|| Interval::exact(Exact::whole(0))))
}
