//! Intervals of exact numbers, with open and closed ends.
//!
//! Job: say what a rounded measurement may have been, and carry that through arithmetic. Input:
//! [`Decimal`]s. Output: [`Interval`]s. Invariant: `low <= high`; every operation's result holds
//! every value that the operation can take.

use crate::model::number::{Decimal, Exact, Half, NumberError};

/// Whether an interval holds its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edge {
    /// It does.
    Closed,
    /// It holds every value short of it.
    Open,
}

/// An end of an interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// Where the interval ends.
    pub value: Exact,
    /// Whether it holds that value.
    pub edge: Edge,
}

impl End {
    fn new(value: Exact, edge: Edge) -> Self {
        Self { value, edge }
    }

    /// An operation on two ends: it reaches its result only if both are reached.
    fn with(
        &self,
        other: &Self,
        operation: impl Fn(&Exact, &Exact) -> Result<Exact, NumberError>,
    ) -> Result<Self, NumberError> {
        Ok(Self::new(
            operation(&self.value, &other.value)?,
            self.edge.max(other.edge),
        ))
    }

    /// The product; a zero that is reached makes it zero whatever the other end is.
    fn times(&self, other: &Self) -> Result<Self, NumberError> {
        let zero = |end: &Self| end.edge == Edge::Closed && end.value.is_zero();
        if zero(self) || zero(other) {
            return Ok(Self::new(Exact::whole(0), Edge::Closed));
        }
        self.with(other, Exact::times)
    }
}

/// All numbers between two ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    /// The lower end.
    pub low: End,
    /// The upper end.
    pub high: End,
}

impl Interval {
    /// One number alone.
    pub fn exact(value: Exact) -> Self {
        Self {
            low: End::new(value.clone(), Edge::Closed),
            high: End::new(value, Edge::Closed),
        }
    }

    /// Every number that is printed as `decimal`: half a unit of its last digit to either side,
    /// where the end nearer to zero is held, since ties are rounded away from zero.
    pub fn printed(decimal: &Decimal) -> Result<Self, NumberError> {
        let half = Exact::power_of_ten(-decimal.places).over(&Exact::whole(2))?;
        let (low, high) = if decimal.value.is_zero() {
            (Edge::Open, Edge::Open)
        } else if decimal.value.is_negative() {
            (Edge::Open, Edge::Closed)
        } else {
            (Edge::Closed, Edge::Open)
        };
        Ok(Self {
            low: End::new(decimal.value.minus(&half)?, low),
            high: End::new(decimal.value.plus(&half)?, high),
        })
    }

    /// The smallest interval that holds all these ends' values.
    fn spanning(ends: Vec<End>) -> Option<Self> {
        let mut ends = ends.into_iter();
        let first = ends.next()?;
        let mut hull = Self {
            low: first.clone(),
            high: first,
        };
        for end in ends {
            hull.take_low(&end);
            hull.take_high(&end);
        }
        Some(hull)
    }

    fn take_low(&mut self, end: &End) {
        if (&end.value, end.edge) < (&self.low.value, self.low.edge) {
            self.low = end.clone();
        }
    }

    fn take_high(&mut self, end: &End) {
        let closer = end.value == self.high.value && end.edge < self.high.edge;
        if end.value > self.high.value || closer {
            self.high = end.clone();
        }
    }

    /// The interval with its ends held if they are one number: it has a value, so it is that.
    #[must_use]
    pub fn settled(mut self) -> Self {
        if self.is_exact() {
            self.low.edge = Edge::Closed;
            self.high.edge = Edge::Closed;
        }
        self
    }

    /// Whether it is one number alone.
    pub fn is_exact(&self) -> bool {
        self.low.value == self.high.value
    }

    /// Whether zero may be among its values; an end at zero counts even if open, for a quotient
    /// has no bound there.
    pub fn touches_zero(&self) -> bool {
        let zero = Exact::whole(0);
        self.low.value <= zero && self.high.value >= zero
    }

