//! Simulated machines.
//!
//! Job: run each machine for every combination of its parameters. Input: plain parameters
//! ([`Simulation`]). Output: [`Runs`] of [`Trace`]s, and from them results for formulas, a table and the
//! frames of the player. Invariant: pure and total; a simulation knows nothing about sites, files or
//! pictures, and every picture, table and claim reads the same trace.

mod error;
mod frames;
mod grid;
mod matrix;
mod occupancy;
mod ratio;
mod systolic;
mod tile;
mod warp;

pub use error::{SimError, SimErrorKind};
pub use frames::{Code, FRAMES_MAX, FRAMES_TOTAL_MAX, FrameAxis, FrameRun, Frames, Tracks};
pub use grid::{Axis, COMBINATIONS_MAX, Run, RunTable, Runs};
pub use matrix::{MATRIX_EDGE_MAX, Matrix};
pub use occupancy::{
    CONFIGURATIONS_MAX, Configuration, Device, LOADS_PER_THREAD_MAX, Measured, OccupancyStep,
    OccupancyStepper, OccupancyTrace, WARP_SLOTS_MAX,
};
pub use ratio::Ratio;
pub use systolic::{ARRAY_EDGE_MAX, Cell, QUEUE_SHOWN, SystolicArray, SystolicTrace};
pub use tile::{TILE_SIDE_MAX, TileCounts, TilePhase, TileReuse, TileStep, TileTrace};
pub use warp::{
    LANES, LANES_SHOWN, LATENCY_CYCLES_MAX, Operands, Operation, STEPS_MAX, Slot, WARPS_MAX,
    WarpScheduler, WarpState, WarpTrace,
};

/// A machine that can be simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One issue slot a cycle, shared by resident warps.
    WarpScheduler,
    /// Warp slots and the loads that they keep in flight.
    OccupancyStepper,
    /// How often the operands of a matrix product are fetched.
    TileReuse,
    /// A matrix product on cells that pass values to their neighbours.
    SystolicArray,
}

impl Kind {
    /// Every kind, in the order in which they are listed for a reader.
    pub const ALL: [Self; 4] = [
        Self::WarpScheduler,
        Self::OccupancyStepper,
        Self::TileReuse,
        Self::SystolicArray,
    ];

    /// The name that an author writes.
    pub fn name(self) -> &'static str {
        match self {
            Self::WarpScheduler => "warp-scheduler",
            Self::OccupancyStepper => "occupancy-stepper",
            Self::TileReuse => "tile-reuse",
            Self::SystolicArray => "systolic-array",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What one step of the player is called.
    pub fn step_name(self) -> &'static str {
        match self {
            Self::WarpScheduler | Self::SystolicArray => "cycle",
            Self::OccupancyStepper | Self::TileReuse => "step",
        }
    }

    /// The step whose picture tells most, of `frames` steps: the last of a run that keeps its history on
    /// the page, the middle of one that does not.
    pub fn telling_step(self, frames: usize) -> usize {
        let last = frames.saturating_sub(1);
        match self {
            Self::SystolicArray => last / 2,
            Self::WarpScheduler | Self::OccupancyStepper | Self::TileReuse => last,
        }
    }

    /// The states that a shape of this kind's drawings can be in.
    pub fn codes(self) -> &'static [Code] {
        match self {
            Self::WarpScheduler => &warp::CODES,
            Self::OccupancyStepper => &[],
            Self::TileReuse => &tile::CODES,
            Self::SystolicArray => &systolic::CODES,
        }
    }
}

/// The parameters of one machine.
#[derive(Debug, Clone, PartialEq)]
pub enum Simulation {
    /// See [`WarpScheduler`].
    WarpScheduler(WarpScheduler),
    /// See [`OccupancyStepper`].
    OccupancyStepper(OccupancyStepper),
    /// See [`TileReuse`].
    TileReuse(TileReuse),
    /// See [`SystolicArray`].
    SystolicArray(SystolicArray),
}

impl Simulation {
    /// Runs every combination; all faults come out at once.
    pub fn run(&self) -> Result<Runs, Vec<SimError>> {
        match self {
            Self::WarpScheduler(model) => model.run(),
            Self::OccupancyStepper(model) => model.run(),
            Self::TileReuse(model) => model.run(),
            Self::SystolicArray(model) => model.run(),
        }
    }
}

/// The record of one run of any machine.
#[derive(Debug, Clone, PartialEq)]
pub enum Trace {
    /// See [`WarpTrace`].
    WarpScheduler(Box<WarpTrace>),
    /// See [`OccupancyTrace`].
    OccupancyStepper(OccupancyTrace),
    /// See [`TileTrace`].
    TileReuse(Box<TileTrace>),
    /// See [`SystolicTrace`].
    SystolicArray(Box<SystolicTrace>),
}

impl Trace {
    /// Which machine ran.
    pub fn kind(&self) -> Kind {
        match self {
            Self::WarpScheduler(_) => Kind::WarpScheduler,
            Self::OccupancyStepper(_) => Kind::OccupancyStepper,
            Self::TileReuse(_) => Kind::TileReuse,
            Self::SystolicArray(_) => Kind::SystolicArray,
        }
    }

    /// An exact result by its name in formulas, for instance `cycles` or `finish.w0`.
    pub fn result(&self, path: &str) -> Option<Ratio> {
        match self {
            Self::WarpScheduler(trace) => trace.result(path),
            Self::OccupancyStepper(trace) => trace.result(path),
            Self::TileReuse(trace) => trace.result(path),
            Self::SystolicArray(trace) => trace.result(path),
        }
    }

    /// The names that [`Trace::result`] answers, for suggestions.
    pub fn result_names(&self) -> Vec<String> {
        match self {
            Self::WarpScheduler(trace) => trace.result_names(),
            Self::OccupancyStepper(trace) => trace.result_names(),
            Self::TileReuse(trace) => trace.result_names(),
            Self::SystolicArray(trace) => trace.result_names(),
        }
    }

    /// How many frames the run has.
    pub fn frames(&self) -> usize {
        match self {
            Self::WarpScheduler(trace) => trace.cycles() + 2,
            Self::OccupancyStepper(trace) => trace.steps().len(),
            Self::TileReuse(trace) => trace.steps.len() + 1,
            Self::SystolicArray(trace) => trace.cycles() + 2,
        }
    }

    /// What changes from step to step.
    pub fn tracks(&self) -> Tracks {
        match self {
            Self::WarpScheduler(trace) => trace.tracks(),
            Self::OccupancyStepper(trace) => trace.tracks(),
            Self::TileReuse(trace) => trace.tracks(),
            Self::SystolicArray(trace) => trace.tracks(),
        }
    }

    fn summary(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::WarpScheduler(trace) => trace.summary(),
            Self::OccupancyStepper(_) => Vec::new(),
            Self::TileReuse(trace) => trace.summary(),
            Self::SystolicArray(trace) => trace.summary(),
        }
    }
}
