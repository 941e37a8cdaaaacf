//! The steps of `cargo xtask test`, in the order in which they tell most for least time.

use crate::packages;
use crate::totals::Totals;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Whether tests in a browser run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Browser {
    /// They run; the browser is installed where it is missing.
    Needed,
    /// They are left out.
    Skipped,
}

/// One step: what it is called, its command, and what it adds to the environment.
struct Step {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

const fn step(name: &'static str, arguments: &'static [&'static str]) -> Step {
    Step {
        name,
        arguments,
        environment: &[],
    }
}

const fn update(arguments: &'static [&'static str]) -> Step {
    Step {
        name: "rules",
        arguments,
        environment: &[("UPDATE", "1")],
    }
}

/// Every step is a call of `cargo`.
const STEPS: [Step; 5] = [
    step("format", &["fmt", "--all", "--", "--check"]),
    step(
        "lints",
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--quiet",
            "--",
            "-D",
            "warnings",
        ],
    ),
    step("tests", &["test", "--workspace", "--no-fail-fast"]),
    Step {
        name: "documentation",
        arguments: &[
            "doc",
            "--workspace",
            "--no-deps",
            "--quiet",
            "--document-private-items",
        ],
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
    },
    step("the course", &["run", "--quiet", "--", "check"]),
];

/// Runs every step and prints the totals at the end.
pub(crate) fn test(browser: Browser) -> ExitCode {
    if browser == Browser::Needed
        && let Err(why) = packages::install()
    {
        eprintln!("xtask: {why}");
        return ExitCode::from(2);
    }
    let mut totals = Totals::default();
    let mut failed = Vec::new();
    for step in &STEPS {
        println!("\n== {} ==", step.name);
        let start = Instant::now();
        if !run(step, browser, &mut totals) {
            failed.push(step.name);
        }
        println!(
            "== {}: {:.1} s ==",
            step.name,
            start.elapsed().as_secs_f64()
        );
    }
    println!();
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
        // A failed step that is no test still fails the run.
        totals.failed = totals.failed.max(1);
    }
    println!(
        "{} passed, {} failed, {} skipped",
        totals.passed, totals.failed, totals.ignored
    );
    if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Writes the diagnostics into the rules' pages, and `docs/rules.md` from the pages.
pub(crate) fn rules() -> ExitCode {
    // The reference is made of the pages that are built in, so they come first.
    const PARTS: [Step; 2] = [
        update(&["test", "--quiet", "--test", "rules", "--", "fires"]),
        update(&["test", "--quiet", "--test", "rules", "--", "reference"]),
    ];
    let mut totals = Totals::default();
    let written = PARTS
        .iter()
        .all(|part| run(part, Browser::Skipped, &mut totals));
    if written {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs one step, shows what it prints and counts its tests.
fn run(step: &Step, browser: Browser, totals: &mut Totals) -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(step.arguments)
        .envs(step.environment.iter().copied())
        .current_dir(root())
        .stdout(Stdio::piped());
    if browser == Browser::Skipped {
        command.env("COUNTERSIGN_SKIP_BROWSER", "1");
    }
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            eprintln!("xtask: cannot start cargo: {error}");
            return false;
        }
    };
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            totals.add_line(&line);
            println!("{line}");
        }
    }
    child.wait().is_ok_and(|status| status.success())
}

/// The repository's folder.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map_or_else(|| PathBuf::from("."), PathBuf::from)
}
