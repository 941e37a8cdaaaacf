//! Who a name of a byline is.

use crate::model::name::Respelling;
use crate::model::person::{People, Person, PersonId, PersonKind};
use std::sync::Arc;

/// Somebody who signed an entry, as pages show them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signatory {
    /// The id in the registry, where there is one.
    pub id: Option<PersonId>,
    /// The name to show: the registered one, or the byline's.
    pub name: Arc<str>,
    /// A page about the person.
    pub url: Option<Arc<str>>,
}

impl Signatory {
    /// What a statement calls the person: the id where there is a registry, else the name.
    pub fn signs_as(&self) -> &str {
        self.id.as_ref().map_or(&self.name, PersonId::as_str)
    }
}

/// What a name of a byline leads to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Identity<'a> {
    /// There is no registry: the name stands for itself.
    Name(&'a str),
    /// A row of the registry.
    Row(&'a Person),
    /// The registry does not know the name; perhaps it imitates the name of a row.
    Unknown(Option<(&'a Person, Respelling)>),
}

/// Looks a name up. A row is meant by its id, name or alias in any spelling that nobody could
/// be misled by.
pub(super) fn identify<'a>(people: &'a People, text: &'a str) -> Identity<'a> {
    let Some(registry) = people.registry() else {
        return Identity::Name(text.trim());
    };
    match registry.named(text) {
        Some((person, respelling)) if respelling.is_plain() => Identity::Row(person),
        found => Identity::Unknown(found),
    }
}

impl<'a> Identity<'a> {
    /// The row that the name leads to or imitates.
    pub(super) fn row(&self) -> Option<&'a Person> {
        match self {
            Self::Row(person) | Self::Unknown(Some((person, _))) => Some(person),
            Self::Name(_) | Self::Unknown(None) => None,
        }
    }

    /// Human, group or bot. A name alone is a human's unless it says otherwise, as the accounts
    /// of programs do.
    pub(super) fn kind(&self) -> PersonKind {
        match self {
            Self::Row(person) => person.kind,
            Self::Name(name) if name.to_lowercase().ends_with("[bot]") => PersonKind::Bot,
            _ => PersonKind::Human,
        }
    }

    /// The person, if it is a known one.
    pub(super) fn signatory(&self) -> Option<Signatory> {
        match self {
            Self::Unknown(_) => None,
            Self::Name(name) => Some(Signatory {
                id: None,
                name: (*name).into(),
                url: None,
            }),
            Self::Row(person) => Some(Signatory {
                id: Some(person.id.value.clone()),
                name: person.name.value.as_str().into(),
                url: person.url.as_ref().map(|url| url.value.as_str().into()),
            }),
        }
    }
}
