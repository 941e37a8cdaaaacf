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
pub(super) fn shows_all(bytes: &[u8], sought: Vec<&str>) -> bool {
    shows_as_written(bytes, &sought) || shows_in_any_case(bytes, sought)
}

/// The same for texts in the case in which they are sought, but for a large first letter: a page is
/// searched for each as a whole, which takes less time than to look at every text of it.
fn shows_as_written(bytes: &[u8], sought: &[&str]) -> bool {
    let places = sought.iter().map(|wanted| Place::of(wanted, bytes));
    let Some(mut places) = places.collect::<Option<Vec<_>>>() else {
        return false;
    };
    let next = |places: &[Place]| places.iter().map(|place| place.at).min();
    let mut first = next(&places);
    for_short_texts(bytes, |start, text| {
        // Most texts end before any of the places.
        if first.is_some_and(|first| start + text.len() <= first) {
            return false;
        }
        places.retain_mut(|place| !place.is_shown(bytes, start, text));
        first = next(&places);
        places.is_empty()
    })
}

/// Where a text that is sought comes next.
struct Place {
    /// The text, and the same with a large first letter, if it begins with a small one of ASCII; each
    /// with where it comes next. The page is gone through once for each, however often they come.
    forms: Vec<(Vec<u8>, usize)>,
    at: usize,
}

impl Place {
    /// The first place on a page; `None` if it has none.
    fn of(wanted: &str, bytes: &[u8]) -> Option<Self> {
        let next = |form: &[u8]| memmem::find(bytes, form).unwrap_or(usize::MAX);
        let mut forms = vec![(wanted.as_bytes().to_vec(), next(wanted.as_bytes()))];
        if wanted.starts_with(|c: char| c.is_ascii_lowercase()) {
            let mut other = wanted.as_bytes().to_vec();
            other[0].make_ascii_uppercase();
            let at = next(&other);
            forms.push((other, at));
        }
        let at = forms.iter().map(|(_, at)| *at).min()?;
        (at < bytes.len()).then_some(Self { forms, at })
    }

    /// Goes to the next place from an offset on.
    fn go_on(&mut self, bytes: &[u8], from: usize) {
        let rest = bytes.get(from..).unwrap_or_default();
        for (form, at) in &mut self.forms {
            if *at < from {
                *at = memmem::find(rest, form).map_or(usize::MAX, |at| from + at);
            }
        }
        let places = self.forms.iter().map(|(_, at)| *at);
        self.at = places.min().unwrap_or(usize::MAX);
    }

    /// Whether it stands whole in a text that begins at `start`.
    fn is_shown(&mut self, bytes: &[u8], start: usize, text: &[u8]) -> bool {
        if self.at < start {
            self.go_on(bytes, start);
        }
        let length = self.forms.first().map_or(0, |(form, _)| form.len());
        let inside = |at: usize| {
            let end = at.checked_add(length)?;
            (end <= start + text.len()).then_some((at - start, end - start))
        };
        while let Some((from, to)) = inside(self.at) {
            if is_word(&text[..from], &text[to..]) {
                return true;
            }
            self.go_on(bytes, self.at + 1);
        }
        false
    }
}

fn shows_in_any_case(bytes: &[u8], mut sought: Vec<&str>) -> bool {
    for_short_texts(bytes, |_, text| {
        sought.retain(|wanted| !holds_word(text, wanted.as_bytes()));
        sought.is_empty()
    })
}

/// Gives the short texts of a page that a reader sees, each with its offset, until one satisfies;
/// `false` if none did.
fn for_short_texts(bytes: &[u8], mut satisfies: impl FnMut(usize, &[u8]) -> bool) -> bool {
    let mut start = 0;
    loop {
        let rest = bytes.get(start..).unwrap_or_default();
        let at = memchr(b'<', rest).unwrap_or(rest.len());
        let (text, tag) = rest.split_at(at);
        if text.len() <= SHORT_TEXT_MAX_BYTES && satisfies(start, text) {
            return true;
        }
        let end = match tag.get(1) {
            Some(b'!' | b'p' | b's' | b't') => PASSED_OVER
                .iter()
                .find(|(open, _)| tag.starts_with(open.as_bytes()))
                .map(|(_, close)| memmem::find(tag, close.as_bytes()).map(|at| at + close.len())),
            _ => None,
        };
        let Some(length) = end.unwrap_or_else(|| memchr(b'>', tag).map(|at| at + 1)) else {
            return false;
        };
        start += text.len() + length;
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

    proptest::proptest! {
        #[test]
        fn the_quick_look_sees_what_the_slow_one_sees(
            pieces in proptest::collection::vec(0..16_usize, 0..24),
            sought in proptest::collection::vec(0..4_usize, 1..4),
        ) {
            const PIECES: [&str; 16] = [
                "Ada", "Ada Lovelace", "ada", "2026", "é", " ", "<p>", "</p>", "<a title='Ada'>", "<script>",
                "</script>", "<!--", "-->", "<", ">", "<svg>Ada</svg>",
            ];
            let page: String = pieces.iter().map(|piece| PIECES[*piece]).collect();
            let sought: Vec<_> = sought.iter().map(|word| PIECES[*word]).collect();
            let quick = shows_as_written(page.as_bytes(), &sought);
            let slow = shows_in_any_case(page.as_bytes(), sought.clone());
            proptest::prop_assert!(slow || !quick, "{} {:?}", page, sought);
            // In the same case the two agree.
            let same = page.replace("ada", "x");
            if !sought.contains(&"ada") {
                let quick = shows_as_written(same.as_bytes(), &sought);
                proptest::prop_assert_eq!(quick, shows_in_any_case(same.as_bytes(), sought), "{}", same);
            }
        }
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
