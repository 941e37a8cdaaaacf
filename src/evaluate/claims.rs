//! Claims: whether a printed number is what its formula gives, and whether the data bears it.

use super::fact::{Fact, Operand, Verdict};
use super::formula::{self, Fault, Reported};
use super::interval::Interval;
use super::place::within;
use super::printed::{self, Printed, Unit};
use super::range::range;
use super::resolve::{Resolved, Scope, resolve};
use super::term::{Budget, NoValue, Values};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::claim::Claim;
use crate::model::number::{Exact, Half, NumberError};
use crate::source::Spanned;

/// Most operands that a finding points at.
const SHOWN_MAX: usize = 4;

/// Evaluates and checks one claim. `None` if its formula or its text cannot be read; then it was
/// reported.
pub(super) fn claim(
    claim: &Claim,
    scope: Scope<'_>,
    budget: &Budget,
    out: &mut Diagnostics,
) -> Option<Fact> {
    let printed = match printed::read(&claim.text.value) {
        Ok(printed) => Some(printed),
        Err((range, message)) => {
            out.push(
                Diagnostic::new(rule::CLAIM_MISMATCH, within(&claim.text, range), message)
                    .label("one number is wanted here")
                    .help("Print one number, with a unit or words around it if you like."),
            );
            None
        }
    };
    let evaluated = evaluate(&claim.formula, scope, budget, out)?;
    let printed = printed?;
    Some(check(claim, &printed, evaluated, out))
}

/// A formula with its value and its range.
struct Evaluated {
    value: Exact,
    interval: Interval,
    operands: Vec<Operand>,
}

fn evaluate(
    text: &Spanned<String>,
    scope: Scope<'_>,
    budget: &Budget,
    out: &mut Diagnostics,
) -> Option<Evaluated> {
    let resolved = formula::parse(&text.value)
        .and_then(|formula| resolve(&formula, &text.value, scope, budget));
    let resolved = match resolved {
        Ok(resolved) => resolved,
        Err(fault) => {
            let would = value_instead(text, &fault, scope, budget);
            let help = fault.help.map(|help| format!("{help}{would}"));
            report(text, Fault { help, ..fault }, out);
            return None;
        }
    };
    match both(&resolved, budget) {
        Ok((value, interval)) => Some(Evaluated {
            value,
            interval,
            operands: resolved.operands,
        }),
        Err(no_value) => {
            if !budget.is_spent() {
                out.push(no_value_finding(text, no_value));
            }
            None
        }
    }
}

/// What the formula would give with the name that was likely meant, as a sentence to add.
fn value_instead(
    text: &Spanned<String>,
    fault: &Fault,
    scope: Scope<'_>,
    budget: &Budget,
) -> String {
    let mended = fault.instead.as_ref().and_then(|near| {
        let mut mended = text.value.clone();
        mended.get(fault.range.clone())?;
        mended.replace_range(fault.range.clone(), near);
        Some(mended)
    });
    let value = mended.and_then(|mended| {
        let formula = formula::parse(&mended).ok()?;
        let resolved = resolve(&formula, &mended, scope, budget).ok()?;
        Some(both(&resolved, budget).ok()?.0)
    });
    value.map_or_else(String::new, |value| {
        format!(" The formula would then give {}.", value.short_decimal(4))
    })
}

/// The value of a formula for the cells as written, and its range.
pub(super) fn both(resolved: &Resolved, budget: &Budget) -> Result<(Exact, Interval), NoValue> {
    let values = Values {
        cells: &resolved.written,
        budget,
    };
    let value = resolved.term.interval(values)?.low.value;
    let interval = range(&resolved.term, &resolved.intervals, budget)?;
    Ok((value, interval))
}

/// Reports a fault of a formula at its place in the file.
pub(super) fn report(text: &Spanned<String>, fault: Fault, out: &mut Diagnostics) {
    if fault.reported == Reported::Elsewhere {
        return;
    }
    out.push(
        Diagnostic::new(rule::BAD_FORMULA, within(text, fault.range), fault.message)
            .label("in this formula")
            .maybe_help(fault.help),
    );
}

/// A formula whose names are known and that still has no value.
pub(super) fn no_value_finding(text: &Spanned<String>, no_value: NoValue) -> Diagnostic {
    let whole = 0..text.value.len();
    match (no_value.error, no_value.divisor) {
        (NumberError::DivisionByZero, divisor) => Diagnostic::new(
            rule::BAD_FORMULA,
            within(text, divisor.unwrap_or(whole)),
            "the formula divides by zero",
        )
        .label("zero, or not to be told from zero at the precision of its cells"),
        (error, _) => Diagnostic::new(
            rule::BAD_FORMULA,
            within(text, whole),
            format!("the formula {}", error.words()),
        )
        .help("Put the intermediate result into a derived column."),
    }
}

