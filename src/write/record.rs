//! What a build came to, so that the next build of the very same inputs need not be run again.
//!
//! The record stands in the cache, with the digest of everything that the build read and was
//! told. It counts only while the release still stands as that build left it: the bytes of the
//! manifest, and the stamp of every file that the manifest lists. Whatever else is found, there is
//! no record, and the build is run. Files that no build wrote are not looked at: a build that
//! changes nothing keeps them as they are.

use super::cache::Cache;
use super::opened::Opened;
use super::staging::Report;
use super::stamps_text::StampsText;
use super::swap;
use super::target::{self, Target};
use super::tree;
use super::work::Work;
use crate::output::MANIFEST_NAME;
use crate::source::Digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a build told people and programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Findings and states, without the line about what was written.
    pub text: String,
    /// The report for programs; empty where none was asked for.
    pub json: String,
}

/// What a release is made from, as digests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inputs {
    /// Of everything: the program, its options, the day, and the bytes of every file.
    pub all: Digest,
    /// The same without the files.
    pub frame: Digest,
    /// Of what every page may depend on: the program, the options that pages know of, and the
    /// bytes of every file that belongs to no single entry.
    pub of_pages: Digest,
}

/// What the last build of a release came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Last {
    /// What it was made from.
    pub inputs: Inputs,
    /// The digest of the manifest that it left.
    pub manifest: Digest,
    /// How many files it left.
    pub files: usize,
    /// The files of the site in which something was found, or which it concerns.
    pub found_in: BTreeSet<String>,
    /// What was said.
    pub said: Said,
}

#[derive(Serialize, Deserialize)]
struct Record {
    /// The digests of what the build was made from: [`Inputs`], in its order.
    inputs: [String; 3],
    /// The digest of the manifest that it left.
    manifest: String,
    /// How many files it left.
    files: usize,
    /// See [`Last::found_in`].
    found_in: BTreeSet<String>,
    said: Said,
}

/// What the last build of the target's release came to, if that is known.
pub fn last(target: &Target) -> Option<Last> {
    let cache = Cache::new(target.cache.as_ref()?);
    let record = read(&cache.said(&target::resolve(&target.out).ok()?)?)?;
    let [all, frame, of_pages] = record.inputs.map(|digest| Digest::parse(&digest));
    Some(Last {
        inputs: Inputs {
            all: all?,
            frame: frame?,
            of_pages: of_pages?,
        },
        manifest: Digest::parse(&record.manifest)?,
        files: record.files,
        found_in: record.found_in,
        said: record.said,
    })
}

/// What the last build said and would say again, if it was made from what has the digest `inputs`
/// and its release stands as it was left. Nothing in the release changes.
pub fn unchanged(target: &Target, inputs: &Digest) -> Option<(Said, Report)> {
    let out = target::resolve(&target.out).ok()?;
    target::check_surroundings(&target.site, &out).ok()?;
    let last = last(target)?;
    if last.inputs.all != *inputs {
        return None;
    }
    // Two builds of one release at once are told so, whether they would write or not.
    let work = Work::open(&out).ok()?;
    swap::recover(&work, &out).ok()?;
    let manifest = Digest::of(tree::read(&out.join(MANIFEST_NAME)).ok()?);
    if last.manifest != manifest {
        return None;
    }
    let stamps = Cache::new(target.cache.as_ref()?).stamps(&out)?;
    let stamps = StampsText::new(stamps).filter(|stamps| stamps.is_of(&manifest))?;
    if stamps.count_standing(&Opened::new(&out).ok()?)? != last.files {
        return None;
    }
    let report = Report {
        out,
        manifest,
        written: 0,
        kept: last.files,
        removed: 0,
        foreign: 0,
        left: Vec::new(),
    };
    Some((last.said, report))
}

/// Remembers what a build came to. Failing costs the next build
/// time, and nothing else.
pub fn remember(target: &Target, report: &Report, last: Last) {
    let Some(cache) = target.cache.as_ref().map(Cache::new) else {
        return;
    };
    let Inputs {
        all,
        frame,
        of_pages,
    } = last.inputs;
    let record = Record {
        inputs: [all, frame, of_pages].map(|digest| digest.to_string()),
        manifest: last.manifest.to_string(),
        files: last.files,
        found_in: last.found_in,
        said: last.said,
    };
    if let Ok(json) = serde_json::to_string(&record) {
        let digest = Digest::of(&json);
        cache.put_said(&report.out, &format!("{digest}\n{json}"));
    }
}

/// The name of what is known of entries.
const QUIET: &str = "quiet";

/// In which entries evaluating finds nothing, as the last build of a release put it; empty if that is not
/// known.
pub fn quiet(target: &Target) -> Vec<u8> {
    let known =
        || Cache::new(target.cache.as_ref()?).known(QUIET, &target::resolve(&target.out).ok()?);
    known().unwrap_or_default()
}

/// Remembers in which entries evaluating finds nothing.
pub fn remember_quiet(target: &Target, report: &Report, known: &[u8]) {
    if let Some(cache) = target.cache.as_ref().map(Cache::new) {
        cache.put_known(QUIET, &report.out, known);
    }
}

/// The name of what is known of source files.
const SOURCES: &str = "sources";

/// What was known of the source files that a release was made from.
#[derive(Debug)]
pub struct SourcesRecord {
    /// The digest of the manifest of that release.
    pub manifest: Digest,
    /// As the build put it.
    pub known: Vec<u8>,
}

/// What was known of the source files that the last build of a release was made from.
pub fn sources(target: &Target) -> Option<SourcesRecord> {
    let cache = Cache::new(target.cache.as_ref()?);
    let mut known = cache.known(SOURCES, &target::resolve(&target.out).ok()?)?;
    let (manifest, _) = known.split_at_checked(MANIFEST_BYTES)?;
    let manifest = Digest::from_bytes(manifest)?;
    known.drain(..MANIFEST_BYTES);
    Some(SourcesRecord { manifest, known })
}

/// Remembers what is known of the source files that a release was made from.
pub fn remember_sources(target: &Target, report: &Report, known: &[u8]) {
    if let Some(cache) = target.cache.as_ref().map(Cache::new) {
        let record = [report.manifest.bytes(), known].concat();
        cache.put_known(SOURCES, &report.out, &record);
    }
}

/// The length of a manifest's digest, in bytes.
const MANIFEST_BYTES: usize = 32;

/// Reads a record; `None` for one that was damaged.
fn read(text: &str) -> Option<Record> {
    let (digest, json) = text.split_once('\n')?;
    if Digest::parse(digest)? != Digest::of(json) {
        return None;
    }
    serde_json::from_str(json).ok()
}
