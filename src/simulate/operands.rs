//! Matrices of an entry as operands of a machine, and small exact comparisons.

use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::entry::Entry;
use crate::model::figure::Matrix;
use crate::sim::{self, Ratio};
use crate::source::Spanned;

/// The matrix that `name` means, as whole numbers.
pub(super) fn matrix(
    name: &Spanned<String>,
    entry: &Entry,
    out: &mut Diagnostics,
) -> Option<sim::Matrix> {
    let found = entry
        .matrices
        .iter()
        .find(|matrix| matrix.name.value.as_str() == name.value);
    let Some(matrix) = found else {
        let names = entry.matrices.iter().map(|m| m.name.value.as_str());
        let near = nearest(&name.value, names);
        out.push(
            Diagnostic::new(
                rule::BAD_MODEL,
                name.span,
                format!("the entry has no matrix `{}`", name.value),
            )
            .label("unknown matrix")
            .maybe_help(near.map(|near| format!("Did you mean `{near}`?"))),
        );
        return None;
    };
    if matrix.is_faulty() {
        return None;
    }
    let rows = whole_rows(matrix, out)?;
    let made = sim::Matrix::new("rows", &rows)
        .and_then(|made| made.repeat_columns("repeat_columns", matrix.repeat_columns));
    match made {
        Ok(made) => Some(made),
        Err(error) => {
            out.push(
                Diagnostic::new(rule::TOO_LARGE, matrix.span, error.message)
                    .label("used as an operand of a model"),
            );
            None
        }
    }
}

fn whole_rows(matrix: &Matrix, out: &mut Diagnostics) -> Option<Vec<Vec<i64>>> {
    let mut sound = true;
    let mut rows = Vec::new();
    for row in &matrix.rows {
        let mut values = Vec::new();
        for cell in row {
            // Results stay exact in 128 bits with operands of this size.
            match cell.value.parse::<i64>() {
                Ok(value) if value.abs() <= 1_000_000 => values.push(value),
                _ => {
                    sound = false;
                    out.push(
                        Diagnostic::new(
                            rule::BAD_MODEL,
                            cell.span,
                            format!("`{}` is no whole number up to a million", cell.value),
                        )
                        .label("an operand of a model")
                        .help("Machines compute with whole numbers, so that every sum is exact."),
                    );
                }
            }
        }
        rows.push(values);
    }
    sound.then_some(rows)
}

/// The exact value times `factor` as text, if it is whole or has a short decimal form.
pub(super) fn scaled_text(value: Ratio, factor: i128) -> Option<String> {
    let numerator = value.numerator.checked_mul(factor)?;
    if numerator % value.denominator == 0 {
        return Some((numerator / value.denominator).to_string());
    }
    let thousandths = numerator.checked_mul(1000)?;
    let exact = thousandths % value.denominator == 0;
    let shown = thousandths / value.denominator;
    let text = format!("{}.{:03}", shown / 1000, (shown % 1000).abs());
    let text = text.trim_end_matches('0').to_owned();
    Some(if exact { text } else { format!("about {text}") })
}

/// Whether a written decimal is exactly `value` times `factor`.
pub(super) fn same_number(written: &str, value: Ratio, factor: i128) -> bool {
    let text = written.trim().replace(',', "");
    let (whole, fraction) = text.split_once('.').unwrap_or((text.as_str(), ""));
    let places = u32::try_from(fraction.len()).unwrap_or(u32::MAX);
    let Some(scale) = 10_i128.checked_pow(places) else {
        return false;
    };
    let Ok(digits) = format!("{whole}{fraction}").parse::<i128>() else {
        return false;
    };
    let left = digits.checked_mul(value.denominator);
    let right = value
        .numerator
        .checked_mul(factor)
        .and_then(|n| n.checked_mul(scale));
    left.is_some() && left == right
}
