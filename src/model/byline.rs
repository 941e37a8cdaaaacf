//! Who wrote and reviewed an entry, and when.

use super::date::Date;
use crate::source::{Span, Spanned};

/// The two roles of a byline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Wrote it.
    Author,
    /// Read and checked it.
    Reviewer,
}

impl Role {
    /// The word used in commands, statements and messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Reviewer => "reviewer",
        }
    }

    /// The key of the byline that names the person.
    pub fn key(self) -> &'static str {
        match self {
            Self::Author => "written_by",
            Self::Reviewer => "reviewed_by",
        }
    }
}

/// A date that may still be pending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DateField {
    /// No such key, or no value.
    Absent,
    /// A placeholder stands there.
    Pending(Span),
    /// A day.
    On(Spanned<Date>),
    /// Something that is no day; it has been reported.
    Faulty(Span),
}

impl DateField {
    /// The day, if there is one.
    pub fn date(&self) -> Option<&Spanned<Date>> {
        match self {
            Self::On(date) => Some(date),
            _ => None,
        }
    }
}

/// The byline as written. What it amounts to is for the gate to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Byline {
    /// The whole block; the start of the front matter where there is none.
    pub span: Span,
    /// Text of `written_by`, as written.
    pub written_by: Option<Spanned<String>>,
    /// Text of `reviewed_by`, as written.
    pub reviewed_by: Option<Spanned<String>>,
    /// When it was written.
    pub written_on: DateField,
    /// When it was last checked.
    pub last_checked_on: DateField,
}

impl Byline {
    /// The name given in a role, as written.
    pub fn name(&self, role: Role) -> Option<&Spanned<String>> {
        match role {
            Role::Author => self.written_by.as_ref(),
            Role::Reviewer => self.reviewed_by.as_ref(),
        }
    }
}
