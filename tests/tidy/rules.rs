//! The three lists of rules agree: files, modules, table.

use crate::assert_none;
use crate::files;
use countersign::diagnostic::rule;
use countersign::rules::{ALL, Scope};
use std::collections::BTreeSet;

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    let pages = stems("md");
    let named: BTreeSet<_> = ALL.iter().map(|rule| rule.id.name.to_owned()).collect();
    assert_eq!(
        pages, named,
        "pages in src/rules on the left, rules::ALL on the right"
    );
    let known: BTreeSet<_> = rule::ALL.iter().map(|rule| rule.name.to_owned()).collect();
    assert_eq!(
        named, known,
        "rules::ALL on the left, diagnostic::rule::ALL on the right"
    );
}

#[test]
fn a_rule_with_a_file_runs_from_it() {
    let mut in_files = stems("rs");
    in_files.remove("mod");
    let mut faults = Vec::new();
    for rule in ALL {
        let has_file = in_files.remove(&rule.id.name.replace('-', "_"));
        if matches!(rule.scope, Scope::Entry(_)) && !has_file {
            faults.push(format!("`{}` has no file of its own", rule.id.name));
        }
    }
    faults.extend(
        in_files
            .iter()
            .map(|stem| format!("src/rules/{stem}.rs is no rule's")),
    );
    assert_none(&faults);
}

/// The names of the files with an ending, without it.
fn stems(ending: &str) -> BTreeSet<String> {
    let suffix = format!(".{ending}");
    files::texts("src/rules")
        .into_iter()
        .filter_map(|file| {
            Some(
                file.path
                    .strip_prefix("src/rules/")?
                    .strip_suffix(&suffix)?
                    .to_owned(),
            )
        })
        .collect()
}
