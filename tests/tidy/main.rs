//! Holds the shape of the repository: layers, sizes, foreign packages, names in prose.
//!
//! Reads files only; each test names every place that breaks its rule, and says why there is one.

#![expect(
    clippy::unwrap_used,
    reason = "a test may panic, and its helpers are part of it"
)]

mod deny;
mod files;
mod layers;
mod packages;
mod prose;
mod rules;
mod sizes;
mod tokens;
mod words;

/// Fails with all faults at once.
fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}
