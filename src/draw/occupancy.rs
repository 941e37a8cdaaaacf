//! The occupancy stepper: SMs side by side, their warp slots, and the loads in flight.
//!
//! Job: show that two ways of supplying loads come to the same total. Input: a trace and its frames.
//! Output: a scene with a panel a configuration: the slots (a filled one is a resident warp, each stroke
//! in it a load), the arithmetic, the total and what was measured. Invariant: as many strokes are drawn
//! as loads are in flight.

use super::View;
use super::canvas::{Canvas, Label, Play};
use super::error::DrawError;
use super::font;
use super::scene::{Anchor, Frame, Mark, Role, Scene};
use super::{Width, columns_of};
use crate::sim::{Configuration, OccupancyStep, OccupancyTrace, Tracks};

const SLOTS_A_ROW: usize = 8;
const SLOT_GAP: f64 = 4.0;
const STROKES_A_ROW: usize = 8;
const STROKE_HEIGHT: f64 = 9.0;
const PANEL_WIDTH: f64 = 340.0;
const PADDING: f64 = 14.0;
const PANEL_GAP: f64 = 16.0;

pub(super) fn scene(
    trace: &OccupancyTrace,
    tracks: &Tracks,
    play: Play,
    view: &View<'_>,
) -> Result<Scene, Vec<DrawError>> {
    let mut canvas = Canvas::new(tracks, play);
    let (columns, panel_width) = match view.width {
        Width::Narrow => (1, 328.0),
        Width::Wide => (trace.configurations.len().clamp(1, 2), PANEL_WIDTH),
    };
    let width = panel_width * columns_of(columns) + PANEL_GAP * columns_of(columns - 1);
    let lines = canvas.paragraph(
        Label::at(0.0, 15.0, width).size(15.0).bold(),
        19.0,
        view.title,
    );
    let mut y = 2.0 + 19.0 * columns_of(lines);
    let device = device_words(trace);
    let lines = canvas.paragraph(
        Label::at(0.0, y + 12.0, width).role(Role::Muted),
        16.0,
        &device,
    );
    y += 16.0 * columns_of(lines) + 12.0;
    for row in trace.configurations.chunks(columns) {
        // The panels of a row are equally tall, and their slots begin at one height.
        let heights = Heights::of(trace, row, panel_width);
        let height = heights.total();
        for (column, configuration) in row.iter().enumerate() {
            let x = (panel_width + PANEL_GAP) * columns_of(column);
            let frame = Frame {
                x: x + 0.5,
                y: y + 0.5,
                width: panel_width - 1.0,
                height: height - 1.0,
            };
            canvas.rect(frame, 4.0, Role::Box);
            panel(&mut canvas, trace, configuration, (frame, &heights));
        }
        y += height + PANEL_GAP;
    }
    canvas.finish((width, y - PANEL_GAP), (view.title, view.description))
}

/// What the device is and how many warps one of its SMs holds.
fn device_words(trace: &OccupancyTrace) -> String {
    let device = &trace.device;
    let capability = match device.compute_capability.as_str() {
        "" => String::new(),
        known => format!(", compute capability {known}"),
    };
    let plural = if device.max_warps == 1 { "" } else { "s" };
    format!(
        "{}{capability}: {} warp slot{plural} on each SM",
        device.name, device.max_warps
    )
}

/// Heights inside the panels of a row.
struct Heights {
    label_lines: usize,
    slot: f64,
    slot_rows: usize,
    measured: usize,
}

impl Heights {
    fn of(trace: &OccupancyTrace, row: &[Configuration], width: f64) -> Self {
        let room = width - 2.0 * PADDING;
        let lines = |configuration: &Configuration| {
            font::wrap(&configuration.label, room, 13.0, font::Weight::Bold).len()
        };
        let most = trace
            .configurations
            .iter()
            .map(Configuration::loads_per_thread)
            .max()
            .unwrap_or(1);
        let stroke_rows = usize::try_from(most).unwrap_or(1).div_ceil(STROKES_A_ROW);
        Self {
            label_lines: row.iter().map(lines).max().unwrap_or(1),
            slot: 11.0
                + STROKE_HEIGHT * columns_of(stroke_rows)
                + 3.0 * columns_of(stroke_rows - 1),
            slot_rows: (trace.device.max_warps as usize).div_ceil(SLOTS_A_ROW),
            measured: row
                .iter()
                .map(|configuration| configuration.measured.len())
                .max()
                .unwrap_or(0),
        }
    }

    fn slots_top(&self) -> f64 {
        PADDING + 17.0 * columns_of(self.label_lines) + 6.0
    }

    fn slots_end(&self) -> f64 {
        self.slots_top() + (self.slot + SLOT_GAP) * columns_of(self.slot_rows) - SLOT_GAP
    }

    fn total(&self) -> f64 {
        let measured = if self.measured == 0 {
            0.0
        } else {
            12.0 + 18.0 * columns_of(self.measured)
        };
        self.slots_end() + 62.0 + measured + PADDING - 4.0
    }
}

