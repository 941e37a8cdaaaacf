//! Exact numbers that simulations report.
//!
//! Job: carry a result such as "48 of 96 slots" without rounding. Input: whole numbers. Output: a
//! reduced fraction. Invariant: the denominator is positive and shares no factor with the numerator.

use std::fmt;

/// A reduced fraction of whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    /// Above the line; carries the sign.
    pub numerator: i128,
    /// Below the line; always positive.
    pub denominator: i128,
}

impl Ratio {
    /// A whole number.
    pub fn whole(value: impl Into<i128>) -> Self {
        Self {
            numerator: value.into(),
            denominator: 1,
        }
    }

    /// `numerator / denominator`, reduced; `None` where the denominator is zero or the parts do not fit.
    pub fn new(numerator: impl Into<i128>, denominator: impl Into<i128>) -> Option<Self> {
        let (numerator, denominator) = (numerator.into(), denominator.into());
        if denominator == 0 {
            return None;
        }
        let divisor = greatest_common_divisor(numerator, denominator)?;
        let sign = denominator.signum();
        Some(Self {
            numerator: numerator.checked_div(divisor)?.checked_mul(sign)?,
            denominator: denominator.checked_div(divisor)?.checked_mul(sign)?,
        })
    }

    /// The value as text with at most `places` digits after the point, rounded half away from zero;
    /// zeros at its end are left out.
    pub fn decimal(&self, places: u32) -> String {
        let Some(scaled) = 10_i128
            .checked_pow(places)
            .and_then(|scale| self.numerator.checked_abs()?.checked_mul(scale))
        else {
            return self.to_string();
        };
        let remainder = scaled % self.denominator;
        let up = remainder >= self.denominator - remainder;
        let rounded = scaled / self.denominator + i128::from(up);
        let digits = format!("{rounded:0width$}", width = places as usize + 1);
        let (whole, part) = digits.split_at(digits.len() - places as usize);
        let part = part.trim_end_matches('0');
        let sign = if self.numerator < 0 && rounded != 0 {
            "−"
        } else {
            ""
        };
        if part.is_empty() {
            format!("{sign}{whole}")
        } else {
            format!("{sign}{whole}.{part}")
        }
    }

    /// The value times 100 as text with a percent sign, at most one digit after the point.
    pub fn percent(&self) -> String {
        let hundredfold = self
            .numerator
            .checked_mul(100)
            .and_then(|numerator| Self::new(numerator, self.denominator));
        hundredfold.map_or_else(
            || self.to_string(),
            |value| format!("{}%", value.decimal(1)),
        )
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            write!(out, "{}", self.numerator)
        } else {
            write!(out, "{}/{}", self.numerator, self.denominator)
        }
    }
}

fn greatest_common_divisor(left: i128, right: i128) -> Option<i128> {
    let (mut left, mut right) = (left.checked_abs()?, right.checked_abs()?);
    while right != 0 {
        (left, right) = (right, left % right);
    }
    Some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduces_and_keeps_the_sign_above() {
        let ratio = Ratio::new(48, -96).unwrap();
        assert_eq!((ratio.numerator, ratio.denominator), (-1, 2));
        assert_eq!(Ratio::new(1, 0), None);
        assert_eq!(Ratio::new(0, 7).unwrap(), Ratio::whole(0));
    }

    #[test]
    fn prints_rounded_half_away_from_zero() {
        assert_eq!(Ratio::new(48, 80).unwrap().percent(), "60%");
        assert_eq!(Ratio::new(1, 3).unwrap().percent(), "33.3%");
        assert_eq!(Ratio::new(1, 8).unwrap().decimal(2), "0.13");
        assert_eq!(Ratio::new(-1, 8).unwrap().decimal(2), "−0.13");
        assert_eq!(Ratio::whole(7).decimal(2), "7");
        assert_eq!(Ratio::new(3, 2).unwrap().decimal(0), "2");
    }
}
