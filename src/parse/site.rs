//! All files of a site into [`Parsed`].

use super::entry::{self, EntryFile};
use super::{config, figures, page, people};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::byline::Role;
use crate::model::config::{Config, RawHtml};
use crate::model::entry::{Entry, Kind};
use crate::model::figure::Preset;
use crate::model::page::Page;
use crate::model::person::People;
use crate::model::slug::{self, Slug};
use crate::source::{FileId, Sources, Span};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What was read of one entry, and what was found on the way: a value that can be remembered by
/// the digest of its file.
#[derive(Debug, Clone)]
pub struct EntryReading {
    /// The file.
    pub at: EntryFile,
    /// The entry; `None` if its front matter cannot be read.
    pub entry: Option<Arc<Entry>>,
    /// What was found in the file itself.
    pub findings: Diagnostics,
}

/// Everything that authors wrote, read file by file. Nothing refers to anything yet.
#[derive(Debug)]
pub struct Parsed {
    /// `site.toml`.
    pub config: Config,
    /// The people registry.
    pub people: People,
    /// Entries in the order of kind and id; the unreadable ones among them.
    pub entries: Vec<EntryReading>,
    /// The home page's text.
    pub home: Option<Arc<Page>>,
    /// Plain pages, by id.
    pub pages: Vec<Arc<Page>>,
    /// Presets by name; `None` for a file that cannot be read.
    pub presets: BTreeMap<Slug, Option<Preset>>,
}

/// Remembers readings of entries; see [`crate::compile`].
pub trait Remember: Sync {
    /// The reading made before of the same bytes under the same settings.
    fn recall(&self, sources: &Sources, at: &EntryFile, raw_html: RawHtml) -> Option<EntryReading>;
    /// Keeps a reading.
    fn keep(&self, sources: &Sources, raw_html: RawHtml, reading: &EntryReading);
}

/// Reads every file. `config_file` is the record of `site.toml`.
pub fn read(
    sources: &Sources,
    config_file: FileId,
    memory: &dyn Remember,
    out: &mut Diagnostics,
) -> Parsed {
    let config = config::read(sources, config_file, out);
    let people = people::read(sources, out);
    strays(sources, out);
    let mut presets = BTreeMap::new();
    for (file, source) in sources.below("content/presets/") {
        let Some(stem) = source.path["content/presets/".len()..].strip_suffix(".toml") else {
            continue;
        };
        if let Some(name) = file_id(stem, "a preset", file, out) {
            let preset = figures::preset(sources, file, name.clone(), out);
            presets.insert(name, preset);
        }
    }
    let raw_html = config.raw_html;
    let (files, misnamed) = entry_files(sources, out);
    let read_one = |at: EntryFile| {
        if let Some(reading) = memory.recall(sources, &at, raw_html) {
            return reading;
        }
        let mut findings = Diagnostics::new();
        let entry = entry::read(sources, &at, raw_html, &mut findings).map(Arc::new);
        findings.for_each_mut(|finding| finding.entry = Some(at.id.shared()));
        let reading = EntryReading {
            at,
            entry,
            findings,
        };
        memory.keep(sources, raw_html, &reading);
        reading
    };
    let mut entries: Vec<_> = files.into_par_iter().map(read_one).collect();
    entries.extend(misnamed.into_iter().map(|at| EntryReading {
        at,
        entry: None,
        findings: Diagnostics::new(),
    }));
    entries.sort_by(|a, b| (a.at.kind, &a.at.id).cmp(&(b.at.kind, &b.at.id)));
    let (home, pages) = page::read_all(sources, raw_html, out);
    Parsed {
        config,
        people,
        entries,
        home,
        pages,
        presets,
    }
}

/// Folders of `content` that something is made of.
const FOLDERS: [&str; 5] = ["terms", "lessons", "presets", "captures", "pages"];

/// Reports files of `content` that nothing is made of, a registry under another name first of all:
/// left out without a word, it would let anybody sign.
fn strays(sources: &Sources, out: &mut Diagnostics) {
    for (file, source) in sources.below("content/") {
        let inner = &source.path["content/".len()..];
        let (folder, in_folder) = match inner.split_once('/') {
            Some((folder, _)) => (folder, true),
            None => (inner, false),
        };
        let known = if in_folder {
            FOLDERS.contains(&folder)
        } else {
            matches!(inner, "index.md" | "people.yaml")
        };
        if known {
            out.extend(orphan_statement(sources, file));
            continue;
        }
        let lower = inner.to_lowercase();
        let registry = !in_folder && lower.split('.').next() == Some("people");
        let finding = if registry {
            Diagnostic::new(
                rule::BAD_PEOPLE,
                Span::file(file),
                format!("`{inner}` is not read as the people registry"),
            )
            .note("Without its registry a site takes every name for a person.")
            .help("Rename it to `people.yaml`.")
        } else {
            let near = nearest(folder, FOLDERS);
            Diagnostic::new(
                rule::LOST_TEXT,
                Span::file(file),
                "nothing is made of this file",
            )
            .help(near.filter(|_| in_folder).map_or_else(
                || "Move it to where it belongs, or take it out of `content`.".to_owned(),
                |near| format!("Did you mean the folder `content/{near}`?"),
            ))
        };
        out.push(finding);
    }
}

/// A finding if a file has a statement's name and nothing stands beside it that it could be of.
fn orphan_statement(sources: &Sources, file: FileId) -> Option<Diagnostic> {
    let path = &*sources.file(file).path;
    let statement = path.strip_suffix(".sig").unwrap_or(path);
    let entry = [Role::Author, Role::Reviewer]
        .into_iter()
        .find_map(|role| {
            let stem = statement.strip_suffix(&format!("{}.toml", role.word()))?;
            match stem.strip_suffix('.') {
                Some(stem) => Some(format!("{stem}.md")),
                None => stem.ends_with('/').then(|| format!("{stem}index.md")),
            }
        })?;
    let entries = [Kind::Term, Kind::Lesson].map(|kind| format!("content/{}/", kind.folder()));
    if !entries.iter().any(|folder| path.starts_with(folder)) {
        return None;
    }
    let is_signature = path.len() > statement.len();
    let (what, missing) = if is_signature {
        ("signature", statement.to_owned())
    } else {
        ("statement", entry)
    };
    if sources.find(&missing).is_some() {
        return None;
    }
    let message = format!("this {what} is of nothing: there is no `{missing}`");
    Some(
        Diagnostic::new(rule::LOST_TEXT, Span::file(file), message)
            .note("Statements move with their entry, and are signed again when its id changes.")
            .help("Delete the file, or bring back what it belongs to."),
    )
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
