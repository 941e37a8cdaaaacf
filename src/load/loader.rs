//! Reads a site whenever it changed.

use super::LoadError;
use super::glance::glance;
use super::held::{Files, read_now};
use crate::diagnostic::Diagnostics;
use crate::output::Addresses;
use crate::source::Sources;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads a site again and again, and each time only what changed.
#[derive(Debug)]
pub struct Loader {
    root: PathBuf,
    held: Files,
    last: Option<(Sources, Diagnostics)>,
}

impl Loader {
    /// A loader for the site at `root`; nothing is read yet.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            held: Files::new(),
            last: None,
        }
    }

    /// The site's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads what is new or changed since the last time, by length, time and place on disk.
    pub fn load(&mut self) -> Result<(Sources, Diagnostics), LoadError> {
        let mut glance = glance(&self.root)?;
        glance.keep(std::mem::take(&mut self.held));
        self.held = glance.into_files();
        Ok(self.assemble())
    }

    /// Reads the named files again, whatever their times say. Paths are relative to the site.
    /// Where one of them came or went, the whole site is looked through.
    pub fn reload(
        &mut self,
        changed: &BTreeSet<String>,
    ) -> Result<(Sources, Diagnostics), LoadError> {
        let plain = changed.iter().all(|path| {
            self.held
                .get(path.as_str())
                .is_some_and(|held| held.stamp.is_some())
                && self.is_plain_file(path)
        });
        let last = if plain { self.last.take() } else { None };
        let Some((mut sources, findings)) = last else {
            for path in changed {
                if let Some(held) = self.held.get_mut(path.as_str()) {
                    held.stamp = None;
                }
            }
            return self.load();
        };
        let mut is_faultless = true;
        for path in changed {
            let path: Arc<str> = path.as_str().into();
            let now = read_now(&self.root, &path);
            let before = self.held.get(&path);
            is_faultless &= now.faults.is_empty();
            is_faultless &= before.is_none_or(|before| before.faults.is_empty());
            now.add(&path, &mut sources, &mut Diagnostics::new());
            self.held.insert(path, now);
        }
        if !is_faultless {
            // The findings change too.
            self.last = Some((sources, findings));
            return Ok(self.assemble());
        }
        let loaded = (sources, findings);
        self.last = Some(loaded.clone());
        Ok(loaded)
    }

    /// Whether a file stands at the path and no folder on the way has become a link out of the site.
    fn is_plain_file(&self, path: &str) -> bool {
        let full = self.root.join(path);
        let is_inside = match (fs::canonicalize(&self.root), fs::canonicalize(&full)) {
            (Ok(root), Ok(real)) => real.starts_with(root),
            _ => false,
        };
        is_inside && fs::symlink_metadata(full).is_ok_and(|at| at.is_file())
    }

    /// Puts the files that are held together. A file keeps its id for as long as it is there.
    fn assemble(&mut self) -> (Sources, Diagnostics) {
        let mut sources = self.last.take().unwrap_or_default().0;
        let gone: Vec<_> = sources
            .iter()
            .filter(|(_, file)| !self.held.contains_key(&file.path))
            .map(|(_, file)| Arc::clone(&file.path))
            .collect();
        for path in &gone {
            sources.remove(path);
        }
        let mut findings = Diagnostics::new();
        for (path, held) in &self.held {
            held.add(path, &mut sources, &mut findings);
        }
        let _ = Addresses::of_copied(&sources, &mut findings);
        let loaded = (sources, findings);
        self.last = Some(loaded.clone());
        loaded
    }
}
