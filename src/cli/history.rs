//! The version of an entry that somebody signed, found in the history that git keeps.
//!
//! Takes a site, one of its entries and the digest that was signed; walks the commits that
//! touched the entry, newest first, and gives the first whose files have that digest. Only what
//! the entry's page is made of is read, and nothing is written: no index, no work tree.

use super::repository::{Blob, COMMITS_MAX, Repository, Tree};
use super::session::Session;
use crate::compile::{Compiled, Memory, Options, compile};
use crate::diagnostic::Diagnostics;
use crate::gate;
use crate::gate::review::Version;
use crate::load::{self, CONFIG_NAME, Kind};
use crate::model::byline::Role;
use crate::model::entry::Entry;
use crate::model::statement;
use crate::parse;
use crate::parse::entry::EntryFile;
use crate::source::path::ending;
use crate::source::{Digest, FileId, Hasher, SourceFile, Sources};
use std::collections::BTreeSet;
use std::fmt;

/// A version of an entry out of the history.
#[derive(Debug)]
pub(super) struct Past {
    /// The commit's full name.
    pub commit: String,
    /// The day of the commit.
    pub day: String,
    /// The files that the entry's page is made of.
    pub sources: Sources,
    /// The site of that one entry.
    pub compiled: Compiled,
}

impl Past {
    /// The commit's name, short, with its day.
    pub(super) fn name(&self) -> String {
        let commit: String = self.commit.chars().take(12).collect();
        format!("commit {commit} of {}", self.day)
    }

    /// The entry as it was.
    pub(super) fn version(&self) -> Option<Version<'_>> {
        let entry = self.compiled.site.entries.first()?;
        Some(Version {
            entry,
            sources: &self.sources,
            digests: self.compiled.judgement.verdicts.first()?.digests?,
        })
    }
}

/// Why no version was found.
#[derive(Debug)]
pub(super) enum NotFound {
    /// Git does not answer; its words.
    NoGit(String),
    /// No commit has the digest.
    NoCommit {
        /// How many were looked at.
        searched: usize,
        /// Whether there are more.
        more: bool,
    },
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGit(why) => write!(f, "the history cannot be read: {why}"),
            Self::NoCommit { searched: 0, .. } => {
                write!(f, "no commit holds this entry yet")
            }
            Self::NoCommit { searched, more } => {
                let which = if *more { "latest " } else { "" };
                let count = match searched {
                    1 => "the one commit that touched it has".to_owned(),
                    number => format!("none of the {which}{number} commits that touched it has"),
                };
                let not = if *searched == 1 {
                    " another digest"
                } else {
                    " that digest"
                };
                write!(
                    f,
                    "{count}{not}: the signed version was never committed, or the history was \
                     rewritten"
                )
            }
        }
    }
}

/// What somebody signed of an entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signed {
    /// The digest of all that the page said.
    pub claims: Digest,
    /// The digest of its check dates, where they matter.
    pub freshness: Option<Digest>,
}

/// Finds the newest commit in which the entry is as it was signed. Where no commit with these
/// claims has these check dates, the newest with the claims alone stands for it.
pub(super) fn find(
    session: &Session,
    entry: &Entry,
    signed: Signed,
    options: &Options,
) -> Result<Past, NotFound> {
    let mut repository = Repository::new(&session.root);
    let listed = repository.commits(&paths(session, entry));
    let commits = listed.map_err(NotFound::NoGit)?;
    let mut seen = BTreeSet::new();
    let mut nearest = None;
    for (commit, day) in commits.iter().take(COMMITS_MAX) {
        let tree = repository.tree(commit).map_err(NotFound::NoGit)?;
        let found = sources_of(&mut repository, &tree, entry).map_err(NotFound::NoGit)?;
        let Some((made_of, sources)) = found else {
            continue;
        };
        if !seen.insert(made_of) {
            continue;
        }
        let Some(past) = past((commit, day), sources, options) else {
            continue;
        };
        let digests = past.version().map(|version| version.digests);
        if digests.is_none_or(|digests| digests.claims != signed.claims) {
            if nearest.is_some() {
                break;
            }
            continue;
        }
        let dated = signed
            .freshness
            .is_none_or(|wanted| digests.is_some_and(|digests| digests.freshness == wanted));
        if dated {
            return Ok(past);
        }
        nearest.get_or_insert(past);
    }
    nearest.ok_or(NotFound::NoCommit {
        searched: commits.len().min(COMMITS_MAX),
        more: commits.len() > COMMITS_MAX,
    })
}

