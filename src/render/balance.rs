//! Which tag of a template is not closed, or closes nothing.
//!
//! The engine reads to the end of the text and reports that it ended. A writer wants to know which of the
//! tags above that is about. Input: a template's text. Output: the first imbalance, with the places
//! of its tags.

use std::ops::Range;

/// How tags do not match.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Imbalance {
    /// A tag such as `{% if %}` without its end.
    Unclosed {
        /// The tag.
        open: Range<usize>,
        /// Its word.
        word: String,
    },
    /// A tag that is still open where the end of an outer one stands.
    Crossed {
        /// The tag that is open.
        open: Range<usize>,
        /// Its word.
        word: String,
        /// The end of the outer one.
        end: Range<usize>,
    },
    /// The end of something that was never opened.
    Stray {
        /// The end.
        end: Range<usize>,
        /// The word of what it would close.
        word: String,
    },
    /// A mark such as `{{` without the one that ends it.
    Unended {
        /// The mark's place.
        start: Range<usize>,
        /// The mark.
        mark: &'static str,
        /// What ends it.
        end: &'static str,
    },
}

/// Marks with what ends them.
const MARKS: [(&str, &str); 3] = [("{#", "#}"), ("{{", "}}"), ("{%", "%}")];

/// Words of tags that have an end; `set` has one where it has no `=`.
const PAIRED: [&str; 7] = [
    "block",
    "component",
    "filter",
    "for",
    "if",
    "set",
    "set_global",
];

/// A tag, mark or comment: its place, its mark, and what stands between its marks.
struct Piece<'t> {
    range: Range<usize>,
    mark: &'static str,
    inner: &'t str,
}

/// The first imbalance of a text.
pub(super) fn imbalance(text: &str) -> Option<Imbalance> {
    let mut open: Vec<(Range<usize>, &str)> = Vec::new();
    let mut at = 0;
    while let Some(piece) = next(text, at) {
        let Piece { range, mark, inner } = match piece {
            Ok(piece) => piece,
            Err(imbalance) => return Some(imbalance),
        };
        at = range.end;
        if mark != "{%" {
            continue;
        }
        let inner = inner.trim_matches('-').trim();
        let word = inner.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let word = word.into_iter().next().unwrap_or_default();
        if word == "raw" {
            at = after_raw(text, at)?;
        } else if let Some(closed) = word.strip_prefix("end") {
            let closed_by =
                |opened: &str| closed == opened || (closed == "set" && opened == "set_global");
            match open.pop() {
                Some((_, opened)) if closed_by(opened) => {}
                Some((place, opened)) if open.iter().any(|(_, outer)| closed_by(outer)) => {
                    return Some(Imbalance::Crossed {
                        open: place,
                        word: opened.to_owned(),
                        end: range,
                    });
                }
                _ => {
                    return Some(Imbalance::Stray {
                        end: range,
                        word: closed.to_owned(),
                    });
                }
            }
        } else if PAIRED.contains(&word) && !(word.starts_with("set") && inner.contains('=')) {
            open.push((range, word));
        }
    }
    let (open, word) = open.pop()?;
    let word = if word == "set_global" { "set" } else { word };
    Some(Imbalance::Unclosed {
        open,
        word: word.to_owned(),
    })
}

/// The next piece from a place on.
fn next(text: &str, from: usize) -> Option<Result<Piece<'_>, Imbalance>> {
    let rest = text.get(from..)?;
    let found = MARKS
        .iter()
        .filter_map(|marks| Some((rest.find(marks.0)?, marks)));
    let (at, (mark, end)) = found.min_by_key(|(at, _)| *at)?;
    let (start, inner) = (from + at, from + at + mark.len());
    let Some(length) = text[inner..].find(end) else {
        return Some(Err(Imbalance::Unended {
            start: start..inner,
            mark,
            end,
        }));
    };
    Some(Ok(Piece {
        range: start..inner + length + end.len(),
        mark,
        inner: &text[inner..inner + length],
    }))
}

/// Where the text that is taken as it stands ends; the engine reports one without an end well enough.
fn after_raw(text: &str, from: usize) -> Option<usize> {
    let end = from + text.get(from..)?.find("endraw")?;
    Some(end + text[end..].find("%}")? + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrong, with the texts of the places.
    fn told(text: &str) -> String {
        match imbalance(text) {
            None => String::new(),
            Some(Imbalance::Unclosed { open, word }) => format!("{} lacks end{word}", &text[open]),
            Some(Imbalance::Crossed { open, end, .. }) => {
                format!("{} crosses {}", &text[open], &text[end])
            }
            Some(Imbalance::Stray { end, word }) => format!("{} without {word}", &text[end]),
            Some(Imbalance::Unended { start, end, .. }) => format!("{} lacks {end}", &text[start]),
        }
    }

    #[test]
    fn balanced_texts_have_none() {
        for text in [
            "",
            "a } b }} %} { c",
            "{% if a %}{% for b in c %}{{ b }}{% else %}{% endfor %}{% elif d %}{% endif %}",
            "{%- block x -%}{% set a = 1 %}{% set b %}t{% endset %}{%- endblock x -%}",
            "{# {% if %} {{ #}{% raw %}{% if {{ {% endraw %}{% include \"a\" %}",
            "{% set_global a %}t{% endset %}{% filter upper %}t{% endfilter %}",
        ] {
            assert_eq!(told(text), "", "{text}");
        }
    }

    #[test]
    fn the_tag_at_fault_is_found() {
        for (text, fault) in [
            ("{% if a %}{% if b %}{% endif %}", "{% if a %} lacks endif"),
            ("{% set a %}t", "{% set a %} lacks endset"),
            (
                "{% block x %}{% if a %}{% endblock %}",
                "{% if a %} crosses {% endblock %}",
            ),
            ("a{% endif %}", "{% endif %} without if"),
            (
                "{% if a %}{% endfor %}{% endif %}",
                "{% endfor %} without for",
            ),
            ("é {{ a", "{{ lacks }}"),
            ("{% if a", "{% lacks %}"),
            ("{# a", "{# lacks #}"),
        ] {
            assert_eq!(told(text), fault, "{text}");
        }
    }
}
