//! `countersign list`.

use super::args::{ListArgs, ListFormat, StateArg};
use super::report::{self, EntryReport};
use super::session::{Session, options};
use super::terminal::Stream;
use super::{Failure, Outcome};
use crate::assemble::dry_run;
use crate::diagnostic::human::Colour;
use crate::render::Templates;
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
        ListFormat::Table => table(&entries, Stream::Output.colour()),
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
fn table(entries: &[EntryReport<'_>], colour: Colour) -> String {
    if entries.is_empty() {
        return "no entries\n".to_owned();
    }
    let heads = ["entry", "kind", "state", "waits for", "oldest check"];
    let rows: Vec<[String; 5]> = entries.iter().map(cells).collect();
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
    for row in &rows {
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

fn cells(entry: &EntryReport<'_>) -> [String; 5] {
    let dash = || "–".to_owned();
    let waits = if entry.waits_for.is_empty() {
        dash()
    } else {
        entry.waits_for.join(", ")
    };
    [
        entry.id.to_owned(),
        entry.kind.to_owned(),
        entry.state.to_owned(),
        waits,
        entry.oldest_check.clone().unwrap_or_else(dash),
    ]
}
