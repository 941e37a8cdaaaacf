//! The frames of a warp scheduler run, in words and states.
//!
//! Job: say what each cycle did. Input: a trace. Output: [`Tracks`] with `cycles + 2` frames: step 0 is
//! before cycle 0, step `s` shows cycle `s − 1`, and the last is after the last cycle. Ids: `w0` (state), `w0.lane0` (accumulator).

use super::super::Ratio;
use super::super::error::counted;
use super::super::frames::{Code, Tracks};
use super::trace::{LANES_SHOWN, Operation, Slot, WarpState, WarpTrace};

/// State codes of a warp.
pub(in crate::sim) const CODES: [Code; 5] = [
    Code('n', "absent", "not resident"),
    Code('w', "waiting", "waiting"),
    Code('r', "ready", "ready"),
    Code('i', "issuing", "issuing"),
    Code('f', "finished", "finished"),
];

impl WarpState {
    /// The code in frames.
    pub fn code(self) -> char {
        match self {
            Self::Absent => 'n',
            Self::Waiting { .. } => 'w',
            Self::Ready => 'r',
            Self::Issuing => 'i',
            Self::Finished => 'f',
        }
    }
}

impl WarpTrace {
    /// The state of `warp` at `step`: before cycle 0 nobody was picked yet, then what the cycle saw.
    pub fn state_at(&self, step: usize, warp: usize) -> WarpState {
        let cycle = step.saturating_sub(1);
        let state = self
            .states
            .get(cycle)
            .and_then(|states| states.get(warp))
            .copied();
        match state {
            Some(WarpState::Issuing) if step == 0 => WarpState::Ready,
            Some(state) => state,
            None => WarpState::Finished,
        }
    }

    /// How many multiply-adds `warp` has issued by `step`.
    pub fn done_at(&self, step: usize, warp: usize) -> usize {
        let is_done = |slot: &&Slot| slot.warp == warp && slot.operation == Operation::MultiplyAdd;
        self.slots
            .iter()
            .take(step)
            .flatten()
            .filter(is_done)
            .count()
    }

    pub(in crate::sim) fn tracks(&self) -> Tracks {
        let mut tracks = Tracks::default();
        let mut done = vec![0; self.warps];
        let mut issued = 0;
        for step in 0..=self.cycles() + 1 {
            let slot = step
                .checked_sub(1)
                .and_then(|cycle| self.slots.get(cycle))
                .copied()
                .flatten();
            if let Some(slot) = slot {
                issued += 1;
                if slot.operation == Operation::MultiplyAdd
                    && let Some(count) = done.get_mut(slot.warp)
                {
                    *count += 1;
                }
            }
            tracks.say.push(self.sentence(step, slot, issued));
            for (warp, count) in done.iter().enumerate() {
                let state = self.state_at(step, warp);
                tracks.push_state(&format!("w{warp}"), state.code());
                for lane in 0..LANES_SHOWN {
                    if let Some(value) = self.accumulator(warp, *count, lane) {
                        tracks.push_text(&format!("w{warp}.lane{lane}"), step, value.to_string());
                    }
                }
            }
        }
        tracks
    }

    fn sentence(&self, step: usize, slot: Option<Slot>, issued: usize) -> String {
        let Some(cycle) = step.checked_sub(1) else {
            let resident = self.warps.min(self.residents as usize);
            let verb = if resident == 1 { "is" } else { "are" };
            return format!(
                "before cycle 0: {resident} of {} {verb} resident",
                counted(self.warps as u64, "warp")
            );
        };
        if cycle == self.cycles() {
            let last = cycle.saturating_sub(1);
            return format!(
                "after cycle {last}: the job is done; {issued} of {} used",
                counted(cycle as u64, "slot")
            );
        }
        let what = match slot {
            Some(slot) => self.issue_words(cycle, slot),
            None => self.idle_words(cycle),
        };
        format!(
            "cycle {cycle}: {what}; {issued} of {} used",
            counted(step as u64, "slot")
        )
    }

    fn issue_words(&self, cycle: usize, slot: Slot) -> String {
        let warp = slot.warp;
        match slot.operation {
            Operation::LoadA => format!("warp {warp} loads A"),
            Operation::LoadB => format!("warp {warp} loads B"),
            Operation::MultiplyAdd
                if self
                    .finish
                    .get(warp)
                    .is_some_and(|end| *end as usize == cycle + 1) =>
            {
                format!("warp {warp} multiplies and finishes")
            }
            Operation::MultiplyAdd => format!("warp {warp} multiplies"),
        }
    }

    fn idle_words(&self, cycle: usize) -> String {
        let states = self
            .states
            .get(cycle)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let until = |state: &WarpState| match state {
            WarpState::Waiting { until } => Some(*until),
            _ => None,
        };
        let first = states
            .iter()
            .enumerate()
            .filter_map(|(warp, state)| Some((until(state)?, warp)))
            .min();
        match first {
            Some((until, warp)) => {
                format!("no warp is ready; warp {warp} waits until cycle {until}")
            }
            None => "no warp is ready".to_owned(),
        }
    }

    /// Heads and cells of this run in the table of runs.
    pub(in crate::sim) fn summary(&self) -> Vec<(&'static str, String)> {
        let used = self.used().as_ref().map(Ratio::percent).unwrap_or_default();
        vec![
            ("cycles", self.cycles().to_string()),
            ("idle slots", self.idle().to_string()),
            ("slots used", used),
        ]
    }
}
