//! The formats of `check` that other programs read.

use crate::repository::{Repository, SITE, WARP, entry};
use serde_json::Value;

/// A site below the root of its repository, with an error of the sign-off, one of a file that
/// comes before it, and a warning.
fn faulty() -> Repository {
    let warp = format!(
        "{}\nTiles live in __shared__ memory.\n",
        entry("ADA LOVELACE")
    );
    let lane = "---\ntitle: What is a lane?\nshort: One thread.\n---\n\n[more](gone 100%.md)\n";
    let lane = lane.replace("gone 100%.md", "<gone, 100%.md>");
    Repository::new(
        "docs/a site",
        &[
            ("site.toml", SITE),
            (WARP, &warp),
            ("content/terms/lane.md", &lane),
        ],
    )
}

fn text(repository: &Repository, format: &str) -> String {
    let output = repository.run(&["check", "--format", format]);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn annotations_stand_at_paths_from_the_root_of_the_work_tree() {
    let text = text(&faulty(), "github");
    let lines: Vec<_> = text.lines().collect();
    assert!(
        lines[0].starts_with(
            "::error file=docs/a site/content/terms/warp.md,line=8,endLine=8,col=16,endColumn=28,\
             title=CS102 same-person::the author and the reviewer are one person"
        ),
        "{text}"
    );
    assert!(lines[0].contains("%0Ahelp: Name another person"), "{text}");
    assert!(
        lines[1].starts_with("::error file=docs/a site/content/terms/lane.md,line=6,"),
        "{text}"
    );
    assert!(lines[1].contains("`gone, 100%25.md` is no page"), "{text}");
    assert!(
        lines[2].starts_with("::warning file=docs/a site/content/terms/warp.md,line=13,"),
        "{text}"
    );
    assert_eq!(
        lines[3],
        "::notice title=countersign::2 errors, 1 warning; 2 entries: 1 draft, 1 refused."
    );
    assert_eq!(lines.len(), 4);
}

#[test]
fn sarif_is_valid_by_the_schema_of_the_standard() {
    let log: Value = serde_json::from_str(&text(&faulty(), "sarif")).unwrap();
    let schema = include_str!("../fixtures/sarif/sarif-schema-2.1.0.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    let place = "https://example.org/sarif.json";
    compiler.add_resource(place, schema).unwrap();
    let schema = compiler.compile(place, &mut schemas).unwrap();
    let faults = schemas
        .validate(&log, schema)
        .err()
        .map(|fault| format!("{fault:#}"));
    assert_eq!(faults, None);
    for (place, value) in [
        ("/runs/0/results/0/level", "fatal"),
        ("/runs/0/columnKind", "bytes"),
    ] {
        let mut broken = log.clone();
        *broken.pointer_mut(place).unwrap() = value.into();
        assert!(schemas.validate(&broken, schema).is_err(), "{place}");
    }
}

#[test]
fn sarif_places_are_relative_to_the_site() {
    let log: Value = serde_json::from_str(&text(&faulty(), "sarif")).unwrap();
    let run = &log["runs"][0];
    assert_eq!(run["originalUriBaseIds"]["SITE"]["uri"], "docs/a%20site/");
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "CS102");
    let at = result["ruleIndex"].as_u64().unwrap();
    let rule = &run["tool"]["driver"]["rules"][usize::try_from(at).unwrap()];
    assert_eq!(rule["name"], "same-person");
    assert!(
        rule["help"]["markdown"]
            .as_str()
            .unwrap()
            .contains("## Fires")
    );
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "content/terms/warp.md");
    assert_eq!(place["artifactLocation"]["uriBaseId"], "SITE");
    assert_eq!(place["region"]["startLine"], 8);
    assert_eq!(place["region"]["endColumn"], 28);
    assert_eq!(
        result["relatedLocations"][0]["message"]["text"],
        "the author"
    );
}

#[test]
fn a_fingerprint_stays_when_a_finding_moves() {
    let repository = faulty();
    let marks = |repository: &Repository| -> Vec<Value> {
        let log: Value = serde_json::from_str(&text(repository, "sarif")).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        results
            .iter()
            .map(|result| result["partialFingerprints"].clone())
            .collect()
    };
    let before = marks(&repository);
    let longer = entry("ADA LOVELACE").replace("sources:", "aliases: [wavefront]\nsources:");
    let longer = format!("{longer}\nMore.\n\nTiles live in __shared__ memory.\n");
    repository.write(&[(WARP, &longer)]);
    assert_eq!(before, marks(&repository));
}

#[test]
fn explain_knows_names_codes_and_near_misses() {
    let repository = faulty();
    let told = |arguments: &[&str]| {
        let output = repository.run(arguments);
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let (status, by_name) = told(&["explain", "same-person"]);
    assert_eq!(status, Some(0));
    assert!(
        by_name.starts_with("CS102 same-person: error, cannot be turned down\n"),
        "{by_name}"
    );
    assert!(by_name.contains("## Fires"));
    assert_eq!(told(&["explain", "cs102"]), (Some(0), by_name));
    let (status, all) = told(&["explain"]);
    assert_eq!(status, Some(0));
    for rule in countersign::rules::ALL {
        assert!(all.contains(rule.id.name) && all.contains(rule.id.code));
    }
    let (status, near) = told(&["explain", "same-persn"]);
    assert_eq!(status, Some(2));
    assert!(near.contains("did you mean `same-person`?"), "{near}");
    assert_eq!(told(&["explain", "zebra"]).0, Some(2));
}

#[test]
fn no_drafts_makes_each_withheld_entry_an_error() {
    let lane = "---\ntitle: What is a lane?\nshort: One thread.\n---\n";
    let held = entry("grace").replace("---\ntitle", "---\nhold: until the exam\ntitle");
    let repository = Repository::new(
        ".",
        &[
            ("site.toml", SITE),
            (WARP, &entry("grace")),
            ("content/terms/lane.md", lane),
            (
                "content/terms/held.md",
                &held.replace("What is a warp", "What is held"),
            ),
        ],
    );
    assert_eq!(repository.run(&["check"]).status.code(), Some(0));
    assert_eq!(
        repository.run(&["check", "--no-drafts"]).status.code(),
        Some(1)
    );
    let report = repository.check(&["--no-drafts"]);
    let entries: Vec<_> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| &f["entry"])
        .collect();
    assert_eq!(entries, ["held", "lane"]);
    assert_eq!(
        repository
            .run(&["check", "--no-drafts", "warp"])
            .status
            .code(),
        Some(0)
    );
    assert_eq!(
        report["findings"][1]["help"],
        "It waits for its author and its reviewer."
    );
}
