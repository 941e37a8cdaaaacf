//! Built-in style sheets and scripts, without what only their authors read.
//!
//! Job: leave out indentation, empty lines and comments that fill whole lines; a reader's first page
//! is a sixth lighter for it. Input: one of this program's own assets. Output: the same rules and
//! statements. Invariant: a line that holds anything but a comment keeps every character after
//! its indentation, but spaces that a style sheet's marks make needless. A site's own files never come here: they are copied as they are.

/// The asset without indentation, empty lines and whole-line comments (`// …`, `/* … */`).
///
/// Our assets keep to what this relies on: no text in them runs over a line's end, and no line that
/// begins with a comment goes on with anything else.
pub fn compact(asset: &str) -> String {
    let mut kept = String::with_capacity(asset.len());
    let mut in_comment = false;
    for line in asset.lines().map(str::trim) {
        if in_comment || line.starts_with("/*") {
            in_comment = !line.ends_with("*/");
        } else if !line.is_empty() && !line.starts_with("//") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// A style sheet as [`compact`] leaves it, without the spaces and line ends beside its marks too.
pub fn compact_css(sheet: &str) -> String {
    let mut kept = String::with_capacity(sheet.len());
    let mut in_text = false;
    let compacted = compact(sheet);
    let mut letters = compacted.chars().peekable();
    while let Some(letter) = letters.next() {
        in_text ^= letter == '"';
        let after_mark = kept.ends_with(['{', '}', ';', ':', ',']);
        let before_mark = letters.peek().is_some_and(|next| ['{', '}'].contains(next));
        if in_text || !letter.is_ascii_whitespace() || !(after_mark || before_mark) {
            kept.push(letter);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{compact, compact_css};

    #[test]
    fn marks_of_a_style_sheet_stand_close() {
        let css = "a :is(b, c) > d { content: \" { x; \"; margin: 0 calc(1px - 2px) }\n";
        let tight = "a :is(b,c) > d{content:\" { x; \";margin:0 calc(1px - 2px)}";
        assert_eq!(compact_css(css), tight);
    }

    #[test]
    fn leaves_out_what_only_authors_read() {
        let css = "/* One\n   two */\n\n  a { color: red } /* stays */\n/* three */\n  b { }\n";
        assert_eq!(compact(css), "a { color: red } /* stays */\nb { }\n");
        let js = "// one\n{\n  const at = \"https://example.org/\"; // stays\n}\n";
        assert_eq!(
            compact(js),
            "{\nconst at = \"https://example.org/\"; // stays\n}\n"
        );
    }

    #[test]
    fn the_assets_keep_to_what_it_relies_on() {
        let assets = [
            include_str!("../../static/css/site.css"),
            include_str!("../../static/css/finders.css"),
            include_str!("../../static/css/index.css"),
            include_str!("../../static/css/lesson.css"),
            include_str!("../../static/css/player.css"),
            include_str!("../../static/js/cards.js"),
            include_str!("../../static/js/contents.js"),
            include_str!("../../static/js/finders.js"),
            include_str!("../../static/js/player.js"),
            include_str!("../../static/js/site.js"),
            include_str!("../../static/search/search.js"),
        ];
        for asset in assets {
            for line in asset
                .lines()
                .map(str::trim)
                .filter(|line| line.starts_with("/*"))
            {
                let end = line.find("*/").map(|at| line.split_at(at + 2).1);
                assert!(
                    end.is_none_or(str::is_empty),
                    "text after a comment: {line}"
                );
            }
            for line in asset.lines() {
                assert!(
                    line.matches('`').count() % 2 == 0,
                    "text over a line's end: {line}"
                );
            }
            let once = compact(asset);
            assert_eq!(compact(&once), once, "a second pass changes nothing");
        }
    }
}
