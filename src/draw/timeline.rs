//! The timeline of a warp scheduler run, drawn as cloth on a loom.
//!
//! Job: show which warp issued what in every cycle. Input: a trace and its frames. Output: a scene: a row
//! a warp with its state and accumulators, then bands of cycles with a thread a warp, a cell an issued
//! instruction, and a dash below each idle slot. Invariant: one mark a cycle.

use super::View;
use super::canvas::{Canvas, Label, Play};
use super::error::DrawError;
use super::font;
use super::scene::{Anchor, Frame, Role, Scene, Symbol};
use super::{Width, columns_of};
use crate::sim::{LANES_SHOWN, Operation, Tracks, WarpTrace};

const ROW_HEIGHT: f64 = 17.0;
const CELL_HEIGHT: f64 = 15.0;
const LABEL_WIDTH: f64 = 28.0;
/// From the end of a warp's name to its state.
const STATE_LEFT: f64 = 22.0;
const BAND_GAP: f64 = 10.0;
const PANEL_ROW: f64 = 20.0;

/// Measures that depend on the width.
struct Layout {
    width: f64,
    band_cycles: usize,
    pitch: f64,
    cell: f64,
}

impl Layout {
    fn of(width: Width) -> Self {
        match width {
            Width::Narrow => Self {
                width: 328.0,
                band_cycles: 24,
                pitch: 12.5,
                cell: 11.5,
            },
            Width::Wide => Self {
                width: 704.0,
                band_cycles: 48,
                pitch: 14.0,
                cell: 13.0,
            },
        }
    }
}

pub(super) fn scene(
    trace: &WarpTrace,
    tracks: &Tracks,
    play: Play,
    view: &View<'_>,
) -> Result<Scene, Vec<DrawError>> {
    let layout = Layout::of(view.width);
    let mut canvas = Canvas::new(tracks, play);
    symbols(&mut canvas, &layout);
    let mut y = heading(&mut canvas, trace, &layout);
    y = panel(&mut canvas, trace, &layout, y);
    y = legend(&mut canvas, &layout, y + 6.0);
    let cycles = trace.cycles();
    for first in (0..cycles).step_by(layout.band_cycles) {
        let last = (first + layout.band_cycles).min(cycles);
        y = band(&mut canvas, trace, &layout, (first, last, y + BAND_GAP));
    }
    canvas.finish((layout.width, y + 4.0), (view.title, view.description))
}

fn symbols(canvas: &mut Canvas<'_>, layout: &Layout) {
    let issued = [
        (Symbol::LoadA, Role::Load, Role::LoadInk, "A", 1.5),
        (Symbol::LoadB, Role::Load, Role::LoadInk, "B", 1.5),
        // The multiply-add is round where loads are square, so that it is told apart without colour.
        (
            Symbol::MultiplyAdd,
            Role::MultiplyAdd,
            Role::MultiplyAddInk,
            "M",
            5.5,
        ),
    ];
    for (symbol, role, ink, letter, radius) in issued {
        canvas.symbol(symbol, |canvas| {
            let frame = Frame {
                x: 0.0,
                y: 0.0,
                width: layout.cell,
                height: CELL_HEIGHT,
            };
            canvas.rect(frame, radius, role);
            let label = Label::at(layout.cell / 2.0, 11.5, layout.cell);
            canvas.text(
                label.size(11.0).bold().anchor(Anchor::Middle).role(ink),
                letter,
            );
        });
    }
    canvas.symbol(Symbol::Idle, |canvas| {
        let frame = Frame {
            x: layout.cell / 2.0 - 3.5,
            y: 0.0,
            width: 7.0,
            height: 2.5,
        };
        canvas.rect(frame, 0.0, Role::Idle);
    });
}

/// What was run on the left, what came of it on the right; below each other where there is no room.
fn heading(canvas: &mut Canvas<'_>, trace: &WarpTrace, layout: &Layout) -> f64 {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let residents = trace.residents as usize;
    let latency = trace.latency_cycles as usize;
    let run = format!(
        "{residents} resident warp{}, load latency {latency} cycle{}",
        plural(residents),
        plural(latency)
    );
    let result = format!("{} cycles, {} idle", trace.cycles(), trace.idle());
    let title = Label::at(0.0, 14.0, layout.width).size(13.0).bold();
    canvas.text(title, &run);
    let beside = font::width_px(&run, 13.0, font::Weight::Bold)
        + font::width_px(&result, 12.0, font::Weight::Regular);
    // What comes of the run is told when it is over, so that a player does not give it away.
    let over = canvas.from(trace.cycles() + 1);
    if beside + 24.0 <= layout.width {
        let label = Label::at(layout.width, 14.0, layout.width / 2.0);
        canvas.marked_text(label.anchor(Anchor::End).role(Role::Muted), &result, over);
        28.0
    } else {
        let label = Label::at(0.0, 31.0, layout.width).role(Role::Muted);
        canvas.marked_text(label, &result, over);
        44.0
    }
}

