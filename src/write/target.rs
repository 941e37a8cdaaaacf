//! Where an output goes, and whether it may.

use super::error::WriteError;
use super::swap::Before;
use super::tree;
use crate::output::{Contents, MANIFEST_NAME, Manifest};
use crate::source::Digest;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folders that a site is made from.
const INPUTS: [&str; 3] = ["content", "static", "templates"];

/// Where an output goes.
#[derive(Debug, Clone)]
pub struct Target {
    /// The site's folder.
    pub site: PathBuf,
    /// The folder to write, absolute or relative to the working folder.
    pub out: PathBuf,
    /// The folder of the site's own release (`out` in site.toml), joined to the site's. Drafts
    /// never go there.
    pub release: PathBuf,
    /// Where what the files looked like is remembered, so that the next build need not read them;
    /// `None` to remember nothing.
    pub cache: Option<PathBuf>,
}

/// A target that was looked at: the folder by its real name, and what is there.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) out: PathBuf,
    pub(super) old: Option<(Manifest, Digest)>,
    pub(super) before: Before,
}

/// The real place of the output folder: its links followed, as far as it exists.
pub(super) fn resolve(path: &Path) -> Result<PathBuf, WriteError> {
    let path = std::path::absolute(path).map_err(WriteError::io("find", path))?;
    match fs::canonicalize(&path) {
        Ok(real) => Ok(real),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
                // A root that does not exist, or a path that ends in `..`.
                return Err(WriteError::io("find", &path)(error));
            };
            Ok(resolve(parent)?.join(name))
        }
        Err(error) => Err(WriteError::io("find", &path)(error)),
    }
}

/// Refuses an output folder in or around what the site is made from, by the places on disk.
pub(super) fn check_overlap(site: &Path, out: &Path) -> Result<(), WriteError> {
    let site = resolve(site)?;
    if site.starts_with(out) {
        return Err(overlap(out, &site));
    }
    for input in INPUTS {
        let input = resolve(&site.join(input))?;
        if out.starts_with(&input) || input.starts_with(out) {
            return Err(overlap(out, &input));
        }
    }
    Ok(())
}

fn overlap(out: &Path, input: &Path) -> WriteError {
    WriteError::Overlap {
        out: out.to_owned(),
        input: input.to_owned(),
    }
}

/// Refuses an output folder in or around what the site is made from, or inside another output.
pub(super) fn check_surroundings(site: &Path, out: &Path) -> Result<(), WriteError> {
    check_overlap(site, out)?;
    check_around(out)
}

/// Refuses an output folder inside another output: its next build would keep it as somebody
/// else's, unseen by any audit.
fn check_around(out: &Path) -> Result<(), WriteError> {
    for around in out.ancestors().skip(1) {
        let json = tree::read(&around.join(MANIFEST_NAME)).unwrap_or_default();
        if Manifest::parse(&json).is_some() {
            return Err(WriteError::InsideOutput {
                out: out.to_owned(),
                around: around.to_owned(),
            });
        }
    }
    Ok(())
}

/// Looks at the output folder: it must be absent, empty, or made by a build of the same kind. `known`
/// is what was seen there before, so that a manifest that is still the same is not read twice.
pub(super) fn look(
    out: &Path,
    contents: Contents,
    known: Option<Place>,
) -> Result<Place, WriteError> {
    check_around(out)?;
    let place = |old, before| Place {
        out: out.to_owned(),
        old,
        before,
    };
    match fs::symlink_metadata(out) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(place(None, Before::Nothing));
        }
        Err(error) => return Err(WriteError::io("look at", out)(error)),
        Ok(metadata) if !metadata.is_dir() => return Err(WriteError::NotAFolder(out.to_owned())),
        Ok(_) => {}
    }
    let mut listing = fs::read_dir(out).map_err(WriteError::io("list", out))?;
    let Some(first) = listing.next() else {
        return Ok(place(None, Before::Nothing));
    };
    let json = tree::read(&out.join(MANIFEST_NAME)).unwrap_or_default();
    let digest = Digest::of(&json);
    let known = known.and_then(|place| place.old);
    let known = known.filter(|(_, then)| *then == digest);
    let manifest = known.map_or_else(|| Manifest::parse(&json), |(manifest, _)| Some(manifest));
    let Some(manifest) = manifest else {
        let first = first.map_err(WriteError::io("list", out))?;
        return Err(WriteError::NotOurs {
            out: out.to_owned(),
            holds: first.file_name().to_string_lossy().into_owned(),
        });
    };
    if contents == Contents::WithDrafts && manifest.contents == Contents::Published {
        return Err(WriteError::DraftsIntoRelease(out.to_owned()));
    }
    Ok(place(Some((manifest, digest)), Before::Release))
}
