//! Tile reuse: how often the operands of one matrix product are fetched from memory.
//!
//! Job: walk C = A × B tile by tile, as a block of threads with a shared tile of edge `tile` does, and
//! count. Input: [`TileReuse`]. Output: one [`TileTrace`] a tile edge. Invariant: every walk computes the
//! same product with the same multiply-adds.
//!
//! A tile of C needs its tiles of A and B one pair after the other: the threads load the pair, wait at a
//! barrier, multiply, and wait at a second barrier before the pair is overwritten. A tile edge of 1 means
//! that nothing is shared: each thread fetches both values for each of its multiply-adds, without barriers.
//! Where the edge does not divide a side, the last tiles are smaller.

mod narrate;

pub(super) use narrate::CODES;

use super::error::{SimError, counted};
use super::frames::FRAMES_MAX;
use super::grid::{self, Axis, Runs};
use super::matrix;
use super::warp::{Operands, index};
use super::{Kind, Ratio, Trace};

/// Most rows or columns of a matrix whose tiles are shown.
pub const TILE_SIDE_MAX: usize = 32;
/// Floating-point operations of one multiply-add.
const OPERATIONS_PER_MULTIPLY_ADD: u64 = 2;

/// The parameters of a tile reuse model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileReuse {
    /// The matrices that are multiplied.
    pub operands: Operands,
    /// Edges of the shared tile, each of which is run; 1 shares nothing.
    pub tile: Vec<u32>,
    /// The edge to start with; by default the first.
    pub start_tile: Option<u32>,
    /// Size of one value in bytes, for the arithmetic intensity.
    pub value_bytes: u32,
}

/// What one step of the walk does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TilePhase {
    /// One thread fetches both values and multiplies: nothing is shared.
    Direct,
    /// The threads load a tile of A and a tile of B.
    Load,
    /// All threads wait until the shared tiles are complete.
    Loaded,
    /// Every thread of the tile does the multiply-add of one `inner` index.
    Compute,
    /// All threads wait until nobody needs the shared tiles any more.
    Computed,
}

/// One step of the walk, with the ranges that it concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileStep {
    /// What happens.
    pub phase: TilePhase,
    /// First row of the tile of C.
    pub row: usize,
    /// First column of the tile of C.
    pub column: usize,
    /// First inner index of the shared tiles.
    pub inner: usize,
    /// The inner index that is multiplied, in the phases that multiply.
    pub at: usize,
}

/// Counters after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TileCounts {
    /// Values of A fetched from memory.
    pub fetches_a: u64,
    /// Values of B fetched from memory.
    pub fetches_b: u64,
    /// Multiply-adds done.
    pub multiply_adds: u64,
    /// Barriers passed.
    pub barriers: u64,
}

/// The record of one walk.
#[derive(Debug, Clone, PartialEq)]
pub struct TileTrace {
    /// The matrices that are multiplied.
    pub operands: Operands,
    /// Edge of the shared tile.
    pub edge: usize,
    /// Size of one value in bytes.
    pub value_bytes: u32,
    /// The walk.
    pub steps: Vec<TileStep>,
    /// Counters after each step.
    pub counts: Vec<TileCounts>,
    /// The product, by rows, after the whole walk.
    pub product: Vec<Vec<i64>>,
}

impl TileReuse {
    /// Runs every tile edge.
    pub fn run(&self) -> Result<Runs, Vec<SimError>> {
        let errors = self.check();
        if !errors.is_empty() {
            return Err(errors);
        }
        let axes = vec![Axis {
            name: "tile",
            label: "tile edge",
            values: self.tile.clone(),
        }];
        grid::run_all(
            Kind::TileReuse,
            axes,
            &[("tile", self.start_tile)],
            |values| {
                let edge = values.first().map_or(1, |edge| *edge as usize);
                self.walk(edge)
                    .map(|trace| Trace::TileReuse(Box::new(trace)))
            },
        )
    }

