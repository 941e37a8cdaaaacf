//! The record of pages as it stands in the cache, for a build that makes a few of ten thousand again.

use super::pages::{self, BETWEEN};
use crate::output::{MadeFrom, OutputPath};
use crate::source::Digest;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The record of one release's pages, a line for each in the order of their names.
#[derive(Debug)]
pub(super) struct PagesText {
    text: String,
    /// Where the lines begin.
    begin: usize,
}

/// A line taken apart.
struct Page<'t> {
    key: &'t str,
    proof: &'t str,
    name: &'t str,
    /// The files, each after a [`BETWEEN`].
    files: &'t str,
}

impl PagesText {
    /// Takes a record apart. `None` if it is bound to another manifest, or damaged.
    pub(super) fn new(text: String, manifest: &Digest) -> Option<Self> {
        let lines = pages::bound_to(&text, manifest)?;
        let begin = text.len() - lines.len();
        let pages = Self { text, begin };
        pages
            .lines()
            .all(|line| page(line).is_some())
            .then_some(pages)
    }

    /// The files that were made for a page.
    pub(super) fn files_of(&self, name: &str) -> Option<Vec<OutputPath>> {
        let page = self
            .lines()
            .filter_map(page)
            .find(|page| page.name == name)?;
        let files = page.files.split(BETWEEN).skip(1);
        files.map(|path| OutputPath::new(path).ok()).collect()
    }

    /// The lines with other pages: new or changed ones, or none in their place.
    pub(super) fn patched(&self, changes: &BTreeMap<Arc<str>, Option<MadeFrom>>) -> String {
        let mut out = Lines {
            text: String::with_capacity(self.text.len() + changes.len() * 512),
            proof: String::new(),
        };
        let mut changes = changes.iter().peekable();
        let mut proof = "";
        for line in self.lines().filter_map(page) {
            if !line.proof.is_empty() {
                proof = line.proof;
            }
            while let Some((name, from)) = changes.next_if(|(name, _)| &***name < line.name) {
                out.push_made(name, from.as_ref());
            }
            match changes.next_if(|(name, _)| &***name == line.name) {
                Some((name, from)) => out.push_made(name, from.as_ref()),
                None => out.push(&Page { proof, ..line }),
            }
        }
        for (name, from) in changes {
            out.push_made(name, from.as_ref());
        }
        out.text
    }

    /// Whether these are the lines of the record.
    pub(super) fn is_same(&self, lines: &str) -> bool {
        self.text[self.begin..] == *lines
    }

    fn lines(&self) -> std::str::Lines<'_> {
        self.text[self.begin..].lines()
    }
}

/// The lines of a record that is being written.
struct Lines {
    text: String,
    /// What the page before passed, and all before it back to the one that says it.
    proof: String,
}

impl Lines {
    fn push(&mut self, page: &Page) {
        let is_same = self.proof == page.proof;
        let proof = if is_same { "" } else { page.proof };
        for part in [page.key, "\t", proof, "\t", page.name, page.files, "\n"] {
            self.text.push_str(part);
        }
        if !is_same {
            page.proof.clone_into(&mut self.proof);
        }
    }

    fn push_made(&mut self, name: &str, from: Option<&MadeFrom>) {
        let Some(from) = from else { return };
        let mut files = String::new();
        for file in &from.files {
            files.push(BETWEEN);
            files.push_str(file.as_str());
        }
        self.push(&Page {
            key: &from.key.to_string(),
            proof: &from.proof.to_string(),
            name,
            files: &files,
        });
    }
}

fn page(line: &str) -> Option<Page<'_>> {
    let (key, rest) = line.split_once(BETWEEN)?;
    let (proof, rest) = rest.split_once(BETWEEN)?;
    let (name, files) = rest.split_at(rest.find(BETWEEN).unwrap_or(rest.len()));
    Some(Page {
        key,
        proof,
        name,
        files,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::pages::{Pages, bind, to_parts};

    fn from(name: usize, version: usize) -> MadeFrom {
        let files = (0..name % 3).map(|file| OutputPath::new(&format!("{name}/{file} {version}")));
        MadeFrom {
            key: Digest::of(format!("{name} {version}")),
            // Runs of the same proof, and others.
            proof: Digest::of(((name / 2 + version) % 2).to_string()),
            files: files.collect::<Result<_, _>>().unwrap(),
        }
    }

    fn pages(present: usize, version: usize) -> Pages {
        let there = (0..6).filter(|name| present >> name & 1 == 1);
        let page = |name: usize| {
            let version = version * (name % 2);
            (name.to_string().into(), Arc::new(from(name, version)))
        };
        there.map(page).collect()
    }

    #[test]
    fn changed_lines_are_those_of_the_changed_pages() {
        let manifest = Digest::of("manifest");
        for before in 0..64 {
            let old = pages(before, 0);
            let lines: String = to_parts(&old, &manifest).collect();
            assert!(PagesText::new(lines.clone(), &Digest::of("other")).is_none());
            let text = PagesText::new(lines, &manifest).unwrap();
            for after in 0..64 {
                let new = pages(after, 1);
                let gone = old.keys().map(|name| (Arc::clone(name), None));
                let other = new
                    .iter()
                    .filter(|(name, from)| old.get(*name) != Some(*from));
                let other = other.map(|(name, from)| (Arc::clone(name), Some((**from).clone())));
                let gone = gone.filter(|(name, _)| !new.contains_key(name));
                let changes = gone.chain(other).collect();
                let record: String = to_parts(&new, &manifest).collect();
                let (bound, lines) = record.split_at(record.find('\n').unwrap() + 1);
                assert_eq!(text.patched(&changes), lines, "{before} to {after}");
                assert_eq!(bind(lines, &manifest), bound);
                assert_eq!(text.is_same(lines), old == new);
            }
            for name in 0..6 {
                let files = old.get(&*name.to_string()).map(|from| from.files.clone());
                assert_eq!(text.files_of(&name.to_string()), files);
            }
        }
    }

    #[test]
    fn a_damaged_record_is_not_taken() {
        let manifest = Digest::of("manifest");
        let text: String = to_parts(&pages(63, 0), &manifest).collect();
        assert!(PagesText::new(text.clone(), &manifest).is_some());
        let no_page = "no page\n";
        for damaged in [
            text.replace("\t2\t", "\t1\t"),
            String::new(),
            format!("{}{no_page}", bind(no_page, &manifest)),
        ] {
            assert!(PagesText::new(damaged, &manifest).is_none());
        }
    }
}
