//! Exact numbers, as authors write them.
//!
//! Job: read decimals without losing a digit, calculate with them exactly, round and print them.
//! Input: text. Output: [`Exact`] fractions and [`Decimal`]s, which also know to which place they
//! were written. Invariant: no input can make a number of more than [`BITS_MAX`] bits, so that
//! `1e999999999` is a fault and not a full memory.

use super::rational::{Rational, Tie};
use std::fmt;

/// Most digits of a written number, leading zeros included.
pub const DIGITS_MAX: usize = 60;
/// Largest exponent of a written number, in either direction.
pub const EXPONENT_MAX: i32 = 60;
/// Most bits of a numerator and its denominator together.
pub const BITS_MAX: u64 = 2_048;

/// Why a text is no number, or a calculation has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberError {
    /// The text is not one decimal number.
    Shape,
    /// A comma does not stand before a group of three digits.
    Grouping,
    /// More digits or a larger exponent than is taken.
    TooLong,
    /// A division by zero.
    DivisionByZero,
    /// The result would need more than [`BITS_MAX`] bits.
    TooLarge,
}

impl NumberError {
    /// The fault in words, to follow the number or the calculation.
    pub fn words(self) -> String {
        match self {
            Self::Shape => "is not a number".to_owned(),
            Self::Grouping => {
                "has a comma that does not part it into groups of three digits".to_owned()
            }
            Self::TooLong => {
                format!("has more than {DIGITS_MAX} digits or an exponent beyond {EXPONENT_MAX}")
            }
            Self::DivisionByZero => "divides by zero".to_owned(),
            Self::TooLarge => "grows beyond what is calculated here".to_owned(),
        }
    }
}

/// How a tie is broken where a number lies halfway between two others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Away from zero: the rule for everything that is printed.
    AwayFromZero,
    /// Toward zero: what a number just short of the tie rounds to.
    TowardZero,
}

impl Half {
    fn tie(self) -> Tie {
        match self {
            Self::AwayFromZero => Tie::Away,
            Self::TowardZero => Tie::Toward,
        }
    }
}

/// A fraction of whole numbers, reduced.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exact(Rational);

impl Exact {
    /// A whole number.
    pub fn whole(value: impl Into<i128>) -> Self {
        Self(Rational::whole(value.into()))
    }

    /// `numerator / denominator`; `None` where the denominator is zero.
    pub fn ratio(numerator: impl Into<i128>, denominator: impl Into<i128>) -> Option<Self> {
        Rational::ratio(numerator.into(), denominator.into()).map(Self)
    }

    /// Ten to a power between `-EXPONENT_MAX - DIGITS_MAX` and its opposite; beyond, the nearest.
    pub fn power_of_ten(power: i32) -> Self {
        Self(Rational::power_of_ten(power.clamp(-200, 200)))
    }

    /// The value, if it is whole and fits.
    pub fn to_whole(&self) -> Option<i128> {
        self.0.to_whole()
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.0.is_negative()
    }

