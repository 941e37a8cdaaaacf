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
    /// Scheme, host and path that a build is for, ending in `/`.
    pub base_url: String,
    /// The same as site.toml has it: statements name the site by it, wherever a build is for.
    pub own_url: String,
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
        path(&self.base_url)
    }

    /// Host (and port) of `base_url`.
    pub fn host(&self) -> &str {
        host(&self.base_url)
    }

    /// Host (and port) of the site's own address: signatures are made for it.
    pub fn own_host(&self) -> &str {
        host(&self.own_url)
    }

    /// Host and path of the site's own address, as statements name the site.
    pub fn site_name(&self) -> String {
        format!("{}{}", host(&self.own_url), path(&self.own_url))
    }
}

fn after_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, after)| after)
}

fn host(url: &str) -> &str {
    after_scheme(url).split('/').next().unwrap_or("")
}

fn path(url: &str) -> &str {
    let after = after_scheme(url);
    after.find('/').map_or("/", |at| &after[at..])
}
