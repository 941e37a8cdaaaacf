//! The form for comparison is held against functions that make it step by step and are plain to read.

use super::*;
use proptest::prelude::*;

/// What [`Normal`] must give: a text unescaped by one function, normalised by another.
mod plain {
    use super::super::{is_joiner, is_second};
    use unicode_normalization::char::compose;

    pub(super) fn normalised(text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 2);
        out.push(' ');
        for c in text.chars() {
            let whole = out.chars().last().and_then(|last| compose(last, c));
            if let Some(whole) = whole.filter(|_| is_second(c)) {
                out.pop();
                out.push(whole);
            } else if c.is_alphanumeric() {
                out.extend(c.to_lowercase());
            } else if !out.ends_with(' ') && !is_joiner(c) {
                out.push(' ');
            }
        }
        if !out.ends_with(' ') {
            out.push(' ');
        }
        out
    }

    pub(super) fn without_tags(text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('<') {
            out.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            let is_tag = after
                .starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
            match after.find('>') {
                Some(end) if is_tag => {
                    if !is_inline(after) {
                        out.push(' ');
                    }
                    rest = &after[end + 1..];
                }
                _ => {
                    out.push('<');
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        out
    }

    fn is_inline(tag: &str) -> bool {
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        matches!(
            name.as_str(),
            "a" | "abbr"
                | "b"
                | "code"
                | "data"
                | "em"
                | "i"
                | "mark"
                | "s"
                | "small"
                | "span"
                | "strong"
                | "sub"
                | "sup"
                | "time"
                | "wbr"
                | "tspan"
        )
    }

    pub(super) fn unescape(text: &str) -> String {
        if !text.contains(['&', '\\', '%']) {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['&', '\\', '%']) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let found = match rest.as_bytes()[0] {
                b'&' => entity(rest),
                b'%' => percent(rest),
                _ => json_escape(rest),
            };
            if let Some((c, length)) = found {
                out.push_str(&c);
                rest = &rest[length..];
            } else {
                out.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
        out.push_str(rest);
        out
    }

    fn entity(text: &str) -> Option<(String, usize)> {
        let end = text.bytes().take(12).position(|byte| byte == b';')?;
        let name = text.get(1..end)?;
        let c = match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            "nbsp" => ' ',
            "shy" => '\u{ad}',
            "zwnj" | "zwj" | "lrm" | "rlm" | "NoBreak" => '\u{200c}',
            _ => {
                let number = name.strip_prefix('#')?;
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                    None => number.parse().ok()?,
                };
                char::from_u32(code)?
            }
        };
        Some((c.to_string(), end + 1))
    }

    fn json_escape(text: &str) -> Option<(String, usize)> {
        match text.as_bytes().get(1)? {
            b'n' | b't' | b'r' | b'b' | b'f' => Some((" ".to_owned(), 2)),
            b'"' => Some(("\"".to_owned(), 2)),
            b'/' => Some(("/".to_owned(), 2)),
            b'u' => {
                let unit = |at: usize| u16::from_str_radix(text.get(at..at + 4)?, 16).ok();
                let first = unit(2)?;
                if let Some(c) = char::from_u32(u32::from(first)) {
                    return Some((c.to_string(), 6));
                }
                let second = (text.get(6..8) == Some("\\u")).then(|| unit(8)).flatten()?;
                let decoded: Result<String, _> = char::decode_utf16([first, second]).collect();
                decoded.ok().map(|text| (text, 12))
            }
            _ => None,
        }
    }

    fn percent(text: &str) -> Option<(String, usize)> {
        let bytes: Vec<u8> = text
            .as_bytes()
            .chunks(3)
            .take(4)
            .map_while(|chunk| match chunk {
                [b'%', high, low] => {
                    let digits = [*high, *low];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()
                }
                _ => None,
            })
            .collect();
        (1..=bytes.len()).find_map(|length| {
            let text = std::str::from_utf8(&bytes[..length]).ok()?;
            Some((text.to_owned(), length * 3))
        })
    }
}

/// Pieces of which texts are made that could be read wrongly, beside any text at all.
const PIECES: &[&str] = &[
    // Words and what is between them, short and longer than a run.
    "a",
    "Warp",
    "STALL",
    "x9",
    " ",
    "  ",
    "\n",
    "\t",
    "\0",
    "-",
    "...",
    ", ",
    "_",
    "+",
    "the warp waits for the slowest of its threads",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdef",
    "                                        ",
    "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!",
    // Tags, whole and broken.
    "<",
    ">",
    "</",
    "<b>",
    "</b>",
    "<//a>",
    "<br>",
    "<p class='x'>",
    "<span title=\"a > b\">",
    "</span>",
    "<B>",
    "<a",
    "<!--",
    "-->",
    "<?xml",
    "?>",
    "< b>",
    "<1>",
    "<\u{e4}>",
    "<tspan x='1'>",
    "</tspan/>",
    "<abbr-x>",
    "<>",
    "<em\n>",
    "<s\u{e4}>",
    // Entities, whole, wrong, and cut.
    "&amp;",
    "&lt;",
    "&gt;",
    "&quot;",
    "&apos;",
    "&nbsp;",
    "&#111;",
    "&#x6F;",
    "&#X6f;",
    "&#0;",
    "&#xD800;",
    "&#x+41;",
    "&#+65;",
    "&#-65;",
    "&#99999999;",
    "&#x00000041;",
    "&#000000065;",
    "&;",
    "&#;",
    "&#x;",
    "&",
    "&am",
    "amp;",
    "&#",
    "#111;",
    "&euml;",
    "&\u{e4};",
    "&#223;",
    "&#304;",
    "&#x200b;",
    "&#173;",
    "&shy;",
    "&zwnj;",
    "&#x301;",
    "\u{308}",
    "\u{30ab}",
    "\u{3099}",
    "\u{1112}",
    "\u{1161}",
    "\u{11ab}",
    // Escapes of JSON.
    "\\",
    "\\n",
    "\\t",
    "\\\"",
    "\\/",
    "\\\\",
    "\\u0061",
    "\\u00E4",
    "\\u+041",
    "\\u12",
    "\\u",
    "u0061",
    "\\ud83d\\ude00",
    "\\ud835\\udc00",
    "\\ud83d",
    "\\ude00",
    "\\ud83d\\u0041",
    "\\ud83dx",
    "\\u200d",
    "\\u006",
    "\\u00\u{e4}",
    "\\x",
    // Escapes of addresses.
    "%",
    "%41",
    "%c3%A4",
    "%C3",
    "%A4",
    "%e7%b7%9a",
    "%f0%9f%98%80",
    "%f0%9f",
    "%+4",
    "%4",
    "%zz",
    "%00",
    "%25",
    "%2F",
    "%e2%80%8b",
    "%\u{e4}",
    "%4\u{e4}",
    // Joiners and wide letters.
    "\u{ad}",
    "\u{200b}",
    "\u{200d}",
    "\u{2060}",
    "\u{feff}",
    "\u{301}",
    "\u{345}",
    "\u{130}",
    "\u{212a}",
    "\u{df}",
    "\u{1e9e}",
    "\u{23a}",
    "\u{3a3}",
    "\u{c4}",
    "\u{7dda}",
    "\u{3002}",
    "\u{ff21}",
    "\u{1d400}",
    "\u{1f600}",
    "\u{a0}",
    "\u{fffd}",
    "\u{b2}",
    "\u{2167}",
];

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[ -~]{0,40}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn texts_are_what_they_are_step_by_step(text in texts(), before in texts()) {
        let mut normal = Normal::default();
        let mut untagged = before.clone();
        // What was read before leaves nothing.
        normal.read(&before, Escapes::Undone);
        let expected = plain::normalised(&text);
        prop_assert_eq!(normal.read(&text, Escapes::Kept), expected.as_bytes());
        let expected = plain::normalised(&plain::unescape(&text));
        prop_assert_eq!(normal.read(&text, Escapes::Undone), expected.as_bytes());
        let has_tags = without_tags(&text, &mut untagged);
        prop_assert_eq!(&untagged, &plain::without_tags(&text));
        prop_assert_eq!(has_tags, untagged != text);
        let expected = plain::normalised(&plain::unescape(&untagged));
        prop_assert_eq!(normal.read(&untagged, Escapes::Undone), expected.as_bytes());
        prop_assert_eq!(unescape(&text), plain::unescape(&text));
    }

    #[test]
    fn bytes_of_any_kind_are_read_alike(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        let expected = plain::normalised(&plain::unescape(&text));
        prop_assert_eq!(normalised_with(&text, Escapes::Undone), expected);
    }
}

