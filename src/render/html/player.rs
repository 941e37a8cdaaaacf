//! The controls of a player, and the data that it steps through.
//!
//! The controls stand in the page from the start, so that nothing moves when the script takes
//! over; without scripts they are not shown. They show the step that the player opens at. The data
//! is a file, which the player asks for when its figure comes near.

use super::text::escape;
use super::writer::Writer;
use crate::sim::{FrameRun, Frames, Kind, LANES_SHOWN, Runs, Tracks};
use std::fmt::Write as _;

/// What a button does, and its words.
const BUTTONS: [(&str, &str); 5] = [
    ("first", "Reset"),
    ("back", "Back"),
    ("play", "Play"),
    ("next", "Step"),
    ("last", "To the end"),
];

/// Most values of a parameter that stand side by side; more are a list to open.
const RADIOS_MAX: usize = 8;

/// Most warps with a card each; beyond that the rows of the drawing say it.
const CARDS_MAX: usize = 8;

/// The parts of a figure that belong to its player.
pub(super) struct Player {
    /// The file of the data, beside the page.
    pub(super) file: String,
    /// The controls.
    pub(super) controls: String,
}

impl Writer<'_> {
    /// The player of the figure `name`, called `place` in ids. `first` are the tracks of the run that
    /// is shown first.
    pub(super) fn player(&mut self, name: &str, place: &str, runs: &Runs, first: Tracks) -> Player {
        let frames = Frames::with(runs, Some(first));
        let controls = controls(&frames, runs, place);
        let file = format!("{name}-frames.json");
        let path = format!("{}{file}", self.here.address);
        if !self.files.iter().any(|made| made.path.as_str() == path) {
            self.file(&path, frames.to_json());
        }
        Player { file, controls }
    }
}

fn controls(frames: &Frames, runs: &Runs, place: &str) -> String {
    let Some(shown) = frames.runs.get(frames.start) else {
        return String::new();
    };
    let mut html = "<div class=\"player live\">\n".to_owned();
    choices(&mut html, frames, shown, place);
    html.push_str("<div class=\"player-controls\" role=\"group\" aria-label=\"Steps\">");
    let last = shown.tracks.len().saturating_sub(1);
    let step = opening_step(frames, runs, shown);
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
    let moment = line.split([':', '–']).next().unwrap_or_default().trim();
    let _ = write!(
        html,
        "</div>\n<label class=\"player-range\">{} <input type=\"range\" min=\"0\" max=\"{last}\" value=\"{step}\" \
         aria-valuetext=\"{}\"></label>\n\
         <p class=\"player-line\" aria-hidden=\"true\">{}</p>\n<output class=\"player-said\"></output>\n",
        capitalised(frames.step),
        escape(moment),
        escape(&capitalised(line))
    );
    if runs.kind == Kind::WarpScheduler {
        cards(&mut html, frames, shown, step);
    }
    html.push_str("</div>\n");
    html
}

/// Where the player opens. What has runs to compare opens before the first step, so that the
/// picture does not give a prediction away; what runs once opens a step short of its picture, so
/// that there is a step to take.
fn opening_step(frames: &Frames, runs: &Runs, shown: &FrameRun) -> usize {
    if frames.headings.is_empty() {
        runs.kind.telling_step(shown.tracks.len()).saturating_sub(1)
    } else {
        0
    }
}

/// One choice for each parameter that has several values.
fn choices(html: &mut String, frames: &Frames, shown: &FrameRun, place: &str) {
    for (at, axis) in frames.axes.iter().enumerate() {
        if axis.values.len() < 2 {
            continue;
        }
        let legend = capitalised(axis.label);
        let (open, close) = if axis.values.len() > RADIOS_MAX {
            let open = format!(
                "<label class=\"player-choice\" data-axis=\"{}\"><b>{legend}</b> <select name=\"{place}-{}\">",
                axis.name, axis.name
            );
            (open, "</select></label>\n")
        } else {
            let open = format!(
                "<fieldset class=\"player-choice\" data-axis=\"{}\"><legend>{legend}</legend>",
                axis.name
            );
            (open, "</fieldset>\n")
        };
        html.push_str(&open);
        for value in &axis.values {
            let chosen = shown.parameters.get(at) == Some(value);
            if axis.values.len() > RADIOS_MAX {
                let selected = if chosen { " selected" } else { "" };
                let _ = write!(html, "<option{selected}>{value}</option>");
            } else {
                let checked = if chosen { " checked" } else { "" };
                let _ = write!(
                    html,
                    "<label><input type=\"radio\" name=\"{place}-{}\" value=\"{value}\"{checked}> {value}</label> ",
                    axis.name
                );
            }
        }
        html.push_str(close);
    }
}

/// A card for each warp: its state, and the sums of the lanes that are shown.
fn cards(html: &mut String, frames: &Frames, shown: &FrameRun, step: usize) {
    let tracks = &shown.tracks;
    if tracks.states.len() > CARDS_MAX {
        return;
    }
    html.push_str("<ul class=\"warps\">\n");
    for warp in 0..tracks.states.len() {
        let id = format!("w{warp}");
        let code = tracks.state(&id, step);
        let (state, words) = code
            .and_then(|code| frames.codes.get(&code).copied())
            .unwrap_or_default();
        let _ = write!(
            html,
            "<li class=\"warp\" data-cs=\"{id}\" data-state=\"{state}\"><b>W{warp}</b> \
             <span class=\"warp-state\" data-cs-word=\"{id}\">{words}</span>"
        );
        lanes(html, shown, &id, step);
        html.push_str("</li>\n");
    }
    html.push_str("</ul>\n");
}

fn lanes(html: &mut String, shown: &FrameRun, warp: &str, step: usize) {
    let ids: Vec<_> = (0..LANES_SHOWN)
        .map(|lane| format!("{warp}.lane{lane}"))
        .collect();
    if !ids.iter().any(|id| shown.tracks.texts.contains_key(id)) {
        return;
    }
    let last = LANES_SHOWN.saturating_sub(1);
    let _ = write!(
        html,
        " <span class=\"lanes\"><span class=\"lanes-of\">lanes 0–{last}</span>"
    );
    for id in ids {
        let text = shown.tracks.text(&id, step).unwrap_or_default();
        let _ = write!(
            html,
            " <span class=\"lane\" data-cs-text=\"{id}\">{}</span>",
            escape(text)
        );
    }
    html.push_str("</span>");
}

/// The text with a large first letter.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
