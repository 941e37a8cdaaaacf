//! Statements and signatures: what holds, what is stale, what is moved, swapped or forged.

use super::site::{PEOPLE, Site, WARP, registry_with_keys};
use countersign::diagnostic::Diagnostics;
use countersign::gate::digests;
use countersign::gate::sign::{Change, Refusal};
use countersign::model::byline::Role;
use countersign::model::config::Assurance;
use countersign::model::config::RawHtml;
use countersign::model::entry::Kind;
use countersign::model::slug::Slug;
use countersign::parse::entry::{self, EntryFile};
use countersign::source::{Digest, SourceFile, Sources};
use std::collections::BTreeMap;

const AUTHOR: &str = "content/terms/warp.author.toml";
const REVIEWER: &str = "content/terms/warp.reviewer.toml";

#[test]
fn two_statements_publish() {
    let outcome = Site::new().attested().judge();
    assert_eq!(
        (outcome.state, outcome.published),
        ("published", 1),
        "{}",
        outcome.words
    );
}

#[test]
fn each_statement_is_asked_for() {
    let site = Site::new().attested();
    for (path, waits) in [(AUTHOR, "author"), (REVIEWER, "reviewer")] {
        let outcome = site.clone().without(path).judge();
        assert_eq!(outcome.state, "refused");
        assert_eq!(outcome.rules, ["missing-statement"]);
        assert_eq!(outcome.waits_for, [waits]);
    }
}

/// Every part of what was signed, with one change.
pub(crate) const EDITS: &[(&str, &str, &str, &str)] = &[
    ("body", WARP, "96 cycles", "95 cycles"),
    ("a space of the body", WARP, "A warp takes", "A warp  takes"),
    ("title", WARP, "What is a warp?", "What is a Warp?"),
    ("short answer", WARP, "Thirty-two", "Thirty-three"),
    ("alias", WARP, "wavefront", "wave front"),
    ("related", WARP, "related: [lane]", "related: [lanes]"),
    ("capture", WARP, "0.785", "0.786"),
    ("digits of a capture", WARP, "0.785", "0.7850"),
    ("device", WARP, "device: Tesla T4", "device: Tesla T4G"),
    ("constant", WARP, "201326592", "201326593"),
    (
        "order of rows",
        WARP,
        "      - [one, 0.785]\n      - [four, 0.798]",
        "      - [four, 0.798]\n      - [one, 0.785]",
    ),
    ("capture file", "content/captures/h200.json", "0.1", "0.2"),
    (
        "preset",
        "content/presets/two-ways-to-64.toml",
        "max_warps = 32",
        "max_warps = 16",
    ),
    ("model parameter", WARP, "steps: 4", "steps: 5"),
    ("alt text", WARP, "full of warps", "full of threads"),
    (
        "caption",
        WARP,
        "Two ways to sixty-four.",
        "Two ways to 64.",
    ),
    (
        "source",
        WARP,
        "supports: what a warp is",
        "supports: what a warp was",
    ),
    (
        "address of a source",
        WARP,
        "docs.example/guide",
        "docs.example/other",
    ),
    (
        "day of writing",
        WARP,
        "written_on: 2026-09-02",
        "written_on: 2026-09-01",
    ),
    (
        "picture",
        "content/terms/lanes.svg",
        "<svg/>",
        "<svg></svg>",
    ),
];

#[test]
fn a_change_after_signing_is_stale() {
    let site = Site::new().attested();
    for (what, path, from, to) in EDITS {
        let outcome = site.clone().edit(path, from, to).judge();
        assert_eq!(outcome.state, "stale", "{what}");
        assert_eq!(outcome.rules, ["stale-signoff"], "{what}");
        assert_eq!(outcome.waits_for, ["author", "reviewer"], "{what}");
        assert_eq!(outcome.published, 0, "{what}");
    }
    let mut trace = site;
    trace.trace = "another trace";
    assert_eq!(trace.judge().state, "stale");
}

#[test]
fn a_file_put_beside_an_entry_is_part_of_what_is_signed() {
    let claims = |own: &str, path: &str| {
        let mut sources = Sources::new();
        let text = "---\ntitle: A\nshort: One.\n---\nText.\n";
        let file = SourceFile::new(own, text, Digest::of(text));
        let file = sources.add(file);
        sources.add_binary(path, *b"anything");
        let at = EntryFile {
            id: Slug::new("warp").expect("an id"),
            kind: Kind::Term,
            file,
        };
        let mut out = Diagnostics::new();
        let entry = entry::read(&sources, &at, RawHtml::Sanitize, &mut out).expect("an entry");
        digests(&entry, &sources, &BTreeMap::new()).claims
    };
    for own in ["content/terms/warp/index.md", "content/terms/warp.md"] {
        let elsewhere = claims(own, "content/terms/lane/unread.png");
        for beside in ["terms/warp/unread.png", "terms/warp/a/unread.pdf"] {
            assert_ne!(claims(own, &format!("content/{beside}")), elsewhere);
        }
        // A copied file is released by its folder's id.
        assert_ne!(claims(own, "content/lessons/warp/unread.png"), elsewhere);
        assert_eq!(claims(own, "content/terms/warp-2/unread.png"), elsewhere);
        assert_eq!(claims(own, "static/terms/warp/unread.png"), elsewhere);
    }
}

