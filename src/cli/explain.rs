//! `countersign explain`.

use super::args::ExplainArgs;
use super::terminal::Stream;
use super::{Failure, Outcome};
use crate::diagnostic::rule::{Group, RuleId};
use crate::diagnostic::{Severity, nearest};
use crate::rules::{ALL, Rule, find};
use std::fmt::Write as _;

/// Prints a rule's page, or the list of all rules.
pub(super) fn run(args: &ExplainArgs) -> Result<Outcome, Failure> {
    let text = match &args.rule {
        None => list(),
        Some(name) => page(find(name).ok_or_else(|| unknown(name))?),
    };
    Stream::Output.write(&text);
    Ok(Outcome::Clean)
}

fn page(rule: &Rule) -> String {
    let id = rule.id;
    let body = rule.explain.split_once('\n').map_or("", |(_, body)| body);
    let (code, name, summary, standing) = (id.code, id.name, id.summary, standing(id));
    format!("{code} {name}: {standing}\n{summary}\n{body}")
}

/// How much it weighs, and whether a site can change that.
fn standing(id: RuleId) -> String {
    let severity = id.severity.word();
    if id.is_fixed() {
        return format!("{severity}, cannot be turned down");
    }
    format!("{severity} unless `[rules]` of site.toml says otherwise")
}

fn list() -> String {
    let widest = ALL.iter().map(|rule| rule.id.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for group in Group::ALL {
        let word = group.word();
        text.push_str(word);
        text.push('\n');
        for id in ALL
            .iter()
            .map(|rule| rule.id)
            .filter(|id| id.group == group)
        {
            let severity = match id.severity {
                Severity::Warning => "warn",
                other => other.word(),
            };
            let (code, name, summary) = (id.code, id.name, id.summary);
            let _ = writeln!(text, "  {code}  {name:widest$}  {severity:5}  {summary}");
        }
        text.push('\n');
    }
    text.push_str("`countersign explain RULE` shows why a rule is there, with an example.\n");
    text
}

fn unknown(name: &str) -> Failure {
    let names = ALL.iter().flat_map(|rule| [rule.id.name, rule.id.code]);
    let help = match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`countersign explain` lists every rule".to_owned(),
    };
    Failure::new(format!("there is no rule `{name}`\nhelp: {help}"))
}
