//! Derived columns.

use super::{T4, decimal, evaluate};
use crate::model::number::Exact;

#[test]
fn derived_columns_hold() {
    assert_eq!(evaluate(T4, "").rules(), Vec::<&str>::new());
    let outcome = evaluate(&T4.replace("256.5", "257.5"), "");
    let [found] = outcome.found.as_slice() else {
        panic!("{:?}", outcome.found)
    };
    assert_eq!(found.1, "257.5");
    assert!(found.3.contains("`256.5`"), "{found:?}");
}

/// Whether `bytes / ms / 1000000` can round to `gbps` for some time that rounds to `ms`, worked
/// out with plain fractions: `ms` in thousandths, `gbps` in tenths.
fn bandwidth_agrees(ms: i64, gbps: i64) -> bool {
    let at =
        |half_thousandths: i64| Exact::ratio(201_326_592_i64 * 2, half_thousandths * 1000).unwrap();
    let (slowest, fastest) = (at(2 * ms + 1), at(2 * ms - 1));
    let (from, to) = (
        Exact::ratio(2 * gbps - 1, 20).unwrap(),
        Exact::ratio(2 * gbps + 1, 20).unwrap(),
    );
    slowest < to && fastest >= from
}

/// Every number of the table, one and then a few units of its last digit up and down: each change
/// is caught exactly where the arithmetic of its row no longer works out.
#[test]
fn a_changed_digit_is_caught_where_arithmetic_can_catch_it() {
    let rows = [
        ("tlp1", [100, 2, 64], 785, 2565),
        ("ilp4-b1", [25, 8, 64], 798, 2522),
        ("tlp1-b1", [25, 2, 16], 1139, 1767),
    ];
    let mut caught = 0;
    for (label, counts, ms, gbps) in rows {
        let line = |counts: [i64; 3], ms: i64, gbps: i64| {
            let [occupancy, loads, flight] = counts;
            let (ms, gbps) = (decimal(ms, 3), decimal(gbps, 1));
            format!("[{label}, {occupancy}, {loads}, {flight}, {ms}, {gbps}]")
        };
        let original = line(counts, ms, gbps);
        for change in (-3..=3).filter(|change| *change != 0) {
            for cell in 0..5 {
                let (mut counts, mut ms, mut gbps) = (counts, ms, gbps);
                match cell {
                    3 => ms += change,
                    4 => gbps += change,
                    cell => counts[cell] += change,
                }
                let [occupancy, loads, flight] = counts;
                let works_out =
                    occupancy * 32 * loads == flight * 100 && bandwidth_agrees(ms, gbps);
                let changed = T4.replacen(&original, &line(counts, ms, gbps), 1);
                assert_ne!(changed, T4);
                let outcome = evaluate(&changed, "");
                let expected: &[&str] = if works_out {
                    &[]
                } else {
                    &["inconsistent-column"]
                };
                assert_eq!(outcome.rules(), expected, "{}", line(counts, ms, gbps));
                caught += usize::from(!works_out);
            }
        }
    }
    // All counts, and most of the measured cells.
    assert!(caught > 54 + 20, "{caught}");
}

#[test]
fn derived_formulas_are_checked_once() {
    for (from, to, at, message) in [
        (
            "bytes / ms / 1000000",
            "bytes / mss / 1000000",
            "mss",
            "no column or constant `mss`",
        ),
        (
            "bytes / ms / 1000000",
            "bytes / gbps",
            "bytes / gbps",
            "derived from itself",
        ),
        ("bytes / ms / 1000000", "bytes / (", "", "breaks off"),
        (
            "bytes / ms / 1000000",
            "t4.tlp1.ms",
            "t4.tlp1.ms",
            "its own row",
        ),
        (
            "bytes / ms / 1000000",
            "bytes / (ms - ms)",
            "(ms - ms)",
            "divides by zero",
        ),
    ] {
        let outcome = evaluate(&T4.replace(from, to), "");
        let [found] = outcome.found.as_slice() else {
            panic!("{to}: {:?}", outcome.found)
        };
        assert_eq!(
            (found.0.as_str(), found.1.as_str()),
            ("bad-formula", at),
            "{found:?}"
        );
        assert!(found.2.contains(message), "{found:?}");
    }
}
