//! `docs/rules.md`: an index of all rules by group, then the page of each.

use countersign::diagnostic::Severity;
use countersign::diagnostic::rule::{Group, RuleId};
use countersign::rules::ALL;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const HEAD: &str = "\
<!-- Made by `cargo xtask rules` from the pages in src/rules; edit those. -->

# Rules

Every finding of `countersign check` and `countersign build` belongs to a rule. `countersign explain RULE` shows a rule's
page at the terminal, by name or by code.

A site sets severities in `site.toml`:

```toml
[rules]
weak-alt = \"error\"         # off, warn or error
uncited-source = \"warn\"
```

Rules of the sign-off and of the output, and those without which nothing else could be relied on, cannot be turned down;
the column *fixed* marks them. A rule that is `off` is there to be turned on.

On each page *Fires* is a small site with the diagnostics that it gives, and *Quiet* is the same site put right. Both are
tests. The path of each file stands above it. Where an example shows no `site.toml`, this one stands there, and the
day is 2026-10-01:

```toml
title = \"A course\"
base_url = \"https://example.org/course/\"
```

In statements `…` stands for the digest that `countersign sign` writes, and in signatures for the signature by the key
that the block names.
";

/// The whole page.
pub(crate) fn reference() -> String {
    let mut text = HEAD.to_owned();
    for group in Group::ALL {
        let _ = write!(text, "\n## {}\n\n{}\n\n", title(group), about(group));
        text.push_str(
            "| rule | code | severity | fixed | fires when |\n| --- | --- | --- | --- | --- |\n",
        );
        for id in of(group) {
            text.push_str(&row(id));
        }
    }
    for rule in ALL {
        let code = rule.id.code;
        let heading = format!("# {}\n", rule.id.name);
        let body = rule.explain.strip_prefix(&heading).unwrap_or(rule.explain);
        let _ = write!(
            text,
            "\n## {}\n\n`{code}` · {}\n{}",
            rule.id.name,
            standing(rule.id),
            lower(body)
        );
    }
    text
}

/// Compares the page with the file, or writes it.
pub(crate) fn fresh(update: bool) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules.md");
    let wanted = reference();
    if update {
        return fs::write(path, wanted).map_err(|error| error.to_string());
    }
    let found = fs::read_to_string(path).map_err(|error| error.to_string())?;
    if found == wanted {
        return Ok(());
    }
    Err("docs/rules.md is not what the pages in src/rules say: run `cargo xtask rules`".to_owned())
}

fn of(group: Group) -> impl Iterator<Item = RuleId> {
    ALL.iter()
        .map(|rule| rule.id)
        .filter(move |id| id.group == group)
}

fn row(id: RuleId) -> String {
    let (name, code, summary) = (id.name, id.code, id.summary);
    let fixed = if id.is_fixed() { "yes" } else { "" };
    format!(
        "| [{name}](#{name}) | {code} | {} | {fixed} | {summary} |\n",
        severity(id)
    )
}

fn severity(id: RuleId) -> &'static str {
    match id.severity {
        Severity::Off => "off",
        Severity::Warning => "warn",
        Severity::Error => "error",
    }
}

fn standing(id: RuleId) -> String {
    let fixed = if id.is_fixed() {
        ", cannot be turned down"
    } else {
        ""
    };
    format!("{}{fixed}", severity(id))
}

/// A page as a part of the reference: headings one level lower, and the path of each file above
/// its block, since a reader of the finished page does not see what stands after the ticks.
fn lower(page: &str) -> String {
    let mut text = String::new();
    let mut fenced = false;
    for line in page.split_inclusive('\n') {
        let fence = line.starts_with("```");
        if fence && !fenced {
            text.push_str(&opening(line.trim_end().trim_start_matches('`')));
        } else {
            if !fenced && line.starts_with('#') {
                text.push('#');
            }
            text.push_str(line);
        }
        fenced ^= fence;
    }
    text
}

fn opening(info: &str) -> String {
    let (path, words) = info.split_once(' ').unwrap_or((info, ""));
    let language = match path.rsplit_once('.') {
        Some((_, language @ ("md" | "toml" | "yaml" | "json" | "html" | "svg"))) => language,
        _ => "text",
    };
    match (info, words) {
        ("console", _) => "```sh\n".to_owned(),
        ("diagnostics", _) => "gives\n\n```text\n".to_owned(),
        (_, "" | "digests") => format!("**{path}**\n\n```{language}\n"),
        (_, words) => format!("**{path}**, {words}\n\n```{language}\n"),
    }
}

fn title(group: Group) -> &'static str {
    match group {
        Group::SignOff => "Sign-off",
        Group::Sources => "Sources",
        Group::Evidence => "Evidence",
        Group::Figures => "Figures",
        Group::Links => "Links",
        Group::Structure => "Structure",
        Group::Output => "Output",
    }
}

fn about(group: Group) -> &'static str {
    match group {
        Group::SignOff => {
            "Who wrote, who reviewed, and when: what decides whether an entry may be published."
        }
        Group::Sources => "The documents that an entry rests on.",
        Group::Evidence => "Captures, numbers in prose and the formulas between them.",
        Group::Figures => {
            "Diagrams, models, matrices and what is said about them to those who cannot see them."
        }
        Group::Links => "Links between entries, to files and out of the site.",
        Group::Structure => "Files, keys, ids, Markdown and templates.",
        Group::Output => "What the audit finds in the finished release, before it takes its place.",
    }
}
