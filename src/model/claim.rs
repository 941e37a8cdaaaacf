//! Numbers in prose that are tied to data, and short texts that may hold them.

use crate::source::{Span, Spanned};

/// `[1.02](<= t4.ilp4-b1.ms / t4.tlp1.ms>)`: a number as printed and the formula it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The whole construct, from `[` to `)`. It identifies the claim.
    pub span: Span,
    /// What is printed: one number with optional unit words around it.
    pub text: Spanned<String>,
    /// The formula, without the leading `=`.
    pub formula: Spanned<String>,
}

/// A piece of a short text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Words, letter for letter.
    Words(String),
    /// A claim, apart because it is four times as long as words and most texts have none.
    Claim(Box<Claim>),
}

/// A short text of the front matter (short answer, caption, alt text, note), in which only
/// claims are more than words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortText {
    /// Where it stands.
    pub span: Span,
    /// Its pieces, in order.
    pub pieces: Vec<Piece>,
}

impl ShortText {
    /// The text as read: claims stand as their printed numbers.
    pub fn plain(&self) -> String {
        self.words().collect()
    }

    /// The same, piece by piece.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().map(|piece| match piece {
            Piece::Words(words) => words.as_str(),
            Piece::Claim(claim) => claim.text.value.as_str(),
        })
    }

    /// Its claims, in order.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Claim(claim) => Some(claim.as_ref()),
            Piece::Words(_) => None,
        })
    }
}
