//! The frames of a tile reuse walk, in words and states.
//!
//! Job: say what each step did. Input: a trace. Output: [`Tracks`]; step 0 is before the walk. Invariant:
//! the counters shown are those of the trace.

use super::super::Ratio;
use super::super::error::counted;
use super::super::frames::{Code, Tracks};
use super::super::warp::Operands;
use super::{TilePhase, TileStep, TileTrace};

/// States of a cell of a matrix.
pub(in crate::sim) const CODES: [Code; 6] = [
    Code('o', "idle", "untouched"),
    Code('l', "loading", "fetched now"),
    Code('s', "shared", "in the shared tile"),
    Code('u', "used", "multiplied now"),
    Code('c', "open", "being summed"),
    Code('d', "done", "done"),
];

impl TileTrace {
    /// State of the value of A in `row` and `column` at `step`.
    pub fn state_a(&self, step: usize, row: usize, column: usize) -> char {
        let Some(now) = self.step_at(step) else {
            return 'o';
        };
        let (rows, _, inner) = self.extent(now);
        let inside = (now.row..now.row + rows).contains(&row)
            && (now.inner..now.inner + inner).contains(&column);
        operand_state(now.phase, inside, column == now.at)
    }

    /// State of the value of B in `row` and `column` at `step`.
    pub fn state_b(&self, step: usize, row: usize, column: usize) -> char {
        let Some(now) = self.step_at(step) else {
            return 'o';
        };
        let (_, columns, inner) = self.extent(now);
        let inside = (now.column..now.column + columns).contains(&column)
            && (now.inner..now.inner + inner).contains(&row);
        operand_state(now.phase, inside, row == now.at)
    }

    /// State of the sum in `row` and `column` of C at `step`.
    pub fn state_c(&self, step: usize, row: usize, column: usize) -> char {
        let Some(now) = self.step_at(step) else {
            return 'o';
        };
        let tile = (row / self.edge, column / self.edge);
        let current = (now.row / self.edge, now.column / self.edge);
        if step == self.steps.len() || tile < current {
            'd'
        } else if tile == current {
            'c'
        } else {
            'o'
        }
    }

    fn step_at(&self, step: usize) -> Option<TileStep> {
        self.steps.get(step.checked_sub(1)?).copied()
    }

    /// The frames: step 0 is before the walk. Ids of states: `a.r0.c0`, `b.r0.c0`, `c.r0.c0`. Ids of
    /// texts: `fetches_a`, `fetches_b`, `fetches`, `multiply_adds`, `barriers`, `reuse`.
    pub(in crate::sim) fn tracks(&self) -> Tracks {
        let Operands { a, b } = &self.operands;
        let mut tracks = Tracks::default();
        for step in 0..=self.steps.len() {
            tracks.say.push(self.sentence(step));
            for (name, text) in self.counters(step) {
                tracks.push_text(name, step, text);
            }
            for row in 0..a.rows() {
                for column in 0..a.columns() {
                    tracks.push_state(
                        &format!("a.r{row}.c{column}"),
                        self.state_a(step, row, column),
                    );
                }
                for column in 0..b.columns() {
                    tracks.push_state(
                        &format!("c.r{row}.c{column}"),
                        self.state_c(step, row, column),
                    );
                }
            }
            for row in 0..b.rows() {
                for column in 0..b.columns() {
                    tracks.push_state(
                        &format!("b.r{row}.c{column}"),
                        self.state_b(step, row, column),
                    );
                }
            }
        }
        tracks
    }

    /// The counters that are shown at `step`, by id.
    pub fn counters(&self, step: usize) -> [(&'static str, String); 6] {
        let counts = self.counts_at(step);
        let reuse = Ratio::new(counts.multiply_adds, counts.fetches());
        [
            ("fetches_a", counts.fetches_a.to_string()),
            ("fetches_b", counts.fetches_b.to_string()),
            ("fetches", counts.fetches().to_string()),
            ("multiply_adds", counts.multiply_adds.to_string()),
            ("barriers", counts.barriers.to_string()),
            (
                "reuse",
                reuse.map_or_else(|| "–".to_owned(), |reuse| reuse.decimal(2)),
            ),
        ]
    }

    fn sentence(&self, step: usize) -> String {
        let Some(now) = self.step_at(step) else {
            let what = if self.edge == 1 {
                "nothing is shared".to_owned()
            } else {
                format!("a shared tile has {0} by {0} values", self.edge)
            };
            return format!("before step 1: nothing is fetched yet; {what}");
        };
        let (rows, columns, inner) = self.extent(now);
        let what = match now.phase {
            TilePhase::Direct => format!(
                "C[{0},{1}] fetches A[{0},{2}] and B[{2},{1}] and multiplies",
                now.row, now.column, now.at
            ),
            TilePhase::Load => format!(
                "the threads load {} of A and {} of B",
                counted((rows * inner) as u64, "value"),
                counted((inner * columns) as u64, "value")
            ),
            TilePhase::Loaded => "barrier: all wait until both tiles are complete".to_owned(),
            TilePhase::Compute => format!(
                "{} with A column {at} and B row {at}",
                counted((rows * columns) as u64, "multiply-add"),
                at = now.at
            ),
            TilePhase::Computed => "barrier: all wait until nobody needs these tiles".to_owned(),
        };
        let counts = self.counts_at(step);
        format!(
            "step {step}: {what}; {} fetched for {}",
            counted(counts.fetches(), "value"),
            counted(counts.multiply_adds, "multiply-add")
        )
    }

    pub(in crate::sim) fn summary(&self) -> Vec<(&'static str, String)> {
        let totals = self.totals();
        let text = |path: &str| {
            self.result(path)
                .map(|value| value.decimal(2))
                .unwrap_or_default()
        };
        vec![
            ("fetches of A", totals.fetches_a.to_string()),
            ("fetches of B", totals.fetches_b.to_string()),
            ("multiply-adds", totals.multiply_adds.to_string()),
            ("multiply-adds a fetch", text("reuse")),
            ("FLOP a byte", text("intensity")),
            ("barriers", totals.barriers.to_string()),
        ]
    }
}

fn operand_state(phase: TilePhase, inside: bool, multiplied: bool) -> char {
    match phase {
        _ if !inside => 'o',
        TilePhase::Direct | TilePhase::Load => 'l',
        TilePhase::Compute if multiplied => 'u',
        TilePhase::Loaded | TilePhase::Compute | TilePhase::Computed => 's',
    }
}