    /// The value without its sign.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() {
            self.negate()
        } else {
            self.clone()
        }
    }

    /// The value with the other sign.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self(self.0.negate())
    }

    /// The sum.
    pub fn plus(&self, other: &Self) -> Result<Self, NumberError> {
        Self(self.0.plus(&other.0)).bounded()
    }

    /// The difference.
    pub fn minus(&self, other: &Self) -> Result<Self, NumberError> {
        Self(self.0.plus(&other.0.negate())).bounded()
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Result<Self, NumberError> {
        Self(self.0.times(&other.0)).bounded()
    }

    /// The quotient.
    pub fn over(&self, other: &Self) -> Result<Self, NumberError> {
        match self.0.over(&other.0) {
            Some(quotient) => Self(quotient).bounded(),
            None => Err(NumberError::DivisionByZero),
        }
    }

    fn bounded(self) -> Result<Self, NumberError> {
        if self.0.bits() > BITS_MAX {
            return Err(NumberError::TooLarge);
        }
        Ok(self)
    }

    /// The multiple of `10^-places` that is nearest.
    #[must_use]
    pub fn round(&self, places: i32, half: Half) -> Self {
        let unit = Self::power_of_ten(-places);
        Self(self.scaled(places, half).times(&unit.0))
    }

    /// The value times ten to a power, rounded to a whole number.
    fn scaled(&self, power: i32, half: Half) -> Rational {
        let scale = Self::power_of_ten(power);
        self.0.times(&scale.0).rounded(half.tie())
    }

    /// The value rounded (half away from zero) to `places` digits after the point, with all of
    /// them printed and a plain hyphen as minus. `places` below 0 rounds to tens, hundreds ….
    pub fn decimal(&self, places: i32) -> String {
        let width = usize::try_from(places.max(0)).unwrap_or(0);
        let rounded = self.round(places, Half::AwayFromZero);
        let shifted = rounded.scaled(places.max(0), Half::AwayFromZero);
        let digits = format!("{:0>width$}", shifted.digits(), width = width + 1);
        let (whole, part) = digits.split_at(digits.len() - width);
        let sign = if shifted.is_negative() { "-" } else { "" };
        let point = if part.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{part}")
    }

    /// The shortest decimal for it with at most `places_max` digits after the point: exact where
    /// that many suffice, else rounded.
    pub fn short_decimal(&self, places_max: i32) -> String {
        let text = self.decimal(places_max);
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.short_decimal(6))
    }
}

/// A number as written: its value and the place of its last digit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decimal {
    /// The value.
    pub value: Exact,
    /// Digits after the point; below 0 where an exponent moves the last digit left of it.
    pub places: i32,
}

impl Decimal {
    /// Reads one number and nothing else: `252.20`, `201,326,592`, `-0.5`, `−0.5`, `1e-3`, `.5`.
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        let (negative, text) = match text.strip_prefix(['-', '−']) {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, read_exponent(exponent)?),
            None => (text, 0),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let dangling = digits.ends_with('.');
        let mut digits = String::with_capacity(digits.len());
        ungroup(whole, &mut digits)?;
        digits.push_str(part);
        if dangling || digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NumberError::Shape);
        }
        if digits.len() > DIGITS_MAX {
            return Err(NumberError::TooLong);
        }
        let number = Rational::of_digits(&digits).ok_or(NumberError::Shape)?;
        let places = i32::try_from(part.len()).map_err(|_| NumberError::TooLong)? - exponent;
        let unit = Exact::power_of_ten(-places);
        let value = Exact(if negative { number.negate() } else { number });
        Ok(Self {
            value: value.times(&unit)?,
            places,
        })
    }

    /// Whether the number, sign aside, is one that `text` begins with, and how many bytes it
    /// takes: the longest run of digits with their commas, point and exponent.
    pub fn length_at(text: &str) -> usize {
        let bytes = text.as_bytes();
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let mut at = 0;
        let mut point = false;
        loop {
            match bytes.get(at) {
                Some(byte) if byte.is_ascii_digit() => at += 1,
                Some(b',') if at > 0 && !point && digit(at + 1) => at += 1,
                Some(b'.') if !point && digit(at + 1) => {
                    point = true;
                    at += 1;
                }
                _ => break,
            }
        }
        if at > 0 && matches!(bytes.get(at), Some(b'e' | b'E')) {
            let signed = usize::from(matches!(bytes.get(at + 1), Some(b'-' | b'+')));
            let first = at + 1 + signed;
            let mut end = first;
            while digit(end) {
                end += 1;
            }
            let in_word = bytes.get(end).is_some_and(u8::is_ascii_alphabetic);
            if end > first && !in_word {
                return end;
            }
        }
        at
    }
}

/// The exponent after an `e`.
fn read_exponent(text: &str) -> Result<i32, NumberError> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Shape);
    }
    let size: i32 = digits.parse().map_err(|_| NumberError::TooLong)?;
    if size > EXPONENT_MAX {
        return Err(NumberError::TooLong);
    }
    Ok(if text.starts_with('-') { -size } else { size })
}

