//! The people registry: who may stand in a byline.

use super::key::PublicKey;
use super::name::{self, Respelling};
use crate::source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// The id of a row of the registry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonId(Arc<str>);

impl PersonId {
    /// Takes text of 1 to 100 letters, digits, `-`, `_` and `.`, which is no placeholder.
    pub fn new(text: &str) -> Option<Self> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let fits = !text.is_empty() && text.len() <= 100 && text.chars().all(plain);
        (fits && !name::is_placeholder(text)).then(|| Self(text.into()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PersonId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a row of the registry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PersonKind {
    /// Somebody who can answer for a page.
    Human,
    /// Several people under one name.
    Group,
    /// A program.
    Bot,
}

impl PersonKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Human, Self::Group, Self::Bot];

    /// The word used in the registry.
    pub fn word(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Group => "group",
            Self::Bot => "bot",
        }
    }
}

/// An e-mail address, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Takes text that has the shape `local@domain`.
    pub fn new(text: &str) -> Option<Self> {
        let (local, domain) = text.trim().rsplit_once('@')?;
        let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '@');
        let fits = !local.is_empty() && domain.contains('.') && !domain.starts_with('.');
        (fits && !local.contains(odd) && !domain.contains(odd)).then(|| Self(text.trim().into()))
    }

    /// The mailbox: without case and without a tag after `+`, which reach the same person.
    pub fn mailbox(&self) -> String {
        let (local, domain) = self.0.rsplit_once('@').unwrap_or((&self.0, ""));
        let local = match local.split_once('+') {
            Some((local, _)) if !local.is_empty() => local,
            _ => local,
        };
        format!("{}@{}", local.to_lowercase(), domain.to_lowercase())
    }

    /// The address, as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A row of the registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Its id, at its place.
    pub id: Spanned<PersonId>,
    /// The name that pages show.
    pub name: Spanned<String>,
    /// Other names.
    pub aliases: Vec<Spanned<String>>,
    /// E-mail addresses.
    pub emails: Vec<Spanned<Email>>,
    /// A page about the person.
    pub url: Option<Spanned<String>>,
    /// Human, group or bot.
    pub kind: PersonKind,
    /// Keys that the person signs with.
    pub keys: Vec<Spanned<PublicKey>>,
}

impl Person {
    /// Every text that a byline may name the person by: id, name, aliases.
    pub fn spellings(&self) -> impl Iterator<Item = (&str, Span)> {
        let id = (self.id.value.as_str(), self.id.span);
        let names = std::iter::once(&self.name).chain(&self.aliases);
        std::iter::once(id).chain(names.map(|name| (name.value.as_str(), name.span)))
    }

    /// How a text is a spelling of this person's id, name or alias; the plainest way first.
    pub fn spelled(&self, text: &str) -> Option<Respelling> {
        if let Some((exact, _)) = self.spellings().find(|(spelling, _)| *spelling == text) {
            return name::respelled(exact, text);
        }
        self.spellings()
            .filter_map(|(spelling, _)| name::respelled(spelling, text))
            .min_by_key(|found| found.differences.len())
    }

    /// What shows that two rows are one person, if anything does.
    pub fn shares(&self, other: &Self) -> Option<Shared> {
        let spelled = || {
            other
                .spellings()
                .filter_map(|(spelling, _)| self.spelled(spelling))
                .min_by_key(|found| found.differences.len())
        };
        let mailbox = || {
            let pairs = pairs(&self.emails, &other.emails);
            pairs.into_iter().find_map(|(one, two)| {
                let same = one.value.mailbox() == two.value.mailbox();
                same.then(|| Shared::Mailbox(one.value.clone(), two.value.clone()))
            })
        };
        let key = || {
            let mut pairs = pairs(&self.keys, &other.keys).into_iter();
            let (one, _) = pairs.find(|(one, two)| one.value == two.value)?;
            Some(Shared::Key(one.value.fingerprint()))
        };
        spelled().map(Shared::Name).or_else(mailbox).or_else(key)
    }

    /// Whether a key is this person's.
    pub fn holds(&self, key: &PublicKey) -> bool {
        self.keys.iter().any(|own| own.value == *key)
    }
}

