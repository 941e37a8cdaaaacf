//! The systolic array: cells, the values that pass between them, and those that wait to enter.
//!
//! Job: show where every value is after a cycle. Input: a trace and its frames. Output: a scene with A
//! entering from the left and B from above. Invariant: a cell shows what the trace says that it holds.

use super::View;
use super::canvas::{Canvas, Label, Play};
use super::error::DrawError;
use super::scene::{Anchor, Frame, Role, Scene};
use super::{Width, columns_of};
use crate::sim::{Kind, QUEUE_SHOWN, SystolicTrace, Tracks};

const SMALL: f64 = 11.0;
const CELL_HEIGHT_MIN: f64 = 46.0;

/// Measures that depend on the width and on the array.
struct Layout {
    width: f64,
    queue: f64,
    left: f64,
    top: f64,
    pitch: (f64, f64),
    cell: (f64, f64),
}

impl Layout {
    fn of(trace: &SystolicTrace, width: Width) -> Self {
        let (room, queue, largest) = match width {
            Width::Narrow => (328.0, 17.0, 62.0),
            Width::Wide => (704.0, 26.0, 92.0),
        };
        let left = queue * columns_of(QUEUE_SHOWN) + 18.0;
        let across = ((room - left) / columns_of(trace.edge))
            .floor()
            .min(largest);
        let gap = if across >= 42.0 {
            12.0_f64.min(across * 0.18)
        } else {
            4.0
        };
        // A narrow cell is taller, since its two values stand below each other.
        let cell = (across - gap, (across - gap).max(CELL_HEIGHT_MIN));
        let pitch = (across, cell.1 + gap);
        Self {
            width: (left + pitch.0 * columns_of(trace.edge)).max(328.0),
            queue,
            left,
            top: 46.0 + 17.0 * columns_of(QUEUE_SHOWN) + 14.0,
            pitch,
            cell,
        }
    }

    fn frame(&self, row: usize, column: usize) -> Frame {
        Frame {
            x: self.left + self.pitch.0 * columns_of(column),
            y: self.top + self.pitch.1 * columns_of(row),
            width: self.cell.0,
            height: self.cell.1,
        }
    }
}

pub(super) fn scene(
    trace: &SystolicTrace,
    tracks: &Tracks,
    play: Play,
    view: &View<'_>,
) -> Result<Scene, Vec<DrawError>> {
    let mut canvas = Canvas::new(tracks, play);
    let layout = Layout::of(trace, view.width);
    let heading = format!("{0} × {0} cells, {1} cycles", trace.edge, trace.cycles());
    canvas.text(
        Label::at(0.0, 14.0, layout.width).size(13.0).bold(),
        &heading,
    );
    queues(&mut canvas, trace, &layout);
    for row in 0..trace.edge {
        for column in 0..trace.edge {
            cell(&mut canvas, trace, &layout, (row, column));
        }
    }
    let y = layout.top + layout.pitch.1 * columns_of(trace.edge) + 6.0;
    let codes = Kind::SystolicArray.codes().iter();
    let y = canvas.legend(codes, SMALL, (layout.width, y)) + 18.0;
    canvas.finish((layout.width, y), (view.title, view.description))
}

/// The next values of each row and column, the nearest next to its cell.
fn queues(canvas: &mut Canvas<'_>, trace: &SystolicTrace, layout: &Layout) {
    let name = |x, y, anchor| Label::at(x, y, 120.0).size(SMALL).bold().anchor(anchor);
    canvas.text(
        name(0.0, layout.top - 8.0, Anchor::Start).role(Role::LoadText),
        "A enters",
    );
    canvas.text(
        name(layout.left, 40.0, Anchor::Start).role(Role::MultiplyAddText),
        "B enters",
    );
    for index in 0..trace.edge {
        let frame = layout.frame(index, index);
        let middle = (frame.x + frame.width / 2.0, frame.y + frame.height / 2.0);
        for place in 0..QUEUE_SHOWN {
            let back = columns_of(place);
            let x = layout.left - 18.0 - layout.queue * (back + 0.5);
            let label = Label::at(x, middle.1 + 4.0, layout.queue).anchor(Anchor::Middle);
            canvas.track_text(
                label.size(SMALL).role(Role::LoadText),
                &format!("in.a.r{index}.p{place}"),
            );
            let y = layout.top - 16.0 - 17.0 * back;
            let label = Label::at(middle.0, y, layout.pitch.0).anchor(Anchor::Middle);
            canvas.track_text(
                label.size(SMALL).role(Role::MultiplyAddText),
                &format!("in.b.c{index}.p{place}"),
            );
        }
        canvas.arrow(
            (layout.left - 15.0, middle.1),
            (layout.left - 3.0, middle.1),
        );
        canvas.arrow((middle.0, layout.top - 13.0), (middle.0, layout.top - 3.0));
    }
}

/// One cell: the value of A at its left, of B at its top, the sum below.
fn cell(
    canvas: &mut Canvas<'_>,
    trace: &SystolicTrace,
    layout: &Layout,
    (row, column): (usize, usize),
) {
    let frame = layout.frame(row, column);
    let gap = layout.pitch.0 - layout.cell.0;
    let middle = (frame.x + frame.width / 2.0, frame.y + frame.height / 2.0);
    // Between cells that stand close there is no room for arrows.
    let arrows = gap > 6.0;
    if arrows && column + 1 < trace.edge {
        canvas.arrow(
            (frame.x + frame.width + 1.5, middle.1),
            (frame.x + frame.width + gap - 1.5, middle.1),
        );
    }
    if arrows && row + 1 < trace.edge {
        canvas.arrow(
            (middle.0, frame.y + frame.height + 1.5),
            (middle.0, frame.y + frame.height + gap - 1.5),
        );
    }
    let id = format!("cell.r{row}.c{column}");
    let mark = canvas.state(&id);
    canvas.group(Role::Cell, mark, |canvas| {
        canvas.rect(frame, 3.0, Role::Plain);
        let roomy = frame.width >= CELL_HEIGHT_MIN;
        let room = if roomy {
            frame.width / 2.0 - 3.0
        } else {
            frame.width - 6.0
        };
        let upper = frame.y + 13.0;
        let a = Label::at(frame.x + 4.0, upper, room)
            .size(SMALL)
            .role(Role::LoadText);
        canvas.track_text(a, &format!("{id}.a"));
        let below = if roomy { 0.0 } else { 12.0 };
        let b = Label::at(frame.x + frame.width - 4.0, upper + below, room);
        let b = b
            .size(SMALL)
            .role(Role::MultiplyAddText)
            .anchor(Anchor::End);
        canvas.track_text(b, &format!("{id}.b"));
        let size = if roomy { 15.0 } else { SMALL };
        let sum = Label::at(middle.0, frame.y + frame.height - 6.0, frame.width - 4.0)
            .size(size)
            .bold();
        canvas.track_text(sum.anchor(Anchor::Middle), &format!("{id}.sum"));
    });
}