#[test]
fn every_character_is_what_it_is_step_by_step() {
    let mut normal = Normal::default();
    for c in '\0'..=char::MAX {
        // Beside letters and beside spaces.
        let text = format!("a{c}b {c} {c}{c}");
        let expected = plain::normalised(&text);
        assert_eq!(
            normal.read(&text, Escapes::Kept),
            expected.as_bytes(),
            "{c:?}"
        );
    }
}

#[test]
fn memory_is_given_back() {
    let mut normal = Normal::default();
    normal.read(&"word ".repeat(1_000), Escapes::Kept);
    normal.shrink(20_000);
    assert!(normal.room.len() >= 5_000);
    normal.shrink(4_000);
    assert_eq!(normal.room.len(), 0);
    assert_eq!(normal.read("Word", Escapes::Kept), b" word ");
}

#[test]
fn two_spellings_of_the_same_letters_are_one() {
    for (one, other) in [
        ("Ka\u{308}se", "K\u{e4}se"),
        ("KA\u{308}SE", "k\u{e4}se"),
        ("\u{1ec7}", "e\u{323}\u{302}"),
        ("\u{30ac}", "\u{30ab}\u{3099}"),
        ("\u{d55c}", "\u{1112}\u{1161}\u{11ab}"),
        // No letter is made of these two.
        ("war\u{337}p", "warp"),
    ] {
        assert_eq!(normalised(one), normalised(other), "{one}");
    }
}

#[test]
fn what_has_no_width_parts_no_word() {
    for c in [
        "\u{ad}",
        "\u{2063}",
        "\u{fe0f}",
        "\u{202c}",
        "&shy;",
        "&zwj;",
        "&NoBreak;",
    ] {
        let text = format!("war{c}p");
        assert_eq!(normalised_with(&text, Escapes::Undone), " warp ", "{c}");
    }
}
