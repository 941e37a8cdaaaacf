//! Every rule's page is a test: its *Fires* example gives the diagnostics that it shows and no
//! others, its *Quiet* example gives none. With `UPDATE=1` in the environment the blocks of
//! diagnostics are written anew.

mod page;
mod reference;
mod site;
mod words;

use countersign::assemble::dry_run;
use countersign::check;
use countersign::compile::{Compiled, Memory, Options, compile};
use countersign::diagnostic::human::{self, Colour};
use countersign::diagnostic::{Diagnostics, Group};
use countersign::model::date::Date;
use countersign::render::Templates;
use countersign::rules::{ALL, Rule};
use countersign::source::Sources;
use libtest_mimic::{Arguments, Failed, Trial};
use page::{Example, Run, Side};
use site::Files;
use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tempfile::TempDir;

/// The day that all examples are judged by.
const TODAY: &str = "2026-10-01";

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    if updates() {
        // A page is not read while it is written.
        arguments.test_threads = Some(1);
    }
    let trials = ALL.iter().flat_map(|rule| {
        [Side::Fires, Side::Quiet].map(|side| {
            let word = side.heading().trim_start_matches("## ").to_lowercase();
            Trial::test(format!("{}/{word}", rule.id.name), move || {
                trial(rule, side)
            })
        })
    });
    let settings = ALL
        .iter()
        .map(|rule| Trial::test(format!("{}/off", rule.id.name), move || turned_off(rule)));
    let reference = Trial::test("reference/fresh", || Ok(reference::fresh(updates())?));
    let words = ALL
        .iter()
        .map(|rule| Trial::test(format!("{}/words", rule.id.name), move || worded(rule)));
    let unseen = Trial::test("control-character/everywhere", words::unseen_characters);
    let trials = trials
        .chain(settings)
        .chain(words)
        .chain([reference, unseen]);
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn updates() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

fn trial(rule: &Rule, side: Side) -> Result<(), Failed> {
    let page = fs::read_to_string(page_path(rule))?;
    let example = page::example(&page, side)?;
    let found = findings(&example)?;
    let Some(place) = example.diagnostics else {
        if found.is_empty() {
            return Ok(());
        }
        return Err(format!("the quiet example is not quiet:\n{}", found.join("\n\n")).into());
    };
    let mine = format!("[{} {}]", rule.id.code, rule.id.name);
    if found.is_empty() {
        return Err("nothing was found".into());
    }
    if let Some(other) = found.iter().find(|text| !text.contains(&mine)) {
        return Err(format!("another rule fires as well:\n{other}").into());
    }
    let shown = format!("{}\n", found.join("\n\n"));
    if page[place.clone()] == shown {
        return Ok(());
    }
    if updates() {
        let mut page = page;
        page.replace_range(place, &shown);
        fs::write(page_path(rule), page)?;
        return Ok(());
    }
    let wanted = &page[place];
    Err(format!("the page shows:\n{wanted}\nthe rule says:\n{shown}").into())
}

/// A rule that a site sets to `off` finds nothing more, unless it cannot be turned down: then
/// the attempt is a finding and the rule stands.
fn turned_off(rule: &Rule) -> Result<(), Failed> {
    let mut example = page::example(rule.explain, Side::Fires)?;
    let before = findings(&example)?;
    site::set_severity(&mut example, rule.id.name, "off");
    let after = findings(&example)?;
    if !rule.id.is_fixed() {
        return match after.as_slice() {
            [] => Ok(()),
            left => Err(format!("it is not off:\n{}", left.join("\n\n")).into()),
        };
    }
    let refused = format!("the rule `{}` cannot be turned down", rule.id.name);
    if !after.iter().any(|finding| finding.contains(&refused)) {
        return Err("it may be turned down".into());
    }
    if rule.id.group == Group::Output {
        // The attempt is an error, so there is no release to audit.
        return Ok(());
    }
    let of = |finding: &&String| finding.contains(&format!("[{} ", rule.id.code));
    let (before, after) = (
        before.iter().filter(of).count(),
        after.iter().filter(of).count(),
    );
    if after < before {
        return Err(format!("{before} findings became {after}").into());
    }
    Ok(())
}

fn page_path(rule: &Rule) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    folder.join(format!("{}.md", rule.id.name))
}

/// Every finding of an example, as a terminal shows it.
fn findings(example: &Example) -> Result<Vec<String>, Failed> {
    let files = site::files(example, digests)?;
    if site::needs_disk(example) {
        return by_binary(example, &files);
    }
    let (sources, compiled) = compiled(&files);
    let mut findings = findings_of(&sources, &compiled);
    if example.run == Run::CheckNoDrafts {
        findings.append(compiled.judgement.unpublished());
        check::sort(&sources, &mut findings);
    }
    let shown = findings
        .iter()
        .map(|finding| human::render_one(finding, &sources, Colour::Never));
    Ok(shown.collect())
}

/// The digests of the one entry of an example.
fn digests(files: &Files) -> Option<(String, String)> {
    let (_, compiled) = compiled(files);
    let digests = compiled.judgement.verdicts.first()?.digests?;
    Some((digests.claims.to_string(), digests.freshness.to_string()))
}

/// What `check` finds.
fn findings_of(sources: &Sources, compiled: &Compiled) -> Diagnostics {
    let mut findings = compiled.findings.clone();
    if let Some(templates) = Templates::new(sources, &mut findings) {
        findings.append(dry_run(compiled, sources, &templates));
    }
    check::apply_severities(&compiled.site.config, &mut findings);
    check::sort(sources, &mut findings);
    findings
}

/// Whether the findings of a rule's example are worded as all are.
fn worded(rule: &Rule) -> Result<(), Failed> {
    let example = page::example(rule.explain, Side::Fires)?;
    words::well_worded(rule, &site::files(&example, digests)?)
}

fn compiled(files: &Files) -> (Sources, Compiled) {
    let sources = site::in_memory(files);
    let config = sources.find("site.toml").expect("every example has one");
    let options = Options {
        today: Date::parse(TODAY).expect("a day"),
        base_url: None,
        trusted: None,
    };
    let memory = Memory::none();
    let compiled = compile(&sources, config, &options, &memory, Diagnostics::new());
    (sources, compiled)
}

/// The findings that the real binary prints for an example on a disk.
fn by_binary(example: &Example, files: &Files) -> Result<Vec<String>, Failed> {
    let folder = TempDir::new()?;
    site::on_disk(folder.path(), example, files)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    command.arg("-C").arg(folder.path());
    match example.run {
        Run::Check => command.arg("check"),
        Run::CheckNoDrafts => command.args(["check", "--no-drafts"]),
    };
    command.args(["--today", TODAY]);
    if example.files.iter().any(|block| block.has("unreadable")) {
        give_up_privileges(&mut command, folder.path(), example)?;
    }
    let output = command.output()?;
    let text = String::from_utf8(output.stdout)?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    // The last paragraph is the closing line.
    let mut found: Vec<_> = text.split("\n\n").map(str::to_owned).collect();
    found.pop();
    Ok(found)
}

/// Who may read everything could not show what is closed to others: such a user hands over to
/// `nobody`.
fn give_up_privileges(command: &mut Command, root: &Path, example: &Example) -> Result<(), Failed> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(root, fs::Permissions::from_mode(0o755))?;
    let closed = example.files.iter().filter(|block| block.has("unreadable"));
    if closed
        .into_iter()
        .any(|block| File::open(root.join(&block.path)).is_ok())
    {
        command.uid(65534);
    }
    Ok(())
}
