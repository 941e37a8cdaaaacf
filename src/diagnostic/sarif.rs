//! Findings as SARIF 2.1.0 (OASIS, 2020, with errata 01 of 2023), for code scanning.
//!
//! Places are relative to the site, under the base `SITE`; that in turn lies at a path from the
//! root of the work tree, `%SRCROOT%`. Columns count code points.

use super::{Diagnostic, Diagnostics, RuleId, Severity};
use crate::source::{Digest, Sources, Span};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Where the format's schema stands.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Characters of a path that an address keeps (RFC 3986, unreserved and the slash).
const KEPT: AsciiSet = NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A run to be shown.
#[derive(Debug, Clone, Copy)]
pub struct Log<'a> {
    /// What was found.
    pub findings: &'a Diagnostics,
    /// The files.
    pub sources: &'a Sources,
    /// Every rule with its page.
    pub rules: &'a [(RuleId, &'a str)],
    /// The path from the root of the work tree to the site: empty, or ends with a slash.
    pub prefix: &'a str,
}

/// The log as text.
pub fn render(log: &Log<'_>) -> String {
    let rules: Vec<_> = log.rules.iter().map(|(id, page)| rule(*id, page)).collect();
    let driver = json!({
        "name": "countersign",
        "version": env!("CARGO_PKG_VERSION"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    let whole = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": bases(log.prefix),
            "results": results(log),
        }],
    });
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    text
}

fn bases(prefix: &str) -> Value {
    let address = match prefix {
        "" => "./".to_owned(),
        prefix => address(prefix),
    };
    json!({
        "SITE": {
            "uri": address,
            "uriBaseId": "%SRCROOT%",
            "description": {"text": "The folder of site.toml."},
        },
        "%SRCROOT%": {"description": {"text": "The root of the work tree."}},
    })
}

fn rule(id: RuleId, page: &str) -> Value {
    json!({
        "id": id.code,
        "name": id.name,
        "shortDescription": {"text": id.summary},
        "fullDescription": {"text": rationale(page)},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {
            "enabled": id.severity != Severity::Off,
            "level": level(if id.severity == Severity::Off { Severity::Warning } else { id.severity }),
        },
        "properties": {"tags": [id.group.word()]},
    })
}

/// The first paragraph below a page's title.
fn rationale(page: &str) -> String {
    let paragraph = page.split("\n\n").nth(1).unwrap_or_default();
    paragraph.lines().collect::<Vec<_>>().join(" ")
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Off => "none",
    }
}

fn results(log: &Log<'_>) -> Vec<Value> {
    let mut seen = BTreeMap::new();
    let result = |finding: &Diagnostic| {
        let mark = fingerprint(finding, log.sources);
        let times = seen.entry(mark).or_insert(0_usize);
        *times += 1;
        result(log, finding, &format!("{}:{times}", mark.hex()))
    };
    log.findings.iter().map(result).collect()
}

fn result(log: &Log<'_>, finding: &Diagnostic, fingerprint: &str) -> Value {
    let mut result = json!({
        "ruleId": finding.rule.code,
        "level": level(finding.severity),
        "message": {"text": finding.full_text()},
        "locations": [{"physicalLocation": place(log.sources, finding.span)}],
        "partialFingerprints": {"countersign/v1": fingerprint},
    });
    if let Some(index) = log.rules.iter().position(|(id, _)| *id == finding.rule) {
        result["ruleIndex"] = json!(index);
    }
    if !finding.related.is_empty() {
        let related = finding.related.iter().enumerate().map(|(at, related)| {
            json!({
                "id": at + 1,
                "message": {"text": related.label},
                "physicalLocation": place(log.sources, related.span),
            })
        });
        result["relatedLocations"] = related.collect();
    }
    if let Some(entry) = &finding.entry {
        result["properties"] = json!({"entry": &**entry});
        if !finding.others.is_empty() {
            let others: Vec<_> = finding.others.iter().map(|id| &**id).collect();
            result["properties"]["otherEntries"] = json!(others);
        }
    }
    result
}

fn place(sources: &Sources, span: Span) -> Value {
    let (start, end) = sources.position(span);
    json!({
        "artifactLocation": {"uri": address(&sources.file(span.file).path), "uriBaseId": "SITE"},
        "region": {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        },
    })
}

fn address(path: &str) -> String {
    utf8_percent_encode(path, &KEPT).to_string()
}

/// A mark by which a finding is known again after lines were added above it: its rule, entry and
/// file, and the text of the lines that it is about. Messages are left out, since some count days.
fn fingerprint(finding: &Diagnostic, sources: &Sources) -> Digest {
    let file = sources.file(finding.span.file);
    let range = finding.span.range();
    let start = file
        .text
        .get(..range.start)
        .and_then(|before| before.rfind('\n'));
    let end = file
        .text
        .get(range.end..)
        .and_then(|after| after.find('\n'));
    let from = start.map_or(0, |at| at + 1);
    let to = end.map_or(file.text.len(), |at| range.end + at);
    let lines = file.text.get(from..to).unwrap_or("");
    let words: Vec<_> = lines.split_whitespace().collect();
    let entry = finding.entry.as_deref().unwrap_or("");
    let parts = [finding.rule.code, entry, &file.path, &words.join(" ")];
    Digest::of(parts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::rule;
    use crate::source::SourceFile;

    fn marks(text: &str, words: &str) -> Vec<String> {
        let mut sources = Sources::new();
        let file = sources.add(SourceFile::new("content/a b.md", text, Digest::of("")));
        let mut findings = Diagnostics::new();
        for (at, found) in text.match_indices(words) {
            let span = Span::new(file, at..at + found.len());
            findings.push(Diagnostic::new(rule::SAME_PERSON, span, format!("at {at}")));
        }
        let log = Log {
            findings: &findings,
            sources: &sources,
            rules: &[(rule::SAME_PERSON, "# same-person\n\nWhy\nso.\n\n## Fires\n")],
            prefix: "docs/",
        };
        let log: Value = serde_json::from_str(&render(&log)).unwrap();
        let run = &log["runs"][0];
        assert_eq!(
            run["tool"]["driver"]["rules"][0]["fullDescription"]["text"],
            "Why so."
        );
        assert_eq!(run["originalUriBaseIds"]["SITE"]["uri"], "docs/");
        let results = run["results"].as_array().unwrap();
        let mark = |result: &Value| {
            let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
            assert_eq!(place["uri"], "content/a%20b.md");
            let mark = result["partialFingerprints"]["countersign/v1"].as_str();
            mark.unwrap().to_owned()
        };
        results.iter().map(mark).collect()
    }

    #[test]
    fn a_finding_is_known_again_when_it_moves() {
        let before = marks("by: Ada\nby: Ada\n", "Ada");
        assert_ne!(before[0], before[1]);
        assert_eq!(before, marks("title\n\n  by:  Ada\nby: Ada\n", "Ada"));
        assert_ne!(before, marks("of: Ada\nby: Ada\n", "Ada"));
    }
}
