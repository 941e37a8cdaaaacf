//! The files of a site into [`Parsed`], one by one.

use super::capture::{LookedUp, Lookups};
use super::entry::{self, EntryFile};
use super::{figures, strays};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::config::{Config, RawHtml};
use crate::model::entry::{Entry, Kind};
use crate::model::figure::Preset;
use crate::model::page::Page;
use crate::model::person::People;
use crate::model::slug::{self, Slug};
use crate::source::{FileId, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What was read of one entry, and what was found on the way. It depends on the bytes of its file,
/// on how raw HTML is treated, on the files that it asked for, and on nothing else.
#[derive(Debug, Clone)]
pub struct EntryReading {
    /// The file.
    pub at: EntryFile,
    /// The entry; `None` if its front matter cannot be read.
    pub entry: Option<Arc<Entry>>,
    /// What was found in the file itself.
    pub findings: Diagnostics,
    /// Which other files were looked for.
    pub asked: LookedUp,
}

/// Everything that authors wrote but the entries, read file by file. Nothing refers to anything yet.
#[derive(Debug)]
pub struct Parsed {
    /// `site.toml`.
    pub config: Config,
    /// The people registry.
    pub people: Arc<People>,
    /// The home page's text.
    pub home: Option<Arc<Page>>,
    /// Plain pages, by id.
    pub pages: Vec<Arc<Page>>,
    /// Presets by name; `None` for a file that cannot be read.
    pub presets: Arc<BTreeMap<Slug, Option<Preset>>>,
}

/// Reads one entry.
pub fn entry(sources: &Sources, at: &EntryFile, raw_html: RawHtml) -> EntryReading {
    let (mut findings, asked) = (Diagnostics::new(), Lookups::default());
    let entry = entry::read_asking(sources, at, raw_html, &asked, &mut findings).map(Arc::new);
    findings.for_each_mut(|finding| finding.entry = Some(at.id.shared()));
    EntryReading {
        at: at.clone(),
        entry,
        findings,
        asked: asked.files(),
    }
}

/// The files of presets with their names, in the order of paths; reports names that cannot be.
pub fn preset_files(sources: &Sources, out: &mut Diagnostics) -> Vec<(Slug, FileId)> {
    let mut files = Vec::new();
    for (file, source) in sources.below(PRESETS) {
        let Some(stem) = source.path[PRESETS.len()..].strip_suffix(".toml") else {
            continue;
        };
        if let Some(name) = file_id(stem, "a preset", file, out) {
            files.push((name, file));
        }
    }
    files
}

/// Reads every preset.
pub fn presets(
    sources: &Sources,
    files: &[(Slug, FileId)],
    out: &mut Diagnostics,
) -> BTreeMap<Slug, Option<Preset>> {
    let read = |(name, file): &(Slug, FileId)| {
        let preset = figures::preset(sources, *file, name.clone(), out);
        (name.clone(), preset)
    };
    files.iter().map(read).collect()
}

/// Where presets lie.
const PRESETS: &str = "content/presets/";

/// The files of entries, in the order of kind and id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryFiles {
    /// Those that can be read.
    pub entries: Vec<EntryFile>,
    /// Those whose names cannot be ids, each under the nearest id that is free: they are entries,
    /// and refused.
    pub misnamed: Vec<EntryFile>,
}

/// Finds the files of entries, and reports names that cannot be ids and files of `content` that
/// nothing is made of. Only paths are looked at.
pub fn files(sources: &Sources, out: &mut Diagnostics) -> EntryFiles {
    strays::find(sources, out);
    let (entries, misnamed) = entry_files(sources, out);
    EntryFiles { entries, misnamed }
}

/// Finds the entry files, and reports names that cannot be ids. Files of such a name come second,
/// under the nearest id that is free: they are entries, and refused.
fn entry_files(sources: &Sources, out: &mut Diagnostics) -> (Vec<EntryFile>, Vec<EntryFile>) {
    let mut files = BTreeMap::new();
    let mut misnamed = Vec::new();
    for kind in [Kind::Term, Kind::Lesson] {
        let folder = format!("content/{}/", kind.folder());
        for (file, source) in sources.below(&folder) {
            let inner = &source.path[folder.len()..];
            let Some(inner) = inner.strip_suffix(".md") else {
                continue;
            };
            let Some(stem) = entry_stem(inner) else {
                out.push(stray(file, kind));
                continue;
            };
            let Some(id) = file_id(stem, "an entry", file, out) else {
                let near = Slug::from_name(stem);
                misnamed.extend(near.map(|id| EntryFile { id, kind, file }));
                continue;
            };
            let at = EntryFile { id, kind, file };
            if let Some(first) = files.get(&(kind, at.id.clone())) {
                let EntryFile { file: first, .. } = *first;
                out.push(duplicate(&at, first, sources));
            } else {
                files.insert((kind, at.id.clone()), at);
            }
        }
    }
    let mut taken: BTreeSet<Slug> = files.keys().map(|(_, id)| id.clone()).collect();
    misnamed.retain(|at| taken.insert(at.id.clone()));
    (files.into_values().collect(), misnamed)
}

/// The id in `ID` or `ID/index`.
fn entry_stem(inner: &str) -> Option<&str> {
    let stem = inner.strip_suffix("/index").unwrap_or(inner);
    (!stem.contains('/')).then_some(stem)
}

fn stray(file: FileId, kind: Kind) -> Diagnostic {
    Diagnostic::new(
        rule::LOST_TEXT,
        Span::file(file),
        "no page is made of this file",
    )
    .note(format!(
        "An entry is `content/{0}/ID.md` or `content/{0}/ID/index.md`.",
        kind.folder()
    ))
    .help("Move it to one of these places, or take it out of `content`.")
}

fn duplicate(at: &EntryFile, first: FileId, sources: &Sources) -> Diagnostic {
    Diagnostic::new(
        rule::DUPLICATE_ID,
        Span::file(at.file),
        format!("two files are the {} `{}`", at.kind.word(), at.id),
    )
    .label("the second file")
    .related(
        Span::file(first),
        format!("the first is {}", sources.file(first).path),
    )
    .help("Keep one of them, or give one another id.")
    .entry(at.id.shared())
}

/// The id that a file's name gives.
fn file_id(stem: &str, what: &str, file: FileId, out: &mut Diagnostics) -> Option<Slug> {
    if let Some(id) = Slug::new(stem) {
        return Some(id);
    }
    let near = Slug::from_name(stem);
    out.push(
        Diagnostic::new(
            rule::BAD_ID,
            Span::file(file),
            format!("`{stem}` cannot be the id of {what}"),
        )
        .note(if slug::is_device(stem) {
            "Windows takes this name for a device, so that nobody there could have the file."
        } else {
            "Ids become addresses: at most 100 lower-case letters a to z, digits and single hyphens."
        })
        .help(near.map_or_else(
            || "Rename it to a few words joined by hyphens.".to_owned(),
            |near| format!("Rename it, to `{near}` or the like."),
        )),
    );
    None
}
