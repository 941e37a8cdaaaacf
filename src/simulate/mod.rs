//! Runs every model, diagram and preset of a site.
//!
//! Takes resolved entries; gives [`Simulations`]: the runs of each model and diagram. The machines
//! themselves are in [`crate::sim`] and know nothing of sites; here their parameters are read from
//! what authors wrote, and their faults get places.

mod operands;
mod settings;

use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::dataset::Visibility;
use crate::model::entry::Entry;
use crate::model::figure::{Diagram, Preset};
use crate::model::slug::Slug;
use crate::sim::{self, Measured, Runs, SimError, SimErrorKind};
use crate::source::{Digest, Hasher, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The runs of one entry; `None` where the parameters are faulty, which has been reported.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EntryRuns {
    /// Beside `models`.
    pub models: Vec<Option<Runs>>,
    /// Beside `diagrams`.
    pub diagrams: Vec<Option<Runs>>,
}

impl EntryRuns {
    /// The digest of what each model and diagram did, by its kind and name: part of what people
    /// sign, since the pictures and numbers of the page come from it.
    pub fn trace_digests(&self, entry: &Entry) -> BTreeMap<String, Digest> {
        let models = entry.models.iter().zip(&self.models);
        let models = models.map(|(model, runs)| (format!("model {}", model.name.value), runs));
        let diagrams = entry.diagrams.iter().zip(&self.diagrams);
        let diagrams =
            diagrams.map(|(diagram, runs)| (format!("diagram {}", diagram.name.value), runs));
        models
            .chain(diagrams)
            .filter_map(|(name, runs)| Some((name, digest(runs.as_ref()?))))
            .collect()
    }
}

/// The digest of every result of every run. Results and not sentences: wording a step anew must
/// not void what people signed.
fn digest(runs: &Runs) -> Digest {
    let mut hasher = Hasher::new();
    hasher.field(runs.kind.name());
    for run in &runs.runs {
        for (name, value) in &run.parameters {
            hasher.field(name).field(value.to_string());
        }
        for name in run.trace.result_names() {
            let value = run.trace.result(&name);
            let text = value.map(|value| format!("{}/{}", value.numerator, value.denominator));
            hasher.field(&name).field(text.unwrap_or_default());
        }
    }
    hasher.finish()
}

/// All runs of a site.
#[derive(Debug, Default)]
pub struct Simulations {
    /// Beside the site's entries.
    pub entries: Vec<Arc<EntryRuns>>,
    /// Runs of each preset by itself, for formulas; `None` for a faulty one.
    pub presets: Arc<BTreeMap<Slug, Option<Runs>>>,
}

/// The presets of a site, read and run.
#[derive(Debug, Clone, Copy)]
pub struct Presets<'a> {
    /// As they were read; `None` for one that cannot be.
    pub read: &'a BTreeMap<Slug, Option<Preset>>,
    /// As they ran; `None` for a faulty one.
    pub runs: &'a BTreeMap<Slug, Option<Runs>>,
}

/// Runs every preset by itself.
pub fn presets(
    presets: &BTreeMap<Slug, Option<Preset>>,
    out: &mut Diagnostics,
) -> BTreeMap<Slug, Option<Runs>> {
    let mut all = BTreeMap::new();
    for (name, preset) in presets {
        let runs = preset.as_ref().and_then(|preset| run_preset(preset, out));
        all.insert(name.clone(), runs);
    }
    all
}

/// Runs the models and diagrams of an entry. Of the presets it depends on those that its diagrams
/// name, and on all names where one of them is unknown.
pub fn entry(entry: &Entry, presets: Presets<'_>, out: &mut Diagnostics) -> EntryRuns {
    let from = out.len();
    let models = entry
        .models
        .iter()
        .map(|model| {
            let kind = model.kind.as_ref()?;
            let simulation = settings::model(kind, &model.settings, entry, out)?;
            report(simulation.run(), &model.settings, model.span, out)
        })
        .collect();
    let diagrams = entry
        .diagrams
        .iter()
        .map(|diagram| run_diagram(diagram, entry, presets, out))
        .collect();
    out.name_entry_from(from, &entry.id.shared());
    EntryRuns { models, diagrams }
}

