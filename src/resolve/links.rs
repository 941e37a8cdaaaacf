//! Where the links and images of a body lead.

use super::address::{decode, is_local, join, own_host};
use super::anchors::{anchors, broken_fragment, has_anchor};
use super::{EntryIndex, Names, References};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::config::Config;
use crate::model::document::{Document, Image, Link, Target};
use crate::model::entry::{Entry, Kind};
use crate::model::page::Page;
use crate::output::released;
use crate::source::path::ending;
use crate::source::{FileId, Sources, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Files that every release holds besides pages, so that a body may link to them.
const SURFACES: [&str; 5] = [
    "feed.xml",
    "sitemap.xml",
    "glossary.json",
    "llms.txt",
    "robots.txt",
];

/// What a link or image leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A term or lesson.
    Entry {
        /// Which.
        index: EntryIndex,
        /// A place on its page.
        fragment: Option<String>,
    },
    /// A plain page, or the home page where `index` is `None`.
    Page {
        /// Which.
        index: Option<usize>,
        /// A place on it.
        fragment: Option<String>,
    },
    /// The list of terms or of lessons.
    Index(Kind, Option<String>),
    /// A file of the release, by its path there.
    File(String),
    /// A place on the same page.
    Here(String),
    /// An address outside the site, in full.
    External(String),
    /// Nowhere; it has been reported.
    Broken,
}

/// Where everything of a site stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Places {
    /// Source path of a page's text to its address.
    by_file: BTreeMap<Arc<str>, Destination>,
    /// Address (with its slash) to destination.
    by_address: BTreeMap<String, Destination>,
    /// Source path of a copied file to its path in the release.
    files: BTreeMap<Arc<str>, String>,
}

impl Places {
    /// Prepares the lookups.
    pub(super) fn new(sources: &Sources, entries: &[Arc<Entry>], pages: &[Arc<Page>]) -> Self {
        let mut by_file = BTreeMap::new();
        let mut by_address = BTreeMap::new();
        let path = |file: FileId| Arc::clone(&sources.file(file).path);
        let mut put = |file: Option<FileId>, address: String, to: Destination| {
            if let Some(file) = file {
                by_file.insert(path(file), to.clone());
            }
            by_address.insert(address, to);
        };
        for (index, entry) in entries.iter().enumerate() {
            let to = Destination::Entry {
                index,
                fragment: None,
            };
            put(Some(entry.file), entry.address(), to);
        }
        for (index, page) in pages.iter().enumerate() {
            let to = Destination::Page {
                index: Some(index),
                fragment: None,
            };
            put(Some(page.file), page.address(), to);
        }
        let home = Destination::Page {
            index: None,
            fragment: None,
        };
        put(sources.find("content/index.md"), String::new(), home);
        for (address, kind) in [("terms/", Kind::Term), ("lessons/", Kind::Lesson)] {
            put(None, address.to_owned(), Destination::Index(kind, None));
        }
        let files = sources
            .binaries()
            .filter_map(|(path, _)| Some((path.into(), released(path)?)))
            .collect();
        Self {
            by_file,
            by_address,
            files,
        }
    }
}

/// Finds destinations.
#[derive(Clone, Copy)]
pub struct Resolver<'a> {
    pub(super) entries: &'a [Arc<Entry>],
    pub(super) pages: &'a [Arc<Page>],
    pub(super) names: &'a Names,
    pub(super) places: &'a Places,
    pub(super) config: &'a Config,
    pub(super) sources: &'a Sources,
}

/// The page on which a link stands.
struct Here<'a> {
    /// Source path of its text.
    path: &'a str,
    /// Its address in the release.
    address: String,
    body: &'a Document,
    entry: Option<&'a Entry>,
}

