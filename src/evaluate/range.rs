//! The range of a formula over the intervals of its cells.
//!
//! A cell that occurs twice is one measurement: `x / x` is 1, however roughly x was measured.
//! So plain interval arithmetic, which takes each occurrence for itself, is used only for cells
//! that occur once, where its result is exact. For the others, three ways are tried in turn:
//!
//! 1. What cannot matter is removed: arguments of `max` that never win, `x - x`, `x / x`.
//! 2. Where the formula rises or falls throughout in each repeated cell (in particular where it is
//!    a quotient of two expressions that are linear in that cell), its extremes lie at ends of their
//!    intervals: it is evaluated at every combination of ends. The result is exact.
//! 3. Else the intervals of the repeated cells are cut into pieces, and the results joined. The
//!    result holds every value, and may be slightly too wide: never too narrow.

use super::interval::Interval;
use super::term::{Budget, NoValue, Term, Values};
use crate::model::number::{Exact, NumberError};

/// Most repeated cells whose ends are all combined.
const CORNER_CELLS_MAX: usize = 6;

/// The range of `term`, and whether a division by zero may lie in it (then an error).
pub(super) fn range(term: &Term, cells: &[Interval], budget: &Budget) -> Result<Interval, NoValue> {
    let values = Values { cells, budget };
    let term = simplify(term, values);
    check_divisors(&term, values)?;
    repeated_range(&term, values)
}

/// Removes what cannot change the value.
fn simplify(term: &Term, values: Values<'_>) -> Term {
    let boxed = |inner: &Term| Box::new(simplify(inner, values));
    let all = |terms: &[Term]| terms.iter().map(|term| simplify(term, values)).collect();
    match term {
        Term::Exact(_) | Term::Cell(_) => term.clone(),
        Term::Negate(inner) => Term::Negate(boxed(inner)),
        Term::Sum(terms) => {
            let terms: Vec<_> = all(terms);
            if let [left, Term::Negate(right)] = terms.as_slice()
                && left == &**right
            {
                return Term::Exact(Exact::whole(0));
            }
            Term::Sum(terms)
        }
        Term::Product(left, right) => Term::Product(boxed(left), boxed(right)),
        Term::Quotient(left, right, place) => {
            let (left, right) = (boxed(left), boxed(right));
            let sound = || matches!(right.interval(values), Ok(range) if !range.touches_zero());
            if left == right && sound() {
                return Term::Exact(Exact::whole(1));
            }
            Term::Quotient(left, right, place.clone())
        }
        Term::Largest(terms) => winners(all(terms), values, Term::Largest, |range| range),
        Term::Smallest(terms) => {
            winners(all(terms), values, Term::Smallest, |range| range.negate())
        }
        Term::Absolute(inner) => {
            let inner = boxed(inner);
            match inner.interval(values) {
                Ok(range) if range.is_positive() => *inner,
                Ok(range) if range.negate().is_positive() => Term::Negate(inner),
                _ => Term::Absolute(inner),
            }
        }
        Term::Rounded(inner, places) => Term::Rounded(boxed(inner), *places),
    }
}

/// The arguments that may be the largest, as seen through `view`.
fn winners(
    terms: Vec<Term>,
    values: Values<'_>,
    whole: impl Fn(Vec<Term>) -> Term,
    view: impl Fn(Interval) -> Interval,
) -> Term {
    let ranges: Result<Vec<_>, _> = terms.iter().map(|term| term.interval(values)).collect();
    let Ok(ranges) = ranges else {
        return whole(terms);
    };
    let ranges: Vec<_> = ranges.into_iter().map(view).collect();
    let floor = ranges.iter().map(|range| &range.low.value).max();
    let mut kept: Vec<_> = terms
        .into_iter()
        .zip(&ranges)
        .filter(|(_, range)| floor.is_none_or(|floor| range.high.value >= *floor))
        .map(|(term, _)| term)
        .collect();
    kept.dedup();
    match kept.pop() {
        Some(only) if kept.is_empty() => only,
        Some(last) => {
            kept.push(last);
            whole(kept)
        }
        None => whole(kept),
    }
}