fn run_preset(preset: &Preset, out: &mut Diagnostics) -> Option<Runs> {
    let kind = preset.kind.as_ref()?;
    let simulation = settings::preset(kind, &preset.settings, &BTreeMap::new(), out)?;
    let runs = report(
        simulation.run(),
        &preset.settings,
        preset.settings.span,
        out,
    )?;
    preset.title.as_ref()?;
    Some(runs)
}

/// A diagram's runs: those of its preset, with what the tied rows measured.
fn run_diagram(
    diagram: &Diagram,
    entry: &Entry,
    presets: Presets<'_>,
    out: &mut Diagnostics,
) -> Option<Runs> {
    let name = diagram.preset.as_ref()?;
    let found =
        Slug::new(&name.value).and_then(|slug| presets.runs.get(&slug).map(|runs| (slug, runs)));
    let Some((slug, plain)) = found else {
        unknown_preset(name, presets.runs, out);
        return None;
    };
    let preset = presets.read.get(&slug)?.as_ref();
    // A faulty preset has its finding, which is a fault of every entry that shows it.
    let (preset, plain) = preset.zip(plain.as_ref())?;
    if diagram.rows.is_empty() {
        return Some(plain.clone());
    }
    let tied = tie_rows(diagram, entry, plain, out);
    let kind = preset.kind.as_ref()?;
    let simulation = settings::preset(kind, &preset.settings, &tied, &mut Diagnostics::new())?;
    simulation.run().ok()
}

fn unknown_preset(
    name: &crate::source::Spanned<String>,
    presets: &BTreeMap<Slug, Option<Runs>>,
    out: &mut Diagnostics,
) {
    let climbs = name.value.contains("..") || name.value.contains(['/', '\\']);
    let near = nearest(&name.value, presets.keys().map(Slug::as_str));
    let (rule, label) = if climbs {
        (rule::UNSAFE_PATH, "a preset is named, not pathed")
    } else {
        (
            rule::UNKNOWN_PRESET,
            "no file of this name in `content/presets`",
        )
    };
    out.push(
        Diagnostic::new(
            rule,
            name.span,
            format!("there is no preset `{}`", name.value),
        )
        .label(label)
        .maybe_help(near.map(|near| format!("Did you mean `{near}`?"))),
    );
}

/// Columns of a tied row that must be what the preset comes to.
const AGREEING: [&str; 2] = ["loads_in_flight", "occupancy"];

/// What each configuration measured, by its id: all columns of the tied row but the first.
fn tie_rows(
    diagram: &Diagram,
    entry: &Entry,
    runs: &Runs,
    out: &mut Diagnostics,
) -> BTreeMap<String, Vec<Measured>> {
    let mut tied = BTreeMap::new();
    for (configuration, path) in &diagram.rows {
        let ids = configuration_ids(runs);
        if !ids.contains(&configuration.value) {
            let near = nearest(&configuration.value, ids.iter().map(String::as_str));
            out.push(
                Diagnostic::new(
                    rule::PRESET_MISMATCH,
                    configuration.span,
                    format!("the preset has no configuration `{}`", configuration.value),
                )
                .label("unknown configuration")
                .maybe_help(near.map(|near| format!("Did you mean `{near}`?"))),
            );
            continue;
        }
        let row = path.value.split_once('.').and_then(|(capture, row)| {
            let mut captures = entry.measured.iter();
            let capture = captures.find(|c| c.name.value.as_str() == capture)?;
            Some((capture, capture.row(row)?))
        });
        let Some((capture, row)) = row else {
            out.push(
                Diagnostic::new(
                    rule::PRESET_MISMATCH,
                    path.span,
                    format!("`{}` is no measured row of this entry", path.value),
                )
                .label("written as `capture.row`")
                .help("Name a capture of this entry and one of its rows."),
            );
            continue;
        };
        agree(configuration, capture, row, runs, path.span, out);
        let columns = capture.columns.iter().zip(&row.cells).skip(1);
        // What the table shows, the drawing shows, but for what its arithmetic says already.
        let columns = columns.filter(|(column, _)| {
            column.visibility == Visibility::Shown
                && !AGREEING.contains(&column.name.value.as_str())
        });
        let measured = columns.map(|(column, cell)| Measured {
            title: column.title.as_ref().unwrap_or(&column.name).value.clone(),
            value: cell.value.clone(),
            unit: column
                .unit
                .as_ref()
                .map_or_else(String::new, |unit| unit.value.clone()),
        });
        tied.insert(configuration.value.clone(), measured.collect());
    }
    tied
}

