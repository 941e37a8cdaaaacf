//! Who writes to which address, and that no two write to one.

use super::{MANIFEST_NAME, OutputPath, reserved};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::source::{Sources, Span};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The folder whose files are copied as they are, with its slash.
pub const STATIC_PREFIX: &str = "static/";

/// Path in the release of a file that is copied: from `static`, or beside an entry or page.
pub(crate) fn released(path: &str) -> Option<String> {
    if let Some(rest) = path.strip_prefix(STATIC_PREFIX) {
        return Some(rest.to_owned());
    }
    let rest = path.strip_prefix("content/")?;
    let kept = ["terms/", "lessons/", "pages/"]
        .iter()
        .find_map(|folder| rest.strip_prefix(folder).map(|inner| (folder, inner)))?;
    let (folder, inner) = kept;
    inner.contains('/').then(|| match *folder {
        "pages/" => inner.to_owned(),
        folder => format!("{folder}{inner}"),
    })
}

/// What a file of the output comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// In words that fit "… is written to": "the page of `warp`", "`static/logo.svg`".
    pub what: Cow<'static, str>,
    /// Where an author can change it.
    pub span: Span,
}

impl Origin {
    /// Something at a place.
    pub fn new(what: impl Into<Cow<'static, str>>, span: Span) -> Self {
        Self {
            what: what.into(),
            span,
        }
    }
}

/// The addresses of an output. Two that differ only by case or normal form are one, since they
/// are one file on some disk; and no address is both a file and a folder.
#[derive(Debug, Clone, Default)]
pub struct Addresses {
    /// By the folded path.
    claimed: BTreeMap<String, (OutputPath, Origin)>,
}

impl Addresses {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The addresses of the copied files, with a finding for each that cannot be one or that
    /// collides with another. Every output starts from these.
    pub fn of_copied(sources: &Sources, findings: &mut Diagnostics) -> Self {
        let mut addresses = Self::new();
        for (path, file) in sources.binaries() {
            let Some(address) = released(path) else {
                continue;
            };
            let span = Span::file(file.file);
            match OutputPath::new(&address) {
                Ok(address) => {
                    let origin = Origin::new(format!("`{path}`"), span);
                    if reserved::is_made_by_a_build(&address.folded(), sources) {
                        findings.push(taken_by_the_build(&address, &origin));
                    } else if let Some(folder) = reserved::folder_in_other_letters(&address) {
                        findings.push(other_letters(&address, &origin, folder));
                    } else {
                        addresses.claim(address, origin, findings);
                    }
                }
                Err(fault) => findings.push(
                    Diagnostic::new(
                        rule::UNSAFE_PATH,
                        span,
                        format!("`{path}` cannot be an address of the release: {fault}"),
                    )
                    .help("Rename the file."),
                ),
            }
        }
        addresses
    }

    /// Takes an address, or reports who has it already.
    pub fn claim(&mut self, path: OutputPath, origin: Origin, findings: &mut Diagnostics) {
        let folded = path.folded();
        let after = folded.strip_prefix(MANIFEST_NAME);
        if after.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
            findings.push(reserved(&path, &origin));
        } else if let Some((other, before)) = self.other(&folded) {
            findings.push(collision((&path, &origin), (other, before)));
        } else {
            self.claimed.insert(folded, (path, origin));
        }
    }

    /// Every address with its origin, in an order that does not depend on that of the claims.
    pub fn iter(&self) -> impl Iterator<Item = &(OutputPath, Origin)> {
        self.claimed.values()
    }

    /// Whether something is written to this very address.
    pub fn contains(&self, path: &OutputPath) -> bool {
        self.claimed
            .get(&path.folded())
            .is_some_and(|(claimed, _)| claimed == path)
    }

    /// The claim that stands in the way: the same file, a file where a folder is needed, or a
    /// folder where the file would be.
    fn other(&self, folded: &str) -> Option<&(OutputPath, Origin)> {
        let ancestors = folded.match_indices('/').map(|(at, _)| &folded[..at]);
        if let Some(other) = ancestors
            .chain([folded])
            .find_map(|path| self.claimed.get(path))
        {
            return Some(other);
        }
        let below = format!("{folded}/");
        let (path, other) = self.claimed.range(below.clone()..).next()?;
        path.starts_with(&below).then_some(other)
    }
}

fn reserved(path: &OutputPath, origin: &Origin) -> Diagnostic {
    written_by_the_build(path, origin)
        .note(format!(
        "`{MANIFEST_NAME}` lists the files of a release, so that the next build knows which are its own."
    ))
    .help("Give the file another name.")
}

fn written_by_the_build(path: &OutputPath, origin: &Origin) -> Diagnostic {
    Diagnostic::new(
        rule::OUTPUT_COLLISION,
        origin.span,
        format!(
            "{} would be written to `{path}`, which the build writes itself",
            origin.what
        ),
    )
}

fn taken_by_the_build(path: &OutputPath, origin: &Origin) -> Diagnostic {
    if reserved::is_folder_of_a_build(&path.folded()) {
        return Diagnostic::new(
            rule::OUTPUT_COLLISION,
            origin.span,
            format!(
                "{} would be written to `{path}`, where the build makes a folder",
                origin.what
            ),
        )
        .note("No disk can hold both.")
        .help("Give the file another name.");
    }
    written_by_the_build(path, origin)
        .note("One would overwrite the other without a word.")
        .help("Give the file another name. What the build writes there is changed by a template, by site.toml or by the entries.")
}

