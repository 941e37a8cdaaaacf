//! The language of formulas: from text to a tree.
//!
//! Job: read `t4.ilp4-b1.ms / t4.tlp1.ms` and the like. Input: the text of a formula. Output:
//! [`Formula`]. Invariant: names are not looked up here; the tree is at most [`DEPTH_MAX`] deep in
//! parentheses, so that no formula can exhaust the stack.

mod calls;
mod lexer;
mod parser;

pub(in crate::evaluate) use lexer::{Fault, Reported};
pub(in crate::evaluate) use parser::parse;

use crate::model::number::Exact;
use std::ops::Range;

/// How deep parentheses, calls and signs may nest.
pub(in crate::evaluate) const DEPTH_MAX: usize = 32;

/// The functions of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::evaluate) enum Function {
    Max,
    Min,
    Sum,
    Mean,
    Count,
    Abs,
    Round,
    Dot,
}

impl Function {
    const ALL: [(&'static str, Self); 8] = [
        ("max", Self::Max),
        ("min", Self::Min),
        ("sum", Self::Sum),
        ("mean", Self::Mean),
        ("count", Self::Count),
        ("abs", Self::Abs),
        ("round", Self::Round),
        ("dot", Self::Dot),
    ];

    fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|(known, _)| *known == name)
            .map(|(_, function)| function)
    }

    /// The name as written.
    pub(in crate::evaluate) fn name(self) -> &'static str {
        Self::ALL
            .into_iter()
            .find(|(_, function)| *function == self)
            .map_or("", |(name, _)| name)
    }
}

/// `+`, `-`, `*` or `/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::evaluate) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

/// A name with its place in the formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evaluate) struct Name {
    pub(in crate::evaluate) text: String,
    pub(in crate::evaluate) range: Range<usize>,
}

/// An index of a matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evaluate) enum Index {
    /// One row or column, from 0.
    At(usize, Range<usize>),
    /// All of them: `*`.
    All,
}

/// What a part of a formula is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evaluate) enum Part {
    Number(Exact),
    /// Names joined by points; a `*` among them stands for every row.
    Path(Vec<Name>),
    Negate(Box<Formula>),
    Binary(Operator, Box<Formula>, Box<Formula>),
    Call(Function, Vec<Formula>),
    /// `loom(residents: 4).cycles`: the model, its settings, the result's path.
    Model(Name, Vec<(Name, Exact)>, Name),
    /// `a[0,*]`: the matrix, the row, the column.
    Cells(Name, Index, Index),
}

/// A formula or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evaluate) struct Formula {
    pub(in crate::evaluate) part: Part,
    /// Its place in the text.
    pub(in crate::evaluate) range: Range<usize>,
}

impl Formula {
    /// The names that stand alone, without points, in the order of reading.
    pub(in crate::evaluate) fn lone_names(&self) -> Vec<&str> {
        match &self.part {
            Part::Path(names) => match names.as_slice() {
                [name] => vec![&name.text],
                _ => Vec::new(),
            },
            Part::Negate(inner) => inner.lone_names(),
            Part::Binary(_, left, right) => {
                let mut names = left.lone_names();
                names.extend(right.lone_names());
                names
            }
            Part::Call(_, arguments) => arguments.iter().flat_map(Self::lone_names).collect(),
            Part::Number(_) | Part::Model(..) | Part::Cells(..) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
