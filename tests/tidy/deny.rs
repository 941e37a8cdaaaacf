//! Every package of the tree is what `deny.toml` lets in.

use crate::assert_none;
use crate::files;
use serde_json::Value;
use spdx::{Expression, ParseMode};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// A package of the tree.
struct Package {
    name: String,
    licence: Option<String>,
}

/// What `deny.toml` says, as far as it is checked here.
struct Policy {
    licences: BTreeSet<String>,
    banned: BTreeMap<String, String>,
    /// Names and beginnings of versions.
    skipped: Vec<(String, String)>,
}

#[test]
fn every_licence_is_allowed() {
    let policy = policy();
    let faults: Vec<_> = packages()
        .iter()
        .filter_map(|package| licence_fault(package, &policy))
        .collect();
    assert_none(&faults);
}

fn licence_fault(package: &Package, policy: &Policy) -> Option<String> {
    let name = &package.name;
    let Some(licence) = &package.licence else {
        return Some(format!("{name} names no licence"));
    };
    let expression = match Expression::parse_mode(licence, ParseMode::LAX) {
        Ok(expression) => expression,
        Err(error) => {
            return Some(format!(
                "{name}: `{licence}` is no licence expression: {error}"
            ));
        }
    };
    let is_allowed = expression.evaluate(|requirement| {
        let id = requirement.license.id();
        id.is_some_and(|id| policy.licences.contains(id.name))
    });
    (!is_allowed).then(|| format!("{name}: {licence} is not among the licences of deny.toml"))
}

#[test]
fn no_package_comes_twice_or_is_banned() {
    let policy = policy();
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut faults = Vec::new();
    for (name, version) in locked() {
        if let Some(reason) = policy.banned.get(&name) {
            faults.push(format!("{name} is banned: {reason}"));
        }
        versions.entry(name).or_default().insert(version);
    }
    for (name, mut versions) in versions.clone() {
        versions.retain(|version| !policy.is_skipped(&name, version));
        if versions.len() > 1 {
            faults.push(format!(
                "{name} comes in more than one version: {versions:?}"
            ));
        }
    }
    for (name, version) in &policy.skipped {
        let all = versions.get(name).into_iter().flatten();
        if versions.get(name).map_or(0, BTreeSet::len) < 2 {
            faults.push(format!(
                "{name}@{version} needs no exception any more: {:?}",
                all.collect::<Vec<_>>()
            ));
        }
    }
    assert_none(&faults);
}

impl Policy {
    fn is_skipped(&self, name: &str, version: &str) -> bool {
        self.skipped.iter().any(|(skipped, prefix)| {
            let rest = version.strip_prefix(prefix.as_str());
            skipped == name && rest.is_some_and(|rest| rest.starts_with('.'))
        })
    }
}

fn policy() -> Policy {
    let text = fs::read_to_string(files::root().join("deny.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let rows = |name: &str| table["bans"][name].as_array().unwrap().clone();
    let text = |row: &toml::Value, key: &str| row[key].as_str().unwrap().to_owned();
    let licences = table["licenses"]["allow"].as_array().unwrap();
    Policy {
        licences: licences
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect(),
        banned: rows("deny")
            .iter()
            .map(|row| (text(row, "crate"), text(row, "reason")))
            .collect(),
        skipped: rows("skip")
            .iter()
            .map(|row| {
                let (name, version) = row["crate"].as_str().unwrap().split_once('@').unwrap();
                assert!(!text(row, "reason").is_empty());
                (name.to_owned(), version.to_owned())
            })
            .collect(),
    }
}

/// Names and versions in the lock file.
fn locked() -> Vec<(String, String)> {
    let text = fs::read_to_string(files::root().join("Cargo.lock")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let packages = table["package"].as_array().unwrap().iter();
    let text = |row: &toml::Value, key: &str| row[key].as_str().unwrap().to_owned();
    packages
        .map(|row| (text(row, "name"), text(row, "version")))
        .collect()
}

/// The packages that this machine builds, as cargo describes them.
fn packages() -> Vec<Package> {
    let host = run("rustc", &["--print", "host-tuple"]);
    let host = host.trim();
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    // Without the filter cargo would have to fetch what only other systems need.
    let described = run(
        &cargo,
        &[
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--filter-platform",
            host,
        ],
    );
    let described: Value = serde_json::from_str(&described).unwrap();
    let packages = described["packages"].as_array().unwrap().iter();
    let text = |package: &Value, key: &str| package[key].as_str().map(str::to_owned);
    packages
        .map(|package| Package {
            name: text(package, "name").unwrap(),
            licence: text(package, "license"),
        })
        .collect()
}

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(files::root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_licence_that_is_not_allowed_is_told() {
    let package = |licence: &str| Package {
        name: "a-package".to_owned(),
        licence: Some(licence.to_owned()),
    };
    let fault = |licence| licence_fault(&package(licence), &policy());
    assert_eq!(fault("MIT/GPL-3.0"), None);
    assert!(fault("GPL-3.0-only").is_some());
    assert!(fault("MIT AND LGPL-2.1-or-later").is_some());
}
