//! Changes that bring their own reviewer, key or leniency, judged by the base revision.

use super::site::{PEOPLE, REGISTRY, Site, registry_with_keys};
use countersign::model::byline::Role;
use countersign::model::config::Assurance;

#[test]
fn a_change_cannot_bring_its_own_reviewer() {
    let base = Site::new().with(PEOPLE, REGISTRY);
    let brought = format!("{REGISTRY}emmy: {{name: Emmy Noether}}\n");
    let change = base.clone().with(PEOPLE, &brought).reviewed_by("emmy");
    assert_eq!(change.judge().state, "published");
    let outcome = change.judge_by(Some(&base));
    assert_eq!(
        (outcome.state, outcome.rules),
        ("refused", vec!["unknown-person"])
    );
}

#[test]
fn a_change_cannot_bring_its_own_key() {
    let base = Site::new()
        .with(PEOPLE, &registry_with_keys())
        .asking(Assurance::Signed);
    let stolen = registry_with_keys().replace(
        super::site::fixture("grace.pub").trim(),
        super::site::fixture("ada-p256.pub").trim(),
    );
    let change = base
        .clone()
        .with(PEOPLE, &stolen)
        .sealed(Role::Author, "ada", "ada")
        .sealed(Role::Reviewer, "grace", "ada-p256");
    assert_eq!(change.judge().state, "published");
    assert_eq!(change.judge_by(Some(&base)).rules, ["bad-signature"]);
    let none = Site::new().asking(Assurance::Signed);
    assert_eq!(change.judge_by(Some(&none)).rules, ["bad-signature"]);
}

#[test]
fn a_change_cannot_ask_for_less() {
    let base = Site::new().asking(Assurance::Attested);
    let change = Site::new();
    assert_eq!(change.judge().state, "published");
    assert_eq!(change.judge_by(Some(&base)).rules, ["missing-statement"]);
    let without = Site::new().reviewed_by("emmy");
    let registered = Site::new().with(PEOPLE, REGISTRY);
    assert_eq!(
        without.judge_by(Some(&registered)).rules,
        ["unknown-person"]
    );
}

#[test]
fn a_change_may_ask_for_more() {
    let strict = Site::new().asking(Assurance::Attested);
    assert_eq!(
        strict.judge_by(Some(&Site::new())).rules,
        ["missing-statement"]
    );
}
