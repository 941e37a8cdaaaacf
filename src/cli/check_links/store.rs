//! The file in which answers are remembered.

use super::super::Failure;
use super::super::put;
use crate::links::Memory;
use crate::write::cache::{CACHE_NAME, is_folder_or_nothing};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file and what stands in it.
pub(super) struct Store {
    path: PathBuf,
    /// What is remembered.
    pub memory: Memory,
}

impl Store {
    /// Reads the file, which may be missing. A file that is something else is refused, since it
    /// would be written over.
    pub(super) fn open(path: Option<&Path>, root: &Path) -> Result<Self, Failure> {
        let path = match path {
            Some(path) => path.to_owned(),
            None => in_site(root)?,
        };
        let memory = match fs::read_to_string(&path) {
            Ok(text) => Memory::read(&text).ok_or_else(|| {
                Failure::new(format!(
                    "{} holds no answers about links, and would be written over\n\
                     help: name another file with --cache, or remove this one",
                    path.display()
                ))
            })?,
            Err(error) if error.kind() == ErrorKind::NotFound => Memory::default(),
            Err(error) => {
                let path = path.display();
                return Err(Failure::new(format!("cannot read {path}: {error}")));
            }
        };
        Ok(Self { path, memory })
    }

    /// Writes the file as one step.
    pub(super) fn save(&self) -> Result<(), Failure> {
        let failed = |error: std::io::Error| {
            Failure::new(format!("cannot write {}: {error}", self.path.display()))
        };
        if let Some(folder) = self
            .path
            .parent()
            .filter(|path| !path.as_os_str().is_empty())
        {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let staged = put::stage(&self.path, &self.memory.text()).map_err(failed)?;
        staged
            .persist(&self.path)
            .map_err(|why| failed(why.error))?;
        Ok(())
    }
}

/// The file in the cache of a site. A link in the cache's place could lead anywhere.
fn in_site(root: &Path) -> Result<PathBuf, Failure> {
    let folder = root.join(CACHE_NAME);
    if is_folder_or_nothing(&folder) {
        return Ok(folder.join("links.json"));
    }
    Err(Failure::new(format!(
        "{} is a link or no folder, so nothing is written there\n\
         help: remove it, or name a file with --cache",
        folder.display()
    )))
}
