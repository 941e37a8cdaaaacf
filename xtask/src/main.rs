//! Project tasks. `cargo xtask test` runs every check and test of the repository: it is the one
//! command that a newcomer and the continuous integration both run.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task talks to the terminal"
)]

mod corpus;
mod packages;
mod steps;
mod totals;

use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask TASK

Tasks:
  test      install what the tests need, then run every check and test
  corpus    write a made-up site to measure builds with: corpus N DIR [--for countersign|hugo]
  quick     the same without browser tests and without installing anything
  rules     write what the rules' examples show, and docs/rules.md
  help      this text";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("test") => steps::test(steps::Browser::Needed),
        Some("quick") => steps::test(steps::Browser::Skipped),
        Some("rules") => steps::rules(),
        Some("corpus") => corpus::run(arguments.get(1..).unwrap_or_default()),
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
