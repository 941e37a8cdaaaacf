//! Project tasks: `cargo xtask test` runs every check and test of the repository.

fn main() {}
