//! What a reader sees of a page.

use super::normal::{Escapes, is_inline, normalised_with};
use super::seen::{Wanted, each_text};
use memchr::{memchr2_iter, memmem};
use std::ops::ControlFlow;

/// Longest text in which [`shows_all`] looks: names and dates stand in elements of their own.
const SHORT_TEXT_MAX_BYTES: usize = 256;

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
    let looked = each_text(bytes, Wanted::OutsideListings, |text| {
        let is_short = text.bytes.len() <= SHORT_TEXT_MAX_BYTES;
        if is_short && satisfies(text.start, text.bytes) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    looked.is_break()
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
    let mut seen = Vec::new();
    let _ = each_text(bytes, Wanted::All, |text| {
        if !text.follows.is_empty() && !is_inline(text.follows) {
            seen.push(b' ');
        }
        seen.extend_from_slice(text.bytes);
        ControlFlow::Continue(())
    });
    normalised_with(&String::from_utf8_lossy(&seen), Escapes::Undone)
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

    /// What only the source of a page shows.
    const HIDDEN: [&str; 26] = [
        "<script>#</script>",
        "<SCRIPT async>#</Script>",
        "<style>#</style>",
        "<TEMPLATE><p>#</p></TEMPLATE>",
        "<template><template>x</template><p>#</p></template>",
        "<noscript><p>#</p></noscript>",
        "<head><title>#</title></head>",
        "<TITLE>#</TITLE>",
        "<svg viewBox='0 0 1 1'><text>#</text></svg>",
        "<SVG><svg/><text>#</text></SVG>",
        "<textarea># </textarea>",
        "<!-- <p>#</p> -->",
        "<p hidden>#</p>",
        "<p HIDDEN='until-found'>#</p>",
        "<div class=\"a\" hidden><div>x</div><p>#</p></div>",
        "<div hidden class=\"a\"><p>x<p>#</div>",
        "<p style=\"display:none\">#</p>",
        "<p STYLE='color: red; Display : NONE'>#</p>",
        "<p style=visibility:hidden>#</p>",
        "<div style = \"visibility: hidden\"><b>#</b></div>",
        "<p title='#'></p>",
        "<p title=\"> # <\"></p>",
        "<p title='#",
        "<datalist><option>#</option></datalist>",
        "<div hidden><script>'</div>'</script>#</div>",
        "<div hidden><!-- </div> -->#</div>",
    ];

    /// What a reader sees, however it is written.
    const SEEN: [&str; 15] = [
        "<p>#</p>",
        "#",
        "<p class='hidden'>#</p>",
        "<p class=hidden>#</p>",
        "<p class= hidden>#</p>",
        "<p aria-hidden=\"true\" data-hidden>#</p>",
        "<p style=\"color:red\">#</p>",
        "<input hidden><img hidden src='a'>#",
        "<p hidden>x</p><p>#</p>",
        "<p hidden>x<p>#</p>",
        "<span hidden></span><svg width=\"1\"/><p it's>#</p>",
        "<div hidden><div>x</div></div>#",
        "<script>if (a < b) '<p hidden>'</script>#",
        "<!--> # <!-- -->",
        "a < b #",
    ];

    #[test]
    fn only_what_a_reader_sees_counts() {
        for (pages, is_seen) in [(&HIDDEN[..], false), (&SEEN[..], true)] {
            for page in pages {
                let page = format!("<main>{page}").replace('#', "Ada Lovelace");
                let at_once = shows_all(page.as_bytes(), vec!["Ada Lovelace"]);
                assert_eq!(at_once, is_seen, "{page}");
                let seen = visible(page.as_bytes());
                assert_eq!(seen.contains(" ada lovelace "), is_seen, "{page}: {seen}");
            }
        }
    }

    #[test]
    fn a_byline_in_a_listing_is_seen() {
        let page = b"<PRE hidden>Grace</PRE><pre>Ada\n<b>Love</b>l<!-- -->ace</pre>";
        assert!(!shows_all(page, vec!["Ada"]));
        assert_eq!(visible(page), " ada lovelace ");
    }
}
