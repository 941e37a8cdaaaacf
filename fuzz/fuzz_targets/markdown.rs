//! See `markdown` in `tests/fuzz_bounded/targets.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| countersign_fuzz::run("markdown", bytes));
