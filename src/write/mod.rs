//! Writes an output to disk so that it is there whole or not at all.
//!
//! Takes finished files one by one ([`Staging`] is a [`crate::output::Sink`]) and gives a folder in which all of
//! them are, with their manifest. What is new is written aside; what the release before has
//! already is linked, not written again; then both folders change places in one step. Where few of many files
//! change, a [`Standing`] takes those alone, and what is remembered of the rest stays as it is. Invariants:
//! killed at any instant, the release is the old one or the new one; a file that no build wrote is
//! neither changed nor lost; nothing is written outside the output's folder, the work folder
//! beside it and the cache.

#![expect(clippy::disallowed_methods, reason = "it writes the release")]

mod amend;
pub mod cache;
mod commit;
mod error;
mod opened;
mod pages;
mod pages_text;
pub mod record;
mod spare;
mod staging;
mod stamps;
mod stamps_text;
mod standing;
mod swap;
mod target;
mod ties;
mod tree;
mod work;

pub use error::WriteError;
pub use staging::{Report, Staging};
pub use standing::{Standing, standing};
pub use target::Target;
pub use ties::{remember_ties, ties};

use crate::output::{Preview, Purpose, Release};
use cache::Cache;
use std::path::Path;

/// Begins a release. Nothing changes at its place until [`Staging::commit`].
pub fn release(target: &Target) -> Result<Staging<Release>, WriteError> {
    begin(target)
}

/// Begins an output with drafts, which goes anywhere but where a release is.
pub fn drafts(target: &Target) -> Result<Staging<Preview>, WriteError> {
    let out = target::resolve(&target.out)?;
    if out == target::resolve(&target.release)? {
        return Err(WriteError::DraftsIntoRelease(out));
    }
    begin(target)
}

fn begin<P: Purpose>(target: &Target) -> Result<Staging<P>, WriteError> {
    let out = target::resolve(&target.out)?;
    target::check_overlap(&target.site, &out)?;
    // Looked at before anything is made, so that a folder that is refused stays as it is.
    let seen = target::look(&out, P::CONTENTS, None)?;
    let work = work::Work::open(&out)?;
    swap::recover(&work, &out)?;
    let place = target::look(&out, P::CONTENTS, Some(seen))?;
    Staging::new(work, place, sound_cache(target, &out))
}

/// The cache of a target, if a release at `out` may be made with it.
fn sound_cache<'t>(target: &'t Target, out: &Path) -> Option<&'t Path> {
    let is_sound = |folder: &&Path| Cache::new(*folder).is_sound(out);
    target.cache.as_deref().filter(is_sound)
}
