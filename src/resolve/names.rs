//! Entries by id, name and alias.

use super::{EntryIndex, Unreadable};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::entry::Entry;
use crate::model::slug::Slug;
use crate::source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use unicode_normalization::UnicodeNormalization;

/// The form in which names are compared: compatibility composition, lower case, single spaces.
pub fn fold_name(name: &str) -> String {
    if name.is_ascii() {
        // No form of normalisation touches these.
        let folded = name.to_ascii_lowercase();
        return folded.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let folded: String = name.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A redirect from the address of an alias.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The address: `terms/REDIRECT/`.
    pub from: Slug,
    /// The term.
    pub to: EntryIndex,
}

/// Entries by id, name and alias.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Names {
    ids: BTreeMap<String, EntryIndex>,
    by_name: BTreeMap<String, EntryIndex>,
    unreadable: BTreeSet<String>,
    redirects: Vec<Redirect>,
}

impl Names {
    /// Collects the names; reports ids, names and redirects that two entries share.
    pub(super) fn new(
        entries: &[Arc<Entry>],
        unreadable: &[Unreadable],
        out: &mut Diagnostics,
    ) -> Self {
        let mut names = Self {
            unreadable: unreadable.iter().map(|u| u.id.to_string()).collect(),
            ..Self::default()
        };
        for (index, entry) in entries.iter().enumerate() {
            if let Some(&first) = names.ids.get(entry.id.as_str()) {
                out.push(same_id(entry, &entries[first]));
            } else {
                names.ids.insert(entry.id.to_string(), index);
            }
        }
        let mut first_places: BTreeMap<String, (EntryIndex, Span)> = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            alias_twice(entry, out);
            for name in own_names(entry) {
                let folded = fold_name(&name.value);
                match first_places.get(&folded) {
                    Some((first, span)) if *first != index => {
                        out.push(same_name(entry, &name, &entries[*first], *span));
                    }
                    Some(_) => {}
                    None => {
                        first_places.insert(folded.clone(), (index, name.span));
                        names.by_name.insert(folded, index);
                    }
                }
            }
        }
        names.collect_redirects(entries, out);
        names
    }

    /// The entry that a reference names: by id first, then by name or alias.
    pub fn find(&self, name: &str) -> Option<EntryIndex> {
        let name = name.trim();
        self.ids.get(name).copied().or_else(|| self.find_name(name))
    }

    /// The first entry that has this name or alias.
    fn find_name(&self, name: &str) -> Option<EntryIndex> {
        self.by_name.get(&fold_name(name)).copied()
    }

    /// Whether the reference is the id of an entry that cannot be read.
    pub fn is_unreadable(&self, name: &str) -> bool {
        self.unreadable.contains(name.trim())
    }

    /// Every id and name, for suggestions.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.ids
            .keys()
            .chain(self.by_name.keys())
            .map(String::as_str)
    }

    /// Redirects of aliases, in the order of their addresses.
    pub fn redirects(&self) -> &[Redirect] {
        &self.redirects
    }

    fn collect_redirects(&mut self, entries: &[Arc<Entry>], out: &mut Diagnostics) {
        let mut taken: BTreeMap<Slug, (EntryIndex, Span)> = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            for alias in entry.aliases() {
                let Some(from) = address(alias, entry, out) else {
                    continue;
                };
                if from == entry.id {
                    continue;
                }
                let other = self
                    .ids
                    .get(from.as_str())
                    .map(|&other| (other, entries[other].title.span))
                    .or_else(|| taken.get(&from).copied());
                match other {
                    Some((other, _)) if other == index => {}
                    // That the two share the name has been reported.
                    Some(_) if self.find_name(&alias.value) != Some(index) => {}
                    Some((other, span)) => {
                        out.push(same_address(entry, alias, &from, (&entries[other], span)));
                    }
                    None => {
                        taken.insert(from, (index, alias.span));
                    }
                }
            }
        }
        self.redirects = taken
            .into_iter()
            .map(|(from, (to, _))| Redirect { from, to })
            .collect();
    }
}

/// The address that an alias gets; one that climbs or has no letters is reported.
fn address(alias: &Spanned<String>, entry: &Entry, out: &mut Diagnostics) -> Option<Slug> {
    let climbs = alias.value.contains("..") || alias.value.contains(['/', '\\']);
    let slug = Slug::from_name(&alias.value);
    if !climbs && slug.is_some() {
        return slug;
    }
    out.push(
        Diagnostic::new(
            rule::UNSAFE_PATH,
            alias.span,
            format!("the alias `{}` can have no address", alias.value),
        )
        .label(if climbs {
            "this looks like a path"
        } else {
            "no letter or digit to make an address of"
        })
        .help("An alias is another name of the term, in words.")
        .entry(entry.id.shared()),
    );
    None
}

/// The names that an entry answers to besides its id, each once.
fn own_names(entry: &Entry) -> Vec<Spanned<String>> {
    let mut names = Vec::new();
    if let Some(term) = entry.term() {
        names.push(term.name.clone());
        names.extend(term.aliases.iter().cloned());
    } else {
        names.push(entry.title.clone());
    }
    names
}

/// Reports an alias that an entry gives itself twice.
fn alias_twice(entry: &Entry, out: &mut Diagnostics) {
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    for alias in entry.aliases() {
        let Some(first) = seen.insert(fold_name(&alias.value), alias.span) else {
            continue;
        };
        out.push(
            Diagnostic::new(
                rule::LOST_TEXT,
                alias.span,
                format!("the alias “{}” stands twice", alias.value),
            )
            .label("not shown")
            .related(first, "named here already")
            .help("Take one of the two out.")
            .entry(entry.id.shared()),
        );
    }
}

fn same_id(entry: &Entry, first: &Entry) -> Diagnostic {
    Diagnostic::new(
        rule::DUPLICATE_ID,
        Span::file(entry.file),
        format!(
            "a {} and a {} have the id `{}`",
            first.kind().word(),
            entry.kind().word(),
            entry.id
        ),
    )
    .related(Span::file(first.file), "the other one")
    .note("Terms and lessons share one space of ids, so that `[[id]]` means one page.")
    .help("Rename one of the two files.")
    .entry(entry.id.shared())
}

fn same_name(entry: &Entry, name: &Spanned<String>, first: &Entry, place: Span) -> Diagnostic {
    Diagnostic::new(
        rule::DUPLICATE_NAME,
        name.span,
        format!(
            "`{}` and `{}` are both called “{}”",
            first.id, entry.id, name.value
        ),
    )
    .label("the second use of the name")
    .related(place, "the first")
    .note("A link by this name could mean either.")
    .help("Give one of them another name, or join the two entries.")
    .entry(entry.id.shared())
}

fn same_address(
    entry: &Entry,
    alias: &Spanned<String>,
    address: &Slug,
    (other, place): (&Entry, Span),
) -> Diagnostic {
    Diagnostic::new(
        rule::OUTPUT_COLLISION,
        alias.span,
        format!(
            "the alias “{}” of `{}` and `{}` want one address",
            alias.value, entry.id, other.id
        ),
    )
    .label(format!("this would be terms/{address}/"))
    .related(place, "the other one")
    .help("Drop the alias, or word it differently.")
    .entry(entry.id.shared())
}