/// Takes the files of a commit through the pipeline.
fn past((commit, day): (&str, &str), sources: Sources, options: &Options) -> Option<Past> {
    let config_file = sources.find(CONFIG_NAME)?;
    let options = Options {
        today: options.today,
        base_url: None,
        trusted: None,
    };
    let (memory, loaded) = (Memory::none(), Diagnostics::new());
    let compiled = compile(&sources, config_file, &options, &memory, loaded);
    Some(Past {
        commit: commit.to_owned(),
        day: day.to_owned(),
        sources,
        compiled,
    })
}

/// Where a change may have touched the entry: its own file under either name, its statements,
/// what it shows today, and everything that it may have shown before.
fn paths(session: &Session, entry: &Entry) -> BTreeSet<String> {
    let sources = &session.sources;
    let own = &sources.file(entry.file).path;
    let folder = format!("content/{}", entry.kind().folder());
    let shown = gate::files_of(entry, sources).into_iter();
    let mut paths: BTreeSet<String> = shown
        .map(|file| sources.file(file).path.to_string())
        .collect();
    paths.insert(format!("{folder}/{}.md", entry.id));
    paths.insert(format!("{folder}/{}", entry.id));
    for role in [Role::Author, Role::Reviewer] {
        paths.insert(statement::path(own, role));
    }
    paths.extend(["content/captures", "content/presets"].map(str::to_owned));
    paths
}

/// The files that the page of an entry was made of, with what tells them from other such sets;
/// `None` if the commit does not have the entry.
fn sources_of(
    repository: &mut Repository<'_>,
    tree: &Tree,
    entry: &Entry,
) -> Result<Option<(Digest, Sources)>, String> {
    let folder = format!("content/{}/{}", entry.kind().folder(), entry.id);
    let own = [format!("{folder}.md"), format!("{folder}/index.md")];
    let Some(own) = own.iter().find(|path| tree.contains_key(*path)) else {
        return Ok(None);
    };
    let is_data = |path: &str| load::kind_of(path) == Kind::Text && !is_markdown(path);
    let read = |path: &str| path == own || is_data(path);
    let wanted: Vec<_> = tree.iter().filter(|(path, _)| read(path)).collect();
    repository.fetch(wanted.iter().map(|(_, blob)| *blob))?;
    let mut sources = Sources::new();
    for (path, blob) in wanted {
        sources.add(text_file(repository, path, blob));
    }
    // Pictures and downloads: their names now, their bytes if the page shows them.
    for path in tree
        .keys()
        .filter(|path| load::kind_of(path) == Kind::Bytes)
    {
        sources.add_binary(path.as_str(), Vec::new());
    }
    let (Some(file), Some(config)) = (sources.find(own), sources.find(CONFIG_NAME)) else {
        return Ok(None);
    };
    let shown = shown(&sources, config, entry, file);
    let pictures = shown.iter().filter(|path| sources.binary(path).is_some());
    let pictures: Vec<_> = pictures
        .filter_map(|path| Some((path, tree.get(path)?)))
        .collect();
    repository.fetch(pictures.iter().map(|(_, blob)| *blob))?;
    for (path, blob) in pictures {
        if let Some(bytes) = repository.content(blob) {
            sources.add_binary(path.as_str(), bytes);
        }
    }
    Ok(Some((fingerprint(tree, &shown), sources)))
}

fn text_file(repository: &Repository<'_>, path: &str, blob: &Blob) -> SourceFile {
    let Some(bytes) = repository.content(blob) else {
        return SourceFile::refused(path);
    };
    match load::decode(bytes.to_vec()) {
        Some(text) => SourceFile::new(path, text, Digest::of(bytes)),
        None => SourceFile::refused(path),
    }
}

fn is_markdown(path: &str) -> bool {
    ending(path) == "md"
}

/// The paths of all that an entry's page is made of.
fn shown(sources: &Sources, config: FileId, entry: &Entry, file: FileId) -> BTreeSet<String> {
    let mut unreported = Diagnostics::new();
    let raw_html = parse::config::read(sources, config, &mut unreported).raw_html;
    let at = EntryFile {
        id: entry.id.clone(),
        kind: entry.kind(),
        file,
    };
    let read = parse::entry::read(sources, &at, raw_html, &mut unreported);
    let files = read.map(|entry| gate::files_of(&entry, sources));
    let paths = files.unwrap_or_default().into_iter();
    paths
        .map(|file| sources.file(file).path.to_string())
        .collect()
}

/// One digest of all that the page is made of, by git's names for the contents.
fn fingerprint(tree: &Tree, shown: &BTreeSet<String>) -> Digest {
    let mut hasher = Hasher::new();
    for path in shown.iter().map(String::as_str).chain([CONFIG_NAME]) {
        let name = tree.get(path).map_or("", |blob| blob.name.as_str());
        hasher.field(path).field(name);
    }
    hasher.finish()
}
