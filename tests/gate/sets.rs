//! What goes into the set of a release, and what never does.

use super::site::{Site, WARP};
use countersign::diagnostic::{Diagnostics, Severity, rule};
use countersign::gate::{
    EntrySet as _, EntryState, Judgement, Policy, PreviewSet, PublishedSet, Soundness, Submission,
    judge,
};
use countersign::model::date::Date;
use countersign::model::entry::Kind;
use countersign::model::slug::Slug;
use countersign::parse::yaml::{self, Place};
use countersign::source::{FileId, Sources};

/// A byline whose reviewer a reader of the file would not see.
const UNSIGNABLE: &[(&str, &str)] = &[
    (
        "an anchor",
        "byline: {written_by: &a Ada Lovelace, reviewed_by: Grace Hopper}",
    ),
    (
        "an alias",
        "x: &a Grace Hopper\nbyline: {written_by: Ada Lovelace, reviewed_by: *a}",
    ),
    (
        "a merge key",
        "x: &a {reviewed_by: Grace Hopper}\nbyline: {<<: *a, written_by: Ada Lovelace}",
    ),
    (
        "a duplicate key",
        "byline:\n  written_by: Ada Lovelace\n  reviewed_by: Ada Lovelace\n  reviewed_by: Grace Hopper",
    ),
    (
        "a tag",
        "byline: {written_by: Ada Lovelace, reviewed_by: !x Grace Hopper}",
    ),
    (
        "a second document",
        "byline: {written_by: Ada Lovelace}\n---\nbyline: {reviewed_by: Grace Hopper}",
    ),
];

fn judge_all(site: &Site, submissions: &[Submission<'_>]) -> Judgement {
    let sources = Sources::new();
    let (config, people) = site.policy(&sources);
    let policy = Policy {
        sources: &sources,
        config: &config,
        people: &people,
        today: Date::parse("2026-10-01").expect("a day"),
    };
    judge(&policy, submissions)
}

#[test]
fn front_matter_that_hides_a_reviewer_cannot_be_read_and_is_refused() {
    for (what, front) in UNSIGNABLE {
        let place = Place {
            file: FileId::new(0),
            offset: 0,
            line: 2,
            rule: rule::BAD_FRONT_MATTER,
        };
        let mut out = Diagnostics::new();
        assert!(yaml::parse(front, place, &mut out).is_none(), "{what}");
        assert!(out.has_errors(), "{what}");
    }
    let id = Slug::new("warp").expect("an id");
    let unreadable = Submission::Unreadable {
        id: &id,
        kind: Kind::Term,
        file: FileId::new(0),
    };
    let judgement = judge_all(&Site::new(), &[unreadable]);
    assert_eq!(judgement.count(EntryState::Refused), 1);
    assert!(judgement.published().shown().is_empty());
    assert!(PreviewSet::select(&judgement).shown().is_empty());
}

#[test]
fn rules_of_the_sign_off_cannot_be_turned_down() {
    let mut site = Site::new().reviewed_by("Ada Lovelace");
    site.rules_off = &["same-person", "bad-date", "duplicate-id"];
    assert_eq!(site.judge().rules, ["same-person"]);
    let mut site = Site::new().edit(WARP, "written_on: 2026-09-02", "written_on: soon");
    site.rules_off = &["bad-date"];
    let outcome = site.judge();
    assert_eq!((outcome.state, outcome.rules), ("refused", vec![]));
    for rule in rule::ALL {
        let sources = Sources::new();
        let (mut config, _) = Site::new().policy(&sources);
        config.severities.insert(rule.name, Severity::Off);
        let of_the_gate = ["CS1", "CS7"]
            .iter()
            .any(|group| rule.code.starts_with(group));
        assert!(rule.is_fixed() || !of_the_gate, "{}", rule.name);
        let expected = if rule.is_fixed() {
            rule.severity
        } else {
            Severity::Off
        };
        assert_eq!(config.severity(*rule), expected, "{}", rule.name);
    }
}

#[test]
fn two_entries_with_one_id_are_both_refused() {
    let mut site = Site::new();
    site.rules_off = &["duplicate-id"];
    site.examine(|policy, dossier| {
        let twice = [Submission::Entry(*dossier), Submission::Entry(*dossier)];
        let judgement = judge(policy, &twice);
        assert_eq!(judgement.count(EntryState::Refused), 2);
        assert!(judgement.published().shown().is_empty());
    });
}

#[test]
fn a_release_has_published_entries_alone_and_a_preview_all() {
    for (reviewer, state) in [
        ("Grace Hopper", EntryState::Published),
        ("pending", EntryState::Draft),
        ("Ada Lovelace", EntryState::Refused),
    ] {
        Site::new()
            .reviewed_by(reviewer)
            .examine(|policy, dossier| {
                let judgement = judge(policy, &[Submission::Entry(*dossier)]);
                let release = PublishedSet::select(&judgement);
                let preview = PreviewSet::select(&judgement);
                let published = state == EntryState::Published;
                assert_eq!(release.contains("warp"), published, "{reviewer}");
                assert!(preview.contains("warp"));
                let verdict = preview.find("warp").expect("shown");
                assert_eq!(verdict.state, state);
                assert_eq!(verdict.sign_off.is_some(), published);
                let withheld = judgement.unpublished();
                assert_eq!(withheld.len(), usize::from(!published));
                assert!(withheld.iter().all(|d| d.rule == rule::UNPUBLISHED));
            });
    }
}

#[test]
fn every_refusal_has_a_finding() {
    let mut site = Site::new();
    site.soundness = Soundness::Sound;
    for reviewer in ["Ada Lovelace", "Grace Hopper", "pending", "dependabot[bot]"] {
        let outcome = site.clone().reviewed_by(reviewer).judge();
        assert_eq!(
            outcome.state == "refused",
            !outcome.rules.is_empty(),
            "{reviewer}"
        );
    }
}
