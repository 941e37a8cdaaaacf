//! Runs the rules over a site and applies the site's severities.

use crate::diagnostic::{Diagnostics, Severity};
use crate::model::config::Config;
use crate::resolve::{EntryIndex, Site};
use crate::rules::{ALL, CheckContext, Scope, link_to_draft};
use crate::source::Sources;
use rayon::prelude::*;

/// Runs every rule that looks at one entry at a time.
pub fn entries(cx: &CheckContext<'_>, out: &mut Diagnostics) {
    let found: Vec<Diagnostics> = (0..cx.site.entries.len())
        .into_par_iter()
        .map(|index| {
            let mut out = Diagnostics::new();
            for rule in ALL {
                if let Scope::Entry(check) = rule.scope {
                    check(cx, index, &mut out);
                }
            }
            out.name_entry_from(0, &cx.site.entries[index].id.shared());
            out
        })
        .collect();
    for findings in found {
        out.append(findings);
    }
}

/// Runs what needs to know which entries are published.
pub fn published(site: &Site, published: impl Fn(EntryIndex) -> bool, out: &mut Diagnostics) {
    link_to_draft::check(site, published, out);
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
/// place and code. Of one rule in one file, [`LISTED_MAX`] are left.
pub fn sort(sources: &Sources, out: &mut Diagnostics) {
    let mut paths: Vec<_> = sources.iter().map(|(id, file)| (&*file.path, id)).collect();
    paths.sort();
    let mut ranks = vec![0; paths.len()];
    for (rank, (_, id)) in paths.into_iter().enumerate() {
        ranks[id.index()] = rank;
    }
    out.sort_by_file(|file| ranks[file.index()]);
    out.bound_each(LISTED_MAX);
}
