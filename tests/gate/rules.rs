//! States and findings from the byline, the registry and the sources.

use super::site::{PEOPLE, REGISTRY, Site, WARP};
use countersign::gate::Soundness;

/// `written_by`, `reviewed_by`: one person in two spellings.
const SAME_PERSON: &[(&str, &str)] = &[
    ("Ada Lovelace", "Ada Lovelace"),
    ("Ada Lovelace", "ADA lovelace"),
    ("Ada Lovelace", "\"  Ada   Lovelace \""),
    ("Ada Lovelace", "\"Ada\u{a0}Lovelace\""),
    ("Ada Lovelace", "Ada Lovelace."),
    ("Ada Lovelace", "Ada-Lovelace"),
    ("Ada Lovelace", "\"Lovelace, Ada\""),
    ("Ada Lovelace", "Lovelace Ada"),
    ("Émilie du Châtelet", "E\u{301}milie du Cha\u{302}telet"),
    ("Ada Lovelace", "Ada\u{200b} Lovelace"),
    ("Ada Lovelace", "Ada Love\u{2060}lace"),
    ("Ada Lovelace", "Αda Lovelace"),
    ("Ada Lovelace", "Аdа Lоvеlасе"),
    ("Ada Lovelace", "Ada Loveiace, Ada Lovelace"),
    ("Ada Lovelace", "Ada Lovelace <ada@example.org>"),
    ("ada@example.org", "Ada+review@Example.org"),
    ("Ada Lovelace and Grace Hopper", "Grace Hopper"),
];

#[test]
fn one_person_in_two_spellings_is_refused() {
    for (author, reviewer) in SAME_PERSON {
        let outcome = Site::new()
            .authored_by(author)
            .reviewed_by(reviewer)
            .judge();
        assert_eq!(outcome.state, "refused", "{author} {reviewer}");
        assert_eq!(outcome.rules, ["same-person"], "{author} {reviewer}");
        assert_eq!(outcome.published, 0);
    }
}

#[test]
fn the_finding_quotes_both_and_says_why() {
    let outcome = Site::new().reviewed_by("Αda Lovelace").judge();
    let says = "the author and the reviewer are one person: “Ada Lovelace” and “Αda Lovelace” \
                look alike letter for letter: character 1 of the second is GREEK CAPITAL LETTER \
                ALPHA (U+0391)";
    assert!(outcome.words.contains(says), "{}", outcome.words);
}

#[test]
fn one_row_of_the_registry_is_one_person() {
    let site = Site::new().with(PEOPLE, REGISTRY);
    for (author, reviewer) in [
        ("ada", "Ada Lovelace"),
        ("ada", "Countess of Lovelace"),
        ("ada", "countess  of lovelace"),
        ("Ada Lovelace", "ADA"),
    ] {
        let outcome = site
            .clone()
            .authored_by(author)
            .reviewed_by(reviewer)
            .judge();
        assert_eq!(outcome.rules, ["same-person"], "{author} {reviewer}");
        assert_eq!(outcome.state, "refused");
    }
}

#[test]
fn two_rows_of_one_person_cannot_sign() {
    let key = super::site::fixture("ada.pub");
    let key = key.trim();
    for second in [
        "{name: Augusta King, email: ADA+2@example.org}".to_owned(),
        "{name: Augusta King, aliases: [ada lovelace]}".to_owned(),
        "{name: Lovelace Ada}".to_owned(),
        "{name: Αda Lovelace}".to_owned(),
        format!("{{name: Augusta King, keys: [\"{key} other comment\"]}}"),
    ] {
        let registry = format!(
            "ada: {{name: Ada Lovelace, email: ada@example.org, keys: [\"{key}\"]}}\ntwo: {second}\n"
        );
        let site = Site::new()
            .with(PEOPLE, &registry)
            .authored_by("ada")
            .reviewed_by("two");
        let outcome = site.judge();
        assert_eq!(outcome.state, "refused", "{second}");
        assert_eq!(outcome.rules, ["same-person"], "{second}");
    }
}

