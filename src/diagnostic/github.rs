//! Findings as GitHub workflow commands, which show as annotations on the lines of a change.
//!
//! Paths are given from the root of the git work tree. Ten annotations of each kind show for a
//! step; the order of the findings, sign-off first, decides which, and all stand in the log.

use super::{Diagnostic, Diagnostics, Severity};
use crate::source::Sources;
use std::fmt::Write as _;

/// Annotations of one kind that show for a step of a job.
const SHOWN_MAX: usize = 10;

/// One command a finding, and a closing notice. `prefix` leads from the root of the work tree to
/// the site and is empty or ends with a slash.
pub fn render(findings: &Diagnostics, sources: &Sources, prefix: &str, closing: &str) -> String {
    let mut text = String::new();
    for finding in findings {
        text.push_str(&command(finding, sources, prefix));
    }
    let closing = closing.trim_end();
    let most = [Severity::Error, Severity::Warning].map(|severity| findings.count(severity));
    let hidden = if most.into_iter().any(|count| count > SHOWN_MAX) {
        " The log of this step has those that do not show as annotations."
    } else {
        ""
    };
    let notice = format!("{closing}.{hidden}");
    let _ = writeln!(text, "::notice title=countersign::{}", data(&notice));
    text
}

fn command(finding: &Diagnostic, sources: &Sources, prefix: &str) -> String {
    let word = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Off => "notice",
    };
    let (start, end) = sources.position(finding.span);
    let path = format!("{prefix}{}", sources.file(finding.span.file).path);
    let mut place = format!("file={},line={}", property(&path), start.line);
    if start.line == end.line {
        // Columns count within one line only.
        let last = end.column.max(start.column);
        let _ = write!(
            place,
            ",endLine={},col={},endColumn={last}",
            end.line, start.column
        );
    } else {
        let _ = write!(place, ",endLine={}", end.line);
    }
    let title = format!("{} {}", finding.rule.code, finding.rule.name);
    let (title, message) = (property(&title), data(&finding.full_text()));
    format!("::{word} {place},title={title}::{message}\n")
}

/// Escapes the text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::rule;
    use crate::source::{Digest, SourceFile, Span};

    #[test]
    fn a_finding_is_one_escaped_line_from_the_root_of_the_work_tree() {
        let mut sources = Sources::new();
        let file = sources.add(SourceFile::new(
            "content/a,b:c%.md",
            "one\ntwo words\n",
            Digest::of(""),
        ));
        let mut findings = Diagnostics::new();
        let at = |range| Span::new(file, range);
        findings.push(
            Diagnostic::new(rule::SAME_PERSON, at(8..13), "100%: one,\ntwo").help("Ask.\r\nTwice."),
        );
        findings.push(Diagnostic::new(rule::WEAK_ALT, at(0..13), "weak"));
        assert_eq!(
            render(&findings, &sources, "docs/", "1 error, 1 warning\n"),
            "::error file=docs/content/a%2Cb%3Ac%25.md,line=2,endLine=2,col=5,endColumn=10,\
             title=CS102 same-person::100%25: one,%0Atwo%0Ahelp: Ask.%0D%0ATwice.\n\
             ::warning file=docs/content/a%2Cb%3Ac%25.md,line=1,endLine=2,title=CS402 weak-alt::weak\n\
             ::notice title=countersign::1 error, 1 warning.\n"
        );
    }

    #[test]
    fn the_notice_says_where_the_rest_is() {
        let mut sources = Sources::new();
        let file = sources.add(SourceFile::new("a.md", "text", Digest::of("")));
        let mut findings = Diagnostics::new();
        for place in 0..11 {
            let message = format!("finding {place}");
            findings.push(Diagnostic::new(rule::NO_SOURCES, Span::file(file), message));
        }
        let text = render(&findings, &sources, "", "11 errors");
        assert_eq!(text.lines().count(), 12);
        assert!(
            text.ends_with("The log of this step has those that do not show as annotations.\n")
        );
    }
}
