//! Who writes to which address, and that no two write to one.

use super::{MANIFEST_NAME, OutputPath};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::source::{Sources, Span};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The folder whose files are copied as they are, with its slash.
pub const STATIC_PREFIX: &str = "static/";

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
    pub fn of_static(sources: &Sources, findings: &mut Diagnostics) -> Self {
        let mut addresses = Self::new();
        for (path, file) in sources.binaries() {
            let Some(address) = path.strip_prefix(STATIC_PREFIX) else {
                continue;
            };
            let span = Span::file(file.file);
            match OutputPath::new(address) {
                Ok(address) => {
                    let origin = Origin::new(format!("`{path}`"), span);
                    addresses.claim(address, origin, findings);
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
        if folded == MANIFEST_NAME {
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
    Diagnostic::new(
        rule::OUTPUT_COLLISION,
        origin.span,
        format!("{} would be written to `{path}`, which the build writes itself", origin.what),
    )
    .note(format!(
        "`{MANIFEST_NAME}` lists the files of a release, so that the next build knows which are its own."
    ))
    .help("Give the file another name.")
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
    use crate::source::FileId;

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
        let addresses = Addresses::of_static(&sources, &mut findings);
        let rules: Vec<_> = findings.iter().map(|finding| finding.rule.name).collect();
        assert_eq!(rules, ["unsafe-path", "output-collision"]);
        assert_eq!(addresses.iter().count(), 1);
    }
}
