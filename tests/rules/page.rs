//! A rule's page taken apart: two examples, each a small site, and what the first is to show.
//!
//! A fence's info string is a path, followed by words where the text stands for something that
//! a page cannot show:
//!
//! | word | the file is |
//! | --- | --- |
//! | `escaped` | the bytes that `\xNN` and `\u{…}` name |
//! | `digests` | a statement whose `…` are the digests of the entry beside it |
//! | `key=NAME` | a signature of the statement, by a key of `tests/fixtures/keys` |
//! | `size=BYTES` | as long as that, filled up with zeros |
//! | `link` | a symbolic link to what the text says |
//! | `unreadable` | closed to the user who checks |

use std::ops::Range;

/// One of the two examples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Fires,
    Quiet,
}

impl Side {
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Fires => "## Fires",
            Self::Quiet => "## Quiet",
        }
    }
}

/// What is run on the example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Run {
    Check,
    CheckNoDrafts,
}

/// A file of an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) path: String,
    pub(crate) words: Vec<String>,
    pub(crate) text: String,
}

impl Block {
    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|own| own == word)
    }

    /// The value of `name=value`.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        let of = |word: &'_ String| word.strip_prefix(name)?.strip_prefix('=').map(str::len);
        let word = self.words.iter().find(|word| of(word).is_some())?;
        Some(&word[name.len() + 1..])
    }
}

/// A small site and what it is to show.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    pub(crate) run: Run,
    pub(crate) files: Vec<Block>,
    /// Where the diagnostics stand in the page; `None` for a quiet example.
    pub(crate) diagnostics: Option<Range<usize>>,
}

/// Takes one side of a page.
pub(crate) fn example(page: &str, side: Side) -> Result<Example, String> {
    let mut example = Example {
        run: Run::Check,
        files: Vec::new(),
        diagnostics: None,
    };
    let mut section = "";
    for (heading, info, body) in fences(page)? {
        section = heading.unwrap_or(section);
        if section != side.heading() {
            continue;
        }
        let text = &page[body.clone()];
        match info {
            "console" => example.run = run(text)?,
            "diagnostics" => example.diagnostics = Some(body),
            info => {
                let mut words = info.split(' ').map(str::to_owned);
                example.files.push(Block {
                    path: words
                        .next()
                        .filter(|path| !path.is_empty())
                        .ok_or("a fence without a path")?,
                    words: words.collect(),
                    text: text.to_owned(),
                });
            }
        }
    }
    match (side, &example.diagnostics) {
        (_, _) if example.files.is_empty() => Err(format!("{} has no file", side.heading())),
        (Side::Fires, None) => Err("`## Fires` has no `diagnostics` block".to_owned()),
        (Side::Quiet, Some(_)) => Err("`## Quiet` has a `diagnostics` block".to_owned()),
        _ => Ok(example),
    }
}

fn run(text: &str) -> Result<Run, String> {
    match text.trim() {
        "countersign check" => Ok(Run::Check),
        "countersign check --no-drafts" => Ok(Run::CheckNoDrafts),
        other => Err(format!("the harness does not run `{other}`")),
    }
}

type Fence<'a> = (Option<&'a str>, &'a str, Range<usize>);

/// Every fenced block: the `##` heading above it if it is the first below that, its info string,
/// and the range of its text.
fn fences(page: &str) -> Result<Vec<Fence<'_>>, String> {
    let mut fences = Vec::new();
    let mut open: Option<(&str, &str, usize)> = None;
    let mut heading = None;
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        let bare = line.trim_end();
        match open {
            Some((ticks, info, start)) if bare == ticks => {
                fences.push((heading.take(), info, start..at));
                open = None;
            }
            None if bare.starts_with("```") => {
                let ticks = bare.trim_start_matches('`');
                let (ticks, info) = bare.split_at(bare.len() - ticks.len());
                open = Some((ticks, info, at + line.len()));
            }
            None if bare.starts_with("## ") => heading = Some(bare),
            Some(_) | None => {}
        }
        at += line.len();
    }
    match open {
        Some((_, info, _)) => Err(format!("the fence `{info}` is never closed")),
        None => Ok(fences),
    }
}

/// The bytes that a text with escapes stands for.
pub(crate) fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        let unknown = || format!("`\\{}` is no escape", &escape[..escape.len().min(8)]);
        let length = if let Some(hex) = escape.strip_prefix('x').and_then(|hex| hex.get(..2)) {
            bytes.push(u8::from_str_radix(hex, 16).map_err(|_| unknown())?);
            3
        } else {
            let inner = escape
                .strip_prefix("u{")
                .and_then(|hex| hex.split_once('}'));
            let code = inner.and_then(|(hex, _)| u32::from_str_radix(hex, 16).ok());
            let found = code.and_then(char::from_u32).ok_or_else(unknown)?;
            bytes.extend_from_slice(found.encode_utf8(&mut [0; 4]).as_bytes());
            escape.find('}').map_or(0, |end| end + 1)
        };
        rest = &escape[length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}
