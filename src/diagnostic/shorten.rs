//! Texts of findings quote what authors wrote; a value of a megabyte is no headline.

/// Most characters of one quoted value.
const QUOTED_MAX: usize = 160;

/// Most characters of a text in all.
const TEXT_MAX: usize = 2_000;

/// The text with an ellipsis in the middle of each quoted value that is very long.
pub(super) fn shorten(text: String) -> String {
    if text.len() <= QUOTED_MAX {
        return text;
    }
    let mut short = String::new();
    let mut rest = text.as_str();
    while let Some((before, quoted, after)) = next_quoted(rest) {
        short.push_str(before);
        short.push_str(&middle(quoted, QUOTED_MAX));
        rest = after;
    }
    short.push_str(rest);
    middle(&short, TEXT_MAX)
}

/// The text up to an opening mark and with it, what is quoted and its closing mark, and the rest.
fn next_quoted(text: &str) -> Option<(&str, &str, &str)> {
    let open = text.find(['`', '“'])?;
    let mark = text.get(open..)?.chars().next()?;
    let start = open + mark.len_utf8();
    let close = if mark == '“' { '”' } else { '`' };
    let end = start + text.get(start..)?.find(close)? + close.len_utf8();
    Some((text.get(..start)?, text.get(start..end)?, text.get(end..)?))
}

/// Both ends of a text of more than `limit` characters.
fn middle(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let count = text.chars().count();
    if count <= limit {
        return text.to_owned();
    }
    let tail = limit / 4;
    let head: String = text.chars().take(limit - tail - 1).collect();
    let tail: String = text.chars().skip(count - tail).collect();
    format!("{head}…{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_cut_in_the_middle_and_short_texts_are_not() {
        let plain = "`a` is not a key of “the site”".to_owned();
        assert_eq!(shorten(plain.clone()), plain);
        let text = format!(
            "`{}end` and “{}” are `two`",
            "é".repeat(5_000),
            "b".repeat(300)
        );
        let short = shorten(text);
        assert!(short.chars().count() < 2 * QUOTED_MAX + 40, "{short}");
        assert!(short.starts_with("`é") && short.contains("…") && short.contains("end` and “b"));
        assert!(short.ends_with("b” are `two`"), "{short}");
        let open = format!("an open ` mark {}", "c".repeat(9_000));
        assert_eq!(shorten(open).chars().count(), TEXT_MAX);
    }
}
