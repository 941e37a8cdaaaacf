//! The result of a run as JSON, and as a closing line for people.

use crate::compile::Compiled;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, json};
use crate::gate::{EntryState, Verdict};
use crate::source::Sources;
use serde::Serialize;

/// The version of the JSON formats.
const VERSION: u32 = 1;

/// What `check --format json` prints.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    version: u32,
    summary: Summary,
    entries: Vec<EntryReport<'a>>,
    findings: Vec<json::Finding<'a>>,
}

/// Counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Summary {
    pub errors: usize,
    pub warnings: usize,
    pub entries: usize,
    pub published: usize,
    pub draft: usize,
    pub refused: usize,
    pub stale: usize,
    pub held: usize,
}

/// An entry and its state.
#[derive(Debug, Serialize)]
pub(super) struct EntryReport<'a> {
    pub id: &'a str,
    pub kind: &'static str,
    pub state: &'static str,
    pub waits_for: Vec<&'static str>,
    pub path: &'a str,
    /// The oldest day on which a source of it was checked.
    pub oldest_check: Option<String>,
}

/// Counts of findings and states.
pub(super) fn summary(compiled: &Compiled, findings: &Diagnostics) -> Summary {
    let judgement = &compiled.judgement;
    Summary {
        errors: findings.count(Severity::Error),
        warnings: findings.count(Severity::Warning),
        entries: judgement.verdicts.len(),
        published: judgement.count(EntryState::Published),
        draft: judgement.count(EntryState::Draft),
        refused: judgement.count(EntryState::Refused),
        stale: judgement.count(EntryState::Stale),
        held: judgement.count(EntryState::Held),
    }
}

/// Every entry, in the order of kind and id.
pub(super) fn entries<'a>(compiled: &'a Compiled, sources: &'a Sources) -> Vec<EntryReport<'a>> {
    let mut order: Vec<_> = compiled.judgement.verdicts.iter().enumerate().collect();
    order.sort_by(|(_, a), (_, b)| (a.kind, &a.id, a.file).cmp(&(b.kind, &b.id, b.file)));
    order
        .into_iter()
        .map(|(index, verdict)| entry(compiled, sources, index, verdict))
        .collect()
}

fn entry<'a>(
    compiled: &'a Compiled,
    sources: &'a Sources,
    index: usize,
    verdict: &'a Verdict,
) -> EntryReport<'a> {
    let checks = compiled.site.entries.get(index).into_iter();
    let checks = checks.flat_map(|entry| &entry.sources);
    let oldest = checks
        .filter_map(|s| s.checked.date())
        .map(|d| d.value)
        .min();
    EntryReport {
        id: verdict.id.as_str(),
        kind: verdict.kind.word(),
        state: verdict.state.word(),
        waits_for: verdict.waits_for.iter().map(|role| role.word()).collect(),
        path: &sources.file(verdict.file).path,
        oldest_check: oldest.map(|date| date.to_string()),
    }
}

/// The whole report as JSON, with a line end.
pub(super) fn to_json(compiled: &Compiled, sources: &Sources, findings: &Diagnostics) -> String {
    let report = Report {
        version: VERSION,
        summary: summary(compiled, findings),
        entries: entries(compiled, sources),
        findings: findings
            .iter()
            .map(|finding: &Diagnostic| json::finding(finding, sources))
            .collect(),
    };
    let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
    text.push('\n');
    text
}

/// `3 errors, 1 warning; 12 entries: 2 published, 10 draft`.
pub(super) fn closing_line(summary: Summary) -> String {
    let count = |number: usize, one: &str, many: &str| match number {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    };
    let states = [
        (summary.published, "published"),
        (summary.draft, "draft"),
        (summary.refused, "refused"),
        (summary.stale, "stale"),
        (summary.held, "held"),
    ];
    let states: Vec<_> = states
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    let states = if states.is_empty() {
        String::new()
    } else {
        format!(": {}", states.join(", "))
    };
    format!(
        "{}, {}; {}{states}\n",
        count(summary.errors, "error", "errors"),
        count(summary.warnings, "warning", "warnings"),
        count(summary.entries, "entry", "entries"),
    )
}
