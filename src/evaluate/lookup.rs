//! What formulas ask of simulations.

use crate::model::number::Exact;

/// The part of a reference that is at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The name of the model or preset.
    Name,
    /// A model's setting, by its position in the formula.
    Setting(usize),
    /// A preset's configuration.
    Configuration,
    /// The path of the result.
    Result,
}

/// Why a simulation gives no such result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookupError {
    /// The reference is wrong.
    Wrong {
        /// Which part of it.
        asked: Asked,
        /// What is wrong, as a headline.
        message: String,
        /// What could stand there instead; the nearest is suggested.
        known: Vec<String>,
    },
    /// The model or preset itself is at fault, which has been reported where it stands.
    Reported,
}

/// Results of simulations, which formulas may name. Captures and matrices need no lookup: they
/// belong to the entry.
pub trait Lookup {
    /// The result `result` (such as `cycles` or `acc.w0.k1.lane3`) of a model of the entry at
    /// these settings.
    fn model_result(
        &self,
        model: &str,
        settings: &[(String, Exact)],
        result: &str,
    ) -> Result<Exact, LookupError>;

    /// A total (such as `loads_in_flight`) of a configuration of a preset.
    fn preset_total(
        &self,
        preset: &str,
        configuration: &str,
        total: &str,
    ) -> Result<Exact, LookupError>;

    /// The names of the presets, for suggestions.
    fn preset_names(&self) -> Vec<String>;
}
