//! Diagrams, models, matrices and presets.

use super::shape::{
    Names, PARAMETER_MAX, list, named, needed, object, optional, text, whole, wholes, word,
};
use crate::parse::figures::MATRIX_CELLS_MAX;
use crate::sim::Kind;
use serde_json::{Value, json};

const COUNT: (u64, u64) = (1, PARAMETER_MAX);

/// `diagrams` of an entry.
pub(super) fn diagrams() -> Value {
    let rows = json!({
        "description": "Measured rows of the preset's configurations: `{many: t4.tlp1}`.",
        "type": ["object", "null"],
        "additionalProperties": {"type": "string"},
    });
    let diagram = object(
        "A drawing of a preset.",
        &["preset", "alt"],
        &[
            (
                "preset",
                needed("Name of a file in content/presets, without `.toml`."),
            ),
            ("alt", alt()),
            ("caption", caption()),
            ("rows", rows),
        ],
    );
    named("Drawings, by name.", Names::Ids, &diagram)
}

fn alt() -> Value {
    needed("What the figure shows, in words; claims are allowed.")
}

fn caption() -> Value {
    text("Caption of the figure; claims are allowed.")
}

/// `matrices` of an entry.
pub(super) fn matrices() -> Value {
    let limit = u64::try_from(MATRIX_CELLS_MAX).unwrap_or(u64::MAX);
    let rows = json!({
        "description": "The rows, all of one length.",
        "type": "array",
        "minItems": 1,
        "items": {"type": "array", "minItems": 1, "items": {"type": ["number", "string"]}},
    });
    let index = |what: &str| optional(whole(what, (0, limit)));
    let mut highlight = optional(object(
        "The row or the column that is marked.",
        &[],
        &[
            ("row", index("A row, counted from 0.")),
            ("column", index("A column, counted from 0.")),
        ],
    ));
    highlight["maxProperties"] = json!(1);
    let repeat = whole("How many times the written columns repeat.", (0, limit));
    let matrix = object(
        "A matrix.",
        &["rows"],
        &[
            ("rows", rows),
            ("repeat_columns", optional(repeat)),
            ("highlight", highlight),
            ("caption", caption()),
        ],
    );
    named("Matrices, by name.", Names::Ids, &matrix)
}

/// `models` of an entry: for each kind of machine the keys that it has.
pub(super) fn models() -> Value {
    let kinds = Kind::ALL
        .into_iter()
        .filter_map(|kind| Some((kind, parameters(kind)?)));
    let cases: Vec<_> = kinds
        .map(|(kind, (required, own))| {
            let mut keys = vec![
                ("kind", word("The machine.", &[kind.name()])),
                ("alt", alt()),
                ("caption", caption()),
            ];
            keys.extend(own);
            let required: Vec<_> = ["kind", "alt"].into_iter().chain(required).collect();
            let description = format!("A model of the kind `{}`.", kind.name());
            object(&description, &required, &keys)
        })
        .collect();
    named(
        "Simulated machines that the reader can step through, by name.",
        Names::Ids,
        &json!({"type": "object", "oneOf": cases}),
    )
}

type Keys = Vec<(&'static str, Value)>;

/// The keys of a model of a kind, the required ones first; `None` for a kind that is a preset's.
fn parameters(kind: Kind) -> Option<(Vec<&'static str>, Keys)> {
    let start = |keys: &[&'static str]| {
        let values = keys.iter();
        let values: Vec<_> = values
            .map(|key| {
                (
                    *key,
                    optional(whole("The value shown first.", (0, PARAMETER_MAX))),
                )
            })
            .collect();
        optional(object("The run that is shown first.", &[], &values))
    };
    let operands = object(
        "The matrices of the product, by their names in this entry.",
        &["a", "b"],
        &[
            ("a", needed("The left matrix.")),
            ("b", needed("The right matrix.")),
        ],
    );
    Some(match kind {
        Kind::WarpScheduler => (
            vec!["warps", "steps", "residents", "latency"],
            vec![
                ("warps", whole("Warps in all.", COUNT)),
                ("steps", whole("Steps of each warp.", COUNT)),
                (
                    "residents",
                    wholes("Warps that hold a context at once.", COUNT),
                ),
                ("latency", wholes("Cycles until a load is usable.", COUNT)),
                ("start", start(&["residents", "latency"])),
                ("operands", optional(operands)),
            ],
        ),
        Kind::TileReuse => (
            vec!["tile", "operands"],
            vec![
                ("tile", wholes("Edges of a tile.", COUNT)),
                ("start", start(&["tile"])),
                (
                    "value_bytes",
                    optional(whole("Bytes of a value; 4 by default.", (1, 64))),
                ),
                ("operands", operands),
            ],
        ),
        Kind::SystolicArray => (
            vec!["operands"],
            vec![
                (
                    "column_tile",
                    optional(wholes(
                        "Tiles of columns that are shown.",
                        (0, PARAMETER_MAX),
                    )),
                ),
                ("start", start(&["column_tile"])),
                ("operands", operands),
            ],
        ),
        Kind::OccupancyStepper => return None,
    })
}

/// A preset file.
pub(super) fn preset() -> Value {
    let device = object(
        "The device whose warp slots are drawn.",
        &["name", "max_warps"],
        &[
            ("name", needed("Its name.")),
            (
                "compute_capability",
                text("Compute capability, in quotes: \"7.5\"."),
            ),
            ("max_warps", whole("Warp slots of an SM.", COUNT)),
        ],
    );
    let count = |what| whole(what, COUNT);
    let configuration = object(
        "One way to fill the device.",
        &[
            "id",
            "label",
            "resident_warps",
            "items_per_thread",
            "loads_per_item",
        ],
        &[
            ("id", needed("Its name in formulas.")),
            ("label", needed("Its name in the drawing.")),
            ("resident_warps", count("Resident warps of the SM.")),
            (
                "items_per_thread",
                count("Items that each thread works on at once."),
            ),
            ("loads_per_item", count("Loads of each item.")),
            (
                "loads_in_flight",
                optional(whole("What the product must come to.", (0, PARAMETER_MAX))),
            ),
        ],
    );
    object(
        "Data for one drawing.",
        &["kind", "title", "device", "configuration"],
        &[
            (
                "kind",
                word("What is drawn.", &[Kind::OccupancyStepper.name()]),
            ),
            ("title", needed("Title of the drawing.")),
            ("device", device),
            (
                "configuration",
                list("The configurations, side by side.", &configuration),
            ),
        ],
    )
}
