//! The printed side of a claim: one number with optional unit words around it.

use crate::model::number::{Decimal, NumberError};
use std::ops::Range;

/// How the printed number stands to the formula's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// As it is.
    Plain,
    /// A `%` is printed with it.
    Percent,
}

/// The number of a claim's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Printed {
    pub(super) number: Decimal,
    /// Its place in the text, sign included.
    pub(super) range: Range<usize>,
    pub(super) unit: Unit,
}

/// Reads a claim's text; the error says what is wrong with it and where.
pub(super) fn read(text: &str) -> Result<Printed, (Range<usize>, String)> {
    let mut numbers = numerals(text).into_iter();
    let Some(range) = numbers.next() else {
        return Err((0..text.len(), "the claim prints no number".to_owned()));
    };
    if let Some(second) = numbers.next() {
        return Err((second, "the claim prints more than one number".to_owned()));
    }
    let unit = if text.contains('%') {
        Unit::Percent
    } else {
        Unit::Plain
    };
    match Decimal::parse(&text[range.clone()]) {
        Ok(number) => Ok(Printed {
            number,
            range,
            unit,
        }),
        Err(NumberError::Grouping) => Err((
            range,
            "the commas of the number do not part it into groups of three digits".to_owned(),
        )),
        Err(error) => {
            let message = format!("`{}` {}", &text[range.clone()], error.words());
            Err((range, message))
        }
    }
}

/// The places of the numbers in a text, signs included. Digits inside a word (`H200`, `L2`) are
/// part of the word.
fn numerals(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut sign = None;
    // Whether the character before belongs to a word, so that what follows does too.
    let mut in_word = false;
    while let Some(c) = text[at..].chars().next() {
        let length = if in_word {
            0
        } else {
            Decimal::length_at(&text[at..])
        };
        if length > 0 {
            found.push(sign.unwrap_or(at)..at + length);
            at += length;
            sign = None;
            continue;
        }
        let stands_alone = !in_word && text[..at].chars().next_back().is_none_or(may_precede_sign);
        sign = (matches!(c, '-' | '−' | '+') && stands_alone).then_some(at);
        in_word = c.is_alphanumeric() || c == '_';
        at += c.len_utf8();
    }
    found
}

/// Whether a `-` after this character is a sign and no hyphen or dash of a range.
fn may_precede_sign(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '(' | '~' | '≈' | '≤' | '≥' | '<' | '>' | '±' | '×' | '$' | '€'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_number_with_words_around_it() {
        for (text, number, unit) in [
            ("4", "4", Unit::Plain),
            ("1.02", "1.02", Unit::Plain),
            ("25%", "25", Unit::Percent),
            ("3.9×", "3.9", Unit::Plain),
            ("×3.9", "3.9", Unit::Plain),
            ("201,326,592", "201,326,592", Unit::Plain),
            ("96 cycles", "96", Unit::Plain),
            ("64s", "64", Unit::Plain),
            ("−0.5", "−0.5", Unit::Plain),
            ("about -3 °C", "-3", Unit::Plain),
            ("4,814 GB/s", "4,814", Unit::Plain),
            ("H200: 7 L2 misses", "7", Unit::Plain),
            ("12 %", "12", Unit::Percent),
            ("1.02.", "1.02", Unit::Plain),
            ("1e-3 s", "1e-3", Unit::Plain),
        ] {
            let printed = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert_eq!(&text[printed.range.clone()], number, "{text}");
            assert_eq!(printed.unit, unit, "{text}");
        }
    }

    #[test]
    fn what_is_not_one_number_is_refused() {
        for text in [
            "", "many", "H200", "2-3", "1/2", "1:30", "10–20", "1,53,6", "4 of 8",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(\\PC|[0-9.,%e−-]){0,40}") {
            match read(&text) {
                Ok(printed) => prop_assert!(text.get(printed.range).is_some()),
                Err((range, _)) => prop_assert!(text.get(range).is_some()),
            }
        }
    }
}
