//! The functions that are fuzzed are those of the bounded tests; this names them for the fuzzer.

#[path = "../../tests/fuzz_bounded/targets.rs"]
mod targets;

/// Gives bytes to a target.
///
/// # Panics
///
/// If the tool does something wrong with them, or there is no such target.
pub fn run(name: &str, bytes: &[u8]) {
    let target = targets::ALL.iter().find(|(known, _)| *known == name);
    let Some((_, target)) = target else {
        panic!("there is no target {name}");
    };
    target(bytes);
}
