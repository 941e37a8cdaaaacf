//! The commands. Each gathers what the core needs (files, the day), calls it once, and shows
//! what came of it.

#![expect(
    clippy::disallowed_methods,
    reason = "it is the shell: arguments, environment, clock, terminal, git"
)]

mod again;
mod amend;
pub mod args;
mod build;
mod check;
mod check_links;
mod explain;
mod git;
mod history;
mod inputs;
mod list;
mod new;
mod preview;
mod progress;
mod put;
mod report;
mod repository;
mod review;
mod schema;
mod session;
mod shell;
mod sign;
mod terminal;
mod trust;

use args::{Cli, Command};
use std::fmt;

/// How a command ended; `main` makes an exit status of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing at error level: 0.
    Clean,
    /// Findings at error level: 1.
    Findings,
}

/// Why a command could not do its work: wrong usage, no site, failed reading or writing.
/// The exit status is 2.
#[derive(Debug)]
pub struct Failure {
    message: String,
}

impl Failure {
    /// A failure with what to tell the person.
    pub fn new(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Runs a command.
pub fn run(cli: &Cli) -> Result<Outcome, Failure> {
    let outcome = dispatch(cli)?;
    if terminal::is_output_lost() {
        return Err(Failure::new("standard output could not be written in full"));
    }
    Ok(outcome)
}

fn dispatch(cli: &Cli) -> Result<Outcome, Failure> {
    let directory = cli.directory.as_deref();
    match &cli.command {
        Command::Build(args) => build::run(directory, args),
        Command::Check(args) => check::run(directory, args),
        Command::CheckLinks(args) => check_links::run(directory, args),
        Command::Preview(args) => preview::run(directory, args),
        Command::List(args) => list::run(directory, args),
        Command::Explain(args) => explain::run(args),
        Command::Sign(args) => sign::run(directory, args),
        Command::Review(args) => review::run(directory, args),
        Command::New(args) => new::run(directory, args),
        Command::Completions(args) => Ok(shell::completions(args)),
        Command::Man(args) => shell::man(args),
        Command::Schema(args) => {
            schema::run(args);
            Ok(Outcome::Clean)
        }
    }
}