/// No divisor may be zero anywhere in the intervals.
fn check_divisors(term: &Term, values: Values<'_>) -> Result<(), NoValue> {
    for inner in term.inner() {
        check_divisors(inner, values)?;
    }
    if let Term::Quotient(_, divisor, place) = term
        && repeated_range(divisor, values)?.touches_zero()
    {
        return Err(NoValue {
            error: NumberError::DivisionByZero,
            divisor: Some(place.clone()),
        });
    }
    Ok(())
}

fn repeated_range(term: &Term, values: Values<'_>) -> Result<Interval, NoValue> {
    let mut counts = vec![0; values.cells.len()];
    term.count_cells(&mut counts);
    let repeated: Vec<usize> = (0..counts.len())
        .filter(|&cell| counts[cell] > 1 && !values.cells[cell].is_exact())
        .collect();
    if repeated.is_empty() {
        return term.interval(values);
    }
    let at_ends = repeated.len() <= CORNER_CELLS_MAX
        && repeated
            .iter()
            .all(|&cell| turns_at_ends(term, cell, values));
    let mut pieces = Vec::with_capacity(repeated.len());
    for &cell in &repeated {
        let interval = &values.cells[cell];
        pieces.push(if at_ends {
            interval.ends().to_vec()
        } else {
            interval.split(piece_count(repeated.len()))?
        });
    }
    join_pieces(term, &repeated, &pieces, values)
}

/// How many pieces each repeated interval is cut into, so that a few hundred combinations arise.
fn piece_count(repeated: usize) -> u32 {
    match repeated {
        1 => 64,
        2 => 16,
        3 => 6,
        4 => 4,
        5 | 6 => 3,
        7 | 8 => 2,
        _ => 1,
    }
}

/// The hull of the term's ranges over every combination of the cells' pieces.
fn join_pieces(
    term: &Term,
    cells: &[usize],
    pieces: &[Vec<Interval>],
    values: Values<'_>,
) -> Result<Interval, NoValue> {
    let mut current = values.cells.to_vec();
    let mut choice = vec![0; cells.len()];
    let mut total: Option<Interval> = None;
    loop {
        for (slot, &cell) in cells.iter().enumerate() {
            current[cell] = pieces[slot][choice[slot]].clone();
        }
        let next = term.interval(Values {
            cells: &current,
            budget: values.budget,
        })?;
        total = Some(match total {
            Some(total) => total.hull(&next),
            None => next,
        });
        let advanced = (0..cells.len()).any(|slot| {
            choice[slot] += 1;
            if choice[slot] < pieces[slot].len() {
                return true;
            }
            choice[slot] = 0;
            false
        });
        if !advanced {
            break;
        }
    }
    total
        .map(Interval::settled)
        .ok_or(NoValue::from(NumberError::TooLarge))
}

/// Whether, with all other cells held, the term takes its extremes at the ends of `cell`.
fn turns_at_ends(term: &Term, cell: usize, values: Values<'_>) -> bool {
    let linear_fraction =
        degrees(term, cell).is_some_and(|(above, below)| above <= 1 && below <= 1);
    linear_fraction || direction(term, cell, values).is_some()
}