    /// Whether no value is below zero.
    pub fn is_positive(&self) -> bool {
        !self.low.value.is_negative()
    }

    /// Whether some number lies in both.
    pub fn meets(&self, other: &Self) -> bool {
        let reaches = |low: &End, high: &End| {
            low.value < high.value
                || (low.value == high.value && low.edge.max(high.edge) == Edge::Closed)
        };
        reaches(&self.low, &other.high) && reaches(&other.low, &self.high)
    }

    /// The smallest interval that holds both.
    #[must_use]
    pub fn hull(mut self, other: &Self) -> Self {
        self.take_low(&other.low);
        self.take_high(&other.high);
        self
    }

    /// The values with the other sign.
    #[must_use]
    pub fn negate(&self) -> Self {
        let flip = |end: &End| End::new(end.value.negate(), end.edge);
        Self {
            low: flip(&self.high),
            high: flip(&self.low),
        }
    }

    /// Sums of a value of each.
    pub fn plus(&self, other: &Self) -> Result<Self, NumberError> {
        Ok(Self {
            low: self.low.with(&other.low, Exact::plus)?,
            high: self.high.with(&other.high, Exact::plus)?,
        })
    }

    /// Differences of a value of each.
    pub fn minus(&self, other: &Self) -> Result<Self, NumberError> {
        self.plus(&other.negate())
    }

    /// Products of a value of each.
    pub fn times(&self, other: &Self) -> Result<Self, NumberError> {
        if self.is_exact() && other.is_exact() {
            let end = self.low.times(&other.low)?;
            return Ok(Self {
                low: end.clone(),
                high: end,
            });
        }
        let ends = vec![
            self.low.times(&other.low)?,
            self.low.times(&other.high)?,
            self.high.times(&other.low)?,
            self.high.times(&other.high)?,
        ];
        Self::spanning(ends).ok_or(NumberError::TooLarge)
    }

    /// Quotients of a value of each; a divisor that may be zero has none.
    pub fn over(&self, other: &Self) -> Result<Self, NumberError> {
        if other.touches_zero() {
            return Err(NumberError::DivisionByZero);
        }
        let one = Exact::whole(1);
        let reciprocal = |end: &End| Ok(End::new(one.over(&end.value)?, end.edge));
        self.times(&Self {
            low: reciprocal(&other.high)?,
            high: reciprocal(&other.low)?,
        })
    }

