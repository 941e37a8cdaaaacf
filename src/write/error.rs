//! Why nothing was written: what, where, and what to do. The release is as it was each time.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a build left the release as it was.
#[derive(Debug)]
pub enum WriteError {
    /// The output would lie in or around what the site is made from.
    Overlap {
        /// Where the output would stand.
        out: PathBuf,
        /// The folder of the site.
        input: PathBuf,
    },
    /// There is a file where the output folder would be.
    NotAFolder(PathBuf),
    /// The folder holds something, and no build made it.
    NotOurs {
        /// The folder.
        out: PathBuf,
        /// One of the things that it holds.
        holds: String,
    },
    /// The output would stand inside another one.
    InsideOutput {
        /// Where the output would stand.
        out: PathBuf,
        /// The output around it.
        around: PathBuf,
    },
    /// Drafts were to be written to the release's own folder.
    DraftsIntoRelease(PathBuf),
    /// Another build is writing to the folder.
    Busy {
        /// The folder.
        out: PathBuf,
        /// The other build's process, where it is known.
        process: Option<u32>,
    },
    /// A file that no build wrote stands where the build has to write.
    InTheWay(PathBuf),
    /// A killed build left something that can be neither removed nor put in the release.
    Left(PathBuf),
    /// The system refused.
    Io {
        /// What was tried: "write", "create the folder".
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl WriteError {
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overlap { out, input } => write!(
                f,
                "the output folder {} overlaps {}, from which the site is made: name a folder of its own with `out` in site.toml or --out",
                out.display(),
                input.display()
            ),
            Self::NotAFolder(out) => write!(
                f,
                "{} is not a folder: move it away, or name another with --out",
                out.display()
            ),
            Self::NotOurs { out, holds } => write!(
                f,
                "{} holds {holds} and no build made it, or its manifest.json is missing or was changed, so it is left alone: empty it, or name another folder with --out",
                out.display()
            ),
            Self::InsideOutput { out, around } => write!(
                f,
                "{} lies inside {}, which a build made: name a folder of its own with --out",
                out.display(),
                around.display()
            ),
            Self::DraftsIntoRelease(out) => write!(
                f,
                "{} is a release, and drafts never go into one: name another folder with --out",
                out.display()
            ),
            Self::Busy { out, process } => {
                write!(f, "another build")?;
                if let Some(process) = process {
                    write!(f, " (process {process})")?;
                }
                write!(
                    f,
                    " is writing to {}: wait for it, then build again",
                    out.display()
                )
            }
            Self::InTheWay(path) => write!(
                f,
                "{} was not written by a build, and the site has a page of that name: move one of the two away",
                path.display()
            ),
            Self::Left(path) => write!(
                f,
                "{} is left from an earlier build, no build wrote it, and the release has another file of that name: move it to where it belongs",
                path.display()
            ),
            Self::Io {
                action,
                path,
                source,
            } => {
                write!(
                    f,
                    "cannot {action} {}: {source}{}; the release is as it was before",
                    path.display(),
                    advice(source)
                )
            }
        }
    }
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            " (make room on the disk, then build again)"
        }
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            " (make the folder writable, or name another with --out)"
        }
        io::ErrorKind::ResourceBusy => {
            " (the output folder may be a mount point: mount the folder above it instead, or name a folder inside)"
        }
        _ => "",
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
