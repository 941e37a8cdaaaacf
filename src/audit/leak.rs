//! One finding for words that leak, however many files they reached, at the place they came from.

use super::Auditor;
use super::haystack::normalised;
use super::needles::Needle;
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::source::{FileId, Sources, Span};
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
        let mut out = Diagnostics::new();
        for ((needle, copied), paths) in grouped {
            if let Some(needle) = self.needles.get(needle) {
                out.push(self.finding(needle, copied, &paths, sources));
            }
        }
        out
    }

    fn finding(
        &self,
        needle: &Needle,
        copied: Option<Span>,
        paths: &BTreeSet<String>,
        sources: &Sources,
    ) -> Diagnostic {
        let first = paths.first().map_or("", String::as_str);
        let others = match paths.len() {
            0 | 1 => String::new(),
            2 => " and 1 other file".to_owned(),
            count => format!(" and {} other files", count - 1),
        };
        let (what, id) = (needle.what, &needle.id);
        let message = format!("{what} of the unpublished entry `{id}` stands in `{first}`{others}");
        let origin = copied.or_else(|| self.origin(needle, sources));
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

    /// Where the words stand in what a release is made from: the plain pages, the settings, the
    /// site's own templates, the published entries.
    fn origin(&self, needle: &Needle, sources: &Sources) -> Option<Span> {
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
        let wanted = spellings(needle);
        let hit = |file: FileId| {
            let text = &*sources.file(file).text;
            let range = wanted.iter().find_map(|words| find(text, words))?;
            Some(Span::new(file, range))
        };
        files.into_iter().find_map(hit)
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

/// Where words stand in a text: letter for letter, else with the case of ASCII letters aside, else
/// anywhere in the form for comparison, and then at the text's start.
fn find(text: &str, words: &str) -> Option<Range<usize>> {
    let exact = text.find(words);
    let folded = || {
        let text = text.to_ascii_lowercase();
        text.find(&words.to_ascii_lowercase())
    };
    if let Some(at) = exact.or_else(folded) {
        return Some(at..at + words.len());
    }
    normalised(text)
        .contains(&normalised(words))
        .then_some(0..0)
}
