//! Making a statement: what `sign` writes, and whom it refuses.
//!
//! Nothing is written here. [`compose`] gives the text of a statement and its path; [`seal`]
//! signs it with a key. Who is not named in the byline in that role cannot sign for it.

use super::distinct::same_person;
use super::signatory::{Identity, Signatory, identify};
use super::signature::{KeyFault, SigningKey};
use super::{Dossier, Policy};
use crate::model::byline::Role;
use crate::model::name::{is_placeholder, quoted, respelled};
use crate::model::person::{Person, PersonKind};
use crate::model::statement::{Filed, NewStatement, Statement, namespace, path};
use crate::parse::statement::beside;
use crate::source::Digest;
use std::fmt;

/// A statement that is ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composed {
    /// Where it goes, relative to the site. Its signature goes to the same path with `.sig`.
    pub path: String,
    /// Its text, byte for byte.
    pub text: String,
    /// Who signs.
    pub signatory: Signatory,
    /// The namespace for its signature.
    pub namespace: String,
    /// What the statement does.
    pub change: Change,
}

/// What a new statement does to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// There was none.
    First,
    /// Everything was signed already; only the day changes.
    Again,
    /// The check dates are new; what the page says was signed already.
    Dates,
    /// What the page says has changed since the version with this digest.
    Claims(Digest),
}

/// Why nobody can sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The byline does not name the person in that role; whom it names.
    NotNamed {
        /// The role.
        role: Role,
        /// Who wanted to sign.
        person: String,
        /// Whom the byline names, if anybody.
        named: Option<String>,
    },
    /// The registry does not know the person.
    Unknown(String),
    /// A group or a program.
    NotAPerson(String),
    /// Author and reviewer are one person; the sentence says why.
    SamePerson(String),
    /// The registry does not give the key to the person.
    NotTheirKey {
        /// The fingerprint of the key.
        key: String,
        /// The person.
        person: String,
    },
    /// There is no registry that could give a key to anybody.
    NoRegistry,
    /// The key does not sign.
    Key(KeyFault),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotNamed {
                role,
                person,
                named,
            } => {
                let (word, person) = (role.word(), quoted(person));
                write!(f, "{person} cannot sign as {word}: the byline ")?;
                match named {
                    Some(named) => write!(f, "names {} in that role", quoted(named)),
                    None => write!(f, "names nobody yet; write the name as `{}`", role.key()),
                }
            }
            Self::Unknown(person) => {
                write!(f, "the people registry does not know {}", quoted(person))
            }
            Self::NotAPerson(person) => {
                let person = quoted(person);
                write!(
                    f,
                    "{person} is a group or a program: only a person can sign"
                )
            }
            Self::SamePerson(why) => {
                write!(f, "the author and the reviewer are one person: {why}")
            }
            Self::NotTheirKey { key, person } => write!(
                f,
                "the registry does not give the key {key} to {}; its public line belongs under \
                 `keys` in content/people.yaml, in a change that others approve",
                quoted(person)
            ),
            Self::NoRegistry => write!(
                f,
                "there is no content/people.yaml, so no key is known to be anybody's"
            ),
            Self::Key(fault) => write!(f, "{fault}"),
        }
    }
}

/// Composes the statement of a person in a role about an entry as it is now, dated today.
pub fn compose(
    policy: &Policy<'_>,
    dossier: &Dossier<'_>,
    role: Role,
    person: &str,
) -> Result<Composed, Refusal> {
    let signatory = signatory(policy, dossier, role, person)?;
    let entry = dossier.entry;
    let filed = beside(policy.sources, entry.file, role);
    let before = own(&filed, &signatory);
    let change = match before {
        None => Change::First,
        Some(before) if before.claims.value != dossier.digests.claims => {
            Change::Claims(before.claims.value)
        }
        Some(before) if before.freshness.value != dossier.digests.freshness => Change::Dates,
        Some(_) => Change::Again,
    };
    let supersedes = match change {
        Change::Claims(before) => Some(before),
        _ => before.and_then(|before| Some(before.supersedes.as_ref()?.value)),
    };
    let site = policy.config.site_name();
    let statement = NewStatement {
        site: &site,
        entry: entry.id.as_str(),
        role,
        person: signatory.signs_as(),
        signed_on: policy.today,
        claims: dossier.digests.claims,
        freshness: dossier.digests.freshness,
        supersedes,
    };
    Ok(Composed {
        path: path(&policy.sources.file(entry.file).path, role),
        text: statement.text(),
        namespace: namespace(role, policy.config.own_host()),
        signatory,
        change,
    })
}

/// The person's own statement, if the one that is there is theirs.
fn own<'a>(filed: &'a Filed, signatory: &Signatory) -> Option<&'a Statement> {
    let statement = filed.statement()?;
    let same = respelled(&statement.person.value, signatory.signs_as());
    same.is_some_and(|same| same.is_plain())
        .then_some(statement)
}

/// The person, if the byline names them in the role and they may sign at all.
fn signatory(
    policy: &Policy<'_>,
    dossier: &Dossier<'_>,
    role: Role,
    person: &str,
) -> Result<Signatory, Refusal> {
    let byline = &dossier.entry.byline;
    let wanted = identify(policy.people, person);
    let unknown = || Refusal::Unknown(person.trim().to_owned());
    let signatory = wanted.signatory().ok_or_else(unknown)?;
    let named = byline
        .name(role)
        .filter(|name| !is_placeholder(&name.value));
    let is_named =
        named.is_some_and(
            |name| match (identify(policy.people, &name.value), &wanted) {
                (Identity::Row(named), Identity::Row(wanted)) => named.id.value == wanted.id.value,
                (Identity::Name(named), Identity::Name(wanted)) => {
                    respelled(named, wanted).is_some_and(|found| found.is_plain())
                }
                _ => false,
            },
        );
    if !is_named || is_placeholder(person) {
        return Err(Refusal::NotNamed {
            role,
            person: person.trim().to_owned(),
            named: named.map(|name| name.value.trim().to_owned()),
        });
    }
    if wanted.kind() != PersonKind::Human {
        return Err(Refusal::NotAPerson(signatory.name.to_string()));
    }
    if let (Some(author), Some(reviewer)) = (&byline.written_by, &byline.reviewed_by)
        && let Some(why) = same_person(policy.people, &author.value, &reviewer.value)
    {
        return Err(Refusal::SamePerson(why.to_string()));
    }
    // Without a registry the byline's own spelling is the one to sign.
    let name = named.map_or("", |name| name.value.trim());
    Ok(match signatory.id {
        Some(_) => signatory,
        None => Signatory {
            name: name.into(),
            ..signatory
        },
    })
}

/// Signs a statement with a key, if the registry gives the key to the person; the result is the
/// content of the `.sig` file.
pub fn seal(policy: &Policy<'_>, composed: &Composed, key: &SigningKey) -> Result<String, Refusal> {
    let registry = policy.people.registry().ok_or(Refusal::NoRegistry)?;
    let id = composed.signatory.id.as_ref();
    let person: Option<&Person> = id.and_then(|id| registry.find(id.as_str()));
    if !person.is_some_and(|person| person.holds(key.public())) {
        return Err(Refusal::NotTheirKey {
            key: key.public().fingerprint(),
            person: composed.signatory.name.to_string(),
        });
    }
    key.sign(&composed.text, &composed.namespace)
        .map_err(Refusal::Key)
}
