//! Statement files into [`Filed`]. Every fault makes the statement void, whatever weight a site
//! gives to the rule elsewhere: half of a statement says nothing.

use super::fields::Fields;
use super::toml;
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::byline::Role;
use crate::model::date::Date;
use crate::model::statement::{Filed, Statement, path};
use crate::source::{Digest, FileId, Sources, Span, Spanned};

/// Reads what stands beside an entry's file for a role.
pub fn beside(sources: &Sources, entry: FileId, role: Role) -> Filed {
    let path = path(&sources.file(entry).path, role);
    let Some(file) = sources.find(&path) else {
        return Filed::Missing;
    };
    let mut findings = Diagnostics::new();
    if sources.file(file).is_refused() {
        // The loader has said why.
        return Filed::Unreadable(file, findings);
    }
    match read(sources, file, &mut findings) {
        Some(statement) if findings.is_empty() => {
            let signature = sources.find(&format!("{path}.sig"));
            Filed::Read(Box::new(statement), signature)
        }
        _ => {
            findings.for_each_mut(|finding| {
                finding.rule = rule::MISSING_STATEMENT;
                finding.severity = rule::MISSING_STATEMENT.severity;
            });
            Filed::Unreadable(file, findings)
        }
    }
}

fn read(sources: &Sources, file: FileId, out: &mut Diagnostics) -> Option<Statement> {
    let text = &sources.file(file).text;
    let root = toml::parse(text, file, rule::MISSING_STATEMENT, out)?;
    let mut fields = Fields::open(&root, "a statement", rule::MISSING_STATEMENT, out)?;
    let site = fields.required("site", out);
    let entry = fields.required("entry", out);
    let role = fields
        .required("role", out)
        .and_then(|text| role(&text, out));
    let person = fields.required("person", out);
    let signed_on = fields
        .required("signed_on", out)
        .and_then(|text| day(&text, out));
    let claims = fields
        .required("claims", out)
        .and_then(|text| digest(&text, out));
    let freshness = fields
        .required("freshness", out)
        .and_then(|text| digest(&text, out));
    let supersedes = fields
        .text("supersedes", out)
        .and_then(|text| digest(&text, out));
    fields.finish(out);
    Some(Statement {
        file,
        site: site?,
        entry: entry?,
        role: role?,
        person: person?,
        signed_on: signed_on?,
        claims: claims?,
        freshness: freshness?,
        supersedes,
    })
}

fn role(text: &Spanned<String>, out: &mut Diagnostics) -> Option<Spanned<Role>> {
    let role = [Role::Author, Role::Reviewer]
        .into_iter()
        .find(|role| role.word() == text.value);
    if role.is_none() {
        out.push(fault(
            text.span,
            "the role of a statement is `author` or `reviewer`",
        ));
    }
    Some(Spanned::new(role?, text.span))
}

fn day(text: &Spanned<String>, out: &mut Diagnostics) -> Option<Spanned<Date>> {
    let day = Date::parse(&text.value);
    if day.is_none() {
        out.push(fault(
            text.span,
            "the day of signing is a date such as 2026-09-03",
        ));
    }
    Some(Spanned::new(day?, text.span))
}

fn digest(text: &Spanned<String>, out: &mut Diagnostics) -> Option<Spanned<Digest>> {
    let digest = Digest::parse(&text.value);
    if digest.is_none() {
        out.push(fault(
            text.span,
            "a digest is `sha256:` and 64 small hexadecimal digits",
        ));
    }
    Some(Spanned::new(digest?, text.span))
}

fn fault(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(rule::MISSING_STATEMENT, span, message)
        .label("this is something else")
        .help("Statements are written by `countersign sign`; sign again rather than edit one.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::statement::NewStatement;
    use crate::source::SourceFile;
    use proptest::prelude::*;

    fn filed(text: &str) -> Filed {
        let mut sources = Sources::new();
        let mut add =
            |path: &str, text: &str| sources.add(SourceFile::new(path, text, Digest::of(text)));
        let entry = add("content/terms/warp.md", "");
        add("content/terms/warp.author.toml", text);
        beside(&sources, entry, Role::Author)
    }

    fn statement(person: &str) -> String {
        let new = NewStatement {
            site: "example.org/course/",
            entry: "warp",
            role: Role::Author,
            person,
            signed_on: Date::parse("2026-09-03").unwrap(),
            claims: Digest::of("claims"),
            freshness: Digest::of("freshness"),
            supersedes: Some(Digest::of("before")),
        };
        new.text()
    }

    #[test]
    fn what_is_written_reads_back() {
        for person in ["ada", "Émilie \"du\" Châtelet\\"] {
            let filed = filed(&statement(person));
            let read = filed.statement().expect("readable");
            assert_eq!(read.person.value, person);
            assert_eq!(read.claims.value, Digest::of("claims"));
            assert_eq!(
                read.supersedes.as_ref().unwrap().value,
                Digest::of("before")
            );
            assert_eq!(read.signed_on.value.to_string(), "2026-09-03");
        }
    }

    #[test]
    fn half_a_statement_is_none() {
        let whole = statement("ada");
        let cases = [
            whole.replace("site =", "sites ="),
            whole.replace("\"author\"", "\"editor\""),
            whole.replace("2026-09-03", "2026-09-31"),
            whole.replace("sha256:", "sha1:"),
            format!("{whole}extra = 1\n"),
            format!("{whole}role = \"reviewer\"\n"),
            whole.lines().take(6).collect(),
            statement("a\u{7f}b"),
            whole.replace("\"ada\"", "\"a\\u202Eda\""),
            String::new(),
        ];
        for text in cases {
            let Filed::Unreadable(_, findings) = filed(&text) else {
                panic!("{text} is no statement")
            };
            assert!(findings.iter().all(|d| d.rule == rule::MISSING_STATEMENT));
            assert!(findings.has_errors(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in ".{0,200}") {
            prop_assert!(matches!(filed(&text), Filed::Unreadable(..)));
        }
    }
}
