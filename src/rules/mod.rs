//! Rules that look at a resolved site, one file each.
//!
//! A rule pushes findings with its own default severity; [`crate::check`] applies the site's
//! settings. Findings of the stages themselves (reading, resolving, simulating, evaluating, the
//! gate, rendering, the audit) have rules too: `countersign explain` knows every code.

mod bad_source_url;
mod duplicate_source;
pub(crate) mod link_to_draft;
mod missing_alt;
mod orphan_term;
mod stale_source;
mod uncited_source;
mod unknown_embed;
mod weak_alt;

use crate::diagnostic::{Diagnostics, RuleId};
use crate::model::date::Date;
use crate::model::entry::Entry;
use crate::resolve::{EntryIndex, References, Site};

/// What a rule may look at.
#[derive(Debug, Clone, Copy)]
pub struct CheckContext<'a> {
    /// The site.
    pub site: &'a Site,
    /// Today, as given.
    pub today: Date,
}

/// How a rule is run.
#[derive(Debug, Clone, Copy)]
pub enum Scope {
    /// Once for each entry.
    Entry(fn(&CheckContext<'_>, EntryIndex, &mut Diagnostics)),
    /// By the named stage itself.
    Stage(&'static str),
}

/// A rule that can be run.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Name, code, severity.
    pub id: RuleId,
    /// How it is run.
    pub scope: Scope,
}

/// The rules of this folder, in the order of codes.
pub const ALL: &[Rule] = &[
    bad_source_url::RULE,
    stale_source::RULE,
    duplicate_source::RULE,
    uncited_source::RULE,
    missing_alt::RULE,
    weak_alt::RULE,
    unknown_embed::RULE,
    link_to_draft::RULE,
    orphan_term::RULE,
];

impl CheckContext<'_> {
    /// An entry and what its references point at.
    fn entry(&self, index: EntryIndex) -> (&Entry, &References) {
        (&self.site.entries[index], &self.site.references[index])
    }
}
