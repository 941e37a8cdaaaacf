//! `countersign check`.

use super::args::{CheckArgs, FindingFormat};
use super::progress::Progress;
use super::session::{Session, options};
use super::terminal::Stream;
use super::{Failure, Outcome};
use super::{git, report};
use crate::assemble::dry_run_observed;
use crate::check;
use crate::compile::{Compiled, Memory};
use crate::diagnostic::{Diagnostics, RuleId, github, human, sarif};
use crate::render::Templates;
use crate::source::Sources;
use std::mem::ManuallyDrop;
use std::path::Path;

/// Checks the site and writes nothing.
pub(super) fn run(directory: Option<&Path>, args: &CheckArgs) -> Result<Outcome, Failure> {
    let progress = Progress::start();
    // The process ends soon after, which frees a whole site sooner than value by value.
    let mut session = ManuallyDrop::new(Session::open(directory)?);
    let trusted = session.trust(args.trust_from.as_deref())?;
    let options = options(&args.today, None, trusted)?;
    progress.lap("load");
    let mut compiled =
        ManuallyDrop::new(session.compile_observed(&options, &Memory::none(), &progress));
    progress.skip();
    let mut findings = compiled.findings.clone();
    if args.no_drafts {
        findings.append(compiled.judgement.unpublished());
    }
    if let Some(templates) = Templates::new(&session.sources, &mut findings) {
        findings.append(dry_run_observed(
            &compiled,
            &session.sources,
            &templates,
            &progress,
        ));
    }
    progress.lap("render and audit");
    progress.clear();
    check::apply_severities(&compiled.site.config, &mut findings);
    compiled.judgement.refuse_faulty(&findings);
    check::sort(&session.sources, &mut findings);
    if !args.only.is_empty() {
        keep_only(
            &args.only,
            &session.root,
            &compiled,
            &session.sources,
            &mut findings,
        )?;
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
        Stream::Error.write(&progress.text());
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

/// What was asked for: an entry's id, or a path of the site.
enum Wanted<'a> {
    Entry(&'a str),
    Path(String),
}

/// Keeps the findings about the entries and files that were asked for.
fn keep_only(
    only: &[String],
    root: &Path,
    compiled: &Compiled,
    sources: &Sources,
    findings: &mut Diagnostics,
) -> Result<(), Failure> {
    let verdicts = &compiled.judgement.verdicts;
    let mut all = Vec::new();
    for text in only {
        if verdicts.iter().any(|verdict| verdict.id.as_str() == text) {
            all.push(Wanted::Entry(text));
            continue;
        }
        let path = path_in_site(text, root);
        let path = path.filter(|path| sources.iter().any(|(_, file)| is_at(&file.path, path)));
        let Some(path) = path else {
            let ids = verdicts.iter().map(|verdict| verdict.id.as_str());
            let near = crate::diagnostic::nearest(text, ids);
            let help = near.map_or_else(String::new, |near| {
                format!("\nhelp: did you mean `{near}`?")
            });
            return Err(Failure::new(format!(
                "`{text}` is no entry and no file of this site{help}"
            )));
        };
        all.push(Wanted::Path(path));
    }
    findings.retain(|finding| {
        all.iter().any(|wanted| match wanted {
            Wanted::Entry(id) => finding.concerns(id),
            Wanted::Path(path) => is_at(&sources.file(finding.span.file).path, path),
        })
    });
    Ok(())
}

/// A path as the site's files are named: from the working folder if it leads into the site, else
/// from the site's folder. `None` for what lies outside.
fn path_in_site(text: &str, root: &Path) -> Option<String> {
    let root = root.canonicalize().ok()?;
    let real = Path::new(text).canonicalize();
    if let Some(inner) = real
        .as_deref()
        .ok()
        .and_then(|real| real.strip_prefix(&root).ok())
    {
        let parts = inner.iter().map(|part| part.to_string_lossy());
        return Some(parts.collect::<Vec<_>>().join("/"));
    }
    let path = text.trim_start_matches("./").trim_end_matches('/');
    (!path.starts_with('/') && !path.split('/').any(|part| part == "..")).then(|| path.to_owned())
}

/// Whether a file of the site is at a path or below it; everything is below the site itself.
fn is_at(path: &str, wanted: &str) -> bool {
    wanted.is_empty()
        || path == wanted
        || path
            .strip_prefix(wanted)
            .is_some_and(|rest| rest.starts_with('/'))
}
