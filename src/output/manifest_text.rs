//! A manifest as it stands in its file, for a build that changes a few of tens of thousands of lines.

use super::EntryDigests;
use super::OutputPath;
use super::sorted::{Sorted, lines};
use crate::source::Digest;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// What stands before the files of a release.
const HEAD: &str = "{\n  \"version\": 1,\n  \"files\": {\n";

/// What stands between files and entries.
const MIDDLE: &str = "  },\n  \"entries\": {";

/// What stands after entries, and where there are none.
const TAIL: &str = "\n  }\n}\n";
const EMPTY_TAIL: &str = "}\n}\n";

/// What an item of either list begins with.
const INDENT: &str = "    \"";

/// The text of a release's manifest that has files: the very bytes that
/// [`super::Manifest::write_to`] writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestText {
    text: String,
    files: Range<usize>,
    entries: Range<usize>,
}

impl ManifestText {
    /// Takes a text apart. `None` for one that has another form, or is of an output with drafts.
    pub fn new(text: String) -> Option<Self> {
        let middle = memchr::memmem::find(text.as_bytes(), MIDDLE.as_bytes())?;
        let files = HEAD.len()..middle;
        let after = middle + MIDDLE.len();
        let entries = if text[after..] == *EMPTY_TAIL {
            after..after
        } else {
            let end = text.strip_suffix(TAIL)?.len();
            // With the newlines before the first and after the last.
            after + 1..end + 1
        };
        let is_whole = text.starts_with(HEAD)
            && text.get(files.clone())?.ends_with("\"\n")
            && text
                .get(entries.clone())?
                .starts_with(if entries.is_empty() { "" } else { INDENT });
        is_whole.then_some(Self {
            text,
            files,
            entries,
        })
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The digest that the manifest has for a file.
    pub fn digest_of(&self, path: &OutputPath) -> Option<Digest> {
        let line = self.files().get(path.as_str())?;
        let (_, rest) = line.split_once("\": \"")?;
        Digest::parse(
            rest.trim_end_matches(",\n")
                .trim_end_matches('\n')
                .strip_suffix('"')?,
        )
    }

    /// The paths of all files, in their order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        lines(&self.text[self.files.clone()]).map(key)
    }

    /// The manifest with other files and entries: new or changed ones, or none in their place.
    #[must_use]
    pub fn patched(
        &self,
        files: &BTreeMap<OutputPath, Option<Digest>>,
        entries: &BTreeMap<Arc<str>, Option<EntryDigests>>,
    ) -> String {
        let mut out = String::with_capacity(self.text.len() + (files.len() + entries.len()) * 256);
        out.push_str(&HEAD[..HEAD.len() - 1]);
        let changes = files.iter().map(|(path, digest)| {
            let item = digest
                .map(|digest| format!("{INDENT}{path}\": \"{digest}\",\n", path = path.as_str()));
            (path.as_str(), item)
        });
        patch(&mut out, &self.files(), changes);
        out.push_str(&MIDDLE["  }".len()..]);
        let changes = entries
            .iter()
            .map(|(id, digests)| (&**id, digests.map(|digests| entry(id, &digests))));
        patch(&mut out, &self.entries(), changes);
        out.push_str("\n}\n");
        out
    }

    fn files(&self) -> Sorted<'_> {
        Sorted {
            text: &self.text[self.files.clone()],
            begins: |_| true,
            key,
        }
    }

    fn entries(&self) -> Sorted<'_> {
        Sorted {
            text: &self.text[self.entries.clone()],
            begins: |text| text.starts_with(INDENT),
            key,
        }
    }
}

/// The key of an item. No path and no id holds what JSON would escape.
fn key(item: &str) -> &str {
    let text = item.strip_prefix(INDENT).unwrap_or_default();
    let end = memchr::memchr(b'"', text.as_bytes());
    &text[..end.unwrap_or(text.len())]
}

fn entry(id: &str, digests: &EntryDigests) -> String {
    let EntryDigests { claims, freshness } = digests;
    format!(
        "{INDENT}{id}\": {{\n      \"claims\": \"{claims}\",\n      \"freshness\": \"{freshness}\"\n    }},\n"
    )
}

