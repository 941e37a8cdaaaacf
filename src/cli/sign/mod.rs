//! `countersign sign`.

mod key;
mod summary;

use crate::assemble::dry_run;
use crate::check;
use crate::cli::args::SignArgs;
use crate::cli::put;
use crate::cli::session::{Session, find_entry, options};
use crate::cli::terminal::{self, Stream};
use crate::cli::{Failure, Outcome};
use crate::compile::{Compiled, Options};
use crate::diagnostic::{Diagnostics, RuleId, Severity, human, rule};
use crate::gate::sign::{Composed, Refusal, compose, seal};
use crate::gate::signature::SigningKey;
use crate::gate::{self, Dossier, EntryState, Policy, Soundness};
use crate::model::byline::Role;
use crate::model::entry::Entry;
use crate::render::Templates;
use crate::resolve::EntryIndex;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

/// What a new statement puts right: findings that must not keep anybody from signing.
const CURED: [RuleId; 3] = [
    rule::MISSING_STATEMENT,
    rule::STALE_SIGNOFF,
    rule::BAD_SIGNATURE,
];

/// Shows what will be signed, asks where somebody can be asked, and writes the statement.
pub(super) fn run(directory: Option<&Path>, args: &SignArgs) -> Result<Outcome, Failure> {
    let session = Session::open(directory)?;
    let options = options(&args.today, None, None)?;
    let compiled = session.compile(&options);
    let Some(index) = find_entry(&compiled, &args.entry)? else {
        return Ok(refuse(
            "its front matter cannot be read, so nobody can say what it claims",
        ));
    };
    let desk = Desk {
        session: &session,
        compiled: &compiled,
        options: &options,
        index,
        role: args.role.role(),
    };
    let faults = desk.faults();
    if !faults.is_empty() {
        let text = human::render(&faults, &session.sources, Stream::Error.colour());
        Stream::Error.write(&text);
        let count = faults.len();
        let errors = if count == 1 { "error" } else { "errors" };
        return Ok(refuse(&format!("`{}` has {count} {errors}", args.entry)));
    }
    let key = args.key.as_deref().map(key::open).transpose();
    let key = match key {
        Ok(key) => key,
        Err(key::KeyProblem::Fault(fault)) => return Ok(refuse(&fault)),
        Err(key::KeyProblem::File(failure)) => return Err(failure),
    };
    let made = match desk.make(&args.person, key.as_ref()) {
        Ok(made) => made,
        Err(refusal) => return Ok(refuse(&refusal.to_string())),
    };
    Stream::Output.write(&desk.summary(&made));
    if !args.yes && terminal::can_ask() && !terminal::ask("Sign this?") {
        Stream::Error.write("nothing was signed\n");
        return Ok(Outcome::Clean);
    }
    let lacks_seal = desk.lacks_seal(&made);
    let verb = if lacks_seal {
        "written, not signed"
    } else {
        "signed"
    };
    let written = write(&session.root, &made, verb).map_err(Failure::new)?;
    Stream::Output.write(&written);
    if lacks_seal {
        Stream::Output.write(&desk.still_to_sign(&made));
    } else {
        Stream::Output.write(&standing(directory, &options, &args.entry)?);
    }
    Ok(Outcome::Clean)
}

/// Says why nothing is signed.
fn refuse(why: &str) -> Outcome {
    Stream::Error.write(&format!("error: nothing was signed: {why}\n"));
    Outcome::Findings
}

/// An entry on the desk of the person who signs it.
struct Desk<'a> {
    session: &'a Session,
    compiled: &'a Compiled,
    options: &'a Options,
    index: EntryIndex,
    role: Role,
}

/// A statement with its signature, ready to be written.
struct Made {
    statement: Composed,
    seal: Option<String>,
}

impl Desk<'_> {
    fn entry(&self) -> &Entry {
        self.compiled.site.entry(self.index)
    }

    /// Errors of the entry and of the files that it is made from, those apart that a new
    /// statement puts right.
    fn faults(&self) -> Diagnostics {
        let sources = &self.session.sources;
        let mut findings = self.compiled.findings.clone();
        if let Some(templates) = Templates::new(sources, &mut findings) {
            findings.append(dry_run(self.compiled, sources, &templates));
        }
        check::apply_severities(&self.compiled.site.config, &mut findings);
        let files = gate::files_of(self.entry(), sources);
        let id = self.entry().id.as_str();
        let statements = [Role::Author, Role::Reviewer].map(|role| {
            let own = &sources.file(self.entry().file).path;
            sources.find(&crate::model::statement::path(own, role))
        });
        let people = sources.find("content/people.yaml");
        findings.retain(|finding| {
            let file = finding.span.file;
            let cured = CURED.contains(&finding.rule) || statements.contains(&Some(file));
            let concerns = match finding.entry {
                Some(_) => finding.concerns(id),
                None => files.contains(&file) || Some(file) == people,
            };
            finding.severity == Severity::Error && concerns && !cured
        });
        check::sort(sources, &mut findings);
        findings
    }

    /// Composes the statement and signs it with the key.
    fn make(&self, person: &str, key: Option<&SigningKey>) -> Result<Made, Refusal> {
        let site = &self.compiled.site;
        let policy = Policy {
            sources: &self.session.sources,
            config: &site.config,
            people: &site.people,
            today: self.options.today,
        };
        let digests = self.compiled.verdict(self.index).digests;
        let unreadable = || Refusal::Unknown(person.to_owned());
        let dossier = Dossier {
            entry: self.entry(),
            digests: digests.ok_or_else(unreadable)?,
            soundness: Soundness::Sound,
        };
        let statement = compose(&policy, &dossier, self.role, person)?;
        let seal = key.map(|key| seal(&policy, &statement, key)).transpose()?;
        Ok(Made { statement, seal })
    }
}

/// Writes the statement and its signature; says what was written, after what was done with it.
fn write(root: &Path, made: &Made, verb: &str) -> io::Result<String> {
    let statement = root.join(&made.statement.path);
    let signature = root.join(format!("{}.sig", made.statement.path));
    let staged = put::stage(&statement, &made.statement.text)?;
    let sealed = match &made.seal {
        Some(seal) => Some(put::stage(&signature, seal)?),
        None => None,
    };
    // A signature of the statement before would not hold for this one.
    match fs::remove_file(&signature) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    staged.persist(&statement)?;
    let mut text = format!("{verb}: {}\n", made.statement.path);
    if let Some(sealed) = sealed {
        sealed.persist(&signature)?;
        let indent = " ".repeat(verb.len() + 2);
        let _ = writeln!(text, "{indent}{}.sig", made.statement.path);
    }
    Ok(text)
}

/// Where the entry stands now, by reading the site again.
fn standing(directory: Option<&Path>, options: &Options, id: &str) -> Result<String, Failure> {
    let compiled = Session::open(directory)?.compile(options);
    let verdicts = &compiled.judgement.verdicts;
    let Some(verdict) = verdicts.iter().find(|verdict| verdict.id.as_str() == id) else {
        return Ok(String::new());
    };
    let waits: Vec<_> = verdict.waits_for.iter().map(|role| role.word()).collect();
    Ok(match (verdict.state, waits.as_slice()) {
        (EntryState::Published, _) => format!("`{id}` can be published. Commit the statement.\n"),
        (state, []) => format!(
            "`{id}` is {}: `countersign check {id}` says why.\n",
            state.word()
        ),
        (state, waits) => format!(
            "`{id}` is {}; it waits for its {}. Commit the statement.\n",
            state.word(),
            waits.join(" and its ")
        ),
    })
}
