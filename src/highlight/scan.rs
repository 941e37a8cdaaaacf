//! The reading head that all lexers share, and the HTML that it leaves behind.

use super::Token;
use pulldown_cmark_escape::escape_html_body_text;

/// A place in a listing. Text that no token claims is written plain.
pub(super) struct Scan<'c, 'h> {
    pub(super) text: &'c str,
    pub(super) at: usize,
    written: usize,
    html: &'h mut String,
}

impl<'c, 'h> Scan<'c, 'h> {
    pub(super) fn new(text: &'c str, html: &'h mut String) -> Self {
        html.reserve(text.len() * 3);
        Self {
            text,
            at: 0,
            written: 0,
            html,
        }
    }

    /// The byte here; 0 at the end.
    pub(super) fn byte(&self) -> u8 {
        self.byte_at(self.at)
    }

    /// The byte at an offset; 0 past the end.
    pub(super) fn byte_at(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Whether everything was read.
    pub(super) fn is_done(&self) -> bool {
        self.at >= self.text.len()
    }

    /// What follows.
    pub(super) fn rest(&self) -> &'c str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Whether this text follows.
    pub(super) fn sees(&self, text: &str) -> bool {
        self.text.as_bytes()[self.at.min(self.text.len())..].starts_with(text.as_bytes())
    }

    /// Goes on by one character.
    pub(super) fn step(&mut self) {
        self.at += 1;
        while self.at < self.text.len() && !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
    }

    /// Goes on while bytes pass the test; non-ASCII bytes are letters to it.
    pub(super) fn skip_while(&mut self, test: impl Fn(u8) -> bool) {
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() && test(bytes[self.at]) {
            self.at += 1;
        }
    }

    /// Goes to the end of the line.
    pub(super) fn skip_line(&mut self) {
        self.at = self
            .rest()
            .find('\n')
            .map_or(self.text.len(), |end| self.at + end);
    }

    /// Goes past the next occurrence of `end`, or to the end of the listing.
    pub(super) fn skip_past(&mut self, end: &str) {
        self.at = self
            .rest()
            .find(end)
            .map_or(self.text.len(), |at| self.at + at + end.len());
    }

    /// Goes past a string that begins here with a quote; `\` escapes unless it is raw. A string
    /// that may not run on ends with its line.
    pub(super) fn skip_quoted(&mut self, lines: Lines, escapes: Escapes) {
        let quote = self.byte();
        self.at += 1;
        while !self.is_done() {
            let byte = self.byte();
            if byte == b'\n' && lines == Lines::One {
                return;
            }
            self.step();
            if byte == b'\\' && escapes == Escapes::Backslash {
                self.step();
            } else if byte == quote {
                return;
            }
        }
        self.at = self.at.min(self.text.len());
    }

    /// Writes what lies between `start` and here as a token.
    pub(super) fn token(&mut self, token: Token, start: usize) {
        self.at = self.at.min(self.text.len());
        if start >= self.at {
            return;
        }
        self.plain_to(start);
        self.html.push_str(token.tag());
        self.escape(start, self.at);
        self.html.push_str("</span>");
        self.written = self.at;
    }

    /// Writes the rest.
    pub(super) fn finish(mut self) {
        self.plain_to(self.text.len());
    }

    fn plain_to(&mut self, end: usize) {
        self.escape(self.written, end);
        self.written = end;
    }

    fn escape(&mut self, start: usize, end: usize) {
        if let Some(text) = self.text.get(start..end) {
            // Writing to a string cannot fail.
            let _ = escape_html_body_text(&mut *self.html, text);
        }
    }
}

/// Whether a string may run over the end of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    One,
    Many,
}

/// Whether a backslash in a string takes the next character with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    Backslash,
    None,
}

/// Whether a byte can begin a name.
pub(super) fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// Whether a byte can go on in a name.
pub(super) fn in_name(byte: u8) -> bool {
    begins_name(byte) || byte.is_ascii_digit()
}
