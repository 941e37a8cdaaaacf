//! What the documents name is there.

use crate::assert_none;
use crate::files::{self, Written, has_ending};
use countersign::diagnostic::rule::ALL;
use std::collections::BTreeSet;
use std::fs;

/// Folders that begin a path in prose.
const CODE: [&str; 7] = ["src", "tests", "docs", "xtask", "benches", "fuzz", ".ci"];

/// The same for what a site has too: outside `docs`, which is about sites of others, this one is
/// meant.
const SITE: [&str; 4] = ["templates", "static", "content", "measure"];

fn documents() -> Vec<Written> {
    let names = [
        "README.md",
        "ARCHITECTURE.md",
        "DESIGN.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ];
    let mut all: Vec<_> = names
        .into_iter()
        .map(|name| Written {
            path: name.to_owned(),
            text: fs::read_to_string(files::root().join(name)).unwrap(),
        })
        .collect();
    all.extend(
        files::texts("docs")
            .into_iter()
            .filter(|file| has_ending(&file.path, "md")),
    );
    all
}

#[test]
fn paths_in_code_spans_exist() {
    let mut faults = Vec::new();
    for document in documents() {
        for (line, span) in code_spans(&document.text) {
            if is_path(span, &document.path) && !exists(span) {
                faults.push(format!("{}:{line}: there is no `{span}`", document.path));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn types_in_the_architecture_exist() {
    let mut declared = BTreeSet::new();
    for file in files::rust("src") {
        for line in file.text.lines() {
            let mut words = line
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .skip_while(|word| !["struct", "enum", "trait", "type"].contains(word));
            declared.extend(words.nth(1).map(str::to_owned));
        }
    }
    let path = "ARCHITECTURE.md";
    let text = fs::read_to_string(files::root().join(path)).unwrap();
    let faults: Vec<_> = code_spans(&text)
        .filter(|(_, span)| {
            span.starts_with(|c: char| c.is_uppercase()) && span.chars().all(char::is_alphanumeric)
        })
        .filter(|(_, span)| !declared.contains(*span))
        .map(|(line, span)| format!("{path}:{line}: no type is called `{span}`"))
        .collect();
    assert_none(&faults);
}

/// The code spans of a document with their lines; fenced blocks are examples and are left out.
fn code_spans(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_fenced = false;
    text.lines()
        .enumerate()
        .filter(move |(_, line)| {
            let is_fence = line.trim_start().starts_with("```");
            is_fenced ^= is_fence;
            !is_fenced && !is_fence
        })
        .flat_map(|(number, line)| {
            let spans = line.split('`').skip(1).step_by(2);
            spans.map(move |span| (number + 1, span))
        })
}

/// Whether a code span names a file or folder of the repository.
fn is_path(span: &str, document: &str) -> bool {
    let first = span.split('/').next().unwrap_or_default();
    let is_plain = span
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
    let is_file_here = !span.contains('/') && (has_ending(span, "rs") || span == "deny.toml");
    let is_ours = CODE.contains(&first) || SITE.contains(&first) && !document.starts_with("docs/");
    is_plain && (is_ours && span.contains('/') || is_file_here)
}

/// Whether a path exists; a part in capitals stands for any name.
fn exists(span: &str) -> bool {
    let span = span.trim_end_matches('/');
    let any = span.split('/').position(|part| {
        let stem = part.split('.').next().unwrap_or_default();
        !stem.is_empty() && stem.chars().all(|c| c.is_ascii_uppercase()) && stem != "README"
    });
    let Some(any) = any else {
        return files::root().join(span).exists();
    };
    let folder: Vec<_> = span.split('/').take(any).collect();
    files::root().join(folder.join("/")).is_dir()
}

fn is_kebab(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'
}

#[test]
fn constants_tests_and_cases_of_the_security_page_exist() {
    let code: Vec<_> = ["src", "tests"].into_iter().flat_map(files::rust).collect();
    let has = |text: &str| code.iter().any(|file| file.text.contains(text));
    let path = "docs/security.md";
    let text = fs::read_to_string(files::root().join(path)).unwrap();
    let mut faults = Vec::new();
    for (line, span) in code_spans(&text) {
        let is_name = |is_letter: fn(&char) -> bool| {
            span.contains('_') && span.chars().all(|c| c == '_' || is_letter(&c))
        };
        let is_there = if is_name(char::is_ascii_uppercase) {
            has(&format!("const {span}:"))
        } else if is_name(char::is_ascii_lowercase) {
            has(&format!("fn {span}("))
        } else if span.contains('-') && !span.starts_with('-') && span.chars().all(is_kebab) {
            files::root().join("tests/cases").join(span).is_dir()
                || ALL.iter().any(|rule| rule.name == span)
        } else {
            continue;
        };
        if !is_there {
            faults.push(format!("{path}:{line}: nothing is called `{span}`"));
        }
    }
    assert_none(&faults);
}
