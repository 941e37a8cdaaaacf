//! Elements of HTML: which there are, which raw HTML may use, and how a tag is read.

/// What may be done with an element in raw HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Stands in a sentence.
    Phrase,
    /// Stands in a sentence and has no end tag.
    Void,
    /// Stands between blocks, and Markdown may stand in it.
    Block,
    /// Stands in a block of this name only.
    Part(&'static [&'static str]),
    /// Removed; its text stays.
    Removed,
    /// Removed with its text, which is no text for readers.
    Dropped,
    /// No element of HTML: the author meant something else.
    Unknown,
}

const PHRASE: &[&str] = &[
    "abbr", "b", "bdi", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q", "ruby",
    "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var",
];
const BLOCK: &[&str] = &[
    "aside",
    "blockquote",
    "details",
    "div",
    "dl",
    "figure",
    "ol",
    "section",
    "ul",
];
const DROPPED: &[&str] = &[
    "iframe", "noembed", "noframes", "noscript", "script", "style", "template", "xmp",
];
const REMOVED: &[&str] = &[
    "a",
    "acronym",
    "address",
    "area",
    "article",
    "audio",
    "base",
    "bdo",
    "big",
    "body",
    "button",
    "canvas",
    "caption",
    "center",
    "col",
    "colgroup",
    "data",
    "datalist",
    "dialog",
    "dir",
    "embed",
    "fieldset",
    "font",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "html",
    "img",
    "input",
    "label",
    "legend",
    "link",
    "main",
    "map",
    "marquee",
    "math",
    "menu",
    "meta",
    "meter",
    "nav",
    "nobr",
    "object",
    "optgroup",
    "option",
    "output",
    "param",
    "picture",
    "plaintext",
    "pre",
    "progress",
    "search",
    "select",
    "slot",
    "source",
    "strike",
    "svg",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "tt",
    "video",
];

/// What may be done with the element of this name, given in lower case.
pub(super) fn kind(name: &str) -> Kind {
    match name {
        "br" | "wbr" => Kind::Void,
        "hr" => Kind::Block,
        "p" => Kind::Part(&[
            "",
            "aside",
            "blockquote",
            "details",
            "div",
            "figure",
            "section",
            "li",
            "dd",
        ]),
        "summary" => Kind::Part(&["details"]),
        "figcaption" => Kind::Part(&["figure"]),
        "li" => Kind::Part(&["ol", "ul"]),
        "dt" | "dd" => Kind::Part(&["dl"]),
        "rt" | "rp" => Kind::Part(&["ruby"]),
        _ if PHRASE.contains(&name) => Kind::Phrase,
        _ if BLOCK.contains(&name) => Kind::Block,
        _ if DROPPED.contains(&name) => Kind::Dropped,
        _ if REMOVED.contains(&name) => Kind::Removed,
        _ => Kind::Unknown,
    }
}

/// Whether an attribute may stay, with this value.
pub(super) fn keeps(element: &str, attribute: &str, value: &str) -> bool {
    match attribute {
        "lang" => value
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-'),
        "dir" => matches!(value, "ltr" | "rtl" | "auto"),
        "title" => matches!(element, "abbr" | "dfn"),
        "datetime" => matches!(element, "time" | "del" | "ins"),
        "open" => element == "details",
        "reversed" => element == "ol",
        "start" => {
            element == "ol" && value.bytes().all(|b| b.is_ascii_digit()) && !value.is_empty()
        }
        "class" => element == "details" && value == "ask",
        _ => false,
    }
}

/// One tag of raw HTML.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RawTag<'a> {
    /// Its name in lower case.
    pub(super) name: String,
    pub(super) is_end: bool,
    /// Names as written, and values without quotes.
    pub(super) attributes: Vec<(&'a str, &'a str)>,
    /// How many bytes it takes.
    pub(super) len: usize,
}

/// Reads the tag that `text` begins with. `None` if it begins with anything else.
pub(super) fn tag(text: &str) -> Option<RawTag<'_>> {
    let inner = text.strip_prefix('<')?;
    let is_end = inner.starts_with('/');
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    if !inner.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let end = inner
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .unwrap_or(inner.len());
    let (name, mut rest) = inner.split_at(end);
    let mut attributes = Vec::new();
    loop {
        let trimmed = rest.trim_start();
        if let Some(after) = trimmed
            .strip_prefix("/>")
            .or_else(|| trimmed.strip_prefix('>'))
        {
            return Some(RawTag {
                name: name.to_ascii_lowercase(),
                is_end,
                attributes,
                len: text.len() - after.len(),
            });
        }
        if trimmed.len() == rest.len() {
            return None;
        }
        let (found, after) = attribute(trimmed)?;
        attributes.push(found);
        rest = after;
    }
}

/// Reads `name`, `name=value`, `name="value"` or `name='value'`.
fn attribute(text: &str) -> Option<((&str, &str), &str)> {
    let end = text
        .find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/' | '"' | '\'' | '<'))
        .unwrap_or(text.len());
    if end == 0 {
        return None;
    }
    let (name, rest) = text.split_at(end);
    let Some(value) = rest.trim_start().strip_prefix('=') else {
        return Some(((name, ""), rest));
    };
    let value = value.trim_start();
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote) {
            let end = inner.find(quote)?;
            return Some(((name, &inner[..end]), &inner[end + 1..]));
        }
    }
    let end = value
        .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '=' | '<' | '>' | '`'))
        .unwrap_or(value.len());
    (end > 0).then(|| ((name, &value[..end]), &value[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_read_to_its_end() {
        let read = |text| tag(text).map(|t| (t.name, t.is_end, t.attributes, t.len));
        assert_eq!(read("<br/>x"), Some(("br".into(), false, vec![], 5)));
        assert_eq!(read("</Kbd >"), Some(("kbd".into(), true, vec![], 7)));
        assert_eq!(
            read("<a href='x>y' b\n c=d>"),
            Some((
                "a".into(),
                false,
                vec![("href", "x>y"), ("b", ""), ("c", "d")],
                21
            ))
        );
        for text in ["<", "<3", "< a>", "<a", "<a b=\"c>", "<a\"b>", "a"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
