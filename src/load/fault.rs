//! A finding about a file that has no id yet.

use crate::diagnostic::{Diagnostic, RuleId};
use crate::source::{FileId, Span};
use std::ops::Range;

/// What is wrong with one file, before the files are numbered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) rule: RuleId,
    pub(super) message: String,
    pub(super) range: Range<usize>,
    pub(super) label: Option<String>,
    pub(super) note: Option<String>,
    pub(super) help: Option<String>,
}

impl Fault {
    pub(super) fn new(rule: RuleId, message: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
            range: 0..0,
            label: None,
            note: None,
            help: None,
        }
    }

    pub(super) fn at(mut self, range: Range<usize>) -> Self {
        self.range = range;
        self
    }

    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn finding(&self, file: FileId) -> Diagnostic {
        let mut finding = Diagnostic::new(
            self.rule,
            Span::new(file, self.range.clone()),
            &self.message,
        );
        finding.label.clone_from(&self.label);
        finding.notes.extend(self.note.clone());
        finding.help.clone_from(&self.help);
        finding
    }
}
