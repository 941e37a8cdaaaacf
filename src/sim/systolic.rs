//! The systolic array: values that pass between neighbouring cells, cycle by cycle.
//!
//! Job: multiply A (n × n) by n columns of B on an n × n array that keeps the sums in place. Input:
//! [`SystolicArray`]. Output: one [`SystolicTrace`] a tile of n columns of B. Invariant: a cell sees only
//! what its left and upper neighbours held the cycle before, and a product takes 3n − 2 cycles.
//!
//! Row i of A enters from the left, delayed by i cycles; column j of B enters from above, delayed by j.
//! Where B has more columns than the array, each tile of n columns is a product of its own, chosen by the
//! parameter `column_tile`; every one takes 3n − 2 cycles.

use super::error::{SimError, counted};
use super::frames::{Code, Tracks};
use super::grid::{self, Axis, Runs};
use super::matrix::{self, Matrix};
use super::tile::{product_names, product_result};
use super::warp::{Operands, index};
use super::{Kind, Ratio, Trace};

/// Greatest edge of an array.
pub const ARRAY_EDGE_MAX: usize = 8;
/// Values that are shown before they enter, in each row and column.
pub const QUEUE_SHOWN: usize = 3;

/// The parameters of a systolic array model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystolicArray {
    /// A is n × n; B has n rows and a multiple of n columns.
    pub operands: Operands,
    /// Tiles of n columns of B, each of which is run; empty means all of them.
    pub column_tile: Vec<u32>,
    /// The tile to start with; by default the first.
    pub start_column_tile: Option<u32>,
}

/// What one cell holds after a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cell {
    /// The value of A that came from the left.
    pub a: Option<i64>,
    /// The value of B that came from above.
    pub b: Option<i64>,
    /// The sum, which stays.
    pub sum: i64,
    /// How many products the sum holds.
    pub products: usize,
}

/// The record of one product.
#[derive(Debug, Clone, PartialEq)]
pub struct SystolicTrace {
    /// Edge of the array.
    pub edge: usize,
    /// Which n columns of B were taken.
    pub column_tile: usize,
    /// A, and the n columns of B.
    pub operands: Operands,
    /// Cells by rows: before cycle 0, then after every cycle.
    pub cells: Vec<Vec<Vec<Cell>>>,
    /// The product, by rows.
    pub product: Vec<Vec<i64>>,
}

/// States of a cell.
pub(super) const CODES: [Code; 3] = [
    Code('o', "idle", "waiting"),
    Code('m', "multiplying", "multiplies"),
    Code('d', "done", "done"),
];

impl SystolicArray {
    /// Runs every tile of columns.
    pub fn run(&self) -> Result<Runs, Vec<SimError>> {
        let errors = self.check();
        if !errors.is_empty() {
            return Err(errors);
        }
        let edge = self.operands.a.rows();
        let tiles = u32::try_from(self.operands.b.columns() / edge).unwrap_or(u32::MAX);
        let values = if self.column_tile.is_empty() {
            (0..tiles).collect()
        } else {
            self.column_tile.clone()
        };
        let axes = vec![Axis {
            name: "column_tile",
            label: "tile of B",
            values,
        }];
        let start = [("column_tile", self.start_column_tile)];
        grid::run_all(Kind::SystolicArray, axes, &start, |values| {
            let tile = values.first().map_or(0, |tile| *tile as usize);
            self.multiply(tile)
                .map(|trace| Trace::SystolicArray(Box::new(trace)))
        })
    }

    fn check(&self) -> Vec<SimError> {
        let Operands { a, b } = &self.operands;
        let edge = a.rows();
        if edge != a.columns() {
            let message = format!(
                "A has {} and {}; the array takes a square A",
                counted(a.rows() as u64, "row"),
                counted(a.columns() as u64, "column")
            );
            return vec![SimError::invalid("operands.a", message)];
        }
        let mut errors = Vec::new();
        if edge > ARRAY_EDGE_MAX {
            let message = format!(
                "an array of {edge} × {edge} cells cannot be drawn; the greatest edge is {ARRAY_EDGE_MAX}"
            );
            errors.push(SimError::limit("operands.a", message));
        }
        errors.extend(matrix::check_product(a, b).err());
        if b.columns() % edge != 0 {
            let message = format!(
                "B has {}, and the array takes {edge} at a time; give it a multiple of {edge}",
                counted(b.columns() as u64, "column")
            );
            errors.push(SimError::invalid("operands.b", message));
        }
        let tiles = b.columns() / edge;
        for tile in self
            .column_tile
            .iter()
            .filter(|tile| **tile as usize >= tiles)
        {
            let message = format!(
                "there is no tile {tile}: B has {}, counted from 0",
                counted(tiles as u64, "tile")
            );
            errors.push(SimError::invalid("column_tile", message));
        }
        errors
    }

