//! Fractions of whole numbers of any size.
//!
//! Job: calculate exactly, and fast with the numbers that people write. Output: [`Rational`], which
//! keeps small numerators and denominators in machine words and takes to large numbers only where
//! those do not suffice. Invariant: a value is reduced, its denominator is positive, and it is
//! small whenever it fits, so that equal values are equal in form. This file alone names the
//! packages for large numbers.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// Numerators and denominators below this one, signs aside, are kept in machine words: a product
/// of two of which one is a small factor still fits one.
const SMALL_END: u128 = 1 << 120;

/// A reduced fraction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rational {
    Small(Small),
    Large(BigRational),
}

/// A reduced fraction of machine words, with a positive denominator; both are below [`SMALL_END`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Small {
    numerator: i128,
    denominator: i128,
}

/// How a tie between two whole numbers is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    Away,
    Toward,
}

impl Small {
    /// A fraction that is reduced already; `None` if it does not fit.
    fn reduced(numerator: i128, denominator: i128) -> Option<Self> {
        let fits = |value: i128| value.unsigned_abs() < SMALL_END;
        (fits(numerator) && fits(denominator) && denominator > 0).then_some(Self {
            numerator,
            denominator,
        })
    }

    fn plus(self, other: Self) -> Option<Self> {
        let (numerator, denominator) = if self.denominator == other.denominator {
            (
                self.numerator.checked_add(other.numerator)?,
                self.denominator,
            )
        } else {
            let left = self.numerator.checked_mul(other.denominator)?;
            let right = other.numerator.checked_mul(self.denominator)?;
            (
                left.checked_add(right)?,
                self.denominator.checked_mul(other.denominator)?,
            )
        };
        let common = divisor(numerator, denominator);
        Self::reduced(over(numerator, common), over(denominator, common))
    }

    fn times(self, other: Self) -> Option<Self> {
        // What is common to a numerator and the other's denominator goes first; then nothing is.
        let (one, two) = (
            divisor(self.numerator, other.denominator),
            divisor(other.numerator, self.denominator),
        );
        Self::reduced(
            over(self.numerator, one).checked_mul(over(other.numerator, two))?,
            over(self.denominator, two).checked_mul(over(other.denominator, one))?,
        )
    }

    /// One over it; `None` for zero.
    fn reciprocal(self) -> Option<Self> {
        Self::reduced(
            self.denominator * self.numerator.signum(),
            self.numerator.abs(),
        )
    }

    fn compare(self, other: Self) -> Option<Ordering> {
        if self.denominator == other.denominator {
            return Some(self.numerator.cmp(&other.numerator));
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        Some(left.cmp(&other.numerator.checked_mul(self.denominator)?))
    }

    fn rounded(self, tie: Tie) -> i128 {
        // Both are below 2^120, so that doubling them is safe.
        let doubled = self.numerator.abs() * 2;
        let magnitude = match tie {
            Tie::Away => (doubled + self.denominator) / (self.denominator * 2),
            // Down from the tie: ceil(x - 1/2) is -floor(1/2 - x).
            Tie::Toward => (doubled + self.denominator - 1) / (self.denominator * 2),
        };
        magnitude * self.numerator.signum()
    }

    fn to_large(self) -> BigRational {
        BigRational::new_raw(BigInt::from(self.numerator), BigInt::from(self.denominator))
    }
}

/// The quotient by a positive number: one machine word by another where both are small, since long
/// division is slow.
fn over(value: i128, divisor: i128) -> i128 {
    match (i64::try_from(value), i64::try_from(divisor)) {
        (Ok(value), Ok(divisor)) => i128::from(value / divisor),
        _ => value / divisor,
    }
}

/// The greatest common divisor of a number and a positive one.
fn divisor(one: i128, two: i128) -> i128 {
    let (one, two) = (one.unsigned_abs(), two.unsigned_abs());
    let common = match (u64::try_from(one), u64::try_from(two)) {
        (Ok(one), Ok(two)) => u128::from(divisor_of_words(one, two)),
        _ => divisor_of_pairs(one, two),
    };
    // It divides a number that fits.
    i128::try_from(common).unwrap_or(1).max(1)
}

fn divisor_of_words(mut one: u64, mut two: u64) -> u64 {
    if one == 0 || two == 0 {
        return one | two;
    }
    let shift = (one | two).trailing_zeros();
    one >>= one.trailing_zeros();
    // One divides everything, and most numbers have no more in common.
    while two != 0 && one != 1 {
        two >>= two.trailing_zeros();
        if one > two {
            std::mem::swap(&mut one, &mut two);
        }
        two -= one;
    }
    one << shift
}

fn divisor_of_pairs(mut one: u128, mut two: u128) -> u128 {
    while two != 0 {
        if let (Ok(one), Ok(two)) = (u64::try_from(one), u64::try_from(two)) {
            return u128::from(divisor_of_words(one, two));
        }
        (one, two) = (two, one % two);
    }
    one
}

impl Rational {
    /// A whole number.
    pub(super) fn whole(value: i128) -> Self {
        match Small::reduced(value, 1) {
            Some(small) => Self::Small(small),
            None => Self::Large(BigRational::from_integer(BigInt::from(value))),
        }
    }

