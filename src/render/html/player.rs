//! The controls of a player, and the data that it steps through.
//!
//! The controls stand in the page from the start, so that nothing moves when the script takes
//! over; without scripts they are not shown. They show the step that the drawing shows.

use super::text::escape;
use super::writer::Writer;
use crate::sim::{FrameRun, Frames, Runs};
use std::fmt::Write as _;

/// Longest player data that stands in the page itself, in bytes; longer data is a file that the
/// player asks for on first use.
const INLINE_FRAMES_MAX: usize = 12_288;

/// What a button does, and its words.
const BUTTONS: [(&str, &str); 5] = [
    ("first", "First"),
    ("back", "Back"),
    ("play", "Play"),
    ("next", "Next"),
    ("last", "Last"),
];

/// The parts of a figure that belong to its player.
pub(super) struct Player {
    /// An attribute of the figure that names the file of the data, if there is one.
    pub(super) attribute: String,
    /// The controls.
    pub(super) controls: String,
    /// The data, if it stands in the page.
    pub(super) data: String,
}

impl Writer<'_> {
    /// The player of the figure `name`, called `place` in ids.
    pub(super) fn player(&mut self, name: &str, place: &str, runs: &Runs) -> Player {
        let frames = Frames::new(runs);
        let json = frames.to_json();
        let controls = controls(&frames, runs, place);
        if json.len() <= INLINE_FRAMES_MAX {
            let data =
                format!("<script type=\"application/json\" class=\"frames\">{json}</script>\n");
            return Player {
                attribute: String::new(),
                controls,
                data,
            };
        }
        let file = format!("{name}-frames.json");
        let path = format!("{}{file}", self.here.address);
        if !self.files.iter().any(|made| made.path.as_str() == path) {
            self.file(&path, json);
        }
        Player {
            attribute: format!(" data-frames=\"{file}\""),
            controls,
            data: String::new(),
        }
    }
}

fn controls(frames: &Frames, runs: &Runs, place: &str) -> String {
    let Some(shown) = frames.runs.get(frames.start) else {
        return String::new();
    };
    let mut html = "<div class=\"player live\">\n".to_owned();
    choices(&mut html, frames, shown, place);
    html.push_str("<div class=\"player-controls\" role=\"toolbar\" aria-label=\"Steps\">");
    let last = shown.tracks.len().saturating_sub(1);
    let step = runs.kind.telling_step(shown.tracks.len());
    for (action, words) in BUTTONS {
        let idle = match action {
            "first" | "back" => step == 0,
            "next" | "last" => step == last,
            _ => false,
        };
        let disabled = if idle { " aria-disabled=\"true\"" } else { "" };
        let _ = write!(
            html,
            "<button type=\"button\" data-do=\"{action}\"{disabled}>{words}</button> "
        );
    }
    let line = shown.tracks.say.get(step).map_or("", String::as_str);
    let line = escape(line);
    let _ = write!(
        html,
        "</div>\n<label class=\"player-range\">Step <input type=\"range\" min=\"0\" max=\"{last}\" value=\"{step}\" \
         aria-valuetext=\"{line}\"></label>\n\
         <output class=\"player-line\" aria-live=\"polite\">{line}</output>\n</div>\n"
    );
    html
}

/// One choice for each parameter that has several values.
fn choices(html: &mut String, frames: &Frames, shown: &FrameRun, place: &str) {
    for (at, axis) in frames.axes.iter().enumerate() {
        if axis.values.len() < 2 {
            continue;
        }
        let _ = write!(
            html,
            "<fieldset class=\"player-choice\" data-axis=\"{}\"><legend>{}</legend>",
            axis.name,
            capitalised(axis.label)
        );
        for value in &axis.values {
            let is_shown = shown.parameters.get(at) == Some(value);
            let checked = if is_shown { " checked" } else { "" };
            let _ = write!(
                html,
                "<label><input type=\"radio\" name=\"{place}-{}\" value=\"{value}\"{checked}> {value}</label> ",
                axis.name
            );
        }
        html.push_str("</fieldset>\n");
    }
}

/// The text with a large first letter.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