fn check(claim: &Claim, printed: &Printed, evaluated: Evaluated, out: &mut Diagnostics) -> Fact {
    let Evaluated {
        value,
        interval,
        operands,
    } = evaluated;
    let in_percent = !operands.is_empty()
        && operands
            .iter()
            .all(|operand| operand.unit.as_deref() == Some("%"));
    let hundredfold = printed.unit == Unit::Percent && !in_percent;
    let places = printed.number.places;
    let scaled = if hundredfold {
        hundred(&value, &interval)
    } else {
        None
    };
    let (shown, range) = scaled.unwrap_or_else(|| (value, interval.clone()));
    let rounded = shown.round(places, Half::AwayFromZero);
    let (low, high) = range.rounded_ends(places);
    let verdict = if rounded != printed.number.value {
        Verdict::Mismatch
    } else if low != high {
        Verdict::TooPrecise
    } else {
        Verdict::Holds
    };
    let checked = Checked {
        claim,
        printed,
        shown: &shown,
        range: &range,
        operands: &operands,
        percent: (printed.unit, hundredfold),
    };
    match verdict {
        Verdict::Holds => {}
        Verdict::Mismatch => out.push(checked.mismatch()),
        Verdict::TooPrecise => out.push(checked.too_precise(&low, &high)),
    }
    let machine = printed.number.value.over(&Exact::whole(100));
    let value = match machine {
        Ok(share) if hundredfold => share.decimal(places.max(0) + 2),
        _ => printed.number.value.decimal(places),
    };
    Fact {
        text: claim.text.value.clone(),
        value,
        formula: claim.formula.value.trim().to_owned(),
        operands,
        interval,
        verdict,
    }
}

/// A value and its range in hundredths.
fn hundred(value: &Exact, interval: &Interval) -> Option<(Exact, Interval)> {
    let hundred = Exact::whole(100);
    let interval = interval.times(&Interval::exact(hundred.clone())).ok()?;
    Some((value.times(&hundred).ok()?, interval))
}

/// A claim that does not hold, with all that its finding tells.
struct Checked<'a> {
    claim: &'a Claim,
    printed: &'a Printed,
    shown: &'a Exact,
    range: &'a Interval,
    operands: &'a [Operand],
    /// What is printed, and whether the value was multiplied by 100 for it.
    percent: (Unit, bool),
}

impl Checked<'_> {
    fn number(&self) -> &str {
        &self.claim.text.value[self.printed.range.clone()]
    }

    /// A number as the author would print it: with commas and signs as in the claim.
    fn print(&self, value: &Exact, places: i32) -> String {
        let decimal = value.decimal(places);
        let decimal = if self.number().contains(',') {
            group(&decimal)
        } else {
            decimal
        };
        if self.number().starts_with('−') {
            decimal.replace('-', "−")
        } else {
            decimal
        }
    }

    fn mismatch(&self) -> Diagnostic {
        let places = self.printed.number.places;
        let would = self.print(self.shown, places);
        let formula = self.claim.formula.value.trim();
        let exact = self.shown.short_decimal(places.max(0) + 4);
        let mut finding = self.finding(
            rule::CLAIM_MISMATCH,
            format!("`{}` is not what its formula gives", self.number()),
            format!("the data gives {would}"),
        );
        finding = finding.note(format!("`{formula}` is {exact}."));
        let (low, high) = self.range.rounded_ends(places);
        finding = match (low == high, self.bearable()) {
            (true, _) => finding.help(format!("Print `{would}`, or mend the formula.")),
            (false, Some(bearable)) => finding.help(format!(
                "Print `{bearable}`, which the data bears, or mend the formula."
            )),
            (false, None) => finding.help("Mend the formula, or say it in words."),
        };
        match self.percent {
            (Unit::Percent, true) => {
                finding.note("A printed `%` means the formula's value times 100.")
            }
            (Unit::Percent, false) => finding
                .note("Every operand is in `%` already, so the value is not multiplied by 100."),
            (Unit::Plain, _) => finding,
        }
    }

    fn too_precise(&self, low: &Exact, high: &Exact) -> Diagnostic {
        let places = self.printed.number.places;
        let (low, high) = (self.print(low, places), self.print(high, places));
        let finding = self
            .finding(
                rule::CLAIM_PRECISION,
                format!("the data bears {low} to {high}, not {}", self.number()),
                "more digits than the data bears".to_owned(),
            )
            .note("Each measured value stands for every number that rounds to it.");
        match self.bearable() {
            Some(bearable) => finding.help(format!("Print `{bearable}`.")),
            None => finding.help(
                "No number of digits holds here: say it in words, or measure with more digits.",
            ),
        }
    }

    /// The number with the most digits, fewer than printed, that the data bears.
    fn bearable(&self) -> Option<String> {
        let fewest = self.printed.number.places.min(0) - 3;
        let fewer = (fewest..self.printed.number.places).rev();
        let mut fewer = fewer.filter(|places| *places >= 0 || self.printed.number.places < 0);
        let places = fewer.find(|&places| {
            let (low, high) = self.range.rounded_ends(places);
            low == high
        })?;
        Some(self.print(self.shown, places))
    }

    fn finding(
        &self,
        rule: crate::diagnostic::RuleId,
        message: String,
        label: String,
    ) -> Diagnostic {
        let place = within(&self.claim.text, self.printed.range.clone());
        let finding = Diagnostic::new(rule, place, message).label(label);
        let shown = self.operands.iter().take(SHOWN_MAX);
        shown.fold(finding, |finding, operand| match operand.span {
            Some(span) => finding.related(span, format!("`{}` is {}", operand.path, operand.text)),
            None => finding,
        })
    }
}

/// Commas between groups of three digits before the point.
fn group(decimal: &str) -> String {
    let (whole, part) = decimal
        .split_once('.')
        .map_or((decimal, None), |(w, p)| (w, Some(p)));
    let (sign, digits) = match whole.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", whole),
    };
    let mut grouped = String::from(sign);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if let Some(part) = part {
        grouped.push('.');
        grouped.push_str(part);
    }
    grouped
}
