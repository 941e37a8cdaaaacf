//! One finding for words that leak, however many files they reached, at the place they came from.

use super::Auditor;
use super::needles::Needle;
use super::normal::{Escapes, Normal, normalised};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::source::{Sources, Span};
use memchr::memmem;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Words of an unpublished entry in a finished file.
#[derive(Debug, Clone)]
pub struct Leak {
    /// Which words, as a place in the list of them.
    pub(super) needle: usize,
    /// The file of the release.
    pub(super) path: String,
    /// The file that it was copied from, if it was.
    pub(super) copied: Option<Span>,
}

/// Most files that one finding lists.
const LISTED_MAX: usize = 8;

impl Auditor<'_> {
    /// The findings that leaks stand for.
    pub fn report(&self, leaks: Vec<Leak>, sources: &Sources) -> Diagnostics {
        let mut grouped: BTreeMap<(usize, Option<Span>), BTreeSet<String>> = BTreeMap::new();
        for leak in leaks {
            let group = grouped.entry((leak.needle, leak.copied)).or_default();
            group.insert(leak.path);
        }
        let unknown = grouped.keys().filter(|(_, copied)| copied.is_none());
        let origins = self.origins(unknown.map(|(needle, _)| *needle), sources);
        let mut out = Diagnostics::new();
        for ((place, copied), paths) in grouped {
            if let Some(needle) = self.needles.get(place) {
                let origin = copied.or_else(|| origins.get(&place).copied());
                out.push(self.finding(needle, origin, &paths));
            }
        }
        out
    }

    fn finding(
        &self,
        needle: &Needle,
        origin: Option<Span>,
        paths: &BTreeSet<String>,
    ) -> Diagnostic {
        let first = paths.first().map_or("", String::as_str);
        let others = match paths.len() {
            0 | 1 => String::new(),
            2 => " and 1 other file".to_owned(),
            count => format!(" and {} other files", count - 1),
        };
        let (what, id) = (needle.what, &needle.id);
        let message = format!("{what} of the unpublished entry `{id}` stands in `{first}`{others}");
        let mut finding = Diagnostic::new(rule::DRAFT_LEAK, origin.unwrap_or(needle.span), message)
            .note(format!("The words are: “{}”.", needle.shown))
            .help("Take the words out of this file, or publish the entry.");
        if origin.is_some() {
            finding = finding.related(needle.span, "the entry's own words");
        }
        if paths.len() > 1 {
            let listed: Vec<_> = paths
                .iter()
                .take(LISTED_MAX)
                .map(|p| format!("`{p}`"))
                .collect();
            let more = if paths.len() > LISTED_MAX {
                ", …"
            } else {
                ""
            };
            finding = finding.note(format!("They stand in {}{more}.", listed.join(", ")));
        }
        match needle.entry {
            Some(index) => finding.entry(self.site.entries[index].id.shared()),
            None => finding,
        }
    }

    /// Where words stand first in what a release is made from: the plain pages, the settings, the
    /// site's own templates, the published entries.
    fn origins(
        &self,
        needles: impl Iterator<Item = usize>,
        sources: &Sources,
    ) -> BTreeMap<usize, Span> {
        let mut sought: Vec<_> = needles
            .filter_map(|place| Some((place, Wanted::new(self.needles.get(place)?))))
            .collect();
        let pages = self.site.home.iter().chain(&self.site.pages);
        let published = self
            .pages
            .values()
            .map(|signed| self.site.entry(signed.entry).file);
        let files = pages
            .map(|page| page.file)
            .chain([self.site.config.file])
            .chain(sources.below("templates/").map(|(file, _)| file))
            .chain(published);
        let mut found = BTreeMap::new();
        let mut normal = Normal::default();
        for file in files {
            if sought.is_empty() {
                break;
            }
            let text = &*sources.file(file).text;
            let folded = text.to_ascii_lowercase();
            let words = normal.read(text, Escapes::Kept);
            sought.retain(|(place, wanted)| {
                let range = wanted.find(text, &folded, words);
                found.extend(range.map(|range| (*place, Span::new(file, range))));
                !found.contains_key(place)
            });
        }
        found
    }
}

/// The ways in which the words may be written. An address may be written from a folder near it.
fn spellings(needle: &Needle) -> Vec<String> {
    let mut wanted = vec![needle.shown.clone()];
    match needle.what {
        "the address" => wanted.extend([format!("{}/", needle.id), format!("{}.md", needle.id)]),
        "the id" => wanted.push(needle.shown.replace('-', " ")),
        _ => {}
    }
    wanted
}

/// The ways in which words may be written, ready to be looked for in many texts.
struct Wanted(Vec<Spelling>);

struct Spelling {
    exact: memmem::Finder<'static>,
    /// In lower case, as far as letters are of ASCII.
    folded: memmem::Finder<'static>,
    normal: memmem::Finder<'static>,
}

impl Wanted {
    fn new(needle: &Needle) -> Self {
        let spelling = |words: String| Spelling {
            exact: memmem::Finder::new(&words).into_owned(),
            folded: memmem::Finder::new(&words.to_ascii_lowercase()).into_owned(),
            normal: memmem::Finder::new(&normalised(&words)).into_owned(),
        };
        Self(spellings(needle).into_iter().map(spelling).collect())
    }

    /// Where words stand in a text: letter for letter, else with the case of ASCII letters aside,
    /// else anywhere in the form for comparison, and then at the text's start. The text is given in
    /// all three forms.
    fn find(&self, text: &str, folded: &str, normal: &[u8]) -> Option<Range<usize>> {
        self.0.iter().find_map(|spelling| {
            let exact = spelling.exact.find(text.as_bytes());
            let at = exact.or_else(|| spelling.folded.find(folded.as_bytes()));
            let length = spelling.exact.needle().len();
            let anywhere = || spelling.normal.find(normal).map(|_| 0..0);
            at.map(|at| at..at + length).or_else(anywhere)
        })
    }
}
