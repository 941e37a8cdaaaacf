//! `content/people.yaml` into [`People`].
//!
//! Every row is read, whatever is wrong with the others. Two rows that are one person are an
//! error: else one person could sign twice.

use super::fields::{Fields, text_of, wrong};
use super::yaml::{self, Place};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::key::PublicKey;
use crate::model::name;
use crate::model::person::{Email, People, Person, PersonId, PersonKind, Registry, Shared};
use crate::model::tree::Node;
use crate::source::{FileId, Sources, Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};

/// Where the registry stands.
pub const PATH: &str = "content/people.yaml";

/// Reads the registry of a site, if there is one.
pub fn read(sources: &Sources, out: &mut Diagnostics) -> People {
    match sources.find(PATH) {
        Some(file) => read_file(sources, file, out),
        None => People::Absent,
    }
}

/// Reads a registry from any file: that of another revision, for one.
pub fn read_file(sources: &Sources, file: FileId, out: &mut Diagnostics) -> People {
    let Some(text) = sources.file(file).readable() else {
        return People::Unread;
    };
    let mut findings = Diagnostics::new();
    let place = Place {
        file,
        offset: 0,
        line: 1,
        rule: rule::BAD_PEOPLE,
    };
    let root = yaml::parse(text, place, &mut findings);
    let rows = root.as_ref().and_then(|root| rows(root, &mut findings));
    let (registry, is_whole) = rows.unwrap_or_default();
    let registry = Registry::new(registry);
    if is_whole && registry.people().is_empty() {
        findings.push(empty(file));
    }
    one_row_each(&registry, &mut findings);
    // A missing key is a fault of the registry whatever weight a site gives to missing keys.
    findings.for_each_mut(|finding| {
        if finding.rule == rule::MISSING_KEY {
            finding.rule = rule::BAD_PEOPLE;
        }
    });
    let grave = [rule::BAD_PEOPLE, rule::SAME_PERSON, rule::CONTROL_CHARACTER];
    let faulty = |d: &Diagnostic| grave.contains(&d.rule);
    let is_sound = !findings.iter().any(faulty);
    out.append(findings);
    match (is_whole, is_sound) {
        (false, _) => People::Unread,
        (true, false) => People::Faulty(registry),
        (true, true) => People::Known(registry),
    }
}

/// The finding on a registry that nobody else has reported as unreadable.
pub fn unread(file: FileId) -> Diagnostic {
    Diagnostic::new(
        rule::BAD_PEOPLE,
        Span::file(file),
        "the people registry cannot be read",
    )
    .note("Without it nobody is known who could sign, so nothing is published.")
    .help("Save it as UTF-8 text of at most 8 MiB.")
}

fn empty(file: FileId) -> Diagnostic {
    Diagnostic::new(
        rule::BAD_PEOPLE,
        Span::file(file),
        "the people registry names nobody",
    )
    .note("Where there is a registry, only the people in it can write and review.")
    .help("Add a row such as `ada: {name: Ada Lovelace}`, or remove the file.")
}

/// The rows that can be read, and whether they are all.
fn rows(root: &Node, out: &mut Diagnostics) -> Option<(Vec<Person>, bool)> {
    let Some(pairs) = root.map() else {
        let wanted = "a set of ids, each with a person";
        out.push(wrong(root, rule::BAD_PEOPLE, "the people registry", wanted));
        return None;
    };
    let rows = pairs.iter().filter_map(|(id, node)| row(id, node, out));
    let rows: Vec<_> = rows.collect();
    let is_whole = rows.len() == pairs.len();
    Some((rows, is_whole))
}

fn row(id: &Spanned<String>, node: &Node, out: &mut Diagnostics) -> Option<Person> {
    let known = PersonId::new(&id.value);
    if known.is_none() {
        out.push(
            Diagnostic::new(
                rule::BAD_PEOPLE,
                id.span,
                format!("{} cannot be the id of a person", name::quoted(&id.value)),
            )
            .note("An id is made of letters a to z, digits, `-`, `_` and `.`, and is no word that stands for a name to come.")
            .help("Use a short form of the name, such as `ada`."),
        );
    }
    let mut fields = Fields::open(node, "a person", rule::BAD_PEOPLE, out)?;
    let name = fields.required("name", out);
    let aliases = fields.texts("aliases", out);
    let emails = emails(&mut fields, out);
    let url = fields.text("url", out).filter(|url| web(url, out));
    let kind = kind(&mut fields, out);
    let keys = keys(&mut fields, out);
    fields.finish(out);
    let names = name.iter().chain(&aliases);
    for name in names.filter(|name| name::is_placeholder(&name.value)) {
        out.push(
            Diagnostic::new(
                rule::BAD_PEOPLE,
                name.span,
                format!("{} is not the name of a person", name::quoted(&name.value)),
            )
            .help("Write the name that the person signs with."),
        );
    }
    for name in name
        .iter()
        .chain(&aliases)
        .filter(|name| name::is_too_long(&name.value))
    {
        let message = format!("a name has more than {} characters", name::NAME_MAX_CHARS);
        out.push(
            Diagnostic::new(rule::BAD_PEOPLE, name.span, message)
                .help("Write the name that the person signs with."),
        );
    }
    Some(Person {
        id: Spanned::new(known?, id.span),
        name: name?,
        aliases,
        emails,
        url,
        kind,
        keys,
    })
}

