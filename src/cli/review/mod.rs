//! `countersign review`: what has changed in an entry since somebody signed it.

mod html;
mod pictures;

use super::args::{ReviewArgs, ReviewFormat};
use super::history::{self, Past, Signed};
use super::put;
use super::session::{Session, find_entry, options};
use super::terminal::Stream;
use super::{Failure, Outcome};
use crate::compile::{Compiled, Options};
use crate::diagnostic::Diagnostics;
use crate::gate::Digests;
use crate::gate::review::{Review, Version, compare};
use crate::model::byline::Role;
use crate::model::config::RawHtml;
use crate::model::entry::Entry;
use crate::model::statement::Statement;
use crate::parse;
use crate::parse::entry::EntryFile;
use crate::parse::statement::beside;
use crate::resolve::EntryIndex;
use crate::source::{Digest, SourceFile, Sources};
use std::fmt::Write as _;
use std::path::Path;

/// Shows what has changed since the last signed version.
pub(super) fn run(directory: Option<&Path>, args: &ReviewArgs) -> Result<Outcome, Failure> {
    let session = Session::open(directory)?;
    let options = options(&args.today, None, None)?;
    let compiled = session.compile(&options);
    let found = find_entry(&compiled, &args.entry)?;
    let current = found.and_then(|index| Some((index, compiled.verdict(index).digests?)));
    let Some((index, digests)) = current else {
        Stream::Error.write(&format!(
            "error: `{0}` cannot be reviewed: its front matter cannot be read\n\
             help: `countersign check {0}` says why\n",
            args.entry
        ));
        return Ok(Outcome::Findings);
    };
    let table = Table {
        session: &session,
        compiled: &compiled,
        options: &options,
        index,
        digests,
    };
    let (basis, past) = table.basis(args.role.map(super::args::RoleArg::role));
    let review = table.review(past.as_ref());
    let text = match args.format {
        ReviewFormat::Text => table.text(&basis, &review),
        ReviewFormat::Html => html::page(&html::Page {
            entry: table.entry(),
            title: &table.head(),
            basis: &basis,
            review: &review,
            pictures: pictures::beside(&table, past.as_ref(), &review),
        }),
    };
    match &args.out {
        None => Stream::Output.write(&text),
        Some(path) => {
            let failed = |why| Failure::new(format!("cannot write {}: {why}", path.display()));
            let staged = put::stage(path, &text).map_err(failed)?;
            staged.persist(path).map_err(|why| failed(why.error))?;
            Stream::Error.write(&format!("review in {}\n", path.display()));
        }
    }
    Ok(Outcome::Clean)
}

/// An entry laid out beside an earlier version of itself.
struct Table<'a> {
    session: &'a Session,
    compiled: &'a Compiled,
    options: &'a Options,
    index: EntryIndex,
    digests: Digests,
}

impl Table<'_> {
    fn entry(&self) -> &Entry {
        self.compiled.site.entry(self.index)
    }

    fn version(&self) -> Version<'_> {
        Version {
            entry: self.entry(),
            sources: &self.session.sources,
            digests: self.digests,
        }
    }

    /// What the entry is compared with: in words, and the version itself if it could be found.
    fn basis(&self, role: Option<Role>) -> (String, Option<Past>) {
        let roles = match role {
            Some(role) => vec![role],
            None => vec![Role::Reviewer, Role::Author],
        };
        let sources = &self.session.sources;
        let filed: Vec<_> = roles
            .into_iter()
            .map(|role| beside(sources, self.entry().file, role))
            .collect();
        let statements = filed.iter().filter_map(|filed| filed.statement());
        // What no longer holds comes first, then what was signed last.
        let rank = |statement: &Statement| {
            let is_changed = statement.claims.value != self.digests.claims;
            (is_changed, statement.signed_on.value)
        };
        let statements: Vec<_> = statements.collect();
        let Some(latest) = statements.iter().map(|s| rank(s)).max() else {
            let who = role.map_or("nobody", |role| match role {
                Role::Author => "no author",
                Role::Reviewer => "no reviewer",
            });
            return (
                format!("{who} has signed this entry with a statement, so all of it is new"),
                None,
            );
        };
        let statement = statements.into_iter().find(|s| rank(s) == latest);
        statement.map_or_else(|| (String::new(), None), |statement| self.since(statement))
    }

    fn since(&self, statement: &Statement) -> (String, Option<Past>) {
        let signed = Signed {
            claims: statement.claims.value,
            freshness: Some(statement.freshness.value),
        };
        let who = format!(
            "signed by {} ({}) on {} as {}",
            statement.person.value,
            statement.role.value.word(),
            statement.signed_on.value,
            statement.claims.value.short()
        );
        match history::find(self.session, self.entry(), signed, self.options) {
            Ok(past) => (format!("{who}, {}", past.name()), Some(past)),
            Err(why) => (
                format!(
                    "{who}; that version cannot be shown, so all of it stands here as new: {why}"
                ),
                None,
            ),
        }
    }

    /// All that changed since the version; everything, where there is none.
    fn review(&self, past: Option<&Past>) -> Review {
        if let Some(old) = past.and_then(Past::version) {
            return compare(&old, &self.version());
        }
        let mut nothing = Sources::new();
        let path = &self.session.sources.file(self.entry().file).path;
        let text = "---\ntitle:\n---\n";
        let file = nothing.add(SourceFile::new(path.as_ref(), text, Digest::of(text)));
        let at = EntryFile {
            id: self.entry().id.clone(),
            kind: self.entry().kind(),
            file,
        };
        let mut unreported = Diagnostics::new();
        let read = parse::entry::read(&nothing, &at, RawHtml::Sanitize, &mut unreported);
        read.map_or_else(Review::default, |entry| {
            let old = Version {
                entry: &entry,
                sources: &nothing,
                digests: self.digests,
            };
            compare(&old, &self.version())
        })
    }

    /// What is reviewed.
    fn head(&self) -> String {
        let entry = self.entry();
        let kind = entry.kind().word();
        let now = self.digests.claims.short();
        format!("{} ({kind} `{}`, now {now})", entry.title.value, entry.id)
    }

    fn text(&self, basis: &str, review: &Review) -> String {
        let mut text = String::new();
        let _ = write!(text, "{}\n{basis}\n\n{review}", self.head());
        text
    }
}
