//! How long the stages of a run take, for `--timings`, and how far the run is, for a terminal.

use super::terminal::Stream;
use crate::compile::{Observer, Stage};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A run shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(700);

/// How often the line is written anew.
const INTERVAL: Duration = Duration::from_millis(100);

/// The stages of one run.
#[derive(Debug)]
pub(super) struct Progress {
    began: Instant,
    /// Whether somebody looks on.
    is_shown: bool,
    record: Mutex<Record>,
}

#[derive(Debug, Default)]
struct Record {
    /// What the run itself does between the stages.
    laps: Vec<(&'static str, Duration)>,
    /// The end of the last lap.
    last: Duration,
    stages: BTreeMap<Stage, Spent>,
    /// When the line was written last, if it stands there.
    drawn: Option<Duration>,
}

#[derive(Debug, Default)]
struct Spent {
    time: Duration,
    done: usize,
    expected: usize,
}

impl Progress {
    /// Starts. A line is shown on a terminal alone, and not where `CI` says that nobody looks on.
    pub(super) fn start() -> Self {
        let is_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Self {
            began: Instant::now(),
            is_shown: Stream::Error.is_terminal() && !is_ci && !is_dumb,
            record: Mutex::default(),
        }
    }

    /// Ends a part of the run that is no stage. One that comes again is one part.
    pub(super) fn lap(&self, name: &'static str) {
        let now = self.began.elapsed();
        let mut record = self.record();
        let took = now.saturating_sub(record.last);
        match record.laps.iter_mut().find(|(known, _)| *known == name) {
            Some((_, time)) => *time += took,
            None => record.laps.push((name, took)),
        }
        record.last = now;
    }

    /// Leaves out what stages have taken since the last lap.
    pub(super) fn skip(&self) {
        self.record().last = self.began.elapsed();
    }

    /// Takes the line away; what comes next is the result.
    pub(super) fn clear(&self) {
        if self.record().drawn.take().is_some() {
            Stream::Error.write("\r\u{1b}[K");
        }
    }

    /// A line for each lap and stage, in milliseconds.
    pub(super) fn text(&self) -> String {
        let record = self.record();
        let mut text = String::new();
        let mut line = |time: Duration, name: &str| {
            let _ = writeln!(text, "{:>9.1} ms  {name}", time.as_secs_f64() * 1000.0);
        };
        let (load, rest) = record.laps.split_at(record.laps.len().min(1));
        for (name, time) in load {
            line(*time, name);
        }
        for (stage, spent) in record.stages.iter().filter(|(stage, _)| !stage.is_shared()) {
            line(spent.time, stage.word());
        }
        for (name, time) in rest {
            line(*time, name);
        }
        for (stage, spent) in record.stages.iter().filter(|(stage, _)| stage.is_shared()) {
            let (stage, parts) = (stage.word(), spent.done);
            let name = format!("  of it {stage}, {parts} times, all threads together");
            line(spent.time, &name);
        }
        text
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the line, if it is time to.
    fn draw(&self, stage: Stage, now: Duration, record: &mut Record) {
        let is_soon = record.drawn.is_some_and(|then| now < then + INTERVAL);
        if !self.is_shown || now < PATIENCE || is_soon {
            return;
        }
        record.drawn = Some(now);
        let spent = record.stages.get(&stage);
        let line = match spent.filter(|spent| spent.expected > 1) {
            Some(spent) => format!(
                "\r\u{1b}[K{} {} of {}",
                stage.word(),
                spent.done,
                spent.expected
            ),
            None => format!("\r\u{1b}[K{} …", stage.word()),
        };
        Stream::Error.write(&line);
    }
}

impl Observer for Progress {
    fn expect(&self, stage: Stage, parts: usize) {
        self.record().stages.entry(stage).or_default().expected += parts;
    }

    fn begin(&self, stage: Stage) -> Duration {
        let now = self.began.elapsed();
        if !stage.is_shared() {
            self.draw(stage, now, &mut self.record());
        }
        now
    }

    fn end(&self, stage: Stage, began: Duration) {
        let now = self.began.elapsed();
        let mut record = self.record();
        let spent = record.stages.entry(stage).or_default();
        spent.time += now.saturating_sub(began);
        spent.done += 1;
        if spent.expected > 1 {
            self.draw(stage, now, &mut record);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
