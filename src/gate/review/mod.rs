//! What changed between two versions of an entry, for the person who signs the second.
//!
//! Takes two entries, each with the files of its own revision, and tells words, numbers,
//! sources, dates and figures apart. Nothing that is signed can change without showing here:
//! the front matter is compared leaf by leaf, the body line by line, and other files by their
//! content; where only the order of things differs, the key is named.
//!
//! The older version is the one whose claims digest a statement holds: walk the history of the
//! entry's file from the newest commit on and take the first for which
//! `digests(...).claims == statement.claims`.

mod leaves;
mod text;
mod words;

pub use words::{Passage, Piece};

use super::digest::{self, Digests};
use crate::model::entry::Entry;
use crate::model::signable;
use crate::model::tree::Node;
use crate::source::{Digest, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// An entry in one revision.
#[derive(Debug, Clone, Copy)]
pub struct Version<'a> {
    /// The entry.
    pub entry: &'a Entry,
    /// The files of its revision.
    pub sources: &'a Sources,
    /// What people sign of it.
    pub digests: Digests,
}

/// A value that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueChange {
    /// Where it stands: `measured.t4.rows.tlp1.ms`, or a line of the body.
    pub place: String,
    /// The old value; `None` if there was none.
    pub old: Option<String>,
    /// The new value; `None` if there is none.
    pub new: Option<String>,
}

/// A figure of an entry, by its kind's key and its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FigureChange {
    /// `diagrams`, `models` or `matrices`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// What happened to it.
    pub fate: Fate,
}

/// What happened to a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its data, its text or its preset changed; the two can be drawn side by side.
    Changed,
}

/// All that changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Review {
    /// Words: passages of the body, and texts of the front matter.
    pub words: Vec<Passage>,
    /// Numbers: measured, simulated or in the text.
    pub numbers: Vec<ValueChange>,
    /// Cited documents.
    pub sources: Vec<ValueChange>,
    /// Check dates, which are signed apart.
    pub dates: Vec<ValueChange>,
    /// Diagrams, models and matrices.
    pub figures: Vec<FigureChange>,
    /// Other files that the page shows, by path, with their digests.
    pub files: Vec<ValueChange>,
    /// Keys of the front matter in which only the order changed.
    pub reordered: Vec<String>,
}

impl Review {
    /// Whether nothing changed that anybody signs.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Compares two versions of an entry.
pub fn compare(old: &Version<'_>, new: &Version<'_>) -> Review {
    let (before, after) = (Front::of(old), Front::of(new));
    let mut review = Review::default();
    body(old, new, &mut review);
    values(&before, &after, &mut review);
    files(old, new, &mut review);
    figures(&before, &after, &mut review);
    reordered(&before, &after, &mut review);
    review
}

/// The front matter of a version, with the presets and captures that it names.
struct Front {
    root: Node,
    leaves: BTreeMap<String, String>,
    /// Presets by the names of the diagrams that show them.
    presets: BTreeMap<String, Vec<String>>,
}

impl Front {
    fn of(version: &Version<'_>) -> Self {
        let root = digest::front_matter(version.entry, version.sources);
        let mut leaves = leaves::of(&root, "");
        leaves.retain(|place, _| place != "hold");
        let mut presets: BTreeMap<_, Vec<String>> = BTreeMap::new();
        for diagram in &version.entry.diagrams {
            let Some(preset) = &diagram.preset else {
                continue;
            };
            let place = format!("presets.{}", preset.value);
            leaves.extend(leaves::of_preset(version.sources, &preset.value, &place));
            let users = presets.entry(place).or_default();
            users.push(diagram.name.value.to_string());
        }
        for capture in version.entry.measured.iter().filter(|c| c.file.is_some()) {
            leaves.extend(leaves::of_capture(capture));
        }
        Self {
            root,
            leaves,
            presets,
        }
    }
}

fn text_of<'a>(version: &Version<'a>) -> &'a str {
    let text = &version.sources.file(version.entry.file).text;
    let front = version.entry.front.range().end;
    let body = text.get(front..).unwrap_or("");
    // The line of the closing fence belongs to neither.
    body.split_once('\n').map_or("", |(_, body)| body)
}

