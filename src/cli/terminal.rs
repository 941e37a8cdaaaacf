//! What the terminal is told and asked: colour, the two streams, questions.

use crate::diagnostic::human::Colour;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Where text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

impl Stream {
    /// Whether a person sees it at once.
    pub(super) fn is_terminal(self) -> bool {
        match self {
            Self::Output => io::stdout().is_terminal(),
            Self::Error => io::stderr().is_terminal(),
        }
    }

    /// Whether text for this stream carries colours: on a terminal, unless `NO_COLOR` is set.
    pub(super) fn colour(self) -> Colour {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        if self.is_terminal() && !refused && !dumb {
            Colour::Always
        } else {
            Colour::Never
        }
    }

    /// Writes text. A reader who has gone away (a closed pipe) is no fault; a report that could not
    /// be written is one, and the command then fails at its end.
    pub(super) fn write(self, text: &str) {
        let written = match self {
            Self::Output => {
                let mut output = io::stdout().lock();
                output
                    .write_all(text.as_bytes())
                    .and_then(|()| output.flush())
            }
            Self::Error => io::stderr().lock().write_all(text.as_bytes()),
        };
        if let (Self::Output, Err(error)) = (self, written)
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            UNWRITTEN.store(true, Ordering::Relaxed);
        }
    }
}

/// Whether a report could not be written.
static UNWRITTEN: AtomicBool = AtomicBool::new(false);

/// Whether something that was meant for standard output is lost.
pub(super) fn is_output_lost() -> bool {
    UNWRITTEN.load(Ordering::Relaxed)
}

/// Whether somebody sits there who can be asked.
pub(super) fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks; anything but a plain yes is a no.
pub(super) fn ask(question: &str) -> bool {
    Stream::Error.write(&format!("{question} [y/N] "));
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

/// Asks for a secret, which does not show.
pub(super) fn secret(question: &str) -> io::Result<String> {
    rpassword::prompt_password(format!("{question} "))
}