/// Appends the digits without the commas that group them by three.
fn ungroup(whole: &str, digits: &mut String) -> Result<(), NumberError> {
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or("");
    digits.push_str(first);
    for group in groups {
        // `0,785` is a decimal comma and not 785.
        if group.len() != 3 || !(1..=3).contains(&first.len()) || first.starts_with('0') {
            return Err(NumberError::Grouping);
        }
        digits.push_str(group);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str) -> Exact {
        Decimal::parse(text).unwrap().value
    }

    #[test]
    fn decimals_are_read_as_written() {
        for (text, numerator, denominator, places) in [
            ("252.20", 2522, 10, 2),
            ("201,326,592", 201_326_592, 1, 0),
            ("-0.5", -1, 2, 1),
            ("−0.5", -1, 2, 1),
            ("1e-3", 1, 1000, 3),
            ("1.5e3", 1500, 1, -2),
            (".5", 1, 2, 1),
            ("007", 7, 1, 0),
        ] {
            let decimal = Decimal::parse(text).unwrap();
            assert_eq!(
                decimal.value,
                Exact::ratio(numerator, denominator).unwrap(),
                "{text}"
            );
            assert_eq!(decimal.places, places, "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for (text, error) in [
            ("", NumberError::Shape),
            ("no", NumberError::Shape),
            ("1:30", NumberError::Shape),
            ("5.", NumberError::Shape),
            ("--5", NumberError::Shape),
            ("1e", NumberError::Shape),
            ("1.2.3", NumberError::Shape),
            ("1,53,6", NumberError::Grouping),
            ("1,536,", NumberError::Grouping),
            (",536", NumberError::Grouping),
            ("1e999999999", NumberError::TooLong),
            ("1e99999999999999999999", NumberError::TooLong),
        ] {
            assert_eq!(Decimal::parse(text), Err(error), "{text}");
        }
        assert_eq!(Decimal::parse(&"9".repeat(61)), Err(NumberError::TooLong));
    }

    #[test]
    fn numbers_are_found_at_the_start_of_a_text() {
        for (text, length) in [
            ("64s", 2),
            ("1.02×", 4),
            ("3,000,000 x", 9),
            ("5.", 1),
            ("2e3 m", 3),
            ("2em", 1),
            ("2e3m", 1),
            ("x", 0),
        ] {
            assert_eq!(Decimal::length_at(text), length, "{text}");
        }
    }

    #[test]
    fn ties_go_away_from_zero_or_toward_it() {
        for (text, places, away, toward) in [
            ("0.5", 0, "1", "0"),
            ("-0.5", 0, "-1", "0"),
            ("1.25", 1, "1.3", "1.2"),
            ("-1.25", 1, "-1.3", "-1.2"),
            ("1.26", 1, "1.3", "1.3"),
            ("150", -2, "200", "100"),
        ] {
            let number = value(text);
            assert_eq!(
                number.round(places, Half::AwayFromZero),
                value(away),
                "{text}"
            );
            assert_eq!(
                number.round(places, Half::TowardZero),
                value(toward),
                "{text}"
            );
        }
    }

    #[test]
    fn growth_has_an_end() {
        let mut number = value("99999999999999999999");
        let end = std::iter::repeat_with(|| {
            let square = number.times(&number)?;
            number = square;
            Ok(())
        })
        .take(64)
        .find_map(Result::err);
        assert_eq!(end, Some(NumberError::TooLarge));
    }

    proptest! {
        #[test]
        fn printing_reads_back(number in -1_000_000_000_i64..1_000_000_000, places in 0_i32..9) {
            let exact = Exact::ratio(number, 10_i128.pow(places.unsigned_abs())).unwrap();
            let text = exact.decimal(places);
            let decimal = Decimal::parse(&text).unwrap();
            prop_assert_eq!(decimal.value, exact);
            prop_assert_eq!(decimal.places, places);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*") {
            let _ = Decimal::parse(&text);
            prop_assert!(Decimal::length_at(&text) <= text.len());
        }
    }
}
