//! What continuous integration runs: the formats that it reads, `--trust-from` in real git
//! repositories, and the ready-made workflows, each as written.
#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

mod formats;
mod repository;
mod trust;
mod workflows;