fn pairs<'a, T>(ones: &'a [T], others: &'a [T]) -> Vec<(&'a T, &'a T)> {
    let with = |one| others.iter().map(move |other| (one, other));
    ones.iter().flat_map(with).collect()
}

/// What two rows of a registry have in common that only one person can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shared {
    /// An id, name or alias.
    Name(Respelling),
    /// Two addresses of one mailbox.
    Mailbox(Email, Email),
    /// A key, by its fingerprint.
    Key(String),
}

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(same) if same.differences.is_empty() => {
                write!(f, "both have the name {}", name::quoted(&same.first))
            }
            Self::Name(same) => write!(f, "{same}"),
            Self::Mailbox(one, two) if one == two => {
                write!(f, "both have the e-mail address {}", one.as_str())
            }
            Self::Mailbox(one, two) => {
                let (one, two) = (one.as_str(), two.as_str());
                write!(f, "{one} and {two} reach one mailbox")
            }
            Self::Key(fingerprint) => write!(f, "both have the key {fingerprint}"),
        }
    }
}

/// The rows of a registry that could be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Registry {
    people: Vec<Person>,
    /// Rows by the keys of their ids, names and aliases.
    rows: BTreeMap<String, BTreeSet<usize>>,
}

impl Registry {
    /// A registry of these rows, in the order written.
    pub fn new(people: Vec<Person>) -> Self {
        let mut rows: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (row, person) in people.iter().enumerate() {
            for key in person
                .spellings()
                .flat_map(|(text, _)| (*name::keys(text)).clone())
            {
                rows.entry(key).or_default().insert(row);
            }
        }
        Self { people, rows }
    }

    /// The rows, in the order written.
    pub fn people(&self) -> &[Person] {
        &self.people
    }

    /// The row with this id.
    pub fn find(&self, id: &str) -> Option<&Person> {
        self.people.iter().find(|p| p.id.value.as_str() == id)
    }

    /// The row that a text names by id, name or alias, with the way in which it is spelled. An
    /// exact spelling wins over any other.
    pub fn named(&self, text: &str) -> Option<(&Person, Respelling)> {
        let text = text.trim();
        let keys = name::keys(text);
        let rows: BTreeSet<usize> = keys
            .iter()
            .filter_map(|key| self.rows.get(key))
            .flatten()
            .copied()
            .collect();
        let people = rows.into_iter().filter_map(|row| self.people.get(row));
        let found = people.filter_map(|p| Some((p, p.spelled(text)?)));
        found.min_by_key(|(_, respelling)| respelling.differences.len())
    }
}

/// What is known about people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum People {
    /// There is no registry: names stand for themselves.
    Absent,
    /// A registry in order.
    Known(Registry),
    /// A registry with faults, which have been reported. Its rows serve for finding more
    /// faults; nobody in it can sign.
    Faulty(Registry),
    /// A registry of which not every row can be read, which has been reported. Who is in it is not
    /// known, so that nobody can sign and nobody can be said to be missing from it.
    Unread,
}

impl People {
    /// The rows, if there is a registry.
    pub fn registry(&self) -> Option<&Registry> {
        match self {
            Self::Absent | Self::Unread => None,
            Self::Known(registry) | Self::Faulty(registry) => Some(registry),
        }
    }

    /// Whether nobody can sign, since the registry has faults.
    pub fn is_faulty(&self) -> bool {
        matches!(self, Self::Faulty(_) | Self::Unread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mailbox_has_no_tag_and_no_case() {
        let box_of = |text| Email::new(text).map(|email| email.mailbox());
        assert_eq!(
            box_of("Ada+x@Example.ORG").as_deref(),
            Some("ada@example.org")
        );
        assert_eq!(
            box_of("ada.l@example.org").as_deref(),
            Some("ada.l@example.org")
        );
        assert_eq!(
            box_of("+ada@example.org").as_deref(),
            Some("+ada@example.org")
        );
        for bad in ["ada", "@example.org", "ada@", "a b@example.org", "ada@host"] {
            assert_eq!(box_of(bad), None, "{bad}");
        }
    }
}