#[test]
fn a_placeholder_makes_a_draft_and_nothing_is_asked_of_it() {
    for name in [
        "pending",
        "PENDING",
        "Pending…",
        "tbd",
        "T.B.D.",
        "tba",
        "to do",
        "none",
        "Unknown",
        "n/a",
        "NA",
        "null",
        "\"null\"",
        "~",
        "anonymous",
        "xxx",
        "Author",
        "reviewer",
        "someone",
        "no-body",
        "\"\"",
        "\"  \"",
        "\"?\"",
        "—",
        "\"123\"",
        "🤖",
        "pеnding",
        "рending",
        "pend\u{200b}ing",
        "ｔｂｄ",
    ] {
        let bare = Site::new()
            .edit(WARP, "written_on: 2026-09-02", "written_on: pending")
            .edit(
                WARP,
                "last_checked_on: 2026-09-03",
                "last_checked_on: 2099-01-01",
            )
            .edit(WARP, "    checked: 2026-08-30\n", "");
        let outcome = bare.reviewed_by(name).judge();
        assert_eq!(outcome.state, "draft", "{name}");
        assert_eq!(outcome.waits_for, ["reviewer"], "{name}");
        assert_eq!(outcome.rules, [""; 0], "{name}");
    }
    let both = Site::new()
        .authored_by("tbd")
        .reviewed_by("pending")
        .judge();
    assert_eq!(both.waits_for, ["author", "reviewer"]);
    let absent = Site::new()
        .edit(WARP, "  reviewed_by: Grace Hopper\n", "")
        .judge();
    assert_eq!((absent.state, absent.published), ("draft", 0));
}

#[test]
fn groups_bots_and_strangers_are_refused() {
    let site = Site::new().with(PEOPLE, REGISTRY);
    for (reviewer, rule) in [
        ("team", "not-a-person"),
        ("Course team", "not-a-person"),
        ("robot", "not-a-person"),
        ("Build Robot", "not-a-person"),
        ("Emmy Noether", "unknown-person"),
        ("gracehoper", "unknown-person"),
        ("Grаce Hopper", "unknown-person"),
        ("Grace\u{200b} Hopper", "unknown-person"),
    ] {
        let outcome = site.clone().reviewed_by(reviewer).judge();
        assert_eq!(outcome.state, "refused", "{reviewer}");
        assert_eq!(outcome.rules, [rule], "{reviewer}");
    }
    let outcome = Site::new().reviewed_by("dependabot[bot]").judge();
    assert_eq!(outcome.rules, ["not-a-person"]);
}

#[test]
fn an_imitated_name_is_explained() {
    let outcome = Site::new()
        .with(PEOPLE, REGISTRY)
        .reviewed_by("Grаce Hopper")
        .judge();
    let says = "CYRILLIC SMALL LETTER A (U+0430)";
    assert!(outcome.words.contains(says), "{}", outcome.words);
    assert!(outcome.words.contains("Write `grace`"), "{}", outcome.words);
}

#[test]
fn two_people_are_published() {
    for (author, reviewer) in [
        ("Ada Lovelace", "Grace Hopper"),
        ("Marie Curie", "Pierre Curie"),
        ("Ann Lee", "Anne Lee"),
        ("李明", "李朋"),
        ("Софья Ковалевская", "Софья Яновская"),
        ("श्रीनिवास रामानुजन", "सत्येन्द्र नाथ बसु"),
        ("محمد بن موسى الخوارزمي", "الحسن بن الهيثم"),
    ] {
        let outcome = Site::new()
            .authored_by(author)
            .reviewed_by(reviewer)
            .judge();
        assert_eq!(
            outcome.rules, [""; 0],
            "{author} {reviewer}: {}",
            outcome.words
        );
        assert_eq!((outcome.state, outcome.published), ("published", 1));
    }
    let known = Site::new().with(PEOPLE, REGISTRY);
    for (author, reviewer) in [
        ("ada", "grace"),
        ("Ada Lovelace", "alan"),
        ("ADA", "hopper, grace"),
    ] {
        let reviewer = format!("\"{reviewer}\"");
        let outcome = known
            .clone()
            .authored_by(author)
            .reviewed_by(&reviewer)
            .judge();
        assert_eq!(
            outcome.state, "published",
            "{author} {reviewer}: {}",
            outcome.words
        );
    }
}