    /// The whole number that decimal digits write; `None` for anything else.
    pub(super) fn of_digits(digits: &str) -> Option<Self> {
        if let Ok(value) = digits.parse::<i128>() {
            return Some(Self::whole(value));
        }
        let value: BigInt = digits.parse().ok()?;
        Some(Self::of_large(BigRational::from_integer(value)))
    }

    /// A fraction; `None` where the denominator is zero.
    pub(super) fn ratio(numerator: i128, denominator: i128) -> Option<Self> {
        Self::whole(numerator).over(&Self::whole(denominator))
    }

    /// Ten to a power.
    pub(super) fn power_of_ten(power: i32) -> Self {
        let magnitude = power.unsigned_abs();
        let small = 10_i128.checked_pow(magnitude).map(|value| match power {
            ..0 => Small::reduced(1, value),
            _ => Small::reduced(value, 1),
        });
        if let Some(small) = small.flatten() {
            return Self::Small(small);
        }
        let value = BigRational::from_integer(BigInt::from(10).pow(magnitude));
        Self::of_large(if power < 0 { value.recip() } else { value })
    }

    fn of_large(value: BigRational) -> Self {
        let numerator = value.numer().to_i128();
        let small = numerator.zip(value.denom().to_i128());
        match small.and_then(|(numerator, denominator)| Small::reduced(numerator, denominator)) {
            Some(small) => Self::Small(small),
            None => Self::Large(value),
        }
    }

    fn to_large(&self) -> BigRational {
        match self {
            Self::Small(small) => small.to_large(),
            Self::Large(large) => large.clone(),
        }
    }

    /// An operation: on machine words where they suffice, else on large numbers.
    fn with(
        &self,
        other: &Self,
        small: fn(Small, Small) -> Option<Small>,
        large: fn(BigRational, BigRational) -> BigRational,
    ) -> Self {
        if let (Self::Small(one), Self::Small(two)) = (self, other)
            && let Some(result) = small(*one, *two)
        {
            return Self::Small(result);
        }
        Self::of_large(large(self.to_large(), other.to_large()))
    }

    /// The sum.
    pub(super) fn plus(&self, other: &Self) -> Self {
        self.with(other, Small::plus, |one, two| one + two)
    }

    /// The product.
    pub(super) fn times(&self, other: &Self) -> Self {
        self.with(other, Small::times, |one, two| one * two)
    }

    /// The quotient; `None` where the divisor is zero.
    pub(super) fn over(&self, other: &Self) -> Option<Self> {
        let small = |one: Small, two: Small| one.times(two.reciprocal()?);
        (!other.is_zero()).then(|| self.with(other, small, |one, two| one / two))
    }

