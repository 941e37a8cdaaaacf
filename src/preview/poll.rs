//! Looks for changes once in a while, where the system does not tell of them.

use crate::load::{Survey, survey};
use notify::event::{Event, EventKind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

/// A thread that looks for changes until this is dropped.
#[derive(Debug)]
pub(super) struct Poller {
    // Its end is what the thread waits for.
    _stop: Sender<()>,
}

impl Poller {
    /// Begins to look at the site at `root`. What is there now is taken as seen.
    pub(super) fn start(
        root: &Path,
        interval: Duration,
        events: Sender<notify::Result<Event>>,
    ) -> std::io::Result<Self> {
        let (stop, stopped) = mpsc::channel::<()>();
        let root = root.to_owned();
        let mut seen = survey(&root).unwrap_or_default();
        std::thread::Builder::new()
            .name("poll".to_owned())
            .spawn(move || {
                while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                    // A site whose folder is gone for a moment is looked at again.
                    let Ok(now) = survey(&root) else { continue };
                    let paths = differences(&root, &seen, &now);
                    seen = now;
                    if paths.is_empty() {
                        continue;
                    }
                    let event = paths
                        .into_iter()
                        .fold(Event::new(EventKind::Any), Event::add_path);
                    if events.send(Ok(event)).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Self { _stop: stop })
    }
}

fn differences(root: &Path, before: &Survey, now: &Survey) -> Vec<PathBuf> {
    let changed = now
        .iter()
        .filter(|(path, file)| before.get(*path) != Some(file));
    let gone = before.keys().filter(|path| !now.contains_key(*path));
    let paths = changed.map(|(path, _)| path).chain(gone);
    paths.map(|path| root.join(path)).collect()
}
