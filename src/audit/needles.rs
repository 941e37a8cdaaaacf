//! The words of unpublished entries, to be looked for.
//!
//! Looked for are: title, short answer, alt texts, captions, every sentence of the body, titles of its
//! links and pictures, kickers, names and aliases, and the address. Words that a published entry's own source has too are no leak.
//! A name of one short common word (`tile`) gives nothing away by itself and would be found
//! everywhere; its address is looked for instead. Words that stand in every release by themselves, in the
//! program's own sheets, scripts and templates (`font size`), give nothing away either.

use super::normal::{Escapes, Normal, normalised, without_tags};
use super::sieve::{Sieve, Tally};
use crate::model::claim::ShortText;
use crate::model::entry::Entry;
use crate::model::slug::Slug;
use crate::resolve::{EntryIndex, Site};
use crate::source::{Digest, FileId, Hasher, Sources, Span};
use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::{BTreeMap, BTreeSet};

/// Words that must not be found.
#[derive(Debug)]
pub(super) struct Needle {
    /// The entry, where it could be read.
    pub entry: Option<EntryIndex>,
    /// Its id.
    pub id: String,
    /// What the words are: "the title".
    pub what: &'static str,
    /// The words, as written.
    pub shown: String,
    /// Where they stand.
    pub span: Span,
    /// In which files they give the entry away.
    pub reach: Reach,
}

/// In which files words give an entry away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// In every file.
    Everywhere,
    /// In files that a site copies: a common word stands in pages by itself, and nobody's page
    /// about another thing must fail for it.
    Copied,
}

/// All words that must not be found, and the machine that looks for them.
#[derive(Debug)]
pub(super) struct Needles {
    list: Vec<Needle>,
    digest: Digest,
    /// Entries that they are of.
    entries: usize,
    machine: Option<AhoCorasick>,
    /// Tells which texts need not be given to the machine: of those that give an entry away
    /// everywhere, and of the others.
    everywhere: Sieve,
    copied: Sieve,
}

impl Needles {
    /// Collects the words of every entry that is not published.
    pub(super) fn new(
        site: &Site,
        sources: &Sources,
        built_in: fn() -> &'static [String],
        published: impl Fn(EntryIndex) -> bool,
    ) -> Self {
        let mut found: BTreeMap<String, Needle> = BTreeMap::new();
        let mut add = |words: String, needle: Needle| {
            found.entry(words).or_insert(needle);
        };
        for (index, entry) in site.entries.iter().enumerate() {
            if !published(index) {
                collect(index, (entry, sources), &mut add);
            }
        }
        for entry in &site.unreadable {
            let address = normalised(&format!("{}/{}/", entry.kind.folder(), entry.id));
            let needle = Needle {
                entry: None,
                id: entry.id.to_string(),
                what: "the address",
                shown: format!("{}/{}/", entry.kind.folder(), entry.id),
                span: Span::file(entry.file),
                reach: Reach::Everywhere,
            };
            add(address, needle);
        }
        let words: Vec<&str> = found.keys().map(String::as_str).collect();
        let all = (!words.is_empty()).then(|| machine(words.iter().copied()));
        let (shared, of_nobody, tally) = match all.flatten() {
            Some(all) => {
                let (shared, tally) = shared(&all, site, sources, &published);
                (shared, built_in_words(&all, built_in()), tally)
            }
            None => (
                vec![false; words.len()],
                vec![false; words.len()],
                Tally::new(),
            ),
        };
        let kept: Vec<_> = found
            .into_iter()
            .zip(shared.into_iter().zip(of_nobody))
            .filter(|((_, needle), (shared, of_nobody))| {
                !(*shared || *of_nobody && may_be_of_nobody(needle))
            })
            .map(|(pair, _)| pair)
            .collect();
        let reaching = |reach: Reach| {
            let reaching = kept.iter().filter(move |(_, needle)| needle.reach == reach);
            Sieve::new(reaching.map(|(words, _)| words.as_str()), &tally)
        };
        let entries: BTreeSet<_> = kept.iter().map(|(_, needle)| needle.entry).collect();
        Self {
            digest: digest(kept.iter()),
            entries: entries.len(),
            everywhere: reaching(Reach::Everywhere),
            copied: reaching(Reach::Copied),
            machine: machine(kept.iter().map(|(words, _)| words.as_str())),
            list: kept.into_iter().map(|(_, needle)| needle).collect(),
        }
    }

    /// Whether there is nothing to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The digest of the words, of where each gives an entry away, and of whose they are.
    pub(super) fn digest(&self) -> Digest {
        self.digest
    }

