//! Which texts of a page a reader sees.
//!
//! Tags are read as far as that asks for it: their names, where they end, and the two attributes that
//! hide an element, `hidden` and `style`. What a style sheet hides is not known here. An element that
//! hides what it holds ends where its own end tag stands, those of the same name inside it counted.

use memchr::{memchr, memchr3, memmem};
use std::ops::ControlFlow;

/// Longest name of an element that means anything here.
const NAME_MAX_BYTES: usize = 10;

/// A text that a reader sees, which may be empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a> {
    /// Where it begins on the page.
    pub start: usize,
    pub bytes: &'a [u8],
    /// The tag that it follows, without its `<`; empty if it follows none that could part words.
    pub follows: &'a [u8],
}

/// Which texts are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those that a reader sees.
    All,
    /// Those outside listings, which are long and show no byline.
    OutsideListings,
}

/// Gives the texts of a page that a reader sees, until one is enough.
pub(super) fn each_text<'a>(
    bytes: &'a [u8],
    wanted: Wanted,
    mut give: impl FnMut(Text<'a>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut hidden: Option<Hidden<'_>> = None;
    let (mut start, mut follows) = (0, &b""[..]);
    loop {
        let rest = bytes.get(start..).unwrap_or_default();
        let at = memchr(b'<', rest).unwrap_or(rest.len());
        let (text, markup) = rest.split_at(at);
        if hidden.is_none() {
            let bytes = text;
            give(Text {
                start,
                bytes,
                follows,
            })?;
        }
        let Some(length) = plain_tag(markup).filter(|_| hidden.is_none()) else {
            let Some(mut markup) = Markup::read(markup) else {
                return ControlFlow::Continue(());
            };
            let passes = markup.kind == Kind::Listing && wanted == Wanted::OutsideListings;
            if passes || markup.kind == Kind::Text {
                let inner = rest.get(at + markup.length..).unwrap_or_default();
                markup.length += end_of_raw(inner, markup.name);
            }
            hidden = match hidden {
                Some(hidden) => hidden.after(&markup),
                None => Hidden::opened(&markup),
            };
            follows = markup.name;
            start += at + markup.length;
            continue;
        };
        follows = &markup[1..length];
        start += at + length;
    }
}

/// The length of the tag that a text begins with, if a look at it shows that it changes nothing of what is
/// seen: most do not.
fn plain_tag(text: &[u8]) -> Option<usize> {
    let first = *text.get(1)?;
    if first == b'/' {
        return Some(memchr(b'>', text)? + 1);
    }
    let second = *text.get(2)?;
    // As the names begin that have a kind of their own, and those of no tag.
    let means_nothing = first.is_ascii_alphabetic()
        && !matches!(
            &[first | 0x20, second | 0x20],
            b"au"
                | b"ca"
                | b"da"
                | b"if"
                | b"no"
                | b"ob"
                | b"pr"
                | b"sc"
                | b"st"
                | b"sv"
                | b"te"
                | b"ti"
                | b"vi"
        );
    if !means_nothing {
        return None;
    }
    let length = memchr(b'>', text)? + 1;
    (length < b"<p hidden>".len() || is_plain(&text[2..length])).then_some(length)
}

/// An element that is open and shows nothing of what it holds.
#[derive(Debug, Clone, Copy)]
struct Hidden<'a> {
    name: &'a [u8],
    /// How many elements of its name are open, itself included.
    open: usize,
}

impl<'a> Hidden<'a> {
    /// What a tag opens.
    fn opened(tag: &Markup<'a>) -> Option<Self> {
        let hides = tag.kind == Kind::Unseen || tag.is_hidden && tag.kind != Kind::Void;
        (hides && tag.kind != Kind::Text && !tag.is_end()).then_some(Self {
            name: tag.name,
            open: 1,
        })
    }

    /// What is left of it after a tag inside.
    fn after(mut self, tag: &Markup<'a>) -> Option<Self> {
        let name = tag.name.strip_prefix(b"/").unwrap_or(tag.name);
        // A paragraph ends where another block begins.
        if self.name.eq_ignore_ascii_case(b"p") && !tag.is_end() && tag.kind == Kind::Block {
            return Self::opened(tag);
        }
        if name.eq_ignore_ascii_case(self.name) {
            if tag.is_end() {
                self.open -= 1;
            } else {
                self.open += 1;
            }
        }
        (self.open > 0).then_some(self)
    }
}

/// What stands between two texts: a tag, a comment, a declaration, or a `<` that is none of them.
#[derive(Debug)]
struct Markup<'a> {
    /// The name of a tag, with its slash if it is an end tag.
    name: &'a [u8],
    length: usize,
    kind: Kind,
    /// Whether its own attributes hide it.
    is_hidden: bool,
}

/// What an element is to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Other,
    /// Holds nothing.
    Void,
    /// Ends a paragraph that is open.
    Block,
    Listing,
    /// Holds text in which no tag but its own end counts, and which is not shown.
    Text,
    /// Holds elements that are not shown, or in the place of something else.
    Unseen,
}

