//! The cycle loop of the warp scheduler.
//!
//! Job: decide for every cycle which resident warp issues. Input: parameters that were checked.
//! Output: the trace. Invariant: never more resident warps than the limit; a ready warp always issues
//! when no other does.

use super::super::error::SimError;
use super::super::frames::FRAMES_MAX;
use super::WarpScheduler;
use super::trace::{LANES, Operation, Slot, WarpState, WarpTrace};

/// A warp's context: how far it is and when its operands arrive.
#[derive(Debug, Clone)]
struct Warp {
    step: usize,
    next: Operation,
    a_usable: u32,
    b_usable: u32,
}

impl Warp {
    fn new() -> Self {
        Self {
            step: 0,
            next: Operation::LoadA,
            a_usable: 0,
            b_usable: 0,
        }
    }

    /// The first cycle at which the next instruction may issue.
    fn ready_at(&self) -> u32 {
        match self.next {
            Operation::LoadA | Operation::LoadB => 0,
            Operation::MultiplyAdd => self.a_usable.max(self.b_usable),
        }
    }

    /// Issues the next instruction in `cycle`.
    fn issue(&mut self, cycle: u32, latency_cycles: u32) {
        match self.next {
            Operation::LoadA => {
                self.a_usable = cycle + latency_cycles;
                self.next = Operation::LoadB;
            }
            Operation::LoadB => {
                self.b_usable = cycle + latency_cycles;
                self.next = Operation::MultiplyAdd;
            }
            Operation::MultiplyAdd => {
                self.step += 1;
                self.next = Operation::LoadA;
            }
        }
    }
}

/// Runs the job once.
pub(super) fn run(
    model: &WarpScheduler,
    residents: u32,
    latency_cycles: u32,
) -> Result<WarpTrace, SimError> {
    let warps = model.warps as usize;
    let steps = model.steps as usize;
    let mut trace = WarpTrace {
        warps,
        steps,
        residents,
        latency_cycles,
        slots: Vec::new(),
        states: Vec::new(),
        finish: vec![0; warps],
        accumulators: accumulate(model)?,
    };
    // A warp moves from `None` (absent) to a context; contexts are given in the order of the warps.
    let mut contexts: Vec<Warp> = Vec::new();
    let mut last_issued = warps - 1;
    let mut cycle = 0_u32;
    while contexts.len() < warps || contexts.iter().any(|warp| warp.step < steps) {
        if cycle as usize + 2 >= FRAMES_MAX {
            let message = format!(
                "{residents} resident and a latency of {latency_cycles} cycles take more than the {} cycles that are shown",
                FRAMES_MAX - 2
            );
            return Err(SimError::limit("latency", message));
        }
        admit(&mut contexts, warps, residents as usize, steps);
        let picked = pick(&contexts, cycle, last_issued, steps);
        trace
            .states
            .push(states(&contexts, warps, steps, cycle, picked));
        let slot = picked.and_then(|warp| {
            let context = contexts.get_mut(warp)?;
            let slot = Slot {
                warp,
                operation: context.next,
                step: context.step,
            };
            context.issue(cycle, latency_cycles);
            last_issued = warp;
            if context.step == steps
                && let Some(finish) = trace.finish.get_mut(warp)
            {
                *finish = cycle + 1;
            }
            Some(slot)
        });
        trace.slots.push(slot);
        cycle += 1;
    }
    trace.states.push(vec![WarpState::Finished; warps]);
    Ok(trace)
}

/// Gives free places to the next warps in order.
fn admit(contexts: &mut Vec<Warp>, warps: usize, residents: usize, steps: usize) {
    let running = contexts.iter().filter(|warp| warp.step < steps).count();
    let free = residents.saturating_sub(running);
    let count = (contexts.len() + free).min(warps);
    contexts.resize_with(count, Warp::new);
}

/// Round robin from the warp after the last one issued, past those that are not ready.
fn pick(contexts: &[Warp], cycle: u32, last_issued: usize, steps: usize) -> Option<usize> {
    let is_ready = |warp: &Warp| warp.step < steps && warp.ready_at() <= cycle;
    let after = contexts.iter().enumerate().skip(last_issued + 1);
    let before = contexts.iter().enumerate().take(last_issued + 1);
    after
        .chain(before)
        .find(|(_, warp)| is_ready(warp))
        .map(|(index, _)| index)
}

fn states(
    contexts: &[Warp],
    warps: usize,
    steps: usize,
    cycle: u32,
    picked: Option<usize>,
) -> Vec<WarpState> {
    let state = |index: usize| match contexts.get(index) {
        None => WarpState::Absent,
        Some(warp) if warp.step == steps => WarpState::Finished,
        Some(_) if picked == Some(index) => WarpState::Issuing,
        Some(warp) if warp.ready_at() > cycle => WarpState::Waiting {
            until: warp.ready_at(),
        },
        Some(_) => WarpState::Ready,
    };
    (0..warps).map(state).collect()
}

/// The accumulators after each step; they don't depend on the schedule.
fn accumulate(model: &WarpScheduler) -> Result<Vec<Vec<Vec<i64>>>, SimError> {
    let Some(operands) = &model.operands else {
        return Ok(Vec::new());
    };
    let mut accumulators = Vec::new();
    for warp in 0..model.warps as usize {
        let mut sums = vec![0; LANES];
        let mut history = Vec::new();
        for step in 0..model.steps as usize {
            sums = operands.multiply_add(&sums, warp, step)?;
            history.push(sums.clone());
        }
        accumulators.push(history);
    }
    Ok(accumulators)
}
