//! The front matter of terms and lessons.

use super::shape::{Names, day_to_come, list, named, needed, object, optional, text, texts, whole};
use super::{capture, figures};
use crate::model::entry::Kind;
use serde_json::{Value, json};

/// The front matter of an entry of this kind.
pub(super) fn front(kind: Kind) -> Value {
    let mut keys = vec![("title", needed("Title of the page; a question for a term."))];
    let own = match kind {
        Kind::Term => term(),
        Kind::Lesson => lesson(),
    };
    keys.extend(own);
    keys.extend(shared());
    let required: &[&str] = match kind {
        Kind::Term => &["title", "short"],
        Kind::Lesson => &["title"],
    };
    let what = match kind {
        Kind::Term => "A term of the glossary.",
        Kind::Lesson => "A lesson.",
    };
    object(what, required, &keys)
}

fn term() -> Vec<(&'static str, Value)> {
    let lesson = object(
        "A lesson that meets the term.",
        &["lesson"],
        &[
            ("lesson", needed("Id or name of the lesson.")),
            ("note", text("What happens there.")),
        ],
    );
    let meeting = json!({"anyOf": [{"type": ["string", "number", "boolean"]}, lesson]});
    vec![
        ("term", text("The name itself; the title by default.")),
        (
            "aliases",
            texts("Other names: found by search, listed in the index, each with a redirect."),
        ),
        (
            "short",
            needed("One sentence that answers the title; claims are allowed."),
        ),
        ("owner", text("The lesson that owns the term.")),
        ("related", texts("Related entries, by id or name.")),
        ("meets", list("Where a reader meets the term.", &meeting)),
    ]
}

fn lesson() -> Vec<(&'static str, Value)> {
    let arc = object(
        "The series that the lesson is part of.",
        &["name"],
        &[
            ("name", needed("Name of the series.")),
            ("part", optional(whole("Part, from 1.", (0, 10_000)))),
        ],
    );
    vec![
        (
            "short",
            text("One sentence about the lesson; claims are allowed."),
        ),
        ("day", optional(whole("Day of the course.", (0, 100_000)))),
        ("arc", optional(arc)),
        (
            "prerequisites",
            texts("Entries to read first, by id or name."),
        ),
        (
            "teaches",
            texts("Terms that the lesson teaches, by id or name."),
        ),
    ]
}

fn shared() -> Vec<(&'static str, Value)> {
    vec![
        ("hold", text("Why the entry is withheld, if it is.")),
        (
            "measured",
            named("Captures, by name.", Names::Ids, &capture::of_entry()),
        ),
        ("diagrams", figures::diagrams()),
        ("models", figures::models()),
        ("matrices", figures::matrices()),
        ("sources", list("Cited documents.", &source())),
        ("byline", byline()),
    ]
}

fn source() -> Value {
    let mut id = needed("Its id, which the body cites as `[^id]`.");
    if let (Value::Object(id), Value::Object(name)) = (&mut id, Names::Ids.schema()) {
        id.extend(name);
    }
    let mut url = text("Its address.");
    url["pattern"] = json!("^https?://");
    object(
        "A cited document.",
        &["id", "title"],
        &[
            ("id", id),
            ("title", needed("Title of the document.")),
            ("sections", texts("The sections that were read.")),
            ("supports", text("What it supports.")),
            ("url", url),
            (
                "checked",
                day_to_come("The day on which it was last opened and compared."),
            ),
        ],
    )
}

fn byline() -> Value {
    optional(object(
        "Who answers for the page. Both names together ask for publication.",
        &[],
        &[
            (
                "written_by",
                text("The author; `pending` until there is one."),
            ),
            (
                "reviewed_by",
                text("Another person, who checked it; `pending` until there is one."),
            ),
            ("written_on", day_to_come("The day of writing.")),
            (
                "last_checked_on",
                day_to_come("The day on which the page was last checked."),
            ),
        ],
    ))
}
