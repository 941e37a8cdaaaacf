//! A column of measurements as bars.
//!
//! Job: show how the rows of one column compare. Input: labels, and each value both as its table prints
//! it and as a number. Output: a scene. Invariant: every bar begins at zero, and the number beside it is
//! the one that was captured, digit for digit.

use super::canvas::{Canvas, Label, Moment, Play};
use super::error::DrawError;
use super::font::{self, Weight};
use super::scene::{Anchor, Frame, Role, Scene};
use super::{Width, columns_of};
use crate::sim::Tracks;

const ROW_HEIGHT: f64 = 26.0;
const BAR_HEIGHT: f64 = 14.0;
const TEXT_GAP: f64 = 8.0;

/// One bar.
#[derive(Debug, Clone, PartialEq)]
pub struct PlotRow {
    /// The row's name.
    pub label: String,
    /// The value as the table prints it.
    pub text: String,
    /// The value as a number.
    pub value: f64,
}

/// A column to be plotted.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot<'a> {
    /// What was measured.
    pub title: &'a str,
    /// In which unit; empty for a plain number.
    pub unit: &'a str,
    /// The alternative text.
    pub description: &'a str,
    /// The bars, in the order of the table.
    pub rows: &'a [PlotRow],
    /// The column that it is made for.
    pub width: Width,
}

/// Plots a column.
pub fn plot(plot: &Plot<'_>) -> Result<Scene, Vec<DrawError>> {
    let errors: Vec<DrawError> = plot.rows.iter().filter_map(check).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let width = match plot.width {
        Width::Narrow => 328.0,
        Width::Wide => 640.0,
    };
    let tracks = Tracks::default();
    let play = Play {
        kind: None,
        moment: Moment::Whole,
        telling_step: 0,
    };
    let mut canvas = Canvas::new(&tracks, play);
    let title = match plot.unit {
        "" => plot.title.to_owned(),
        unit => format!("{}, {unit}", plot.title),
    };
    let lines = canvas.paragraph(Label::at(0.0, 13.0, width).size(13.0).bold(), 17.0, &title);
    let top = 17.0 * columns_of(lines) + 8.0;
    let widest = |texts: &dyn Fn(&PlotRow) -> f64| plot.rows.iter().map(texts).fold(0.0, f64::max);
    let label_room =
        widest(&|row| font::width_px(&row.label, 12.0, Weight::Regular)).min(width * 0.4);
    let value_room = widest(&|row| font::width_px(&row.text, 12.0, Weight::Bold)).min(width * 0.3);
    let left = label_room + TEXT_GAP;
    let length = width - left - value_room - TEXT_GAP;
    let greatest = plot.rows.iter().map(|row| row.value).fold(0.0, f64::max);
    let end = top + ROW_HEIGHT * columns_of(plot.rows.len());
    canvas.line((left, top), (left, end), Role::Arrow);
    for (index, row) in plot.rows.iter().enumerate() {
        let y = top + ROW_HEIGHT * columns_of(index) + (ROW_HEIGHT - BAR_HEIGHT) / 2.0;
        let bar = if greatest > 0.0 {
            length * row.value / greatest
        } else {
            0.0
        };
        let baseline = y + 11.5;
        canvas.text(
            Label::at(label_room, baseline, label_room + 0.5).anchor(Anchor::End),
            &row.label,
        );
        let frame = Frame {
            x: left,
            y,
            width: bar,
            height: BAR_HEIGHT,
        };
        canvas.rect(frame, 0.0, Role::Bar);
        canvas.text(
            Label::at(left + bar + TEXT_GAP, baseline, value_room + 0.5).bold(),
            &row.text,
        );
    }
    canvas.finish((width, end + 2.0), (plot.title, plot.description))
}

fn check(row: &PlotRow) -> Option<DrawError> {
    if row.value.is_finite() && row.value >= 0.0 {
        return None;
    }
    Some(DrawError::Plot {
        label: row.label.clone(),
        message: format!(
            "{} has no length; a bar stands for a number that is not below zero",
            row.text
        ),
    })
}
