//! A grid of parameter values and the runs it gives.
//!
//! Job: turn lists such as `residents: [1, 2, 4]` into every combination, and find a run by its
//! parameters. Output: [`Runs`]. Invariant: runs stand in the order of their values, the last axis
//! fastest, and each combination stands once.

use super::error::SimError;
use super::frames::FRAMES_TOTAL_MAX;
use super::{Kind, Ratio, Trace};

/// Most combinations of one model.
pub const COMBINATIONS_MAX: usize = 64;

/// One parameter that a model offers, with the values to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// The name in formulas and addresses.
    pub name: &'static str,
    /// The name for a reader, with its unit.
    pub label: &'static str,
    /// The values, in the author's order.
    pub values: Vec<u32>,
}

/// One combination and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Name and value of each parameter, in the order of the axes.
    pub parameters: Vec<(&'static str, u32)>,
    /// The machine's record.
    pub trace: Trace,
}

/// Every run of one model or preset.
#[derive(Debug, Clone, PartialEq)]
pub struct Runs {
    /// Which machine ran.
    pub kind: Kind,
    /// The parameters on offer; empty for a machine that runs once.
    pub axes: Vec<Axis>,
    /// One run a combination.
    pub runs: Vec<Run>,
    /// The run that is shown first, as an index into `runs`.
    pub start: usize,
}

/// The finished runs as a table: one row a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunTable {
    /// Column heads, parameters first.
    pub headings: Vec<String>,
    /// Cells as text, one row a run, in the order of the runs.
    pub rows: Vec<Vec<String>>,
}

impl Runs {
    /// The run with these parameters. A parameter with one value on offer may be left out.
    pub fn find(&self, wanted: &[(&str, u32)]) -> Result<&Run, SimError> {
        for (name, value) in wanted {
            let Some(axis) = self.axes.iter().find(|axis| axis.name == *name) else {
                let names: Vec<_> = self.axes.iter().map(|axis| axis.name).collect();
                let message = if names.is_empty() {
                    "this machine takes no parameters".to_owned()
                } else {
                    format!(
                        "there is no parameter of this name; there are {}",
                        names.join(", ")
                    )
                };
                return Err(SimError::invalid(*name, message));
            };
            if !axis.values.contains(value) {
                let message = format!(
                    "{value} is not among the values that were simulated: {}",
                    join_numbers(&axis.values)
                );
                return Err(SimError::invalid(*name, message));
            }
        }
        for axis in &self.axes {
            if axis.values.len() > 1 && !wanted.iter().any(|(name, _)| *name == axis.name) {
                let message = format!("say which: {}", join_numbers(&axis.values));
                return Err(SimError::invalid(axis.name, message));
            }
        }
        self.runs
            .iter()
            .find(|run| wanted.iter().all(|pair| run.parameters.contains(pair)))
            .ok_or_else(|| SimError::invalid("parameters", "no run has all of these values"))
    }

    /// The result at `path` of the run shown first; for a machine that runs once, of its only run.
    pub fn result(&self, path: &str) -> Option<Ratio> {
        self.runs.get(self.start)?.trace.result(path)
    }

    /// The finished runs as a table.
    pub fn table(&self) -> RunTable {
        let labels = self.axes.iter().map(|axis| axis.label.to_owned());
        let results = self
            .runs
            .first()
            .map(|run| run.trace.summary())
            .unwrap_or_default();
        let headings = labels.chain(results.into_iter().map(|(heading, _)| heading.to_owned()));
        let rows = self.runs.iter().map(Run::cells).collect();
        RunTable {
            headings: headings.collect(),
            rows,
        }
    }
}

impl Run {
    /// The run's row in the table of runs: parameters, then results.
    pub fn cells(&self) -> Vec<String> {
        let parameters = self.parameters.iter().map(|(_, value)| value.to_string());
        let results = self.trace.summary().into_iter().map(|(_, text)| text);
        parameters.chain(results).collect()
    }
}