fn configuration_ids(runs: &Runs) -> Vec<String> {
    let trace = runs.runs.first().map(|run| &run.trace);
    match trace {
        Some(sim::Trace::OccupancyStepper(trace)) => {
            trace.configurations.iter().map(|c| c.id.clone()).collect()
        }
        _ => Vec::new(),
    }
}

/// The columns [`AGREEING`] of a tied row must be what the preset comes to.
fn agree(
    configuration: &crate::source::Spanned<String>,
    capture: &crate::model::dataset::Capture,
    row: &crate::model::dataset::Row,
    runs: &Runs,
    place: Span,
    out: &mut Diagnostics,
) {
    for column in AGREEING {
        let Some(cell) = capture.column(column).and_then(|at| row.cells.get(at)) else {
            continue;
        };
        let Some(computed) = runs.result(&format!("{}.{column}", configuration.value)) else {
            continue;
        };
        let percent = column == "occupancy"
            && capture
                .column(column)
                .and_then(|at| capture.columns[at].unit.as_ref())
                .is_some_and(|unit| unit.value.trim() == "%");
        let factor = if percent { 100 } else { 1 };
        let Some(expected) = operands::scaled_text(computed, factor) else {
            continue;
        };
        if operands::same_number(&cell.value, computed, factor) {
            continue;
        }
        out.push(
            Diagnostic::new(
                rule::PRESET_MISMATCH,
                place,
                format!(
                    "`{}` of the row is {}, and the preset's `{}` comes to {expected}",
                    column, cell.value, configuration.value
                ),
            )
            .label("tied to this row")
            .related(cell.span, "measured with this")
            .help("Tie the configuration to the row that it stands for, or mend the preset."),
        );
    }
}

/// Gives the faults of a simulation their places: the node that `field` names, else the whole.
fn report(
    result: Result<Runs, Vec<SimError>>,
    settings: &crate::model::tree::Node,
    whole: Span,
    out: &mut Diagnostics,
) -> Option<Runs> {
    let errors = match result {
        Ok(runs) => return Some(runs),
        Err(errors) => errors,
    };
    for (error, more) in one_each(errors) {
        let span = settings::place(settings, &error.field).unwrap_or(whole);
        let rule = match error.kind {
            SimErrorKind::Invalid => rule::BAD_MODEL,
            SimErrorKind::Limit => rule::TOO_LARGE,
            SimErrorKind::Mismatch => rule::PRESET_MISMATCH,
        };
        let help = match error.kind {
            SimErrorKind::Invalid => "Write a value that such a machine can have.",
            SimErrorKind::Limit => "Ask for less: all of it is simulated and drawn in full.",
            SimErrorKind::Mismatch => "Correct the total, or the numbers that it comes from.",
        };
        let message = format!("`{}`: {}", error.field, error.message);
        let mut finding = Diagnostic::new(rule, span, message)
            .label("this value")
            .help(help);
        if more > 0 {
            finding = finding.note(format!("{more} more values of it are at fault."));
        }
        out.push(finding);
    }
    None
}

/// The first error about each parameter, with the number of further ones: a list of two thousand
/// values that are too large is one fault.
fn one_each(errors: Vec<SimError>) -> Vec<(SimError, usize)> {
    let mut firsts: Vec<(SimError, usize)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for error in errors {
        let place = *places.entry(error.field.clone()).or_insert(firsts.len());
        if let Some((_, more)) = firsts.get_mut(place) {
            *more += 1;
        } else {
            firsts.push((error, 0));
        }
    }
    firsts
}
