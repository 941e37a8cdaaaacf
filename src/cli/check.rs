//! `countersign check`.

use super::args::{CheckArgs, FindingFormat};
use super::session::{Session, options};
use super::stopwatch::Stopwatch;
use super::terminal::Stream;
use super::{Failure, Outcome};
use super::{git, report};
use crate::assemble::dry_run;
use crate::check;
use crate::compile::Compiled;
use crate::diagnostic::{Diagnostics, RuleId, github, human, sarif};
use crate::render::Templates;
use crate::source::Sources;
use std::path::Path;

/// Checks the site and writes nothing.
pub(super) fn run(directory: Option<&Path>, args: &CheckArgs) -> Result<Outcome, Failure> {
    let mut watch = Stopwatch::start();
    let mut session = Session::open(directory)?;
    let trusted = session.trust(args.trust_from.as_deref())?;
    let options = options(&args.today, None, trusted)?;
    watch.lap("read the files");
    let compiled = session.compile(&options);
    watch.lap("check");
    let mut findings = compiled.findings.clone();
    if args.no_drafts {
        findings.append(compiled.judgement.unpublished());
    }
    if let Some(templates) = Templates::new(&session.sources, &mut findings) {
        findings.append(dry_run(&compiled, &session.sources, &templates));
    }
    watch.lap("render and audit");
    check::apply_severities(&compiled.site.config, &mut findings);
    check::sort(&session.sources, &mut findings);
    if !args.only.is_empty() {
        keep_only(&args.only, &compiled, &session.sources, &mut findings)?;
    }
    let text = match args.format {
        FindingFormat::Human => human_text(&compiled, &session.sources, &findings),
        FindingFormat::Json => report::to_json(&compiled, &session.sources, &findings),
        FindingFormat::Sarif => sarif::render(&sarif::Log {
            findings: &findings,
            sources: &session.sources,
            rules: &pages(),
            prefix: &git::prefix(&session.root),
        }),
        FindingFormat::Github => {
            let closing = report::closing_line(report::summary(&compiled, &findings));
            let prefix = git::prefix(&session.root);
            github::render(&findings, &session.sources, &prefix, &closing)
        }
    };
    Stream::Output.write(&text);
    if args.timings {
        Stream::Error.write(&watch.text());
    }
    Ok(if findings.has_errors() {
        Outcome::Findings
    } else {
        Outcome::Clean
    })
}

/// Every rule with its page.
fn pages() -> Vec<(RuleId, &'static str)> {
    let rules = crate::rules::ALL.iter();
    rules.map(|rule| (rule.id, rule.explain)).collect()
}

fn human_text(compiled: &Compiled, sources: &Sources, findings: &Diagnostics) -> String {
    let mut text = human::render(findings, sources, Stream::Output.colour());
    text.push_str(&report::closing_line(report::summary(compiled, findings)));
    text
}

/// Keeps the findings about the entries and files that were asked for.
fn keep_only(
    only: &[String],
    compiled: &Compiled,
    sources: &Sources,
    findings: &mut Diagnostics,
) -> Result<(), Failure> {
    let verdicts = &compiled.judgement.verdicts;
    for wanted in only {
        let is_entry = verdicts.iter().any(|verdict| verdict.id.as_str() == wanted);
        if !is_entry && !sources.iter().any(|(_, file)| is_at(&file.path, wanted)) {
            let ids = verdicts.iter().map(|verdict| verdict.id.as_str());
            let near = crate::diagnostic::nearest(wanted, ids);
            let help = near.map_or_else(String::new, |near| {
                format!("\nhelp: did you mean `{near}`?")
            });
            return Err(Failure::new(format!(
                "`{wanted}` is no entry and no file of this site{help}"
            )));
        }
    }
    findings.retain(|finding| {
        only.iter().any(|wanted| {
            finding.entry.as_deref() == Some(wanted)
                || is_at(&sources.file(finding.span.file).path, wanted)
        })
    });
    Ok(())
}

/// Whether a file of the site is the path asked for, or lies below it. Paths may be given from
/// the site's folder or from the current one.
fn is_at(path: &str, wanted: &str) -> bool {
    let wanted = wanted.trim_start_matches("./").trim_end_matches('/');
    path == wanted
        || path
            .strip_prefix(wanted)
            .is_some_and(|rest| rest.starts_with('/'))
        || (wanted.contains('/') && wanted.ends_with(&format!("/{path}")))
}