    /// The words that stand in a text (in the form for comparison) and give their entry away there,
    /// in the order of their ends. Each comes with its place in the list.
    pub(super) fn find<'a>(
        &'a self,
        text: &'a [u8],
        is_copied: bool,
    ) -> impl Iterator<Item = (usize, &'a Needle)> + 'a {
        let may_hold = self.everywhere.may_hold(text) || is_copied && self.copied.may_hold(text);
        self.machine
            .iter()
            .filter(move |_| may_hold)
            .flat_map(move |machine| machine.find_overlapping_iter(text))
            .map(|hit| hit.pattern().as_usize())
            .filter_map(|place| Some((place, self.list.get(place)?)))
            .filter(move |(_, needle)| needle.reach == Reach::Everywhere || is_copied)
    }

    /// Of how many entries there are any words; those that could not be read count as one.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// The words at a place of the list.
    pub(super) fn get(&self, place: usize) -> Option<&Needle> {
        self.list.get(place)
    }
}

fn digest<'a>(needles: impl Iterator<Item = &'a (String, Needle)>) -> Digest {
    let mut hasher = Hasher::new();
    for (words, needle) in needles {
        let reach = match needle.reach {
            Reach::Everywhere => "everywhere",
            Reach::Copied => "copied",
        };
        for field in [words, &needle.id, needle.what, &needle.shown, reach] {
            hasher.field(field);
        }
    }
    hasher.finish()
}

/// Which words a published entry's own source has too, and what stands in those sources.
fn shared(
    machine: &AhoCorasick,
    site: &Site,
    sources: &Sources,
    published: impl Fn(EntryIndex) -> bool,
) -> (Vec<bool>, Tally) {
    let mut shared = vec![false; machine.patterns_len()];
    let mut tally = Tally::new();
    let mut look = |text: &[u8]| {
        for hit in machine.find_overlapping_iter(text) {
            shared[hit.pattern().as_usize()] = true;
        }
        tally.add(text);
    };
    // The address of a published page is no word of a draft that links to it.
    look(addresses(site, &published).as_bytes());
    let mut normal = Normal::default();
    for (index, entry) in site.entries.iter().enumerate() {
        if published(index) {
            for file in own_files(entry, site) {
                look(normal.read(&sources.file(file).text, Escapes::Kept));
            }
        }
    }
    (shared, tally)
}

/// Which words stand in texts that come with the program.
fn built_in_words(machine: &AhoCorasick, built_in: &[String]) -> Vec<bool> {
    let mut found = vec![false; machine.patterns_len()];
    let (mut normal, mut untagged) = (Normal::default(), String::new());
    let mut look = |text: &str| {
        for hit in machine.find_overlapping_iter(normal.read(text, Escapes::Undone)) {
            found[hit.pattern().as_usize()] = true;
        }
    };
    for text in built_in {
        look(text);
        if without_tags(text, &mut untagged) {
            look(&untagged);
        }
    }
    found
}

/// Whether words tell of no entry where the program's own texts have them. An address always tells, and
/// a common word is looked for in no file of the program.
fn may_be_of_nobody(needle: &Needle) -> bool {
    needle.what != "the address" && needle.reach == Reach::Everywhere
}

/// The addresses of everything that is published, in the form for comparison.
fn addresses(site: &Site, published: impl Fn(EntryIndex) -> bool) -> String {
    let base = &site.config.base_url;
    let entries = site.entries.iter().enumerate();
    let entries = entries.filter(|(index, _)| published(*index));
    let entries = entries.map(|(_, entry)| entry.address());
    let others = ["", "terms/", "lessons/"].map(str::to_owned);
    let pages = site.pages.iter().map(|page| page.address());
    let all: Vec<_> = entries.chain(others).chain(pages).collect();
    let all: Vec<_> = all
        .iter()
        .map(|address| format!("{base}{address}\n"))
        .collect();
    normalised(&all.concat())
}

/// The files that an entry is made of: its own, its captures', its presets'.
fn own_files(entry: &Entry, site: &Site) -> Vec<FileId> {
    let captures = entry.measured.iter().filter_map(|capture| capture.file);
    let presets = entry.diagrams.iter().filter_map(|diagram| {
        let name = Slug::new(&diagram.preset.as_ref()?.value)?;
        Some(site.presets.get(&name)?.as_ref()?.file)
    });
    [entry.file]
        .into_iter()
        .chain(captures)
        .chain(presets)
        .collect()
}

fn machine<'a>(words: impl Iterator<Item = &'a str>) -> Option<AhoCorasick> {
    // Building fails only for patterns beyond what memory holds; then nothing could be proved,
    // and an empty machine would say that all is well. Short patterns cannot reach that.
    AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .build(words)
        .ok()
}

