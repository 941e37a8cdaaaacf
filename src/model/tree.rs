//! The tree that YAML, TOML and JSON are read into.
//!
//! A scalar keeps the characters it was written with: `0.70` stays `0.70`, `no` stays `no`.
//! Whether it is a number or a date is decided by whoever reads it.

use crate::source::{Span, Spanned};

/// How deep the data languages may nest.
pub const MAX_DEPTH: usize = 64;

/// How a scalar was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Bare, so that it may stand for a number, a truth value or nothing.
    Plain,
    /// In quotes or as a block: always text.
    Text,
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// An absent value: `null`, `~` or nothing at all.
    Null,
    /// Text, as written.
    Scalar(String, Style),
    /// A list.
    List(Vec<Node>),
    /// Keys with values, in the order written; keys are unique.
    Map(Vec<(Spanned<String>, Node)>),
}

impl Node {
    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(text, _) => Some(text),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn list(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The pairs of a map.
    pub fn map(&self) -> Option<&[(Spanned<String>, Self)]> {
        match &self.kind {
            Kind::Map(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// The value under a key of a map.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.map()?
            .iter()
            .find(|(name, _)| name.value == key)
            .map(|(_, value)| value)
    }

    /// Whether the value is absent.
    pub fn is_null(&self) -> bool {
        self.kind == Kind::Null
    }

    /// What it is, for a message: "a list", "text".
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            Kind::Null => "nothing",
            Kind::Scalar(..) => "text",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a set of keys",
        }
    }
}
