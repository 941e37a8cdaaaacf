//! Runs the rules over a site and applies the site's severities.

use crate::diagnostic::{Diagnostics, Severity};
use crate::model::config::Config;
use crate::resolve::{EntryIndex, Site};
use crate::rules::{ALL, CheckContext, Scope, link_to_draft, placeholder_text};
use crate::source::{FileId, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// Runs every rule that looks at one entry at a time.
pub fn entry(cx: &CheckContext<'_>, out: &mut Diagnostics) {
    let from = out.len();
    for rule in ALL {
        if let Scope::Entry(check) = rule.scope {
            check(cx, out);
        }
    }
    out.name_entry_from(from, &cx.entry.id.shared());
}

/// Runs what needs to know which entries are published.
pub fn published(
    whole: (&Site, &Sources),
    published: impl Fn(EntryIndex) -> bool,
    out: &mut Diagnostics,
) {
    link_to_draft::check(whole, &published, out);
    placeholder_text::check(whole, &published, out);
}

/// Applies `[rules]` and drops what is off.
pub fn apply_severities(config: &Config, out: &mut Diagnostics) {
    out.for_each_mut(|finding| {
        // A rule may itself have chosen between warning and error; only a setting overrides it.
        if config.severities.contains_key(finding.rule.name) {
            finding.severity = config.severity(finding.rule);
        }
    });
    out.retain(|finding| finding.severity != Severity::Off);
}

/// Most findings of one rule that are listed for one file.
pub const LISTED_MAX: usize = 500;

/// Puts findings into the order in which they are shown: the sign-off first, then by path,
/// place and code. One fault of several entries is one finding; of one rule in one file,
/// [`LISTED_MAX`] are left.
pub fn sort(sources: &Sources, out: &mut Diagnostics) {
    let files: BTreeSet<FileId> = out.iter().map(|finding| finding.span.file).collect();
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_by_key(|file| &sources.file(*file).path);
    let ranks = files.into_iter().enumerate();
    let ranks: BTreeMap<FileId, usize> = ranks.map(|(rank, file)| (file, rank)).collect();
    out.sort_by_file(|file| ranks.get(&file).copied().unwrap_or(0));
    out.join();
    out.bound_each(LISTED_MAX);
}