#[test]
fn dates_and_sources_are_required_in_order() {
    let cases: &[(&str, &str, &str)] = &[
        (
            "written_on: 2026-09-02",
            "written_on: pending",
            "missing-date",
        ),
        ("  written_on: 2026-09-02\n", "", "missing-date"),
        (
            "last_checked_on: 2026-09-03",
            "last_checked_on: ''",
            "missing-date",
        ),
        (
            "last_checked_on: 2026-09-03",
            "last_checked_on: 2026-09-01",
            "date-order",
        ),
        (
            "last_checked_on: 2026-09-03",
            "last_checked_on: 2026-10-02",
            "future-date",
        ),
        (
            "written_on: 2026-09-02",
            "written_on: 2026-10-02",
            "date-order",
        ),
        ("captured: 2026-09-01", "captured: 2026-10-02", "date-order"),
        ("captured: 2026-09-01", "captured: 2026-09-04", "date-order"),
        ("checked: 2026-08-30", "checked: 2026-10-02", "future-date"),
        (
            "checked: 2026-08-30",
            "checked: pending",
            "missing-check-date",
        ),
        ("    checked: 2026-08-30\n", "", "missing-check-date"),
    ];
    for (from, to, rule) in cases {
        let outcome = Site::new().edit(WARP, from, to).judge();
        assert_eq!(outcome.state, "refused", "{to}");
        assert!(outcome.rules.contains(rule), "{to}: {:?}", outcome.rules);
    }
    let mut site = Site::new();
    let text = site.files.get_mut(WARP).expect("the entry");
    let (start, end) = (text.find("sources:"), text.find("byline:"));
    text.replace_range(start.expect("sources")..end.expect("byline"), "");
    assert_eq!(site.judge().rules, ["no-sources"]);
}

#[test]
fn a_source_may_be_checked_again_and_on_the_day_itself() {
    let again = Site::new()
        .edit(WARP, "checked: 2026-08-30", "checked: 2026-10-01")
        .judge();
    assert_eq!(again.state, "published", "{}", again.words);
    let same_day = Site::new().edit(
        WARP,
        "last_checked_on: 2026-09-03",
        "last_checked_on: 2026-09-02",
    );
    assert_eq!(same_day.judge().state, "published");
}

#[test]
fn the_first_of_held_draft_refused_counts() {
    let held = Site::new().edit(
        WARP,
        "title: What",
        "hold: waits for a new driver\ntitle: What",
    );
    assert_eq!(held.judge().state, "held");
    let held_faulty = held.clone().reviewed_by("Ada Lovelace").judge();
    assert_eq!((held_faulty.state, held_faulty.rules.len()), ("held", 0));
    assert_eq!(held.reviewed_by("pending").judge().state, "held");
    let mut faulty = Site::new();
    faulty.soundness = Soundness::Faulty;
    let outcome = faulty.clone().judge();
    assert_eq!((outcome.state, outcome.published), ("refused", 0));
    assert_eq!(faulty.clone().reviewed_by("pending").judge().state, "draft");
    let stale = faulty.attested().edit(WARP, "96", "64").judge();
    assert_eq!(stale.state, "refused");
}

#[test]
fn with_a_registry_that_cannot_be_read_nothing_is_published() {
    for registry in [
        "ada: [",
        "",
        "- ada\n",
        "ada: {name: Ada Lovelace}\nada: {name: Grace Hopper}\n",
    ] {
        let outcome = Site::new().with(PEOPLE, registry).judge();
        assert_eq!(
            (outcome.state, outcome.published),
            ("refused", 0),
            "{registry}"
        );
    }
}
