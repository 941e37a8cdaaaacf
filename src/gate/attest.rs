//! Whether the statements beside an entry hold for it as it is now.
//!
//! A statement that is there must hold, whatever the site asks for; the site's assurance says
//! what must be there.

use super::signatory::{Identity, identify};
use super::signature;
use super::{Dossier, Policy};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::byline::Role;
use crate::model::config::Assurance;
use crate::model::name::{quoted, respelled};
use crate::model::person::People;
use crate::model::statement::{Filed, Statement, namespace, path};
use crate::parse::statement::beside;
use crate::source::{FileId, Sources, Span, Spanned};

/// How far the statements hold.
#[derive(Debug, Default)]
pub(super) struct Attested {
    /// Roles without a statement that can count.
    pub(super) lacking: Vec<Role>,
    /// Roles whose statement was of something else than stands there now.
    pub(super) stale: Vec<Role>,
}

/// The files beside an entry's file that its verdict depends on: the statement of each person and
/// its signature, where they are there.
pub fn statements_of(entry: FileId, sources: &Sources) -> [Option<FileId>; 4] {
    let [author, reviewer] = [Role::Author, Role::Reviewer].map(|role| {
        let path = path(&sources.file(entry).path, role);
        [sources.find(&path), sources.find(&format!("{path}.sig"))]
    });
    [author[0], author[1], reviewer[0], reviewer[1]]
}

/// Checks both statements.
pub(super) fn check(policy: &Policy<'_>, dossier: &Dossier<'_>, out: &mut Diagnostics) -> Attested {
    let mut attested = Attested::default();
    let roles = [Role::Author, Role::Reviewer];
    let [author, reviewer] = roles.map(|role| beside(policy.sources, dossier.entry.file, role));
    for (role, filed, other) in [
        (Role::Author, &author, &reviewer),
        (Role::Reviewer, &reviewer, &author),
    ] {
        match standing(policy, dossier, (role, filed), other, out) {
            Standing::Holds => {}
            Standing::Lacking => attested.lacking.push(role),
            Standing::Stale => attested.stale.push(role),
        }
    }
    if attested.stale.is_empty() && attested.lacking.is_empty() {
        let statements: Vec<_> = [author.statement(), reviewer.statement()]
            .into_iter()
            .flatten()
            .collect();
        if let Some(finding) = unfresh(policy, dossier, &statements) {
            out.push(finding);
            attested.stale.extend(roles);
        }
    }
    attested
}

enum Standing {
    Holds,
    Lacking,
    Stale,
}

fn standing(
    policy: &Policy<'_>,
    dossier: &Dossier<'_>,
    (role, filed): (Role, &Filed),
    other: &Filed,
    out: &mut Diagnostics,
) -> Standing {
    let (statement, signature) = match filed {
        Filed::Missing if policy.config.assurance == Assurance::Named => return Standing::Holds,
        Filed::Missing => {
            out.push(missing(policy, dossier, role));
            return Standing::Lacking;
        }
        Filed::Unreadable(_, findings) => {
            out.append(findings.clone());
            return Standing::Lacking;
        }
        Filed::Read(statement, signature) => (statement, *signature),
    };
    // One finding for one statement: what does not hold here says nothing of what was signed, and
    // the remedy for each is to sign again.
    let void = no_registry(policy, signature)
        .or_else(|| bound(policy, dossier, role, statement))
        .or_else(|| signed(policy, dossier, role, (statement, signature)));
    if let Some(finding) = void {
        out.push(finding);
        return Standing::Lacking;
    }
    if signature.is_some_and(|file| policy.sources.file(file).is_refused()) {
        return Standing::Lacking;
    }
    if statement.claims.value == dossier.digests.claims {
        return Standing::Holds;
    }
    out.push(changed(policy, dossier, role, statement, other.statement()));
    Standing::Stale
}

/// The place of the name in the byline: where a finding about an absent statement points.
fn name_span(dossier: &Dossier<'_>, role: Role) -> Span {
    let byline = &dossier.entry.byline;
    byline.name(role).map_or(byline.span, |name| name.span)
}

