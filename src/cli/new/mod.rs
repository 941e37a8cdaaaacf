//! `countersign new`: files to start from, which check clean as they are.
//!
//! Nothing that stands there is ever overwritten.

mod texts;

use super::args::{NewArgs, NewEntryArgs, NewSiteArgs, NewWhat};
use super::session::{Session, options};
use super::terminal::Stream;
use super::{Failure, Outcome};
use crate::cli::args::TodayArg;
use crate::load::CONFIG_NAME;
use crate::model::entry::Kind;
use crate::model::slug::Slug;
use crate::resolve::fold_name;
use crate::schema;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Starts a site, a term or a lesson.
pub(super) fn run(directory: Option<&Path>, args: &NewArgs) -> Result<Outcome, Failure> {
    let told = match &args.what {
        NewWhat::Site(args) => site(directory, args)?,
        NewWhat::Term(args) => entry(directory, Kind::Term, args)?,
        NewWhat::Lesson(args) => entry(directory, Kind::Lesson, args)?,
    };
    Stream::Output.write(&told);
    Ok(Outcome::Clean)
}

fn site(directory: Option<&Path>, args: &NewSiteArgs) -> Result<String, Failure> {
    let (title, folder) = place(directory, &args.name)?;
    let (title, id) = (title.as_str(), id_of(&title)?);
    let base_url = match &args.base_url {
        Some(url) => crate::parse::config::base_url(url)
            .map_err(|why| Failure::new(format!("--base-url: {why}")))?,
        None => format!("https://example.org/{id}/"),
    };
    let root = folder.unwrap_or_else(|| directory.unwrap_or(Path::new(".")).join(id.as_str()));
    let shown = root.display();
    if is_occupied(&root)? {
        return Err(Failure::new(format!(
            "{shown} is there already and is not empty\n\
             help: choose another name, or name another folder with -C"
        )));
    }
    let mut files = vec![
        (CONFIG_NAME.to_owned(), texts::settings(title, &base_url)),
        (".gitignore".to_owned(), texts::IGNORED.to_owned()),
        (".vscode/settings.json".to_owned(), texts::EDITOR.to_owned()),
        ("content/index.md".to_owned(), texts::home()),
        (
            "content/terms/issue-slot.md".to_owned(),
            texts::EXAMPLE.to_owned(),
        ),
    ];
    let schemas = schema::Kind::ALL.map(|kind| {
        let path = format!("schemas/{}.json", kind.word());
        (path, schema::text(kind))
    });
    files.extend(schemas);
    for (path, text) in &files {
        create(&root.join(path), text)?;
    }
    Ok(format!(
        "made the site {title:?} in {shown}\n\n\
         next:\n  \
           cd {shown}\n  \
           countersign preview               see it, and every change as you save\n  \
           countersign new term \"a word\"     add a term\n  \
           countersign check                 see what is missing or wrong\n\n\
         `base_url` in site.toml is {base_url}: write the address at which the site will stand.\n"
    ))
}

fn entry(directory: Option<&Path>, kind: Kind, args: &NewEntryArgs) -> Result<String, Failure> {
    let name = title(&args.name)?;
    let id = match &args.id {
        Some(id) => Slug::new(id).ok_or_else(|| {
            let near = Slug::from_name(id).map_or_else(String::new, |near| {
                format!("\nhelp: did you mean `{near}`?")
            });
            Failure::new(format!(
                "--id: `{id}` is no id: small letters, digits and single hyphens make one{near}"
            ))
        })?,
        None => id_of(name)?,
    };
    let session = Session::open(directory)?;
    refuse_twin(&session, &id, name)?;
    let folder = format!("content/{}", kind.folder());
    let path = if args.folder {
        format!("{folder}/{id}/index.md")
    } else {
        format!("{folder}/{id}.md")
    };
    if session.root.join(&folder).join(id.as_str()).exists() {
        return Err(Failure::new(format!(
            "there is a folder {folder}/{id} already"
        )));
    }
    let text = match kind {
        Kind::Term => texts::term(name),
        Kind::Lesson => texts::lesson(name),
    };
    create(&session.root.join(&path), &text)?;
    let word = kind.word();
    Ok(format!(
        "made the {word} {name:?} in {path}\n\n\
         next:\n  \
           countersign preview {id}     see it while you write\n  \
           countersign check {id}       see what is missing or wrong\n\n\
         It is a draft until an author and a reviewer stand in its byline.\n"
    ))
}

