//! Project tasks. `cargo xtask test` runs every check and test of the repository: it is the one
//! command that a newcomer and the continuous integration both run.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task talks to the terminal"
)]

mod packages;
mod steps;
mod totals;

use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask TASK

Tasks:
  test      install what the tests need, then run every check and test
  quick     the same without browser tests and without installing anything
  rules     write what the rules' examples show, and docs/rules.md
  help      this text";

fn main() -> ExitCode {
    let task = std::env::args().nth(1);
    match task.as_deref() {
        Some("test") => steps::test(steps::Browser::Needed),
        Some("quick") => steps::test(steps::Browser::Skipped),
        Some("rules") => steps::rules(),
        Some("help" | "--help" | "-h") | None => {
            println!("{HELP}");
            ExitCode::SUCCESS
        }
        Some(other) => {
            eprintln!("xtask: there is no task `{other}`\n\n{HELP}");
            ExitCode::from(2)
        }
    }
}
