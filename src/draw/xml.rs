//! The text of a drawing as it grows: numbers, and what people wrote.
//!
//! A drawing is thousands of short texts and numbers, so that they are written without the
//! formatter. Invariant: a number is written as the formatter would write it, and a text that
//! people wrote is shown letter for letter and is never markup.

/// Text that grows by whole texts and ASCII characters, checked once when it is finished.
pub(super) struct Text(Vec<u8>);

impl Text {
    /// Room for a drawing of so many shapes.
    pub(super) fn new(shapes: usize) -> Self {
        const SHAPE_BYTES: usize = 256;
        const FRAME_BYTES: usize = 6 << 10;
        Self(Vec::with_capacity(FRAME_BYTES + shapes * SHAPE_BYTES))
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Appends an ASCII character.
    pub(super) fn push(&mut self, character: u8) {
        self.0.push(character);
    }

    pub(super) fn finish(self) -> String {
        String::from_utf8(self.0).unwrap_or_default()
    }
}

impl std::fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

/// Writes a number with at most two digits after the point.
pub(super) fn push_number(out: &mut Text, value: f64) {
    let Some(hundredths) = hundredths(value.abs()) else {
        out.push_str(&formatted(value));
        return;
    };
    let hundredths = i64::from(hundredths);
    push_hundredths(out, if value < 0.0 { -hundredths } else { hundredths });
}

/// A place in a drawing in hundredths of a unit; halves are rounded away from zero.
#[expect(
    clippy::cast_possible_truncation,
    reason = "no drawing is as large as what is cut off"
)]
pub(super) fn in_hundredths(value: f64) -> i64 {
    (value * 100.0).round() as i64
}

/// The value in hundredths, rounded as [`formatted`] rounds; `None` where only the slow way knows.
fn hundredths(value: f64) -> Option<u32> {
    let scaled = value * 100.0;
    if !(0.0..1e9).contains(&scaled) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "both lie between 0 and 1e10"
    )]
    let (below, eighths) = (scaled as u32, (value * 8.0) as u64);
    let rest = scaled - f64::from(below);
    if (rest - 0.5).abs() > 0.000_001 {
        return Some(below + u32::from(rest > 0.5));
    }
    // Halves of hundredths that a binary number can be are odd eighths; they go to the even side.
    #[expect(clippy::cast_precision_loss, reason = "it is below 1e10")]
    let is_half = (eighths as f64).to_bits() == (value * 8.0).to_bits();
    is_half.then_some(below + below % 2)
}

/// Writes a whole number.
pub(super) fn push_whole(out: &mut Text, value: u64) {
    if value >= 10 {
        push_whole(out, value / 10);
    }
    push_digit(out, value);
}

/// Writes a number of hundredths without needless zeros.
pub(super) fn push_hundredths(out: &mut Text, value: i64) {
    if value < 0 {
        out.push(b'-');
    }
    let value = value.unsigned_abs();
    push_whole(out, value / 100);
    let part = value % 100;
    if part > 0 {
        out.push(b'.');
        push_digit(out, part / 10);
        if !part.is_multiple_of(10) {
            push_digit(out, part);
        }
    }
}

/// Writes the last digit of a whole number.
fn push_digit(out: &mut Text, value: u64) {
    const DIGITS: [u8; 10] = *b"0123456789";
    out.push(DIGITS[(value % 10) as usize]);
}

/// A number with at most two digits after the point.
pub(super) fn number(value: f64) -> String {
    let mut out = Text(Vec::new());
    push_number(&mut out, value);
    out.finish()
}

/// The same, as the formatter writes it.
fn formatted(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// `text` with every character that XML cannot hold, or that turns the direction of text, replaced by one
/// that shows it.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(shown).collect()
}

/// The character, or what shows that it is there where XML cannot hold it or it turns the direction of
/// text.
pub(super) fn shown(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => ' ',
        '\0'..='\u{1F}'
        | '\u{7F}'..='\u{9F}'
        | '\u{FFFE}'
        | '\u{FFFF}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}' => '\u{FFFD}',
        other => other,
    }
}

/// `text` as it stands between tags or quotes.
pub(super) fn escape(text: &str) -> String {
    let mut out = Text(Vec::with_capacity(text.len()));
    push_escaped(&mut out, text);
    out.finish()
}

/// Whether a byte stands for itself: an ASCII character that can be seen, or a space, and is not
/// special in XML.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'')
}

/// Appends `text` as it stands between tags or quotes.
pub(super) fn push_escaped(out: &mut Text, text: &str) {
    if text.bytes().all(is_plain) {
        out.push_str(text);
        return;
    }
    for character in text.chars().map(shown) {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push_str(other.encode_utf8(&mut [0; 4])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(
            escape("R&D <i>1</i> ]]> \"'"),
            "R&amp;D &lt;i&gt;1&lt;/i&gt; ]]&gt; &quot;&#39;"
        );
        assert_eq!(
            printable("a\u{0}b\u{1b}c\u{7f}\u{202e}\n"),
            "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd} "
        );
        assert_eq!(number(-0.001), "0");
        assert_eq!(number(12.50), "12.5");
        assert_eq!(number(0.005), "0.01");
    }

    #[test]
    fn the_fast_way_of_writing_numbers_is_the_slow_one() {
        let steps = (0..200_000).map(|step| f64::from(step) * 0.001_25 - 3.0);
        let others = [
            0.0,
            0.995,
            1.005,
            9.999,
            99.995,
            123_456.785,
            9_999_999.99,
            1e7,
            1e12,
            -0.001,
        ];
        let eighths = (0..10_000).map(|eighth| f64::from(eighth) / 8.0);
        for value in steps.chain(eighths).chain(others) {
            let mut out = Text(Vec::new());
            push_number(&mut out, value);
            assert_eq!(out.finish(), formatted(value), "{value}");
        }
    }
}
