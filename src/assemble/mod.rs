//! Every file of a build, given to a sink.
//!
//! Takes a compiled site and one of the gate's sets; makes pages, their Markdown twins, drawings,
//! cards, and the surfaces for machines, in parallel, each file once. A preview asks for one page at a
//! time; a build asks for all. Nothing here touches a disk: pictures that were drawn before come
//! through a [`PictureStore`].

mod amended;
mod audited;
mod dry_run;
mod kept;
mod one;
mod pictures;
mod showing;

pub use crate::render::{Common, Rasters};
pub use amended::{Amended, Before, Reader};
pub use dry_run::{dry_run, dry_run_observed, withheld};
pub use one::is_of_search;
pub use pictures::{NoPictures, PictureStore};
pub use showing::Showing;

use crate::audit::{Auditor, Signed};
use crate::compile::{Compiled, Observer, Stage, Unobserved, observed};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::gate::{EntrySet, Purpose};
use crate::output::{EntryDigests, OutputPath, SEARCH_MODULE, Sink, Tie, released};
use crate::render::surfaces::{self, Access, Listed, Shelf};
use crate::render::{
    Dependence, Drawing, Input, OutputFile, PageKey, Renderer, Templates, address, assets, built_in,
};
use crate::source::{Digest, Sources, Span};
use audited::{Audited, Observed};
use kept::{Keeping, Keys};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Everything that a build of a set needs.
pub struct Assembly<'a, S: EntrySet> {
    compiled: &'a Compiled,
    sources: &'a Sources,
    showing: &'a Showing<'a, S>,
    renderer: Renderer<'a, Showing<'a, S>>,
    shelf: OnceLock<Shelf<'a>>,
    pictures: &'a dyn PictureStore,
    rasters: Rasters,
    observer: &'a dyn Observer,
    /// The digest of what all pages are made from, if pages are remembered.
    base: Option<Digest>,
}

/// What a build came to.
#[derive(Debug)]
pub struct Assembled {
    /// The digests of every entry in it, for the manifest.
    pub entries: BTreeMap<Arc<str>, EntryDigests>,
    /// What was found while rendering and by the audit.
    pub findings: Diagnostics,
    /// How they hang together, in the order of the site; empty if not every entry is in it, or nothing is
    /// to be remembered.
    pub ties: Vec<Tie>,
}

impl<'a, S: EntrySet> Assembly<'a, S> {
    /// Prepares what all files share.
    pub fn new(
        compiled: &'a Compiled,
        sources: &'a Sources,
        showing: &'a Showing<'a, S>,
        templates: &'a Templates,
        pictures: &'a dyn PictureStore,
        rasters: Rasters,
    ) -> Self {
        Self::prepared(
            (compiled, sources, showing),
            templates,
            (pictures, rasters),
            &OnceLock::new(),
        )
    }

    /// The same; `common` keeps what all files share, for the next assembly of the same input.
    pub fn prepared(
        (compiled, sources, showing): (&'a Compiled, &'a Sources, &'a Showing<'a, S>),
        templates: &'a Templates,
        (pictures, rasters): (&'a dyn PictureStore, Rasters),
        common: &OnceLock<Arc<Common>>,
    ) -> Self {
        let input = Input {
            sources,
            site: &compiled.site,
            runs: &compiled.simulations,
            facts: &compiled.facts,
            templates,
            search_href: Some(SEARCH_MODULE),
            rasters,
        };
        let common = common.get_or_init(|| Arc::new(Common::new(input, showing)));
        Self {
            compiled,
            sources,
            showing,
            renderer: Renderer::sharing(input, showing, Arc::clone(common)),
            shelf: OnceLock::new(),
            pictures,
            rasters,
            observer: &Unobserved,
            base: None,
        }
    }

    /// Lets somebody look on.
    #[must_use]
    pub fn observed_by(mut self, observer: &'a dyn Observer) -> Self {
        self.observer = observer;
        self
    }

    /// Lets the sink keep the pages of entries that would be made from the same as before. `base` must
    /// cover the program, its options, and the bytes of every file that belongs to no single entry.
    #[must_use]
    pub fn remembering(mut self, base: Option<Digest>) -> Self {
        self.base = base;
        self
    }

    /// The entries, for the surfaces that machines read.
    fn shelf(&self) -> &Shelf<'a> {
        self.shelf
            .get_or_init(|| shelf(self.compiled, self.sources, self.showing))
    }

    /// Every page.
    pub fn pages(&self) -> Vec<PageKey> {
        self.renderer.pages()
    }

    /// The address of a page.
    pub fn address(&self, page: PageKey) -> String {
        self.renderer.address(page)
    }

