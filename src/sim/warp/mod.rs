//! The warp scheduler: one issue slot a cycle, shared by the resident warps.
//!
//! Job: run a fixed job of `warps` warps, each with `steps` times load A, load B, multiply-add, under a
//! limit on resident warps and a load latency. Input: [`WarpScheduler`]. Output: one [`WarpTrace`] a
//! combination. Invariant: every warp issues its instructions in order, and every run issues the same.

mod machine;
mod narrate;
mod trace;

pub(in crate::sim) use narrate::CODES;
pub(in crate::sim) use trace::index;
pub use trace::{LANES, LANES_SHOWN, Operation, Slot, WarpState, WarpTrace};

use super::error::{SimError, counted};
use super::grid::{self, Axis, Runs};
use super::matrix::{self, Matrix};
use super::{Kind, Trace};

/// Most warps of a model.
pub const WARPS_MAX: u32 = 64;
/// Most steps of a model.
pub const STEPS_MAX: u32 = 64;
/// Greatest load latency, in cycles.
pub const LATENCY_CYCLES_MAX: u32 = 1024;

/// The parameters of a warp scheduler model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarpScheduler {
    /// How many warps the job has.
    pub warps: u32,
    /// How many multiply-adds each warp does.
    pub steps: u32,
    /// Limits on resident warps, each of which is run.
    pub residents: Vec<u32>,
    /// Load latencies in cycles, each of which is run.
    pub latency_cycles: Vec<u32>,
    /// The limit to start with; by default the first.
    pub start_residents: Option<u32>,
    /// The latency to start with; by default the first.
    pub start_latency_cycles: Option<u32>,
    /// What is multiplied; without operands no accumulators are kept.
    pub operands: Option<Operands>,
}

/// The operands of the product: warp `w` takes row `w` of A, lane `l` takes column `l` of B.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operands {
    /// One row a warp, one column a step.
    pub a: Matrix,
    /// One row a step, 32 columns.
    pub b: Matrix,
}

impl WarpScheduler {
    /// Runs every combination.
    pub fn run(&self) -> Result<Runs, Vec<SimError>> {
        let errors = self.check();
        if !errors.is_empty() {
            return Err(errors);
        }
        let axes = vec![
            Axis {
                name: "residents",
                label: "resident warps",
                values: self.residents.clone(),
            },
            Axis {
                name: "latency",
                label: "load latency, cycles",
                values: self.latency_cycles.clone(),
            },
        ];
        let start = [
            ("residents", self.start_residents),
            ("latency", self.start_latency_cycles),
        ];
        grid::run_all(Kind::WarpScheduler, axes, &start, |values| match *values {
            [residents, latency_cycles] => machine::run(self, residents, latency_cycles)
                .map(|trace| Trace::WarpScheduler(Box::new(trace))),
            _ => Err(SimError::invalid(
                "residents",
                "a run needs a resident limit and a latency",
            )),
        })
    }

    fn check(&self) -> Vec<SimError> {
        let mut errors = Vec::new();
        let bounds = [
            ("warps", "warp", self.warps, WARPS_MAX),
            ("steps", "step", self.steps, STEPS_MAX),
        ];
        for (field, noun, value, max) in bounds {
            if value == 0 {
                errors.push(SimError::invalid(
                    field,
                    format!("a model needs at least one {noun}"),
                ));
            } else if value > max {
                let message = format!(
                    "{} are more than the {max} that are simulated",
                    counted(value, noun)
                );
                errors.push(SimError::limit(field, message));
            }
        }
        for value in &self.residents {
            if *value == 0 {
                let message =
                    "with no resident warp nothing would ever be issued; the least limit is 1";
                errors.push(SimError::invalid("residents", message));
            } else if *value > WARPS_MAX {
                let message = format!(
                    "{value} resident warps are more than the {WARPS_MAX} that are simulated"
                );
                errors.push(SimError::limit("residents", message));
            }
        }
        for value in self
            .latency_cycles
            .iter()
            .filter(|value| **value > LATENCY_CYCLES_MAX)
        {
            let message = format!(
                "a latency of {value} cycles is more than the {LATENCY_CYCLES_MAX} that are simulated"
            );
            errors.push(SimError::limit("latency", message));
        }
        if let Some(operands) = &self.operands {
            self.check_operands(operands, &mut errors);
        }
        errors
    }

    fn check_operands(&self, operands: &Operands, errors: &mut Vec<SimError>) {
        let expected = [
            (
                "operands.a",
                "row",
                operands.a.rows(),
                self.warps as usize,
                "one a warp",
            ),
            (
                "operands.a",
                "column",
                operands.a.columns(),
                self.steps as usize,
                "one a step",
            ),
            (
                "operands.b",
                "row",
                operands.b.rows(),
                self.steps as usize,
                "one a step",
            ),
            (
                "operands.b",
                "column",
                operands.b.columns(),
                LANES,
                "one a lane",
            ),
        ];
        for (field, noun, found, needed, why) in expected {
            if found != needed {
                let message = format!(
                    "the matrix has {}, and the model needs {needed}, {why}",
                    counted(found as u64, noun)
                );
                errors.push(SimError::invalid(field, message));
            }
        }
    }
}

impl Operands {
    /// The values that lane `lane` of warp `warp` multiplies at `step`.
    pub fn pair(&self, warp: usize, step: usize, lane: usize) -> Option<(i64, i64)> {
        Some((self.a.get(warp, step)?, self.b.get(step, lane)?))
    }

    fn multiply_add(&self, sums: &[i64], warp: usize, step: usize) -> Result<Vec<i64>, SimError> {
        let update = |(lane, sum): (usize, &i64)| match self.pair(warp, step, lane) {
            Some((a, b)) => matrix::multiply_add(*sum, a, b),
            None => Ok(*sum),
        };
        sums.iter().enumerate().map(update).collect()
    }
}
