//! How deeply the values of a data file nest, looked at before a recursive reader sees them.
//!
//! Takes TOML or JSON; gives the place at which it first goes past [`MAX_DEPTH`]. Brackets inside
//! strings and comments do not count; the parts of a dotted TOML key do.

use crate::diagnostic::{Diagnostic, rule};
use crate::model::tree::MAX_DEPTH;
use crate::source::{FileId, Span};

/// What a text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Json,
    Toml,
}

/// A finding if the values of a file nest too deeply.
pub(super) fn check(text: &str, file: FileId, language: Language) -> Option<Diagnostic> {
    let at = first_beyond(text.as_bytes(), language)?;
    let span = Span::new(file, at..at + 1);
    let kinds = match language {
        Language::Json => "lists and objects",
        Language::Toml => "lists and tables",
    };
    Some(
        Diagnostic::new(rule::TOO_DEEP, span, MESSAGE)
            .label(format!("level {}", MAX_DEPTH + 1))
            .help(help(kinds)),
    )
}

/// The headline, the same for every language.
pub(super) const MESSAGE: &str = "values are nested too deeply";

/// What to do.
pub(super) fn help(kinds: &str) -> String {
    format!("Keep to {MAX_DEPTH} levels of {kinds}.")
}

fn first_beyond(text: &[u8], language: Language) -> Option<usize> {
    let (mut at, mut depth, mut dots) = (0, 0_usize, 0_usize);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                at = string_end(text, at, language);
                continue;
            }
            b'\'' if language == Language::Toml => {
                at = string_end(text, at, language);
                continue;
            }
            b'#' if language == Language::Toml => {
                at = line_end(text, at);
                continue;
            }
            b'[' | b'{' => (depth, dots) = (depth + 1, 0),
            b']' | b'}' => (depth, dots) = (depth.saturating_sub(1), 0),
            b'.' if language == Language::Toml => dots += 1,
            b'\n' | b'=' | b',' => dots = 0,
            _ => {}
        }
        if depth + dots > MAX_DEPTH {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Where the string that opens at `at` ends, or the text if it does not.
fn string_end(text: &[u8], at: usize, language: Language) -> usize {
    let quote = text.get(at).copied().unwrap_or(b'"');
    let triple = [quote; 3];
    if language == Language::Toml && text.get(at..).is_some_and(|rest| rest.starts_with(&triple)) {
        let mut end = at + 3;
        while end < text.len() && !text[end..].starts_with(&triple) {
            end += if text[end] == b'\\' && quote == b'"' {
                2
            } else {
                1
            };
        }
        return end + 3;
    }
    let mut end = at + 1;
    while let Some(&byte) = text.get(end) {
        match byte {
            b'\\' if quote == b'"' => end += 1,
            b'\n' => return end,
            _ if byte == quote => return end + 1,
            _ => {}
        }
        end += 1;
    }
    end
}

fn line_end(text: &[u8], at: usize) -> usize {
    let mut rest = text.iter().skip(at);
    rest.position(|byte| *byte == b'\n')
        .map_or(text.len(), |found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, language: Language) -> Option<usize> {
        first_beyond(text.as_bytes(), language)
    }

    #[test]
    fn brackets_and_dots_count_outside_strings_alone() {
        let deep = "[".repeat(MAX_DEPTH + 1);
        let quoted = [format!("\"{deep}\""), format!("\"\\\"{deep}\"")];
        for text in quoted {
            assert_eq!(place(&text, Language::Json), None, "{text}");
            assert_eq!(place(&text, Language::Toml), None, "{text}");
        }
        for text in [
            format!("a = '{deep}'"),
            format!("a = '''\n{deep}\n'''"),
            format!("a = \"\"\"\n\\\"\"\"{deep}\"\"\""),
            format!("# {deep}"),
            "[a]\nb = 1\n".repeat(100),
            "a = 1.5\n".repeat(100),
        ] {
            assert_eq!(place(&text, Language::Toml), None, "{text}");
        }
        assert_eq!(place(&deep, Language::Json), Some(MAX_DEPTH));
        // A closing bracket in a string closes nothing.
        let open = "[\"]\",".repeat(MAX_DEPTH + 1);
        assert_eq!(place(&open, Language::Json), Some(5 * MAX_DEPTH));
        let dotted = format!("a{} = 1", ".a".repeat(MAX_DEPTH + 1));
        assert_eq!(place(&dotted, Language::Toml), Some(2 * MAX_DEPTH + 1));
        let lines = "[\n".repeat(MAX_DEPTH + 1);
        assert_eq!(place(&lines, Language::Toml), Some(2 * MAX_DEPTH));
    }
}