/// Runs every combination of `axes`; collects all errors, each once.
pub(super) fn run_all(
    kind: Kind,
    axes: Vec<Axis>,
    start: &[(&'static str, Option<u32>)],
    run: impl Fn(&[u32]) -> Result<Trace, SimError>,
) -> Result<Runs, Vec<SimError>> {
    let mut errors: Vec<SimError> = axes.iter().flat_map(check_axis).collect();
    let count = axes
        .iter()
        .try_fold(1_usize, |count, axis| count.checked_mul(axis.values.len()));
    if count.is_none_or(|count| count > COMBINATIONS_MAX) {
        let names: Vec<_> = axes.iter().map(|axis| axis.name).collect();
        let message = format!(
            "{} together give {} combinations; at most {COMBINATIONS_MAX} are simulated",
            names.join(" and "),
            count.map_or_else(|| "too many".to_owned(), |count| count.to_string())
        );
        errors.push(SimError::limit(
            names.first().copied().unwrap_or("kind"),
            message,
        ));
    }
    let start = start_index(&axes, start).unwrap_or_else(|error| {
        errors.push(error);
        0
    });
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut runs = Vec::with_capacity(count.unwrap_or(0));
    for values in combinations(&axes) {
        match run(&values) {
            Ok(trace) => runs.push(Run {
                parameters: axes.iter().map(|axis| axis.name).zip(values).collect(),
                trace,
            }),
            Err(error) if errors.contains(&error) => {}
            Err(error) => errors.push(error),
        }
    }
    let frames: usize = runs.iter().map(|run| run.trace.frames()).sum();
    if frames > FRAMES_TOTAL_MAX {
        let message = format!(
            "all combinations together have {frames} frames; at most {FRAMES_TOTAL_MAX} are shown"
        );
        errors.push(SimError::limit(kind.name(), message));
    }
    if errors.is_empty() {
        Ok(Runs {
            kind,
            axes,
            runs,
            start,
        })
    } else {
        Err(errors)
    }
}

fn check_axis(axis: &Axis) -> Vec<SimError> {
    let mut errors = Vec::new();
    if axis.values.is_empty() {
        errors.push(SimError::invalid(
            axis.name,
            "the list is empty; give at least one value",
        ));
    }
    for (index, value) in axis.values.iter().enumerate() {
        if axis
            .values
            .iter()
            .take(index)
            .any(|earlier| earlier == value)
        {
            errors.push(SimError::invalid(
                axis.name,
                format!("{value} stands twice"),
            ));
        }
    }
    errors
}

fn start_index(axes: &[Axis], start: &[(&'static str, Option<u32>)]) -> Result<usize, SimError> {
    let mut index = 0;
    for axis in axes {
        let wanted = start
            .iter()
            .find(|(name, _)| *name == axis.name)
            .and_then(|(_, value)| *value);
        let position = match wanted {
            None => 0,
            Some(value) => axis.values.iter().position(|other| *other == value).ok_or_else(|| {
                let message = format!(
                    "the run to start with has {value}, which is not among the values on offer: {}",
                    join_numbers(&axis.values)
                );
                SimError::invalid(format!("start.{}", axis.name), message)
            })?,
        };
        index = index * axis.values.len() + position;
    }
    Ok(index)
}

fn combinations(axes: &[Axis]) -> Vec<Vec<u32>> {
    axes.iter().fold(vec![Vec::new()], |prefixes, axis| {
        let extend = |prefix: &Vec<u32>| {
            let prefix = prefix.clone();
            axis.values.iter().map(move |value| {
                let mut values = prefix.clone();
                values.push(*value);
                values
            })
        };
        prefixes.iter().flat_map(extend).collect()
    })
}

fn join_numbers(values: &[u32]) -> String {
    let texts: Vec<_> = values.iter().map(u32::to_string).collect();
    texts.join(", ")
}
