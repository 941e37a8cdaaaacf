//! Where a file's front matter ends and its body begins.
//!
//! Takes a text with `\n` line ends and no byte-order mark; gives byte ranges and line numbers.
//! Only a line that is exactly `---` is a fence: the first line of the file, and the next such
//! line after it. A `---` further down is a rule of the body.

use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::source::{FileId, Span};
use std::ops::Range;

/// The two parts of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Bytes of the YAML between the fences.
    pub yaml: Range<usize>,
    /// Line of the file, from 1, on which the YAML begins.
    pub yaml_line: usize,
    /// Bytes of the body, after the line end of the closing fence.
    pub body: Range<usize>,
    /// Line of the file, from 1, on which the body begins.
    pub body_line: usize,
}

const FENCE: &str = "---";

/// Whether a text begins with front matter. A page that needs none may leave it out.
pub fn is_present(text: &str) -> bool {
    text.lines().next() == Some(FENCE)
}

/// Splits a file. `None` if the fences are not there; then an error was pushed.
pub fn split(text: &str, file: FileId, out: &mut Diagnostics) -> Option<Split> {
    if !is_present(text) {
        out.push(no_opening(text, file));
        return None;
    }
    let start = (FENCE.len() + 1).min(text.len());
    let mut at = start;
    for (content, line) in text[start..].split_inclusive('\n').zip(2..) {
        if content.strip_suffix('\n').unwrap_or(content) == FENCE {
            return Some(Split {
                yaml: start..at,
                yaml_line: 2,
                body: at + content.len()..text.len(),
                body_line: line + 1,
            });
        }
        at += content.len();
    }
    out.push(no_closing(text, file));
    None
}

fn no_opening(text: &str, file: FileId) -> Diagnostic {
    let first = text.lines().next().unwrap_or("");
    let span = Span::new(file, 0..first.len());
    let finding = Diagnostic::new(
        rule::BAD_FRONT_MATTER,
        span,
        "the file does not begin with front matter",
    );
    if first.trim() == FENCE {
        return finding
            .label("not exactly `---`")
            .help("Remove the spaces around the three hyphens: a fence is the line `---` alone.");
    }
    if text.trim_start().starts_with(FENCE) {
        return finding
            .label("the first line")
            .help("Move the line `---` to the very top of the file.");
    }
    finding.label("expected `---` here").help(
        "Begin the file with a line `---`, the keys (at least `title` and `short`), and a second \
         line `---`.",
    )
}

fn no_closing(text: &str, file: FileId) -> Diagnostic {
    let finding = Diagnostic::new(
        rule::BAD_FRONT_MATTER,
        Span::new(file, 0..FENCE.len()),
        "the front matter has no end",
    )
    .label("opened here");
    let mut at = 0;
    for content in text.split_inclusive('\n') {
        let trimmed = content.trim();
        let hyphens = trimmed.len() >= 3 && trimmed.bytes().all(|b| b == b'-');
        if at > 0 && (hyphens || trimmed == "...") {
            let shown = content.trim_end_matches('\n');
            return finding
                .related(
                    Span::new(file, at..at + shown.len()),
                    "perhaps meant to close it here",
                )
                .help("Close it with a line that is exactly `---`: three hyphens, no spaces.");
        }
        at += content.len();
    }
    finding.help("Add a line `---` after the last key, before the body.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<(&str, &str, usize)> {
        let mut out = Diagnostics::new();
        let split = split(text, FileId::new(0), &mut out);
        assert_eq!(split.is_none(), out.has_errors(), "{text:?}");
        split.map(|s| (&text[s.yaml], &text[s.body], s.body_line))
    }

    #[test]
    fn the_first_two_fences_count() {
        assert_eq!(
            parts("---\na: 1\n---\nx\n\n---\n\ny\n"),
            Some(("a: 1\n", "x\n\n---\n\ny\n", 4))
        );
        assert_eq!(parts("---\n---"), Some(("", "", 3)));
        assert_eq!(parts("---\na: '--- '\n---\n"), Some(("a: '--- '\n", "", 4)));
        assert_eq!(
            parts("---\n--- \n ---\n----\n---\nb"),
            Some(("--- \n ---\n----\n", "b", 6))
        );
    }

    #[test]
    fn what_is_missing_is_said() {
        for (text, help) in [
            ("", "Begin the file"),
            ("title: x\n", "Begin the file"),
            ("--- \na: 1\n---\n", "Remove the spaces"),
            ("\n---\na: 1\n---\n", "very top"),
            ("---", "Add a line"),
            ("---\na: 1\n", "Add a line"),
            ("---\na: 1\n----\nbody\n", "three hyphens"),
        ] {
            let mut out = Diagnostics::new();
            assert_eq!(split(text, FileId::new(0), &mut out), None, "{text:?}");
            let found: Vec<_> = out.iter().filter_map(|d| d.help.as_deref()).collect();
            assert!(
                found.len() == 1 && found[0].contains(help),
                "{text:?}: {found:?}"
            );
        }
    }
}
