//! The record of one warp scheduler run.
//!
//! Job: hold what happened in every cycle and answer questions about totals. Invariant: `slots` and
//! `states` have one entry a cycle; issued and idle slots add up to the cycles.

use super::super::Ratio;

/// Lanes of a warp (CUDA Programming Guide, SIMT architecture: a warp is 32 threads).
pub const LANES: usize = 32;
/// Lanes whose accumulators are shown.
pub const LANES_SHOWN: usize = 4;

/// What a warp instruction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Requests its operand from A.
    LoadA,
    /// Requests its operand from B.
    LoadB,
    /// Multiplies the two operands and adds the product to the accumulator.
    MultiplyAdd,
}

impl Operation {
    /// All of them, in the order of a step.
    const ALL: [Self; 3] = [Self::LoadA, Self::LoadB, Self::MultiplyAdd];

    /// The letter that stands for it in a timeline.
    pub fn letter(self) -> char {
        match self {
            Self::LoadA => 'A',
            Self::LoadB => 'B',
            Self::MultiplyAdd => 'M',
        }
    }

    /// What it is called in formulas.
    fn name(self) -> &'static str {
        match self {
            Self::LoadA => "a",
            Self::LoadB => "b",
            Self::MultiplyAdd => "m",
        }
    }
}

/// One issued instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The warp that issued.
    pub warp: usize,
    /// What it issued.
    pub operation: Operation,
    /// Which of the warp's steps the instruction belongs to, from 0.
    pub step: usize,
}

/// What a warp is doing in one cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarpState {
    /// It has no context slot yet.
    Absent,
    /// Its next instruction needs data that is usable from cycle `until`.
    Waiting {
        /// First cycle at which the instruction is ready.
        until: u32,
    },
    /// Its next instruction could issue, and another warp was picked.
    Ready,
    /// The scheduler picked it for this cycle.
    Issuing,
    /// Its last instruction has issued, and its place is free.
    Finished,
}

/// Everything that happened in one run.
#[derive(Debug, Clone, PartialEq)]
pub struct WarpTrace {
    /// Warps of the job.
    pub warps: usize,
    /// Multiply-adds of each warp.
    pub steps: usize,
    /// Limit on resident warps.
    pub residents: u32,
    /// Load latency in cycles.
    pub latency_cycles: u32,
    /// What was issued in each cycle; `None` is an idle slot.
    pub slots: Vec<Option<Slot>>,
    /// State of every warp, during each cycle and then once more after the last.
    pub states: Vec<Vec<WarpState>>,
    /// The cycle after which each warp is done.
    pub finish: Vec<u32>,
    /// Accumulators by warp, step and lane, after that step; empty without operands.
    pub accumulators: Vec<Vec<Vec<i64>>>,
}

impl WarpTrace {
    /// Cycles of the whole job.
    pub fn cycles(&self) -> usize {
        self.slots.len()
    }

    /// Slots in which an instruction was issued.
    pub fn issued(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    /// Slots in which nothing was ready.
    pub fn idle(&self) -> usize {
        self.cycles() - self.issued()
    }

    /// Issued multiply-adds.
    pub fn multiply_adds(&self) -> usize {
        let is_multiply_add = |slot: &&Slot| slot.operation == Operation::MultiplyAdd;
        self.slots.iter().flatten().filter(is_multiply_add).count()
    }

    /// Issued loads.
    pub fn loads(&self) -> usize {
        self.issued() - self.multiply_adds()
    }

    /// Issued slots as a part of all slots.
    pub fn used(&self) -> Option<Ratio> {
        Ratio::new(self.issued() as i128, self.cycles() as i128)
    }

    /// The cycle in which `warp` issued `operation` of `step`.
    pub fn issue_cycle(&self, warp: usize, step: usize, operation: Operation) -> Option<usize> {
        let wanted = Slot {
            warp,
            operation,
            step,
        };
        self.slots.iter().position(|slot| *slot == Some(wanted))
    }

    /// The accumulator of `lane` in `warp` after `done` multiply-adds.
    pub fn accumulator(&self, warp: usize, done: usize, lane: usize) -> Option<i64> {
        let steps = self.accumulators.get(warp)?;
        match done.checked_sub(1) {
            None => (lane < LANES).then_some(0),
            Some(step) => steps.get(step)?.get(lane).copied(),
        }
    }

    /// A result by its name in formulas: `cycles`, `idle`, `issued`, `loads`, `multiply_adds`, `used`,
    /// `finish.w0`, `issue.w0.k1.b` (the cycle in which a warp issued load A, load B or the multiply-add
    /// of a step: `a`, `b`, `m`), `acc.w0.k1.lane3`, `lanes` (of a warp) and the parameters.
    pub fn result(&self, path: &str) -> Option<Ratio> {
        let count = match path {
            "cycles" => self.cycles(),
            "idle" => self.idle(),
            "issued" => self.issued(),
            "loads" => self.loads(),
            "multiply_adds" => self.multiply_adds(),
            "lanes" => LANES,
            "warps" => self.warps,
            "steps" => self.steps,
            "residents" => self.residents as usize,
            "latency" => self.latency_cycles as usize,
            "used" => return self.used(),
            _ => return self.indexed_result(path),
        };
        Some(Ratio::whole(count as i128))
    }

    fn indexed_result(&self, path: &str) -> Option<Ratio> {
        let parts: Vec<&str> = path.split('.').collect();
        match parts.as_slice() {
            ["finish", warp] => {
                let cycle = self.finish.get(index(warp, "w")?)?;
                Some(Ratio::whole(*cycle))
            }
            ["issue", warp, step, name] => {
                let operation = Operation::ALL.into_iter().find(|one| one.name() == *name)?;
                let cycle = self.issue_cycle(index(warp, "w")?, index(step, "k")?, operation)?;
                Some(Ratio::whole(cycle as i128))
            }
            ["acc", warp, step, lane] => {
                let done = index(step, "k")?.checked_add(1)?;
                let value = self.accumulator(index(warp, "w")?, done, index(lane, "lane")?)?;
                Some(Ratio::whole(value))
            }
            _ => None,
        }
    }

    /// Names that [`WarpTrace::result`] answers; of the accumulators those of the lanes shown.
    pub fn result_names(&self) -> Vec<String> {
        let totals = [
            "cycles",
            "idle",
            "issued",
            "loads",
            "multiply_adds",
            "used",
            "lanes",
            "warps",
            "steps",
            "residents",
            "latency",
        ];
        let mut names: Vec<String> = totals.map(str::to_owned).to_vec();
        for warp in 0..self.warps {
            names.push(format!("finish.w{warp}"));
            for step in 0..self.steps {
                let name = |one: Operation| format!("issue.w{warp}.k{step}.{}", one.name());
                names.extend(Operation::ALL.map(name));
            }
        }
        for (warp, steps) in self.accumulators.iter().enumerate() {
            for step in 0..steps.len() {
                names
                    .extend((0..LANES_SHOWN).map(|lane| format!("acc.w{warp}.k{step}.lane{lane}")));
            }
        }
        names
    }
}

/// The number after `prefix`, written without leading zeros or signs.
pub(in crate::sim) fn index(text: &str, prefix: &str) -> Option<usize> {
    let digits = text.strip_prefix(prefix)?;
    let value: usize = digits.parse().ok()?;
    (value.to_string() == digits).then_some(value)
}
