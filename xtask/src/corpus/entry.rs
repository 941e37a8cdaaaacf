//! One made-up entry, as any generator could show it.

use super::prose;
use super::random::Random;

/// Bytes that the measured kernel moves; invented, like every figure here.
const BYTES: u64 = 201_326_592;

/// Warp slots of the device.
pub(super) const MAX_WARPS: u64 = 32;

/// How many presets the entries share.
pub(super) const PRESETS: usize = 24;

/// The first lines of what the documents' names are made of.
const FIRST: [&str; 20] = [
    "coalesced",
    "resident",
    "deferred",
    "strided",
    "banked",
    "cached",
    "blocked",
    "pipelined",
    "predicated",
    "uniform",
    "divergent",
    "shuffled",
    "staged",
    "tiled",
    "fused",
    "packed",
    "aligned",
    "buffered",
    "sparse",
    "dense",
];
const SECOND: [&str; 25] = [
    "load",
    "store",
    "warp",
    "block",
    "lane",
    "register",
    "operand",
    "barrier",
    "tile",
    "fragment",
    "queue",
    "slot",
    "reduction",
    "scan",
    "gather",
    "scatter",
    "copy",
    "prefetch",
    "replay",
    "issue",
    "stall",
    "request",
    "sector",
    "cache",
    "stream",
];
const THIRD: [&str; 40] = [
    "order",
    "depth",
    "width",
    "window",
    "budget",
    "limit",
    "ratio",
    "policy",
    "pattern",
    "count",
    "latency",
    "throughput",
    "pressure",
    "balance",
    "distance",
    "group",
    "phase",
    "hazard",
    "footprint",
    "lifetime",
    "boundary",
    "overlap",
    "schedule",
    "cost",
    "share",
    "span",
    "stage",
    "bound",
    "rate",
    "map",
    "table",
    "chain",
    "layout",
    "set",
    "level",
    "port",
    "path",
    "plan",
    "lock",
    "mask",
];

/// People long dead, so that nobody is made to sign what they did not read.
pub(super) const PEOPLE: [(&str, &str); 8] = [
    ("ada-lovelace", "Ada Lovelace"),
    ("grace-hopper", "Grace Hopper"),
    ("alan-turing", "Alan Turing"),
    ("emmy-noether", "Emmy Noether"),
    ("leonhard-euler", "Leonhard Euler"),
    ("sofya-kovalevskaya", "Sofya Kovalevskaya"),
    ("charles-babbage", "Charles Babbage"),
    ("mary-somerville", "Mary Somerville"),
];

/// A row of the measured table.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) occupancy: String,
    pub(super) loads_per_thread: u64,
    pub(super) loads_in_flight: u64,
    /// Thousandths of a millisecond.
    pub(super) micros: u64,
    pub(super) gbps: String,
}

/// A number of the prose, with the formula that gives it.
#[derive(Debug)]
pub(super) struct Claim {
    pub(super) text: String,
    pub(super) formula: String,
}

/// An entry.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) id: String,
    pub(super) short: String,
    pub(super) paragraphs: Vec<String>,
    pub(super) listing: String,
    pub(super) rows: Vec<Row>,
    pub(super) claims: Vec<Claim>,
    pub(super) preset: usize,
    /// Names of related entries.
    pub(super) related: Vec<String>,
    /// Places in [`PEOPLE`]: author, reviewer.
    pub(super) people: (usize, usize),
    pub(super) day: u64,
}

/// A preset: warps, items a thread and loads an item of its two configurations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Preset {
    pub(super) many: (u64, u64),
    pub(super) few: (u64, u64),
    pub(super) loads_per_item: u64,
}

/// The preset of a number.
pub(super) fn preset(number: usize) -> Preset {
    const SHAPES: [(u64, u64); 12] = [
        (32, 2),
        (32, 4),
        (32, 8),
        (16, 2),
        (16, 4),
        (16, 8),
        (24, 2),
        (24, 3),
        (24, 4),
        (24, 6),
        (24, 8),
        (8, 2),
    ];
    let (warps, factor) = SHAPES[number % SHAPES.len()];
    Preset {
        many: (warps, 1),
        few: (warps / factor, factor),
        loads_per_item: 1 + (number / SHAPES.len()) as u64 % 2,
    }
}

impl Preset {
    pub(super) fn loads_in_flight(&self) -> u64 {
        self.many.0 * self.many.1 * self.loads_per_item
    }
}