#[test]
fn what_is_not_said_does_not_count() {
    let site = Site::new().attested();
    let mut windows = site.clone();
    for text in windows.files.values_mut() {
        *text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    }
    assert_eq!(windows.judge().state, "published");
    for (what, changed) in [
        (
            "a template",
            site.clone().with("templates/term.html", "<p>"),
        ),
        (
            "another entry",
            site.clone().with("content/terms/lane.txt", "text"),
        ),
        (
            "quotes",
            site.clone()
                .edit(WARP, "driver: \"595.84\"", "driver: '595.84'"),
        ),
        (
            "a comment",
            site.clone()
                .edit(WARP, "related: [lane]", "# a note\nrelated: [lane]"),
        ),
        (
            "order of keys",
            site.clone().edit(
                WARP,
                "kind: warp-scheduler, warps: 4",
                "warps: 4, kind: warp-scheduler",
            ),
        ),
        (
            "a key without value",
            site.edit(WARP, "related: [lane]", "owner:\nrelated: [lane]"),
        ),
    ] {
        let outcome = changed.judge();
        assert_eq!(outcome.state, "published", "{what}: {}", outcome.words);
    }
}

#[test]
fn new_check_dates_need_one_signature() {
    let checked = Site::new()
        .attested()
        .edit(WARP, "checked: 2026-08-30", "checked: 2026-09-20");
    let outcome = checked.judge();
    assert_eq!(
        (outcome.state, outcome.rules),
        ("stale", vec!["stale-signoff"])
    );
    for (role, person) in [
        (Role::Author, "Ada Lovelace"),
        (Role::Reviewer, "Grace Hopper"),
    ] {
        let mut later = checked.clone();
        later.today = "2026-10-02";
        let composed = later.compose(role, person).expect("may sign");
        assert_eq!(composed.change, Change::Dates);
        let outcome = later.signed(role, person).judge();
        assert_eq!(outcome.state, "published", "{}", outcome.words);
    }
}

#[test]
fn older_check_dates_cannot_come_back() {
    let mut site = Site::new()
        .attested()
        .edit(WARP, "checked: 2026-08-30", "checked: 2026-09-20");
    site.today = "2026-10-02";
    let back = site.signed(Role::Author, "Ada Lovelace");
    let back = back.edit(WARP, "checked: 2026-09-20", "checked: 2026-08-30");
    assert_eq!(back.judge().state, "stale");
}

#[test]
fn statements_hold_only_where_they_were_made() {
    let site = Site::new().attested();
    let author = site.files[AUTHOR].clone();
    let moved = |from: &str, to: &str| site.clone().edit(AUTHOR, from, to).judge();
    for (what, outcome) in [
        ("site", moved("example.org/course/", "example.org/other/")),
        ("entry", moved("\"warp\"", "\"lane\"")),
        ("role", moved("\"author\"", "\"reviewer\"")),
        ("person", moved("Ada Lovelace", "Alan Turing")),
        ("swapped", site.clone().with(REVIEWER, &author).judge()),
        ("future", moved("2026-10-01", "2026-10-02")),
        (
            "more",
            site.clone()
                .with(AUTHOR, &format!("{author}note = \"x\"\n"))
                .judge(),
        ),
        ("less", site.clone().with(AUTHOR, "site = \"x\"\n").judge()),
    ] {
        assert_eq!((outcome.state, outcome.published), ("refused", 0), "{what}");
        let rule = if what == "future" {
            "future-date"
        } else {
            "missing-statement"
        };
        assert!(outcome.rules.contains(&rule), "{what} {:?}", outcome.rules);
    }
    let mut elsewhere = site.clone();
    elsewhere.base_url = "https://example.com/course/";
    assert_eq!(elsewhere.judge().rules, ["missing-statement"]);
    let other = site.clone().reviewed_by("Alan Turing").judge();
    assert_eq!(
        (other.state, other.waits_for),
        ("refused", vec!["reviewer"])
    );
}

#[test]
fn a_statement_copied_to_another_entry_does_not_hold() {
    let site = Site::new().attested();
    let rename = |path: &str| path.replace("/warp.", "/warps.");
    let mut copy = site.clone();
    copy.files = site
        .files
        .iter()
        .map(|(path, text)| (rename(path), text.clone()))
        .collect();
    let outcome = copy.judge();
    assert_eq!(outcome.state, "refused");
    assert!(outcome.rules.contains(&"missing-statement"));
}

