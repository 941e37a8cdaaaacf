//! How findings are worded, and texts in which no unseen character may stand.

use crate::site::{self, Files};
use crate::{compiled, findings_of};
use countersign::gate::EntryState;
use countersign::rules::Rule;
use libtest_mimic::Failed;

/// A headline gives no advice and ends without a full stop; notes and advice are sentences.
pub(crate) fn well_worded(rule: &Rule, files: &Files) -> Result<(), Failed> {
    let (sources, compiled) = compiled(files);
    for finding in &findings_of(&sources, &compiled) {
        let headline = &finding.message;
        if headline.ends_with('.') || headline.starts_with(char::is_uppercase) {
            return Err(format!("{}: a headline is no sentence: {headline}", rule.id.name).into());
        }
        for sentence in finding.notes.iter().chain(&finding.help) {
            let begins = !sentence.starts_with(char::is_lowercase);
            if !begins || !sentence.ends_with(['.', '?', '`']) {
                return Err(format!("{}: this is no sentence: {sentence}", rule.id.name).into());
            }
        }
    }
    Ok(())
}

const ENTRY: &str = "\
---
title: What is a warp?
short: Thirty-two threads that issue together.
measured:
  h200: {file: captures/h200.json}
  t4: {file: captures/t4.csv}
diagrams:
  house: {preset: full-house, alt: All thirty-two warp slots of one SM are filled.}
sources:
  - {id: guide, title: CUDA Programming Guide, checked: 2026-09-01}
byline:
  written_by: ada
  reviewed_by: grace
  written_on: 2026-09-02
  last_checked_on: 2026-09-03
---

A body.
";

const JSON: &str = r#"{"device": "H200", "driver": "580.1", "toolkit": "CUDA 12.8", "build": "nvcc",
"captured": "2026-09-01", "columns": {"label": {}, "ms": {}}, "rows": [["one", "0.1"]]}"#;

const CSV: &str = "\
# device: Tesla T4
# driver: '595.84'
# toolkit: CUDA 12.6
# build: nvcc -O3
# captured: 2026-09-01
label,ms
one,0.785
";

const PRESET: &str = "\
kind = \"occupancy-stepper\"
title = \"A full house\"
[device]
name = \"Tesla T4\"
max_warps = 32
[[configuration]]
id = \"many\"
label = \"many warps\"
resident_warps = 32
items_per_thread = 1
loads_per_item = 2
";

const PEOPLE: &str = "ada: {name: Ada Lovelace}\ngrace: {name: Grace Hopper}\n";

/// In whatever text of an entry an unseen character stands, as itself or as an escape, the entry
/// is not published.
pub(crate) fn unseen_characters() -> Result<(), Failed> {
    let whole = [
        ("site.toml", site::SITE),
        ("content/terms/warp.md", ENTRY),
        ("content/captures/h200.json", JSON),
        ("content/captures/t4.csv", CSV),
        ("content/presets/full-house.toml", PRESET),
        ("content/people.yaml", PEOPLE),
    ];
    let own = |(path, text): &(&str, &str)| ((*path).to_owned(), text.as_bytes().to_vec());
    let files: Files = whole.iter().map(own).collect();
    if state(&files) != EntryState::Published {
        return Err(format!("the site is sound, and yet: {:?}", rules(&files)).into());
    }
    let edits = [
        ("content/terms/warp.md", "A body.", "A \u{202e}body."),
        ("content/terms/warp.md", "A body.", "A &#x202e;body."),
        (
            "content/terms/warp.md",
            "short: Thirty",
            "short: \u{2066}Thirty",
        ),
        (
            "content/terms/warp.md",
            "title: What is a warp?",
            "title: \"What\\u202Eis a warp?\"",
        ),
        ("content/terms/warp.md", "id: guide", "id: \"gu\\x07ide\""),
        ("content/captures/h200.json", "\"H200\"", "\"H\\u202e200\""),
        ("content/captures/h200.json", "\"H200\"", "\"H\u{202e}200\""),
        ("content/captures/t4.csv", "one,", "o\u{202d}ne,"),
        ("content/captures/t4.csv", "Tesla", "Te\u{7f}sla"),
        (
            "content/presets/full-house.toml",
            "many warps",
            "many\\u202Ewarps",
        ),
        (
            "content/people.yaml",
            "Grace Hopper",
            "\"Grace\\u202EHopper\"",
        ),
        ("site.toml", "A course", "A \\u202Ecourse"),
    ];
    for (path, from, to) in edits {
        let mut files = files.clone();
        let text = String::from_utf8(files[path].clone())?;
        assert!(text.contains(from), "{path} has no {from}");
        files.insert(path.to_owned(), text.replace(from, to).into_bytes());
        let found = rules(&files);
        if !found.contains(&"control-character") {
            return Err(format!("{to:?} in {path} gives {found:?}").into());
        }
        if path != "site.toml" && state(&files) == EntryState::Published {
            return Err(format!("{to:?} in {path} is published").into());
        }
    }
    Ok(())
}

fn state(files: &Files) -> EntryState {
    compiled(files).1.judgement.verdicts[0].state
}

fn rules(files: &Files) -> Vec<&'static str> {
    let (_, compiled) = compiled(files);
    compiled
        .findings
        .iter()
        .map(|finding| finding.rule.name)
        .collect()
}