/// The name of the entry at a place.
fn name(place: usize) -> String {
    let first = FIRST[place % FIRST.len()];
    let second = SECOND[place / FIRST.len() % SECOND.len()];
    let third = THIRD[place / (FIRST.len() * SECOND.len()) % THIRD.len()];
    format!("{first} {second} {third}")
}

impl Entry {
    /// The entry at a place of a corpus of `count`.
    pub(super) fn new(place: usize, count: usize) -> Self {
        let mut random = Random::new(place);
        let name = name(place);
        let number = place % PRESETS;
        let (rows, claims) = measure(preset(number), &mut random);
        let author = place % PEOPLE.len();
        Self {
            id: name.replace(' ', "-"),
            short: prose::short(&name, &mut random),
            paragraphs: prose::paragraphs(&name, &mut random),
            listing: prose::listing(&mut random),
            rows,
            claims,
            preset: number,
            related: [1, 3, 4, 6]
                .map(|step| self::name((place + step) % count))
                .to_vec(),
            people: (author, (author + 1 + place / 8 % 7) % PEOPLE.len()),
            day: 1 + random.below(28),
            name,
        }
    }

    /// The day of the byline and of the checks.
    pub(super) fn date(&self) -> String {
        format!("2026-08-{:02}", self.day)
    }
}

impl Row {
    /// The cells as they are printed, in the order of the columns.
    pub(super) fn cells(&self) -> [String; 6] {
        [
            self.name.to_owned(),
            self.occupancy.clone(),
            self.loads_per_thread.to_string(),
            self.loads_in_flight.to_string(),
            milliseconds(self.micros),
            self.gbps.clone(),
        ]
    }
}

/// A share of the device's warp slots, with all its digits.
fn percent(warps: u64) -> String {
    let thousandths = warps * 100_000 / MAX_WARPS;
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn milliseconds(micros: u64) -> String {
    format!("{}.{:03}", micros / 1000, micros % 1000)
}

/// Bytes over time, with one decimal.
fn gbps(micros: u64) -> String {
    let tenths = (BYTES * 10 / 1000 + micros / 2) / micros;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// A table whose rows stand for the preset's configurations, and numbers that follow from it.
fn measure(preset: Preset, random: &mut Random) -> (Vec<Row>, Vec<Claim>) {
    let loads = preset.loads_per_item;
    let row = |name, (warps, items): (u64, u64), micros| Row {
        name,
        occupancy: percent(warps),
        loads_per_thread: items * loads,
        loads_in_flight: warps * items * loads,
        micros,
        gbps: gbps(micros),
    };
    let many = 700 + random.below(300);
    let few = many + 10 + random.below(200);
    let alone = few * (2 + random.below(3)) + random.below(50);
    let rows = vec![
        row("many", preset.many, many),
        row("few", preset.few, few),
        row("few-alone", (preset.few.0, 1), alone),
        row("half", (preset.many.0 / 2, 1), few + random.below(400)),
    ];
    let claims = vec![
        Claim {
            text: rows[0].loads_in_flight.to_string(),
            formula: "t4.many.loads_in_flight".to_owned(),
        },
        Claim {
            text: rows[2].loads_in_flight.to_string(),
            formula: "t4.few-alone.loads_in_flight".to_owned(),
        },
        quotient(&rows[1], &rows[0]),
        quotient(&rows[2], &rows[1]),
    ];
    (rows, claims)
}

/// How many times as long a row takes as another, to as many digits as the data can bear.
fn quotient(slow: &Row, fast: &Row) -> Claim {
    // Both ends of what the printed numbers stand for must round alike, and lie away from the
    // edge between two.
    let ends = |digits: u32| {
        let scale = 10_u64.pow(digits);
        let low = (slow.micros * 2 - 1) * scale * 2 + fast.micros * 2 + 1;
        let high = (slow.micros * 2 + 1) * scale * 2 + fast.micros * 2 - 1;
        let (low_by, high_by) = (2 * (fast.micros * 2 + 1), 2 * (fast.micros * 2 - 1));
        (low.saturating_sub(1) / low_by == (high + 1) / high_by).then_some(high / high_by)
    };
    let texts = [2, 1, 0].into_iter().filter_map(|digits| {
        let value = ends(digits)?;
        let scale = 10_u64.pow(digits);
        Some(match digits {
            0 => value.to_string(),
            _ => format!(
                "{}.{:0width$}",
                value / scale,
                value % scale,
                width = digits as usize
            ),
        })
    });
    Claim {
        text: texts.into_iter().next().unwrap_or_else(|| "1".to_owned()),
        formula: format!("t4.{}.ms / t4.{}.ms", slow.name, fast.name),
    }
}
