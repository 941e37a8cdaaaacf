//! Derived columns: every printed cell must agree with its formula.

use super::claims::{both, no_value_finding, report};
use super::formula::{self, Fault, Formula};
use super::interval::Interval;
use super::resolve::{Scope, cell_interval, resolve};
use super::term::Budget;
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::dataset::{Capture, Column, Exactness, Row};
use crate::model::number::{Decimal, Exact};
use crate::source::{Span, Spanned};

/// Checks each derived column of a capture, row by row. A fault of the formula itself is reported
/// once, not for every row.
pub(super) fn check(capture: &Capture, budget: &Budget, out: &mut Diagnostics) {
    let columns = capture.columns.iter();
    let parsed: Vec<_> = columns
        .map(|column| {
            let text = column.derived.as_ref()?;
            Some(formula::parse(&text.value))
        })
        .collect();
    let cycles = cycles(capture, &parsed);
    for (place, (column, parsed)) in capture.columns.iter().zip(parsed).enumerate() {
        if let Some(cycle) = cycles.iter().find(|cycle| cycle.contains(&place)) {
            // One finding for all columns of a cycle.
            out.extend((cycle.first() == Some(&place)).then(|| circular(capture, cycle)));
            continue;
        }
        let Some((text, parsed)) = column.derived.as_ref().zip(parsed) else {
            continue;
        };
        match parsed {
            Ok(formula) => {
                let derived = Derived {
                    capture,
                    place,
                    column,
                    text,
                    formula: &formula,
                };
                derived.check(budget, out);
            }
            Err(fault) => report(text, fault, out),
        }
    }
}

/// Columns that are derived from each other, each cycle from its first column on. Numbers that vouch
/// for each other alone were measured by nobody. `parsed` has the formula of each column.
fn cycles(capture: &Capture, parsed: &[Option<Result<Formula, Fault>>]) -> Vec<Vec<usize>> {
    let reads: Vec<Vec<usize>> = parsed
        .iter()
        .map(|parsed| {
            let formula = parsed.as_ref().and_then(|parsed| parsed.as_ref().ok());
            let names = formula.into_iter().flat_map(Formula::lone_names);
            names.filter_map(|name| capture.column(name)).collect()
        })
        .collect();
    let mut cycles: Vec<Vec<usize>> = Vec::new();
    let mut done = vec![false; reads.len()];
    for start in 0..reads.len() {
        // The way from `start` to the column in hand, with the next one to look at in each.
        let mut way: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((column, next)) = way.last_mut() {
            let (here, read) = (
                *column,
                reads.get(*column).and_then(|reads| reads.get(*next)),
            );
            *next += 1;
            match read {
                _ if done[here] => drop(way.pop()),
                None => {
                    done[here] = true;
                    way.pop();
                }
                Some(&read) => match way.iter().position(|(on_way, _)| *on_way == read) {
                    Some(from) => {
                        let mut cycle: Vec<_> = way[from..].iter().map(|(at, _)| *at).collect();
                        let least = (0..cycle.len()).min_by_key(|at| cycle[*at]).unwrap_or(0);
                        cycle.rotate_left(least);
                        cycles.push(cycle);
                    }
                    None if !done[read] => way.push((read, 0)),
                    None => {}
                },
            }
        }
    }
    cycles
}

fn circular(capture: &Capture, cycle: &[usize]) -> Diagnostic {
    let columns: Vec<_> = cycle
        .iter()
        .filter_map(|at| capture.columns.get(*at))
        .collect();
    let derived = |column: &Column| {
        column
            .derived
            .as_ref()
            .map_or(column.name.span, |text| text.span)
    };
    let name = |column: &&Column| format!("`{}`", column.name.value);
    let (first, others) = match columns.split_first() {
        Some((first, others)) => (*first, others),
        None => {
            return Diagnostic::new(
                rule::BAD_FORMULA,
                capture.span,
                "a column is derived from itself",
            );
        }
    };
    let way: Vec<_> = others.iter().map(name).collect();
    let (way, label) = match way.as_slice() {
        [] => (String::new(), "this formula reads its own column"),
        way => (format!(", by way of {}", way.join(", ")), "derived here"),
    };
    let message = format!("the column {} is derived from itself{way}", name(&first));
    let finding = Diagnostic::new(rule::BAD_FORMULA, derived(first), message).label(label);
    let finding = others.iter().fold(finding, |finding, column| {
        finding.related(derived(column), "and from here")
    });
    finding.help("Derive it from other columns and constants.")
}

