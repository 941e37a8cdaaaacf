//! What all pages of a build share, made once.
//!
//! Job: links, neighbours and series of the entries that are shown, so that a page costs the same
//! in a site of ten and of ten thousand. Invariant: an entry that is not shown is in none of them.

use super::address;
use super::context::{
    BannerContext, ImageContext, LinkContext, PageContext, PageKind, SiteContext,
};
use super::shown::{Audience, Shown, Standing};
use super::templates::Templates;
use crate::evaluate::LazyFacts;
use crate::model::claim::ShortText;
use crate::model::entry::Entry;
use crate::resolve::{EntryIndex, Site, fold_name};
use crate::simulate::Simulations;
use crate::source::{Digest, Sources};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher as _};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Width and height of a social card in pixels.
const CARD_SIZE_PX: (u32, u32) = (1200, 630);

/// Whether drawings and social cards are made as PNG too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rasters {
    /// Every drawing, and a card for each page.
    All,
    /// None, and no page speaks of one.
    None,
}

/// What pages are made from.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// All files, for the sizes of images.
    pub sources: &'a Sources,
    /// The resolved site.
    pub site: &'a Site,
    /// Every run.
    pub runs: &'a Simulations,
    /// How each claim comes out, beside the site's entries.
    pub facts: &'a [Arc<LazyFacts>],
    /// The compiled templates.
    pub templates: &'a Templates,
    /// The module that answers searches, relative to the site's root, if the build makes one.
    pub search_href: Option<&'a str>,
    /// Whether there are PNGs to link to.
    pub rasters: Rasters,
}

/// The entries before and after one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Turn {
    pub(super) previous: Option<EntryIndex>,
    pub(super) next: Option<EntryIndex>,
}

/// What a page is made from, and what all pages share.
pub(super) struct Build<'a> {
    pub(super) sources: &'a Sources,
    pub(super) site: &'a Site,
    pub(super) runs: &'a Simulations,
    pub(super) facts: &'a [Arc<LazyFacts>],
    pub(super) templates: &'a Templates,
    pub(super) rasters: Rasters,
    set: &'a dyn Shown,
    common: Arc<Common>,
}

/// What all pages share: made once, it serves any number of renderers of the same input and set.
#[derive(Debug)]
pub struct Common {
    pub(super) context: SiteContext,
    /// The states of the site's entries; `None` for one that is not shown.
    states: Vec<Option<&'static str>>,
    /// Links to them, each made once it is asked for.
    links: Vec<OnceLock<LinkContext>>,
    turns: Vec<Turn>,
    /// Terms that are shown, in the order of the glossary.
    pub(super) terms: Vec<EntryIndex>,
    /// Lessons that are shown, in the order of the course.
    pub(super) lessons: Vec<EntryIndex>,
    /// Lessons of each series that are shown, by its folded name.
    series: BTreeMap<String, Vec<EntryIndex>>,
    /// Descriptions that two pages would share.
    shared: BTreeSet<String>,
    /// Paths in the release of copied files, to their paths among the sources.
    files: BTreeMap<String, Arc<str>>,
}

impl Common {
    /// Makes it.
    pub fn new(input: Input<'_>, set: &impl Shown) -> Self {
        let site = input.site;
        let count = site.entries.len();
        let states: Vec<_> = (0..count).map(|index| set.state(index)).collect();
        let shown = |index: &EntryIndex| states.get(*index).is_some_and(Option::is_some);
        let terms: Vec<_> = site.terms.iter().copied().filter(shown).collect();
        let lessons: Vec<_> = site.lessons.iter().copied().filter(shown).collect();
        let mut turns = vec![Turn::default(); count];
        take_turns(&terms, &mut turns);
        take_turns(&lessons, &mut turns);
        let mut series: BTreeMap<String, Vec<EntryIndex>> = BTreeMap::new();
        for &index in &lessons {
            if let Some(name) = series_name(site.entry(index)) {
                series.entry(name).or_default().push(index);
            }
        }
        let files = input
            .sources
            .binaries()
            .filter_map(|(path, _)| Some((crate::output::released(path)?, Arc::<str>::from(path))));
        Self {
            context: site_context(input, set.audience()),
            shared: shared_descriptions(site, &states),
            links: (0..count).map(|_| OnceLock::new()).collect(),
            states,
            turns,
            terms,
            lessons,
            series,
            files: files.collect(),
        }
    }
}

