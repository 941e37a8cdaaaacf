//! What an entry needs that asks for publication, its statements apart: two people, dates in
//! order, and sources with the day on which each was checked.

use super::distinct::same_person;
use super::signatory::{Identity, identify};
use super::{Dossier, Policy};
use crate::diagnostic::{Diagnostic, Diagnostics, RuleId, rule};
use crate::model::byline::{DateField, Role};
use crate::model::date::Date;
use crate::model::entry::Entry;
use crate::model::name::{NAME_MAX_CHARS, is_too_long, quoted};
use crate::model::person::{Person, PersonKind};
use crate::model::scaffold;
use crate::source::{Span, Spanned};

/// Everything that is missing or wrong.
pub(super) fn check(policy: &Policy<'_>, dossier: &Dossier<'_>) -> Diagnostics {
    let mut out = Diagnostics::new();
    people(policy, dossier, &mut out);
    byline_dates(policy, dossier, &mut out);
    sources(policy, dossier, &mut out);
    captures(policy, dossier, &mut out);
    placeholders(policy, dossier, &mut out);
    out
}

/// Sentences that `new` wrote in the place of the author's.
fn placeholders(policy: &Policy<'_>, dossier: &Dossier<'_>, out: &mut Diagnostics) {
    let file = dossier.entry.file;
    let text = &*policy.sources.file(file).text;
    let found = scaffold::places(text, dossier.entry.front.range().end);
    out.extend(found.into_iter().flatten().map(|range| {
        let place = Span::new(file, range);
        Diagnostic::new(
            rule::PLACEHOLDER_TEXT,
            place,
            "this sentence only holds the place of one of yours",
        )
        .label("written by `countersign new`")
        .help("Write what it asks for in its place, or take it out.")
    }));
}

fn people(policy: &Policy<'_>, dossier: &Dossier<'_>, out: &mut Diagnostics) {
    let byline = &dossier.entry.byline;
    for role in [Role::Author, Role::Reviewer] {
        if let Some(name) = byline.name(role) {
            person(policy, name, role, out);
        }
    }
    let (Some(author), Some(reviewer)) = (&byline.written_by, &byline.reviewed_by) else {
        return;
    };
    if let Some(why) = same_person(policy.people, &author.value, &reviewer.value) {
        out.push(
            Diagnostic::new(
                rule::SAME_PERSON,
                reviewer.span,
                format!("the author and the reviewer are one person: {why}"),
            )
            .label("the reviewer")
            .related(author.span, "the author")
            .note("Nobody finds their own mistakes: a second person has to have read the entry.")
            .help("Name another person as `reviewed_by`, or write `pending` until there is one."),
        );
    }
}

fn person(policy: &Policy<'_>, name: &Spanned<String>, role: Role, out: &mut Diagnostics) {
    if is_too_long(&name.value) {
        let message = format!(
            "the {} has a name of {} characters",
            role.word(),
            name.value.chars().count()
        );
        out.push(
            Diagnostic::new(rule::NOT_A_PERSON, name.span, message)
                .label(format!("at most {NAME_MAX_CHARS} are a name"))
                .note("Two spellings of one name could not be told from two people in a text of that length.")
                .help(format!("Write the name as `{}`, in the form that the person signs with.", role.key())),
        );
        return;
    }
    let identity = identify(policy.people, &name.value);
    if let Identity::Unknown(near) = &identity {
        out.push(unknown(
            policy,
            name,
            role,
            near.as_ref()
                .map(|(person, why)| (*person, why.to_string())),
        ));
    }
    let what = match identity.kind() {
        PersonKind::Human => return,
        PersonKind::Group => "a group",
        PersonKind::Bot => "a program",
    };
    let name_shown = quoted(&name.value);
    let finding = Diagnostic::new(
        rule::NOT_A_PERSON,
        name.span,
        format!("the {} {name_shown} is {what}, not a person", role.word()),
    )
    .label(what)
    .note("A byline says who answers for the page; only a person can.")
    .help(format!(
        "Name the person who stands behind it as `{}`.",
        role.key()
    ));
    out.push(match identity.row() {
        Some(row) => finding.related(row.id.span, "registered here"),
        None => finding,
    });
}

fn unknown(
    policy: &Policy<'_>,
    name: &Spanned<String>,
    role: Role,
    near: Option<(&Person, String)>,
) -> Diagnostic {
    let shown = quoted(&name.value);
    let finding = Diagnostic::new(
        rule::UNKNOWN_PERSON,
        name.span,
        format!(
            "the people registry does not know the {} {shown}",
            role.word()
        ),
    )
    .label("not in the registry")
    .note("Where there is a registry, a byline names people by their id or registered name.");
    if let Some((person, why)) = near {
        return finding.note(why).help(format!(
            "Write `{}` if you mean that person.",
            person.id.value
        ));
    }
    let known = policy.people.registry();
    let spellings: Vec<&str> = known
        .iter()
        .flat_map(|registry| registry.people())
        .flat_map(|person| person.spellings().map(|(spelling, _)| spelling))
        .collect();
    let help = crate::diagnostic::nearest(&name.value, spellings);
    finding.help(match help {
        Some(near) => format!("Did you mean `{near}`?"),
        None => "Add the person to `content/people.yaml`, in a change of its own.".to_owned(),
    })
}