impl Resolver<'_> {
    /// The links and images of an entry.
    pub(super) fn entry(&self, entry: &Entry, out: &mut Diagnostics) -> References {
        let here = Here {
            path: &self.sources.file(entry.file).path,
            address: entry.address(),
            body: &entry.body,
            entry: Some(entry),
        };
        self.body(&here, out)
    }

    /// The links and images of a plain page.
    pub(crate) fn page(&self, page: &Page, out: &mut Diagnostics) -> References {
        let here = Here {
            path: &self.sources.file(page.file).path,
            address: page.address(),
            body: &page.body,
            entry: None,
        };
        self.body(&here, out)
    }

    fn body(&self, here: &Here<'_>, out: &mut Diagnostics) -> References {
        let from = out.len();
        let links = here.body.links.iter();
        let links = links.map(|link| self.link(link, here, out)).collect();
        let images = here.body.images.iter();
        let images = images.map(|image| self.image(image, here, out)).collect();
        if let Some(entry) = here.entry {
            out.name_entry_from(from, &entry.id.shared());
        }
        References {
            links,
            images,
            ..References::default()
        }
    }

    fn link(&self, link: &Link, here: &Here<'_>, out: &mut Diagnostics) -> Destination {
        match &link.target {
            Target::Refused => Destination::Broken,
            Target::Entry(name) => self.wiki(name, link, out),
            Target::External(url) => self.external(url, link.target_span, out),
            Target::Relative(path) => self.relative(path, link.target_span, here, out),
        }
    }

    /// `[[name]]` or `[[name#fragment]]`.
    fn wiki(&self, name: &str, link: &Link, out: &mut Diagnostics) -> Destination {
        let (name, fragment) = match name.split_once('#') {
            Some((name, fragment)) => (name, Some(fragment.to_owned())),
            None => (name, None),
        };
        if let Some(index) = self.names.find(name) {
            let to = Destination::Entry { index, fragment };
            return self.with_known_fragment(to, link.target_span, out);
        }
        if !self.names.is_unreadable(name) {
            let near = nearest(name, self.names.all());
            out.push(
                Diagnostic::new(
                    rule::UNKNOWN_ENTRY,
                    link.target_span,
                    format!("no entry is called `{name}`"),
                )
                .label("no id, name or alias of this site")
                .help(near.map_or_else(
                    || "Write that entry, or let the words stand without a link.".to_owned(),
                    |near| format!("Did you mean `[[{near}]]`?"),
                )),
            );
        }
        Destination::Broken
    }

    /// An address in full; one of this site is reported and resolved.
    fn external(&self, url: &str, span: Span, out: &mut Diagnostics) -> Destination {
        if let Some(rest) = own_host(url, self.config) {
            out.push(
                Diagnostic::new(
                    rule::OWN_HOST_LINK,
                    span,
                    "this link gives the site's own address in full",
                )
                .label("works only where the site is published under this address")
                .help(format!("Write it from the root of the site: `/{rest}`.")),
            );
            let to = self.at_address(rest);
            return to.unwrap_or_else(|| {
                out.push(broken(
                    rest,
                    span,
                    self.places.by_address.keys().map(String::as_str),
                ));
                Destination::Broken
            });
        }
        if is_local(url) {
            out.push(
                Diagnostic::new(
                    rule::OWN_HOST_LINK,
                    span,
                    "this link leads to the reader's own machine",
                )
                .label("works for nobody else")
                .help("Link to the published address, or to a page of this site by its path."),
            );
        }
        Destination::External(url.to_owned())
    }

    fn relative(
        &self,
        written: &str,
        span: Span,
        here: &Here<'_>,
        out: &mut Diagnostics,
    ) -> Destination {
        let (path, fragment) = match written.split_once('#') {
            Some((path, fragment)) => (path, Some(decode(fragment))),
            None => (written, None),
        };
        let path = path.split('?').next().unwrap_or("");
        if path.is_empty() {
            let Some(fragment) = fragment else {
                return Destination::Here(String::new());
            };
            if !has_anchor(here.body, here.entry, &fragment) {
                let known = anchors(here.body, here.entry);
                out.push(broken_fragment(&fragment, span, &known));
                return Destination::Broken;
            }
            return Destination::Here(fragment);
        }
        let path = decode(path);
        match self.path(&path, here) {
            Ok(to) => self.with_known_fragment(with_fragment(to, fragment), span, out),
            Err(Lost::Outside) => {
                out.push(
                    Diagnostic::new(
                        rule::UNSAFE_PATH,
                        span,
                        format!("`{path}` leads out of the site"),
                    )
                    .label("above the site's own folder")
                    .help("Link to a page or file of this site, or to an address in full."),
                );
                Destination::Broken
            }
            Err(Lost::Nowhere) => {
                let help = self.help(&path, here);
                out.push(
                    Diagnostic::new(
                        rule::BROKEN_LINK,
                        span,
                        format!("`{path}` is no page or file of this site"),
                    )
                    .label("leads nowhere")
                    .help(help),
                );
                Destination::Broken
            }
        }
    }

    /// What to do about a path that leads nowhere.
    fn help(&self, path: &str, here: &Here<'_>) -> String {
        let folder = here.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let beside = join(folder, path).filter(|beside| self.sources.find(beside).is_some());
        if let Some(beside) = beside {
            // Captures are read, not copied, wherever they stand.
            if here.path.ends_with("/index.md") || matches!(ending(&beside), "csv" | "json") {
                return format!(
                    "`{beside}` is there and is no part of a release: show it as a capture, which offers \
                     its table as a file, or put it into `static`."
                );
            }
            return format!(
                "`{beside}` is there and is no part of a release: give the entry a folder, \
                 `ID/index.md`, and put the file into it, or into `static`."
            );
        }
        match self.near(path, here) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => "Correct the path, or link to an entry as `[[its name]]`.".to_owned(),
        }
    }

    /// A path from the root (`/terms/warp/`), from the text's folder (`warp.md`, `pic.png`) or
    /// from the page's address (`../warp/`).
    fn path(&self, path: &str, here: &Here<'_>) -> Result<Destination, Lost> {
        if let Some(rest) = path.strip_prefix('/') {
            let rest = join("", rest).ok_or(Lost::Outside)?;
            return self.at_address(&rest).ok_or(Lost::Nowhere);
        }
        let folder = here.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let beside = join(folder, path);
        let from_page = join(here.address.trim_end_matches('/'), path);
        if beside.is_none() && from_page.is_none() {
            return Err(Lost::Outside);
        }
        if let Some(beside) = beside {
            let trimmed = beside.trim_end_matches('/');
            if let Some(to) = self.places.by_file.get(trimmed) {
                return Ok(to.clone());
            }
            if let Some(file) = self.places.files.get(trimmed) {
                return Ok(Destination::File(file.clone()));
            }
            let page = trimmed
                .strip_prefix("content/pages/")
                .or_else(|| trimmed.strip_prefix("content/"));
            if let Some(to) = page.and_then(|page| self.at_address(page)) {
                return Ok(to);
            }
        }
        from_page
            .and_then(|address| self.at_address(&address))
            .ok_or(Lost::Nowhere)
    }

    /// A page by its address, with or without the closing slash or `index.html`, or a file.
    fn at_address(&self, address: &str) -> Option<Destination> {
        let (address, fragment) = match address.split_once('#') {
            Some((address, fragment)) => (address, Some(decode(fragment))),
            None => (address, None),
        };
        let page = address.strip_suffix("index.html").unwrap_or(address);
        let page = page.trim_end_matches('/');
        let key = if page.is_empty() {
            String::new()
        } else {
            format!("{page}/")
        };
        if let Some(to) = self.places.by_address.get(&key) {
            return Some(with_fragment(to.clone(), fragment));
        }
        let is_file =
            SURFACES.contains(&address) || self.places.files.values().any(|file| file == address);
        is_file.then(|| Destination::File(address.to_owned()))
    }

    /// Reports a fragment that its page does not have.
    fn with_known_fragment(
        &self,
        to: Destination,
        span: Span,
        out: &mut Diagnostics,
    ) -> Destination {
        let (body, entry, fragment) = match &to {
            Destination::Entry {
                index,
                fragment: Some(fragment),
            } => {
                let entry = &*self.entries[*index];
                (&entry.body, Some(entry), fragment)
            }
            Destination::Page {
                index: Some(index),
                fragment: Some(fragment),
            } => (&self.pages[*index].body, None, fragment),
            _ => return to,
        };
        if has_anchor(body, entry, fragment) {
            return to;
        }
        out.push(broken_fragment(fragment, span, &anchors(body, entry)));
        Destination::Broken
    }

    fn image(&self, image: &Image, here: &Here<'_>, out: &mut Diagnostics) -> Destination {
        let target = &image.target;
        if target.value.contains("://") {
            out.push(
                Diagnostic::new(rule::BAD_SCHEME, target.span, "an image must be a file of this site")
                    .label("asks another host")
                    .note("Pages ask no other host, so that readers are not followed and nothing can break.")
                    .help("Put the file beside the entry, in its folder, or in `static`."),
            );
            return Destination::Broken;
        }
        let to = self.relative(&target.value, target.span, here, out);
        if matches!(to, Destination::File(_) | Destination::Broken) {
            return to;
        }
        out.push(broken(
            &target.value,
            target.span,
            self.places.files.keys().map(|file| &**file),
        ));
        Destination::Broken
    }

    /// The nearest path that would have led somewhere, written as this link is.
    fn near(&self, path: &str, here: &Here<'_>) -> Option<String> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let slash = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        if std::path::Path::new(name)
            .extension()
            .is_some_and(|extension| extension == "md")
        {
            let names: Vec<_> = self
                .places
                .by_file
                .keys()
                .filter_map(|file| file.rsplit('/').next())
                .collect();
            let near = nearest(name, names.iter().copied())?;
            return Some(format!("{slash}{near}"));
        }
        let own = format!("{}/", here.path.rsplit_once('/')?.0);
        let beside = self
            .places
            .files
            .keys()
            .filter_map(|file| file.strip_prefix(&*own));
        if let Some(near) = nearest(path, beside) {
            return Some(near.to_owned());
        }
        let absolute = path.trim_start_matches(['.', '/']);
        let near = nearest(absolute, self.places.by_address.keys().map(String::as_str))?;
        Some(format!("/{near}"))
    }
}

enum Lost {
    Outside,
    Nowhere,
}

fn with_fragment(to: Destination, new: Option<String>) -> Destination {
    match to {
        Destination::Entry { index, fragment } => Destination::Entry {
            index,
            fragment: new.or(fragment),
        },
        Destination::Page { index, fragment } => Destination::Page {
            index,
            fragment: new.or(fragment),
        },
        Destination::Index(kind, fragment) => Destination::Index(kind, new.or(fragment)),
        other => other,
    }
}

fn broken<'n>(path: &str, span: Span, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    let near = nearest(path, known);
    Diagnostic::new(
        rule::BROKEN_LINK,
        span,
        format!("`{path}` is no page or file of this site"),
    )
    .label("leads nowhere")
    .maybe_help(near.map(|near| format!("Did you mean `{near}`?")))
}
