//! `link-to-draft`: run by the gate's verdict, since only it knows what is published.

use super::{Rule, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::resolve::{Destination, EntryIndex, Site};

pub(super) const RULE: Rule = Rule {
    id: rule::LINK_TO_DRAFT,
    scope: Scope::Stage("check"),
    explain: include_str!("link-to-draft.md"),
};

/// Reports each link of a published entry that leads to an unpublished one.
pub(crate) fn check(site: &Site, published: impl Fn(EntryIndex) -> bool, out: &mut Diagnostics) {
    if (0..site.entries.len()).all(&published) {
        return;
    }
    for (index, entry) in site.entries.iter().enumerate() {
        if !published(index) {
            continue;
        }
        for (link, to) in entry.body.links.iter().zip(&site.references[index].links) {
            let Destination::Entry { index: to, .. } = to else {
                continue;
            };
            if published(*to) {
                continue;
            }
            out.push(
                Diagnostic::new(
                    rule::LINK_TO_DRAFT,
                    link.span,
                    format!(
                        "this links to `{}`, which is not published",
                        site.entries[*to].id
                    ),
                )
                .label("becomes plain words in the release")
                .help("Publish the other entry too, or leave the link for later.")
                .entry(entry.id.shared()),
            );
        }
    }
}
