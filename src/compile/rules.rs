//! The rules, remembered: what they find in an entry by all that they may look at.

use super::memo::{By, Keeping, Memo};
use crate::check;
use crate::diagnostic::Diagnostics;
use crate::model::date::Date;
use crate::model::entry::Entry;
use crate::resolve::{References, Site};
use crate::rules::CheckContext;
use crate::source::FileId;
use std::sync::Arc;

/// What is held of all that the rules may look at (see [`CheckContext`]): the entry, its references,
/// whether it is linked, the day, and the age that sources may have.
type Held = (Arc<Entry>, Arc<References>, bool, Date, u64);

/// The memo of this stage.
#[derive(Debug)]
pub(super) struct CheckMemo(Memo<Held, Diagnostics>);

impl CheckMemo {
    pub(super) fn new(keeping: Keeping) -> Self {
        Self(Memo::new(keeping))
    }
}

/// Runs every rule that looks at one entry at a time.
pub(super) fn check(
    memo: &CheckMemo,
    (site, files): (&Site, &[FileId]),
    today: Date,
    out: &mut Diagnostics,
) {
    let (entries, references) = (&site.entries, &site.references);
    let is_linked = |at: usize| !site.backlinks[at].is_empty();
    let source_max_age_days = site.config.source_max_age_days;
    let found = memo.0.all(
        files,
        |at| {
            let linked = By(is_linked(at));
            (
                &entries[at],
                &references[at],
                linked,
                By(today),
                By(source_max_age_days),
            )
        },
        |at, _| {
            let mut out = Diagnostics::new();
            let context = CheckContext {
                entry: &entries[at],
                references: &references[at],
                is_linked: is_linked(at),
                today,
                source_max_age_days,
            };
            check::entry(&context, &mut out);
            out
        },
    );
    for found in found {
        out.append(found);
    }
}
