//! Parameters of each kind of machine, read from what an author wrote.

use super::operands;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::entry::Entry;
use crate::model::tree::{Kind as NodeKind, Node};
use crate::parse::fields::{Fields, whole_of, wrong};
use crate::sim::{
    Configuration, Device, Kind, Measured, OccupancyStepper, Operands, Simulation, SystolicArray,
    TileReuse, WarpScheduler,
};
use crate::source::{Span, Spanned};
use std::collections::BTreeMap;

const LIMIT: u64 = 1_000_000;

/// Reads a model of an entry.
pub(super) fn model(
    kind: &Spanned<String>,
    settings: &Node,
    entry: &Entry,
    out: &mut Diagnostics,
) -> Option<Simulation> {
    let known = kind_of(kind, out)?;
    let mut fields = Fields::open(settings, "the model", rule::BAD_MODEL, out)?;
    let simulation = match known {
        Kind::WarpScheduler => warp_scheduler(&mut fields, entry, out),
        Kind::TileReuse => tile_reuse(&mut fields, entry, out),
        Kind::SystolicArray => systolic_array(&mut fields, entry, out),
        Kind::OccupancyStepper => {
            out.push(
                Diagnostic::new(
                    rule::BAD_MODEL,
                    kind.span,
                    "an occupancy stepper is a preset, not a model",
                )
                .label("of another sort")
                .help("Put it into `content/presets` and show it under `diagrams`."),
            );
            return None;
        }
    };
    fields.finish(out);
    simulation
}

/// Reads a preset; `tied` holds what each configuration measured.
pub(super) fn preset(
    kind: &Spanned<String>,
    settings: &Node,
    tied: &BTreeMap<String, Vec<Measured>>,
    out: &mut Diagnostics,
) -> Option<Simulation> {
    let known = kind_of(kind, out)?;
    let mut fields = Fields::open(settings, "the preset", rule::UNKNOWN_PRESET, out)?;
    let simulation = match known {
        Kind::OccupancyStepper => occupancy(&mut fields, tied, out),
        other => {
            out.push(
                Diagnostic::new(
                    rule::UNKNOWN_PRESET,
                    kind.span,
                    format!("`{}` is a model, not a preset", other.name()),
                )
                .label("of another sort")
                .help("Put it under `models` of an entry, beside its operands."),
            );
            return None;
        }
    };
    fields.finish(out);
    simulation
}

fn kind_of(kind: &Spanned<String>, out: &mut Diagnostics) -> Option<Kind> {
    if let Some(known) = Kind::from_name(&kind.value) {
        return Some(known);
    }
    let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    let help = match nearest(&kind.value, names.iter().copied()) {
        Some(near) => format!("Did you mean `{near}`?"),
        None => format!("There are: {}.", names.join(", ")),
    };
    out.push(
        Diagnostic::new(
            rule::BAD_MODEL,
            kind.span,
            format!("there is no kind `{}`", kind.value),
        )
        .label("unknown kind")
        .help(help),
    );
    None
}

fn warp_scheduler(
    fields: &mut Fields<'_>,
    entry: &Entry,
    out: &mut Diagnostics,
) -> Option<Simulation> {
    let warps = required(fields, "warps", out);
    let steps = required(fields, "steps", out);
    let residents = numbers(fields, "residents", out);
    let latency_cycles = numbers(fields, "latency", out);
    let [start_residents, start_latency_cycles] = start(fields, ["residents", "latency"], out);
    let operands = fields
        .take("operands")
        .map(|node| operands(node, entry, out));
    // Faulty operands have been reported; running without them would show other numbers.
    if matches!(operands, Some(None)) {
        return None;
    }
    Some(Simulation::WarpScheduler(WarpScheduler {
        warps: warps?,
        steps: steps?,
        residents: residents?,
        latency_cycles: latency_cycles?,
        start_residents,
        start_latency_cycles,
        operands: operands.flatten(),
    }))
}

fn tile_reuse(fields: &mut Fields<'_>, entry: &Entry, out: &mut Diagnostics) -> Option<Simulation> {
    let tile = numbers(fields, "tile", out);
    let [start_tile] = start(fields, ["tile"], out);
    let bytes = fields.whole("value_bytes", 64, out);
    let operands = needed_operands(fields, entry, out);
    Some(Simulation::TileReuse(TileReuse {
        operands: operands?,
        tile: tile?,
        start_tile,
        value_bytes: bytes.map_or(4, |bytes| small(bytes.value)),
    }))
}

fn systolic_array(
    fields: &mut Fields<'_>,
    entry: &Entry,
    out: &mut Diagnostics,
) -> Option<Simulation> {
    let column_tile = match fields.take("column_tile") {
        Some(node) => list_of_numbers(node, "column_tile", out)?,
        None => Vec::new(),
    };
    let [start_column_tile] = start(fields, ["column_tile"], out);
    let operands = needed_operands(fields, entry, out);
    Some(Simulation::SystolicArray(SystolicArray {
        operands: operands?,
        column_tile,
        start_column_tile,
    }))
}