/// One row a warp: its mark, its state in words, its accumulators and when it was done.
fn panel(canvas: &mut Canvas<'_>, trace: &WarpTrace, layout: &Layout, top: f64) -> f64 {
    let lanes = if trace.accumulators.is_empty() {
        0
    } else {
        LANES_SHOWN
    };
    let done_width = 56.0;
    let state_width = 90.0;
    let lane_width =
        ((layout.width - LABEL_WIDTH - STATE_LEFT - state_width - done_width) / 4.0).min(64.0);
    let lane_end =
        |lane: usize| LABEL_WIDTH + STATE_LEFT + state_width + lane_width * columns_of(lane + 1);
    let head = |x, room| Label::at(x, top + 11.0, room).size(11.0).role(Role::Muted);
    canvas.text(head(0.0, LABEL_WIDTH + 8.0), "warp");
    canvas.text(head(LABEL_WIDTH + STATE_LEFT, state_width), "state");
    for lane in 0..lanes {
        // Where there is no room for the word, it stands once and holds for the numbers after it.
        let text = if lane_width > 46.0 || lane == 0 {
            format!("lane {lane}")
        } else {
            lane.to_string()
        };
        canvas.text(head(lane_end(lane), 40.0).anchor(Anchor::End), &text);
    }
    let done_end = lane_end(lanes.saturating_sub(1)) + done_width;
    canvas.text(head(done_end, done_width).anchor(Anchor::End), "done at");
    let mut y = top + 16.0;
    for warp in 0..trace.warps {
        canvas.line((0.0, y), (done_end, y), Role::Rule);
        let id = format!("w{warp}");
        let baseline = y + 14.5;
        canvas.text(
            Label::at(0.0, baseline, LABEL_WIDTH + 4.0).bold(),
            &format!("W{warp}"),
        );
        let mark = canvas.state(&id);
        let frame = Frame {
            x: LABEL_WIDTH + 6.0,
            y: y + 5.0,
            width: 10.0,
            height: 10.0,
        };
        canvas.group(Role::WarpMark, mark, |canvas| {
            canvas.rect(frame, 1.5, Role::Plain);
        });
        canvas.track_word(
            Label::at(LABEL_WIDTH + STATE_LEFT, baseline, state_width),
            &id,
        );
        for lane in 0..lanes {
            let label = Label::at(lane_end(lane), baseline, lane_width - 4.0).anchor(Anchor::End);
            canvas.track_text(label, &format!("{id}.lane{lane}"));
        }
        if let Some(finish) = trace.finish.get(warp) {
            let label = Label::at(done_end, baseline, done_width - 4.0).anchor(Anchor::End);
            let mark = canvas.from(*finish as usize);
            canvas.marked_text(label, &finish.to_string(), mark);
        }
        y += PANEL_ROW;
    }
    canvas.line((0.0, y), (done_end, y), Role::Rule);
    y
}

/// What the marks mean.
fn legend(canvas: &mut Canvas<'_>, layout: &Layout, top: f64) -> f64 {
    let entries = [
        (Symbol::LoadA, "load A"),
        (Symbol::LoadB, "load B"),
        (Symbol::MultiplyAdd, "multiply-add"),
        (Symbol::Idle, "idle"),
    ];
    let mut x = 0.0;
    for (symbol, words) in entries {
        let offset = if symbol == Symbol::Idle {
            CELL_HEIGHT / 2.0 - 1.0
        } else {
            0.0
        };
        canvas.copy_always(symbol, (x, top + offset));
        let width = font::width_px(words, 11.0, font::Weight::Regular);
        canvas.text(
            Label::at(x + layout.cell + 4.0, top + 11.5, width + 1.0)
                .size(11.0)
                .role(Role::Muted),
            words,
        );
        x += layout.cell + width + 16.0;
    }
    top + CELL_HEIGHT
}

/// One band of cycles: the axis, a thread a warp, the cells, and the idle marks at its foot.
fn band(
    canvas: &mut Canvas<'_>,
    trace: &WarpTrace,
    layout: &Layout,
    (first, last, top): (usize, usize, f64),
) -> f64 {
    let x = |cycle: usize| LABEL_WIDTH + layout.pitch * columns_of(cycle - first);
    let end = x(last);
    for cycle in (first..last).step_by(4) {
        let label = Label::at(x(cycle) + layout.cell / 2.0, top + 9.0, layout.pitch * 3.6);
        canvas.text(
            label.size(11.0).anchor(Anchor::Middle).role(Role::Muted),
            &cycle.to_string(),
        );
    }
    let rows = rows_of_band(trace, first, last);
    let row_top = |row: usize| top + 13.0 + ROW_HEIGHT * columns_of(row);
    for (row, warp) in rows.iter().enumerate() {
        let middle = row_top(row) + CELL_HEIGHT / 2.0;
        canvas.text(
            Label::at(0.0, middle + 4.2, LABEL_WIDTH - 2.0).size(11.0),
            &format!("W{warp}"),
        );
        canvas.line(
            (LABEL_WIDTH - 2.0, middle),
            (end + 2.0, middle),
            Role::Thread,
        );
    }
    let foot = row_top(rows.len());
    let slots = trace.slots.iter().enumerate().take(last).skip(first);
    for (cycle, slot) in slots {
        let placed =
            slot.and_then(|slot| Some((slot, rows.iter().position(|warp| *warp == slot.warp)?)));
        match placed {
            Some((slot, row)) => {
                let symbol = match slot.operation {
                    Operation::LoadA => Symbol::LoadA,
                    Operation::LoadB => Symbol::LoadB,
                    Operation::MultiplyAdd => Symbol::MultiplyAdd,
                };
                canvas.copy(symbol, (x(cycle), row_top(row)), cycle + 1);
            }
            None => canvas.copy(Symbol::Idle, (x(cycle), foot + 2.0), cycle + 1),
        }
    }
    foot + 6.0
}

/// The warps that have a row in a band: all of them, or of many only those that issue in it.
fn rows_of_band(trace: &WarpTrace, first: usize, last: usize) -> Vec<usize> {
    let issues = |warp: usize| {
        let slots = trace.slots.iter().take(last).skip(first);
        slots.flatten().any(|slot| slot.warp == warp)
    };
    (0..trace.warps)
        .filter(|warp| trace.warps <= 8 || issues(*warp))
        .collect()
}
