//! Files of earlier commits, as git has them.
//!
//! Contents are taken as they are stored: no filter, attribute or hook of the repository has a
//! say. Nothing is written, locked or fetched.

use super::git;
use crate::load::{self, CONFIG_NAME, FILE_MAX_BYTES};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Most commits that are looked at.
pub(super) const COMMITS_MAX: usize = 500;

/// Most bytes of files kept in memory at once: 256 MiB.
const KEPT_MAX_BYTES: usize = 256 << 20;

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Blob {
    /// Git's name for its content.
    pub name: String,
    size_bytes: u64,
}

/// Files of a commit by path, from the site's folder.
pub(super) type Tree = BTreeMap<String, Blob>;

/// The repository that a site lies in, with the files that were read of it.
#[derive(Debug)]
pub(super) struct Repository<'a> {
    folder: &'a Path,
    kept: BTreeMap<String, Vec<u8>>,
    kept_bytes: usize,
}

impl<'a> Repository<'a> {
    /// The repository of a site's folder; whether there is one shows at the first question.
    pub(super) fn new(folder: &'a Path) -> Self {
        Self {
            folder,
            kept: BTreeMap::new(),
            kept_bytes: 0,
        }
    }

    /// Commits up to the present one that touched any of the paths, newest first, with their
    /// days; one more than [`COMMITS_MAX`] where there are more.
    pub(super) fn commits(
        &self,
        paths: &BTreeSet<String>,
    ) -> Result<Vec<(String, String)>, String> {
        let count = format!("--max-count={}", COMMITS_MAX + 1);
        let mut arguments = vec![
            "log",
            "--full-history",
            "--format=%H %cs",
            "--no-show-signature",
            &count,
            "HEAD",
            "--",
        ];
        arguments.extend(paths.iter().map(String::as_str));
        let listed = self.git(&arguments, &[])?;
        let listed = String::from_utf8_lossy(&listed);
        let pair = |line: &str| {
            let (commit, day) = line.split_once(' ')?;
            Some((commit.to_owned(), day.to_owned()))
        };
        Ok(listed.lines().filter_map(pair).collect())
    }

    /// The regular files of a commit that can be part of a site.
    pub(super) fn tree(&self, commit: &str) -> Result<Tree, String> {
        let arguments = ["ls-tree", "-r", "-z", "-l", commit, "--", CONFIG_NAME];
        let folders = load::FOLDERS.iter().filter(|name| **name != "templates");
        let arguments: Vec<_> = arguments.iter().chain(folders).copied().collect();
        let listed = self.git(&arguments, &[])?;
        let listed = String::from_utf8_lossy(&listed);
        Ok(listed.split('\0').filter_map(tree_line).collect())
    }

    /// Reads the files that were not read before. One that is too large is left out.
    pub(super) fn fetch<'b>(
        &mut self,
        blobs: impl Iterator<Item = &'b Blob>,
    ) -> Result<(), String> {
        if self.kept_bytes > KEPT_MAX_BYTES {
            self.kept.clear();
            self.kept_bytes = 0;
        }
        let new: BTreeSet<&Blob> = blobs
            .filter(|blob| blob.size_bytes <= FILE_MAX_BYTES && !self.kept.contains_key(&blob.name))
            .collect();
        if new.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = new.iter().map(|blob| blob.name.as_str()).collect();
        let names = names.join("\n");
        let answer = self.git(&["cat-file", "--batch"], format!("{names}\n").as_bytes())?;
        let mut rest = answer.as_slice();
        for blob in new {
            let short = || "an answer of git is cut short".to_owned();
            let head = rest
                .iter()
                .position(|&byte| byte == b'\n')
                .ok_or_else(short)?;
            let size = usize::try_from(blob.size_bytes).map_err(|_| short())?;
            let expected = format!("{} blob {size}", blob.name);
            if rest.get(..head) != Some(expected.as_bytes()) {
                let said = String::from_utf8_lossy(rest.get(..head).unwrap_or_default());
                return Err(format!("git says: {said}"));
            }
            let bytes = rest.get(head + 1..head + 1 + size).ok_or_else(short)?;
            self.kept_bytes += size;
            self.kept.insert(blob.name.clone(), bytes.to_vec());
            rest = rest.get(head + size + 2..).unwrap_or_default();
        }
        Ok(())
    }

    /// The content of a file that was fetched; `None` for one that was left out.
    pub(super) fn content(&self, blob: &Blob) -> Option<&[u8]> {
        self.kept.get(&blob.name).map(Vec::as_slice)
    }

    /// What git prints.
    fn git(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        let output = git::run(self.folder, arguments, input)?;
        git::printed(output)
    }
}

/// `100644 blob NAME SIZE<tab>PATH`, for regular files.
fn tree_line(line: &str) -> Option<(String, Blob)> {
    let (facts, path) = line.split_once('\t')?;
    let mut facts = facts.split_whitespace();
    let (mode, kind) = (facts.next()?, facts.next()?);
    let (name, size) = (facts.next()?, facts.next()?);
    let blob = Blob {
        name: name.to_owned(),
        size_bytes: size.parse().ok()?,
    };
    (kind == "blob" && mode.starts_with("100")).then(|| (path.to_owned(), blob))
}