impl Deref for Build<'_> {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}

impl<'a> Build<'a> {
    /// Puts it together; `common` must be made of the same input and set.
    pub(super) fn new(input: Input<'a>, set: &'a dyn Shown, common: Arc<Common>) -> Self {
        Self {
            sources: input.sources,
            site: input.site,
            runs: input.runs,
            facts: input.facts,
            templates: input.templates,
            rasters: input.rasters,
            set,
            common,
        }
    }

    /// A link to an entry; `None` for one that is not shown.
    pub(super) fn link(&self, index: EntryIndex) -> Option<&LinkContext> {
        let state = self.states.get(index).copied().flatten()?;
        let link = self.links.get(index)?;
        Some(link.get_or_init(|| link_to(self.site.entry(index), state)))
    }

    /// Links to entries, those that are shown.
    pub(super) fn links<'i>(
        &self,
        indexes: impl IntoIterator<Item = &'i Option<EntryIndex>>,
    ) -> Vec<LinkContext> {
        let known = indexes.into_iter().flatten();
        known
            .filter_map(|index| self.link(*index).cloned())
            .collect()
    }

    /// Where a shown entry stands.
    pub(super) fn standing(&self, index: EntryIndex) -> Option<Standing> {
        let is_shown = self.states.get(index).is_some_and(Option::is_some);
        is_shown.then(|| self.set.standing(index))
    }

    /// Marks the page of an unpublished entry.
    pub(super) fn mark(&self, page: &mut PageContext, index: EntryIndex, standing: &Standing) {
        if standing.is_published() {
            return;
        }
        page.noindex = true;
        page.canonical = None;
        page.banner = Some(BannerContext {
            state: standing.state.to_owned(),
            lines: self.set.reasons(index),
        });
    }

    /// Every shown entry.
    pub(super) fn shown(&self) -> impl Iterator<Item = EntryIndex> {
        let states = self.states.iter().enumerate();
        states.filter_map(|(index, state)| state.map(|_| index))
    }

    /// The entries before and after one.
    pub(super) fn turn(&self, index: EntryIndex) -> Turn {
        self.turns.get(index).copied().unwrap_or_default()
    }

    /// The shown lessons of a lesson's series.
    pub(super) fn series(&self, entry: &Entry) -> &[EntryIndex] {
        let name = series_name(entry);
        name.and_then(|name| self.series.get(&name))
            .map_or(&[], Vec::as_slice)
    }

    /// Width and height of a copied image in pixels.
    pub(super) fn image_size(&self, released: &str) -> Option<(usize, usize)> {
        let path = self.files.get(released)?;
        let bytes = self.sources.binary(path)?;
        let size = imagesize::blob_size(&bytes.bytes).ok()?;
        Some((size.width, size.height))
    }

    /// The digest of a copied file, by its path in the release.
    pub(super) fn copied_file(&self, released: &str) -> Option<Digest> {
        let copied = self.sources.binary(self.files.get(released)?)?;
        Some(self.sources.file(copied.file).raw)
    }

    /// Whether another page would have the same description as an entry's.
    pub(super) fn has_shared_description(&self, index: EntryIndex) -> bool {
        let link = self.link(index);
        link.is_some_and(|link| self.shared.contains(&link.short))
    }

    /// The description of an entry's page: its short answer, told apart from an equal one by the
    /// entry's name.
    pub(super) fn description(&self, index: EntryIndex) -> String {
        let entry = self.site.entry(index);
        let short = self.link(index).map_or("", |link| link.short.as_str());
        if short.is_empty() {
            return format!(
                "{}: a {} of {}.",
                entry.title.value,
                entry.kind().word(),
                self.context.title
            );
        }
        if self.has_shared_description(index) {
            return format!("{}: {short}", entry.name());
        }
        short.to_owned()
    }

    /// What every page's context begins with.
    pub(super) fn page(
        &self,
        kind: PageKind,
        title: &str,
        description: String,
        href: &str,
    ) -> PageContext {
        let url = |path: &str| format!("{}{}", self.context.base_url, address::encode(path));
        let (width_px, height_px) = CARD_SIZE_PX;
        PageContext {
            kind,
            title: title.to_owned(),
            description,
            href: href.to_owned(),
            root: address::to_root(href),
            canonical: Some(url(href)),
            noindex: false,
            // A home page without a text of its own has no twin.
            markdown_href: (kind != PageKind::Home || self.site.home.is_some())
                .then(|| address::twin(href)),
            image: (self.rasters == Rasters::All).then(|| ImageContext {
                url: url(&address::card(href)),
                width_px,
                height_px,
                alt: if title == self.context.title {
                    title.to_owned()
                } else {
                    format!("{title} · {}", self.context.title)
                },
            }),
            banner: None,
        }
    }
}

