//! A build where the release of an earlier one stands: nothing to do, or a few pages.

use super::Failure;
use super::amend;
use super::args::BuildArgs;
use super::inputs::{are_remembered, inputs};
use super::progress::Progress;
use crate::compile::Options;
use crate::load::{Glance, Known};
use crate::write::record::{self, Inputs, Said};
use crate::write::{Report, Target};

/// What a build is told before any entry is read.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    pub(super) options: &'a Options,
    pub(super) args: &'a BuildArgs,
    pub(super) target: &'a Target,
    pub(super) progress: &'a Progress,
}

/// Leaves the release as it is where a build would come to the same, and makes the pages of edited entries
/// where nothing else would be another; gives what a build would say. Files that stand as the last build
/// found them are not read. `None` if the whole site has to be built.
pub(super) fn run(told: Told<'_>, glance: &mut Glance) -> Result<Option<(Said, Report)>, Failure> {
    if !are_remembered(told.args) {
        return Ok(None);
    }
    let record = record::sources(told.target);
    let before = record
        .as_ref()
        .and_then(|record| Known::parse(&record.known));
    let before = before.unwrap_or_default();
    let known = glance.known(&before);
    told.progress.lap("load");
    let known = known.and_then(|known| Some((inputs(&known, told)?, known)));
    let Some((inputs, known)) = known else {
        return Ok(None);
    };
    if let Some(same) = unchanged(told, &inputs, (&before, &known)) {
        return Ok(Some(same));
    }
    let case = amend::Case {
        told,
        changes: &known.changes_since(&before),
        known: &known,
        inputs: &inputs,
        manifest: record.map(|record| record.manifest),
    };
    amend::run(&case, glance)
}

/// What a build would say that would come to what stands there already.
fn unchanged(
    told: Told<'_>,
    inputs: &Inputs,
    (before, known): (&Known, &Known),
) -> Option<(Said, Report)> {
    let (said, report) = record::unchanged(told.target, &inputs.all)?;
    if known != before {
        // Some of them were read, and need not be the next time.
        record::remember_sources(told.target, &report, &known.to_bytes());
    }
    told.progress.lap("compare with the last build");
    Some((said, report))
}
