//! Reading, remembered: each file by the digest of its bytes.

use super::memo::{By, ByRef, Found, Keeping, Memo};
use crate::diagnostic::Diagnostics;
use crate::model::config::RawHtml;
use crate::model::figure::Preset;
use crate::model::page::Page;
use crate::model::person::People;
use crate::model::slug::Slug;
use crate::parse::entry::EntryFile;
use crate::parse::page::PageFile;
use crate::parse::site::{EntryFiles, EntryReading, Parsed};
use crate::parse::{active, config, page, people, site};
use crate::source::{FileId, Listing, Sources, Stamp};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A reading with what it asked for.
#[derive(Debug)]
pub(super) struct HeldReading {
    pub(super) reading: EntryReading,
    /// Each path that was looked for, and the file that stood there.
    asked: Vec<(String, Option<Stamp>)>,
    /// Which files there were.
    listing: Arc<Listing>,
}

/// What is held of a file's reading: which file it was, its bytes, and how raw HTML was treated.
type Held<At> = (At, Stamp, RawHtml);

/// The memos of this stage.
#[derive(Debug)]
pub(super) struct ReadMemos {
    listing: Memo<Listing, Arc<Listing>>,
    entry_files: Memo<Arc<Listing>, Found<EntryFiles>>,
    entries: Memo<Held<EntryFile>, Arc<HeldReading>>,
    page_files: Memo<Arc<Listing>, Found<Vec<PageFile>>>,
    pages: Memo<Held<PageFile>, Found<Option<Arc<Page>>>>,
    people: Memo<Option<Stamp>, Found<People>>,
    presets: Memo<Vec<PresetStamp>, PresetsRead>,
}

/// The presets of a site as they were read, with the stamps of their files.
type PresetsRead = (Arc<Vec<PresetStamp>>, Found<BTreeMap<Slug, Option<Preset>>>);

/// A preset's file as it is now. Stamps that are equal stand for equal presets.
pub(super) type PresetStamp = (Slug, Stamp);

impl ReadMemos {
    pub(super) fn new(keeping: Keeping) -> Self {
        Self {
            listing: Memo::new(keeping),
            entry_files: Memo::new(keeping),
            entries: Memo::new(keeping),
            page_files: Memo::new(keeping),
            pages: Memo::new(keeping),
            people: Memo::new(keeping),
            presets: Memo::new(keeping),
        }
    }
}

/// Everything that authors wrote, with what stages need to know what changed.
pub(super) struct Read {
    pub(super) parsed: Parsed,
    pub(super) entries: Vec<Arc<HeldReading>>,
    /// The files of all entries.
    pub(super) files: Arc<EntryFiles>,
    /// Which files there are: the very value of before where they are the same.
    pub(super) listing: Arc<Listing>,
    /// The files of presets: likewise.
    pub(super) presets: Arc<Vec<PresetStamp>>,
}

/// Reads file by file. `config_file` is the record of `site.toml`.
pub(super) fn read(
    memos: &ReadMemos,
    sources: &Sources,
    config_file: FileId,
    out: &mut Diagnostics,
) -> Read {
    let config = config::read(sources, config_file, out);
    active::check(sources, config.raw_html, out);
    let listing = sources.listing();
    let listing = memos
        .listing
        .one(ByRef(&listing), |_| Arc::new(listing.clone()));
    let registry = sources.find(people::PATH);
    let registry = registry.map(|file| sources.stamp(file));
    let people = memos.people.one(By(registry), |_| {
        Found::by(|out| people::read(sources, out))
    });
    out.append(people.findings);
    let (entries, files) = entries(memos, (sources, &listing), config.raw_html, out);
    let stamps = preset_stamps(sources, out);
    let (stamps, presets) = memos.presets.one(ByRef(&stamps), |_| {
        let files: Vec<_> = stamps
            .iter()
            .map(|(name, at)| (name.clone(), at.file))
            .collect();
        let read = Found::by(|out| site::presets(sources, &files, out));
        (Arc::new(stamps.clone()), read)
    });
    out.append(presets.findings);
    let mut pages = pages(memos, (sources, &listing), config.raw_html, out);
    let home = pages
        .iter()
        .position(|page| page.id.is_none())
        .map(|at| pages.remove(at));
    Read {
        parsed: Parsed {
            config,
            people: people.value,
            home,
            pages,
            presets: presets.value,
        },
        entries,
        files,
        listing,
        presets: stamps,
    }
}

fn entries(
    memos: &ReadMemos,
    (sources, listing): (&Sources, &Arc<Listing>),
    raw_html: RawHtml,
    out: &mut Diagnostics,
) -> (Vec<Arc<HeldReading>>, Arc<EntryFiles>) {
    let files = memos
        .entry_files
        .one(listing, |_| Found::by(|out| site::files(sources, out)));
    out.append(files.findings);
    let all = files.value;
    let files = &all.entries;
    let ids: Vec<_> = files.iter().map(|at| at.file).collect();
    let held = memos.entries.all_while(
        &ids,
        |at| (ByRef(&files[at]), By(sources.stamp(ids[at])), By(raw_html)),
        |held| is_as_asked(held, sources, listing),
        |at, _| {
            let reading = site::entry(sources, &files[at], raw_html);
            Arc::new(hold(reading, sources, listing))
        },
    );
    (held, all)
}

fn hold(reading: EntryReading, sources: &Sources, listing: &Arc<Listing>) -> HeldReading {
    let asked = reading.asked.paths.iter();
    HeldReading {
        asked: asked
            .map(|(path, file)| (path.clone(), file.map(|file| sources.stamp(file))))
            .collect(),
        listing: Arc::clone(listing),
        reading,
    }
}

/// Whether everything that a reading asked for is as it was.
fn is_as_asked(held: &HeldReading, sources: &Sources, listing: &Arc<Listing>) -> bool {
    let is_listed_the_same = Arc::ptr_eq(&held.listing, listing);
    let is_same = |(path, then): &(String, Option<Stamp>)| match then {
        Some(stamp) if is_listed_the_same => sources.stamp(stamp.file) == *stamp,
        None if is_listed_the_same => true,
        then => sources.find(path).map(|file| sources.stamp(file)) == *then,
    };
    held.asked.iter().all(is_same) && (is_listed_the_same || !held.reading.asked.are_all_named)
}

fn pages(
    memos: &ReadMemos,
    (sources, listing): (&Sources, &Arc<Listing>),
    raw_html: RawHtml,
    out: &mut Diagnostics,
) -> Vec<Arc<Page>> {
    let files = memos
        .page_files
        .one(listing, |_| Found::by(|out| page::files(sources, out)));
    out.append(files.findings);
    let files = files.value;
    let ids: Vec<_> = files.iter().map(|at| at.file).collect();
    let read = memos.pages.all(
        &ids,
        |at| (ByRef(&files[at]), By(sources.stamp(ids[at])), By(raw_html)),
        |at, _| Found::by(|out| page::read(sources, &files[at], raw_html, out)),
    );
    let mut pages = Vec::new();
    for page in read {
        out.append(page.findings);
        pages.extend(Option::clone(&page.value));
    }
    pages
}

/// The files of presets, in the order of names.
fn preset_stamps(sources: &Sources, out: &mut Diagnostics) -> Vec<PresetStamp> {
    let files = site::preset_files(sources, out).into_iter();
    let mut stamps: Vec<_> = files
        .map(|(name, file)| (name, sources.stamp(file)))
        .collect();
    stamps.sort_by(|(one, _), (other, _)| one.cmp(other));
    stamps
}
