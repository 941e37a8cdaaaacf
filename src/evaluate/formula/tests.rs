//! What a formula may be and what it comes to.

use super::*;
use proptest::prelude::*;

/// The tree in a form that shows what binds to what.
fn show(formula: &Formula) -> String {
    let names = |names: &[Name]| {
        let names: Vec<_> = names.iter().map(|name| name.text.as_str()).collect();
        names.join("·")
    };
    match &formula.part {
        Part::Number(number) => number.to_string(),
        Part::Path(path) => names(path),
        Part::Negate(inner) => format!("-{}", show(inner)),
        Part::Binary(operator, left, right) => {
            let sign = match operator {
                Operator::Plus => '+',
                Operator::Minus => '-',
                Operator::Times => '*',
                Operator::Over => '/',
            };
            format!("({} {sign} {})", show(left), show(right))
        }
        Part::Call(function, arguments) => {
            let arguments: Vec<_> = arguments.iter().map(show).collect();
            format!("{}({})", function.name(), arguments.join(", "))
        }
        Part::Model(model, settings, result) => {
            let settings: Vec<_> = settings
                .iter()
                .map(|(name, value)| format!("{}={value}", name.text))
                .collect();
            format!("{}<{}>{}", model.text, settings.join(" "), result.text)
        }
        Part::Cells(matrix, row, column) => {
            let index = |index: &Index| match index {
                Index::At(at, _) => at.to_string(),
                Index::All => "*".to_owned(),
            };
            format!("{}[{} {}]", matrix.text, index(row), index(column))
        }
    }
}

#[test]
fn formulas_are_read() {
    for (text, tree) in [
        ("t4.ilp4-b1.ms / t4.tlp1.ms", "(t4·ilp4-b1·ms / t4·tlp1·ms)"),
        ("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
        ("a/b/c*d", "(((a / b) / c) * d)"),
        ("-(1 + -2)", "-(1 + -2)"),
        ("max(t4.*.gbps)", "max(t4·*·gbps)"),
        ("1e-3 * 0.5", "(0.001 * 0.5)"),
        (
            "loom(residents: 4, latency: 12).cycles",
            "loom<residents=4 latency=12>cycles",
        ),
        ("loom(x: -1).acc.w0.k1.lane3", "loom<x=-1>acc.w0.k1.lane3"),
        ("loom().cycles", "loom<>cycles"),
        ("dot(a[0,*], b[*, 2])", "dot(a[0 *], b[* 2])"),
        (
            "two-ways-to-64.many.loads_in_flight",
            "two-ways-to-64·many·loads_in_flight",
        ),
        ("t.2d.ms", "t·2d·ms"),
    ] {
        assert_eq!(
            parse(text).map(|formula| show(&formula)).as_deref(),
            Ok(tree),
            "{text}"
        );
    }
}

#[test]
fn faults_point_into_the_formula() {
    for (text, at, message) in [
        ("", "", "empty"),
        ("1 +", "", "breaks off"),
        ("a.b.c +d", "+", "space on both sides"),
        ("a[0,1]-1", "-", "space on both sides"),
        ("3 × 4", "×", "no meaning"),
        ("a.b.c d.e.f", "d.e.f", "operator is missing"),
        ("(1", "", "`)` is missing"),
        ("1)", ")", "closes nothing"),
        ("mx(a.*.b)", "mx", "no function"),
        ("1,000", ",", "comma"),
        ("a..b", "a..b", "name is missing"),
        ("loom(latency: x).cycles", "x", "must be a number"),
        ("loom(latency: 4)", "", "result of the model"),
        ("loom(x: 1, x: 2).y", "x", "set twice"),
        ("a[0.5,1]", "0.5", "whole number"),
        ("1e99999", "1e99999", "digits"),
    ] {
        let fault = parse(text).unwrap_err();
        assert_eq!(&text[fault.range.clone()], at, "{text}: {fault:?}");
        assert!(fault.message.contains(message), "{text}: {fault:?}");
    }
    assert!(
        parse(&"(".repeat(900))
            .unwrap_err()
            .message
            .contains("too deeply")
    );
    assert!(
        parse(&"1".repeat(2000))
            .unwrap_err()
            .message
            .contains("1000 characters")
    );
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
        if let Err(fault) = parse(&text) {
            prop_assert!(text.get(fault.range).is_some());
        }
    }

    #[test]
    fn any_tokens_are_read_or_refused(
        text in "(t4|\\.|\\*|max|\\(|\\)|\\[|\\]|,|:| |-|\\+|/|[0-9]|e|é)*"
    ) {
        if let Err(fault) = parse(&text) {
            prop_assert!(text.get(fault.range).is_some());
        }
    }
}
