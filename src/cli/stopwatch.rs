//! How long the parts of a run took, for `--timings`.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Laps of one run.
#[derive(Debug)]
pub(super) struct Stopwatch {
    last: Instant,
    laps: Vec<(&'static str, Duration)>,
}

impl Stopwatch {
    /// Starts.
    pub(super) fn start() -> Self {
        Self {
            last: Instant::now(),
            laps: Vec::new(),
        }
    }

    /// Ends a lap.
    pub(super) fn lap(&mut self, name: &'static str) {
        let now = Instant::now();
        self.laps.push((name, now - self.last));
        self.last = now;
    }

    /// A line for each lap, in milliseconds.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (name, time) in &self.laps {
            let _ = writeln!(text, "{:>9.1} ms  {name}", time.as_secs_f64() * 1000.0);
        }
        text
    }
}
