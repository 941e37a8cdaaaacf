//! Statements: what one person says about one version of an entry, in a file beside it.

use super::byline::Role;
use super::date::Date;
use crate::diagnostic::Diagnostics;
use crate::source::{Digest, FileId, Span, Spanned};

/// A statement as its file says. Whether it holds is for the gate to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its file.
    pub file: FileId,
    /// Host and path of the site it was made for.
    pub site: Spanned<String>,
    /// Id of the entry.
    pub entry: Spanned<String>,
    /// Author or reviewer.
    pub role: Spanned<Role>,
    /// Who says it: an id of the registry, or a name where there is none.
    pub person: Spanned<String>,
    /// The day of signing.
    pub signed_on: Spanned<Date>,
    /// Digest of all that the page said.
    pub claims: Spanned<Digest>,
    /// Digest of the check dates.
    pub freshness: Spanned<Digest>,
    /// The claims that the same person signed before, if any.
    pub supersedes: Option<Spanned<Digest>>,
}

/// What stands beside an entry for one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filed {
    /// No file.
    Missing,
    /// A file that is no statement: its findings.
    Unreadable(FileId, Diagnostics),
    /// A statement, with the place of its signature if there is one.
    Read(Box<Statement>, Option<FileId>),
}

impl Filed {
    /// The statement, if there is one that can be read.
    pub fn statement(&self) -> Option<&Statement> {
        match self {
            Self::Read(statement, _) => Some(statement),
            _ => None,
        }
    }

    /// The start of the file, if there is one.
    pub fn place(&self) -> Option<Span> {
        match self {
            Self::Missing => None,
            Self::Unreadable(file, _) => Some(Span::file(*file)),
            Self::Read(statement, _) => Some(Span::file(statement.file)),
        }
    }
}

/// The path of a role's statement beside an entry's file: `ID.author.toml` beside `ID.md`,
/// `author.toml` beside `index.md`. Its signature has `.sig` after that.
pub fn path(entry: &str, role: Role) -> String {
    let word = role.word();
    let stem = entry.strip_suffix(".md").unwrap_or(entry);
    match stem.strip_suffix("index") {
        Some(folder) if folder.ends_with('/') => format!("{folder}{word}.toml"),
        _ => format!("{stem}.{word}.toml"),
    }
}

/// The namespace of signatures by people in a role, for a site on a host. A port is no part of
/// it.
pub fn namespace(role: Role, host: &str) -> String {
    let port = host.rfind(':').filter(|&at| {
        let digits = &host[at + 1..];
        digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    let host = port.map_or(host, |at| &host[..at]);
    format!("countersign-{}@{host}", role.word())
}

/// A statement to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewStatement<'a> {
    /// Host and path of the site.
    pub site: &'a str,
    /// Id of the entry.
    pub entry: &'a str,
    /// Author or reviewer.
    pub role: Role,
    /// Who says it.
    pub person: &'a str,
    /// The day of signing.
    pub signed_on: Date,
    /// Digest of all that the page says.
    pub claims: Digest,
    /// Digest of the check dates.
    pub freshness: Digest,
    /// The claims that the same person signed before, if any.
    pub supersedes: Option<Digest>,
}

impl NewStatement<'_> {
    /// The text of the statement's file: what is signed, byte for byte.
    pub fn text(&self) -> String {
        let (site, entry, person) = (quote(self.site), quote(self.entry), quote(self.person));
        let (role, day) = (self.role.word(), self.signed_on);
        let mut text = format!(
            "site = {site}\nentry = {entry}\nrole = \"{role}\"\nperson = {person}\nsigned_on = {day}\n\
             claims = \"{}\"\nfreshness = \"{}\"\n",
            self.claims, self.freshness
        );
        if let Some(before) = self.supersedes {
            text.extend(["supersedes = ", &quote(&before.to_string()), "\n"]);
        }
        text
    }
}

/// A basic string of TOML.
fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.extend(format!("\\U{:08X}", u32::from(c)).chars()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_stand_beside_their_entry() {
        let at = |entry| path(entry, Role::Author);
        assert_eq!(
            at("content/terms/warp.md"),
            "content/terms/warp.author.toml"
        );
        assert_eq!(
            at("content/terms/warp/index.md"),
            "content/terms/warp/author.toml"
        );
        assert_eq!(at("content/terms/index.md"), "content/terms/author.toml");
        assert_eq!(
            at("content/terms/re-index.md"),
            "content/terms/re-index.author.toml"
        );
    }

    #[test]
    fn namespaces_name_role_and_host() {
        let of = |host| namespace(Role::Reviewer, host);
        assert_eq!(of("example.org"), "countersign-reviewer@example.org");
        assert_eq!(of("localhost:8000"), "countersign-reviewer@localhost");
        assert_eq!(of("[::1]"), "countersign-reviewer@[::1]");
    }
}