    fn check(&self) -> Vec<SimError> {
        let Operands { a, b } = &self.operands;
        let mut errors = Vec::new();
        errors.extend(matrix::check_product(a, b).err());
        for (field, matrix) in [("operands.a", a), ("operands.b", b)] {
            if matrix.rows().max(matrix.columns()) > TILE_SIDE_MAX {
                let message = format!(
                    "the matrix has {} and {}; at most {TILE_SIDE_MAX} of each can be drawn",
                    counted(matrix.rows() as u64, "row"),
                    counted(matrix.columns() as u64, "column")
                );
                errors.push(SimError::limit(field, message));
            }
        }
        if self.tile.contains(&0) {
            errors.push(SimError::invalid(
                "tile",
                "a tile of edge 0 holds nothing; the least edge is 1",
            ));
        }
        let largest = a.rows().min(a.columns()).min(b.columns());
        for edge in self.tile.iter().filter(|edge| **edge as usize > largest) {
            let message = format!(
                "a tile of edge {edge} is larger than the matrices, whose least side is {largest}"
            );
            errors.push(SimError::invalid("tile", message));
        }
        if self.value_bytes == 0 {
            errors.push(SimError::invalid(
                "value_bytes",
                "a value of 0 bytes has no arithmetic intensity",
            ));
        }
        errors
    }

    fn walk(&self, edge: usize) -> Result<TileTrace, SimError> {
        let Operands { a, b } = &self.operands;
        let mut trace = TileTrace {
            operands: self.operands.clone(),
            edge,
            value_bytes: self.value_bytes,
            steps: Vec::new(),
            counts: Vec::new(),
            product: vec![vec![0; b.columns()]; a.rows()],
        };
        for row in (0..a.rows()).step_by(edge) {
            for column in (0..b.columns()).step_by(edge) {
                for inner in (0..a.columns()).step_by(edge) {
                    for (phase, at) in phases(edge, inner, a.columns()) {
                        let step = TileStep {
                            phase,
                            row,
                            column,
                            inner,
                            at,
                        };
                        trace.advance(step)?;
                    }
                }
            }
        }
        Ok(trace)
    }
}

/// The steps of one pair of tiles: the phase, and the inner index where it multiplies.
fn phases(edge: usize, inner: usize, inner_end: usize) -> Vec<(TilePhase, usize)> {
    if edge == 1 {
        return vec![(TilePhase::Direct, inner)];
    }
    let compute = (inner..(inner + edge).min(inner_end)).map(|at| (TilePhase::Compute, at));
    let before = [(TilePhase::Load, inner), (TilePhase::Loaded, inner)];
    before
        .into_iter()
        .chain(compute)
        .chain([(TilePhase::Computed, inner)])
        .collect()
}

impl TileTrace {
    fn advance(&mut self, step: TileStep) -> Result<(), SimError> {
        if self.steps.len() + 1 >= FRAMES_MAX {
            let message = format!(
                "this walk takes more than the {} steps that are shown",
                FRAMES_MAX - 1
            );
            return Err(SimError::limit("tile", message));
        }
        let (rows, columns, inner) = self.extent(step);
        let mut counts = self.counts.last().copied().unwrap_or_default();
        match step.phase {
            TilePhase::Load | TilePhase::Direct => {
                counts.fetches_a += (rows * inner) as u64;
                counts.fetches_b += (inner * columns) as u64;
            }
            TilePhase::Loaded | TilePhase::Computed => counts.barriers += 1,
            TilePhase::Compute => {}
        }
        if matches!(step.phase, TilePhase::Direct | TilePhase::Compute) {
            counts.multiply_adds += (rows * columns) as u64;
            for row in step.row..step.row + rows {
                for column in step.column..step.column + columns {
                    self.multiply_add(row, column, step.at)?;
                }
            }
        }
        self.steps.push(step);
        self.counts.push(counts);
        Ok(())
    }

