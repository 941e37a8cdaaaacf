//! Files of `content` that nothing is made of.
//!
//! What is left out without a word is missed late or never: a registry under another name would let
//! anybody sign, and an entry whose folder has no `index.md` has no page. Only paths are looked at.

use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::byline::Role;
use crate::source::{FileId, Sources, Span};
use std::collections::BTreeSet;

/// Folders of `content` that something is made of.
const FOLDERS: [&str; 5] = ["terms", "lessons", "presets", "captures", "pages"];

/// Reports every file of `content` that nothing is made of.
pub(super) fn find(sources: &Sources, out: &mut Diagnostics) {
    let mut told = BTreeSet::new();
    for (file, source) in sources.below("content/") {
        let inner = &source.path["content/".len()..];
        let (folder, rest) = match inner.split_once('/') {
            Some((folder, rest)) => (folder, Some(rest)),
            None => (inner, None),
        };
        match rest {
            None if matches!(inner, "index.md" | "people.yaml") => {}
            None => out.push(outside(inner, file)),
            Some(_) if !FOLDERS.contains(&folder) => {
                let near = nearest(folder, FOLDERS);
                out.push(nothing_made(file).help(near.map_or_else(
                    || ELSEWHERE.to_owned(),
                    |near| format!("Did you mean the folder `content/{near}`?"),
                )));
            }
            Some(rest) if ["terms", "lessons"].contains(&folder) => {
                if let Some(statement) = Statement::named(&source.path) {
                    out.extend(statement.orphan(sources, file));
                } else {
                    out.extend(of_no_entry((folder, rest), sources, file, &mut told));
                }
            }
            Some(rest) => out.extend(of_other_kind(folder, rest, file)),
        }
    }
}

const ELSEWHERE: &str = "Move it to where it belongs, or take it out of `content`.";

fn nothing_made(file: FileId) -> Diagnostic {
    let message = "nothing is made of this file";
    Diagnostic::new(rule::LOST_TEXT, Span::file(file), message)
}

/// A finding if a file among presets, captures or plain pages is none.
fn of_other_kind(folder: &str, rest: &str, file: FileId) -> Option<Diagnostic> {
    let (endings, place): (&[&str], _) = match folder {
        "presets" => (&["toml"], "A preset is `content/presets/NAME.toml`."),
        "captures" => (
            &["json", "csv"],
            "Captures are read from `.json` and `.csv` files.",
        ),
        "pages" if !rest.contains('/') => (
            &["md"],
            "A page is `content/pages/ID.md` or `content/pages/ID/index.md`, with files beside it.",
        ),
        _ => return None,
    };
    let own = ending(rest).unwrap_or_default();
    if endings.contains(&own) {
        return None;
    }
    let lower = own.to_ascii_lowercase();
    let help = if endings.contains(&lower.as_str()) {
        format!("Write its ending in small letters: `.{lower}`.")
    } else {
        ELSEWHERE.to_owned()
    };
    Some(nothing_made(file).note(place).help(help))
}

/// A file directly in `content`.
fn outside(name: &str, file: FileId) -> Diagnostic {
    if name.to_lowercase().split('.').next() != Some("people") {
        return nothing_made(file).help(ELSEWHERE);
    }
    Diagnostic::new(
        rule::BAD_PEOPLE,
        Span::file(file),
        format!("`{name}` is not read as the people registry"),
    )
    .note("Without its registry a site takes every name for a person.")
    .help("Rename it to `people.yaml`.")
}

/// The ending of a file's name.
fn ending(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    name.rsplit_once('.').map(|(_, ending)| ending)
}

/// A finding if a file among the entries is no entry, no data, and stands beside no entry; of one folder
/// the first such file is told.
fn of_no_entry<'a>(
    (kind, rest): (&'a str, &'a str),
    sources: &Sources,
    file: FileId,
    told: &mut BTreeSet<(&'a str, &'a str)>,
) -> Option<Diagnostic> {
    // Other texts have a finding where entries are looked for; any entry can name a table of data.
    if matches!(ending(rest), Some("md" | "json" | "csv")) {
        return None;
    }
    let note = format!(
        "An entry is `content/{kind}/ID.md`, or `content/{kind}/ID/index.md` with files beside it."
    );
    let Some((id, _)) = rest.split_once('/') else {
        return Some(nothing_made(file).note(note).help(ELSEWHERE));
    };
    let has = |end: &str| sources.find(&format!("content/{kind}/{id}{end}")).is_some();
    if has("/index.md") || has(".md") || !told.insert((kind, id)) {
        return None;
    }
    let message =
        format!("nothing is made of the folder `content/{kind}/{id}`: it has no `index.md`");
    let finding = Diagnostic::new(rule::LOST_TEXT, Span::file(file), message).note(note);
    Some(match id.strip_suffix(".md") {
        Some(stem) => finding.help(format!(
            "Rename the folder to `{stem}` and put the text into its `index.md`, or make it a file."
        )),
        None => finding.help(format!(
            "Write `content/{kind}/{id}/index.md`, or take the folder out of `content`."
        )),
    })
}

/// A file with the name of a statement or of a statement's signature.
struct Statement<'a> {
    /// The statement.
    path: &'a str,
    /// The role that it is of.
    role: Role,
    /// What stands before the role.
    stem: &'a str,
    is_signature: bool,
}

impl<'a> Statement<'a> {
    fn named(path: &'a str) -> Option<Self> {
        let statement = path.strip_suffix(".sig").unwrap_or(path);
        [Role::Author, Role::Reviewer].into_iter().find_map(|role| {
            let stem = statement.strip_suffix(&format!("{}.toml", role.word()))?;
            stem.ends_with(['.', '/']).then_some(Self {
                path: statement,
                role,
                stem,
                is_signature: path.len() > statement.len(),
            })
        })
    }

    /// A finding if nothing stands beside it that it could be of.
    fn orphan(&self, sources: &Sources, file: FileId) -> Option<Diagnostic> {
        let entry = match self.stem.strip_suffix('.') {
            Some(stem) => format!("{stem}.md"),
            None => format!("{}index.md", self.stem),
        };
        let (what, missing) = if self.is_signature {
            ("signature", self.path.to_owned())
        } else {
            ("statement", entry)
        };
        if sources.find(&missing).is_some() {
            return None;
        }
        let message = format!("this {what} is of nothing: there is no `{missing}`");
        Some(
            Diagnostic::new(rule::LOST_TEXT, Span::file(file), message)
                .note("Statements move with their entry, and are signed again when its id changes.")
                .help(self.place_in_folder(sources).map_or_else(
                    || "Delete the file, or bring back what it belongs to.".to_owned(),
                    |place| {
                        format!("Move it to `{place}`, where it is read: the entry is a folder.")
                    },
                )),
        )
    }

    /// Where it would be read, if its entry is a folder that has no statement of this role.
    fn place_in_folder(&self, sources: &Sources) -> Option<String> {
        let folder = self.stem.strip_suffix('.')?;
        sources.find(&format!("{folder}/index.md"))?;
        let place = format!("{folder}/{}.toml", self.role.word());
        (!self.is_signature && sources.find(&place).is_none()).then_some(place)
    }
}
