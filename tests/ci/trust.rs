//! `--trust-from`: a change is judged by the people and the policy that stood before it.

use crate::repository::{PEOPLE, Repository, SITE, WARP, entry, git, rules, run};
use tempfile::TempDir;

const REGISTRY: &str = "content/people.yaml";

fn site(inside: &str) -> Repository {
    let good = entry("grace");
    Repository::new(
        inside,
        &[("site.toml", SITE), (REGISTRY, PEOPLE), (WARP, &good)],
    )
}

/// A change that brings its own reviewer.
fn with_own_reviewer(repository: &Repository) {
    repository.git(&["checkout", "--quiet", "-b", "change"]);
    let people = format!("{PEOPLE}emmy: {{name: Emmy Noether}}\n");
    repository.write(&[(REGISTRY, &people), (WARP, &entry("emmy"))]);
    repository.commit("Bring a reviewer");
}

#[test]
fn a_reviewer_added_in_the_same_change_is_refused() {
    for inside in [".", "docs/site"] {
        let repository = site(inside);
        with_own_reviewer(&repository);
        assert!(rules(&repository.check(&[])).is_empty());
        let report = repository.check(&["--trust-from", "main"]);
        assert_eq!(rules(&report), ["unknown-person"]);
        assert_eq!(report["entries"][0]["state"], "refused");
        assert_eq!(
            repository
                .run(&["check", "--trust-from", "main"])
                .status
                .code(),
            Some(1)
        );
    }
}

#[test]
fn neither_is_such_a_reviewer_built() {
    let repository = site(".");
    with_own_reviewer(&repository);
    let output = repository.run(&["build", "--trust-from", "main"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!repository.root().join("public").exists());
    assert_eq!(repository.run(&["build"]).status.code(), Some(0));
}

#[test]
fn a_change_cannot_lower_what_the_site_asks_for() {
    let repository = Repository::new(
        ".",
        &[
            (
                "site.toml",
                &format!("{SITE}[gate]\nassurance = \"attested\"\n"),
            ),
            (REGISTRY, PEOPLE),
        ],
    );
    repository.write(&[("site.toml", SITE), (WARP, &entry("grace"))]);
    assert!(rules(&repository.check(&[])).is_empty());
    let report = repository.check(&["--trust-from", "HEAD"]);
    assert_eq!(rules(&report), ["missing-statement", "missing-statement"]);
}

#[test]
fn a_change_cannot_turn_a_rule_down() {
    let repository = site(".");
    let doubtful = format!("{}\nSee [there](gone.md).\n", entry("grace"));
    let silent = format!("{SITE}[rules]\nbroken-link = \"off\"\n");
    repository.write(&[("site.toml", &silent), (WARP, &doubtful)]);
    assert!(rules(&repository.check(&[])).is_empty());
    assert_eq!(
        rules(&repository.check(&["--trust-from", "HEAD"])),
        ["broken-link"]
    );
}

#[test]
fn a_fault_of_the_bases_registry_is_shown_where_it_is() {
    let repository = site(".");
    repository.write(&[(REGISTRY, &format!("{PEOPLE}emmy: {{}}\n"))]);
    repository.commit("Break the registry");
    repository.write(&[(REGISTRY, PEOPLE)]);
    let report = repository.check(&["--trust-from", "HEAD"]);
    assert_eq!(rules(&report), ["bad-people"]);
    assert_eq!(report["findings"][0]["path"], "HEAD:content/people.yaml");
    assert_eq!(report["findings"][0]["line"], 3);
    assert_eq!(report["entries"][0]["state"], "refused");
}

#[test]
fn a_shallow_clone_that_lacks_the_revision_is_told_so() {
    let repository = site(".");
    let first = repository.git(&["rev-parse", "HEAD"]);
    with_own_reviewer(&repository);
    let clone = TempDir::new().unwrap();
    let url = format!("file://{}", repository.root().display());
    git(
        clone.path(),
        &[
            "clone", "--quiet", "--depth", "1", "--branch", "change", &url, ".",
        ],
    );
    for revision in [first.as_str(), "origin/main"] {
        let output = run(clone.path(), &["check", "--trust-from", revision]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(
            told.contains("the repository has no such revision"),
            "{told}"
        );
        assert!(told.contains("this clone is shallow"), "{told}");
        assert!(output.stdout.is_empty());
    }
    git(
        clone.path(),
        &["fetch", "--quiet", "--depth", "1", "origin", &first],
    );
    let output = run(clone.path(), &["check", "--trust-from", &first]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_cannot_be_trusted_is_a_failure_and_no_pass() {
    let repository = site("docs");
    for arguments in [
        ["check", "--trust-from", "no-such-branch"],
        ["check", "--trust-from", "HEAD:site.toml"],
        ["build", "--trust-from", "no-such-branch"],
        ["build", "--trust-from=--help", "--json"],
    ] {
        let output = repository.run(&arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(
            told.contains("the repository has no such revision"),
            "{told}"
        );
    }
    repository.git(&["mv", "docs", "moved"]);
    let moved = repository.root().join("moved");
    let output = run(&moved, &["check", "--trust-from", "HEAD"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("no site.toml in this folder"), "{told}");
    let outside = TempDir::new().unwrap();
    std::fs::write(outside.path().join("site.toml"), SITE).unwrap();
    let output = run(outside.path(), &["check", "--trust-from", "HEAD"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("no git work tree")
    );
}