fn emails(fields: &mut Fields<'_>, out: &mut Diagnostics) -> Vec<Spanned<Email>> {
    let mut emails = Vec::new();
    for text in fields.texts("email", out) {
        match Email::new(&text.value) {
            Some(email) => emails.push(Spanned::new(email, text.span)),
            None => out.push(
                Diagnostic::new(
                    rule::BAD_PEOPLE,
                    text.span,
                    format!("{} is not an e-mail address", name::quoted(&text.value)),
                )
                .help("Write `name@host.example`, without name or brackets around it."),
            ),
        }
    }
    emails
}

fn web(url: &Spanned<String>, out: &mut Diagnostics) -> bool {
    let fits = ["https://", "http://"]
        .iter()
        .any(|scheme| url.value.len() > scheme.len() && url.value.starts_with(scheme))
        && !url
            .value
            .contains(|c: char| c.is_whitespace() || c.is_control());
    if !fits {
        out.push(
            Diagnostic::new(
                rule::BAD_PEOPLE,
                url.span,
                "the address of a person is not a web address",
            )
            .help("Write an address that begins with `https://`."),
        );
    }
    fits
}

/// The kind; a fault counts as a bot, which can sign nothing.
fn kind(fields: &mut Fields<'_>, out: &mut Diagnostics) -> PersonKind {
    let Some(node) = fields.take("kind") else {
        return PersonKind::Human;
    };
    let Some(text) = text_of(node, rule::BAD_PEOPLE, "kind", out) else {
        return PersonKind::Bot;
    };
    let found = PersonKind::ALL
        .into_iter()
        .find(|kind| kind.word() == text.value);
    found.unwrap_or_else(|| {
        let near = nearest(&text.value, PersonKind::ALL.map(PersonKind::word));
        let help = near.map(|near| format!("Did you mean `{near}`?"));
        out.push(
            wrong(
                node,
                rule::BAD_PEOPLE,
                "`kind`",
                "`human`, `group` or `bot`",
            )
            .maybe_help(help),
        );
        PersonKind::Bot
    })
}

fn keys(fields: &mut Fields<'_>, out: &mut Diagnostics) -> Vec<Spanned<PublicKey>> {
    let mut keys: Vec<Spanned<PublicKey>> = Vec::new();
    for text in fields.texts("keys", out) {
        match PublicKey::parse(&text.value) {
            Ok(key) => keys.push(Spanned::new(key, text.span)),
            Err(why) => out.push(
                Diagnostic::new(rule::BAD_PEOPLE, text.span, "this key cannot be used")
                    .label(why)
                    .help("Paste the line of the `.pub` file, such as `ssh-ed25519 AAAA…`."),
            ),
        }
    }
    keys
}

/// Reports each pair of rows that share an id, name, alias, e-mail or key.
fn one_row_each(registry: &Registry, out: &mut Diagnostics) {
    let mut seen: BTreeMap<String, (&Person, Span)> = BTreeMap::new();
    let mut told = BTreeSet::new();
    for person in registry.people() {
        for (mark, span) in marks(person) {
            let &mut (other, place) = seen.entry(mark).or_insert((person, span));
            let pair = (&other.id.value, &person.id.value);
            if pair.0 == pair.1 || !told.insert(pair) {
                continue;
            }
            if let Some(shared) = other.shares(person) {
                out.push(twice(person, span, (other, place), &shared));
            }
        }
    }
}

/// Everything that marks a row as a certain person, in a form that is equal for one person.
fn marks(person: &Person) -> Vec<(String, Span)> {
    let mut marks = Vec::new();
    for (spelling, span) in person.spellings() {
        let keys = (*name::keys(spelling)).clone().into_iter();
        marks.extend(keys.map(|key| (format!("name {key}"), span)));
    }
    for email in &person.emails {
        marks.push((format!("mailbox {}", email.value.mailbox()), email.span));
    }
    for key in &person.keys {
        marks.push((format!("key {:?}", key.value.bytes()), key.span));
    }
    marks
}

