//! What a player shows at each step.
//!
//! Job: turn runs into frames that a browser only has to index. Input: [`Runs`].
//! Output: [`Frames`], which serialises to JSON. Invariant: every sentence, state and number is made
//! here, at build time; step 0 is the state before anything happened, and a run with `n` frames has
//! the steps `0` to `n − 1`.
//!
//! # The JSON
//!
//! ```json
//! {
//!   "version": 1,
//!   "kind": "warp-scheduler",
//!   "step": "cycle",
//!   "start": 0,
//!   "axes": [{"name": "residents", "label": "resident warps", "values": [1, 2]}],
//!   "codes": {"n": ["absent", "not resident"], "w": ["waiting", "waiting"]},
//!   "headings": ["resident warps", "cycles"],
//!   "runs": [
//!     {
//!       "parameters": [1],
//!       "row": ["1", "96"],
//!       "say": ["before cycle 0: …", "cycle 0: warp 0 loads A; 1 of 1 slot used"],
//!       "states": {"w0": "rii", "w1": "nnn"},
//!       "texts": {"w0.lane0": [[0, "0"], [6, "1"]]}
//!     }
//!   ]
//! }
//! ```
//!
//! - `step`: what one step is called (`cycle`, `step`).
//! - `axes`: the parameters to choose from, in order; `runs` holds every combination, the last axis
//!   fastest, so the run of value indices `i`, `j` is `runs[i * axes[1].values.length + j]`.
//! - `start`: the index of the run shown first.
//! - `headings` and `row`: the table of runs, parameters first.
//! - `say[step]`: one sentence for the live region. `say.length` is the number of frames.
//! - `states[id]`: one character a frame, one of `codes`. `codes[states[id][step]][0]` is the attribute
//!   `data-state` to set on each element with `data-cs="id"`; `codes[…][1]` is the text of each element
//!   with `data-cs-word="id"`.
//! - `texts[id]`: changes `[first step, text]` in order; at a step the last change that is not later
//!   holds. It is the text of the element with `data-cs-text="id"`.
//!
//! Elements of a drawing that appear at a step carry `data-from="step"` and need no track: see the
//! documentation of [`crate::draw`].

use std::collections::BTreeMap;

use serde::Serialize;

use super::Runs;

/// Most frames of one run.
pub const FRAMES_MAX: usize = 4096;
/// Most frames of all runs of a model together, so that a page stays light.
pub const FRAMES_TOTAL_MAX: usize = 16_384;

/// Everything that a player needs of one model; see the module documentation for the JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Frames {
    /// Version of this form.
    pub version: u32,
    /// Name of the machine.
    pub kind: &'static str,
    /// What one step is called.
    pub step: &'static str,
    /// Index of the run shown first.
    pub start: usize,
    /// Parameters on offer.
    pub axes: Vec<FrameAxis>,
    /// Attribute and words of each state, by its code.
    pub codes: BTreeMap<char, (&'static str, &'static str)>,
    /// Heads of the table of runs.
    pub headings: Vec<String>,
    /// Every combination.
    pub runs: Vec<FrameRun>,
}

/// A state that a shape can be in: its code in frames, its attribute in drawings, and its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code(pub char, pub &'static str, pub &'static str);

/// One parameter on offer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrameAxis {
    /// Name in addresses.
    pub name: &'static str,
    /// Name for a reader.
    pub label: &'static str,
    /// Values in the author's order.
    pub values: Vec<u32>,
}

/// The frames of one combination.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrameRun {
    /// Value of each axis.
    pub parameters: Vec<u32>,
    /// Cells of the table of runs.
    pub row: Vec<String>,
    /// What changes from step to step.
    #[serde(flatten)]
    pub tracks: Tracks,
}

/// What changes from step to step in one run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Tracks {
    /// One sentence a frame.
    pub say: Vec<String>,
    /// One state code a frame, by id.
    pub states: BTreeMap<String, String>,
    /// Changes of text as (first step, text), by id.
    pub texts: BTreeMap<String, Vec<(usize, String)>>,
}

impl Tracks {
    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.say.len()
    }

    /// Whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.say.is_empty()
    }

    /// The state code of `id` at `step`.
    pub fn state(&self, id: &str, step: usize) -> Option<char> {
        self.states.get(id)?.chars().nth(step)
    }

    /// The text of `id` at `step`.
    pub fn text(&self, id: &str, step: usize) -> Option<&str> {
        let changes = self.texts.get(id)?;
        let count = changes.partition_point(|(first, _)| *first <= step);
        changes
            .get(count.checked_sub(1)?)
            .map(|(_, text)| text.as_str())
    }

    pub(super) fn push_state(&mut self, id: &str, code: char) {
        if let Some(codes) = self.states.get_mut(id) {
            codes.push(code);
        } else {
            self.states.insert(id.to_owned(), code.to_string());
        }
    }

    pub(super) fn push_text(&mut self, id: &str, step: usize, text: String) {
        if self.text(id, step) == Some(text.as_str()) {
            return;
        }
        self.texts
            .entry(id.to_owned())
            .or_default()
            .push((step, text));
    }
}

impl Frames {
    /// The frames of every run.
    pub fn new(runs: &Runs) -> Self {
        Self::with(runs, None)
    }

    /// The same, where the tracks of the run that is shown first are known.
    pub fn with(runs: &Runs, mut first: Option<Tracks>) -> Self {
        let axes = runs.axes.iter().map(|axis| FrameAxis {
            name: axis.name,
            label: axis.label,
            values: axis.values.clone(),
        });
        let frame_runs = runs.runs.iter().enumerate().map(|(at, run)| FrameRun {
            parameters: run.parameters.iter().map(|(_, value)| *value).collect(),
            row: run.cells(),
            tracks: (at == runs.start)
                .then(|| first.take())
                .flatten()
                .unwrap_or_else(|| run.trace.tracks()),
        });
        Self {
            version: 1,
            kind: runs.kind.name(),
            step: runs.kind.step_name(),
            start: runs.start,
            axes: axes.collect(),
            codes: runs
                .kind
                .codes()
                .iter()
                .map(|code| (code.0, (code.1, code.2)))
                .collect(),
            headings: runs.table().headings,
            runs: frame_runs.collect(),
        }
    }

    /// Compact JSON, safe inside a `script` element: `<`, `>` and `&` are escaped.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string(self).unwrap_or_default();
        if !json.bytes().any(|byte| matches!(byte, b'&' | b'<' | b'>')) {
            return json;
        }
        json.replace('&', "\\u0026")
            .replace('<', "\\u003c")
            .replace('>', "\\u003e")
    }
}
