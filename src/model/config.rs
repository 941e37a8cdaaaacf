//! `site.toml`.

use crate::diagnostic::{RuleId, Severity};
use crate::source::{FileId, Span};
use std::collections::BTreeMap;

/// What the gate asks for before it publishes, from weakest to strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assurance {
    /// The byline names two people.
    Named,
    /// Each person's statement stands beside the entry.
    Attested,
    /// Each statement carries a signature by a key of that person.
    Signed,
}

impl Assurance {
    /// The word used in `site.toml` and on pages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::Attested => "attested",
            Self::Signed => "signed",
        }
    }
}

/// What happens to raw HTML in Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RawHtml {
    /// Kept as far as it is harmless; what is removed is a warning.
    Sanitize,
    /// An error.
    Deny,
    /// Kept as it is.
    Allow,
}

/// `site.toml`, checked. Defaults stand where it says nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The file.
    pub file: FileId,
    /// Title of the site.
    pub title: String,
    /// Scheme, host and path, ending in `/`.
    pub base_url: String,
    /// Place of `base_url`.
    pub base_url_span: Span,
    /// BCP 47 language tag.
    pub language: String,
    /// One sentence about the site.
    pub description: String,
    /// Release folder, relative to the site, with forward slashes.
    pub out: String,
    /// Place of `out`.
    pub out_span: Span,
    /// What the gate asks for.
    pub assurance: Assurance,
    /// A source checked longer ago than this many days is stale; 0 means no limit.
    pub source_max_age_days: u64,
    /// Severities that differ from a rule's own.
    pub severities: BTreeMap<&'static str, Severity>,
    /// What happens to raw HTML.
    pub raw_html: RawHtml,
}

impl Config {
    /// The severity of a rule in this site. A rule that cannot be turned down is at least at its
    /// own.
    pub fn severity(&self, rule: RuleId) -> Severity {
        match self.severities.get(rule.name) {
            Some(set) if rule.is_fixed() => rule.severity.max(*set),
            Some(set) => *set,
            None => rule.severity,
        }
    }

    /// The path of `base_url`: starts and ends with `/`.
    pub fn base_path(&self) -> &str {
        let after = self.base_url.find("://").map_or(0, |at| at + 3);
        self.base_url[after..]
            .find('/')
            .map_or("/", |at| &self.base_url[after + at..])
    }

    /// Host (and port) of `base_url`.
    pub fn host(&self) -> &str {
        let after = self.base_url.find("://").map_or(0, |at| at + 3);
        self.base_url[after..].split('/').next().unwrap_or("")
    }

    /// Host and path of `base_url`, as statements name the site.
    pub fn site_name(&self) -> String {
        format!("{}{}", self.host(), self.base_path())
    }
}