fn collect(
    index: EntryIndex,
    (entry, sources): (&Entry, &Sources),
    add: &mut impl FnMut(String, Needle),
) {
    let mut put_one = |what: &'static str, words: String, shown: &str, span: Span| {
        let reach = if tells(&words, what) {
            Reach::Everywhere
        } else if matches!(what, "the name" | "a name" | "the title") && words.trim().len() >= 3 {
            Reach::Copied
        } else {
            return;
        };
        {
            let needle = Needle {
                reach,
                entry: Some(index),
                id: entry.id.to_string(),
                what,
                shown: shown.trim().to_owned(),
                span,
            };
            add(words, needle);
        }
    };
    let mut put = |what: &'static str, shown: &str, span: Span| {
        let words = normalised(shown);
        if words.len() <= WORDS_MAX_BYTES {
            return put_one(what, words, shown, span);
        }
        for piece in pieces(&words) {
            put_one(what, piece.to_owned(), piece, span);
        }
    };
    put("the title", &entry.title.value, entry.title.span);
    put("the address", &entry.address(), entry.title.span);
    put("the id", entry.id.as_str(), entry.title.span);
    put("the name", entry.name(), entry.title.span);
    for alias in entry.aliases() {
        put("a name", &alias.value, alias.span);
    }
    if let Some(short) = &entry.short {
        put("the short answer", &short.plain(), short.span);
    }
    for text in figure_texts(entry) {
        put("a figure's text", &text.plain(), text.span);
    }
    let body = entry.body.span.unwrap_or(entry.title.span);
    for sentence in entry.body.words(sources).flat_map(sentences) {
        put("a sentence", sentence, body);
    }
    for (words, span) in asides(entry) {
        put("a sentence", words, span);
    }
}

/// Most bytes of words that are looked for as one. A sentence of a megabyte would make a machine of as
/// many states, and what leaks of it may be a part.
const WORDS_MAX_BYTES: usize = 512;

/// Words cut into pieces of at most [`WORDS_MAX_BYTES`], between two of them where that can be: each
/// piece keeps the spaces at its ends.
fn pieces(words: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = words;
    while rest.len() > WORDS_MAX_BYTES {
        let mut end = WORDS_MAX_BYTES;
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (first, next) = match rest[..end].rfind(' ') {
            Some(space) if space > 0 => (space + 1, space),
            _ => (end, end),
        };
        pieces.push(&rest[..first]);
        rest = &rest[next..];
    }
    pieces.push(rest);
    pieces
}

fn figure_texts(entry: &Entry) -> impl Iterator<Item = &ShortText> {
    let diagrams = entry.diagrams.iter().flat_map(|d| [&d.alt, &d.caption]);
    let models = entry.models.iter().flat_map(|m| [&m.alt, &m.caption]);
    let matrices = entry.matrices.iter().map(|m| &m.caption);
    let captures = entry.measured.iter().flat_map(|c| [&c.caption, &c.note]);
    diagrams
        .chain(models)
        .chain(matrices)
        .chain(captures)
        .flatten()
}

/// The words of a body that stand beside its text: titles of links and pictures, kickers of sections.
fn asides(entry: &Entry) -> impl Iterator<Item = (&str, Span)> {
    let body = &entry.body;
    let links = body
        .links
        .iter()
        .map(|link| (link.title.as_str(), link.span));
    let images = body.images.iter();
    let images = images.map(|image| (image.title.as_str(), image.span));
    let headings = body.headings.iter();
    let kickers = headings.filter_map(|heading| Some((heading.kicker.as_deref()?, heading.span)));
    links.chain(images).chain(kickers)
}

/// Whether words give an entry away. An address always does. A title or a name does if it has
/// more than one word, or is long, or holds a digit or a letter outside ASCII. A sentence does
/// if it is long enough not to be written twice by chance.
fn tells(words: &str, what: &str) -> bool {
    let words = words.trim();
    let count = words.split(' ').count();
    match what {
        "the address" => true,
        "a sentence" => count >= 4 && words.len() >= 20,
        _ => {
            count >= 2
                || words.len() >= 12
                || words.contains(|c: char| c.is_ascii_digit() || !c.is_ascii())
        }
    }
}

/// The sentences of a text.
fn sentences(words: &str) -> impl Iterator<Item = &str> {
    words
        .lines()
        .flat_map(|line| line.split_inclusive(['.', '?', '!', ':', ';', '。', '？', '！']))
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_looked_for_in_pieces() {
        let words = normalised(&"word after word ".repeat(200));
        let cut = pieces(&words);
        assert!(cut.len() > 5);
        for piece in &cut {
            assert!(piece.len() <= WORDS_MAX_BYTES && words.contains(piece));
            assert!(piece.starts_with(' ') && piece.ends_with(' '), "{piece:?}");
        }
        // Text without spaces is cut between two letters.
        let words = normalised(&"線".repeat(1_000));
        let cut = pieces(&words);
        assert_eq!(cut.concat(), words);
        assert!(cut.iter().all(|piece| piece.len() <= WORDS_MAX_BYTES));
    }
}