fn panel(
    canvas: &mut Canvas<'_>,
    trace: &OccupancyTrace,
    configuration: &Configuration,
    (frame, heights): (Frame, &Heights),
) {
    let (x, room) = (frame.x + PADDING, frame.width + 1.0 - 2.0 * PADDING);
    let label = Label::at(x, frame.y + PADDING + 11.0, room)
        .size(13.0)
        .bold();
    canvas.paragraph(label, 17.0, &configuration.label);
    // Whole pixels keep the slots sharp.
    let pitch = ((room + SLOT_GAP) / columns_of(SLOTS_A_ROW)).floor();
    let slots: Vec<_> = (0..trace.device.max_warps as usize)
        .map(|slot| {
            let (row, column) = (slot / SLOTS_A_ROW, slot % SLOTS_A_ROW);
            (
                x + pitch * columns_of(column),
                frame.y + heights.slots_top() + (heights.slot + SLOT_GAP) * columns_of(row),
            )
        })
        .collect();
    warps(
        canvas,
        &trace.steps(),
        configuration,
        &slots,
        (pitch - SLOT_GAP, heights.slot),
    );
    let y = frame.y + heights.slots_end();
    let id = &configuration.id;
    let total = Label::at(x, y + 36.0, 90.0)
        .size(30.0)
        .bold()
        .role(Role::LoadText);
    canvas.track_text(total, &format!("{id}.total"));
    canvas.text(
        Label::at(x, y + 54.0, 110.0).size(11.0).role(Role::Muted),
        "loads in flight",
    );
    let sum = Label::at(frame.x + frame.width - PADDING, y + 33.0, room - 60.0);
    canvas.track_text(sum.anchor(Anchor::End), &format!("{id}.sum"));
    measured(canvas, trace, configuration, (x, y + 66.0, room));
}

/// The slots, the resident warps in them, and a stroke for each load.
fn warps(
    canvas: &mut Canvas<'_>,
    steps: &[OccupancyStep],
    configuration: &Configuration,
    slots: &[(f64, f64)],
    size: (f64, f64),
) {
    let mark = |canvas: &Canvas<'_>, step: OccupancyStep| {
        let position = steps.iter().position(|known| *known == step);
        canvas.from(position.unwrap_or_default())
    };
    canvas.tiles(slots.to_vec(), size, Role::Slot, Mark::default());
    let count = usize::try_from(configuration.resident_warps).unwrap_or(usize::MAX);
    let resident: Vec<_> = slots.iter().copied().take(count).collect();
    let first = mark(canvas, OccupancyStep::Resident);
    canvas.tiles(resident.clone(), size, Role::Warp, first);
    let loads = usize::try_from(configuration.loads_per_thread()).unwrap_or(1);
    let pitch = ((size.0 - 7.0) / columns_of(STROKES_A_ROW) * 2.0).floor() / 2.0;
    let strokes = |range: std::ops::Range<usize>| -> Vec<_> {
        let of_warp = |(x, y): (f64, f64)| {
            range.clone().map(move |load| {
                let (row, column) = (load / STROKES_A_ROW, load % STROKES_A_ROW);
                (
                    x + 4.0 + pitch * columns_of(column),
                    y + 5.5 + (STROKE_HEIGHT + 3.0) * columns_of(row),
                )
            })
        };
        resident.iter().copied().flat_map(of_warp).collect()
    };
    let stroke = ((pitch * 0.65 * 4.0).round() / 4.0, STROKE_HEIGHT);
    let one = mark(canvas, OccupancyStep::OneRequest);
    canvas.tiles(strokes(0..1), stroke, Role::Load, one);
    let every = mark(canvas, OccupancyStep::AllRequests);
    canvas.tiles(strokes(1..loads), stroke, Role::Load, every);
}

/// What the configuration measured, below a line.
fn measured(
    canvas: &mut Canvas<'_>,
    trace: &OccupancyTrace,
    configuration: &Configuration,
    at: (f64, f64, f64),
) {
    let (x, y, room) = at;
    let Some(step) = trace
        .steps()
        .iter()
        .position(|step| *step == OccupancyStep::Measured)
    else {
        return;
    };
    let mark = canvas.from(step);
    canvas.group(Role::Plain, mark, |canvas| {
        for (index, measured) in configuration.measured.iter().enumerate() {
            if index == 0 {
                canvas.line((x, y), (x + room, y), Role::Rule);
            }
            let baseline = y + 18.0 + 18.0 * columns_of(index);
            let words = measured.words();
            let value_width = font::width_px(&words, 12.0, font::Weight::Bold);
            canvas.text(
                Label::at(x, baseline, room - value_width - 12.0).role(Role::Muted),
                &measured.title,
            );
            canvas.text(
                Label::at(x + room, baseline, room / 2.0)
                    .bold()
                    .anchor(Anchor::End),
                &words,
            );
        }
    });
}
