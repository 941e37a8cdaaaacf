//! Trees of values as places with texts: `measured.t4.rows.tlp1.ms` is `0.785`.

use crate::diagnostic::{Diagnostics, rule};
use crate::model::dataset::Capture;
use crate::model::tree::{Kind, Node};
use crate::parse::toml;
use crate::source::Sources;
use std::collections::BTreeMap;

/// The leaves of a tree under a place.
pub(super) fn of(node: &Node, place: &str) -> BTreeMap<String, String> {
    let mut leaves = BTreeMap::new();
    collect(node, place, &[], &mut leaves);
    leaves
}

fn collect(node: &Node, place: &str, names: &[&str], out: &mut BTreeMap<String, String>) {
    match &node.kind {
        Kind::Null => {}
        Kind::Scalar(text, _) => {
            out.insert(unused(place.to_owned(), out), text.clone());
        }
        Kind::List(items) => {
            for (at, item) in items.iter().enumerate() {
                let label = names.get(at).map(|name| (*name).to_owned());
                let label = label.or_else(|| label_of(item));
                let label = label.unwrap_or_else(|| (at + 1).to_string());
                let place = unused(join(place, &label), out);
                collect(item, &place, &[], out);
            }
        }
        Kind::Map(pairs) => {
            let columns: Vec<&str> = node
                .get("columns")
                .and_then(Node::map)
                .unwrap_or(&[])
                .iter()
                .map(|(name, _)| name.value.as_str())
                .collect();
            for (key, value) in pairs {
                let inner = join(place, &key.value);
                if key.value == "rows" && !columns.is_empty() {
                    rows(value, &inner, &columns, out);
                } else {
                    collect(value, &inner, &[], out);
                }
            }
        }
    }
}

/// The rows of a table: each is named by its first cell, each cell by its column.
fn rows(node: &Node, place: &str, columns: &[&str], out: &mut BTreeMap<String, String>) {
    let Some(items) = node.list() else {
        return collect(node, place, &[], out);
    };
    for (at, row) in items.iter().enumerate() {
        let first = row
            .list()
            .and_then(|cells| cells.first())
            .and_then(Node::text);
        let label = first.map_or_else(|| (at + 1).to_string(), str::to_owned);
        collect(row, &unused(join(place, &label), out), columns, out);
    }
}

/// What a list's item is called: its id or name, or itself if it is text.
fn label_of(item: &Node) -> Option<String> {
    let named = ["id", "lesson", "name"]
        .into_iter()
        .find_map(|key| item.get(key)?.text());
    named.map(str::to_owned)
}

fn join(place: &str, label: &str) -> String {
    if place.is_empty() {
        label.to_owned()
    } else {
        format!("{place}.{label}")
    }
}

/// A place that no leaf stands at or below yet.
fn unused(place: String, out: &BTreeMap<String, String>) -> String {
    let taken = |place: &str| {
        let below = format!("{place}.");
        let mut after = out.range(place.to_owned()..);
        after.next().is_some_and(|(at, _)| at == place)
            || out
                .range(below.clone()..)
                .next()
                .is_some_and(|(at, _)| at.starts_with(&below))
    };
    if !taken(&place) {
        return place;
    }
    let mut count = 2_usize;
    while taken(&format!("{place} ({count})")) {
        count += 1;
    }
    format!("{place} ({count})")
}

/// The leaves of a preset file; none if it is not there or cannot be read.
pub(super) fn of_preset(sources: &Sources, name: &str, place: &str) -> BTreeMap<String, String> {
    let Some(file) = sources.find(&format!("content/presets/{name}.toml")) else {
        return BTreeMap::new();
    };
    let text = &sources.file(file).text;
    let root = toml::parse(text, file, rule::UNKNOWN_PRESET, &mut Diagnostics::new());
    root.map_or_else(BTreeMap::new, |root| of(&root, place))
}

/// The table of a capture that was read from a file.
pub(super) fn of_capture(capture: &Capture) -> BTreeMap<String, String> {
    let place = format!("measured.{}", capture.name.value);
    let mut leaves = BTreeMap::new();
    let mut put = |place: String, text: &str| {
        let place = unused(place, &leaves);
        leaves.insert(place, text.to_owned());
    };
    for (name, value) in &capture.constants {
        put(format!("{place}.constants.{}", name.value), &value.value);
    }
    for row in &capture.rows {
        for (column, cell) in capture.columns.iter().zip(&row.cells) {
            let column = &column.name.value;
            put(
                format!("{place}.rows.{}.{column}", row.label()),
                &cell.value,
            );
        }
    }
    let provenance = &capture.provenance;
    let texts = [
        ("device", &provenance.device),
        ("compute_capability", &provenance.compute_capability),
        ("driver", &provenance.driver),
        ("toolkit", &provenance.toolkit),
        ("build", &provenance.build),
    ];
    for (key, value) in texts {
        if let Some(value) = value {
            put(format!("{place}.{key}"), &value.value);
        }
    }
    if let Some(day) = &provenance.captured {
        put(format!("{place}.captured"), &day.value.to_string());
    }
    leaves
}
