//! Formulas into tokens.
//!
//! A word is a run of letters, digits, `_`, points, and hyphens between them, since names have
//! hyphens; so `+` and `-` as operators need spaces around them.

use crate::model::number::{Decimal, NumberError};
use std::ops::Range;

/// Most bytes of a formula.
pub(super) const FORMULA_MAX: usize = 1_000;

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A number.
    Number(Decimal),
    /// A name, or names joined by points: `t4.tlp1.ms`, `t4.*.ms`, `.cycles`.
    Word(String),
    /// `+`, `-`, `*`, `/`, `(`, `)`, `[`, `]`, `,`, `:`.
    Sign(char),
}

/// A token with its place in the formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) range: Range<usize>,
    /// Whether spaces stand before and after it.
    pub(super) apart: bool,
}

/// A fault in a formula, with its place in the formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::evaluate) struct Fault {
    pub(in crate::evaluate) range: Range<usize>,
    pub(in crate::evaluate) message: String,
    pub(in crate::evaluate) help: Option<String>,
    /// What would be right in place of `range`, if that is likely.
    pub(in crate::evaluate) instead: Option<String>,
    /// Whether the cause has been reported elsewhere, so that this is no finding of its own.
    pub(in crate::evaluate) reported: Reported,
}

/// Whether a fault's cause is known already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::evaluate) enum Reported {
    No,
    Elsewhere,
}

impl Fault {
    pub(in crate::evaluate) fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            range,
            message: message.into(),
            help: None,
            instead: None,
            reported: Reported::No,
        }
    }

    /// The fault with the name that was likely meant.
    pub(in crate::evaluate) fn instead(mut self, near: &str) -> Self {
        self.help = Some(format!("Did you mean `{near}`?"));
        self.instead = Some(near.to_owned());
        self
    }

    /// A fault whose cause was reported where it lies.
    pub(in crate::evaluate) fn reported(range: Range<usize>) -> Self {
        Self {
            reported: Reported::Elsewhere,
            ..Self::new(range, "")
        }
    }

    pub(in crate::evaluate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Splits a formula into tokens.
pub(super) fn tokens(formula: &str) -> Result<Vec<Placed>, Fault> {
    if formula.len() > FORMULA_MAX {
        return Err(Fault::new(
            0..formula.len(),
            format!("the formula has more than {FORMULA_MAX} characters"),
        )
        .help("Put the intermediate result into a derived column."));
    }
    let mut list = Vec::new();
    let mut at = 0;
    while let Some(c) = formula[at..].chars().next() {
        let end = at + c.len_utf8();
        if c.is_whitespace() {
            at = end;
            continue;
        }
        let (token, end) = match c {
            '+' | '-' | '*' | '/' | '(' | ')' | '[' | ']' | ',' | ':' => (Token::Sign(c), end),
            c if c.is_ascii_alphanumeric() || matches!(c, '_' | '.') => {
                let end = word_end(formula, at);
                (word(&formula[at..end], at..end)?, end)
            }
            c => return Err(strange(c, at..end)),
        };
        let before = formula[..at].ends_with(char::is_whitespace);
        let after = end == formula.len() || formula[end..].starts_with(char::is_whitespace);
        list.push(Placed {
            token,
            range: at..end,
            apart: before && after,
        });
        at = end;
    }
    Ok(list)
}

/// Where the word that begins at `start` ends.
fn word_end(formula: &str, start: usize) -> usize {
    let bytes = formula.as_bytes();
    let name = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'.' if bytes.get(at + 1) == Some(&b'*') && bytes.get(at + 2) == Some(&b'.') => at += 2,
            b'.' => at += 1,
            b'-' if at > start && name(at - 1) && name(at + 1) => at += 1,
            _ if name(at) => at += 1,
            _ => break,
        }
    }
    at
}

fn word(text: &str, range: Range<usize>) -> Result<Token, Fault> {
    match Decimal::parse(text) {
        Ok(number) => Ok(Token::Number(number)),
        Err(NumberError::TooLong) => Err(Fault::new(
            range,
            format!("this number {}", NumberError::TooLong.words()),
        )),
        Err(_) => Ok(Token::Word(text.to_owned())),
    }
}

fn strange(c: char, range: Range<usize>) -> Fault {
    let instead = match c {
        '×' | '·' | '⋅' | '∗' => Some("*"),
        '÷' | '∕' => Some("/"),
        '−' | '–' | '—' => Some("-"),
        '%' => Some("/ 100"),
        _ => None,
    };
    let fault = Fault::new(range, format!("`{c}` has no meaning in a formula"));
    match instead {
        Some(instead) => fault.help(format!("Write `{instead}` for it.")),
        None if c == '^' => fault.help("Write a power as a product: `x * x`."),
        None => fault.help(
            "A formula has names, numbers, `+ - * /`, parentheses and the functions max, min, sum, \
             mean, count, abs, round and dot.",
        ),
    }
}
