//! Finds the files of a site, without reading one.
//!
//! The order is that of the paths, whatever order the disk gives. A link is followed as long as
//! it stays in the site; where it leads out, in a ring, or nowhere, its target is not looked at.

use super::fault::Fault;
use super::names::{self, CONFIG_NAME, FOLDERS, InStatic};
use super::stamp::Stamp;
use super::{DEPTH_MAX, FILES_MAX};
use crate::diagnostic::rule;
use crate::output::{MANIFEST_NAME, Manifest};
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Largest manifest that is looked at, in bytes: 64 MiB, more than a build of 200,000 files has.
const MANIFEST_MAX_BYTES: u64 = 64 << 20;

/// What stands at a path of the site.
#[derive(Debug)]
pub(super) enum Found {
    /// A file to read.
    File(Stamp),
    /// Something that is not read, and why.
    Refused(Fault),
}

/// All files of the site at `root`, by their paths in it.
pub(super) fn walk(root: &Path) -> io::Result<BTreeMap<String, Found>> {
    let root = fs::canonicalize(root)?;
    let mut walk = Walk {
        found: BTreeMap::new(),
        seen: 0,
        standing: vec![Standing {
            start: root.clone(),
            at: root.clone(),
        }],
        root,
    };
    // The settings first: nothing goes without them, however many files there are.
    for name in [CONFIG_NAME].into_iter().chain(FOLDERS) {
        walk.tree(&Tree {
            path: name,
            start: walk.root.join(name),
            level: 1,
        });
    }
    Ok(walk.found)
}

struct Walk {
    /// The site's folder, without links.
    root: PathBuf,
    found: BTreeMap<String, Found>,
    /// Files and folders met so far, those under a link once for each way to them.
    seen: usize,
    /// Where the walk stands: in the site, and in each tree that a link has led out of.
    standing: Vec<Standing>,
}

/// A folder that is walked without following links.
struct Tree<'a> {
    /// Its path in the site, links and all.
    path: &'a str,
    /// Its real place.
    start: PathBuf,
    /// How many folders deep it lies in the site.
    level: usize,
}

/// A place in a tree that a link has been followed from.
struct Standing {
    start: PathBuf,
    at: PathBuf,
}

impl Standing {
    /// Whether the walk stands in `folder`, having come through it.
    fn is_in(&self, folder: &Path) -> bool {
        folder.starts_with(&self.start) && self.at.starts_with(folder)
    }
}

/// Whether a folder is looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    Enter,
    Pass,
}

impl Walk {
    fn refuse(&mut self, path: String, fault: Fault) -> Then {
        self.found.insert(path, Found::Refused(fault));
        Then::Pass
    }

    fn tree(&mut self, tree: &Tree<'_>) {
        let mut entries = WalkDir::new(&tree.start)
            .follow_links(false)
            .follow_root_links(false)
            .max_depth(DEPTH_MAX)
            // By their names: all that is before them is the same.
            .sort_by(|a, b| a.path().as_os_str().cmp(b.path().as_os_str()))
            .into_iter();
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.fail(tree, error);
                    continue;
                }
            };
            let path = tree.path_of(entry.path());
            self.seen += 1;
            if self.seen > FILES_MAX {
                if self.seen == FILES_MAX + 1 {
                    self.refuse(path, too_many());
                }
                return;
            }
            let then = self.take(tree, path, &entry);
            if then == Then::Pass && entry.file_type().is_dir() {
                entries.skip_current_dir();
            }
        }
    }

    fn fail(&mut self, tree: &Tree<'_>, error: walkdir::Error) {
        let path = error.path().map(|path| tree.path_of(path));
        let path = path.unwrap_or_else(|| tree.path.to_owned());
        let error = error.into();
        if io::Error::kind(&error) != io::ErrorKind::NotFound {
            self.refuse(path, unreadable(&error));
        }
        // Otherwise gone between the listing and now, or a folder that the site does not have.
    }

    fn take(&mut self, tree: &Tree<'_>, path: String, entry: &DirEntry) -> Then {
        let level = tree.level + entry.depth();
        if entry.depth() > 0 {
            let in_static = if path.starts_with("static/") {
                InStatic::Yes
            } else {
                InStatic::No
            };
            let file_name = entry.file_name();
            let name = file_name.to_string_lossy();
            if names::is_ignored(&name, in_static) {
                return Then::Pass;
            }
            let is_odd = name.contains(|c: char| c == '\\' || c.is_control());
            if is_odd || file_name.to_str().is_none() {
                return self.refuse(path, bad_name());
            }
        }
        if entry.path_is_symlink() {
            return self.through(tree, path, entry.path(), level);
        }
        match entry.metadata() {
            Ok(metadata) if metadata.is_dir() && level > DEPTH_MAX => self.refuse(path, too_deep()),
            Ok(metadata) if metadata.is_dir() => Then::Enter,
            Ok(metadata) => self.file(path, &metadata),
            Err(error) => {
                self.fail(tree, error);
                Then::Pass
            }
        }
    }

    fn file(&mut self, path: String, metadata: &Metadata) -> Then {
        if !metadata.is_file() {
            return self.refuse(path, special());
        }
        let found = Found::File(Stamp::of(metadata));
        self.found.insert(path, found);
        Then::Pass
    }

    /// Takes what a link leads to under the link's own path.
    fn through(&mut self, tree: &Tree<'_>, path: String, link: &Path, level: usize) -> Then {
        let standing = Standing {
            start: tree.start.clone(),
            at: link.parent().unwrap_or(&tree.start).to_owned(),
        };
        self.standing.push(standing);
        match self.follow(link) {
            Err(fault) => {
                self.refuse(path, *fault);
            }
            Ok((_, metadata)) if !metadata.is_dir() => {
                self.file(path, &metadata);
            }
            Ok(_) if level > DEPTH_MAX => {
                self.refuse(path, too_deep());
            }
            Ok((start, _)) => {
                let path = &path;
                self.tree(&Tree { path, start, level });
            }
        }
        self.standing.pop();
        Then::Pass
    }

    /// Where a link leads, if that is in the site and not around the link itself.
    fn follow(&self, link: &Path) -> Result<(PathBuf, Metadata), Box<Fault>> {
        let target = fs::canonicalize(link).map_err(|error| Box::new(dead_link(&error)))?;
        let Ok(inside) = target.strip_prefix(&self.root) else {
            return Err(Box::new(leads_out()));
        };
        if self.standing.iter().any(|standing| standing.is_in(&target)) {
            return Err(Box::new(ring()));
        }
        let hidden = inside
            .components()
            .any(|part| part.as_os_str().to_string_lossy().starts_with('.'));
        if hidden || self.is_output(inside) {
            return Err(Box::new(not_of_the_site()));
        }
        let metadata = fs::metadata(&target).map_err(|error| Box::new(dead_link(&error)))?;
        Ok((target, metadata))
    }

    /// Whether a place of the site lies in a folder that a build made.
    fn is_output(&self, inside: &Path) -> bool {
        inside
            .ancestors()
            .any(|folder| is_built(&self.root.join(folder)))
    }
}

