//! Captures: measured tables with their provenance.

use super::shape::{Names, day, named, needed, object, optional, text, texts};
use serde_json::{Value, json};

/// A capture that stands in an entry or in a file.
pub(super) fn inline() -> Value {
    let rows = json!({
        "description": "A list of cells for each row; the first cell names the row.",
        "type": "array",
        "minItems": 1,
        "items": {
            "type": "array",
            "minItems": 1,
            "items": {"type": ["string", "number", "boolean", "null"]},
        },
    });
    let mut digest = text("SHA-256 of the program that measured, in hexadecimal.");
    digest["pattern"] = json!("^[0-9A-Fa-f]{64}$");
    let constant = json!({"type": ["number", "string"]});
    let own = [
        ("device", needed("The device that was measured.")),
        (
            "compute_capability",
            text("Compute capability, in quotes: \"7.5\"."),
        ),
        ("driver", needed("Driver version, in quotes.")),
        ("toolkit", needed("Toolkit version.")),
        ("build", needed("The command that built the program.")),
        ("captured", day("The day of the capture.")),
        ("program", text("Path of the program that measured.")),
        ("program_sha256", digest),
        (
            "constants",
            named(
                "Exact numbers for formulas, by name.",
                Names::Columns,
                &constant,
            ),
        ),
        ("columns", columns()),
        ("rows", rows),
    ];
    let properties: Vec<_> = own.into_iter().chain(shown()).collect();
    object(
        "A measured table with its provenance.",
        &[
            "device", "driver", "toolkit", "build", "captured", "columns", "rows",
        ],
        &properties,
    )
}

/// A capture of an entry: one that stands there, or one that is read from a file.
pub(super) fn of_entry() -> Value {
    let file = [
        (
            "file",
            needed("A .json or .csv file, looked for beside the entry, then in `content`."),
        ),
        ("rows", rows_of_file()),
    ];
    let properties: Vec<_> = file.into_iter().chain(shown()).collect();
    let from_file = object(
        "A measured table that a program wrote to a file.",
        &["file"],
        &properties,
    );
    json!({
        "if": {"type": "object", "required": ["file"], "properties": {"file": {"not": {"type": "null"}}}},
        "then": from_file,
        "else": inline_in_entry(),
    })
}

/// An inline capture may have a `file` without a value.
fn inline_in_entry() -> Value {
    let mut schema = inline();
    schema["properties"]["file"] = json!({"type": "null"});
    schema
}

fn rows_of_file() -> Value {
    json!({
        "description": "Labels of the rows to keep, in this order; all by default.",
        "type": ["array", "null"],
        "items": {"type": ["string", "number", "boolean"]},
    })
}

/// What says how the table is shown.
fn shown() -> [(&'static str, Value); 4] {
    [
        (
            "plot",
            text("The column that is drawn as bars beside the table."),
        ),
        (
            "show",
            texts("The columns that the page's table has; formulas and downloads have them all."),
        ),
        ("caption", text("Caption of the table; claims are allowed.")),
        ("note", text("A note below the table; claims are allowed.")),
    ]
}

fn columns() -> Value {
    let column = object(
        "A column.",
        &[],
        &[
            ("title", text("Its heading, if it is not its name.")),
            ("unit", text("The unit of its numbers.")),
            (
                "exact",
                json!({
                    "description": "`true` for counts and settings, which are exact; measurements are rounded.",
                    "type": ["boolean", "null"],
                }),
            ),
            (
                "derived",
                text("A formula that every row's cell must agree with: `bytes / ms / 1000000`."),
            ),
        ],
    );
    let mut columns = named(
        "The columns in order, by name; the first names the rows.",
        Names::Columns,
        &optional(column),
    );
    columns["type"] = json!("object");
    columns["minProperties"] = json!(1);
    columns
}