struct Derived<'a> {
    capture: &'a Capture,
    place: usize,
    column: &'a Column,
    text: &'a Spanned<String>,
    formula: &'a Formula,
}

impl Derived<'_> {
    fn check(&self, budget: &Budget, out: &mut Diagnostics) {
        let names = self.formula.lone_names();
        for row in &self.capture.rows {
            let Some(cell) = row.cells.get(self.place) else {
                continue;
            };
            let Ok(printed) = Decimal::parse(&cell.value) else {
                // An empty cell was not measured; any other was reported where it was read.
                continue;
            };
            let scope = Scope::Row(self.capture, row);
            let resolved = match resolve(self.formula, &self.text.value, scope, budget) {
                Ok(resolved) => resolved,
                Err(_) if self.reads_no_number(row, &names) => continue,
                Err(fault) => return report(self.text, fault, out),
            };
            match both(&resolved, budget) {
                Ok((value, interval)) => {
                    if !interval.meets(&cell_interval(self.column, &printed)) {
                        out.push(self.inconsistent(row, &printed, (&value, &interval)));
                    }
                }
                Err(_) if budget.is_spent() => return,
                Err(no_value) => return out.push(no_value_finding(self.text, no_value)),
            }
        }
    }

    /// Whether a column that the formula reads holds no number in this row: the row then cannot be
    /// checked, and what is wrong with the cell was reported where it was read.
    fn reads_no_number(&self, row: &Row, names: &[&str]) -> bool {
        let cells = self.capture.columns.iter().zip(&row.cells);
        cells
            .filter(|(column, _)| names.contains(&column.name.value.as_str()))
            .any(|(column, cell)| {
                let numeric = column.unit.is_some()
                    || column.derived.is_some()
                    || column.exactness == Exactness::Exact;
                cell.value.is_empty() || (numeric && Decimal::parse(&cell.value).is_err())
            })
    }

    fn inconsistent(
        &self,
        row: &Row,
        printed: &Decimal,
        (value, interval): (&Exact, &Interval),
    ) -> Diagnostic {
        let name = &self.column.name.value;
        let cell = row.cells.get(self.place);
        let span = cell.map_or(row.span, |cell| cell.span);
        let written = cell.map_or("", |cell| cell.value.as_str());
        let would = value.decimal(printed.places);
        let given = if interval.is_exact() {
            format!("is {}", value.short_decimal(printed.places.max(0) + 4))
        } else {
            let (low, high) = distinct_ends(interval, printed.places);
            format!("lies from {low} to {high}")
        };
        let finding = Diagnostic::new(
            rule::INCONSISTENT_COLUMN,
            span,
            format!("`{name}` of `{}` does not follow from its row", row.label()),
        )
        .label(format!("`{}` {given}", self.text.value.trim()))
        .related(self.text.span, format!("`{name}` is derived here"));
        let finding = self
            .read_cells(row)
            .into_iter()
            .fold(finding, |finding, (span, label)| {
                finding.related(span, label)
            });
        let finding = match Interval::printed(printed) {
            Ok(stands_for) if self.column.exactness == Exactness::Rounded => {
                let (low, high) = distinct_ends(&stands_for, printed.places);
                finding.note(format!(
                    "`{written}` stands for {low} to {high}, and the two must meet."
                ))
            }
            _ => finding.note(format!("`{written}` is exact, so it must be that number.")),
        };
        finding.help(format!(
            "From the rest of its row it would be `{would}`; one of the cells is wrong."
        ))
    }

    /// The cells of the row that the formula names, for the finding.
    fn read_cells(&self, row: &Row) -> Vec<(Span, String)> {
        let names = self.formula.lone_names();
        self.capture
            .columns
            .iter()
            .zip(&row.cells)
            .filter(|(column, _)| names.contains(&column.name.value.as_str()))
            .map(|(column, cell)| {
                (
                    cell.span,
                    format!("`{}` is {}", column.name.value, cell.value),
                )
            })
            .collect()
    }
}

/// The ends of an interval as decimals with enough digits to tell them apart.
fn distinct_ends(interval: &Interval, places: i32) -> (String, String) {
    let from = places.max(0) + 1;
    let print = |places| {
        let (low, high) = (&interval.low.value, &interval.high.value);
        (low.decimal(places), high.decimal(places))
    };
    (from..from + 6)
        .map(print)
        .find(|(low, high)| low != high)
        .unwrap_or_else(|| print(from))
}
