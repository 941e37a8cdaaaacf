//! Names of people: whether two spellings are one name, and why.
//!
//! Two spellings are one name when case, spacing, punctuation, word order, normal form,
//! invisible characters and look-alike letters (the skeleton of Unicode Technical Standard 39)
//! are all that sets them apart. Anything else, such as one letter more or an accent more, makes
//! another name: two people may be called Ann Lee and Anne Lee. The relation is symmetric.

mod characters;
mod fold;
mod placeholder;

pub use characters::{describe_character, quoted};
pub use placeholder::is_placeholder;

use characters::is_invisible;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A way in which two spellings of one name differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// Spaces: how many, of which kind, or none between the words.
    Spacing,
    /// Upper and lower case.
    Case,
    /// Punctuation and symbols.
    Punctuation,
    /// The order of the words.
    WordOrder,
    /// Composed or decomposed accents, full-width letters and other compatible forms.
    NormalForm,
    /// Characters that leave no mark on the page.
    Invisible,
    /// Letters of another alphabet, or digits, that look the same.
    LookAlike,
}

impl Difference {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Spacing,
        Self::Case,
        Self::Punctuation,
        Self::WordOrder,
        Self::NormalForm,
        Self::Invisible,
        Self::LookAlike,
    ];

    /// From the one that is named last to the one that is named first when several would
    /// explain the same pair.
    const BY_STRANGENESS: [Self; 7] = [
        Self::LookAlike,
        Self::WordOrder,
        Self::Punctuation,
        Self::Invisible,
        Self::NormalForm,
        Self::Case,
        Self::Spacing,
    ];

    fn phrase(self) -> &'static str {
        match self {
            Self::Spacing => "spacing",
            Self::Case => "upper and lower case",
            Self::Punctuation => "punctuation",
            Self::WordOrder => "the order of the words",
            Self::NormalForm => "how the same letters are encoded",
            Self::Invisible => "characters that cannot be seen",
            Self::LookAlike => "letters that look the same",
        }
    }
}

/// Two spellings of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Respelling {
    /// One spelling, as written.
    pub first: String,
    /// The other, as written.
    pub second: String,
    /// A smallest set of differences that explains the pair; empty if they are the same
    /// characters.
    pub differences: BTreeSet<Difference>,
}

impl Respelling {
    /// Whether nobody could be misled: what is written differently is plain to see and is the
    /// habit of a pen, not another character in the place of a letter.
    pub fn is_plain(&self) -> bool {
        !self.differences.contains(&Difference::LookAlike)
            && !self.differences.contains(&Difference::Invisible)
    }
}

impl fmt::Display for Respelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = (quoted(&self.first), quoted(&self.second));
        let only_looks = self.differences.len() == 1;
        let mut phrases: Vec<_> = self.differences.iter().map(|d| d.phrase()).collect();
        match phrases.pop() {
            None => return write!(f, "{first} stands in both places"),
            Some(_) if only_looks && self.differences.contains(&Difference::LookAlike) => {
                write!(f, "{first} and {second} look alike letter for letter")?;
            }
            Some(last) if phrases.is_empty() => {
                write!(f, "{first} and {second} differ only in {last}")?;
            }
            Some(last) => {
                let rest = phrases.join(", ");
                write!(f, "{first} and {second} differ only in {rest} and {last}")?;
            }
        }
        match self.odd_character() {
            Some(odd) => write!(f, ": {odd}"),
            None => Ok(()),
        }
    }
}

impl Respelling {
    /// Names the character that makes a hidden difference.
    fn odd_character(&self) -> Option<String> {
        let hidden = self.differences.contains(&Difference::Invisible);
        let encoded = self.differences.contains(&Difference::NormalForm);
        if self.is_plain() && !encoded {
            return None;
        }
        let pairs = [
            ("second", &self.second, &self.first),
            ("first", &self.first, &self.second),
        ];
        let odd = |wanted: fn(char) -> bool| {
            pairs.iter().find_map(|(which, name, other)| {
                let (at, c) = name
                    .chars()
                    .enumerate()
                    .find(|(_, c)| wanted(*c) && !other.contains(*c))?;
                let what = describe_character(c);
                let place = at + 1;
                Some(format!("character {place} of the {which} is {what}"))
            })
        };
        if hidden {
            return odd(is_invisible);
        }
        if self.is_plain() {
            return odd(|c| !c.is_ascii());
        }
        odd(|c| !c.is_ascii() && c.is_alphanumeric()).or_else(|| odd(char::is_alphanumeric))
    }
}

/// Whether two spellings are one name, and what sets them apart.
pub fn respelled(first: &str, second: &str) -> Option<Respelling> {
    let same = |under: &BTreeSet<Difference>| {
        !fold::keys(first, under).is_disjoint(&fold::keys(second, under))
    };
    let mut differences = BTreeSet::new();
    if first != second {
        if keys(first).is_disjoint(&keys(second)) {
            return None;
        }
        differences = Difference::ALL.into_iter().collect();
        for one in Difference::BY_STRANGENESS {
            differences.remove(&one);
            if !same(&differences) {
                differences.insert(one);
            }
        }
    }
    Some(Respelling {
        first: first.to_owned(),
        second: second.to_owned(),
        differences,
    })
}

/// Keys under which a name is found whatever its spelling: two names share a key exactly if
/// they are respellings of each other. Empty for a text without letters.
pub fn keys(name: &str) -> Arc<BTreeSet<String>> {
    let remembers = name.len() <= REMEMBERED_MAX_BYTES;
    let memory = || KEYS.lock().unwrap_or_else(PoisonError::into_inner);
    if remembers && let Some(known) = memory().get(name) {
        return Arc::clone(known);
    }
    let keys = Arc::new(fold::keys(name, &Difference::ALL.into_iter().collect()));
    let mut memory = memory();
    if remembers && memory.len() < REMEMBERED_MAX {
        memory.insert(name.to_owned(), Arc::clone(&keys));
    }
    keys
}

/// Most characters of a name. Longer ones are refused wherever a name counts: what stands far behind
/// would be compared letter for letter, and a name could hide there from its other spelling.
pub const NAME_MAX_CHARS: usize = 200;

/// Whether a text has more characters than any name.
pub fn is_too_long(name: &str) -> bool {
    name.chars().nth(NAME_MAX_CHARS).is_some()
}

/// How many names are remembered with their keys, and how long each may be: the few people of a
/// site sign all of its entries.
const REMEMBERED_MAX: usize = 1024;
const REMEMBERED_MAX_BYTES: usize = 128;

/// The keys of the names that were asked for first. They depend on the name alone.
static KEYS: Mutex<BTreeMap<String, Arc<BTreeSet<String>>>> = Mutex::new(BTreeMap::new());

#[cfg(test)]
mod tests;
