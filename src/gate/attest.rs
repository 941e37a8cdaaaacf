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
use crate::model::statement::{Filed, Statement, namespace, path};
use crate::parse::statement::beside;
use crate::source::{FileId, Span, Spanned};

/// How far the statements hold.
#[derive(Debug, Default)]
pub(super) struct Attested {
    /// Roles without a statement that can count.
    pub(super) lacking: Vec<Role>,
    /// Roles whose statement was of something else than stands there now.
    pub(super) stale: Vec<Role>,
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
        if let Some(finding) = unfresh(dossier, &statements) {
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
    let before = out.len();
    bound(policy, dossier, role, statement, out);
    signed(policy, dossier, role, (statement, signature), out);
    let sound = out.len() == before;
    let current = statement.claims.value == dossier.digests.claims;
    if !current {
        out.push(changed(dossier, role, statement, other.statement()));
    }
    match (sound, current) {
        (false, _) => Standing::Lacking,
        (true, false) => Standing::Stale,
        (true, true) => Standing::Holds,
    }
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
    .help(sign_again(dossier, role))
}

fn sign_again(dossier: &Dossier<'_>, role: Role) -> String {
    let (id, word) = (&dossier.entry.id, role.word());
    let whose = dossier
        .entry
        .byline
        .name(role)
        .map_or("…", |name| name.value.trim());
    format!("That person runs `countersign sign {id} --as {word} --person '{whose}'`.")
}

/// Whether the statement is of this site, entry, role and person, and of a day that has come.
fn bound(
    policy: &Policy<'_>,
    dossier: &Dossier<'_>,
    role: Role,
    statement: &Statement,
    out: &mut Diagnostics,
) {
    let mut not = |span, what: &str, found: &str, wanted: &str| {
        out.push(
            Diagnostic::new(
                rule::MISSING_STATEMENT,
                span,
                format!(
                    "this statement is {what} {}, not {wanted}, and does not hold here",
                    quoted(found)
                ),
            )
            .label("moved or copied from elsewhere")
            .note("A statement holds for the one site, entry, role and person that it names.")
            .help(sign_again(dossier, role)),
        );
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
    if statement.signed_on.value > policy.today {
        let (day, today) = (statement.signed_on.value, policy.today);
        out.push(
            Diagnostic::new(
                rule::FUTURE_DATE,
                statement.signed_on.span,
                format!("this statement was signed on {day}, which is after today, {today}"),
            )
            .help(sign_again(dossier, role)),
        );
    }
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

/// Checks the signature, if the site asks for one or one is there.
fn signed(
    policy: &Policy<'_>,
    dossier: &Dossier<'_>,
    role: Role,
    (statement, signature): (&Statement, Option<FileId>),
    out: &mut Diagnostics,
) {
    let bad = |span, message: String| {
        Diagnostic::new(rule::BAD_SIGNATURE, span, message).help(format!(
            "{} With `--key FILE` it signs with a key that the registry gives to that person.",
            sign_again(dossier, role)
        ))
    };
    let word = role.word();
    let Some(signature) = signature else {
        if policy.config.assurance == Assurance::Signed {
            let span = Span::file(statement.file);
            out.push(bad(
                span,
                format!("the statement of the {word} carries no signature"),
            ));
        }
        return;
    };
    let Identity::Row(person) = identify(policy.people, &statement.person.value) else {
        // With a registry that does not know the name, that has been reported already.
        if policy.people.registry().is_none() {
            let message = "no registry says whose key this signature is made with";
            out.push(bad(Span::file(signature), message.to_owned()));
        }
        return;
    };
    let text = &policy.sources.file(statement.file).text;
    let wanted = namespace(role, policy.config.host());
    let pem = policy.sources.file(signature);
    let pem = match policy.sources.binary(&pem.path) {
        Some(binary) => String::from_utf8_lossy(&binary.bytes).into_owned(),
        None => pem.text.to_string(),
    };
    if let Err(why) = signature::verify(text, &pem, &wanted, person) {
        let message = format!("the signature of the {word} does not hold: {why}");
        out.push(bad(Span::file(signature), message));
    }
}

fn changed(
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
        sign_again(dossier, role)
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
fn unfresh(dossier: &Dossier<'_>, statements: &[&Statement]) -> Option<Diagnostic> {
    let latest = statements.iter().map(|s| s.signed_on.value).max()?;
    let fresh = statements.iter().any(|statement| {
        statement.signed_on.value == latest
            && statement.freshness.value == dossier.digests.freshness
    });
    if fresh {
        return None;
    }
    let last = statements.iter().find(|s| s.signed_on.value == latest)?;
    let id = &dossier.entry.id;
    let finding = Diagnostic::new(
        rule::STALE_SIGNOFF,
        dossier.entry.byline.span,
        format!("check dates have changed since the last signature, on {latest}"),
    )
    .label("nobody has signed these dates")
    .related(last.freshness.span, "the dates that were signed")
    .note("What the page says has not changed: one of the two is enough, and the review stands.")
    .help(format!(
        "Author or reviewer runs `countersign sign {id}` for the new dates."
    ));
    Some(finding)
}