    /// The values without their signs.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_positive() {
            return self.clone();
        }
        let flipped = self.negate();
        if flipped.is_positive() {
            return flipped;
        }
        let mut hull = Self::exact(Exact::whole(0));
        hull.take_high(&self.high);
        hull.take_high(&flipped.high);
        hull
    }

    /// The larger of a value of each.
    #[must_use]
    pub fn larger(&self, other: &Self) -> Self {
        let mut result = self.clone();
        let both = (&self.low.value, self.low.edge).max((&other.low.value, other.low.edge));
        result.low = End::new(both.0.clone(), both.1);
        result.take_high(&other.high);
        result
    }

    /// The smaller of a value of each.
    #[must_use]
    pub fn smaller(&self, other: &Self) -> Self {
        self.negate().larger(&other.negate()).negate()
    }

    /// What the values nearest to its ends round to, to `places` digits after the point.
    pub fn rounded_ends(&self, places: i32) -> (Exact, Exact) {
        // Just above an open lower end below zero is nearer to zero than the tie, and likewise
        // just below an open upper end above zero.
        let half = |open_and_outward: bool| {
            if open_and_outward {
                Half::TowardZero
            } else {
                Half::AwayFromZero
            }
        };
        let low = self.low.edge == Edge::Open && self.low.value.is_negative();
        let high = self.high.edge == Edge::Open && !self.high.value.is_negative();
        (
            self.low.value.round(places, half(low)),
            self.high.value.round(places, half(high)),
        )
    }

    /// The values rounded to `places` digits after the point, and what lies between.
    #[must_use]
    pub fn round(&self, places: i32) -> Self {
        let (low, high) = self.rounded_ends(places);
        Self {
            low: End::new(low, Edge::Closed),
            high: End::new(high, Edge::Closed),
        }
    }

    /// The pieces of it that lie side by side, `count` of them, each with both its ends.
    pub fn split(&self, count: u32) -> Result<Vec<Self>, NumberError> {
        let width = self.high.value.minus(&self.low.value)?;
        let step = width.over(&Exact::whole(count.max(1)))?;
        let cut = |index: u32| self.low.value.plus(&step.times(&Exact::whole(index))?);
        (0..count.max(1))
            .map(|index| {
                let mut piece = Self {
                    low: End::new(cut(index)?, Edge::Closed),
                    high: End::new(cut(index + 1)?, Edge::Closed),
                };
                if index == 0 {
                    piece.low.edge = self.low.edge;
                }
                if index + 1 == count {
                    piece.high.edge = self.high.edge;
                }
                Ok(piece)
            })
            .collect()
    }

    /// Its ends, each as an interval of its own that remembers whether it is reached.
    pub fn ends(&self) -> [Self; 2] {
        [&self.low, &self.high].map(|end| Self {
            low: end.clone(),
            high: end.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Interval {
        Interval::printed(&Decimal::parse(text).unwrap()).unwrap()
    }

    fn show(interval: &Interval) -> String {
        let left = if interval.low.edge == Edge::Closed {
            '['
        } else {
            '('
        };
        let right = if interval.high.edge == Edge::Closed {
            ']'
        } else {
            ')'
        };
        format!(
            "{left}{}, {}{right}",
            interval.low.value, interval.high.value
        )
    }

    #[test]
    fn a_printed_number_stands_for_what_rounds_to_it() {
        assert_eq!(show(&printed("0.785")), "[0.7845, 0.7855)");
        assert_eq!(show(&printed("-2")), "(-2.5, -1.5]");
        assert_eq!(show(&printed("0.0")), "(-0.05, 0.05)");
        assert_eq!(show(&printed("1.5e3")), "[1450, 1550)");
    }

    #[test]
    fn arithmetic_keeps_open_ends_open() {
        let one = printed("1");
        let two = printed("2");
        assert_eq!(show(&one.plus(&two).unwrap()), "[2, 4)");
        assert_eq!(show(&one.minus(&two).unwrap()), "(-2, 0)");
        assert_eq!(show(&one.times(&two.negate()).unwrap()), "(-3.75, -0.75]");
        assert_eq!(show(&one.over(&two).unwrap()), "(0.2, 1)");
        assert_eq!(show(&one.minus(&two).unwrap().abs()), "(0, 2)");
        assert_eq!(show(&printed("0").abs()), "[0, 0.5)");
        assert_eq!(show(&one.larger(&two)), "[1.5, 2.5)");
        assert_eq!(show(&one.smaller(&two)), "[0.5, 1.5)");
        let zero = Interval::exact(Exact::whole(0));
        assert_eq!(show(&one.times(&zero).unwrap()), "[0, 0]");
        assert_eq!(one.over(&printed("0")), Err(NumberError::DivisionByZero));
    }

    #[test]
    fn ends_round_as_the_values_next_to_them() {
        let ends = |interval: &Interval| {
            let (low, high) = interval.rounded_ends(0);
            (low.decimal(0), high.decimal(0))
        };
        for text in ["1", "-1", "0", "7"] {
            let both = (text.to_owned(), text.to_owned());
            assert_eq!(ends(&printed(text)), both, "{text}");
        }
        assert_eq!(ends(&printed("0.5")), ("0".to_owned(), "1".to_owned()));
    }

    #[test]
    fn overlap_needs_a_number_in_both() {
        assert!(!printed("1").meets(&printed("2")));
        assert!(printed("1").meets(&printed("1.49")));
        let edge = Interval::exact(Exact::ratio(3, 2).unwrap());
        assert!(printed("2").meets(&edge));
        assert!(!printed("1").meets(&edge));
    }
}
