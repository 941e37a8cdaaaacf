//! What is remembered from one compilation to the next: readings of entries.
//!
//! A reading depends on the bytes of its file, on the captures that it names, and on how raw HTML
//! is treated, and on nothing else. A reading with findings is made again each time, so that a
//! file which was missing then is found now.

use crate::model::config::RawHtml;
use crate::parse::entry::EntryFile;
use crate::parse::site::{EntryReading, Remember};
use crate::source::{Digest, FileId, Sources};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Readings by file.
#[derive(Debug, Default)]
pub struct Memory {
    readings: Mutex<BTreeMap<FileId, Held>>,
    keeps: bool,
}

#[derive(Debug)]
struct Held {
    text: Digest,
    raw_html: RawHtml,
    /// The capture files that were read, with the digests they had.
    captures: Vec<(FileId, Digest)>,
    reading: EntryReading,
}

impl Memory {
    /// A memory that keeps nothing: for a single run, where keeping would only cost.
    pub fn none() -> Self {
        Self::default()
    }

    /// A memory that keeps readings. It must see one set of sources alone, in which a file keeps
    /// its id for as long as it is there.
    pub fn keeping() -> Self {
        Self {
            keeps: true,
            ..Self::default()
        }
    }
}

impl Remember for Memory {
    fn recall(&self, sources: &Sources, at: &EntryFile, raw_html: RawHtml) -> Option<EntryReading> {
        if !self.keeps {
            return None;
        }
        let readings = self.readings.lock().unwrap_or_else(PoisonError::into_inner);
        let held = readings.get(&at.file)?;
        let same = held.text == sources.file(at.file).raw
            && held.raw_html == raw_html
            && held.reading.at.id == at.id
            && held.reading.at.kind == at.kind
            && held
                .captures
                .iter()
                .all(|(file, digest)| sources.file(*file).raw == *digest);
        same.then(|| held.reading.clone())
    }

    fn keep(&self, sources: &Sources, raw_html: RawHtml, reading: &EntryReading) {
        let Some(entry) = reading.entry.as_ref().filter(|_| self.keeps) else {
            return;
        };
        if !reading.findings.is_empty() {
            return;
        }
        let captures = entry.measured.iter().filter_map(|capture| capture.file);
        let held = Held {
            text: sources.file(reading.at.file).raw,
            raw_html,
            captures: captures
                .map(|file| (file, sources.file(file).raw))
                .collect(),
            reading: reading.clone(),
        };
        let mut readings = self.readings.lock().unwrap_or_else(PoisonError::into_inner);
        readings.insert(reading.at.file, held);
    }
}
