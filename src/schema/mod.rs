//! JSON Schemas (2020-12) of the files that people write, for their editors.
//!
//! Job: say what each kind of file may hold, with words for every key. Input: the kind. Output: a
//! schema that stands alone. Invariant: it knows the same keys as the parser; tests ask both. A
//! schema cannot say everything that the parser checks (that a name is defined, that a number
//! agrees with its data), so what it accepts may still have findings.

mod capture;
mod entry;
mod figures;
mod shape;
mod site;

use crate::model::entry::Kind as EntryKind;
use serde_json::{Map, Value, json};

/// The kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `site.toml`.
    Site,
    /// The front matter of a term.
    Term,
    /// The front matter of a lesson.
    Lesson,
    /// `content/people.yaml`.
    People,
    /// A file of `content/presets`.
    Preset,
    /// A capture's JSON file.
    Capture,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Site,
        Self::Term,
        Self::Lesson,
        Self::People,
        Self::Preset,
        Self::Capture,
    ];

    /// Its word in commands and file names.
    pub fn word(self) -> &'static str {
        match self {
            Self::Site => "site",
            Self::Term => "term",
            Self::Lesson => "lesson",
            Self::People => "people",
            Self::Preset => "preset",
            Self::Capture => "capture",
        }
    }
}

/// The schema of a kind of file.
pub fn of(kind: Kind) -> Value {
    let (title, body) = match kind {
        Kind::Site => ("The settings of a site: site.toml", site::settings()),
        Kind::Term => ("The front matter of a term", entry::front(EntryKind::Term)),
        Kind::Lesson => (
            "The front matter of a lesson",
            entry::front(EntryKind::Lesson),
        ),
        Kind::People => ("The people registry: content/people.yaml", site::people()),
        Kind::Preset => (
            "A preset of a drawing: content/presets/NAME.toml",
            figures::preset(),
        ),
        Kind::Capture => ("A capture, as a program writes it", capture::inline()),
    };
    let mut schema = Map::new();
    schema.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    schema.insert("title".to_owned(), json!(title));
    if let Value::Object(body) = body {
        schema.extend(body);
    }
    Value::Object(schema)
}

/// The schema as a file's text.
pub fn text(kind: Kind) -> String {
    let mut text = serde_json::to_string_pretty(&of(kind)).unwrap_or_default();
    text.push('\n');
    text
}
