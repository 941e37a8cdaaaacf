//! Small sites of kinds that break generators, each with the right outcome.
//!
//! A case is a folder of `tests/cases`: an overlay on `_base` (a small valid site with two
//! published terms) and an `expect.toml`. It is checked and built by the real binary; adding a
//! case touches no Rust.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use support::{copy, countersign, files};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Expect {
    /// Exit status of `check`; `build` must end alike.
    exit: i32,
    /// Whether findings beyond those listed are allowed.
    more: bool,
    /// Texts that no text file of the release may hold.
    nowhere: Vec<String>,
    /// The same whatever the case of letters, file names included.
    nowhere_folded: Vec<String>,
    /// Endings of the files in which `nowhere` is looked for; all where there is none.
    only: Vec<String>,
    /// Paths that must not exist afterwards.
    absent: Vec<String>,
    /// A source whose plain form (no mark, `\n`) must give the same release.
    same_as_plain: Option<String>,
    /// Pages whose ids must all differ.
    unique_ids: Vec<String>,
    /// Files that a strict XML reader must take.
    strict_xml: Vec<String>,
    finding: Vec<Finding>,
    states: BTreeMap<String, String>,
    file: Vec<FileExpect>,
    link: Vec<Link>,
    write: Vec<Write>,
    repeat: Vec<Repeat>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Finding {
    rule: String,
    path: String,
    line: Option<u32>,
    column: Option<u32>,
    severity: Option<String>,
    message: Option<String>,
    help: Option<String>,
    /// The entries that it concerns, where there are several.
    entries: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileExpect {
    path: String,
    #[serde(default)]
    contains: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Link {
    at: String,
    to: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Write {
    at: String,
    text: String,
}

/// An entry whose body is a text many times over.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Repeat {
    at: String,
    title: String,
    text: String,
    times: usize,
}

fn main() {
    let folder = support::repository("tests/cases");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .expect("tests/cases is there")
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join("expect.toml").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let trials = names
        .into_iter()
        .map(|name| {
            let folder = folder.clone();
            Trial::test(format!("case/{name}"), move || run(&folder, &name))
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(folder: &Path, name: &str) -> Result<(), Failed> {
    let text = fs::read_to_string(folder.join(name).join("expect.toml"))?;
    let expect: Expect = toml::from_str(&text).map_err(|error| error.to_string())?;
    let space = tempfile::tempdir()?;
    let case = space.path().join("case");
    lay_out(folder, name, &expect, &case)?;
    let site = case.join("site");
    let mut faults = Vec::new();
    check(&site, &expect, &mut faults)?;
    build(&site, &expect, &mut faults)?;
    release(&site, &expect, &mut faults)?;
    for path in &expect.absent {
        if case.join(path).exists() {
            faults.push(format!("{path} exists"));
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.join("\n").into())
    }
}

/// Lays the base and the case out, with what cannot lie in a repository.
fn lay_out(folder: &Path, name: &str, expect: &Expect, case: &Path) -> Result<(), Failed> {
    copy(&folder.join("_base"), case)?;
    copy(&folder.join(name), case)?;
    for Write { at, text } in &expect.write {
        let path = case.join(at);
        fs::create_dir_all(path.parent().unwrap_or(case))?;
        fs::write(path, text)?;
    }
    for Link { at, to } in &expect.link {
        let path = case.join(at);
        fs::create_dir_all(path.parent().unwrap_or(case))?;
        std::os::unix::fs::symlink(to, path)?;
    }
    for repeat in &expect.repeat {
        let base = fs::read_to_string(case.join("site/content/terms/occupancy.md"))?;
        let head = base.split("\n---\n").next().unwrap_or_default();
        let head = head
            .replace("What is occupancy?", &repeat.title)
            .replace("term: occupancy\n", "");
        let body = repeat.text.repeat(repeat.times);
        fs::write(case.join(&repeat.at), format!("{head}\n---\n\n{body}\n"))?;
    }
    Ok(())
}

fn check(site: &Path, expect: &Expect, faults: &mut Vec<String>) -> Result<(), Failed> {
    let output = countersign(site, &["check", "--format", "json"])?;
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|error| {
        let text = String::from_utf8_lossy(&output.stderr);
        format!("check gave no JSON ({error}): {text}")
    })?;
    if output.status.code() != Some(expect.exit) {
        faults.push(format!("check ended with {:?}", output.status.code()));
    }
    let none = Vec::new();
    let found = report["findings"].as_array().unwrap_or(&none);
    let mut used = BTreeSet::new();
    for wanted in &expect.finding {
        let hit = found
            .iter()
            .enumerate()
            .find(|(at, finding)| !used.contains(at) && matches(wanted, finding));
        match hit {
            Some((at, _)) => {
                used.insert(at);
            }
            None => faults.push(format!("not found: {wanted:?}")),
        }
    }
    for (at, finding) in found.iter().enumerate() {
        if !used.contains(&at) && !expect.more {
            faults.push(format!("not expected: {finding}"));
        }
    }
    for (id, state) in &expect.states {
        let entries = report["entries"].as_array().unwrap_or(&none);
        let entry = entries.iter().find(|entry| entry["id"] == id.as_str());
        let is = entry.map_or("not there", |entry| entry["state"].as_str().unwrap_or(""));
        if is != state {
            faults.push(format!("{id} is {is}, not {state}"));
        }
    }
    Ok(())
}

fn matches(wanted: &Finding, finding: &serde_json::Value) -> bool {
    let text = |key: &str| finding[key].as_str().unwrap_or("");
    let holds = |part: &Option<String>, key: &str| {
        part.as_ref()
            .is_none_or(|part| text(key).contains(part.as_str()))
    };
    text("rule") == wanted.rule
        && text("path") == wanted.path
        && wanted.line.is_none_or(|line| finding["line"] == line)
        && wanted
            .column
            .is_none_or(|column| finding["column"] == column)
        && wanted
            .severity
            .as_ref()
            .is_none_or(|severity| text("severity") == severity)
        && holds(&wanted.message, "message")
        && holds(&wanted.help, "help")
        && wanted
            .entries
            .as_ref()
            .is_none_or(|entries| *entries == entries_of(finding))
}

/// Every entry that a finding concerns.
fn entries_of(finding: &serde_json::Value) -> Vec<&str> {
    let others = finding["other_entries"].as_array().into_iter().flatten();
    let all = [&finding["entry"]].into_iter().chain(others);
    all.filter_map(serde_json::Value::as_str).collect()
}

fn build(site: &Path, expect: &Expect, faults: &mut Vec<String>) -> Result<(), Failed> {
    let output = countersign(site, &["build"])?;
    let code = output.status.code();
    if code != Some(expect.exit) {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        faults.push(format!("build ended with {code:?}: {text}"));
    }
    if expect.exit != 0 && site.join("public").exists() {
        faults.push("a refused build left a release".to_owned());
    }
    Ok(())
}

fn release(site: &Path, expect: &Expect, faults: &mut Vec<String>) -> Result<(), Failed> {
    if expect.exit != 0 {
        return Ok(());
    }
    let public = site.join("public");
    let files = files(&public)?;
    for wanted in &expect.file {
        let Ok(text) = fs::read_to_string(public.join(&wanted.path)) else {
            faults.push(format!("{} is not in the release", wanted.path));
            continue;
        };
        for part in wanted
            .contains
            .iter()
            .filter(|part| !text.contains(part.as_str()))
        {
            faults.push(format!("{} lacks {part:?}", wanted.path));
        }
        for part in wanted
            .lacks
            .iter()
            .filter(|part| text.contains(part.as_str()))
        {
            faults.push(format!("{} holds {part:?}", wanted.path));
        }
    }
    for (path, bytes) in &files {
        nowhere(path, bytes, expect, faults);
    }
    for path in &expect.unique_ids {
        unique_ids(&fs::read_to_string(public.join(path))?, path, faults);
    }
    for path in &expect.strict_xml {
        let text = fs::read_to_string(public.join(path))?;
        if let Err(error) = roxmltree::Document::parse(&text) {
            faults.push(format!("{path} is no XML: {error}"));
        }
    }
    if let Some(source) = &expect.same_as_plain {
        let path = site.join(source);
        let text = fs::read_to_string(&path)?;
        let plain = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        fs::write(&path, plain)?;
        countersign(site, &["build"])?;
        if support::files(&public)? != files {
            faults.push(format!("the plain form of {source} gives another release"));
        }
    }
    Ok(())
}

fn nowhere(path: &str, bytes: &[u8], expect: &Expect, faults: &mut Vec<String>) {
    let text = String::from_utf8_lossy(bytes);
    let is_text = std::str::from_utf8(bytes).is_ok();
    let ending = path.rsplit('.').next().unwrap_or_default();
    let looked_at = expect.only.is_empty() || expect.only.iter().any(|only| only == ending);
    for part in &expect.nowhere {
        if is_text && looked_at && text.contains(part.as_str()) {
            faults.push(format!("{path} holds {part:?}"));
        }
    }
    for part in &expect.nowhere_folded {
        if text.to_lowercase().contains(part) || path.to_lowercase().contains(part) {
            faults.push(format!("{path} holds {part:?}"));
        }
    }
}

fn unique_ids(html: &str, path: &str, faults: &mut Vec<String>) {
    let mut seen = BTreeSet::new();
    for id in html
        .split(" id=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
    {
        if !seen.insert(id) {
            faults.push(format!("{path} has the id {id:?} twice"));
        }
    }
}
