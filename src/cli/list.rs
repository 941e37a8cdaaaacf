//! `countersign list`.

use super::args::{ListArgs, ListFormat, StateArg};
use super::report::{self, EntryReport};
use super::session::{Session, options};
use super::terminal::Stream;
use super::{Failure, Outcome};
use crate::assemble::dry_run;
use crate::compile::Compiled;
use crate::diagnostic::human::Colour;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, rule};
use crate::model::date::Date;
use crate::render::Templates;
use std::collections::BTreeMap;
use std::path::Path;

/// Lists every entry with its state.
pub(super) fn run(directory: Option<&Path>, args: &ListArgs) -> Result<Outcome, Failure> {
    let session = Session::open(directory)?;
    let options = options(&args.today, None, None)?;
    let mut compiled = session.compile(&options);
    let mut findings = compiled.findings.clone();
    if let Some(templates) = Templates::new(&session.sources, &mut findings) {
        findings.append(dry_run(&compiled, &session.sources, &templates));
    }
    crate::check::apply_severities(&compiled.site.config, &mut findings);
    compiled.judgement.refuse_faulty(&findings);
    crate::check::sort(&session.sources, &mut findings);
    let mut entries = report::entries(&compiled, &session.sources);
    if let Some(state) = args.state {
        entries.retain(|entry| entry.state == word(state));
    }
    let text = match args.format {
        ListFormat::Json => {
            let mut text = serde_json::to_string_pretty(&entries).unwrap_or_default();
            text.push('\n');
            text
        }
        ListFormat::Table => {
            let errors = errors(&findings);
            let held = reasons_to_hold(&compiled);
            let rows: Vec<_> = entries
                .iter()
                .map(|entry| cells(entry, &waits_for(entry, &errors, &held), options.today))
                .collect();
            table(&rows, Stream::Output.colour())
        }
    };
    Stream::Output.write(&text);
    Ok(Outcome::Clean)
}

fn word(state: StateArg) -> &'static str {
    match state {
        StateArg::Draft => "draft",
        StateArg::Refused => "refused",
        StateArg::Stale => "stale",
        StateArg::Held => "held",
        StateArg::Published => "published",
    }
}

/// Columns wide enough for their longest cell.
fn table(rows: &[[String; 5]], colour: Colour) -> String {
    if rows.is_empty() {
        return "no entries\n".to_owned();
    }
    let heads = ["entry", "kind", "state", "waits for", "oldest check"];
    let widths: Vec<usize> = heads
        .iter()
        .enumerate()
        .map(|(column, head)| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([head.len()]).max().unwrap_or(0)
        })
        .collect();
    let line = |cells: [&str; 5]| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| {
            let pad = width.saturating_sub(cell.chars().count());
            format!("{cell}{}", " ".repeat(pad))
        });
        let line = padded.collect::<Vec<_>>().join("  ");
        format!("{}\n", line.trim_end())
    };
    let mut text = line(heads);
    for row in rows {
        let plain = line([&row[0], &row[1], &row[2], &row[3], &row[4]]);
        text.push_str(&match colour {
            Colour::Never => plain,
            Colour::Always => tinted(&plain, row, &widths),
        });
    }
    text
}

/// A line with its state coloured, by the place where the state stands.
fn tinted(line: &str, row: &[String; 5], widths: &[usize]) -> String {
    let code = match row[2].as_str() {
        "published" => "32",
        "draft" => "36",
        "held" => "35",
        _ => "31",
    };
    let before: usize = widths.iter().take(2).map(|width| width + 2).sum();
    let (head, rest) = line.split_at(line.len().min(before));
    let rest = rest.replacen(&row[2], &format!("\u{1b}[{code}m{}\u{1b}[0m", row[2]), 1);
    format!("{head}{rest}")
}

fn cells(entry: &EntryReport<'_>, waits: &[String], today: Date) -> [String; 5] {
    let check = entry.oldest_check.as_deref().and_then(Date::parse);
    let check = check.map(|day| match today.days_since(day) {
        0 => format!("{day}, today"),
        1 => format!("{day}, yesterday"),
        days if days > 0 => format!("{day}, {days} days ago"),
        _ => day.to_string(),
    });
    [
        entry.id.to_owned(),
        entry.kind.to_owned(),
        entry.state.to_owned(),
        if waits.is_empty() {
            "–".to_owned()
        } else {
            waits.join(", ")
        },
        check.unwrap_or_else(|| "–".to_owned()),
    ]
}

/// How many errors each entry has that somebody has to mend.
fn errors(findings: &Diagnostics) -> BTreeMap<&str, usize> {
    let mut errors = BTreeMap::new();
    let counts = |finding: &&Diagnostic| {
        // A statement that is to come is whose turn it is.
        finding.severity == Severity::Error
            && ![rule::MISSING_STATEMENT, rule::STALE_SIGNOFF].contains(&finding.rule)
    };
    let counted = findings.iter().filter(counts);
    for id in counted.flat_map(Diagnostic::entries) {
        *errors.entry(&**id).or_default() += 1;
    }
    errors
}

/// The reason of each entry that is held.
fn reasons_to_hold(compiled: &Compiled) -> BTreeMap<&str, &str> {
    let entries = compiled.site.entries.iter();
    entries
        .filter_map(|entry| Some((entry.id.as_str(), entry.hold.as_ref()?.value.trim())))
        .collect()
}

/// What stands between an entry and its readers: whose turn it is, errors to mend, a reason to hold.
fn waits_for(
    entry: &EntryReport<'_>,
    errors: &BTreeMap<&str, usize>,
    held: &BTreeMap<&str, &str>,
) -> Vec<String> {
    let mut waits: Vec<_> = entry
        .waits_for
        .iter()
        .map(|&role| role.to_owned())
        .collect();
    match errors.get(entry.id).copied().unwrap_or(0) {
        0 => {}
        1 => waits.push("1 error".to_owned()),
        count => waits.push(format!("{count} errors")),
    }
    if entry.state == "held" {
        let reason = held.get(entry.id);
        waits.extend(reason.map(|reason| format!("“{}”", shortened(reason))));
    }
    waits
}

/// A reason that leaves room for the other columns.
fn shortened(text: &str) -> String {
    const LENGTH_MAX: usize = 40;
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() <= LENGTH_MAX {
        return line.to_owned();
    }
    let kept: String = line.chars().take(LENGTH_MAX - 1).collect();
    format!("{}…", kept.trim_end())
}
