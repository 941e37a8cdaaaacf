//! The corpus as a site of countersign.

use super::entry::{Entry, MAX_WARPS, PEOPLE, PRESETS, preset};
use super::put;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

const SITE: &str = "\
title = \"A made-up glossary\"
base_url = \"https://glossary.example/terms-of-art/\"
description = \"Entries without meaning, to measure builds with.\"
";

/// Writes it.
pub(super) fn write(folder: &Path, entries: &[Entry]) -> io::Result<()> {
    put(folder, "site.toml", SITE)?;
    let mut people = String::new();
    for (id, name) in PEOPLE {
        let _ = writeln!(people, "{id}:\n  name: {name}");
    }
    put(folder, "content/people.yaml", &people)?;
    for number in 0..PRESETS {
        let path = format!("content/presets/{}.toml", preset_name(number));
        put(folder, &path, &preset_file(number))?;
    }
    for entry in entries {
        let path = format!("content/terms/{}.md", entry.id);
        put(folder, &path, &entry_file(entry))?;
    }
    Ok(())
}

fn preset_name(number: usize) -> String {
    format!("pair-{number:02}")
}

fn preset_file(number: usize) -> String {
    let preset = preset(number);
    let total = preset.loads_in_flight();
    let mut text = format!(
        "kind = \"occupancy-stepper\"\ntitle = \"Two ways to keep {total} loads in flight\"\n\n\
         [device]\nname = \"Tesla T4\"\ncompute_capability = \"7.5\"\nmax_warps = {MAX_WARPS}\n"
    );
    let both = [
        ("many", "more warps", preset.many),
        ("few", "fewer warps", preset.few),
    ];
    for (id, label, (warps, items)) in both {
        let _ = write!(
            text,
            "\n[[configuration]]\nid = \"{id}\"\nlabel = \"{label}, items a thread: {items}\"\n\
             resident_warps = {warps}\nitems_per_thread = {items}\nloads_per_item = {}\n\
             loads_in_flight = {total}\n",
            preset.loads_per_item
        );
    }
    text
}

fn entry_file(entry: &Entry) -> String {
    let mut text = String::from("---\n");
    let _ = write!(
        text,
        "title: What is a {name}?\nterm: {name}\nshort: {short}\n",
        name = entry.name,
        short = entry.short
    );
    measured(entry, &mut text);
    let _ = write!(
        text,
        "diagrams:\n  pair:\n    preset: {preset}\n    rows: {{many: t4.many, few: t4.few}}\n    \
         alt: \"Two processors side by side with [{loads}](<= {preset}.many.loads_in_flight>) loads in flight on either side.\"\n    \
         caption: \"More warps with little to do each, or fewer with more.\"\n",
        preset = preset_name(entry.preset),
        loads = preset(entry.preset).loads_in_flight(),
    );
    let _ = writeln!(text, "related: [{}]", entry.related.join(", "));
    sources(entry, &mut text);
    let (author, reviewer) = (PEOPLE[entry.people.0].0, PEOPLE[entry.people.1].0);
    let _ = write!(
        text,
        "byline:\n  written_by: {author}\n  reviewed_by: {reviewer}\n  written_on: {date}\n  last_checked_on: {date}\n---\n\n",
        date = entry.date()
    );
    body(entry, &mut text);
    text
}

fn measured(entry: &Entry, text: &mut String) {
    text.push_str(
        "measured:\n  t4:\n    device: Tesla T4\n    compute_capability: \"7.5\"\n    driver: \"595.84\"\n    \
         toolkit: CUDA 12.6 (V12.6.85)\n    build: nvcc -std=c++17 -O3 -arch=sm_75\n    captured: 2026-07-01\n    \
         constants: {max_warps: 32, bytes: 201326592}\n    columns:\n      label: {}\n      \
         occupancy: {unit: \"%\", exact: true}\n      \
         loads_per_thread: {title: loads per thread, exact: true}\n      \
         loads_in_flight: {title: loads in flight, exact: true, derived: occupancy / 100 * max_warps * loads_per_thread}\n      \
         ms: {unit: ms}\n      gbps: {unit: GB/s, derived: bytes / ms / 1000000}\n    rows:\n",
    );
    for row in &entry.rows {
        let _ = writeln!(text, "      - [{}]", row.cells().join(", "));
    }
}

fn sources(entry: &Entry, text: &mut String) {
    let date = entry.date();
    let _ = write!(
        text,
        "sources:\n  - id: guide\n    title: CUDA Programming Guide\n    sections: [Hardware Multithreading]\n    \
         supports: how a {name} comes about\n    url: https://docs.nvidia.com/cuda/cuda-c-programming-guide/\n    checked: {date}\n  \
         - id: tuning\n    title: CUDA Best Practices Guide\n    sections: [Memory Optimizations]\n    \
         supports: what a {name} costs\n    url: https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/\n    checked: {date}\n",
        name = entry.name
    );
}

fn body(entry: &Entry, text: &mut String) {
    let claims: Vec<_> = entry
        .claims
        .iter()
        .map(|claim| format!("[{}](<= {}>)", claim.text, claim.formula))
        .collect();
    let links: Vec<_> = entry
        .related
        .iter()
        .map(|name| format!("[[{name}]]"))
        .collect();
    let listing = format!("```cuda\n{}```", entry.listing);
    let table = "![The same work, done four ways.](measured:t4)";
    super::prose::body(entry, (&claims, &links), &listing, table, text);
}
