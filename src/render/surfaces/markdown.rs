//! Text of authors inside Markdown that we write: titles, short answers, names, notes.

/// Text on one line, with what Markdown or HTML would take for markup written so that it is text.
pub(super) fn one_line(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut line = words.next().unwrap_or_default().to_owned();
    line.reserve(text.len().saturating_sub(line.len()));
    for word in words {
        line.push(' ');
        line.push_str(word);
    }
    let is_plain = |byte| {
        !matches!(
            byte,
            b'`' | b'*' | b'[' | b']' | b'~' | b'\\' | b'<' | b'&' | b'_'
        )
    };
    if line.bytes().all(is_plain) && !line.starts_with(['#', '>', '+', '-']) {
        return line;
    }
    escaped(&line)
}

fn escaped(line: &str) -> String {
    let line: Vec<char> = line.chars().collect();
    let mut escaped = String::with_capacity(line.len());
    for (at, &c) in line.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| line.get(at)).copied();
        if is_markup(before, c, &line[at + 1..]) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Whether a character begins or ends markup where it stands. `sm_75` and `a < b` are text as they are.
fn is_markup(before: Option<char>, c: char, rest: &[char]) -> bool {
    let next = rest.first().copied();
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    match c {
        '`' | '*' | '[' | ']' | '~' => true,
        '\\' => next.is_some_and(|c| c.is_ascii_punctuation()),
        '<' => next.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')),
        '&' => is_entity(rest),
        '_' => !(is_word(before) && is_word(next)),
        '#' | '>' | '+' | '-' => before.is_none() && matches!(next, Some(' ') | None),
        _ => false,
    }
}

/// Whether a character reference follows an ampersand.
fn is_entity(rest: &[char]) -> bool {
    let end = rest
        .iter()
        .position(|c| !c.is_ascii_alphanumeric() && *c != '#');
    end.is_some_and(|end| end > 0 && rest[end] == ';')
}

#[cfg(test)]
mod tests {
    use super::{escaped, one_line};

    #[test]
    fn what_is_plain_at_sight_needs_no_backslash() {
        for text in [
            "a - b",
            "# a",
            "1 + 1 = 2",
            "- x",
            "> x",
            "sm_75",
            "a > b # c",
            "線 é",
            "",
        ] {
            assert_eq!(one_line(text), escaped(text), "{text}");
        }
    }

    #[test]
    fn text_stays_text() {
        for (text, written) in [
            ("What is  a\nwarp?", "What is a warp?"),
            ("</script> & <img src=x>", "\\</script> & \\<img src=x>"),
            (
                "sm_75, a < b, R&D, 5 > 3, -3",
                "sm_75, a < b, R&D, 5 > 3, -3",
            ),
            (
                "__shared__ [x](y) `z`",
                "\\_\\_shared\\_\\_ \\[x\\](y) \\`z\\`",
            ),
            ("&lt;b&gt; &#60;", "\\&lt;b\\&gt; \\&#60;"),
            (
                "*a* ~~b~~ C:\\* d\\e",
                "\\*a\\* \\~\\~b\\~\\~ C:\\\\\\* d\\e",
            ),
            ("# no heading", "\\# no heading"),
            ("", ""),
        ] {
            assert_eq!(one_line(text), written);
        }
    }

    proptest::proptest! {
        #[test]
        fn a_reader_gets_the_words_back(text in "[a-c<>&;#*_~`\\[\\]\\\\!/ .-]{0,24}") {
            let line = format!("x {}", one_line(&text));
            let mut read = String::new();
            for event in pulldown_cmark::Parser::new_ext(&line, pulldown_cmark::Options::ENABLE_STRIKETHROUGH) {
                match event {
                    pulldown_cmark::Event::Text(words) => read.push_str(&words),
                    pulldown_cmark::Event::Start(pulldown_cmark::Tag::Paragraph)
                    | pulldown_cmark::Event::End(pulldown_cmark::TagEnd::Paragraph) => {}
                    other => proptest::prop_assert!(false, "{other:?} from {line}"),
                }
            }
            let plain: Vec<_> = text.split_whitespace().collect();
            let whole = format!("x {}", plain.join(" "));
            proptest::prop_assert_eq!(read.trim_end(), whole.trim_end());
        }
    }
}
