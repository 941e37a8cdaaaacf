//! The texts that are in a file, however they are packed.
//!
//! Words are compared in one form: letters and digits in lower case, everything between them one
//! space, a space at both ends. So markup, escapes and line breaks do not hide a sentence.

use memchr::{memchr, memchr2_iter, memmem};
use std::borrow::Cow;
use std::io::Read as _;

/// Most bytes that a packed text may unpack to.
const UNPACKED_MAX: u64 = 64 << 20;

/// The texts of one file.
pub(super) struct Haystack<'a> {
    /// In the form for comparison.
    texts: Vec<String>,
    path: &'a str,
    /// As they are, packed ones unpacked.
    plain: Vec<Cow<'a, [u8]>>,
}

impl<'a> Haystack<'a> {
    /// Reads the texts of a file: its name, its bytes with and without markup, what is packed in
    /// it, and a picture's text records.
    pub(super) fn new(path: &'a str, bytes: &'a [u8]) -> Self {
        let mut plain = vec![Cow::Borrowed(bytes)];
        plain.extend(gunzip(bytes).map(Cow::Owned));
        plain.extend(png_texts(bytes).into_iter().map(Cow::Owned));
        let mut texts = vec![normalised(path)];
        for bytes in &plain {
            add(bytes, &mut texts);
            for wide in wide_texts(bytes) {
                add(wide.as_bytes(), &mut texts);
            }
        }
        Self { texts, path, plain }
    }

    /// Whether an address (`terms/warp/`) stands in the file as one, with its slash between: the
    /// form for comparison would take "of terms, warp" for it.
    pub(super) fn holds_address(&self, address: &str) -> bool {
        let address = address.trim_end_matches('/');
        let holds = |text: &str| unescape(text).to_lowercase().contains(address);
        let mut texts = self
            .plain
            .iter()
            .map(|bytes| String::from_utf8_lossy(bytes));
        holds(self.path) || texts.any(|text| holds(&text))
    }

    /// The texts.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }
}

/// Adds a text as it is, unescaped, and without its tags where it has any.
fn add(bytes: &[u8], texts: &mut Vec<String>) {
    let text = String::from_utf8_lossy(bytes);
    texts.push(normalised(&unescape(&text)));
    if text.contains('<') {
        texts.push(normalised(&unescape(&without_tags(&text))));
    }
}

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
    normalised(&unescape(&without_tags(&without_hidden(&text))))
}

/// The form for comparison.
pub(super) fn normalised(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for c in text.chars() {
        if c.is_alphanumeric() {
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

/// Characters without width, which must not split a word.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{300}'..='\u{36f}')
}

/// Takes out everything between `<` and `>`.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let is_tag =
            after.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
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

/// Whether a tag stands inside words rather than between them.
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

/// Undoes the escapes of HTML, XML, JSON and addresses.
fn unescape(text: &str) -> String {
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

/// The text of a file in UTF-16, in both orders of bytes, if its bytes look like that.
fn wide_texts(bytes: &[u8]) -> Vec<String> {
    let zeros = bytes.iter().take(512).filter(|byte| **byte == 0).count();
    let marked = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if !marked && zeros * 4 < bytes.len().min(512) {
        return Vec::new();
    }
    let read = |unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        String::from_utf16_lossy(&units.collect::<Vec<_>>())
    };
    vec![read(u16::from_le_bytes), read(u16::from_be_bytes)]
}

fn gunzip(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return None;
    }
    let mut unpacked = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes)
        .take(UNPACKED_MAX)
        .read_to_end(&mut unpacked)
        .ok()?;
    Some(unpacked)
}

/// The text records of a PNG: `tEXt`, `zTXt`, `iTXt`, and Exif data, unpacked.
fn png_texts(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    let Some(mut rest) = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n") else {
        return texts;
    };
    while let Some((header, after)) = rest.split_at_checked(8) {
        let length = header[..4]
            .iter()
            .fold(0, |n, byte| n << 8 | usize::from(*byte));
        let Some((data, next)) = after.split_at_checked(length) else {
            break;
        };
        if matches!(&header[4..], b"tEXt" | b"zTXt" | b"iTXt" | b"eXIf") {
            texts.push(data.to_vec());
            // A packed text begins after the keyword's NUL and a few flags.
            let starts = data
                .iter()
                .enumerate()
                .filter(|(_, byte)| **byte == 0)
                .take(4);
            for (at, _) in starts {
                for skip in 1..=3 {
                    let packed = data.get(at + skip..).unwrap_or(&[]);
                    let mut unpacked = Vec::new();
                    let read = flate2::read::ZlibDecoder::new(packed)
                        .take(UNPACKED_MAX)
                        .read_to_end(&mut unpacked);
                    if read.is_ok() && !unpacked.is_empty() {
                        texts.push(unpacked);
                    }
                }
            }
        }
        rest = next.get(4..).unwrap_or(&[]);
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_escapes_hide_nothing() {
        let page = b"<p>The <strong>canary</strong> &amp; its <code>s&#111;ng</code></p>";
        let haystack = Haystack::new("terms/x/index.html", page);
        let wanted = normalised("canary & its song");
        assert!(haystack.texts().any(|text| text.contains(&wanted)));
        let json = br#"{"t": "Can\u0061ry \"song\""}"#;
        let haystack = Haystack::new("a.json", json);
        assert!(haystack.texts().any(|text| text.contains(" canary song ")));
        let address = Haystack::new("a.html", b"<a href='/C%C3%A4nary'>x</a>");
        assert!(address.texts().any(|text| text.contains("cänary")));
    }

    #[test]
    fn an_address_has_its_slash() {
        let told = Haystack::new("a.css", b"/* in lessons, threads are rows */");
        assert!(told.texts().any(|text| text.contains(" lessons threads ")));
        assert!(!told.holds_address("lessons/threads/"));
        for leak in [
            &b"<a href='lessons/threads'>"[..],
            b"{\"at\": \"lessons\\/threads\\/\"}",
            b"Lessons%2Fthreads",
        ] {
            assert!(Haystack::new("a", leak).holds_address("lessons/threads/"));
        }
        assert!(Haystack::new("lessons/threads/index.html", b"").holds_address("lessons/threads/"));
    }

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

    #[test]
    fn packed_texts_are_read() {
        use std::io::Write as _;
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(b"the canary sings").unwrap();
        let file = packer.finish().unwrap();
        let haystack = Haystack::new("search/index", &file);
        assert!(haystack.texts().any(|text| text.contains(" canary ")));
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        let data = b"Title\0the canary";
        png.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        png.extend(b"tEXt");
        png.extend(data);
        png.extend([0; 4]);
        let haystack = Haystack::new("a.png", &png);
        assert!(haystack.texts().any(|text| text.contains(" canary ")));
    }
}
