//! Shapes of values, as the parser takes them: a scalar counts as the text that it was written
//! with, and an absent value as no key.

use serde_json::{Map, Value, json};

/// What names an author may give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// Ids: small letters, digits and single hyphens, and no name that a system keeps for a device.
    Ids,
    /// Columns and constants: `_` besides, and no number.
    Columns,
    /// People: letters, digits and `-`, `_`, `.`.
    People,
}

impl Names {
    /// The schema of such a name.
    pub(super) fn schema(self) -> Value {
        let (pattern, not) = match self {
            Self::Ids => (
                "^[a-z0-9]+(-[a-z0-9]+)*$",
                "^(con|prn|aux|nul|(com|lpt)[0-9])$",
            ),
            Self::Columns => ("^[a-z0-9]+([-_][a-z0-9]+)*$", "^[0-9]+$"),
            Self::People => ("^[A-Za-z0-9._-]+$", "^[^A-Za-z]*$"),
        };
        json!({"pattern": pattern, "not": {"pattern": not}, "maxLength": 100})
    }
}

/// Greatest whole number that a machine's parameter can be.
pub(super) const PARAMETER_MAX: u64 = 1_000_000;

/// A set of keys of which no other is known.
pub(super) fn object(description: &str, required: &[&str], properties: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> = properties
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect();
    let mut schema = json!({
        "description": description,
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// The same, or nothing.
pub(super) fn optional(mut schema: Value) -> Value {
    if let Some(kind) = schema.get("type").cloned() {
        let mut kinds = match kind {
            Value::Array(kinds) => kinds,
            kind => vec![kind],
        };
        if !kinds.contains(&json!("null")) {
            kinds.push(json!("null"));
        }
        schema["type"] = Value::Array(kinds);
    }
    schema
}

/// Text that may be absent.
pub(super) fn text(description: &str) -> Value {
    json!({"description": description, "type": ["string", "number", "boolean", "null"]})
}

/// Text that must be there and say something.
pub(super) fn needed(description: &str) -> Value {
    json!({"description": description, "type": ["string", "number", "boolean"], "pattern": "\\S"})
}

/// One of a few words.
pub(super) fn word(description: &str, words: &[&str]) -> Value {
    let words: Vec<_> = words.iter().map(|word| json!(word)).collect();
    json!({"description": description, "enum": words})
}

/// One of a few words, or nothing.
pub(super) fn optional_word(description: &str, words: &[&str]) -> Value {
    let words: Vec<_> = words.iter().map(|word| json!(word)).collect();
    let words: Vec<_> = words.into_iter().chain([Value::Null]).collect();
    json!({"description": description, "enum": words})
}

/// A list of texts; a single text counts as a list of one.
pub(super) fn texts(description: &str) -> Value {
    json!({
        "description": description,
        "type": ["array", "string", "number", "boolean", "null"],
        "items": {"type": ["string", "number", "boolean"]},
    })
}

/// A list of things.
pub(super) fn list(description: &str, item: &Value) -> Value {
    json!({"description": description, "type": ["array", "null"], "items": item})
}

/// Things under names of the author's choice.
pub(super) fn named(description: &str, names: Names, item: &Value) -> Value {
    json!({
        "description": description,
        "type": ["object", "null"],
        "propertyNames": names.schema(),
        "additionalProperties": item,
    })
}

/// A whole number in a range, bare or in quotes.
pub(super) fn whole(description: &str, (least, greatest): (u64, u64)) -> Value {
    json!({
        "description": description,
        "type": ["integer", "string"],
        "minimum": least,
        "maximum": greatest,
        "pattern": "^[0-9]+$",
    })
}

/// A list of whole numbers in a range; one counts as a list of one.
pub(super) fn wholes(description: &str, range: (u64, u64)) -> Value {
    let one = whole(description, range);
    let mut item = one.clone();
    if let Value::Object(item) = &mut item {
        item.remove("description");
    }
    let mut schema = one;
    schema["type"] = json!(["array", "integer", "string"]);
    schema["items"] = item;
    schema["minItems"] = json!(1);
    schema
}

/// A day.
pub(super) fn day(description: &str) -> Value {
    json!({
        "description": description,
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
    })
}

/// A day, or a word such as `pending` until there is one.
pub(super) fn day_to_come(description: &str) -> Value {
    json!({
        "description": description,
        "type": ["string", "null"],
        "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2}|[^0-9]*)$",
    })
}