fn occupancy(
    fields: &mut Fields<'_>,
    tied: &BTreeMap<String, Vec<Measured>>,
    out: &mut Diagnostics,
) -> Option<Simulation> {
    let device = fields.take("device").map(|node| device(node, out));
    if device.is_none() {
        fields.missing("device", out);
    }
    let nodes = fields.list("configuration", out);
    let read: Vec<_> = nodes
        .iter()
        .map(|node| configuration(node, tied, out))
        .collect();
    Some(Simulation::OccupancyStepper(OccupancyStepper {
        device: device??,
        configurations: read.into_iter().collect::<Option<_>>()?,
    }))
}

fn device(node: &Node, out: &mut Diagnostics) -> Option<Device> {
    let mut fields = Fields::open(node, "`device`", rule::UNKNOWN_PRESET, out)?;
    let name = fields.required("name", out);
    let capability = fields.text("compute_capability", out);
    let max_warps = required(&mut fields, "max_warps", out);
    fields.finish(out);
    Some(Device {
        name: name?.value,
        compute_capability: capability.map(|c| c.value).unwrap_or_default(),
        max_warps: max_warps?,
    })
}

fn configuration(
    node: &Node,
    tied: &BTreeMap<String, Vec<Measured>>,
    out: &mut Diagnostics,
) -> Option<Configuration> {
    let mut fields = Fields::open(node, "a configuration", rule::UNKNOWN_PRESET, out)?;
    let id = fields.required("id", out);
    let label = fields.required("label", out);
    let resident_warps = required(&mut fields, "resident_warps", out);
    let items_per_thread = required(&mut fields, "items_per_thread", out);
    let loads_per_item = required(&mut fields, "loads_per_item", out);
    let total = fields.whole("loads_in_flight", LIMIT, out);
    fields.finish(out);
    let id = id?.value;
    Some(Configuration {
        measured: tied.get(&id).cloned().unwrap_or_default(),
        id,
        label: label?.value,
        resident_warps: resident_warps?,
        items_per_thread: items_per_thread?,
        loads_per_item: loads_per_item?,
        loads_in_flight: total.map(|total| small(total.value)),
    })
}

/// A whole number that must be there.
fn required(fields: &mut Fields<'_>, key: &'static str, out: &mut Diagnostics) -> Option<u32> {
    let Some(node) = fields.take(key) else {
        fields.missing(key, out);
        return None;
    };
    whole_of(node, rule::BAD_MODEL, key, LIMIT, out).map(|number| small(number.value))
}

/// A list of whole numbers that must be there.
fn numbers(fields: &mut Fields<'_>, key: &'static str, out: &mut Diagnostics) -> Option<Vec<u32>> {
    let Some(node) = fields.take(key) else {
        fields.missing(key, out);
        return None;
    };
    list_of_numbers(node, key, out)
}

/// A list of whole numbers; one number counts as a list of one.
fn list_of_numbers(node: &Node, key: &'static str, out: &mut Diagnostics) -> Option<Vec<u32>> {
    let items = match &node.kind {
        NodeKind::List(items) => items.as_slice(),
        NodeKind::Scalar(..) => std::slice::from_ref(node),
        _ => {
            out.push(wrong(
                node,
                rule::BAD_MODEL,
                &format!("`{key}`"),
                "a list of whole numbers",
            ));
            return None;
        }
    };
    let values: Vec<_> = items
        .iter()
        .map(|item| whole_of(item, rule::BAD_MODEL, key, LIMIT, out))
        .collect();
    values
        .into_iter()
        .map(|value| value.map(|value| small(value.value)))
        .collect()
}

/// The values that `start` gives, each optional.
fn start<const N: usize>(
    fields: &mut Fields<'_>,
    keys: [&'static str; N],
    out: &mut Diagnostics,
) -> [Option<u32>; N] {
    let node = fields.take("start");
    let Some(mut fields) =
        node.and_then(|node| Fields::open(node, "`start`", rule::BAD_MODEL, out))
    else {
        return [None; N];
    };
    let values = keys.map(|key| {
        fields
            .whole(key, LIMIT, out)
            .map(|value| small(value.value))
    });
    fields.finish(out);
    values
}

/// The operands, if they are sound.
fn operands(node: &Node, entry: &Entry, out: &mut Diagnostics) -> Option<Operands> {
    let mut fields = Fields::open(node, "`operands`", rule::BAD_MODEL, out)?;
    let mut one = |key, out: &mut Diagnostics| {
        let name = fields.required(key, out)?;
        operands::matrix(&name, entry, out)
    };
    let (a, b) = (one("a", out), one("b", out));
    fields.finish(out);
    a.zip(b).map(|(a, b)| Operands { a, b })
}

fn needed_operands(
    fields: &mut Fields<'_>,
    entry: &Entry,
    out: &mut Diagnostics,
) -> Option<Operands> {
    let Some(node) = fields.take("operands") else {
        fields.missing("operands", out);
        return None;
    };
    operands(node, entry, out)
}

/// A number that [`LIMIT`] keeps small.
fn small(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// The place of a parameter given as a path with dots: `operands.a`,
/// `configuration.many.loads_in_flight`.
pub(super) fn place(settings: &Node, field: &str) -> Option<Span> {
    let mut node = settings;
    for part in field.split('.') {
        let next = match &node.kind {
            NodeKind::Map(_) => node.get(part),
            NodeKind::List(items) => items
                .iter()
                .find(|item| item.get("id").and_then(Node::text) == Some(part)),
            _ => None,
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    (!std::ptr::eq(node, settings)).then_some(node.span)
}