/// Adds a map whose opening brace stands already: its changed items with a comma after each but the
/// last, and its closing brace.
fn patch<'k>(
    out: &mut String,
    items: &Sorted,
    changes: impl Iterator<Item = (&'k str, Option<String>)>,
) {
    out.push('\n');
    let begin = out.len();
    items.patch(out, changes, |out, begin| {
        // What was the last item has no comma yet.
        if out.len() > begin && !out.ends_with(",\n") {
            out.insert(out.len() - 1, ',');
        }
    });
    if out.len() == begin {
        out.truncate(begin - 1);
        out.push('}');
        return;
    }
    if out.ends_with(",\n") {
        out.truncate(out.len() - ",\n".len());
        out.push('\n');
    }
    out.push_str("  }");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Contents, Manifest};

    fn digests(of: usize) -> EntryDigests {
        EntryDigests {
            claims: Digest::of(of.to_string()),
            freshness: Digest::of(format!("{of} fresh")),
        }
    }

    fn text(manifest: &Manifest) -> String {
        let mut json = Vec::new();
        manifest.write_to(&mut json).unwrap();
        String::from_utf8(json).unwrap()
    }

    /// A manifest with the files and entries whose numbers have a bit in `present`.
    fn manifest(present: u32, version: usize) -> Manifest {
        let names = ["404.html", "a b/c", "a-b/c", "a.txt", "a/b", "\u{e9}/x"];
        let ids = ["a", "a-b", "b"];
        let is_there = |number: usize| present >> number & 1 == 1;
        let files = names
            .iter()
            .enumerate()
            .filter(|(number, _)| is_there(*number));
        let entries = ids
            .iter()
            .enumerate()
            .filter(|(number, _)| is_there(number + names.len()));
        Manifest {
            contents: Contents::Published,
            files: files
                .map(|(number, name)| {
                    let digest = Digest::of(format!("{number} {}", version * (number % 2)));
                    (OutputPath::new(name).unwrap(), digest)
                })
                .collect(),
            entries: entries
                .map(|(number, id)| ((*id).into(), digests(number + version * (number % 2))))
                .collect(),
        }
    }

    /// What changes one map into another.
    fn changes<K: Ord + Clone, V: PartialEq + Copy>(
        old: &BTreeMap<K, V>,
        new: &BTreeMap<K, V>,
    ) -> BTreeMap<K, Option<V>> {
        let gone = old.keys().filter(|key| !new.contains_key(*key));
        let put = new
            .iter()
            .filter(|(key, value)| old.get(*key) != Some(*value));
        let put = put.map(|(key, value)| (key.clone(), Some(*value)));
        gone.map(|key| (key.clone(), None)).chain(put).collect()
    }

    #[test]
    fn a_changed_text_is_what_the_changed_manifest_writes() {
        for before in 0..512 {
            let old = manifest(before, 0);
            let Some(old_text) = ManifestText::new(text(&old)) else {
                assert!(old.files.is_empty());
                continue;
            };
            let paths: Vec<_> = old.files.keys().map(OutputPath::as_str).collect();
            assert!(old_text.paths().eq(paths));
            for (path, digest) in &manifest(511, 0).files {
                let known = old.files.contains_key(path).then_some(*digest);
                assert_eq!(old_text.digest_of(path), known);
            }
            // Every neighbour in one step, and many others.
            for after in (0..9)
                .map(|bit| before ^ 1 << bit)
                .chain([0, 511, before, 341, 170])
            {
                let new = manifest(after, 1);
                let patched = old_text.patched(
                    &changes(&old.files, &new.files),
                    &changes(&old.entries, &new.entries),
                );
                assert_eq!(patched, text(&new), "{before} to {after}");
            }
        }
    }

    #[test]
    fn other_texts_are_not_taken_apart() {
        let own = text(&manifest(511, 0));
        assert!(ManifestText::new(own.clone()).is_some());
        let drafts = Manifest {
            contents: Contents::WithDrafts,
            ..manifest(511, 0)
        };
        let other = [
            text(&drafts),
            own.replace("  \"version", "\"version"),
            own.replace("\n  }\n}\n", "\n}}\n"),
            own.replace("\n    \"a\": {", " \"a\": {"),
            own[..own.len() - 1].to_owned(),
            "{}".to_owned(),
            String::new(),
        ];
        for other in other {
            assert_eq!(ManifestText::new(other), None);
        }
    }
}