    fn multiply(&self, column_tile: usize) -> Result<SystolicTrace, SimError> {
        let Operands { a, b } = &self.operands;
        let edge = a.rows();
        let first = column_tile * edge;
        let columns = |row: usize| {
            (first..first + edge)
                .filter_map(|column| b.get(row, column))
                .collect()
        };
        let rows: Vec<Vec<i64>> = (0..edge).map(columns).collect();
        let operands = Operands {
            a: a.clone(),
            b: Matrix::new("operands.b", &rows)?,
        };
        let mut cells = vec![vec![vec![Cell::default(); edge]; edge]];
        // Each cell finishes; the bound only keeps a fault of ours from looping for ever.
        for cycle in 0..4 * edge {
            let Some(before) = cells.last() else { break };
            if before.iter().flatten().all(|cell| cell.products == edge) {
                break;
            }
            let after = beat(before, cycle, &operands)?;
            cells.push(after);
        }
        let sums = |row: &Vec<Cell>| row.iter().map(|cell| cell.sum).collect();
        let product = cells
            .last()
            .map(|rows| rows.iter().map(sums).collect())
            .unwrap_or_default();
        Ok(SystolicTrace {
            edge,
            column_tile,
            operands,
            cells,
            product,
        })
    }
}

/// One cycle: every cell takes its neighbours' values of the cycle before.
fn beat(
    before: &[Vec<Cell>],
    cycle: usize,
    operands: &Operands,
) -> Result<Vec<Vec<Cell>>, SimError> {
    let held =
        |row: usize, column: usize| before.get(row).and_then(|cells| cells.get(column)).copied();
    let next = |row: usize, column: usize| {
        let a = match column.checked_sub(1) {
            Some(left) => held(row, left).and_then(|cell| cell.a),
            None => cycle
                .checked_sub(row)
                .and_then(|inner| operands.a.get(row, inner)),
        };
        let b = match row.checked_sub(1) {
            Some(above) => held(above, column).and_then(|cell| cell.b),
            None => cycle
                .checked_sub(column)
                .and_then(|inner| operands.b.get(inner, column)),
        };
        let cell = held(row, column).unwrap_or_default();
        let (sum, products) = match (a, b) {
            (Some(a), Some(b)) => (matrix::multiply_add(cell.sum, a, b)?, cell.products + 1),
            _ => (cell.sum, cell.products),
        };
        Ok(Cell {
            a,
            b,
            sum,
            products,
        })
    };
    let edge = before.len();
    (0..edge)
        .map(|row| (0..edge).map(|column| next(row, column)).collect())
        .collect()
}

impl SystolicTrace {
    /// Cycles of the product.
    pub fn cycles(&self) -> usize {
        self.cells.len().saturating_sub(1)
    }

    /// Multiply-adds of the product.
    pub fn multiply_adds(&self) -> usize {
        self.cells.last().map_or(0, |rows| {
            rows.iter().flatten().map(|cell| cell.products).sum()
        })
    }

    /// The cycles in which the cell in `row` and `column` multiplies first and last.
    fn busy(&self, row: usize, column: usize) -> Option<(usize, usize)> {
        let busy = |step: &usize| self.state(*step, row, column) == 'm';
        if row.max(column) >= self.edge {
            return None;
        }
        // What a cell did in a cycle is seen after it.
        let first = (1..=self.cycles()).find(busy)?;
        let last = (1..=self.cycles()).rfind(busy)?;
        Some((first - 1, last - 1))
    }

    /// `first.r0.c2` and `last.r0.c2`: the cycles in which a cell multiplies first and last.
    fn busy_result(&self, path: &str) -> Option<Ratio> {
        let parts: Vec<&str> = path.split('.').collect();
        let [which, row, column] = parts.as_slice() else {
            return None;
        };
        let (first, last) = self.busy(index(row, "r")?, index(column, "c")?)?;
        match *which {
            "first" => Some(Ratio::whole(first as i128)),
            "last" => Some(Ratio::whole(last as i128)),
            _ => None,
        }
    }

    /// A result by its name: `cycles`, `edge`, `multiply_adds`, `fetches` (values that enter the array),
    /// `fetches_a`, `fetches_b`, `fetches_without` (both operands of every multiply-add), `reuse`,
    /// `used` (the part of all cells' cycles that multiplied), `column_tile`, `acc.r0.c2`, `first.r0.c2` and
    /// `last.r0.c2`.
    pub fn result(&self, path: &str) -> Option<Ratio> {
        let entering = self.edge * self.edge;
        let value = match path {
            "cycles" => self.cycles(),
            "edge" => self.edge,
            "multiply_adds" => self.multiply_adds(),
            "fetches_a" | "fetches_b" => entering,
            "fetches" => entering * 2,
            "fetches_without" => self.multiply_adds() * 2,
            "column_tile" => self.column_tile,
            "reuse" => return Ratio::new(self.multiply_adds() as i128, (entering * 2) as i128),
            "used" => {
                return Ratio::new(
                    self.multiply_adds() as i128,
                    (entering * self.cycles()) as i128,
                );
            }
            _ => return product_result(&self.product, path).or_else(|| self.busy_result(path)),
        };
        Some(Ratio::whole(value as i128))
    }

