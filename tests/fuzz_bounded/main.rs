//! Any bytes, for a bounded time: nothing panics, hangs, leaves its folder, or tells of a draft.
//!
//! Each target of `targets.rs` gets bytes at random, words of the language that it reads in any
//! order, and a sound text with a few changes. `FUZZ_CASES` says how many of each; the fuzzer in
//! `fuzz/` runs the same functions for as long as it is told. With `FUZZ_SEEDS` the words and texts
//! are written into that folder, for the fuzzer to begin with.

mod targets;
mod words;

use libtest_mimic::{Arguments, Failed, Trial};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Cases of each kind for one target, unless `FUZZ_CASES` says otherwise.
const CASES: u32 = 64;

/// Longer than any input of this size takes, even in a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    let mut trials: Vec<_> = targets::ALL
        .map(|(name, target)| Trial::test(name, move || run(name, target)))
        .into();
    trials.push(Trial::test("the fuzzer has every target", has_every_target));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn has_every_target() -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
    let mut files = BTreeSet::new();
    for file in fs::read_dir(folder)? {
        let name = file?.file_name().to_string_lossy().into_owned();
        files.insert(name.trim_end_matches(".rs").to_owned());
    }
    let targets = targets::ALL.map(|(name, _)| name.to_owned()).into();
    if files == targets {
        return Ok(());
    }
    Err(format!("fuzz/fuzz_targets has {files:?}, ALL has {targets:?}").into())
}

fn write_seeds(folder: &Path, name: &str, language: &words::Language) -> Result<(), Failed> {
    fs::create_dir_all(folder.join(name))?;
    for (number, text) in language.sound.iter().enumerate() {
        fs::write(folder.join(name).join(number.to_string()), text)?;
    }
    let mut dictionary = String::new();
    for word in language.words {
        let bytes = word.bytes().map(|byte| format!("\\x{byte:02x}"));
        dictionary.extend([r#"""#.to_owned(), bytes.collect(), "\"\n".to_owned()]);
    }
    Ok(fs::write(folder.join(format!("{name}.dict")), dictionary)?)
}

fn run(name: &str, target: fn(&[u8])) -> Result<(), Failed> {
    let language = words::of(name);
    if let Some(folder) = std::env::var_os("FUZZ_SEEDS") {
        return write_seeds(Path::new(&folder), name, &language);
    }
    let word = proptest::sample::select(language.words);
    let in_order = vec(word.clone(), 0..40).prop_map(|words| words.concat().into_bytes());
    let edits = vec((any::<proptest::sample::Index>(), 0..4_usize, word), 1..4);
    let changed = proptest::sample::select(language.sound)
        .prop_flat_map(move |text| edits.clone().prop_map(move |all| change(text, &all)));
    let bytes = vec(any::<u8>(), 0..200);
    check(target, &bytes)?;
    check(target, &in_order)?;
    check(target, &changed)?;
    // Nothing at all, and what is sound.
    for text in language.sound.iter().chain(&[""]) {
        target(text.as_bytes());
    }
    Ok(())
}

/// Puts words into a text, each in place of some bytes of it.
fn change(text: &str, changes: &[(proptest::sample::Index, usize, &str)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (index, removed, word) in changes {
        let at = index.index(bytes.len() + 1);
        let end = (at + removed).min(bytes.len());
        bytes.splice(at..end, word.bytes());
    }
    bytes
}

fn check(target: fn(&[u8]), strategy: &impl Strategy<Value = Vec<u8>>) -> Result<(), Failed> {
    let cases = std::env::var("FUZZ_CASES")
        .ok()
        .and_then(|text| text.parse().ok());
    let config = Config {
        cases: cases.unwrap_or(CASES),
        failure_persistence: None,
        ..Config::default()
    };
    let result = TestRunner::new(config).run(strategy, |bytes| {
        let start = Instant::now();
        target(&bytes);
        let seconds = start.elapsed();
        prop_assert!(seconds < PATIENCE, "it took {seconds:?}");
        Ok(())
    });
    result.map_err(|error| match error {
        TestError::Fail(why, bytes) => format!(
            "{why}\nwith the bytes {:?}",
            String::from_utf8_lossy(&bytes)
        )
        .into(),
        TestError::Abort(why) => why.to_string().into(),
    })
}