fn twice(person: &Person, span: Span, other: (&Person, Span), shared: &Shared) -> Diagnostic {
    let (other, place) = other;
    Diagnostic::new(
        rule::SAME_PERSON,
        span,
        format!(
            "`{}` and `{}` are two rows of the registry for one person: {shared}",
            other.id.value, person.id.value
        ),
    )
    .label("shared with another row")
    .related(place, "first written here")
    .note("With two rows one person could write and review the same entry.")
    .help("Make it one row: move further names into `aliases` and keys into `keys`.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Digest, SourceFile};
    use proptest::prelude::*;

    const KEY: &str =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPXhL5KTYcTUJ8zqwSVUMLjmuWS9wXfUtT6+XXQr3gUH";

    fn read_text(text: &str) -> (People, Vec<String>) {
        let mut sources = Sources::new();
        sources.add(SourceFile::new(PATH, text, Digest::of(text)));
        let mut out = Diagnostics::new();
        let people = read(&sources, &mut out);
        let found = out
            .iter()
            .map(|d| format!("{}: {}", d.rule.name, d.message));
        (people, found.collect())
    }

    #[test]
    fn a_full_registry_reads() {
        let (people, found) = read_text(&format!(
            "ada:\n  name: Ada Lovelace\n  aliases: [Countess of Lovelace]\n  email: ada@example.org\n  \
             url: https://example.org/ada\n  keys: [{KEY} ada@home]\ngrace: {{name: Grace Hopper, kind: human}}\n\
             team: {{name: Course team, kind: group}}\nann: {{name: Ann Lee}}\nanne: {{name: Anne Lee}}\n"
        ));
        assert_eq!(found, Vec::<String>::new());
        let People::Known(registry) = people else {
            panic!("in order")
        };
        assert_eq!(registry.people().len(), 5);
        let ada = registry.find("ada").unwrap();
        assert!(ada.holds(&PublicKey::parse(KEY).unwrap()));
        assert_eq!(registry.named("countess of lovelace").unwrap().0, ada);
        assert_eq!(
            registry.named("Ann Lee").unwrap().0.id.value.as_str(),
            "ann"
        );
    }

    #[test]
    fn two_rows_of_one_person_are_refused() {
        let shared = [
            ("name: Ada Lovelace", "name: ADA LOVELACE"),
            ("name: Ada Lovelace", "name: Lovelace, Ada"),
            (
                "name: Ada Lovelace",
                "name: Augusta King, aliases: [ada lovelace]",
            ),
            ("name: A", "name: B, aliases: [one]"),
            (
                "name: Ada, email: ada@example.org",
                "name: Augusta, email: ADA+2@example.org",
            ),
        ];
        for (one, two) in shared {
            let two = two.replace("Lovelace, Ada", "\"Lovelace, Ada\"");
            let (people, found) = read_text(&format!("one: {{{one}}}\ntwo: {{{two}}}\n"));
            assert!(matches!(people, People::Faulty(_)), "{one} {two}");
            assert!(
                found.len() == 1 && found[0].starts_with("same-person: "),
                "{found:?}"
            );
        }
        let (_, found) = read_text(&format!(
            "one: {{name: Ada, keys: \"{KEY} home\"}}\ntwo: {{name: Grace, keys: ['{KEY}   work']}}\n"
        ));
        assert!(
            found[0].starts_with("same-person: ") && found[0].contains("SHA256:"),
            "{found:?}"
        );
    }

    #[test]
    fn a_registry_that_was_refused_is_not_an_absent_one() {
        let mut sources = Sources::new();
        sources.add(SourceFile::refused(PATH));
        let mut out = Diagnostics::new();
        let people = read(&sources, &mut out);
        assert_eq!(people, People::Unread);
        // Whoever refused the file has said why.
        assert_eq!(out, Diagnostics::new());
    }

    #[test]
    fn faults_are_named() {
        for (text, rule) in [
            ("- ada\n", "bad-people"),
            ("ada: Ada\n", "bad-people"),
            ("ada: {}\n", "bad-people"),
            ("a b: {name: Ada}\n", "bad-people"),
            ("author: {name: Ada}\n", "bad-people"),
            ("ada: {name: pending}\n", "bad-people"),
            ("ada: {name: Ada, kind: robot}\n", "bad-people"),
            ("ada: {name: Ada, email: ada}\n", "bad-people"),
            ("ada: {name: Ada, keys: [ssh-ed25519 AAAA]}\n", "bad-people"),
            ("ada: {name: Ada, url: 'javascript:x'}\n", "bad-people"),
            ("ada: {name: Ada}\nada: {name: Grace}\n", "bad-people"),
            ("ada: &a {name: Ada}\n", "bad-people"),
            ("", "bad-people"),
            ("ada: {name: Ada", "bad-people"),
        ] {
            let (people, found) = read_text(text);
            assert!(people.is_faulty(), "{text}");
            assert!(
                found.iter().any(|f| f.starts_with(rule)),
                "{text} {found:?}"
            );
        }
        let (people, found) = read_text("ada: {name: Ada, alias: A}\n");
        assert!(matches!(people, People::Known(_)));
        assert_eq!(found, ["unknown-key: `alias` is not a key of a person"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "[ -~\n\u{e9}]{0,200}") {
            let (people, found) = read_text(&text);
            prop_assert!(matches!(people, People::Known(_)) || !found.is_empty());
        }
    }
}