impl Tree<'_> {
    /// The path in the site of a real place in the tree.
    fn path_of(&self, real: &Path) -> String {
        // Almost always the rest of the text; looking at each part costs more than finding the file.
        if let (Some(start), Some(real)) = (self.start.to_str(), real.to_str())
            && let Some(rest) = real.strip_prefix(start)
            && MAIN_SEPARATOR == '/'
        {
            return [self.path, rest].concat();
        }
        let mut path = self.path.to_owned();
        for part in real.strip_prefix(&self.start).into_iter().flatten() {
            path.push('/');
            path.push_str(&part.to_string_lossy());
        }
        path
    }
}

/// Whether a folder has the manifest of a build. No build writes a link in its place, and
/// whatever else has that name (a device, a huge file) is not read.
fn is_built(folder: &Path) -> bool {
    let manifest = folder.join(MANIFEST_NAME);
    let is_file = fs::symlink_metadata(&manifest)
        .is_ok_and(|found| found.is_file() && found.len() <= MANIFEST_MAX_BYTES);
    is_file && fs::read(manifest).is_ok_and(|json| Manifest::parse(&json).is_some())
}

pub(super) fn unreadable(error: &io::Error) -> Fault {
    Fault::new(
        rule::UNREADABLE_FILE,
        format!("this cannot be read: {error}"),
    )
    .help("Make the file readable for the user who builds, or move it out of the site.")
}

fn leads_out() -> Fault {
    Fault::new(rule::UNSAFE_PATH, "the link leads out of the site")
        .note("A site is built from its own folder only, so that nothing else on the disk can be published by a link.")
        .help("Copy the file into the site, or remove the link.")
}

fn ring() -> Fault {
    Fault::new(
        rule::UNSAFE_PATH,
        "the link leads in a ring, to a folder that it lies in",
    )
    .help("Remove the link, or let it name a folder beside it.")
}

fn not_of_the_site() -> Fault {
    Fault::new(
        rule::UNSAFE_PATH,
        "the link leads to a hidden folder or to a finished build",
    )
    .note("Neither is part of what the site is made from.")
    .help("Copy the file to where the link is, or remove the link.")
}

fn dead_link(error: &io::Error) -> Fault {
    if error.kind() == io::ErrorKind::NotFound {
        return Fault::new(rule::UNSAFE_PATH, "the link leads nowhere")
            .help("Remove the link, or put its target in place.");
    }
    if error.kind() == io::ErrorKind::PermissionDenied {
        return unreadable(error);
    }
    Fault::new(rule::UNSAFE_PATH, "the link leads in a ring").help("Remove the link.")
}

fn special() -> Fault {
    Fault::new(
        rule::UNSAFE_PATH,
        "it is neither a file nor a folder, but a pipe, a socket or a device",
    )
    .help("Move it out of the site.")
}

fn bad_name() -> Fault {
    Fault::new(
        rule::UNSAFE_PATH,
        "its name is not UTF-8, or has a backslash or a control character",
    )
    .help("Rename it.")
}

fn too_many() -> Fault {
    Fault::new(
        rule::TOO_LARGE,
        format!(
            "the site has more than {FILES_MAX} files and folders; from here on nothing is read"
        ),
    )
    .note("What lies behind a link counts once for each way that leads to it.")
    .help("Remove links between folders, or host files elsewhere and link to them.")
}

fn too_deep() -> Fault {
    Fault::new(
        rule::TOO_DEEP,
        format!("the folder lies more than {DEPTH_MAX} folders deep"),
    )
    .help("Move it further up.")
}
