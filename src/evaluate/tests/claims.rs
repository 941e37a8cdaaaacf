//! Claims against captures.

use super::super::Origin;
use super::{T4, evaluate};

#[test]
fn the_claims_of_the_first_entry_hold() {
    for (text, formula) in [
        ("4×", "t4.tlp1.occupancy / t4.ilp4-b1.occupancy"),
        ("64", "t4.ilp4-b1.loads_in_flight"),
        ("1.02", "t4.ilp4-b1.ms / t4.tlp1.ms"),
        ("0.69", "t4.tlp1-b1.gbps / max(t4.*.gbps)"),
        ("25%", "t4.ilp4-b1.occupancy"),
        ("25%", "1 / 4"),
        ("201,326,592", "t4.bytes"),
        ("201,326,592 bytes", "t4.bytes"),
        ("80 cycles", "loom(residents: 4, latency: 12).cycles"),
        ("60%", "loom(latency: 12).used"),
        ("64", "two-ways-to-64.few.loads_in_flight"),
        ("3", "a[0,2]"),
        ("3", "b[0,2]"),
        ("10", "dot(a[0,*], b[*,2])"),
        ("4", "max(a[0,*])"),
        ("3", "count(t4.*.ms)"),
        ("4", "count(t4.*.occupancy)"),
        ("0.9", "mean(t4.*.ms)"),
        ("2.72", "sum(t4.*.ms)"),
        ("1", "t4.tlp1.ms / t4.tlp1.ms"),
        ("100.000%", "t4.tlp1.ms / t4.tlp1.ms"),
        ("−0.013", "t4.tlp1.ms - t4.ilp4-b1.ms"),
        ("2", "round(t4.ilp4-b1.ms * 2)"),
        ("0.79", "min(t4.*.ms)"),
        ("-3", "-abs(1 - 4)"),
    ] {
        let outcome = evaluate(T4, &format!("[{text}](<= {formula}>)"));
        let expected_precision = ["−0.013", "0.79"].contains(&text);
        let rules = if expected_precision {
            vec!["claim-precision"]
        } else {
            Vec::new()
        };
        assert_eq!(
            outcome.rules(),
            rules,
            "[{text}](<= {formula}>): {:?}",
            outcome.found
        );
        assert_eq!(outcome.facts.len(), 1, "{text}");
    }
}

#[test]
fn a_fact_tells_where_its_number_comes_from() {
    let outcome = evaluate(
        T4,
        "[1.02×](<= t4.ilp4-b1.ms / t4.tlp1.ms>) and [25%](<= 1 / 4>)",
    );
    let facts: Vec<_> = outcome.facts.iter().map(|(_, fact)| fact).collect();
    let [ratio, share] = facts.as_slice() else {
        panic!("{facts:?}")
    };
    assert_eq!(
        (ratio.text.as_str(), ratio.value.as_str()),
        ("1.02×", "1.02")
    );
    assert_eq!(ratio.formula, "t4.ilp4-b1.ms / t4.tlp1.ms");
    assert_eq!(share.value, "0.25");
    let first = &ratio.operands[0];
    assert_eq!(
        (first.path.as_str(), first.text.as_str()),
        ("t4.ilp4-b1.ms", "0.798")
    );
    assert_eq!(first.unit.as_deref(), Some("ms"));
    let Origin::Measured {
        device,
        captured,
        anchor,
        ..
    } = &first.origin
    else {
        panic!("{first:?}")
    };
    assert_eq!(device.as_deref(), Some("Tesla T4"));
    assert_eq!(captured.unwrap().to_string(), "2026-09-01");
    assert_eq!(anchor.as_deref(), Some("t4-ilp4-b1"));
    let best = evaluate(T4, "[0.69](<= t4.tlp1-b1.gbps / max(t4.*.gbps)>)");
    let paths: Vec<_> = best
        .facts
        .iter()
        .flat_map(|(_, fact)| fact.operands.iter().map(|operand| operand.path.clone()))
        .collect();
    assert_eq!(paths, ["t4.tlp1-b1.gbps", "t4.tlp1.gbps"]);
}

