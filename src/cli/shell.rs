//! Completions for shells and pages for `man`, from the same definitions as the commands.

use super::args::{Cli, CompletionsArgs, ManArgs};
use super::terminal::Stream;
use super::{Failure, Outcome};
use clap::CommandFactory as _;
use std::fs;

/// Prints what a shell needs to complete commands.
pub(super) fn completions(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "countersign", &mut script);
    Stream::Output.write(&String::from_utf8_lossy(&script));
    Outcome::Clean
}

/// Writes a page for the program and one for each command.
pub(super) fn man(args: &ManArgs) -> Result<Outcome, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(format!("cannot write to {}: {error}", args.out.display()))
    };
    fs::create_dir_all(&args.out).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), &args.out).map_err(failed)?;
    Ok(Outcome::Clean)
}
