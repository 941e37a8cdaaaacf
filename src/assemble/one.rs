//! One file at a time, for a preview: only what is looked at is made.

use super::Assembly;
use crate::diagnostic::Diagnostics;
use crate::gate::EntrySet;
use crate::output::{OutputPath, SEARCH_FOLDER, Sink};
use crate::render::{PageKey, address, surfaces};
use crate::resolve::EntryIndex;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// Whether a path is one of the search index, which is made as a whole; see [`Assembly::search_index`].
pub fn is_of_search(path: &OutputPath) -> bool {
    path.as_str().starts_with(SEARCH_FOLDER)
}

impl<S: EntrySet> Assembly<'_, S> {
    /// Every file of the search index.
    pub fn search_index(&self) -> BTreeMap<OutputPath, Arc<[u8]>> {
        let files = surfaces::search(self.shelf());
        files
            .filter_map(|(path, bytes)| Some((OutputPath::new(&path).ok()?, bytes.into())))
            .collect()
    }

    /// The file at a path; `None` if the build has none there.
    pub fn file(&self, path: &OutputPath) -> Result<Option<Vec<u8>>, Diagnostics> {
        let text = path.as_str();
        if let Some(page) = self.owner(text)
            && let Some(bytes) = self.beside(page, path)?
        {
            return Ok(Some(bytes));
        }
        let only = Only {
            wanted: path,
            found: Mutex::new(None),
        };
        if self.copied(&only).is_continue() {
            let _ = if is_of_search(path) {
                self.search(&only)
            } else {
                self.surfaces(&only)
            };
        }
        Ok(only
            .found
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner))
    }

    /// The page that a file belongs to, by its place.
    fn owner(&self, path: &str) -> Option<PageKey> {
        if path == address::NOT_FOUND {
            return Some(PageKey::NotFound);
        }
        if let Some(inner) = path.strip_prefix("diagrams/") {
            let (id, _) = inner.split_once('/')?;
            return self.entry(id).map(PageKey::Entry);
        }
        let (folder, _) = path.rsplit_once('/').unwrap_or(("", path));
        match folder {
            "" => Some(PageKey::Home),
            "terms" => Some(PageKey::Terms),
            "lessons" => Some(PageKey::Lessons),
            _ => {
                let id = folder
                    .strip_prefix("terms/")
                    .or_else(|| folder.strip_prefix("lessons/"));
                match id {
                    Some(id) => self.entry(id).map(PageKey::Entry),
                    None => self.plain(folder),
                }
            }
        }
    }

    fn entry(&self, id: &str) -> Option<EntryIndex> {
        let site = &self.compiled.site;
        let index = site.names.find(id)?;
        (site.entry(index).id.as_str() == id).then_some(index)
    }

    fn plain(&self, id: &str) -> Option<PageKey> {
        let pages = &self.compiled.site.pages;
        let found = pages.binary_search_by(|page| {
            let own = page.id.as_ref().map_or("", |id| id.as_str());
            own.cmp(id)
        });
        found.ok().map(PageKey::Page)
    }

    /// A file of a page: itself, its data, its twin, its card, its drawings.
    fn beside(&self, page: PageKey, path: &OutputPath) -> Result<Option<Vec<u8>>, Diagnostics> {
        let text = path.as_str();
        if text == address::twin(&self.address(page)) {
            return Ok(self.twin(page));
        }
        if text.starts_with("diagrams/") {
            let drawings = self.drawings(page, Vec::new(), &mut Diagnostics::new());
            let mut drawings = drawings.into_iter();
            return Ok(drawings.find(|(at, _)| at == text).map(|(_, bytes)| bytes));
        }
        if text == address::card(&self.address(page)) {
            return Ok(self.card(page).map(|(_, png)| png));
        }
        let mut files = self.page(page)?.into_iter();
        Ok(files.find(|file| file.path == *path).map(|file| file.bytes))
    }
}

/// Keeps the one file that is wanted, and stops when it has come.
struct Only<'a> {
    wanted: &'a OutputPath,
    found: Mutex<Option<Vec<u8>>>,
}

impl<P: crate::output::Purpose> Sink<P> for Only<'_> {
    fn put(&self, path: &OutputPath, bytes: Vec<u8>) -> ControlFlow<()> {
        if path != self.wanted {
            return ControlFlow::Continue(());
        }
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        *found = Some(bytes);
        ControlFlow::Break(())
    }
}
