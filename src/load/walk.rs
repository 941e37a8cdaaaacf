//! Finds the files of a site, without reading one.
//!
//! The order is that of the paths, whatever order the disk gives. A link is followed as long as
//! it stays in the site; where it leads out, in a ring, or nowhere, its target is not looked at.

use super::fault::Fault;
use super::names::{self, CONFIG_NAME, FOLDERS, InStatic};
use super::{DEPTH_MAX, FILES_MAX};
use crate::diagnostic::rule;
use crate::output::{MANIFEST_NAME, Manifest};
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// What stands at a path of the site.
#[derive(Debug)]
pub(super) enum Found {
    /// A file to read.
    File(Stamp),
    /// Something that is not read, and why.
    Refused(Fault),
}

/// What tells a changed file from an unchanged one without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(super) length_bytes: u64,
    modified: Option<std::time::SystemTime>,
    inode: u64,
}

impl Stamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Self {
            length_bytes: metadata.len(),
            modified: metadata.modified().ok(),
            inode,
        }
    }
}

/// All files of the site at `root`, by their paths in it.
pub(super) fn walk(root: &Path) -> io::Result<BTreeMap<String, Found>> {
    let canonical_root = fs::canonicalize(root)?;
    let mut walk = Walk {
        root,
        found: BTreeMap::new(),
        folders: vec![canonical_root.clone()],
        canonical_root,
    };
    for name in FOLDERS.into_iter().chain([CONFIG_NAME]) {
        walk.visit(name);
    }
    Ok(walk.found)
}

struct Walk<'a> {
    root: &'a Path,
    canonical_root: PathBuf,
    found: BTreeMap<String, Found>,
    /// The real places of the folders that the walk stands in, outermost first.
    folders: Vec<PathBuf>,
}

impl Walk<'_> {
    fn refuse(&mut self, path: &str, fault: Fault) {
        self.found.insert(path.to_owned(), Found::Refused(fault));
    }

    fn visit(&mut self, path: &str) {
        if self.found.len() >= FILES_MAX {
            return;
        }
        let full = self.root.join(path);
        let metadata = match fs::symlink_metadata(&full) {
            Ok(metadata) => metadata,
            // Gone between the listing and now, or a folder that the site does not have.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => return self.refuse(path, unreadable(&error)),
        };
        if metadata.is_symlink() {
            match self.follow(&full) {
                Ok((target, metadata)) => self.take(path, &metadata, target),
                Err(fault) => self.refuse(path, *fault),
            }
        } else {
            let parent = self.folders.last().unwrap_or(&self.canonical_root);
            let real = full
                .file_name()
                .map_or_else(|| parent.clone(), |name| parent.join(name));
            self.take(path, &metadata, real);
        }
    }

    fn take(&mut self, path: &str, metadata: &Metadata, real: PathBuf) {
        if metadata.is_dir() {
            self.folders.push(real);
            if self.folders.len() > DEPTH_MAX + 1 {
                self.refuse(path, too_deep());
            } else {
                self.enter(path);
            }
            self.folders.pop();
        } else if metadata.is_file() {
            let found = Found::File(Stamp::of(metadata));
            self.found.insert(path.to_owned(), found);
        } else {
            self.refuse(path, special());
        }
    }

    fn enter(&mut self, path: &str) {
        let entries = match fs::read_dir(self.root.join(path)) {
            Ok(entries) => entries,
            Err(error) => return self.refuse(path, unreadable(&error)),
        };
        for entry in entries {
            let name = match entry {
                Ok(entry) => entry.file_name(),
                Err(error) => {
                    self.refuse(path, unreadable(&error));
                    continue;
                }
            };
            let shown = name.to_string_lossy();
            let in_static = if path == "static" {
                InStatic::Yes
            } else {
                InStatic::No
            };
            let in_static = if path.starts_with("static/") {
                InStatic::Yes
            } else {
                in_static
            };
            if names::is_ignored(&shown, in_static) {
                continue;
            }
            let below = format!("{path}/{shown}");
            if name.to_str().is_none() || shown.contains(|c: char| c == '\\' || c.is_control()) {
                self.refuse(&below, bad_name());
            } else {
                self.visit(&below);
            }
        }
    }

    /// Where a link leads, if that is in the site and not around the link itself.
    fn follow(&self, link: &Path) -> Result<(PathBuf, Metadata), Box<Fault>> {
        let target = fs::canonicalize(link).map_err(|error| Box::new(dead_link(&error)))?;
        let Ok(inside) = target.strip_prefix(&self.canonical_root) else {
            return Err(Box::new(leads_out()));
        };
        if self.folders.contains(&target) {
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
        inside.ancestors().any(|folder| {
            let manifest = self.canonical_root.join(folder).join(MANIFEST_NAME);
            fs::read(manifest).is_ok_and(|json| Manifest::parse(&json).is_some())
        })
    }
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

fn too_deep() -> Fault {
    Fault::new(
        rule::TOO_DEEP,
        format!("the folder lies more than {DEPTH_MAX} folders deep"),
    )
    .help("Move it further up.")
}