fn missing(policy: &Policy<'_>, dossier: &Dossier<'_>, role: Role) -> Diagnostic {
    let path = path(&policy.sources.file(dossier.entry.file).path, role);
    Diagnostic::new(
        rule::MISSING_STATEMENT,
        name_span(dossier, role),
        format!("the {} has not signed this entry", role.word()),
    )
    .label(format!("there is no {path}"))
    .note(format!(
        "This site asks for `{}` sign-offs: a statement of each person beside the entry.",
        policy.config.assurance.word()
    ))
    .help(sign_again(policy, dossier, role))
}

fn sign_again(policy: &Policy<'_>, dossier: &Dossier<'_>, role: Role) -> String {
    let key = match policy.config.assurance {
        Assurance::Signed => "--key FILE",
        Assurance::Named | Assurance::Attested => "",
    };
    command(dossier, role, key)
}

/// The command by which a person signs in a role, with `more` at its end.
fn command(dossier: &Dossier<'_>, role: Role, more: &str) -> String {
    let (id, word) = (&dossier.entry.id, role.word());
    let name = dossier.entry.byline.name(role);
    let whose = name.map_or("…", |name| name.value.trim());
    // As a shell reads it: O'Brien has a quote in the name.
    let whose = whose.replace('\'', r"'\''");
    let more = if more.is_empty() {
        ""
    } else {
        &format!(" {more}")
    };
    format!("That person runs `countersign sign {id} --as {word} --person '{whose}'{more}`.")
}

/// A finding if the statement is not of this site, entry, role and person, or of a day that is yet
/// to come.
fn bound(
    policy: &Policy<'_>,
    dossier: &Dossier<'_>,
    role: Role,
    statement: &Statement,
) -> Option<Diagnostic> {
    let mut void: Option<Diagnostic> = None;
    let mut not = |span, what: &str, found: &str, wanted: &str| {
        let found = format!("{what} {}, not {wanted}", quoted(found));
        void = Some(match void.take() {
            Some(void) => void.related(span, format!("and it is {found}")),
            None => Diagnostic::new(
                rule::MISSING_STATEMENT,
                span,
                format!("this statement is {found}, and does not hold here"),
            )
            .label("moved or copied from elsewhere")
            .note("A statement holds for the one site, entry, role and person that it names.")
            .help(sign_again(policy, dossier, role)),
        });
    };
    let site = policy.config.site_name();
    if statement.site.value != site {
        not(
            statement.site.span,
            "for the site",
            &statement.site.value,
            &site,
        );
    }
    let id = dossier.entry.id.as_str();
    if statement.entry.value != id {
        not(
            statement.entry.span,
            "of the entry",
            &statement.entry.value,
            id,
        );
    }
    if statement.role.value != role {
        let found = statement.role.value.word();
        not(
            statement.role.span,
            "of the",
            found,
            &format!("the {}", role.word()),
        );
    }
    if let Some(name) = dossier.entry.byline.name(role)
        && !is_by(policy, name, &statement.person.value)
    {
        let wanted = format!("{}, whom the byline names", quoted(&name.value));
        not(
            statement.person.span,
            "by",
            &statement.person.value,
            &wanted,
        );
    }
    let (day, today) = (statement.signed_on.value, policy.today);
    if void.is_none() && day > today {
        let message = format!("this statement was signed on {day}, which is after today, {today}");
        let finding = Diagnostic::new(rule::FUTURE_DATE, statement.signed_on.span, message);
        return Some(finding.help(sign_again(policy, dossier, role)));
    }
    void
}

/// Whether a statement's person is the one whom the byline names.
fn is_by(policy: &Policy<'_>, name: &Spanned<String>, person: &str) -> bool {
    match (
        identify(policy.people, &name.value),
        identify(policy.people, person),
    ) {
        (Identity::Name(name), Identity::Name(person)) => {
            respelled(name, person).is_some_and(|found| found.is_plain())
        }
        (Identity::Row(named), Identity::Row(row)) => named.id.value == row.id.value,
        _ => false,
    }
}