#[test]
fn a_superseded_statement_does_not_come_back() {
    let first = Site::new().attested();
    let mut second = first.clone().edit(WARP, "96 cycles", "64 cycles");
    second.today = "2026-10-02";
    let composed = second
        .compose(Role::Reviewer, "Grace Hopper")
        .expect("may sign");
    assert_eq!(composed.change, Change::Claims(first.digests().claims));
    assert!(
        composed
            .text
            .contains(&format!("supersedes = \"{}\"", first.digests().claims))
    );
    let half = second.signed(Role::Reviewer, "Grace Hopper");
    let outcome = half.judge();
    assert_eq!(
        (outcome.state, &outcome.waits_for),
        ("stale", &vec!["author"])
    );
    assert!(
        outcome.words.contains("supersedes this one"),
        "{}",
        outcome.words
    );
    let old = half.clone().edit(WARP, "64 cycles", "96 cycles").judge();
    assert_eq!((old.state, old.waits_for), ("stale", vec!["reviewer"]));
    let whole = half.signed(Role::Author, "Ada Lovelace");
    assert_eq!(whole.judge().state, "published");
    let replayed = whole.with(AUTHOR, &first.files[AUTHOR]).judge();
    assert_eq!((replayed.state, replayed.published), ("stale", 0));
}

#[test]
fn a_statement_that_is_there_must_hold_whatever_is_asked() {
    let site = Site::new()
        .attested()
        .asking(Assurance::Named)
        .edit(WARP, "96", "64");
    assert_eq!(site.judge().state, "stale");
}

#[test]
fn only_those_whom_the_byline_names_can_sign() {
    let site = Site::new();
    let refused = |role, person| site.compose(role, person).expect_err("refused");
    assert!(matches!(
        refused(Role::Author, "Grace Hopper"),
        Refusal::NotNamed { .. }
    ));
    assert!(matches!(
        refused(Role::Reviewer, "Ada Lovelace"),
        Refusal::NotNamed { .. }
    ));
    assert!(matches!(
        refused(Role::Reviewer, "Αlan Turing"),
        Refusal::NotNamed { .. }
    ));
    let same = Site::new().reviewed_by("ADA LOVELACE");
    assert!(matches!(
        same.compose(Role::Reviewer, "Ada Lovelace"),
        Err(Refusal::SamePerson(_))
    ));
    let pending = Site::new().reviewed_by("pending");
    assert!(matches!(
        pending.compose(Role::Reviewer, "pending"),
        Err(Refusal::NotNamed { named: None, .. })
    ));
    assert!(pending.compose(Role::Author, "Ada Lovelace").is_ok());
    let known = Site::new().with(PEOPLE, super::site::REGISTRY);
    assert!(matches!(
        known.compose(Role::Author, "Emmy Noether"),
        Err(Refusal::Unknown(_))
    ));
    assert!(
        known
            .compose(Role::Author, "ada")
            .expect("may sign")
            .text
            .contains("person = \"ada\"")
    );
    let team = known.reviewed_by("team");
    assert!(matches!(
        team.compose(Role::Reviewer, "team"),
        Err(Refusal::NotAPerson(_))
    ));
}

fn sealed() -> Site {
    Site::new()
        .with(PEOPLE, &registry_with_keys())
        .asking(Assurance::Signed)
        .sealed(Role::Author, "ada", "ada")
        .sealed(Role::Reviewer, "grace", "grace")
}

#[test]
fn two_signatures_publish() {
    let outcome = sealed().judge();
    assert_eq!(outcome.state, "published", "{}", outcome.words);
    let rsa = sealed().sealed(Role::Author, "ada", "ada-rsa").judge();
    assert_eq!(rsa.state, "published", "{}", rsa.words);
}

#[test]
fn a_signature_by_another_key_does_not_hold() {
    let site = sealed();
    assert!(matches!(
        site.seal(Role::Author, "ada", "grace"),
        Err(Refusal::NotTheirKey { .. })
    ));
    let none = Site::new();
    assert!(matches!(
        none.seal(Role::Author, "Ada Lovelace", "ada"),
        Err(Refusal::NoRegistry)
    ));
    let author_sig = format!("{AUTHOR}.sig");
    let reviewer_sig = format!("{REVIEWER}.sig");
    let signature = |site: &Site, path: &str| site.files[path].clone();
    let alan =
        registry_with_keys().replace("grace: {name: Grace Hopper", "alan2: {name: Emmy Noether");
    let alan = alan.replace("alan: {name: Alan Turing}", "grace: {name: Grace Hopper}");
    for (what, changed) in [
        ("none", site.clone().without(&reviewer_sig)),
        (
            "swapped",
            site.clone()
                .with(&reviewer_sig, &signature(&site, &author_sig)),
        ),
        ("garbage", site.clone().with(&reviewer_sig, "x")),
        (
            "text",
            site.clone().edit(REVIEWER, "2026-10-01", "2026-09-30"),
        ),
        ("a key of somebody else", site.clone().with(PEOPLE, &alan)),
        (
            "no registry",
            site.clone()
                .without(PEOPLE)
                .reviewed_by("grace")
                .authored_by("ada"),
        ),
    ] {
        let outcome = changed.judge();
        assert_eq!((outcome.state, outcome.published), ("refused", 0), "{what}");
        assert_eq!(outcome.rules, ["bad-signature"], "{what}");
    }
    let attested = site
        .asking(Assurance::Attested)
        .with(&reviewer_sig, "x")
        .judge();
    assert_eq!(
        attested.rules,
        ["bad-signature"],
        "a signature that is there must hold"
    );
}