fn byline_dates(policy: &Policy<'_>, dossier: &Dossier<'_>, out: &mut Diagnostics) {
    let byline = &dossier.entry.byline;
    let written = ("written_on", "written", &byline.written_on);
    let checked = ("last_checked_on", "last checked", &byline.last_checked_on);
    for (key, what, field) in [written, checked] {
        let absent = missing(field, byline.span, rule::MISSING_DATE);
        out.extend(absent.map(|mut finding| {
            finding.message = format!("the byline does not say when the entry was {what}");
            finding.help(format!("Write the day as `{key}: YYYY-MM-DD`."))
        }));
        future(policy, field.date(), &format!("`{key}`"), out);
    }
    if let (Some(written), Some(checked)) =
        (byline.written_on.date(), byline.last_checked_on.date())
        && written.value > checked.value
    {
        out.push(
            Diagnostic::new(
                rule::DATE_ORDER,
                checked.span,
                format!(
                    "the entry was last checked on {}, before it was written on {}",
                    checked.value, written.value
                ),
            )
            .label("last checked")
            .related(written.span, "written")
            .help("Correct the two days: what is written is checked on that day or later."),
        );
    }
}

/// Whether a date that the gate asks for cannot be read; its reader has reported that.
pub(super) fn has_unreadable_date(entry: &Entry) -> bool {
    let byline = [&entry.byline.written_on, &entry.byline.last_checked_on];
    let checks = entry.sources.iter().map(|source| &source.checked);
    let mut dates = byline.into_iter().chain(checks);
    dates.any(|field| matches!(field, DateField::Faulty(_)))
}

/// A finding that a date is not there. One that could not be read has been reported already.
fn missing(field: &DateField, around: Span, rule: RuleId) -> Option<Diagnostic> {
    let span = match field {
        DateField::On(_) | DateField::Faulty(_) => return None,
        DateField::Pending(span) => *span,
        DateField::Absent => Span {
            end: around.start,
            ..around
        },
    };
    Some(Diagnostic::new(rule, span, rule.summary).label("no date here"))
}

fn future(policy: &Policy<'_>, date: Option<&Spanned<Date>>, what: &str, out: &mut Diagnostics) {
    let Some(date) = date.filter(|date| date.value > policy.today) else {
        return;
    };
    let (day, today) = (date.value, policy.today);
    out.push(
        Diagnostic::new(
            rule::FUTURE_DATE,
            date.span,
            format!("{what} is {day}, which is after today, {today}"),
        )
        .label("a day to come")
        .help("Write the day on which it happened."),
    );
}

fn sources(policy: &Policy<'_>, dossier: &Dossier<'_>, out: &mut Diagnostics) {
    let entry = dossier.entry;
    if entry.sources.is_empty() {
        out.push(
            Diagnostic::new(
                rule::NO_SOURCES,
                Span {
                    end: entry.front.start,
                    ..entry.front
                },
                "the entry cites no source",
            )
            .label("no `sources` in this front matter")
            .note("A reader must be able to check what a page says against something else.")
            .help("List the documents under `sources`, each with the day it was `checked`."),
        );
    }
    for source in &entry.sources {
        let name = &source.id.value;
        let unchecked = missing(&source.checked, source.span, rule::MISSING_CHECK_DATE);
        out.extend(unchecked.map(|mut finding| {
            finding.message = format!("nothing says when the source `{name}` was checked");
            finding.help("Open it, compare it, and write the day as `checked: YYYY-MM-DD`.")
        }));
        let what = format!("the check of the source `{name}`");
        future(policy, source.checked.date(), &what, out);
    }
}

fn captures(policy: &Policy<'_>, dossier: &Dossier<'_>, out: &mut Diagnostics) {
    for capture in &dossier.entry.measured {
        let captured = capture.provenance.captured.as_ref();
        let what = format!("the day of the capture `{}`", capture.name.value);
        future(policy, captured, &what, out);
        let checked = dossier.entry.byline.last_checked_on.date();
        let (Some(captured), Some(checked)) = (captured, checked) else {
            continue;
        };
        if captured.value > checked.value {
            out.push(
                Diagnostic::new(
                    rule::DATE_ORDER,
                    checked.span,
                    format!(
                        "the entry was last checked on {}, before its capture `{}` was made on {}",
                        checked.value, capture.name.value, captured.value
                    ),
                )
                .label("last checked")
                .related(captured.span, "captured")
                .help("Check the entry against the capture, then write the day of that check."),
            );
        }
    }
}
