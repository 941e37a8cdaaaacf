//! Finds the sentences that `new` wrote in the place of the author's, however they are wrapped.

use super::SENTENCES;
use std::ops::Range;

/// Which bytes are the first of a sentence. Every entry is looked through in every build, so one pass
/// over a text finds where any may begin.
const IS_FIRST: [bool; 256] = {
    let mut is_first = [false; 256];
    let mut number = 0;
    while number < SENTENCES.len() {
        is_first[SENTENCES[number].as_bytes()[0] as usize] = true;
        number += 1;
    }
    is_first
};

/// Where each of the sentences first stands in the text of an entry or page whose body begins at `body`.
/// Runs of white space count as one space, with the marks of quotations at the beginnings of lines, and the
/// last full stop may be missing where a paragraph or a value ends. What a comment of HTML holds is not
/// shown and does not count.
pub fn places(text: &str, body: usize) -> [Option<Range<usize>>; SENTENCES.len()] {
    let mut found = [const { None }; SENTENCES.len()];
    let bytes = text.bytes().enumerate();
    for (start, _) in bytes.filter(|(_, byte)| IS_FIRST[usize::from(*byte)]) {
        let rest = text.get(start..).unwrap_or_default();
        let is_body = start >= body;
        for (sentence, found) in SENTENCES.iter().zip(&mut found) {
            if found.is_none()
                && rest.as_bytes().get(1) == sentence.as_bytes().get(1)
                && let Some(length) = length_at_start((text, start), sentence, is_body)
                && !(is_body && is_commented(text.get(body..start).unwrap_or_default(), rest))
            {
                *found = Some(start..start + length);
            }
        }
    }
    found
}

/// The bytes that a sentence takes at a place of a text, if it stands there.
fn length_at_start((text, start): (&str, usize), sentence: &str, is_body: bool) -> Option<usize> {
    let whole = text.get(start..)?;
    let mut rest = whole;
    for (number, word) in sentence.trim_end_matches('.').split(' ').enumerate() {
        if number > 0 {
            rest = after_space(rest, is_body)?;
        }
        rest = rest.strip_prefix(word)?;
    }
    let length = whole.len() - rest.len();
    if rest.starts_with('.') {
        return Some(length + 1);
    }
    let is_end = || {
        let quotes = quotes(text.get(..start).unwrap_or_default());
        ends(rest, is_body, quotes)
    };
    is_end().then_some(length)
}

/// What follows the white space that a text begins with; `None` if it begins with none. In a body the
/// marks of quotations at the beginning of a line belong to it.
fn after_space(text: &str, is_body: bool) -> Option<&str> {
    let trimmed = text.trim_start();
    let space = &text[..text.len() - trimmed.len()];
    if space.is_empty() {
        return None;
    }
    let has_marks = is_body && space.contains('\n');
    Some(if has_marks {
        trimmed.trim_start_matches(QUOTE)
    } else {
        trimmed
    })
}

/// What a line of a quotation begins with.
const QUOTE: [char; 3] = ['>', ' ', '\t'];

/// In how many quotations the last line of a text stands, by its marks.
fn quotes(before: &str) -> usize {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let words = line.trim_start_matches(QUOTE);
    line[..line.len() - words.len()].matches('>').count()
}

/// Whether a sentence without a full stop ends before this text: the line ends, and the next one does
/// not go on with its paragraph or its value. Its own line stands in so many quotations.
fn ends(rest: &str, is_body: bool, quotes: usize) -> bool {
    let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
    if !line.trim_matches(['"', '\'', ' ', '\t', '\r']).is_empty() {
        return false;
    }
    let next = after.lines().next().unwrap_or_default();
    let mut words = next.trim_start();
    let is_indented = words.len() < next.len();
    let goes_on = if is_body {
        for _ in 0..quotes {
            words = words.strip_prefix('>').map_or(words, str::trim_start);
        }
        words.starts_with(char::is_alphanumeric)
    } else {
        is_indented && !words.is_empty()
    };
    !goes_on
}

/// Whether a comment of HTML is open between what stands before and after.
fn is_commented(before: &str, after: &str) -> bool {
    let last = before.rsplit_once("<!--");
    last.is_some_and(|(_, inner)| !inner.contains("-->")) && after.contains("-->")
}

#[cfg(test)]
mod tests {
    use super::places;

    fn found(text: &str) -> Vec<&str> {
        let body = text.find("\n---\n").map_or(0, |at| at + 5);
        let places = places(text, body).into_iter().flatten();
        places.map(|range| &text[range]).collect()
    }

    #[test]
    fn wrapping_and_the_last_full_stop_do_not_count() {
        for text in [
            "Write one sentence that answers the title.",
            "Write one sentence that answers the title",
            "Write one sentence  that\nanswers\tthe title.",
            "Write one sentence\r\n  that answers the title\r\n\r\nMore.",
            "Write one sentence that answers the title\n## More",
            "short: Write one sentence\n  that answers the title\nsources: []\n---\nText.",
            "short: \"Write one sentence that answers the title\"\nsources: []\n---\nText.",
            "It is so. Write one sentence that answers the title. Yes.",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
        assert_eq!(
            found("A.\n\nThis entry\nis an  example\n\nB."),
            ["This entry\nis an  example"]
        );
        assert_eq!(
            found("End with a distinction that can be tested. This entry is an example.").len(),
            2
        );
    }

    #[test]
    fn marks_of_quotations_do_not_count() {
        for text in [
            "> Write one sentence that\n> answers the title.",
            "> Write one sentence that\n> answers the title",
            "> Write one sentence that\n> answers the title\n>\n> More.",
            "> > Write one sentence\r\n>> that\r\n   > answers the title.\r\n",
            "> [!NOTE]\n> Write one sentence that answers the title\n\nMore.",
            "Write one sentence that answers the title\n> A quotation.",
            "> Write one sentence that answers the title\n>> Another.",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
        for text in [
            "> Write one sentence that answers the title\n> and another.",
            "> Write one sentence that answers the title\nand another.",
            "Write one sentence > that answers the title.",
            "short: Write one sentence\n  > that answers the title\n---\nText.",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn sentences_that_go_on_are_the_authors() {
        for text in [
            "This entry is an example of a term.",
            "This entry is an example\nof a term.",
            "This entry is an example, no more.",
            "This entry is an examplea.",
            "Thisentry is an example.",
            "short: This entry is an example\n  of a term.\n---\nText.",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn comments_do_not_count() {
        let say = "Say what people often take it for, and why it is not that.";
        assert!(found(&format!("A.\n\n<!-- {say} -->\n")).is_empty());
        assert_eq!(found(&format!("<!-- A. -->\n{say}\n<!-- B. -->")), [say]);
        // One that is not closed hides nothing, and nor does one in a text.
        assert_eq!(found(&format!("`<!--` begins one.\n\n{say}")), [say]);
        assert_eq!(found(&format!("short: <!--\n---\n{say} -->")), [say]);
    }
}
