//! What a reader sees of a page.

use super::normal::{Escapes, normalised_with, without_tags};
use memchr::{memchr, memchr2_iter, memmem};

/// Longest text in which [`shows_all`] looks: names and dates stand in elements of their own.
const SHORT_TEXT_MAX_BYTES: usize = 256;

/// Parts of a page that [`shows_all`] passes over, with what ends them.
const PASSED_OVER: [(&str, &str); 6] = [
    ("<pre", "</pre>"),
    ("<!--", "-->"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<template", "</template>"),
    ("<svg", "</svg>"),
];

/// Whether each of these texts stands whole in a short text of the page that a reader sees. That
/// is how the built-in templates write them, and is seen without a copy of the page; `false`
/// says nothing, and [`visible`] has to be asked.
pub(super) fn shows_all(bytes: &[u8], mut sought: Vec<&str>) -> bool {
    let mut rest = bytes;
    let shortest = sought.iter().map(|wanted| wanted.len()).min().unwrap_or(0);
    loop {
        let at = memchr(b'<', rest).unwrap_or(rest.len());
        let (text, tag) = rest.split_at(at);
        if (shortest..=SHORT_TEXT_MAX_BYTES).contains(&text.len()) {
            sought.retain(|wanted| !holds_word(text, wanted.as_bytes()));
        }
        if sought.is_empty() {
            return true;
        }
        let end = match tag.get(1) {
            Some(b'!' | b'p' | b's' | b't') => PASSED_OVER
                .iter()
                .find(|(open, _)| tag.starts_with(open.as_bytes()))
                .map(|(_, close)| memmem::find(tag, close.as_bytes()).map(|at| at + close.len())),
            _ => None,
        };
        let Some(at) = end.unwrap_or_else(|| memchr(b'>', tag).map(|at| at + 1)) else {
            return false;
        };
        rest = tag.get(at..).unwrap_or_default();
    }
}

/// Whether a text holds these words, whatever the case of their ASCII letters, with no letter or
/// digit right before or after them.
fn holds_word(text: &[u8], wanted: &[u8]) -> bool {
    let Some((first, last_start)) = wanted.first().zip(text.len().checked_sub(wanted.len())) else {
        return false;
    };
    let starts = memchr2_iter(
        first.to_ascii_lowercase(),
        first.to_ascii_uppercase(),
        &text[..=last_start],
    );
    let mut starts = starts.map(|at| (at, at + wanted.len()));
    starts.any(|(at, end)| {
        text[at..end].eq_ignore_ascii_case(wanted) && is_word(&text[..at], &text[end..])
    })
}

/// Whether no letter or digit stands at the end of `before` and at the start of `after`.
fn is_word(before: &[u8], after: &[u8]) -> bool {
    let (Ok(before), Ok(after)) = (std::str::from_utf8(before), std::str::from_utf8(after)) else {
        return false;
    };
    let before = before.chars().next_back().into_iter();
    let mut around = before.chain(after.chars().next());
    around.all(|c| !c.is_alphanumeric())
}

/// The words of a page as a reader sees them, in the form for comparison.
pub(super) fn visible(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut untagged = String::new();
    without_tags(&without_hidden(&text), &mut untagged);
    normalised_with(&untagged, Escapes::Undone)
}

/// Takes out scripts, styles and comments, whose words no reader sees.
fn without_hidden(text: &str) -> String {
    let mut out = text.to_owned();
    for (open, close) in [
        ("<!--", "-->"),
        ("<script", "</script>"),
        ("<style", "</style>"),
        ("<template", "</template>"),
    ] {
        let mut kept = String::with_capacity(out.len());
        let mut rest = out.as_str();
        while let Some(at) = rest.find(open) {
            kept.push_str(&rest[..at]);
            rest = rest[at..]
                .find(close)
                .map_or("", |end| &rest[at + end + close.len()..]);
        }
        kept.push_str(rest);
        out = kept;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_not_seen() {
        let page = b"<main>Ada</main><script>Grace</script><!-- Alan -->";
        assert_eq!(visible(page), " ada ");
    }

    #[test]
    fn what_is_seen_at_once_is_seen() {
        let page = b"<main><time>2026-08-01</time> <a>Ada Lovelace</a></main>";
        assert!(shows_all(page, vec!["Ada Lovelace", "2026-08-01"]));
        assert!(!shows_all(page, vec!["Ada Lovelace", "Grace Hopper"]));
        assert!(!shows_all(page, vec!["Ada Love"]));
        assert!(shows_all(b"<p>Named.</p>", vec!["named"]));
        for hidden in [
            &b"<script>Ada Lovelace</script>"[..],
            b"<!-- Ada Lovelace -->",
            b"<svg><text>Ada Lovelace</text></svg>",
            b"<p title='Ada Lovelace'>",
            b"<p title='Ada Lovelace'",
            b"\xff Ada Lovelace",
        ] {
            assert!(!shows_all(hidden, vec!["Ada Lovelace"]));
        }
    }
}
