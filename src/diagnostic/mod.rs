//! Findings: what is wrong, where, why it matters, what to do.
//!
//! One type serves from the loader to the audit. Stages push into [`Diagnostics`]; nothing is
//! printed here. The rules' names, codes and default severities are in [`rule`].

pub mod github;
pub mod human;
pub mod json;
pub mod rule;
pub mod sarif;
mod shorten;
mod suggest;

pub use rule::{Group, RuleId, Severity};
pub use suggest::nearest;

use crate::source::{FileId, Span};
use shorten::shorten;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A second place that a finding points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub span: Span,
    /// What is to be seen there.
    pub label: String,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that found it.
    pub rule: RuleId,
    /// Its severity after the site's `[rules]`.
    pub severity: Severity,
    /// The headline: what is wrong, without advice.
    pub message: String,
    /// The place.
    pub span: Span,
    /// What is to be seen at the place.
    pub label: Option<String>,
    /// Other places that matter.
    pub related: Vec<Related>,
    /// Why it matters, or how it was worked out.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// The entry that it is about, if it is about one.
    pub entry: Option<Arc<str>>,
    /// Other entries that the same fault concerns, in order: see [`Diagnostics::join`].
    pub others: Vec<Arc<str>>,
    /// Findings that are not listed, in whose place this one stands: see [`Diagnostics::bound_each`].
    pub unlisted: Unlisted,
}

/// Findings of one rule and severity in one file that are not listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unlisted {
    /// How many.
    pub count: usize,
    /// Every entry that they concern.
    pub entries: BTreeSet<Arc<str>>,
}

impl Diagnostic {
    /// A finding with the rule's own severity.
    pub fn new(rule: RuleId, span: Span, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.severity,
            message: shorten(message.into()),
            span,
            label: None,
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
            entry: None,
            others: Vec::new(),
            unlisted: Unlisted::default(),
        }
    }

    /// Says what is to be seen at the place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(shorten(label.into()));
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push(Related {
            span,
            label: shorten(label.into()),
        });
        self
    }

    /// Adds a reason.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(shorten(note.into()));
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shorten(help.into()));
        self
    }

    /// Says what to do, if anything is known.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.map(shorten).or(self.help);
        self
    }

    /// Changes the severity.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Names the entry that it is about.
    #[must_use]
    pub fn entry(mut self, entry: impl Into<Arc<str>>) -> Self {
        self.entry = Some(entry.into());
        self
    }
}

/// Most entries that one finding names.
const NAMED_MAX: usize = 8;

impl Diagnostic {
    /// Every entry that it concerns.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<str>> {
        self.entry.iter().chain(&self.others)
    }

    /// Every entry that it concerns, or one that is not listed in its place.
    pub fn all_entries(&self) -> impl Iterator<Item = &Arc<str>> {
        self.entries().chain(&self.unlisted.entries)
    }

    /// Whether it concerns an entry, or one that is not listed in its place does.
    pub fn concerns(&self, id: &str) -> bool {
        self.entries().any(|entry| **entry == *id) || self.unlisted.entries.contains(id)
    }

    /// Takes the entries of another finding about the same fault.
    pub fn take_over(&mut self, other: &Self) {
        for id in other.entries() {
            if let (false, Err(at)) = (
                self.entry.as_ref() == Some(id),
                self.others.binary_search(id),
            ) {
                self.others.insert(at, Arc::clone(id));
            }
        }
        self.stand_for(&other.unlisted);
    }

    /// Stands in the place of findings that are not listed, too.
    fn stand_for(&mut self, unlisted: &Unlisted) {
        self.unlisted.count += unlisted.count;
        let entries = unlisted.entries.iter().map(Arc::clone);
        self.unlisted.entries.extend(entries);
    }

    /// The reasons, with the entries that it concerns where there are several.
    pub fn all_notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        if !self.others.is_empty() {
            let count = self.entries().count();
            let named = named(self.entries());
            notes.push(format!("It concerns {count} entries: {named}"));
        }
        let Unlisted { count, entries } = &self.unlisted;
        if *count > 0 {
            notes.push(format!(
                "This file has {count} more findings of this rule; they are not listed."
            ));
        }
        if !entries.is_empty() {
            notes.push(format!("Those concern {}", named(entries.iter())));
        }
        notes
    }

    /// Headline, reasons and advice, a line each, for formats that show one text.
    pub fn full_text(&self) -> String {
        let notes = self.all_notes();
        let notes = notes.iter().map(|note| format!("note: {note}"));
        let help = self.help.iter().map(|help| format!("help: {help}"));
        let lines = std::iter::once(self.message.clone())
            .chain(notes)
            .chain(help);
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The first of some entries.
fn named<'a>(entries: impl Iterator<Item = &'a Arc<str>>) -> String {
    let mut named: Vec<_> = entries
        .take(NAMED_MAX + 1)
        .map(|id| format!("`{id}`"))
        .collect();
    let more = if named.len() > NAMED_MAX {
        ", …"
    } else {
        "."
    };
    named.truncate(NAMED_MAX);
    format!("{}{more}", named.join(", "))
}