    /// The page itself and the data that it offers.
    pub fn page(&self, page: PageKey) -> Result<Vec<OutputFile>, Diagnostics> {
        self.renderer.render(page)
    }

    /// Makes every file. Stops early only when the sink cannot take more.
    pub fn all(&self, sink: &dyn Sink<S::Output>) -> Assembled {
        let sink: &dyn Sink<S::Output> = &Observed {
            inner: sink,
            observer: self.observer,
        };
        if S::PURPOSE == Purpose::Preview {
            return self.assembled(self.files(sink), &[]);
        }
        let audited = self.audited(sink);
        self.shared(&audited);
        // Not before it: they would lie in memory beside the search index.
        let dependences = match self.base {
            Some(_) => self.renderer.dependencies(),
            None => Vec::new(),
        };
        let keeping = self.base.map(|base| Keeping {
            keys: Keys::new(&base, &dependences),
            proof: &audited,
        });
        let mut findings = self.own(&audited, keeping.as_ref());
        findings.append(audited.into_findings(self.sources));
        self.assembled(findings, &dependences)
    }

    /// The sink behind the audit.
    fn audited<'s>(&'s self, sink: &'s dyn Sink<S::Output>) -> Audited<'s, S::Output> {
        let (site, built_in) = (&self.compiled.site, built_in::texts);
        let auditor = Auditor::new(site, self.sources, self.signed(), built_in);
        Audited::new(sink, (auditor, self.observer), self.places())
    }

    fn assembled(&self, findings: Diagnostics, dependences: &[Option<Dependence>]) -> Assembled {
        Assembled {
            entries: self.entries(),
            findings,
            ties: self.ties(dependences).unwrap_or_default(),
        }
    }

    /// The digests of every entry in the output.
    fn entries(&self) -> BTreeMap<Arc<str>, EntryDigests> {
        let shown = self.showing.set().shown().iter();
        shown
            .filter_map(|verdict| {
                let digests = verdict.digests?;
                let digests = EntryDigests {
                    claims: digests.claims,
                    freshness: digests.freshness,
                };
                Some((verdict.id.shared(), digests))
            })
            .collect()
    }

    fn ties(&self, dependences: &[Option<Dependence>]) -> Option<Vec<Tie>> {
        if !self.compiled.site.unreadable.is_empty() {
            return None;
        }
        let entries = self.compiled.site.entries.par_iter().zip(dependences);
        entries
            .enumerate()
            .map(|(index, (entry, on))| {
                let on = on.as_ref()?;
                let others = on.others.iter().map(|index| u32::try_from(*index));
                Some(Tie {
                    file: Arc::clone(&self.sources.file(entry.file).path),
                    face: self.face(index, on),
                    others: others.collect::<Result<_, _>>().ok()?,
                })
            })
            .collect()
    }

    fn files(&self, sink: &dyn Sink<S::Output>) -> Diagnostics {
        self.shared(sink);
        self.own(sink, None)
    }

    /// What belongs to no single page.
    fn shared(&self, sink: &dyn Sink<S::Output>) {
        let _ = self.copied(sink);
        let _ = self.surfaces(sink);
        // Not beside the pages: its tables and the list of all terms would lie in memory together.
        let _ = self.search(sink);
    }

