//! Tokens into a tree, by precedence: sums of products of signed values.

use super::lexer::{Fault, Placed, Token, tokens};
use super::{DEPTH_MAX, Formula, Name, Operator, Part};
use std::ops::Range;

/// Reads a formula.
pub(in crate::evaluate) fn parse(text: &str) -> Result<Formula, Fault> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        end: text.trim_end().len(),
        depth: 0,
    };
    if tokens.is_empty() {
        return Err(Fault::new(0..text.len(), "the formula is empty")
            .help("Write what the number comes from, for instance `t4.tlp1.ms`."));
    }
    let formula = parser.sum()?;
    match parser.peek() {
        None => Ok(formula),
        Some(rest) => Err(unexpected(rest, &formula)),
    }
}

/// Something follows where the formula could have ended.
fn unexpected(rest: &Placed, before: &Formula) -> Fault {
    let range = rest.range.clone();
    match (&rest.token, &before.part) {
        (Token::Sign(','), Part::Number(_)) => Fault::new(range, "a comma stands in a number")
            .help("Write numbers in a formula without commas: `201326592`."),
        (Token::Sign(')'), _) => Fault::new(range, "this `)` closes nothing"),
        (Token::Sign(c), _) => Fault::new(range, format!("`{c}` is not expected here")),
        _ => Fault::new(range, "an operator is missing before this")
            .help("Join two values with `+`, `-`, `*` or `/`."),
    }
}

pub(super) struct Parser<'a> {
    pub(super) tokens: &'a [Placed],
    pub(super) at: usize,
    end: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn peek(&self) -> Option<&'a Placed> {
        self.tokens.get(self.at)
    }

    pub(super) fn peek_sign(&self) -> Option<char> {
        match self.peek()?.token {
            Token::Sign(c) => Some(c),
            _ => None,
        }
    }

    pub(super) fn next(&mut self) -> Option<&'a Placed> {
        let token = self.tokens.get(self.at);
        self.at += 1;
        token
    }

    /// The place of the next token, or the end of the formula.
    pub(super) fn here(&self) -> Range<usize> {
        self.peek()
            .map_or(self.end..self.end, |token| token.range.clone())
    }

    /// The place of the last token that was taken.
    pub(super) fn last_end(&self) -> usize {
        self.tokens
            .get(self.at.saturating_sub(1))
            .map_or(self.end, |token| token.range.end)
    }

    pub(super) fn expect(&mut self, sign: char, why: &str) -> Result<(), Fault> {
        if self.peek_sign() == Some(sign) {
            self.at += 1;
            return Ok(());
        }
        Err(Fault::new(self.here(), format!("`{sign}` is missing here"))
            .help(format!("{why} ends with `{sign}`.")))
    }

    pub(super) fn sum(&mut self) -> Result<Formula, Fault> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(Fault::new(self.here(), "the formula is nested too deeply")
                .help("Put the intermediate result into a derived column."));
        }
        let mut left = self.product()?;
        while let Some(sign @ ('+' | '-')) = self.peek_sign() {
            if let Some(crowded) = self.peek().filter(|token| !token.apart) {
                return Err(Fault::new(
                    crowded.range.clone(),
                    format!("`{sign}` needs a space on both sides"),
                )
                .help("Names have hyphens, so spaces tell the two apart."));
            }
            self.at += 1;
            let operator = if sign == '+' {
                Operator::Plus
            } else {
                Operator::Minus
            };
            let right = self.product()?;
            left = binary(operator, left, right);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn product(&mut self) -> Result<Formula, Fault> {
        let mut left = self.signed()?;
        while let Some(sign @ ('*' | '/')) = self.peek_sign() {
            self.at += 1;
            let operator = if sign == '*' {
                Operator::Times
            } else {
                Operator::Over
            };
            let right = self.signed()?;
            left = binary(operator, left, right);
        }
        Ok(left)
    }

    pub(super) fn signed(&mut self) -> Result<Formula, Fault> {
        let start = self.here().start;
        let mut negative = false;
        while self.peek_sign() == Some('-') {
            self.at += 1;
            negative = !negative;
        }
        let value = self.value()?;
        let range = start..value.range.end;
        Ok(if negative {
            let part = Part::Negate(Box::new(value));
            Formula { part, range }
        } else {
            value
        })
    }

    fn value(&mut self) -> Result<Formula, Fault> {
        let here = self.here();
        let Some(token) = self.next() else {
            return Err(Fault::new(here, "the formula breaks off here")
                .help("A name, a number or `(` is expected."));
        };
        match &token.token {
            Token::Number(number) => Ok(Formula {
                part: Part::Number(number.value.clone()),
                range: here,
            }),
            Token::Sign('(') => {
                let mut inner = self.sum()?;
                self.expect(')', "A part in parentheses")?;
                inner.range = here.start..self.last_end();
                Ok(inner)
            }
            Token::Word(word) => {
                let name = Name {
                    text: word.clone(),
                    range: here,
                };
                match self.peek_sign() {
                    Some('(') => self.call(name),
                    Some('[') => self.cells(name),
                    _ => path(&name),
                }
            }
            Token::Sign(c) => Err(Fault::new(here, format!("`{c}` is not expected here"))
                .help("A name, a number or `(` is expected.")),
        }
    }
}

fn binary(operator: Operator, left: Formula, right: Formula) -> Formula {
    let range = left.range.start..right.range.end;
    let part = Part::Binary(operator, Box::new(left), Box::new(right));
    Formula { part, range }
}

/// Splits names joined by points.
fn path(word: &Name) -> Result<Formula, Fault> {
    let mut names = Vec::new();
    let mut start = word.range.start;
    for text in word.text.split('.') {
        let range = start..start + text.len();
        if text.is_empty() {
            return Err(
                Fault::new(word.range.clone(), "a name is missing beside a point")
                    .help("Write `capture.row.column`."),
            );
        }
        start = range.end + 1;
        names.push(Name {
            text: text.to_owned(),
            range,
        });
    }
    Ok(Formula {
        part: Part::Path(names),
        range: word.range.clone(),
    })
}
