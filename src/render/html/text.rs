//! Text as it stands between tags and in attributes.

use std::fmt::{self, Display};

/// Shows a text with what is special in HTML escaped; fit for attributes in double quotes too.
pub(in crate::render) struct Escaped<'a>(&'a str);

/// The text, escaped.
pub(in crate::render) fn escape(text: &str) -> Escaped<'_> {
    Escaped(text)
}

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_special = |byte| matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'');
        let mut rest = self.0;
        while let Some(at) = rest.bytes().position(is_special) {
            let (plain, special) = rest.split_at(at);
            f.write_str(plain)?;
            let mut letters = special.chars();
            f.write_str(match letters.next() {
                Some('&') => "&amp;",
                Some('<') => "&lt;",
                Some('>') => "&gt;",
                Some('"') => "&quot;",
                _ => "&#39;",
            })?;
            rest = letters.as_str();
        }
        f.write_str(rest)
    }
}

/// Whether a text is one decimal number: a sign, digits with commas between them, a fraction and
/// an exponent.
pub(super) fn is_number(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix(['-', '+', '−']).unwrap_or(text);
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let whole = whole.split(',').all(digits);
    whole && digits(fraction) && digits(exponent)
}

/// A name as a part of an id: letters, digits, `-`, `_`, `.` and `:` as they are, else `-`.
pub(super) fn id_part(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':') {
                c
            } else {
                '-'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(
            escape("a<b> & \"c\" 'd'").to_string(),
            "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;"
        );
    }

    #[test]
    fn numbers_are_told_from_words() {
        for number in ["0", "-1.5", "201,326,592", "1e-9", "252.20"] {
            assert!(is_number(number), "{number}");
        }
        for word in ["", "x", "1.2.3", "7-8", ".5", "5.", "595.84 MB", "1:30"] {
            assert!(!is_number(word), "{word}");
        }
    }
}