    fn multiply_add(&mut self, row: usize, column: usize, at: usize) -> Result<(), SimError> {
        let operands = (
            self.operands.a.get(row, at),
            self.operands.b.get(at, column),
        );
        let sum = self
            .product
            .get_mut(row)
            .and_then(|row| row.get_mut(column));
        if let ((Some(a), Some(b)), Some(sum)) = (operands, sum) {
            *sum = matrix::multiply_add(*sum, a, b)?;
        }
        Ok(())
    }

    /// Rows and columns of a step's tile of C, and the inner length of its shared tiles.
    pub fn extent(&self, step: TileStep) -> (usize, usize, usize) {
        let Operands { a, b } = &self.operands;
        (
            self.edge.min(a.rows() - step.row),
            self.edge.min(b.columns() - step.column),
            self.edge.min(a.columns() - step.inner),
        )
    }

    /// Counters after `step` steps.
    pub fn counts_at(&self, step: usize) -> TileCounts {
        step.checked_sub(1)
            .and_then(|last| self.counts.get(last))
            .copied()
            .unwrap_or_default()
    }

    fn totals(&self) -> TileCounts {
        self.counts_at(self.steps.len())
    }

    /// Fetches without a shared tile: both operands of every multiply-add.
    pub fn fetches_without(&self) -> u64 {
        self.totals().multiply_adds * 2
    }

    /// A result by its name: `fetches`, `fetches_a`, `fetches_b`, `fetches_without`, `multiply_adds`,
    /// `reuse` (multiply-adds a fetch), `intensity` (floating-point operations a byte fetched),
    /// `barriers`, `bytes`, `tile` and `acc.r0.c2` (a value of the product).
    pub fn result(&self, path: &str) -> Option<Ratio> {
        let totals = self.totals();
        let bytes = totals.fetches().checked_mul(u64::from(self.value_bytes))?;
        let value = match path {
            "fetches" => totals.fetches(),
            "fetches_a" => totals.fetches_a,
            "fetches_b" => totals.fetches_b,
            "fetches_without" => self.fetches_without(),
            "multiply_adds" => totals.multiply_adds,
            "barriers" => totals.barriers,
            "bytes" => bytes,
            "tile" => self.edge as u64,
            "reuse" => return Ratio::new(totals.multiply_adds, totals.fetches()),
            "intensity" => {
                return Ratio::new(totals.multiply_adds * OPERATIONS_PER_MULTIPLY_ADD, bytes);
            }
            _ => return product_result(&self.product, path),
        };
        Some(Ratio::whole(value))
    }

    /// Names that [`TileTrace::result`] answers.
    pub fn result_names(&self) -> Vec<String> {
        let totals = [
            "fetches",
            "fetches_a",
            "fetches_b",
            "fetches_without",
            "multiply_adds",
            "barriers",
            "bytes",
            "tile",
            "reuse",
            "intensity",
        ];
        totals
            .map(str::to_owned)
            .into_iter()
            .chain(product_names(&self.product))
            .collect()
    }
}

impl TileCounts {
    /// Values fetched from memory.
    pub fn fetches(&self) -> u64 {
        self.fetches_a + self.fetches_b
    }
}

/// `acc.r0.c2`: a value of a product.
pub(super) fn product_result(product: &[Vec<i64>], path: &str) -> Option<Ratio> {
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        ["acc", row, column] => {
            let value = product.get(index(row, "r")?)?.get(index(column, "c")?)?;
            Some(Ratio::whole(*value))
        }
        _ => None,
    }
}

pub(super) fn product_names(product: &[Vec<i64>]) -> Vec<String> {
    let columns = product.first().map_or(0, Vec::len);
    let name = |row: usize| (0..columns).map(move |column| format!("acc.r{row}.c{column}"));
    (0..product.len()).flat_map(name).collect()
}
