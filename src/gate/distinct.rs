//! Whether two names of a byline are one person, and how that is known.

use super::signatory::identify;
use crate::model::name::{self, Respelling, quoted};
use crate::model::person::{Email, People, Shared};
use std::fmt;

/// Why two names are one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sameness {
    /// They are spellings of one name.
    Spelling(Respelling),
    /// They hold addresses of one mailbox.
    Mailbox(Email, Email),
    /// One of them lists several people, and the other is among them.
    Among {
        /// The list, as written.
        list: String,
        /// The one name, as written.
        one: String,
    },
    /// They lead to one row of the registry.
    Row {
        /// One name, as written.
        first: String,
        /// The other, as written.
        second: String,
        /// The registered name.
        person: String,
    },
    /// They lead to two rows of the registry that are one person.
    Rows(Shared),
}

impl fmt::Display for Sameness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spelling(respelling) => write!(f, "{respelling}"),
            Self::Mailbox(first, second) => {
                let (first, second) = (first.as_str(), second.as_str());
                write!(f, "{first} and {second} reach one mailbox")
            }
            Self::Among { list, one } => {
                write!(f, "{} is among {}", quoted(one), quoted(list))
            }
            Self::Row {
                first,
                second,
                person,
            } => {
                let (first, second) = (quoted(first), quoted(second));
                let person = quoted(person);
                write!(f, "the registry gives {first} and {second} to {person}")
            }
            Self::Rows(shared) => write!(f, "{shared}"),
        }
    }
}

/// Whether two names, as written in a byline, are one person. Symmetric.
pub fn same_person(people: &People, first: &str, second: &str) -> Option<Sameness> {
    let spelled = || {
        let plain = name::respelled(first, second);
        plain.or_else(|| name::respelled(&without_email(first), &without_email(second)))
    };
    spelled()
        .map(Sameness::Spelling)
        .or_else(|| one_mailbox(first, second))
        .or_else(|| one_row(people, first, second))
        .or_else(|| among(first, second))
        .or_else(|| among(second, first))
}

/// A name without an address in pointed brackets after it.
fn without_email(text: &str) -> String {
    match (text.find('<'), text.rfind('>')) {
        (Some(start), Some(end)) if start < end && text[start..end].contains('@') => {
            let (before, after) = (text[..start].trim(), text[end + 1..].trim());
            format!("{before} {after}").trim().to_owned()
        }
        _ => text.to_owned(),
    }
}

fn one_mailbox(first: &str, second: &str) -> Option<Sameness> {
    let addresses = |text: &str| -> Vec<Email> {
        let words = text.split(|c: char| c.is_whitespace() || "<>(),;".contains(c));
        words.filter_map(Email::new).collect()
    };
    let others = addresses(second);
    addresses(first).into_iter().find_map(|one| {
        let same = |other: &&Email| other.mailbox() == one.mailbox();
        let other = others.iter().find(same)?.clone();
        Some(Sameness::Mailbox(one, other))
    })
}

fn one_row(people: &People, first: &str, second: &str) -> Option<Sameness> {
    let (one, two) = (identify(people, first), identify(people, second));
    let (one, two) = (one.row()?, two.row()?);
    if one.id.value == two.id.value {
        return Some(Sameness::Row {
            first: first.to_owned(),
            second: second.to_owned(),
            person: one.name.value.clone(),
        });
    }
    // In a registry in order no two rows are one person.
    match people {
        People::Faulty(_) => one.shares(two).map(Sameness::Rows),
        _ => None,
    }
}

/// Most people of a list that are looked at.
const MOST_LISTED: usize = 100;

/// Whether `one` is a full name that stands among several in `list`.
fn among(list: &str, one: &str) -> Option<Sameness> {
    let list_of = list.replace(" and ", ";");
    let parts: Vec<_> = list_of
        .split([';', ',', '&', '/', '+'])
        .take(MOST_LISTED)
        .collect();
    let full = |part: &str| part.split_whitespace().nth(1).is_some();
    let found = parts.len() > 1
        && parts
            .iter()
            .any(|part| full(part) && name::respelled(part, one).is_some());
    found.then(|| Sameness::Among {
        list: list.to_owned(),
        one: one.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_a_registry() {
        let same = |first, second| {
            let found = same_person(&People::Absent, first, second);
            let back = same_person(&People::Absent, second, first);
            assert_eq!(found.is_some(), back.is_some());
            found.map(|why| why.to_string())
        };
        assert!(same("Ada Lovelace", "Ada Lovelace <ada@example.org>").is_some());
        assert_eq!(
            same("ada@example.org", "A. L. <Ada+review@example.org>").as_deref(),
            Some("ada@example.org and Ada+review@example.org reach one mailbox")
        );
        assert_eq!(
            same("Ada Lovelace and Grace Hopper", "GRACE HOPPER").as_deref(),
            Some("“GRACE HOPPER” is among “Ada Lovelace and Grace Hopper”")
        );
        assert_eq!(same("Ada Lovelace", "Grace Hopper"), None);
        assert_eq!(same("Lovelace, Ada", "Lovelace, William"), None);
        assert_eq!(same("ada@example.org", "grace@example.org"), None);
    }
}