/// Printed text; formula; rule; what is underlined; part of the message; part of the help.
const FINDINGS: &str = "\
1.03 ; t4.ilp4-b1.ms / t4.tlp1.ms ; claim-mismatch ; 1.03 ; not what its formula gives ; Print `1.02`
201,326,593 ; t4.bytes ; claim-mismatch ; 201,326,593 ; not what ; `201,326,592`
1.017 ; t4.ilp4-b1.ms / t4.tlp1.ms ; claim-precision ; 1.017 ; the data bears 1.015 to 1.018, not 1.017 ; Print `1.02`
many ; t4.max_warps ; claim-mismatch ; many ; no number ; one number
2 ; t4.tlp1.ns ; bad-formula ; ns ; no column `ns` ; Did you mean `ms`? The formula would then give 0.785.
2 ; t4.tlp2.ms ; bad-formula ; tlp2 ; no row `tlp2` ; Did you mean `tlp1`?
2 ; t5.tlp1.ms ; bad-formula ; t5 ; nothing is called `t5` ; Did you mean `t4`?
2 ; t4.max_wraps ; bad-formula ; max_wraps ; no constant ; Did you mean `max_warps`?
2 ; t4.tlp1 ; bad-formula ; tlp1 ; whole row ; t4.tlp1.column
2 ; t4.ms ; bad-formula ; ms ; is a column ; t4.row.ms
2 ; t4.*.ms ; bad-formula ; t4.*.ms ; several values ; max(capture.*.column)
2 ; max(t4.*) ; bad-formula ; t4. ; name is missing ; capture.row.column
2 ; t4.off.ms ; bad-formula ; ms ; was not measured ; another row
2 ; 1 / (t4.max_warps - 32) ; bad-formula ; (t4.max_warps - 32) ; divides by zero ; 
2 ; loom ; bad-formula ; loom ; is a model ; loom(residents: 4).cycles
2 ; a ; bad-formula ; a ; is a matrix ; a[0,2]
2 ; a[7,0] ; bad-formula ; 7 ; no row 7 ; 0 to 1
2 ; dot(a[0,*], b[*,*]) ; bad-formula ; dot(a[0,*], b[*,*]) ; 4 values on the left and 16 ; same length
2 ; lom(latency: 4).cycles ; bad-formula ; lom ; no model `lom` ; Did you mean `loom`?
2 ; loom(latency: 5).cycles ; bad-formula ; latency ; not simulated ; 
2 ; loom(latncy: 4).cycles ; bad-formula ; latncy ; no such setting ; `latency`
2 ; loom(latency: 4).cycle ; bad-formula ; cycle ; no such result ; `cycles`
2 ; two-ways-to-64.mny.loads_in_flight ; bad-formula ; mny ; no such configuration ; `many`
2 ; two-ways-to-65.many.loads_in_flight ; bad-formula ; two-ways-to-65 ; nothing is called ; two-ways-to-64
2 ; t4.tlp1.ms +1 ; bad-formula ; + ; space on both sides ; hyphens";

#[test]
fn findings_say_what_the_data_gives() {
    for line in FINDINGS.lines() {
        let parts: Vec<_> = line.split(';').map(str::trim).collect();
        let [text, formula, rule, at, message, help] = parts.try_into().unwrap();
        let outcome = evaluate(T4, &format!("[{text}](<= {formula}>)"));
        let [found] = outcome.found.as_slice() else {
            panic!("{formula}: {:?}", outcome.found)
        };
        assert_eq!(
            (found.0.as_str(), found.1.as_str()),
            (rule, at),
            "{formula}: {found:?}"
        );
        assert!(found.2.contains(message), "{formula}: {found:?}");
        assert!(found.3.contains(help), "{formula}: {found:?}");
    }
}

#[test]
fn a_fault_that_is_known_is_not_repeated() {
    let outcome = evaluate(T4, "[2](<= broken(latency: 4).cycles>)");
    assert_eq!(outcome.rules(), Vec::<&str>::new());
    assert!(outcome.facts.is_empty());
}

#[test]
fn bare_numbers_of_measured_passages_are_found() {
    let outcome = evaluate(T4, "[64](<= t4.tlp1.loads_in_flight>) and bare 77");
    let [found] = outcome.found.as_slice() else {
        panic!("{:?}", outcome.found)
    };
    assert_eq!(
        (found.0.as_str(), found.1.as_str()),
        ("unclaimed-number", "77")
    );
    assert!(evaluate(T4, "no claim and bare 77").found.is_empty());
}

#[test]
fn a_table_that_cannot_be_read_is_reported_once() {
    let outcome = evaluate(
        "t: {file: gone.json}\n",
        "[2](<= t.a.b>) [2](<= max(t.*.b)>)",
    );
    assert_eq!(outcome.rules(), ["bad-table"]);
}