impl<'a> Markup<'a> {
    /// What a text begins with; `None` where nothing more can be shown.
    fn read(text: &'a [u8]) -> Option<Self> {
        let first = *text.get(1)?;
        let plain = |name, length| {
            Some(Self {
                name,
                length,
                kind: Kind::Other,
                is_hidden: false,
            })
        };
        if first == b'!' || first == b'?' {
            // The end of a comment may share the hyphens of its beginning.
            let length = if text.starts_with(b"<!--") {
                2 + memmem::find(&text[2..], b"-->")? + 3
            } else {
                memchr(b'>', text)? + 1
            };
            return plain(b"", length);
        }
        if first != b'/' && !first.is_ascii_alphabetic() {
            return plain(b"<", 1);
        }
        let name = name(text);
        if first == b'/' {
            return plain(name, memchr(b'>', text)? + 1);
        }
        let (length, is_hidden) = attributes(text, 1 + name.len())?;
        let is_closed = text[..length].ends_with(b"/>");
        let kind = match kind(name) {
            Kind::Unseen if is_closed && name.eq_ignore_ascii_case(b"svg") => Kind::Void,
            kind => kind,
        };
        Some(Self {
            name,
            length,
            kind,
            is_hidden,
        })
    }

    fn is_end(&self) -> bool {
        self.name.starts_with(b"/")
    }
}

/// The name of the tag that a text begins with, with its slash.
fn name(text: &[u8]) -> &[u8] {
    let is_end = |byte: &u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b':');
    let length = text[2..].iter().position(is_end);
    &text[1..2 + length.unwrap_or(text.len() - 2)]
}

/// Whether a tag up to a `>` is whole and hides nothing; `false` says nothing. Compilers look at many
/// of its bytes at once.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches it is done for many bytes at once"
)]
fn is_plain(tag: &[u8]) -> bool {
    let (mut quotes, mut suspicious) = (0_u8, 0_u8);
    let next = tag.get(1..).unwrap_or_default();
    for (byte, next) in tag.iter().zip(next) {
        // `hidden`, `style`
        let (one, two) = (byte | 0x20, next | 0x20);
        let hides = (one == b'd') & (two == b'd') | (one == b't') & (two == b'y');
        quotes ^= u8::from(*byte == b'"');
        suspicious |= u8::from(hides | (*byte == b'\''));
    }
    quotes | suspicious == 0
}

/// What the element of a start tag is.
fn kind(name: &[u8]) -> Kind {
    let mut lower = [0; NAME_MAX_BYTES];
    let Some(lower) = lower.get_mut(..name.len()) else {
        return Kind::Other;
    };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    match &*lower {
        b"pre" => Kind::Listing,
        b"script" | b"style" | b"textarea" | b"title" | b"iframe" | b"noembed" | b"noframes"
        | b"noscript" => Kind::Text,
        b"template" | b"svg" | b"object" | b"canvas" | b"audio" | b"video" | b"datalist" => {
            Kind::Unseen
        }
        b"area" | b"base" | b"br" | b"col" | b"embed" | b"img" | b"input" | b"link" | b"meta"
        | b"source" | b"track" | b"wbr" | b"hr" => Kind::Void,
        b"address" | b"article" | b"aside" | b"blockquote" | b"details" | b"div" | b"dl"
        | b"fieldset" | b"figure" | b"footer" | b"form" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5"
        | b"h6" | b"header" | b"main" | b"nav" | b"ol" | b"p" | b"section" | b"table" | b"ul" => {
            Kind::Block
        }
        _ => Kind::Other,
    }
}

/// The length of a tag whose attributes begin at an offset, and whether they hide its element; `None`
/// for one without an end.
fn attributes(tag: &[u8], from: usize) -> Option<(usize, bool)> {
    let mut at = from;
    let mut is_hidden = false;
    loop {
        let end = at + memchr3(b'>', b'"', b'\'', tag.get(at..)?)?;
        let plain = &tag[at..end];
        is_hidden |= plain.len() > b"hidden".len() && hides(plain);
        let mark = tag[end];
        if mark == b'>' {
            return Some((end + 1, is_hidden));
        }
        at = end + 1;
        let before = plain.trim_ascii_end();
        if let Some(name) = before.strip_suffix(b"=") {
            let length = memchr(mark, &tag[at..])?;
            let name = name.trim_ascii_end();
            let is_style = name.len() > 5 && name[name.len() - 5..].eq_ignore_ascii_case(b"style");
            is_hidden |= is_style && hides_by_style(&tag[at..at + length]);
            at += length + 1;
        }
    }
}

/// Whether attributes without quotation marks hide an element.
#[cold]
fn hides(attributes: &[u8]) -> bool {
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'/';
    let mut is_value = false;
    for word in attributes.split(is_space).filter(|word| !word.is_empty()) {
        let mut sides = word.splitn(2, |byte| *byte == b'=');
        let name = sides.next().unwrap_or_default();
        let style = sides.next().filter(|_| name.eq_ignore_ascii_case(b"style"));
        let is_name = !is_value && name.eq_ignore_ascii_case(b"hidden");
        if is_name || style.is_some_and(hides_by_style) {
            return true;
        }
        is_value = word.ends_with(b"=");
    }
    false
}

#[cold]
fn hides_by_style(style: &[u8]) -> bool {
    let kept = style.iter().filter(|byte| !byte.is_ascii_whitespace());
    let style: Vec<u8> = kept.map(u8::to_ascii_lowercase).collect();
    let hiding: [&[u8]; 3] = [
        b"display:none",
        b"visibility:hidden",
        b"visibility:collapse",
    ];
    hiding
        .iter()
        .any(|hiding| memmem::find(&style, hiding).is_some())
}

/// Where the end tag of an element with this name begins in what follows its start tag; the end of the
/// text if it has none.
fn end_of_raw(text: &[u8], name: &[u8]) -> usize {
    let mut ends = memmem::find_iter(text, b"</");
    let is_end = |at: &usize| {
        let found = text.get(at + 2..at + 2 + name.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(name))
    };
    ends.find(is_end).unwrap_or(text.len())
}
