//! The steps from a formula to its number, in characters.

use crate::evaluate::Fact;
use crate::model::number::Exact;

/// Most digits after the point of a result.
const PLACES_MAX: i32 = 6;

/// The steps after the formula: the formula with values in place of names, then its value. A step
/// that says nothing new is left out.
pub(super) fn steps(fact: &Fact) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    let substituted = substituted(fact);
    if substituted != fact.formula.trim() {
        steps.push(substituted);
    }
    let result = result(fact);
    let said = steps.last().map(String::as_str);
    if said != Some(result.as_str()) && result != fact.formula.trim() {
        steps.push(result);
    }
    steps
}

/// The value as a decimal: all that is known where it is one number, else where it lies.
fn result(fact: &Fact) -> String {
    let (low, high) = (&fact.interval.low.value, &fact.interval.high.value);
    if fact.interval.is_exact() {
        return with_ellipsis(low);
    }
    let low = low.short_decimal(PLACES_MAX);
    let high = high.short_decimal(PLACES_MAX);
    format!("a number from {low} to {high}")
}

/// A decimal; an ellipsis stands where digits follow.
fn with_ellipsis(value: &Exact) -> String {
    let text = value.short_decimal(PLACES_MAX);
    let whole = value.round(PLACES_MAX, crate::model::number::Half::AwayFromZero);
    if whole == *value {
        text
    } else {
        format!("{text}…")
    }
}

/// The formula with each value that it reads in place of its name. Values that a function chose
/// from a column are named behind it.
fn substituted(fact: &Fact) -> String {
    let mut text = fact.formula.trim().to_owned();
    let mut chosen = Vec::new();
    // Longer names first, so that no name is replaced inside another.
    let mut operands: Vec<_> = fact.operands.iter().collect();
    operands.sort_by_key(|operand| std::cmp::Reverse(operand.path.len()));
    for operand in operands {
        let value = match &operand.unit {
            Some(unit) => format!("{} {unit}", operand.text),
            None => operand.text.clone(),
        };
        if operand.path.contains('*') {
            continue;
        }
        let replaced = replace_name(&text, &operand.path, &value);
        if replaced == text {
            chosen.push(format!("{} is {value}", operand.path));
        }
        text = replaced;
    }
    if chosen.is_empty() || text.len() > 400 {
        return text;
    }
    chosen.sort();
    format!("{text}, where {}", chosen.join(" and "))
}

/// Replaces a name wherever it stands by itself.
fn replace_name(text: &str, name: &str, value: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, from) = rest.split_at(at);
        let after = &from[name.len()..];
        out.push_str(before);
        if out.ends_with(is_part) || after.starts_with(is_part) {
            out.push_str(name);
        } else {
            out.push_str(value);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_whole() {
        let replaced = replace_name("t4.a.ms / t4.a.ms_min + xt4.a.ms", "t4.a.ms", "2 ms");
        assert_eq!(replaced, "2 ms / t4.a.ms_min + xt4.a.ms");
    }
}
