//! From the events of a watcher to what has to be read again.

use crate::load::{CONFIG_NAME, FOLDERS, InStatic, is_ignored};
use notify::Event;
use notify::event::{AccessKind, AccessMode, EventKind, MetadataKind, ModifyKind, RenameMode};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What changed since the last time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// These files or folders, by their paths in the site. They may be new, changed or gone.
    Paths(BTreeSet<String>),
    /// Anything may have.
    Everything,
}

/// Events that came close together.
#[derive(Debug)]
pub(super) struct Batch {
    root: PathBuf,
    real_root: Option<PathBuf>,
    paths: BTreeSet<String>,
    everything: bool,
}

impl Batch {
    /// None yet.
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            real_root: std::fs::canonicalize(root).ok(),
            paths: BTreeSet::new(),
            everything: false,
        }
    }

    /// Adds what an event says, if it is about the site.
    pub(super) fn add(&mut self, event: &Event) {
        if event.need_rescan() {
            self.everything = true;
        }
        if !is_change(event.kind) {
            return;
        }
        for path in &event.paths {
            let real = self.real_root.as_deref();
            let inside = path
                .strip_prefix(&self.root)
                .ok()
                .or_else(|| path.strip_prefix(real?).ok());
            self.paths.extend(inside.and_then(site_path));
        }
    }

    /// Says that anything may have changed.
    pub(super) fn add_everything(&mut self) {
        self.everything = true;
    }

    /// Whether nothing of the site changed.
    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.everything
    }

    /// The site's folders that were themselves made or removed.
    pub(super) fn top_folders(&self) -> impl Iterator<Item = &'static str> + use<> {
        let touched: Vec<_> = FOLDERS
            .into_iter()
            .filter(|folder| self.everything || self.paths.contains(*folder))
            .collect();
        touched.into_iter()
    }

    /// The change, if there is one.
    pub(super) fn into_change(self) -> Option<Change> {
        if self.everything {
            return Some(Change::Everything);
        }
        (!self.paths.is_empty()).then_some(Change::Paths(self.paths))
    }
}

/// Whether an event can mean other bytes or another tree. Reading a file is an event too, and so
/// is a build's own look at it; taking that for a change would never end.
fn is_change(kind: EventKind) -> bool {
    !matches!(
        kind,
        EventKind::Access(
            AccessKind::Any
                | AccessKind::Read
                | AccessKind::Open(_)
                | AccessKind::Other
                | AccessKind::Close(
                    AccessMode::Any | AccessMode::Read | AccessMode::Execute | AccessMode::Other
                )
        ) | EventKind::Modify(ModifyKind::Metadata(MetadataKind::AccessTime))
    )
}

/// Whether an event is the last step of a save: the writer closed the file, or a file that was
/// written aside took its place.
pub(super) fn ends_a_save(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Access(AccessKind::Close(AccessMode::Write))
            | EventKind::Modify(ModifyKind::Name(RenameMode::To | RenameMode::Both))
    )
}

/// The path as the site has it, unless it is none of the site's.
fn site_path(path: &Path) -> Option<String> {
    let mut names = Vec::new();
    for name in path {
        names.push(name.to_string_lossy());
    }
    let (first, below) = names.split_first()?;
    if below.is_empty() && first == CONFIG_NAME {
        return Some(CONFIG_NAME.to_owned());
    }
    if !FOLDERS.contains(&first.as_ref()) {
        return None;
    }
    let in_static = if first == "static" {
        InStatic::Yes
    } else {
        InStatic::No
    };
    if below.iter().any(|name| is_ignored(name, in_static)) {
        return None;
    }
    Some(names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{CreateKind, DataChange, Flag, RemoveKind};

    const WRITTEN: EventKind = EventKind::Modify(ModifyKind::Data(DataChange::Content));

    fn change(events: &[(EventKind, &str)]) -> Option<Change> {
        let mut batch = Batch::new(Path::new("/site"));
        for (kind, path) in events {
            batch.add(&Event::new(*kind).add_path(PathBuf::from(path)));
        }
        batch.into_change()
    }

    fn paths(paths: &[&str]) -> Change {
        Change::Paths(paths.iter().map(|path| (*path).to_owned()).collect())
    }

    #[test]
    fn a_save_by_renaming_is_one_change() {
        let renamed = |mode| EventKind::Modify(ModifyKind::Name(mode));
        let events = [
            (
                EventKind::Create(CreateKind::File),
                "/site/content/terms/a.md.tmp",
            ),
            (WRITTEN, "/site/content/terms/a.md.tmp"),
            (renamed(RenameMode::From), "/site/content/terms/a.md.tmp"),
            (renamed(RenameMode::To), "/site/content/terms/a.md"),
            (
                EventKind::Create(CreateKind::File),
                "/site/content/terms/4913",
            ),
            (
                EventKind::Remove(RemoveKind::File),
                "/site/content/terms/.a.md.swp",
            ),
        ];
        assert_eq!(change(&events), Some(paths(&["content/terms/a.md"])));
    }

    #[test]
    fn what_is_none_of_the_sites_is_no_change() {
        let events = [
            (WRITTEN, "/site/public/index.html"),
            (WRITTEN, "/site/.git/index"),
            (WRITTEN, "/site/content/.git/index"),
            (WRITTEN, "/site/README.md"),
            (WRITTEN, "/elsewhere/content/a.md"),
            (
                EventKind::Access(AccessKind::Open(AccessMode::Any)),
                "/site/content/a.md",
            ),
            (
                EventKind::Access(AccessKind::Close(AccessMode::Read)),
                "/site/content/a.md",
            ),
        ];
        assert_eq!(change(&events), None);
    }

    #[test]
    fn the_configuration_and_whole_folders_count() {
        let events = [
            (WRITTEN, "/site/site.toml"),
            (EventKind::Create(CreateKind::Folder), "/site/templates"),
            (WRITTEN, "/site/static/.well-known/x"),
        ];
        assert_eq!(
            change(&events),
            Some(paths(&["site.toml", "static/.well-known/x", "templates"]))
        );
    }

    #[test]
    fn lost_events_mean_everything() {
        let mut batch = Batch::new(Path::new("/site"));
        batch.add(&Event::new(EventKind::Other).set_flag(Flag::Rescan));
        assert_eq!(batch.into_change(), Some(Change::Everything));
    }
}
