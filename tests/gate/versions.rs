//! Reviews of whole entries: what changed between two versions.

use super::site::{Site, WARP};
use countersign::gate::review::{Fate, Review, Version, compare};

fn review(old: &Site, new: &Site) -> Review {
    let (old_sources, old_entry) = old.read();
    let (new_sources, new_entry) = new.read();
    let version = |site: &Site, entry, sources| Version {
        entry,
        sources,
        digests: site.digests(),
    };
    compare(
        &version(old, &old_entry, &old_sources),
        &version(new, &new_entry, &new_sources),
    )
}

#[test]
fn each_change_shows_in_its_place() {
    let old = Site::new();
    let new = old
        .clone()
        .edit(WARP, "0.785", "0.790")
        .edit(WARP, "96 cycles", "64 cycles")
        .edit(WARP, "checked: 2026-08-30", "checked: 2026-09-20")
        .edit(WARP, "what a warp is", "what a warp does")
        .edit(WARP, "steps: 4", "steps: 5")
        .edit(WARP, "Thirty-two threads", "A group of threads")
        .edit("content/captures/h200.json", "\"0.1\"", "\"0.2\"")
        .edit(
            "content/presets/two-ways-to-64.toml",
            "max_warps = 32",
            "max_warps = 16",
        );
    let review = review(&old, &new);
    let places = |changes: &[countersign::gate::review::ValueChange]| -> Vec<String> {
        changes.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        places(&review.numbers),
        [
            "line 42: 96 → 64",
            "measured.h200.rows.one.ms: 0.1 → 0.2",
            "measured.t4.rows.one.ms: 0.785 → 0.790",
            "models.loom.steps: 4 → 5",
            "presets.two-ways-to-64.device.max_warps: 32 → 16",
        ]
    );
    assert_eq!(
        places(&review.sources),
        ["sources.guide.supports: what a warp is → what a warp does"]
    );
    assert_eq!(
        places(&review.dates),
        ["sources.guide.checked: 2026-08-30 → 2026-09-20"]
    );
    let figures: Vec<_> = review
        .figures
        .iter()
        .map(|f| (f.kind, f.name.as_str(), f.fate))
        .collect();
    assert_eq!(
        figures,
        [
            ("diagrams", "two-ways", Fate::Changed),
            ("models", "loom", Fate::Changed)
        ]
    );
    let text = review.to_string();
    assert!(
        text.contains("  short\n    [-Thirty-two-]{+A group of+} threads"),
        "{text}"
    );
}

#[test]
fn nothing_signed_changes_in_silence() {
    for (what, path, from, to) in super::statements::EDITS {
        let old = Site::new();
        let new = old.clone().edit(path, from, to);
        let review = review(&old, &new);
        assert!(!review.is_empty(), "{what}");
    }
    assert!(review(&Site::new(), &Site::new()).is_empty());
}