    /// Names that [`SystolicTrace::result`] answers.
    pub fn result_names(&self) -> Vec<String> {
        let totals = [
            "cycles",
            "edge",
            "multiply_adds",
            "fetches",
            "fetches_a",
            "fetches_b",
            "fetches_without",
            "column_tile",
            "reuse",
            "used",
        ];
        totals
            .map(str::to_owned)
            .into_iter()
            .chain(product_names(&self.product))
            .chain(self.busy_names())
            .collect()
    }

    fn busy_names(&self) -> Vec<String> {
        let cells = (0..self.edge).flat_map(|row| (0..self.edge).map(move |column| (row, column)));
        let names =
            |(row, column)| ["first", "last"].map(|which| format!("{which}.r{row}.c{column}"));
        cells.flat_map(names).collect()
    }

    /// The cell in `row` and `column` at `step`.
    pub fn cell(&self, step: usize, row: usize, column: usize) -> Cell {
        if step > self.cycles() {
            let last = self.cell(self.cycles(), row, column);
            return Cell {
                a: None,
                b: None,
                ..last
            };
        }
        let cell = self
            .cells
            .get(step)
            .and_then(|rows| rows.get(row))
            .and_then(|cells| cells.get(column));
        cell.copied().unwrap_or_default()
    }

    /// State code of a cell at `step`.
    pub fn state(&self, step: usize, row: usize, column: usize) -> char {
        let cell = self.cell(step, row, column);
        // The skew brings both values at once, so a cell never holds only one.
        if cell.a.is_some() && cell.b.is_some() {
            'm'
        } else if cell.products == self.edge {
            'd'
        } else {
            'o'
        }
    }

    /// The value of A that enters `row` `place` cycles after the next cycle.
    pub fn queued_a(&self, step: usize, row: usize, place: usize) -> Option<i64> {
        self.operands.a.get(row, (step + place).checked_sub(row)?)
    }

    /// The value of B that enters `column` `place` cycles after the next cycle.
    pub fn queued_b(&self, step: usize, column: usize, place: usize) -> Option<i64> {
        self.operands
            .b
            .get((step + place).checked_sub(column)?, column)
    }

    /// The frames: step 0 is before cycle 0, and the last is after the last cycle. Ids of states: `cell.r0.c0`. Ids of texts: `cell.r0.c0.a`,
    /// `cell.r0.c0.b`, `cell.r0.c0.sum`, `in.a.r0.p0` and `in.b.c0.p0` (the values that enter next, in
    /// one cycle, in two, in three).
    pub(super) fn tracks(&self) -> Tracks {
        let text = |value: Option<i64>| value.map(|value| value.to_string()).unwrap_or_default();
        let mut tracks = Tracks::default();
        for step in 0..=self.cells.len() {
            tracks.say.push(self.sentence(step));
            for row in 0..self.edge {
                for column in 0..self.edge {
                    let cell = self.cell(step, row, column);
                    let id = format!("cell.r{row}.c{column}");
                    tracks.push_state(&id, self.state(step, row, column));
                    tracks.push_text(&format!("{id}.a"), step, text(cell.a));
                    tracks.push_text(&format!("{id}.b"), step, text(cell.b));
                    tracks.push_text(&format!("{id}.sum"), step, cell.sum.to_string());
                }
                for place in 0..QUEUE_SHOWN {
                    let (a, b) = (
                        self.queued_a(step, row, place),
                        self.queued_b(step, row, place),
                    );
                    tracks.push_text(&format!("in.a.r{row}.p{place}"), step, text(a));
                    tracks.push_text(&format!("in.b.c{row}.p{place}"), step, text(b));
                }
            }
        }
        tracks
    }

    fn sentence(&self, step: usize) -> String {
        let Some(cycle) = step.checked_sub(1) else {
            return format!(
                "before cycle 0: {} wait for their first values",
                counted((self.edge * self.edge) as u64, "cell")
            );
        };
        if cycle == self.cycles() {
            return format!(
                "after cycle {}: the product is complete",
                cycle.saturating_sub(1)
            );
        }
        let cells = self.cells.get(step).map(Vec::as_slice).unwrap_or_default();
        let multiply = cells
            .iter()
            .flatten()
            .filter(|cell| cell.a.is_some() && cell.b.is_some())
            .count();
        let done = cells
            .iter()
            .flatten()
            .filter(|cell| cell.products == self.edge)
            .count();
        let verb = if multiply == 1 {
            "multiplies"
        } else {
            "multiply"
        };
        let sums = counted((self.edge * self.edge) as u64, "sum");
        format!(
            "cycle {cycle}: {} {verb}; {done} of {sums} are complete",
            counted(multiply as u64, "cell")
        )
    }

    pub(super) fn summary(&self) -> Vec<(&'static str, String)> {
        let used = self
            .result("used")
            .as_ref()
            .map(Ratio::percent)
            .unwrap_or_default();
        let entering = self.edge * self.edge * 2;
        vec![
            ("cycles", self.cycles().to_string()),
            ("multiply-adds", self.multiply_adds().to_string()),
            ("values that enter", entering.to_string()),
            ("cells used", used),
        ]
    }
}