/// The degree of the term in `cell`, above and below the line of one fraction; upper bounds.
fn degrees(term: &Term, cell: usize) -> Option<(u32, u32)> {
    match term {
        Term::Exact(_) => Some((0, 0)),
        Term::Cell(other) => Some((u32::from(*other == cell), 0)),
        Term::Negate(inner) => degrees(inner, cell),
        Term::Sum(terms) => terms.iter().try_fold((0, 0), |sum: (u32, u32), term| {
            let next = degrees(term, cell)?;
            let above = sum
                .0
                .saturating_add(next.1)
                .max(next.0.saturating_add(sum.1));
            Some((above, sum.1.saturating_add(next.1)))
        }),
        Term::Product(left, right) => {
            let (left, right) = (degrees(left, cell)?, degrees(right, cell)?);
            Some((
                left.0.saturating_add(right.0),
                left.1.saturating_add(right.1),
            ))
        }
        Term::Quotient(left, right, _) => {
            let (left, right) = (degrees(left, cell)?, degrees(right, cell)?);
            Some((
                left.0.saturating_add(right.1),
                left.1.saturating_add(right.0),
            ))
        }
        Term::Largest(_) | Term::Smallest(_) | Term::Absolute(_) | Term::Rounded(..) => {
            let free = term
                .inner()
                .into_iter()
                .all(|inner| degrees(inner, cell) == Some((0, 0)));
            free.then_some((0, 0))
        }
    }
}

/// How a term moves as a cell grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Still,
    Up,
    Down,
}

impl Direction {
    fn flip(self) -> Self {
        match self {
            Self::Still => Self::Still,
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }

    /// Both movements at once; `None` where they work against each other.
    fn join(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Still, other) => Some(other),
            (one, Self::Still) => Some(one),
            (one, other) => (one == other).then_some(one),
        }
    }

    /// The movement as seen through a factor.
    fn through(self, factor: &Term, values: Values<'_>) -> Option<Self> {
        if self == Self::Still {
            return Some(Self::Still);
        }
        let range = factor.interval(values).ok()?;
        if range.is_positive() {
            Some(self)
        } else if range.negate().is_positive() {
            Some(self.flip())
        } else {
            None
        }
    }
}