fn other_letters(path: &OutputPath, origin: &Origin, folder: &str) -> Diagnostic {
    Diagnostic::new(
        rule::OUTPUT_COLLISION,
        origin.span,
        format!(
            "{} would be written to `{path}`, in a folder that differs from `{folder}/` only in case or normal form",
            origin.what
        ),
    )
    .note("On a disk that ignores case or normal form, the two folders would be one.")
    .help(format!("Spell the folder `{folder}`, or give it another name."))
}

fn collision(
    (path, origin): (&OutputPath, &Origin),
    (other, before): (&OutputPath, &Origin),
) -> Diagnostic {
    let (message, note) = if path == other {
        let message = format!(
            "{} and {} would both be written to `{path}`",
            before.what, origin.what
        );
        (message, "One would overwrite the other without a word.")
    } else if path.folded() == other.folded() {
        let message = format!(
            "{} and {} would be written to addresses that differ only in case or normal form: `{other}` and `{path}`",
            before.what, origin.what
        );
        (
            message,
            "On a disk that ignores case or normal form, one would overwrite the other.",
        )
    } else {
        let message = format!(
            "{} would be written to `{other}` and {} to `{path}`, so one address would be both a file and a folder",
            before.what, origin.what
        );
        (message, "No disk can hold both.")
    };
    Diagnostic::new(rule::OUTPUT_COLLISION, origin.span, message)
        .related(
            before.span,
            format!("{} is written to `{other}`", before.what),
        )
        .note(note)
        .help("Rename one of the two.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::RuleId;
    use crate::source::{Digest, FileId, SourceFile};

    fn claim_all(paths: &[&str]) -> Diagnostics {
        let mut findings = Diagnostics::new();
        let mut addresses = Addresses::new();
        for (index, path) in paths.iter().enumerate() {
            let origin = Origin::new(format!("thing {index}"), Span::file(FileId::new(index)));
            addresses.claim(OutputPath::new(path).unwrap(), origin, &mut findings);
        }
        findings
    }

    #[test]
    fn different_addresses_do_not_collide() {
        assert!(claim_all(&["a", "a-b", "b/a", "b/c", "a.b", "b-c/d"]).is_empty());
    }

    #[test]
    fn one_address_for_two_is_a_finding_that_names_both() {
        for pair in [
            ["x.txt", "x.txt"],
            ["Figure.txt", "figure.txt"],
            ["caf\u{e9}", "cafe\u{301}"],
            ["a", "A/b"],
            ["a/b/c", "a/b"],
        ] {
            let findings = claim_all(&pair);
            assert_eq!(findings.len(), 1, "{pair:?}");
            let finding = findings.iter().next().unwrap();
            assert_eq!(finding.rule, rule::OUTPUT_COLLISION);
            assert!(finding.message.contains("thing 0") && finding.message.contains("thing 1"));
            assert_eq!(finding.related.len(), 1);
        }
    }

    #[test]
    fn the_manifest_is_the_builds_own() {
        assert_eq!(claim_all(&["Manifest.json"]).len(), 1);
        assert!(claim_all(&["a/manifest.json"]).is_empty());
    }

    #[test]
    fn copied_files_are_checked() {
        let mut sources = Sources::new();
        for path in [
            "static/Figure.txt",
            "static/figure.txt",
            "static/a?b",
            "content/terms/x/y.png",
        ] {
            sources.add_binary(path, &b"x"[..]);
        }
        let mut findings = Diagnostics::new();
        let addresses = Addresses::of_copied(&sources, &mut findings);
        let rules: Vec<_> = findings.iter().map(|finding| finding.rule.name).collect();
        assert_eq!(rules, ["unsafe-path", "output-collision"]);
        assert_eq!(addresses.iter().count(), 2);
    }

    #[test]
    fn no_copied_file_stands_where_a_build_writes() {
        let collide = |paths: &[&str]| {
            let mut sources = Sources::new();
            for path in [
                "content/terms/warp.md",
                "content/lessons/loom/index.md",
                "content/pages/about.md",
            ] {
                sources.add(SourceFile::new(path, "", Digest::of("")));
            }
            for path in paths {
                sources.add_binary(*path, &b"x"[..]);
            }
            let mut findings = Diagnostics::new();
            let _ = Addresses::of_copied(&sources, &mut findings);
            let is_collision = |rule: RuleId| rule == rule::OUTPUT_COLLISION;
            findings.iter().filter(|f| is_collision(f.rule)).count()
        };
        for path in [
            "static/index.html",
            "static/Feed.xml",
            "static/feed.xml/x",
            "static/404.html",
            "static/terms",
            "static/terms/index.md",
            "static/card.png",
            "static/search/titles.json",
            "static/diagrams/warp/tw.svg",
            "static/diagrams/loom",
            "static/css",
            "static/JS/own.js",
            "static/terms/warp/t4.json",
            "static/terms/warp/card.png",
            "static/about/index.md",
            "content/lessons/loom/card.png",
            "static/Terms/x",
        ] {
            assert_eq!(collide(&[path]), 1, "{path}");
        }
        for path in [
            "static/CNAME",
            "static/search/search.js",
            "static/css/site.css",
            "static/favicon.svg",
            "static/diagrams/own.svg",
            "static/diagrams/own/one.svg",
            "static/terms/warp/photo.png",
            "static/terms/other/card.png",
            "content/lessons/loom/photo.png",
        ] {
            assert_eq!(collide(&[path]), 0, "{path}");
        }
        let twice = ["static/lessons/loom/a.png", "content/lessons/loom/a.png"];
        assert_eq!(collide(&twice), 1);
    }
}
