//! A file is one screenful of thought; a module says what it is for.

use crate::assert_none;
use crate::files::{self, is_test};
use crate::tokens;
use std::collections::BTreeSet;

/// Most lines of code of one file: comments, blank lines and tests aside.
const LINES_MAX: usize = 500;

/// Files that are one long table, and what of.
const TABLES: [(&str, &str); 1] = [(
    "src/diagnostic/rule.rs",
    "every rule's name, code and severity",
)];

#[test]
fn files_are_short() {
    let mut faults = Vec::new();
    for file in files::rust("src")
        .into_iter()
        .chain(files::rust("xtask/src"))
    {
        let is_table = TABLES.iter().any(|(path, _)| *path == file.path);
        if is_table || is_test(&file.path) {
            continue;
        }
        let tokens = tokens::read(&file.path, &file.text);
        let lines: BTreeSet<_> = tokens
            .iter()
            .flat_map(|token| token.line..=token.last_line)
            .collect();
        if lines.len() > LINES_MAX {
            faults.push(format!(
                "{} has {} lines of code; the limit is {LINES_MAX}: move a part of it to a file of its own",
                file.path,
                lines.len()
            ));
        }
    }
    assert_none(&faults);
}

#[test]
fn the_tables_are_still_there() {
    for (path, what) in TABLES {
        assert!(
            files::root().join(path).is_file(),
            "{path} ({what}) is gone: take it out of TABLES"
        );
    }
}

#[test]
fn functions_are_kept_short_by_the_linter() {
    let settings = std::fs::read_to_string(files::root().join("clippy.toml")).unwrap();
    let settings: toml::Table = settings.parse().unwrap();
    assert_eq!(settings["too-many-lines-threshold"].as_integer(), Some(70));
    let mut faults = Vec::new();
    for folder in ["src", "xtask/src", "tests", "benches"] {
        for file in files::rust(folder) {
            // Words of a lint's name, put together here so that this file does not name it.
            if file.text.contains(concat!("clippy::", "too_many_lines")) {
                faults.push(format!(
                    "{} lifts the limit of a function's lines",
                    file.path
                ));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn each_module_begins_with_what_it_is_for() {
    let mut faults = Vec::new();
    for folder in ["src", "xtask/src", "tests", "benches"] {
        for file in files::rust(folder) {
            let is_fixture = file.path.contains("/fixtures/");
            if !is_fixture && !file.text.starts_with("//! ") {
                faults.push(format!(
                    "{} does not begin with `//!` and what it is for",
                    file.path
                ));
            }
        }
    }
    assert_none(&faults);
}