/// The findings of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds all of another list.
    pub fn append(&mut self, mut other: Self) {
        self.list.append(&mut other.list);
    }

    /// Counts findings that are left out in the place of the one at this index: of its rule and severity, about
    /// its entry.
    pub fn leave_out(&mut self, index: usize, count: usize) {
        if let Some(finding) = self.list.get_mut(index) {
            finding.unlisted.count += count;
        }
    }

    /// The findings, in their present order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Changes each finding in place.
    pub fn for_each_mut(&mut self, change: impl FnMut(&mut Diagnostic)) {
        self.list.iter_mut().for_each(change);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether one is at error level.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// How many are at this level.
    pub fn count(&self, severity: Severity) -> usize {
        self.list.iter().filter(|d| d.severity == severity).count()
    }

    /// Names the entry that every finding from index `from` on is about, where none is named.
    pub fn name_entry_from(&mut self, from: usize, entry: &Arc<str>) {
        for finding in self.list.iter_mut().skip(from) {
            finding.entry.get_or_insert_with(|| Arc::clone(entry));
        }
    }

    /// Makes one finding of those that tell one fault, which is to say of one rule, with one message at
    /// one place, for each entry that it concerns. Findings must be in their final order.
    pub fn join(&mut self) {
        self.list.dedup_by(|next, kept| {
            let same = next.rule == kept.rule
                && next.span == kept.span
                && next.severity == kept.severity
                && next.message == kept.message
                && next.entry.is_some()
                && kept.entry.is_some();
            if same {
                kept.take_over(next);
            }
            same
        });
    }

    /// Leaves at most `limit` findings of one rule and severity in one file; the last of them stands for
    /// the others: it says how many, and knows which entries they concern. Warnings take no error's place.
    /// Findings must be in their final order.
    pub fn bound_each(&mut self, limit: usize) {
        let key = |finding: &Diagnostic| (finding.span.file, finding.rule.name, finding.severity);
        let mut counts: BTreeMap<(FileId, &str, Severity), usize> = BTreeMap::new();
        let mut unlisted: BTreeMap<(FileId, &str, Severity), Unlisted> = BTreeMap::new();
        self.list.retain(|finding| {
            let count = counts.entry(key(finding)).or_default();
            *count += 1;
            if *count > limit {
                let unlisted = unlisted.entry(key(finding)).or_default();
                unlisted.count += 1 + finding.unlisted.count;
                let entries = finding.all_entries().map(Arc::clone);
                unlisted.entries.extend(entries);
            }
            *count <= limit
        });
        for finding in self.list.iter_mut().rev() {
            if unlisted.is_empty() {
                break;
            }
            if let Some(unlisted) = unlisted.remove(&key(finding)) {
                finding.stand_for(&unlisted);
            }
        }
    }

    /// Drops those that fail the test.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// Sign-off findings first, then by the place (`order` gives a file's rank, so that the
    /// result does not depend on the order of loading) and code; exact duplicates are dropped.
    pub fn sort_by_file(&mut self, order: impl Fn(FileId) -> usize) {
        let key = |d: &Diagnostic| {
            (
                d.rule.group != Group::SignOff,
                order(d.span.file),
                d.span.start,
                d.span.end,
                d.rule.code,
            )
        };
        self.list.sort_by(|a, b| {
            let by_message = || {
                a.message
                    .cmp(&b.message)
                    .then_with(|| a.entry.cmp(&b.entry))
            };
            key(a).cmp(&key(b)).then_with(by_message)
        });
        self.list.dedup();
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, iter: I) {
        self.list.extend(iter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(entry: &str, message: &str) -> Diagnostic {
        let place = Span::file(FileId::new(0));
        Diagnostic::new(rule::BAD_DRAWING, place, message).entry(entry)
    }

    #[test]
    fn warnings_take_no_error_s_place() {
        let mut findings = Diagnostics::new();
        for number in 0..5 {
            findings.push(about("e", &format!("{number}")).severity(Severity::Warning));
        }
        findings.push(about("e", "6").severity(Severity::Error));
        findings.bound_each(2);
        let told: Vec<_> = findings.iter().map(Diagnostic::full_text).collect();
        assert_eq!(
            told,
            [
                "0",
                "1\nnote: This file has 3 more findings of this rule; they are not listed.\nnote: Those concern `e`.",
                "6"
            ]
        );
    }

    #[test]
    fn no_entry_is_lost_with_what_is_not_listed() {
        let mut findings = Diagnostics::new();
        for number in 10..20 {
            findings.push(about(&format!("e{number}"), &format!("{number}")));
        }
        // What a later stage finds comes first, and takes a place.
        for number in [9, 3] {
            findings.sort_by_file(|_| 0);
            findings.join();
            findings.bound_each(4);
            findings.push(about(&format!("e0{number}"), &format!("0{number}")));
        }
        findings.sort_by_file(|_| 0);
        findings.bound_each(4);
        let told: Vec<_> = findings.iter().map(Diagnostic::full_text).collect();
        assert_eq!(told[..3], ["03", "09", "10"]);
        assert_eq!(
            told[3..],
            [
                "11\nnote: This file has 8 more findings of this rule; they are not listed.\n\
                 note: Those concern `e12`, `e13`, `e14`, `e15`, `e16`, `e17`, `e18`, `e19`."
            ]
        );
        for number in 10..20 {
            let id = format!("e{number}");
            assert!(findings.iter().any(|finding| finding.concerns(&id)), "{id}");
        }
    }

    #[test]
    fn one_fault_of_many_entries_is_one_finding() {
        let mut findings = Diagnostics::new();
        for id in (0..10).rev() {
            findings.push(about(&format!("e{id}"), "one"));
        }
        findings.push(about("e0", "another"));
        findings.push(about("e3", "one").related(Span::file(FileId::new(1)), "here too"));
        // A second round must not count the first anew.
        for _ in 0..2 {
            findings.sort_by_file(|_| 0);
            findings.join();
            findings.push(about("e5", "one"));
        }
        findings.join();
        let told: Vec<_> = findings.iter().map(Diagnostic::full_text).collect();
        assert_eq!(
            told,
            [
                "another",
                "one\nnote: It concerns 10 entries: `e0`, `e1`, `e2`, `e3`, `e4`, `e5`, `e6`, `e7`, …"
            ]
        );
        assert!(findings.iter().all(|finding| finding.concerns("e0")));
        assert!(!findings.iter().all(|finding| finding.concerns("e9")));
    }

    #[test]
    fn findings_of_no_entry_stay_apart() {
        let mut findings = Diagnostics::new();
        for file in 1..3 {
            let place = Span::file(FileId::new(0));
            let finding = Diagnostic::new(rule::BAD_PEOPLE, place, "one");
            findings.push(finding.related(Span::file(FileId::new(file)), "here"));
        }
        findings.join();
        assert_eq!(findings.len(), 2);
    }
}
