//! One finding as JSON: the shape that `check --format json` lists.

use super::Diagnostic;
use crate::source::Sources;
use serde::Serialize;

/// A finding as machines read it. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding<'a> {
    /// Name of the rule.
    pub rule: &'static str,
    /// Its code.
    pub code: &'static str,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The entry, or `null`.
    pub entry: Option<&'a str>,
    /// Other entries that the same fault concerns; left out where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_entries: Vec<&'a str>,
    /// The headline.
    pub message: &'a str,
    /// What to do; empty if nothing is known.
    pub help: &'a str,
    /// Path from the site, with forward slashes.
    pub path: &'a str,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// One past the last column.
    pub end_column: u32,
}

/// The JSON form of a finding.
pub fn finding<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Finding<'a> {
    let (start, end) = sources.position(diagnostic.span);
    Finding {
        rule: diagnostic.rule.name,
        code: diagnostic.rule.code,
        severity: diagnostic.severity.word(),
        entry: diagnostic.entry.as_deref(),
        other_entries: diagnostic.others.iter().map(|id| &**id).collect(),
        message: &diagnostic.message,
        help: diagnostic.help.as_deref().unwrap_or(""),
        path: &sources.file(diagnostic.span.file).path,
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}
