//! What changed on disk, gathered until it is quiet.
//!
//! Folders are watched, not files, so that an editor that writes a new file and renames it over
//! the old one is noticed each time. Where the system cannot watch, the folders are looked through
//! once a second instead.

use super::change::{Batch, Change, ends_a_save};
use super::poll::Poller;
use crate::load::{CONFIG_NAME, FOLDERS};
use notify::{Event, RecursiveMode, Watcher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How long it must be quiet before a change is taken as complete: an editor's save is several
/// steps within a few milliseconds.
const QUIET: Duration = Duration::from_millis(20);

/// The same after a step that ends a save: a file was closed by who wrote it, or has taken its
/// place.
const SETTLED: Duration = Duration::from_millis(5);

/// How long a change is waited for at most, when it never gets quiet.
const PATIENCE: Duration = Duration::from_millis(250);

/// How often the folders are looked through where they cannot be watched.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How changes are noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The system tells of them; looked for only where it cannot.
    Told,
    /// The folders are looked through at this interval.
    Polled(Duration),
}

/// Where events come from.
enum Source {
    None,
    System(notify::RecommendedWatcher),
    /// Never asked for anything; its drop ends it.
    Poller(#[expect(dead_code, reason = "held for its drop")] Poller),
}

/// Watches a site's folders.
pub struct Watch {
    root: PathBuf,
    source: Source,
    sender: Sender<notify::Result<Event>>,
    events: Receiver<notify::Result<Event>>,
    method: Method,
    notes: Vec<String>,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch")
            .field("root", &self.root)
            .field("method", &self.method)
            .finish_non_exhaustive()
    }
}

impl Watch {
    /// Begins to watch the site at `root`. Every change from now on is told, sooner or later.
    pub fn new(root: &Path, method: Method) -> notify::Result<Self> {
        let (sender, events) = mpsc::channel();
        let mut watch = Self {
            root: root.to_owned(),
            source: Source::None,
            sender,
            events,
            method,
            notes: Vec::new(),
        };
        if method == Method::Told {
            match watch.begin_told() {
                Ok(()) => return Ok(watch),
                Err(error) => watch.notes.push(reason(&error)),
            }
        }
        let interval = match method {
            Method::Polled(interval) => interval,
            Method::Told => POLL_INTERVAL,
        };
        watch.begin_polled(interval)?;
        Ok(watch)
    }

    /// How changes are noticed now.
    pub fn method(&self) -> Method {
        self.method
    }

    /// What the writer should know about the watching, a line each; each is told once.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Waits for the next change of the site; `None` if nothing happens within `patience`.
    pub fn next(&mut self, patience: Option<Duration>) -> Option<Change> {
        let deadline = patience.map(|patience| Instant::now() + patience);
        loop {
            let first = match deadline {
                None => self.events.recv().ok()?,
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    self.events.recv_timeout(left).ok()?
                }
            };
            if let Some(change) = self.gather(first) {
                return Some(change);
            }
        }
    }

    /// Takes what comes until it is quiet.
    fn gather(&mut self, first: notify::Result<Event>) -> Option<Change> {
        let mut batch = Batch::new(&self.root);
        let began = Instant::now();
        let mut next = Some(first);
        while let Some(event) = next {
            let is_end = event.as_ref().is_ok_and(|event| ends_a_save(event.kind));
            match event {
                Ok(event) => batch.add(&event),
                Err(error) => self.fall_back(&error, &mut batch),
            }
            let patience = match (batch.is_empty(), is_end) {
                (true, _) => Duration::ZERO,
                (false, true) => SETTLED,
                (false, false) => QUIET,
            };
            next = match self.events.recv_timeout(patience) {
                Ok(event) if began.elapsed() < PATIENCE => Some(event),
                Ok(event) => {
                    // Handed back to be the first of the next batch.
                    let _ = self.sender.send(event);
                    None
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
            };
        }
        for folder in batch.top_folders() {
            // A folder that was made, or made anew, has no watch yet.
            if let Err(error) = self.watch_folder(folder) {
                self.fall_back(&error, &mut batch);
            }
        }
        batch.into_change()
    }

    fn begin_told(&mut self) -> notify::Result<()> {
        let config = notify::Config::default().with_follow_symlinks(false);
        let mut watcher = notify::RecommendedWatcher::new(self.sender.clone(), config)?;
        watcher.watch(&self.root, RecursiveMode::NonRecursive)?;
        self.source = Source::System(watcher);
        self.method = Method::Told;
        FOLDERS
            .into_iter()
            .try_for_each(|folder| self.watch_folder(folder))
    }

    fn begin_polled(&mut self, interval: Duration) -> notify::Result<()> {
        // The system's watch, if there is one, ends first, so that nothing is told twice.
        self.source = Source::None;
        let poller = Poller::start(&self.root, interval, self.sender.clone());
        self.source = Source::Poller(poller.map_err(notify::Error::io)?);
        self.method = Method::Polled(interval);
        Ok(())
    }

    fn watch_folder(&mut self, folder: &str) -> notify::Result<()> {
        let path = self.root.join(folder);
        let Source::System(watcher) = &mut self.source else {
            return Ok(());
        };
        if !path.is_dir() {
            return Ok(());
        }
        match watcher.watch(&path, RecursiveMode::Recursive) {
            // Gone again: its making will be told of.
            Err(error) if matches!(error.kind, notify::ErrorKind::PathNotFound) => Ok(()),
            other => other,
        }
    }

    /// Looks for changes from now on, since the system tells of them no more.
    fn fall_back(&mut self, error: &notify::Error, batch: &mut Batch) {
        batch.add_everything();
        if self.method != Method::Told {
            return;
        }
        self.notes.push(reason(error));
        if let Err(error) = self.begin_polled(POLL_INTERVAL) {
            self.notes.push(format!(
                "{CONFIG_NAME} and its folders cannot be watched: {error}"
            ));
        }
    }
}

fn reason(error: &notify::Error) -> String {
    let advice = match error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the system's limit of watched folders is reached (raise fs.inotify.max_user_watches)"
                .to_owned()
        }
        _ => format!("the system cannot watch the site's folders ({error})"),
    };
    format!("{advice}; looking for changes once a second instead")
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::ErrorKind;

    #[test]
    fn a_full_system_is_looked_at_instead_and_said_so_once() {
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::write(folder.path().join(CONFIG_NAME), "").unwrap();
        let mut watch = Watch::new(folder.path(), Method::Told).unwrap();
        for _ in 0..2 {
            let full = notify::Error::new(ErrorKind::MaxFilesWatch);
            watch.sender.send(Err(full)).unwrap();
            let change = watch.next(Some(Duration::from_secs(10)));
            assert_eq!(change, Some(Change::Everything));
            assert_eq!(watch.method(), Method::Polled(POLL_INTERVAL));
        }
        let notes = watch.take_notes();
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].contains("fs.inotify.max_user_watches"));
        assert!(watch.take_notes().is_empty());
    }
}