fn link_to(entry: &Entry, state: &str) -> LinkContext {
    let short = entry.short.as_ref();
    LinkContext {
        text: entry.name().to_owned(),
        href: Some(entry.address()),
        short: short.map(ShortText::plain).unwrap_or_default(),
        state: state.to_owned(),
    }
}

fn take_turns(order: &[EntryIndex], turns: &mut [Turn]) {
    for pair in order.windows(2) {
        if let [before, after] = *pair {
            if let Some(turn) = turns.get_mut(before) {
                turn.next = Some(after);
            }
            if let Some(turn) = turns.get_mut(after) {
                turn.previous = Some(before);
            }
        }
    }
}

fn series_name(entry: &Entry) -> Option<String> {
    let arc = entry.lesson()?.arc.as_ref()?;
    Some(fold_name(&arc.name.value))
}

/// The short answers that two shown entries share. Few do, so that they are told apart by hashes
/// first, without making the text of each.
fn shared_descriptions(site: &Site, states: &[Option<&'static str>]) -> BTreeSet<String> {
    let shown = |index: &EntryIndex| states.get(*index).is_some_and(Option::is_some);
    let mut hashes: Vec<(u64, EntryIndex)> = (0..states.len())
        .into_par_iter()
        .filter(shown)
        .map(|index| {
            let mut hasher = DefaultHasher::new();
            let short = site.entry(index).short.iter();
            short
                .flat_map(ShortText::words)
                .for_each(|words| hasher.write(words.as_bytes()));
            (hasher.finish(), index)
        })
        .collect();
    hashes.par_sort_unstable();
    let mut seen = BTreeSet::new();
    let mut shared = BTreeSet::new();
    for group in hashes.chunk_by(|(one, _), (other, _)| one == other) {
        if group.len() > 1 {
            for (_, index) in group {
                let short = site.entry(*index).short.as_ref();
                let text = short.map(ShortText::plain).unwrap_or_default();
                if !seen.insert(text.clone()) {
                    shared.insert(text);
                }
            }
        }
    }
    shared
}

fn site_context(input: Input<'_>, audience: Audience) -> SiteContext {
    let config = &input.site.config;
    let mut pages: Vec<_> = input
        .site
        .pages
        .iter()
        .map(|page| {
            let title = page.title.as_ref();
            LinkContext {
                text: title.map(|title| title.value.clone()).unwrap_or_default(),
                href: Some(page.address()),
                short: String::new(),
                state: "published".to_owned(),
            }
        })
        .collect();
    pages.sort_by(|a, b| (fold_name(&a.text), &a.href).cmp(&(fold_name(&b.text), &b.href)));
    SiteContext {
        title: config.title.clone(),
        language: config.language.clone(),
        description: config.description.clone(),
        base_url: config.base_url.clone(),
        base_path: config.base_path().to_owned(),
        pages,
        search_href: input.search_href.map(str::to_owned),
        icon_href: input
            .sources
            .find("static/favicon.svg")
            .map(|_| "favicon.svg".to_owned()),
        drafts: audience == Audience::Writers,
    }
}
