//! Shows a site to those who write it, and shows it again whenever they save.
//!
//! A watcher tells what changed ([`Watch`]); the change is compiled by a function that the caller
//! gives; what comes of it is shown ([`State`]) by a server that only this machine can reach
//! ([`Server`]). Invariants: nothing is written to disk; what is served was made by the site, and
//! never read from a path that a request names; what is shown stays until something as good takes
//! its place; the reload script is added to replies, and to nothing else.

#![expect(
    clippy::disallowed_methods,
    reason = "it watches the site and serves pages over loopback"
)]

mod address;
mod change;
mod guard;
mod http;
mod inject;
mod media;
mod poll;
mod reply;
mod state;
mod watch;

pub use change::Change;
pub use http::{PreviewError, Running, Server};
pub use state::{Answer, Compiled, Files, Snapshot, State};
pub use watch::{Method, Watch};

use crate::output::OutputPath;
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The port that is served on unless another is asked for.
pub const DEFAULT_PORT: u16 = 4040;

/// The address that the target of a request asks for, on a site under `base` (which begins and ends
/// with a slash); `None` where it asks for nothing that a site can have.
pub fn address_of(target: &str, base: &str) -> Option<OutputPath> {
    match address::resolve(target, base) {
        address::Asked::File { path, .. } => Some(path),
        _ => None,
    }
}

/// The loop, one change at a time.
pub struct Preview<C> {
    state: Arc<State>,
    compile: C,
}

impl<C> std::fmt::Debug for Preview<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Preview")
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl<C: FnMut(&Change) -> Compiled> Preview<C> {
    /// A preview that compiles by this function. Nothing is compiled yet.
    pub fn new(compile: C) -> Self {
        let since_1970 = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        // Runs of the program are further apart than their counts of versions are long.
        let first_version = u64::try_from(since_1970.as_micros()).unwrap_or(0);
        Self {
            state: Arc::new(State::new(first_version)),
            compile,
        }
    }

    /// What is shown, for the server.
    pub fn state(&self) -> Arc<State> {
        Arc::clone(&self.state)
    }

    /// Compiles a change and shows what comes of it.
    pub fn handle(&mut self, change: &Change) {
        self.state.show((self.compile)(change));
    }
}

/// Serves the site at `root` until the process ends. The port is taken already, so that nothing is
/// compiled in vain. `tell` is given a line now and then that the writer should see.
pub fn run(
    server: Server,
    root: &Path,
    compile: impl FnMut(&Change) -> Compiled,
    mut tell: impl FnMut(&str),
) -> Result<Infallible, PreviewError> {
    // Before the first look at the files, so that no change falls between the two.
    let mut watch = Watch::new(root, Method::Told).map_err(PreviewError::Watch)?;
    let mut preview = Preview::new(compile);
    preview.handle(&Change::Everything);
    let _running = server.start(preview.state())?;
    loop {
        watch.take_notes().iter().for_each(|note| tell(note));
        // `None` only if the watcher is gone, which holds as long as `watch` does.
        if let Some(change) = watch.next(None) {
            preview.handle(&change);
        }
    }
}
