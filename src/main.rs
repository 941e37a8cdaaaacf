//! The binary: reads the arguments, runs the command, and makes an exit status of the outcome.

#![expect(
    clippy::print_stderr,
    reason = "a failure is told to the person at the terminal"
)]

use clap::Parser as _;
use countersign::cli::{self, Outcome, args::Cli};
use mimalloc::MiMalloc;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match cli::run(&Cli::parse()) {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(2)
        }
    }
}
