//! Why a simulation could not run.
//!
//! Job: say in plain words which parameter is at fault. Output: one value a fault; the caller adds the
//! place in the author's file. Invariant: `field` names a parameter as the author writes it.

use std::fmt;

/// The sort of a fault, so that the caller can choose its rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimErrorKind {
    /// A value that makes no sense for this machine, or operands whose shapes do not fit.
    Invalid,
    /// More than this build simulates; the message names the limit.
    Limit,
    /// A total that the author states and that does not come out.
    Mismatch,
}

/// One fault in a simulation's parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimError {
    /// What sort of fault it is.
    pub kind: SimErrorKind,
    /// The parameter, as a path with dots: `residents`, `operands.a`, `configuration.many.loads_in_flight`.
    pub field: String,
    /// What is wrong, in plain words.
    pub message: String,
}

impl SimError {
    pub(super) fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::of(SimErrorKind::Invalid, field, message)
    }

    pub(super) fn limit(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::of(SimErrorKind::Limit, field, message)
    }

    pub(super) fn mismatch(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::of(SimErrorKind::Mismatch, field, message)
    }

    fn of(kind: SimErrorKind, field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            kind,
            field: field.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for SimError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for SimError {}

/// `noun` with its count, in the singular or with an `s`.
pub(super) fn counted(count: impl Into<u64>, noun: &str) -> String {
    let count = count.into();
    if count == 1 {
        format!("{count} {noun}")
    } else {
        format!("{count} {noun}s")
    }
}