/// A finding if the signature is not there where the site asks for one, or does not hold.
fn signed(
    policy: &Policy<'_>,
    dossier: &Dossier<'_>,
    role: Role,
    (statement, signature): (&Statement, Option<FileId>),
) -> Option<Diagnostic> {
    let word = role.word();
    let bad = |file, message: String| {
        let help = format!(
            "{} The key is one that the registry gives to that person.",
            command(dossier, role, "--key FILE")
        );
        let finding = Diagnostic::new(rule::BAD_SIGNATURE, Span::file(file), message);
        Some(finding.help(help))
    };
    let Some(signature) = signature else {
        let wanted = policy.config.assurance == Assurance::Signed;
        let message = format!("the statement of the {word} carries no signature");
        return wanted.then(|| bad(statement.file, message)).flatten();
    };
    let Identity::Row(person) = identify(policy.people, &statement.person.value) else {
        // With a registry that does not know the name, or cannot be read, that has been reported.
        return None;
    };
    // A refused file has its finding.
    let pem = policy.sources.file(signature).readable()?;
    let text = &policy.sources.file(statement.file).text;
    let wanted = namespace(role, policy.config.own_host());
    let why = signature::verify(text, pem, &wanted, person).err()?;
    let message = format!("the signature of the {word} does not hold: {why}");
    bad(signature, message)
}

/// One fault of the site, whose signatures all fail alike: the same words at the same place for each,
/// so that it is told once. Without the registry nobody can say either whom a statement names.
fn no_registry(policy: &Policy<'_>, signature: Option<FileId>) -> Option<Diagnostic> {
    let signature = signature.filter(|_| matches!(policy.people, People::Absent))?;
    let (message, place) = (
        "no registry of people says whose keys the signatures are made with",
        Span::file(policy.config.file),
    );
    let finding = Diagnostic::new(rule::BAD_SIGNATURE, place, message)
        .related(Span::file(signature), "one of the signatures")
        .note("A signature counts where `content/people.yaml` gives its key to the person who signed.")
        .help("Write `content/people.yaml` with the `keys` of each person, or bring it back.");
    Some(finding)
}

fn changed(
    policy: &Policy<'_>,
    dossier: &Dossier<'_>,
    role: Role,
    statement: &Statement,
    other: Option<&Statement>,
) -> Diagnostic {
    let (now, then) = (
        dossier.digests.claims.short(),
        statement.claims.value.short(),
    );
    let word = role.word();
    let finding = Diagnostic::new(
        rule::STALE_SIGNOFF,
        name_span(dossier, role),
        format!(
            "the entry has changed since its {word} signed it on {}",
            statement.signed_on.value
        ),
    )
    .label(format!("signed {then}, now {now}"))
    .related(statement.claims.span, "what was signed")
    .help(format!(
        "`countersign review {}` shows what changed. {}",
        dossier.entry.id,
        sign_again(policy, dossier, role)
    ));
    let replaced = other
        .and_then(|other| other.supersedes.as_ref())
        .filter(|before| before.value == statement.claims.value);
    match replaced {
        Some(before) => finding
            .related(before.span, "superseded here")
            .note("The other person has since signed a later version, which supersedes this one."),
        None => finding,
    }
}

/// Whether nobody has signed the check dates: the latest statement counts, and on one day any.
fn unfresh(
    policy: &Policy<'_>,
    dossier: &Dossier<'_>,
    statements: &[&Statement],
) -> Option<Diagnostic> {
    let latest = statements.iter().map(|s| s.signed_on.value).max()?;
    let fresh = statements.iter().any(|statement| {
        statement.signed_on.value == latest
            && statement.freshness.value == dossier.digests.freshness
    });
    if fresh {
        return None;
    }
    let last = statements.iter().find(|s| s.signed_on.value == latest)?;
    let finding = Diagnostic::new(
        rule::STALE_SIGNOFF,
        dossier.entry.byline.span,
        format!("check dates have changed since the last signature, on {latest}"),
    )
    .label("nobody has signed these dates")
    .related(last.freshness.span, "the dates that were signed")
    .note("What the page says has not changed: one of the two is enough, and the review stands.")
    .help(format!(
        "Sign the new dates. {} So can the reviewer.",
        sign_again(policy, dossier, Role::Author)
    ));
    Some(finding)
}
