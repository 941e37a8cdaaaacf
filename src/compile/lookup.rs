//! Results of simulations for formulas.

use crate::evaluate::lookup::{Asked, Lookup, LookupError};
use crate::model::entry::Entry;
use crate::model::number::Exact;
use crate::model::slug::Slug;
use crate::sim::{Ratio, Runs};
use crate::simulate::EntryRuns;
use std::cell::Cell;
use std::collections::BTreeMap;

/// What the formulas of one entry may ask.
#[derive(Debug)]
pub(super) struct EntryLookup<'a> {
    pub(super) entry: &'a Entry,
    pub(super) runs: &'a EntryRuns,
    pub(super) presets: &'a BTreeMap<Slug, Option<Runs>>,
    /// Whether one has asked about presets.
    pub(super) has_asked_presets: Cell<bool>,
}

impl Lookup for EntryLookup<'_> {
    fn model_result(
        &self,
        model: &str,
        settings: &[(String, Exact)],
        result: &str,
    ) -> Result<Exact, LookupError> {
        let names = || self.entry.models.iter().map(|m| m.name.value.to_string());
        let place = self
            .entry
            .models
            .iter()
            .position(|m| m.name.value.as_str() == model);
        let Some(place) = place else {
            return Err(wrong(
                Asked::Name,
                format!("the entry has no model `{model}`"),
                names().collect(),
            ));
        };
        let runs = self.runs.models.get(place).and_then(Option::as_ref);
        let runs = runs.ok_or(LookupError::Reported)?;
        let wanted = wanted(settings, runs)?;
        let pairs: Vec<(&str, u32)> = wanted.iter().map(|(n, v)| (n.as_str(), *v)).collect();
        let run = runs
            .find(&pairs)
            .map_err(|error| setting_error(&error, settings, runs))?;
        let value = run.trace.result(result);
        exact(value, result, || run.trace.result_names())
    }

    fn preset_total(
        &self,
        preset: &str,
        configuration: &str,
        total: &str,
    ) -> Result<Exact, LookupError> {
        self.has_asked_presets.set(true);
        let found = Slug::new(preset).and_then(|slug| self.presets.get(&slug));
        let Some(runs) = found else {
            return Err(wrong(
                Asked::Name,
                format!("there is no preset `{preset}`"),
                self.preset_names(),
            ));
        };
        let runs = runs.as_ref().ok_or(LookupError::Reported)?;
        let names = || {
            let trace = runs.runs.first().map(|run| &run.trace);
            trace
                .map(crate::sim::Trace::result_names)
                .unwrap_or_default()
        };
        let result = runs.result(&format!("{configuration}.{total}"));
        let of = |name: &String| name.split_once('.').map(|(first, _)| first.to_owned());
        let configurations = || names().iter().filter_map(of).collect::<Vec<_>>();
        if result.is_none() && !configurations().iter().any(|name| name == configuration) {
            return Err(wrong(
                Asked::Configuration,
                format!("the preset `{preset}` has no configuration `{configuration}`"),
                configurations(),
            ));
        }
        exact(result, total, || {
            let prefix = format!("{configuration}.");
            let of = |name: &String| name.strip_prefix(&prefix).map(str::to_owned);
            names().iter().filter_map(of).collect()
        })
    }

    fn preset_names(&self) -> Vec<String> {
        self.has_asked_presets.set(true);
        self.presets.keys().map(Slug::to_string).collect()
    }
}

/// The settings as whole numbers.
fn wanted(settings: &[(String, Exact)], runs: &Runs) -> Result<Vec<(String, u32)>, LookupError> {
    let mut wanted = Vec::new();
    for (place, (name, value)) in settings.iter().enumerate() {
        let whole = value.to_whole().and_then(|value| u32::try_from(value).ok());
        let Some(whole) = whole else {
            let message = format!("`{name}` takes a whole number");
            return Err(wrong(Asked::Setting(place), message, offered(runs, name)));
        };
        wanted.push((name.clone(), whole));
    }
    Ok(wanted)
}

/// The values that a model offers for a setting.
fn offered(runs: &Runs, name: &str) -> Vec<String> {
    let axis = runs.axes.iter().find(|axis| axis.name == name);
    axis.map_or_else(Vec::new, |axis| {
        axis.values.iter().map(ToString::to_string).collect()
    })
}

/// Which setting a simulation's complaint is about.
fn setting_error(
    error: &crate::sim::SimError,
    settings: &[(String, Exact)],
    runs: &Runs,
) -> LookupError {
    let place = settings.iter().position(|(name, _)| *name == error.field);
    let known_axis = runs.axes.iter().any(|axis| axis.name == error.field);
    let known = if known_axis {
        offered(runs, &error.field)
    } else {
        runs.axes.iter().map(|axis| axis.name.to_owned()).collect()
    };
    let message = format!("`{}`: {}", error.field, error.message);
    wrong(place.map_or(Asked::Name, Asked::Setting), message, known)
}

fn exact(
    value: Option<Ratio>,
    asked: &str,
    known: impl FnOnce() -> Vec<String>,
) -> Result<Exact, LookupError> {
    value
        .and_then(|ratio| Exact::ratio(ratio.numerator, ratio.denominator))
        .ok_or_else(|| {
            wrong(
                Asked::Result,
                format!("there is no result `{asked}`"),
                known(),
            )
        })
}

fn wrong(asked: Asked, message: String, known: Vec<String>) -> LookupError {
    LookupError::Wrong {
        asked,
        message,
        known,
    }
}
