//! What a YAML fault means to the person who wrote it.

use super::depth;
use serde_yaml::granit_parser::{ErrorKind, ScanError};
use std::ops::Range;

/// Whether the fault is that values nest too deeply.
pub(super) fn is_depth(error: &ScanError) -> bool {
    matches!(error.kind(), ErrorKind::RecursionLimitExceeded)
}

/// The place in `text`, a headline in plain words, and what to do.
pub(super) fn explain(text: &str, error: &ScanError) -> (Range<usize>, String, String) {
    let at = offset(text, error);
    if let Some(tab) = tab_indent(text, at) {
        return (
            tab..tab + 1,
            "a tab is used to indent".to_owned(),
            "Indent with spaces: YAML allows no tabs there.".to_owned(),
        );
    }
    if let Some(colon) = second_colon(text, at) {
        return (
            colon..colon + 1,
            "the value holds an unquoted colon".to_owned(),
            "Quote the value: put it between \" marks, so that `: ` in it is text.".to_owned(),
        );
    }
    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    if is_depth(error) {
        return (
            at..end,
            depth::MESSAGE.to_owned(),
            depth::help("lists and keys"),
        );
    }
    (
        at..end,
        format!("this cannot be read as YAML: {}", error.kind()),
        "Check the indentation and the quotes here and on the line above; quote a value that \
         holds `: `, ` #`, or begins with one of [ ] { } & * ! | > @ `."
            .to_owned(),
    )
}

/// Byte offset of the fault, on a character boundary.
fn offset(text: &str, error: &ScanError) -> usize {
    let marker = error.marker();
    let mut at = match marker.byte_offset() {
        Some(at) => at.min(text.len()),
        None => text
            .char_indices()
            .nth(marker.index())
            .map_or(text.len(), |(at, _)| at),
    };
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The first tab in the indentation of the line of `at`, or of the line before it.
fn tab_indent(text: &str, at: usize) -> Option<usize> {
    let start = line_start(text, at);
    let before = line_start(text, start.saturating_sub(1));
    [start, before].into_iter().find_map(|start| {
        let line = text[start..].lines().next().unwrap_or("");
        let indent = line.len() - line.trim_start_matches([' ', '\t', '-']).len();
        line[..indent].find('\t').map(|tab| start + tab)
    })
}

/// The colon of the line of `at` (or of the line before it) that follows the one after its key
/// and is not inside quotes.
fn second_colon(text: &str, at: usize) -> Option<usize> {
    let start = line_start(text, at);
    let before = line_start(text, start.saturating_sub(1));
    [start, before].into_iter().find_map(|start| {
        let line = text[start..].lines().next().unwrap_or("");
        let first = line.find(": ")?;
        let value = line[first + 2..].trim_start();
        if value.starts_with(['"', '\'', '[', '{', '|', '>']) {
            return None;
        }
        let rest = first + 2;
        let second = line[rest..].find(": ").map(|colon| rest + colon);
        let last = line
            .trim_end()
            .ends_with(':')
            .then(|| line.trim_end().len() - 1);
        second
            .or(last.filter(|&last| last > first))
            .map(|colon| start + colon)
    })
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}
