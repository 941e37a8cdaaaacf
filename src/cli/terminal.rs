//! What the terminal is told: colour, and the two streams.

use crate::diagnostic::human::Colour;
use std::io::{self, IsTerminal as _, Write as _};

/// Where text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

impl Stream {
    /// Whether text for this stream carries colours: on a terminal, unless `NO_COLOR` is set.
    pub(super) fn colour(self) -> Colour {
        let terminal = match self {
            Self::Output => io::stdout().is_terminal(),
            Self::Error => io::stderr().is_terminal(),
        };
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        if terminal && !refused && !dumb {
            Colour::Always
        } else {
            Colour::Never
        }
    }

    /// Writes text. A reader who has gone away (a closed pipe) is no fault.
    pub(super) fn write(self, text: &str) {
        let _ = match self {
            Self::Output => io::stdout().lock().write_all(text.as_bytes()),
            Self::Error => io::stderr().lock().write_all(text.as_bytes()),
        };
    }
}
