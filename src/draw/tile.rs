//! Tile reuse: the matrices of a product with the tile that is worked on, and the counters.
//!
//! Job: show which values are fetched, shared and multiplied, and what that costs. Input: a trace and its
//! frames. Output: a scene with B above C, A to its left, so that a row of A meets a column of B in C.
//! Invariant: a cell's look is its state in the frames.

use super::View;
use super::canvas::{Canvas, Label, Play};
use super::error::DrawError;
use super::font::{self, Weight};
use super::scene::{Anchor, Frame, Mark, Role, Scene};
use super::{Width, columns_of};
use crate::sim::{Kind, TileTrace, Tracks};

const GAP: f64 = 26.0;
const CELL_MAX: f64 = 26.0;
const COUNTERS_WIDTH: f64 = 310.0;
const COUNTERS_GAP: f64 = 44.0;
const DIGIT_SIZE: f64 = 11.0;

pub(super) fn scene(
    trace: &TileTrace,
    tracks: &Tracks,
    play: Play,
    view: &View<'_>,
) -> Result<Scene, Vec<DrawError>> {
    let mut canvas = Canvas::new(tracks, play);
    let room = match view.width {
        Width::Narrow => 328.0,
        Width::Wide => 704.0,
    };
    let heading = if trace.edge == 1 {
        "Nothing is shared".to_owned()
    } else {
        format!("A shared tile of {0} × {0} values", trace.edge)
    };
    let (a, b) = (&trace.operands.a, &trace.operands.b);
    let columns = columns_of(a.columns() + b.columns());
    let cell = ((room - GAP) / columns).floor().min(CELL_MAX);
    let grids_width = columns * cell + GAP;
    let beside = grids_width + COUNTERS_GAP + COUNTERS_WIDTH <= room;
    let width = if beside {
        grids_width + COUNTERS_GAP + COUNTERS_WIDTH
    } else {
        grids_width.max(328.0)
    };
    let c_left = columns_of(a.columns()) * cell + GAP;
    let b_top = 44.0;
    let c_top = b_top + columns_of(b.rows()) * cell + GAP;
    let grids = [
        Grid {
            name: 'A',
            at: (0.0, c_top),
            rows: a.rows(),
            columns: a.columns(),
            cell,
        },
        Grid {
            name: 'B',
            at: (c_left, b_top),
            rows: b.rows(),
            columns: b.columns(),
            cell,
        },
        Grid {
            name: 'C',
            at: (c_left, c_top),
            rows: a.rows(),
            columns: b.columns(),
            cell,
        },
    ];
    canvas.text(Label::at(0.0, 14.0, width).size(13.0).bold(), &heading);
    let [grid_a, grid_b, grid_c] = &grids;
    grid_a.draw(&mut canvas, |row, column| Some((a.get(row, column)?, 0)));
    grid_b.draw(&mut canvas, |row, column| Some((b.get(row, column)?, 0)));
    grid_c.draw(&mut canvas, |row, column| {
        let sum = trace.product.get(row)?.get(column)?;
        Some((*sum, done_at(trace, row, column)?))
    });
    let y = c_top + columns_of(a.rows()) * cell + 14.0;
    let legend_width = if beside { grids_width } else { width };
    let codes = Kind::TileReuse.codes().iter().skip(1);
    let y = canvas.legend(codes, DIGIT_SIZE, (legend_width, y)) + 26.0;
    let y = if beside {
        let counters_end = counters(
            &mut canvas,
            trace,
            (grids_width + COUNTERS_GAP, COUNTERS_WIDTH, b_top),
        );
        y.max(counters_end)
    } else {
        counters(&mut canvas, trace, (0.0, width, y))
    };
    canvas.finish((width, y), (view.title, view.description))
}

/// The first step at which a sum of C is complete.
fn done_at(trace: &TileTrace, row: usize, column: usize) -> Option<usize> {
    (0..=trace.steps.len()).find(|step| trace.state_c(*step, row, column) == 'd')
}

/// One matrix as cells.
struct Grid {
    name: char,
    at: (f64, f64),
    rows: usize,
    columns: usize,
    cell: f64,
}

impl Grid {
    fn draw(&self, canvas: &mut Canvas<'_>, value: impl Fn(usize, usize) -> Option<(i64, usize)>) {
        let label = Label::at(self.at.0, self.at.1 - 6.0, 20.0).bold();
        canvas.text(label, &self.name.to_string());
        let prefix = self.name.to_ascii_lowercase();
        let digits = self.digits_fit(&value);
        for row in 0..self.rows {
            for column in 0..self.columns {
                let id = format!("{prefix}.r{row}.c{column}");
                let frame = Frame {
                    x: self.at.0 + columns_of(column) * self.cell + 1.0,
                    y: self.at.1 + columns_of(row) * self.cell + 1.0,
                    width: self.cell - 2.0,
                    height: self.cell - 2.0,
                };
                let mark = canvas.state(&id);
                canvas.group(Role::Cell, mark, |canvas| {
                    canvas.rect(frame, 1.0, Role::Plain);
                    if let Some((value, from)) = value(row, column).filter(|_| digits) {
                        let middle = (
                            frame.x + frame.width / 2.0,
                            frame.y + frame.height / 2.0 + 4.0,
                        );
                        let label = Label::at(middle.0, middle.1, frame.width);
                        let label = label.size(DIGIT_SIZE).anchor(Anchor::Middle);
                        let mark = if from == 0 {
                            Mark::default()
                        } else {
                            canvas.from(from)
                        };
                        canvas.marked_text(label, &value.to_string(), mark);
                    }
                });
            }
        }
    }

    /// Whether every value has room in its cell; otherwise the matrix is drawn as a map, without numbers.
    fn digits_fit(&self, value: impl Fn(usize, usize) -> Option<(i64, usize)>) -> bool {
        let places =
            (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        let values = places.filter_map(|(row, column)| value(row, column));
        let widest = values
            .map(|(value, _)| font::width_px(&value.to_string(), DIGIT_SIZE, Weight::Regular));
        self.cell >= 14.0 && widest.fold(0.0, f64::max) <= self.cell - 3.0
    }
}

/// The counters: what was fetched, and what it was good for.
fn counters(
    canvas: &mut Canvas<'_>,
    trace: &TileTrace,
    (left, width, top): (f64, f64, f64),
) -> f64 {
    let without = format!("of {} unshared", trace.fetches_without());
    let rows = [
        ("values of A fetched", "fetches_a", ""),
        ("values of B fetched", "fetches_b", ""),
        ("values fetched in all", "fetches", without.as_str()),
        ("multiply-adds", "multiply_adds", ""),
        ("multiply-adds a fetch", "reuse", ""),
        ("barriers", "barriers", ""),
    ];
    let right = left + 206.0;
    let mut y = top;
    for (name, id, note) in rows {
        canvas.line((left, y), (left + width.min(360.0), y), Role::Rule);
        canvas.text(Label::at(left, y + 14.5, 150.0).role(Role::Muted), name);
        canvas.track_text(
            Label::at(right, y + 14.5, 54.0).bold().anchor(Anchor::End),
            id,
        );
        if !note.is_empty() {
            canvas.text(
                Label::at(right + 8.0, y + 14.5, left + width - right - 8.0)
                    .size(11.0)
                    .role(Role::Muted),
                note,
            );
        }
        y += 20.0;
    }
    y
}
