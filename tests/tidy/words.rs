//! Words that have no place in the repository.

use crate::assert_none;
use crate::files::{self, has_ending};

/// Beginnings of paths that exist on one machine alone.
const OWN_PATHS: [&str; 5] = ["/home/", "/root/", "/Users/", "/work/", "C:\\Users"];

/// Where packages come from; any other place would be somebody's own.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

#[test]
fn no_path_of_one_machine_is_named() {
    let mut faults = Vec::new();
    for file in files::texts(".") {
        if file.path == "tests/tidy/words.rs" || file.path == ".git" {
            continue;
        }
        for (number, line) in file.text.lines().enumerate() {
            // An address may have any path; a file of a machine has none before it.
            let found = OWN_PATHS.iter().find(|path| {
                line.match_indices(**path).any(|(at, _)| {
                    let before = line[..at].chars().next_back();
                    before.is_none_or(|c| !c.is_alphanumeric() && !"./-_}~".contains(c))
                })
            });
            if let Some(found) = found {
                faults.push(format!(
                    "{}:{}: `{found}` is a path of one machine",
                    file.path,
                    number + 1
                ));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn a_thing_to_do_has_a_number() {
    let mut faults = Vec::new();
    for folder in ["src", "xtask/src", "tests", "benches"] {
        for file in files::rust(folder) {
            for (number, line) in file.text.lines().enumerate() {
                let comment = line.split_once("//").map_or("", |(_, comment)| comment);
                let marks = [concat!("TO", "DO"), concat!("FIX", "ME")];
                let open = marks.iter().any(|mark| {
                    comment
                        .split_once(mark)
                        .is_some_and(|(_, rest)| !rest.starts_with("(#"))
                });
                if open {
                    faults.push(format!(
                        "{}:{}: write the number of what is to be done, as in `(#12)`",
                        file.path,
                        number + 1
                    ));
                }
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn packages_come_from_the_registry() {
    let mut faults = Vec::new();
    for file in files::texts(".") {
        if file.path.ends_with("Cargo.lock") {
            let strange = file.text.lines().filter(|line| {
                line.starts_with("source = ") && *line != format!("source = \"{REGISTRY}\"")
            });
            faults.extend(strange.map(|line| format!("{}: {line}", file.path)));
        }
        let is_settings = has_ending(&file.path, "toml") && !file.path.starts_with("tests/");
        if is_settings && file.path != "deny.toml" {
            let strange = file.text.lines().filter(|line| {
                line.contains("[source.") || line.contains("[registries") || line.contains("git = ")
            });
            faults.extend(strange.map(|line| format!("{}: {line}", file.path)));
        }
    }
    assert_none(&faults);
}