    /// The pages and what belongs to each.
    fn own(&self, sink: &dyn Sink<S::Output>, keeping: Option<&Keeping<'_>>) -> Diagnostics {
        let found = Mutex::new(Diagnostics::new());
        let report = |findings: Diagnostics| {
            if !findings.is_empty() {
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.append(findings);
            }
        };
        let pages = self.renderer.pages();
        self.observer.expect(Stage::Pages, pages.len());
        let _: ControlFlow<()> = pages
            .into_par_iter()
            .try_for_each(|page| self.remembered(page, keeping, sink, &report));
        once(found.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// The Markdown twin of a page.
    pub fn twin(&self, page: PageKey) -> Option<Vec<u8>> {
        use crate::model::entry::Kind;
        let site = &self.compiled.site;
        let offset = usize::from(site.home.is_some());
        match page {
            PageKey::Home => {
                let (home, links) = (site.home.as_ref()?, site.page_links.first()?);
                Some(surfaces::page_twin(self.shelf(), home, links))
            }
            PageKey::Terms => Some(surfaces::index_twin(self.shelf(), Kind::Term)),
            PageKey::Lessons => Some(surfaces::index_twin(self.shelf(), Kind::Lesson)),
            PageKey::Entry(index) => {
                let listed = self.shelf().get(index)?;
                Some(surfaces::twin(self.shelf(), listed))
            }
            PageKey::Page(at) => {
                let (page, links) = (site.pages.get(at)?, site.page_links.get(at + offset)?);
                Some(surfaces::page_twin(self.shelf(), page, links))
            }
            PageKey::NotFound => None,
        }
    }

    /// The drawings of an entry as files: path and bytes. Those that were drawn for its page need
    /// not be drawn again.
    pub fn drawings(
        &self,
        page: PageKey,
        drawn: Vec<Drawing>,
        out: &mut Diagnostics,
    ) -> Vec<(String, Vec<u8>)> {
        let PageKey::Entry(index) = page else {
            return Vec::new();
        };
        let entry = self.compiled.site.entry(index);
        let mut files = Vec::new();
        let drawings = observed(self.observer, Stage::Drawings, || {
            self.renderer.drawings(page, drawn, out)
        });
        for drawing in drawings {
            let path = format!("diagrams/{}/{}", entry.id, drawing.stem);
            observed(self.observer, Stage::Drawings, || {
                files.push((format!("{path}.svg"), drawing.svg().into_bytes()));
                if let Some(narrow) = drawing.narrow_svg() {
                    files.push((format!("{path}.narrow.svg"), narrow.into_bytes()));
                }
            });
            if self.rasters == Rasters::All {
                match observed(self.observer, Stage::Pictures, || {
                    pictures::drawing(&drawing.scene, self.pictures)
                }) {
                    Ok(png) => files.push((format!("{path}.png"), png)),
                    Err(why) => out.push(
                        Diagnostic::new(rule::BAD_DRAWING, entry.title.span, why)
                            .label(format!("the figure `{}`", drawing.stem))
                            .entry(entry.id.shared()),
                    ),
                }
            }
        }
        files
    }

    /// The social card of a page.
    pub fn card(&self, page: PageKey) -> Option<(String, Vec<u8>)> {
        if self.rasters == Rasters::None {
            return None;
        }
        let site = &self.compiled.site;
        let (title, kind) = match page {
            PageKey::Home => (site.config.title.as_str(), "Glossary and lessons"),
            PageKey::Terms => ("Glossary", "All terms"),
            PageKey::Lessons => ("Lessons", "The course"),
            PageKey::Entry(index) => {
                let entry = site.entry(index);
                let kind = match entry.kind() {
                    crate::model::entry::Kind::Term => "Term",
                    crate::model::entry::Kind::Lesson => "Lesson",
                };
                (entry.title.value.as_str(), kind)
            }
            PageKey::Page(at) => (site.pages.get(at)?.title.as_ref()?.value.as_str(), "Page"),
            PageKey::NotFound => return None,
        };
        let png = observed(self.observer, Stage::Pictures, || {
            pictures::card(title, kind, &site.config.title, self.pictures)
        })?;
        Some((address::card(&self.address(page)), png))
    }

    /// Files that are copied: the built-in ones, the site's own, those beside shown entries.
    fn copied(&self, sink: &dyn Sink<S::Output>) -> ControlFlow<()> {
        let own: BTreeMap<String, &str> = self
            .sources
            .binaries()
            .filter(|(path, _)| self.is_shown_file(path))
            .filter_map(|(path, _)| Some((released(path)?, path)))
            .collect();
        for asset in assets::built_in() {
            let replaced = own
                .get(asset.path)
                .and_then(|path| self.sources.binary(path));
            let taken = replaced.is_some_and(|own| !assets::is_copy(asset.path, &own.bytes));
            if !taken {
                put(sink, asset.path, asset.bytes)?;
            }
        }
        for (to, from) in own {
            if let Some(file) = self.sources.binary(from)
                && !assets::is_copy(&to, &file.bytes)
            {
                put(sink, &to, file.bytes.to_vec())?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a copied file is the site's own or stands beside an entry of the set.
    fn is_shown_file(&self, path: &str) -> bool {
        let inner = path
            .strip_prefix("content/terms/")
            .or_else(|| path.strip_prefix("content/lessons/"));
        match inner.and_then(|inner| inner.split_once('/')) {
            Some((id, _)) => self.showing.set().contains(id),
            None => true,
        }
    }

    fn surfaces(&self, sink: &dyn Sink<S::Output>) -> ControlFlow<()> {
        let config = &self.compiled.site.config;
        let access = match S::PURPOSE {
            Purpose::Release => Access::Open,
            Purpose::Preview => Access::Closed,
        };
        let make = |path: &str, work: &dyn Fn() -> Vec<u8>| {
            put(sink, path, observed(self.observer, Stage::Surfaces, work))
        };
        let entries = self.shelf();
        let content = |listed: &Listed<'_>| self.renderer.feed_content(listed.index);
        make("robots.txt", &|| surfaces::robots(config, access))?;
        make("sitemap.xml", &|| surfaces::sitemap(entries))?;
        make("feed.xml", &|| surfaces::feed(entries, &content))?;
        make("llms.txt", &|| surfaces::llms(entries))?;
        if let Ok(path) = OutputPath::new("glossary.json") {
            let mut parts = surfaces::glossary(entries);
            let mut next = || observed(self.observer, Stage::Surfaces, || parts.next());
            sink.put_parts(&path, &mut std::iter::from_fn(&mut next))?;
        }
        let schema = surfaces::GLOSSARY_SCHEMA.as_bytes();
        make("glossary.schema.json", &|| schema.to_vec())?;
        for redirect in surfaces::redirect(entries) {
            put(sink, &redirect.path, redirect.html)?;
        }
        ControlFlow::Continue(())
    }

    /// The search index.
    fn search(&self, sink: &dyn Sink<S::Output>) -> ControlFlow<()> {
        let mut index = observed(self.observer, Stage::Search, || {
            surfaces::search(self.shelf())
        });
        let mut next = || observed(self.observer, Stage::Search, || index.next());
        std::iter::from_fn(&mut next).try_for_each(|(path, bytes)| put(sink, &path, bytes))
    }

    /// What the page of each published entry must show.
    fn signed(&self) -> Vec<Signed> {
        let listed = self.shelf().listed.iter();
        listed
            .map(|listed| Signed {
                entry: listed.index,
                shown: [
                    listed.written_by.clone(),
                    listed.reviewed_by.clone(),
                    listed.written_on(),
                    listed.last_checked_on(),
                    listed.assurance.map(str::to_owned),
                ]
                .into_iter()
                .flatten()
                .collect(),
            })
            .collect()
    }

    /// Where copied files come from.
    fn places(&self) -> BTreeMap<String, Span> {
        let binaries = self.sources.binaries();
        binaries
            .filter_map(|(path, file)| {
                let to = released(path)?;
                let own = !assets::is_copy(&to, &file.bytes);
                own.then(|| (to, Span::file(file.file)))
            })
            .collect()
    }
}

impl<S: EntrySet> std::fmt::Debug for Assembly<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Assembly").finish_non_exhaustive()
    }
}

/// A fault of a template comes up on every page that uses it; it is told once, with the words of the
/// first page in the order of ids, and with every entry that it concerns.
fn once(findings: Diagnostics) -> Diagnostics {
    // Pages are made in parallel: which came first must not show.
    let is_before = |a: &Diagnostic, b: &Diagnostic| (&a.entry, &a.notes) < (&b.entry, &b.notes);
    let mut out = Diagnostics::new();
    let mut first: BTreeMap<(Span, String), Diagnostic> = BTreeMap::new();
    for finding in findings {
        if finding.rule != rule::TEMPLATE_ERROR {
            out.push(finding);
            continue;
        }
        match first.entry((finding.span, finding.message.clone())) {
            Entry::Vacant(place) => {
                place.insert(finding);
            }
            Entry::Occupied(mut kept) if is_before(&finding, kept.get()) => {
                let other = kept.insert(finding);
                kept.get_mut().take_over(&other);
            }
            Entry::Occupied(mut kept) => kept.get_mut().take_over(&finding),
        }
    }
    out.extend(first.into_values());
    out
}

fn shelf<'a, S: EntrySet>(
    compiled: &'a Compiled,
    sources: &'a Sources,
    showing: &Showing<'_, S>,
) -> Shelf<'a> {
    let entries = compiled.site.entries.iter().enumerate();
    let listed = entries
        .filter_map(|(index, entry)| {
            let verdict = showing.verdict(index)?;
            let sign_off = verdict.sign_off.as_ref();
            Some(Listed {
                index,
                entry,
                state: verdict.state.word(),
                written_by: showing.author(index).map(|named| named.name),
                reviewed_by: showing.reviewer(index).map(|named| named.name),
                assurance: sign_off.map(|sign_off| sign_off.assurance.word()),
                claims: verdict.digests?.claims,
            })
        })
        .collect();
    Shelf::new(&compiled.site, sources, listed)
}

/// Gives a file of ours to the sink. Its path is made of ids, which are safe.
fn put<P: crate::output::Purpose>(
    sink: &dyn Sink<P>,
    path: &str,
    bytes: Vec<u8>,
) -> ControlFlow<()> {
    match OutputPath::new(path) {
        Ok(path) => sink.put(&path, bytes),
        // A path that is not safe was reported when its source was loaded; it is not written.
        Err(_) => ControlFlow::Continue(()),
    }
}
