//! Facts: claims with what they come from.

use super::interval::Interval;
use crate::model::date::Date;
use crate::model::slug::Slug;
use crate::source::{Span, make_exact};
use std::sync::LazyLock;

/// Where an operand comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A cell, a constant or a column of a capture.
    Measured {
        /// The capture's name.
        capture: Slug,
        /// The device it was measured on.
        device: Option<String>,
        /// The day of the capture.
        captured: Option<Date>,
        /// The id of the row on the page, as [`crate::model::dataset::Capture::row_anchor`] gives it;
        /// `None` for a constant and for several rows at once.
        anchor: Option<String>,
    },
    /// A result of a model of the entry, by the model's name.
    Model(String),
    /// A total of a preset, by the preset's name.
    Preset(String),
    /// Cells of a matrix of the entry, by the matrix's name.
    Matrix(String),
}

/// A value that a formula reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// What the formula calls it: `t4.tlp1.ms`, `loom(latency: 4).cycles`, `a[0,2]`. For the
    /// largest or smallest of a column, the cell that it is.
    pub path: String,
    /// The value as written; for several rows, how many there are.
    pub text: String,
    /// The column's unit.
    pub unit: Option<String>,
    /// Where it comes from.
    pub origin: Origin,
    /// Where the value stands.
    pub span: Option<Span>,
}

/// Whether a claim holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Holds,
    /// It is another number; this was reported.
    Mismatch,
    /// The data cannot tell it from a neighbour; this was reported.
    TooPrecise,
}

/// An evaluated claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What is printed, letter for letter.
    pub text: String,
    /// The printed number as a plain decimal for machines (`0.91` for a share printed as `91%`).
    pub value: String,
    /// The formula as written.
    pub formula: String,
    /// What the formula reads, each once, in the order of reading.
    pub operands: Vec<Operand>,
    /// Every value that the formula can take within the printed precision of its cells.
    pub interval: Interval,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// The facts of an entry, by the place of their claims ([`crate::model::claim::Claim::span`]). A
/// claim whose formula has no value is not among them; it was reported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts(Vec<(Span, Fact)>);

/// Facts that are made when they are looked at first.
pub type LazyFacts = LazyLock<Facts, Box<dyn FnOnce() -> Facts + Send + Sync>>;

impl Facts {
    /// The fact of the claim at this place.
    pub fn get(&self, claim: Span) -> Option<&Fact> {
        let at = self.find(claim).ok()?;
        self.0.get(at).map(|(_, fact)| fact)
    }

    /// Every fact, in the order of places.
    pub fn iter(&self) -> impl Iterator<Item = (Span, &Fact)> {
        self.0.iter().map(|(span, fact)| (*span, fact))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn insert(&mut self, claim: Span, mut fact: Fact) {
        make_exact(&mut fact.operands);
        match self.find(claim) {
            Ok(at) => self.0[at].1 = fact,
            Err(at) => self.0.insert(at, (claim, fact)),
        }
    }

    pub(super) fn shrink(&mut self) {
        make_exact(&mut self.0);
    }

    /// Where the fact of a claim stands, or else where it belongs.
    fn find(&self, claim: Span) -> Result<usize, usize> {
        self.0.binary_search_by_key(&claim, |(span, _)| *span)
    }
}
