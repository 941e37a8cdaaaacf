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

/// `names` are those of a list's items, where the list is a row of a table. Where two leaves
/// would stand in one place, the last stays; the order of the whole tells the others.
fn collect(node: &Node, place: &str, names: &[&str], out: &mut BTreeMap<String, String>) {
    match &node.kind {
        Kind::Null => {}
        Kind::Scalar(text, _) => {
            out.insert(place.to_owned(), text.clone());
        }
        Kind::List(items) => {
            let mut labels = Labels::default();
            for (at, item) in items.iter().enumerate() {
                let name = names.get(at).map(|name| (*name).to_owned());
                let label = name.or_else(|| label_of(item));
                let label = labels.distinct(label.unwrap_or_else(|| (at + 1).to_string()));
                collect(item, &join(place, &label), &[], out);
            }
        }
        Kind::Map(pairs) => {
            let columns = node.get("columns").and_then(Node::map).unwrap_or(&[]);
            let columns: Vec<&str> = columns
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
    let mut labels = Labels::default();
    for (at, row) in node.list().unwrap_or(&[]).iter().enumerate() {
        let first = row
            .list()
            .and_then(|cells| cells.first())
            .and_then(Node::text);
        let label = first.map_or_else(|| (at + 1).to_string(), str::to_owned);
        let label = labels.distinct(label);
        collect(row, &join(place, &label), columns, out);
    }
}

/// Labels given so far, so that two things of one name are told apart.
#[derive(Default)]
struct Labels(BTreeMap<String, usize>);

impl Labels {
    fn distinct(&mut self, label: String) -> String {
        let count = self.0.entry(label.clone()).or_insert(0);
        *count += 1;
        match *count {
            1 => label,
            count => format!("{label} ({count})"),
        }
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