    /// The value with the other sign.
    pub(super) fn negate(&self) -> Self {
        match self {
            Self::Small(small) => Self::Small(Small {
                numerator: -small.numerator,
                ..*small
            }),
            Self::Large(large) => Self::Large(-large),
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        match self {
            Self::Small(small) => small.numerator == 0,
            Self::Large(large) => large.is_zero(),
        }
    }

    pub(super) fn is_negative(&self) -> bool {
        match self {
            Self::Small(small) => small.numerator < 0,
            Self::Large(large) => large.is_negative(),
        }
    }

    /// The value, if it is whole and fits.
    pub(super) fn to_whole(&self) -> Option<i128> {
        match self {
            Self::Small(small) => (small.denominator == 1).then_some(small.numerator),
            Self::Large(large) => large.is_integer().then(|| large.numer().to_i128())?,
        }
    }

    /// Bits of the numerator and the denominator together.
    pub(super) fn bits(&self) -> u64 {
        match self {
            Self::Small(small) => {
                let unused = small.numerator.unsigned_abs().leading_zeros()
                    + small.denominator.unsigned_abs().leading_zeros();
                u64::from(2 * u128::BITS - unused)
            }
            Self::Large(large) => large.numer().bits() + large.denom().bits(),
        }
    }

    /// The nearest whole number.
    pub(super) fn rounded(&self, tie: Tie) -> Self {
        let large = match self {
            Self::Small(small) => return Self::whole(small.rounded(tie)),
            Self::Large(large) => large,
        };
        let two = BigInt::from(2);
        let denominator = large.denom() * &two;
        let doubled = large.numer().abs() * &two;
        let magnitude = match tie {
            Tie::Away => (doubled + large.denom()) / denominator,
            Tie::Toward => (doubled - large.denom() + &denominator - 1) / denominator,
        };
        let signed = if large.is_negative() {
            -magnitude
        } else {
            magnitude
        };
        Self::of_large(BigRational::from_integer(signed))
    }

    /// The digits of a whole number, sign aside.
    pub(super) fn digits(&self) -> String {
        match self {
            Self::Small(small) => small.numerator.unsigned_abs().to_string(),
            Self::Large(large) => large.numer().magnitude().to_string(),
        }
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Self::Small(one), Self::Small(two)) = (self, other)
            && let Some(order) = one.compare(*two)
        {
            return order;
        }
        self.to_large().cmp(&other.to_large())
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers of every size, on both sides of what fits.
    fn number() -> impl Strategy<Value = i128> {
        (any::<i128>(), 0_u32..127).prop_map(|(value, shift)| value >> shift)
    }

    fn same(rational: &Rational, large: &BigRational) -> bool {
        *rational == Rational::of_large(large.clone()) && rational.to_large() == *large
    }

    fn ratio(numerator: i128, denominator: i128) -> (Rational, BigRational) {
        let denominator = if denominator == 0 { 1 } else { denominator };
        (
            Rational::ratio(numerator, denominator).unwrap(),
            BigRational::new(BigInt::from(numerator), BigInt::from(denominator)),
        )
    }

    proptest! {
        #[test]
        fn small_and_large_agree(a in number(), b in number(), c in number(), d in number()) {
            let ((one, large_one), (two, large_two)) = (ratio(a, b), ratio(c, d));
            prop_assert!(same(&one, &large_one));
            prop_assert!(same(&one.plus(&two), &(&large_one + &large_two)));
            prop_assert!(same(&one.times(&two), &(&large_one * &large_two)));
            prop_assert!(same(&one.negate(), &-&large_one));
            prop_assert_eq!(one.cmp(&two), large_one.cmp(&large_two));
            prop_assert_eq!(one.over(&two).is_none(), c == 0);
            if let Some(quotient) = one.over(&two) {
                prop_assert!(same(&quotient, &(&large_one / &large_two)));
            }
            prop_assert_eq!(one.bits(), large_one.numer().bits() + large_one.denom().bits());
            let rounded = one.rounded(Tie::Away);
            prop_assert!(same(&rounded, &large_one.round()));
            prop_assert_eq!(rounded.digits(), large_one.round().numer().magnitude().to_string());
        }
    }

    #[test]
    fn extremes_do_not_overflow() {
        for value in [
            i128::MIN,
            i128::MIN + 1,
            i128::MAX,
            1 << 120,
            (1 << 120) - 1,
            -1,
            0,
        ] {
            let (one, large) = ratio(value, i128::MIN);
            assert!(same(&one, &large), "{value}");
            assert_eq!(Rational::whole(value).to_whole(), Some(value));
        }
        assert_eq!(
            Rational::of_digits(&"9".repeat(60)).unwrap().digits(),
            "9".repeat(60)
        );
    }
}