/// The direction in which the term moves throughout as `cell` grows; `None` if none is certain.
fn direction(term: &Term, cell: usize, values: Values<'_>) -> Option<Direction> {
    match term {
        Term::Cell(other) if *other == cell => Some(Direction::Up),
        Term::Exact(_) | Term::Cell(_) => Some(Direction::Still),
        Term::Negate(inner) => direction(inner, cell, values).map(Direction::flip),
        Term::Rounded(inner, _) => direction(inner, cell, values),
        Term::Sum(terms) | Term::Largest(terms) | Term::Smallest(terms) => {
            terms.iter().try_fold(Direction::Still, |so_far, term| {
                so_far.join(direction(term, cell, values)?)
            })
        }
        Term::Product(left, right) => {
            let of_left = direction(left, cell, values)?.through(right, values)?;
            let of_right = direction(right, cell, values)?.through(left, values)?;
            of_left.join(of_right)
        }
        Term::Quotient(left, right, _) => {
            let of_left = direction(left, cell, values)?.through(right, values)?;
            let of_right = direction(right, cell, values)?
                .flip()
                .through(left, values)?;
            of_left.join(of_right)
        }
        Term::Absolute(inner) => direction(inner, cell, values)?.through(inner, values),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::number::Decimal;
    use proptest::prelude::*;

    fn cell(index: usize) -> Term {
        Term::Cell(index)
    }

    fn over(left: Term, right: Term) -> Term {
        Term::Quotient(Box::new(left), Box::new(right), 0..0)
    }

    fn times(left: Term, right: Term) -> Term {
        Term::Product(Box::new(left), Box::new(right))
    }

    fn minus(left: Term, right: Term) -> Term {
        Term::Sum(vec![left, Term::Negate(Box::new(right))])
    }

    fn ends(term: &Term, printed: &[&str]) -> (String, String) {
        let cells: Vec<_> = printed
            .iter()
            .map(|text| Interval::printed(&Decimal::parse(text).unwrap()).unwrap())
            .collect();
        let range = range(term, &cells, &Budget::new(100_000)).unwrap();
        (range.low.value.to_string(), range.high.value.to_string())
    }

    fn pair(low: &str, high: &str) -> (String, String) {
        (low.to_owned(), high.to_owned())
    }

    #[test]
    fn a_cell_is_one_measurement() {
        let x = || cell(0);
        let y = || cell(1);
        assert_eq!(ends(&over(x(), x()), &["1.0"]), pair("1", "1"));
        assert_eq!(ends(&minus(x(), x()), &["1.0"]), pair("0", "0"));
        // (x - y) / x = 1 - y / x
        let share = over(minus(x(), y()), x());
        assert_eq!(ends(&share, &["2", "1"]), pair("0", "0.8"));
        // x / (x + y)
        let part = over(x(), Term::Sum(vec![x(), y()]));
        assert_eq!(ends(&part, &["1", "1"]), pair("0.25", "0.75"));
        // x * x rises for x > 0.
        assert_eq!(ends(&times(x(), x()), &["2"]), pair("2.25", "6.25"));
        let best = Term::Largest(vec![x(), y()]);
        assert_eq!(ends(&over(x(), best.clone()), &["9", "2"]), pair("1", "1"));
        assert_eq!(
            ends(&over(y(), best), &["9", "2"]),
            pair("0.157895", "0.294118")
        );
    }

    #[test]
    fn a_turning_point_inside_is_not_missed() {
        // x * x over (-0.5, 0.5) is never below zero by more than the pieces are wide.
        let square = times(cell(0), cell(0));
        let cells = [Interval::printed(&Decimal::parse("0").unwrap()).unwrap()];
        let range = range(&square, &cells, &Budget::new(100_000)).unwrap();
        assert_eq!(range.high.value, Exact::ratio(1, 4).unwrap());
        assert!(range.low.value <= Exact::whole(0));
        assert!(range.low.value >= Exact::ratio(-1, 1000).unwrap());
    }

    #[test]
    fn a_divisor_that_may_be_zero_is_refused() {
        let term = over(cell(0), minus(cell(0), cell(1)));
        let cells =
            ["1.0", "1.05"].map(|text| Interval::printed(&Decimal::parse(text).unwrap()).unwrap());
        let fault = range(&term, &cells, &Budget::new(1000)).unwrap_err();
        assert_eq!(fault.error, NumberError::DivisionByZero);
        let spent = range(&cell(0), &cells, &Budget::new(0)).unwrap_err();
        assert_eq!(spent.error, NumberError::TooLarge);
    }

    fn terms() -> impl Strategy<Value = Term> {
        let leaf = prop_oneof![
            (0_usize..3).prop_map(Term::Cell),
            (-9_i64..9).prop_map(|value| Term::Exact(Exact::whole(value))),
        ];
        leaf.prop_recursive(4, 24, 3, |inner| {
            let list = || prop::collection::vec(inner.clone(), 1..3);
            prop_oneof![
                inner.clone().prop_map(|term| Term::Negate(Box::new(term))),
                inner
                    .clone()
                    .prop_map(|term| Term::Absolute(Box::new(term))),
                list().prop_map(Term::Sum),
                list().prop_map(Term::Largest),
                list().prop_map(Term::Smallest),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| times(a, b)),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| over(a, b)),
            ]
        })
    }

    proptest! {
        /// Whatever the cells are within their intervals, the value lies in the range.
        #[test]
        fn no_value_lies_outside(
            term in terms(),
            printed in prop::collection::vec(-500_i64..500, 3),
            within in prop::collection::vec(-9_i64..10, 3),
        ) {
            let mut cells = Vec::new();
            let mut points = Vec::new();
            for (number, offset) in printed.iter().zip(&within) {
                let value = Exact::ratio(*number, 100).unwrap();
                let decimal = Decimal { value: value.clone(), places: 2 };
                cells.push(Interval::printed(&decimal).unwrap());
                let inside = value.plus(&Exact::ratio(*offset, 2000).unwrap()).unwrap();
                points.push(Interval::exact(inside));
            }
            let budget = Budget::new(10_000_000);
            if let Ok(range) = range(&term, &cells, &budget) {
                let values = Values { cells: &points, budget: &budget };
                let value = term.interval(values).unwrap();
                prop_assert!(value.is_exact());
                prop_assert!(range.meets(&value), "{range:?} misses {value:?}");
            }
        }
    }
}