/// The title of a new site, and its folder where the name is a path: then the last part of it is the
/// title.
fn place(directory: Option<&Path>, name: &str) -> Result<(String, Option<PathBuf>), Failure> {
    let is_path = name.contains(std::path::is_separator) || matches!(name, "." | "..");
    if !is_path {
        return Ok((title(name)?.to_owned(), None));
    }
    let folder = directory.unwrap_or(Path::new(".")).join(name);
    let whole = std::path::absolute(&folder).unwrap_or_else(|_| folder.clone());
    // `.` and `..` are the names of folders that are there.
    let whole = if whole.ends_with("..") || name.ends_with("..") {
        fs::canonicalize(&whole).unwrap_or(whole)
    } else {
        whole
    };
    let last = whole.file_name().and_then(|last| last.to_str());
    let last = last.ok_or_else(|| {
        Failure::new(format!(
            "`{name}` is no folder that a site can be named after"
        ))
    })?;
    Ok((title(last)?.to_owned(), Some(folder)))
}

/// A name without spaces around it; one line that says something.
fn title(name: &str) -> Result<&str, Failure> {
    let name = name.trim();
    if name.chars().any(char::is_control) {
        return Err(Failure::new(
            "a name is one line without control characters",
        ));
    }
    if !name.chars().any(char::is_alphanumeric) {
        return Err(Failure::new(format!(
            "`{name}` is no name: it has no letter and no digit"
        )));
    }
    Ok(name)
}

fn id_of(name: &str) -> Result<Slug, Failure> {
    Slug::from_name(name).ok_or_else(|| {
        Failure::new(format!(
            "no id can be made from `{name}`: it is too long, or has no letter and no digit\n\
             help: give a shorter name, or for an entry an id with --id"
        ))
    })
}

/// Refuses an id or a name that an entry of the site has.
fn refuse_twin(session: &Session, id: &Slug, name: &str) -> Result<(), Failure> {
    let today = TodayArg { today: None };
    let compiled = session.compile(&options(&today, None, None)?);
    let verdicts = &compiled.judgement.verdicts;
    if let Some(twin) = verdicts.iter().find(|verdict| verdict.id == *id) {
        let path = &session.sources.file(twin.file).path;
        return Err(Failure::new(format!(
            "there is an entry `{id}` already: {path}\nhelp: choose another id with --id"
        )));
    }
    let wanted = fold_name(name);
    let twin = compiled.site.entries.iter().find(|entry| {
        let aliases = entry.aliases().iter().map(|alias| alias.value.as_str());
        let mut names = aliases.chain([entry.name()]);
        names.any(|name| fold_name(name) == wanted)
    });
    if let Some(twin) = twin {
        return Err(Failure::new(format!(
            "the entry `{}` has the name {name:?} already, as its own or as an alias",
            twin.id
        )));
    }
    Ok(())
}

/// Whether something stands at a path that must stay.
fn is_occupied(root: &Path) -> Result<bool, Failure> {
    match fs::read_dir(root) {
        Ok(mut entries) => Ok(entries.next().is_some()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Failure::new(format!(
            "cannot look into {}: {error}",
            root.display()
        ))),
    }
}

/// Writes a file that is not there yet.
fn create(path: &Path, text: &str) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::new(format!("cannot make {}: {error}", path.display()));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut file = fs::File::create_new(path).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)
}