fn body(old: &Version<'_>, new: &Version<'_>, review: &mut Review) {
    let (before, after) = (text_of(old), text_of(new));
    let whole = &new.sources.file(new.entry.file).text;
    let first = whole.len() - after.len();
    let line = whole.get(..first).unwrap_or("").matches('\n').count() + 1;
    words::compare(before, after, line, review);
}

/// Sorts each leaf that differs into its kind.
fn values(before: &Front, after: &Front, review: &mut Review) {
    let places: BTreeSet<_> = before.leaves.keys().chain(after.leaves.keys()).collect();
    for place in places {
        let (old, new) = (before.leaves.get(place), after.leaves.get(place));
        if old == new {
            continue;
        }
        let change = ValueChange {
            place: place.clone(),
            old: old.cloned(),
            new: new.cloned(),
        };
        let top = place.split('.').next().unwrap_or("");
        let number = |value: Option<&String>| value.is_none_or(|text| is_number(text));
        if place.ends_with(".checked") || place.ends_with(".last_checked_on") {
            review.dates.push(change);
        } else if top == "sources" {
            review.sources.push(change);
        } else if number(old) && number(new) {
            review.numbers.push(change);
        } else {
            review.words.push(words::of_value(&change));
        }
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits
            .chars()
            .all(|c| c.is_ascii_digit() || "._,eE+-".contains(c))
        && text.matches('-').count() < 2
}

/// Files whose content is not shown leaf by leaf: images, and whatever the page links to.
fn files(old: &Version<'_>, new: &Version<'_>, review: &mut Review) {
    let of = |version: &Version<'_>| -> BTreeMap<String, Digest> {
        digest::files(version.entry, version.sources)
    };
    let (before, after) = (of(old), of(new));
    let paths: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    for path in paths {
        let (old, new) = (before.get(path), after.get(path));
        if old != new {
            review.files.push(ValueChange {
                place: path.clone(),
                old: old.map(Digest::short),
                new: new.map(Digest::short),
            });
        }
    }
}

fn figures(before: &Front, after: &Front, review: &mut Review) {
    for kind in ["diagrams", "models", "matrices"] {
        let names = |front: &Front| -> BTreeSet<String> {
            let pairs = front.root.get(kind).and_then(Node::map).unwrap_or(&[]);
            pairs.iter().map(|(name, _)| name.value.clone()).collect()
        };
        let (olds, news) = (names(before), names(after));
        for name in olds.union(&news) {
            let fate = match (olds.contains(name), news.contains(name)) {
                (false, _) => Fate::Added,
                (_, false) => Fate::Removed,
                _ if part(before, kind, name) != part(after, kind, name) => Fate::Changed,
                _ => continue,
            };
            let name = name.clone();
            review.figures.push(FigureChange { kind, name, fate });
        }
    }
}

/// The leaves that a figure is made of, those of its preset included.
fn part<'a>(front: &'a Front, kind: &str, name: &str) -> BTreeMap<&'a str, &'a str> {
    let shown = front
        .presets
        .iter()
        .filter(|(_, users)| kind == "diagrams" && users.iter().any(|user| user == name));
    let mut prefixes: Vec<_> = shown.map(|(place, _)| format!("{place}.")).collect();
    prefixes.push(format!("{kind}.{name}."));
    let belongs = |place: &str| prefixes.iter().any(|prefix| place.starts_with(prefix));
    let leaves = front.leaves.iter().filter(|(place, _)| belongs(place));
    leaves
        .map(|(place, text)| (place.as_str(), text.as_str()))
        .collect()
}

/// Names the keys whose canonical form differs although every leaf is the same.
fn reordered(before: &Front, after: &Front, review: &mut Review) {
    let under = |front: &Front, key: &str| -> BTreeMap<String, String> {
        let belongs = |place: &str| {
            let rest = place.strip_prefix(key);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let leaves = front.leaves.iter().filter(|(place, _)| belongs(place));
        leaves
            .map(|(place, text)| (place.clone(), text.clone()))
            .collect()
    };
    for (key, value) in after.root.map().unwrap_or(&[]) {
        let key = key.value.as_str();
        let Some(earlier) = before.root.get(key) else {
            continue;
        };
        let differs = signable::canonical(value) != signable::canonical(earlier);
        if differs && key != "hold" && under(before, key) == under(after, key) {
            review.reordered.push(key.to_owned());
        }
    }
}

#[cfg(test)]
mod tests;
