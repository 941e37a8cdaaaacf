//! Properties that hold for any numbers.

use super::{T4, decimal, evaluate};
use crate::model::number::{Decimal, Exact};
use proptest::prelude::*;

/// A capture of two rounded values.
fn pair(x: &str, y: &str) -> String {
    format!(
        "t:\n  device: d\n  driver: \"1\"\n  toolkit: t\n  build: b\n  captured: 2026-09-01\n  \
         columns: {{label: null, v: {{unit: ms}}}}\n  rows: [[x, \"{x}\"], [y, \"{y}\"]]\n"
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The check of a quotient agrees with exact fractions at the ends of its intervals.
    #[test]
    fn the_check_agrees_with_fractions(
        x in 1_i64..100_000,
        y in 1_i64..100_000,
        places in 0_u32..4,
        digits in 0_i32..5,
    ) {
        let (tx, ty) = (decimal(x, places), decimal(y, places));
        let ratio = Exact::ratio(x, y).unwrap();
        let text = ratio.decimal(digits);
        let outcome = evaluate(&pair(&tx, &ty), &format!("[{text}](<= t.x.v / t.y.v>)"));
        // The ends: (2x - 1) / (2y + 1), reached by no value, and (2x + 1) / (2y - 1), neither.
        let low = Exact::ratio(2 * x - 1, 2 * y + 1).unwrap();
        let high = Exact::ratio(2 * x + 1, 2 * y - 1).unwrap();
        let half = Exact::power_of_ten(-digits).over(&Exact::whole(2)).unwrap();
        let printed = Decimal::parse(&text).unwrap().value;
        let from = printed.minus(&half).unwrap();
        let to = printed.plus(&half).unwrap();
        let bears = low >= from && high <= to;
        let expected: &[&str] = if bears { &[] } else { &["claim-precision"] };
        prop_assert_eq!(outcome.rules(), expected, "{} / {} as {}", tx, ty, text);
    }

    /// One unit off in the last digit never holds.
    #[test]
    fn a_digit_off_always_fails(
        x in 1_i64..100_000,
        y in 1_i64..100_000,
        digits in 0_i32..6,
        up in any::<bool>(),
        sign in prop_oneof![Just("+"), Just("-"), Just("*"), Just("/")],
    ) {
        let (tx, ty) = (decimal(x, 2), decimal(y, 2));
        let (vx, vy) = (Exact::ratio(x, 100).unwrap(), Exact::ratio(y, 100).unwrap());
        let value = match sign {
            "+" => vx.plus(&vy),
            "-" => vx.minus(&vy),
            "*" => vx.times(&vy),
            _ => vx.over(&vy),
        };
        let unit = Exact::power_of_ten(-digits);
        let rounded = Decimal::parse(&value.unwrap().decimal(digits)).unwrap().value;
        let off = if up { rounded.plus(&unit) } else { rounded.minus(&unit) };
        let text = off.unwrap().decimal(digits);
        let outcome = evaluate(&pair(&tx, &ty), &format!("[{text}](<= t.x.v {sign} t.y.v>)"));
        prop_assert_eq!(outcome.rules(), ["claim-mismatch"]);
    }

    /// No claim, whatever its text and formula, does more than hold or be reported.
    #[test]
    fn any_claim_is_checked_or_refused(
        text in "[0-9.,%e× a-zé−-]{0,12}",
        formula in "(t4\\.|tlp1|\\.ms|\\*|max\\(|\\)|loom\\(|latency: 4|a\\[|0|,|\\]| \\+ | - | / |e|é|-|[0-9.]|x)*",
    ) {
        let outcome = evaluate(T4, &format!("[{text}](<= {formula}>)"));
        prop_assert!(outcome.facts.len() <= 1);
    }
}
