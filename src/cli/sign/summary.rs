//! What a person reads before signing: what the signature covers, and what has changed since
//! they signed last.

use super::{Desk, Made};
use crate::cli::history::{self, NotFound, Past, Signed};
use crate::gate::review::{self, Version};
use crate::gate::sign::Change;
use crate::model::byline::DateField;
use crate::model::config::Assurance;
use crate::source::Digest;
use std::fmt::Write as _;

impl Desk<'_> {
    /// What will be signed and what has changed, for the person to read.
    pub(super) fn summary(&self, made: &Made) -> String {
        let entry = self.entry();
        let mut text = String::new();
        let (kind, signatory) = (entry.kind().word(), &made.statement.signatory.name);
        let _ = writeln!(text, "{}", entry.title.value);
        let _ = writeln!(
            text,
            "  {kind} `{}`, signed as {} by {signatory} on {}",
            entry.id,
            self.role.word(),
            self.options.today
        );
        if let Some(digests) = self.compiled.verdict(self.index).digests {
            let (claims, dates) = (digests.claims.short(), digests.freshness.short());
            let _ = writeln!(
                text,
                "  what the page says: {claims}; its check dates: {dates}"
            );
        }
        self.contents(&mut text);
        text.push('\n');
        text.push_str(&self.changes(made.statement.change));
        for note in self.notes(made) {
            let _ = writeln!(text, "note: {note}");
        }
        text
    }

    /// The numbers, sources and figures that the signature covers.
    fn contents(&self, text: &mut String) {
        let entry = self.entry();
        let facts = self.compiled.facts.get(self.index);
        let facts: Vec<_> = facts.iter().flat_map(|facts| facts.iter()).collect();
        list(
            text,
            "numbers with their formulas",
            facts
                .iter()
                .map(|(_, fact)| format!("{} = {}", fact.text, fact.formula)),
        );
        list(
            text,
            "measured tables",
            entry.measured.iter().map(|capture| {
                let device = capture.provenance.device.as_ref();
                let device = device.map_or("no device", |device| device.value.as_str());
                format!(
                    "{}: {} rows, {device}",
                    capture.name.value,
                    capture.rows.len()
                )
            }),
        );
        let diagrams = entry.diagrams.iter().map(|diagram| &diagram.name.value);
        let models = entry.models.iter().map(|model| &model.name.value);
        let matrices = entry.matrices.iter().map(|matrix| &matrix.name.value);
        let figures = diagrams.chain(models).chain(matrices);
        list(text, "figures", figures.map(ToString::to_string));
        list(
            text,
            "sources",
            entry.sources.iter().map(|source| {
                let checked = match &source.checked {
                    DateField::On(day) => format!("checked {}", day.value),
                    _ => "not checked yet".to_owned(),
                };
                format!("{}, {checked}", source.title.value)
            }),
        );
    }

    /// What has changed since the person's last statement.
    fn changes(&self, change: Change) -> String {
        match change {
            Change::First => "You have not signed this entry before.\n".to_owned(),
            Change::Again => {
                "You have signed all of this already; only the day changes.\n".to_owned()
            }
            Change::Dates => {
                "You have signed what the page says already; its check dates are new.\n".to_owned()
            }
            Change::Claims(signed) => self.since(signed),
        }
    }

    fn since(&self, signed: Digest) -> String {
        let entry = self.entry();
        let sources = &self.session.sources;
        let past = match self.past(signed) {
            Ok(past) => past,
            Err(why) => {
                return format!(
                    "The page has changed since you signed {}, and what changed cannot be \
                     shown: {why}.\n",
                    signed.short()
                );
            }
        };
        let digests = self.compiled.verdict(self.index).digests;
        let (Some(old), Some(digests)) = (past.version(), digests) else {
            return String::new();
        };
        let new = Version {
            entry,
            sources,
            digests,
        };
        format!(
            "Changed since you signed {} ({}):\n\n{}\n",
            signed.short(),
            past.name(),
            review::compare(&old, &new)
        )
    }

    /// The version with these claims.
    fn past(&self, claims: Digest) -> Result<Past, NotFound> {
        let signed = Signed {
            claims,
            freshness: None,
        };
        history::find(self.session, self.entry(), signed, self.options)
    }

    /// Whether the statement does not count in this site for want of a signature.
    pub(super) fn lacks_seal(&self, made: &Made) -> bool {
        self.compiled.site.config.assurance == Assurance::Signed && made.seal.is_none()
    }

    /// What is still to be done once a statement without a signature is written.
    pub(super) fn still_to_sign(&self, made: &Made) -> String {
        let (id, role) = (&self.entry().id, self.role.word());
        let statement = &made.statement;
        // As a shell reads it: O'Brien has a quote in the name.
        let person = self.entry().byline.name(self.role);
        let person = person.map_or("…", |name| name.value.trim());
        let person = person.replace('\'', r"'\''");
        format!(
            "It does not count yet: site.toml asks for `signed` sign-offs, and this statement carries \
             no signature. In the site's folder, run one of these:\n  \
             countersign sign {id} --as {role} --person '{person}' --key FILE\n  \
             ssh-keygen -Y sign -n {} -f FILE {}\n",
            statement.namespace, statement.path
        )
    }

    /// What the person should know besides.
    fn notes(&self, made: &Made) -> Vec<String> {
        let mut notes = Vec::new();
        let entry = self.entry();
        if entry.byline.written_on.date().is_none() {
            notes.push(
                "`written_on` has no day yet. It is part of what you sign, so that writing it \
                 later needs a new signature."
                    .to_owned(),
            );
        }
        if self.lacks_seal(made) {
            notes.push(
                "no key was given with --key, so that the statement will carry no signature. This \
                 site counts signed statements only."
                    .to_owned(),
            );
        }
        let old = format!("{}.sig", made.statement.path);
        if made.seal.is_none() && self.session.sources.find(&old).is_some() {
            notes.push(format!(
                "{old} belongs to the statement before this one and will be removed."
            ));
        }
        notes
    }
}

/// A heading with its items, if there are any.
fn list(text: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<_> = items.collect();
    if items.is_empty() {
        return;
    }
    let _ = writeln!(text, "  {title}: {}", items.len());
    for item in items {
        let _ = writeln!(text, "    {item}");
    }
}
