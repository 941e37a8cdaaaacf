//! The files of a site before they are read.

use super::fault::Fault;
use super::held::{Files, Held, read_unread};
use super::known::{Known, KnownFile};
use super::walk::{self, Found};
use super::{CONFIG_NAME, FILE_MAX_BYTES, LoadError, SITE_MAX_BYTES};
use crate::diagnostic::{Diagnostics, rule};
use crate::output::Addresses;
use crate::source::{Digest, Sources};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The files of a site as they were found. Each is read when it is first asked for, and once.
#[derive(Debug)]
pub struct Glance {
    root: PathBuf,
    /// The moment before the first file was found.
    began: SystemTime,
    files: Files,
}

/// Finds the files of the site at `root` and reads none.
///
/// # Errors
/// The folder cannot be read, or has no `site.toml`.
pub fn glance(root: &Path) -> Result<Glance, LoadError> {
    let began = SystemTime::now();
    let mut found = match walk::walk(root) {
        Ok(found) => found,
        Err(error) => return Err(LoadError::Unreadable(root.to_owned(), error)),
    };
    if !found.contains_key(CONFIG_NAME) {
        return Err(LoadError::NoSite(root.to_owned()));
    }
    bound_total(&mut found, SITE_MAX_BYTES);
    let files = found.into_iter();
    Ok(Glance {
        root: root.to_owned(),
        began,
        files: files
            .map(|(path, found)| (path.into(), found.into()))
            .collect(),
    })
}

impl Glance {
    /// The paths of all files in their order, those that cannot be taken included.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(|path| &**path)
    }

    /// How many of the files were read so far.
    pub fn count_read(&self) -> usize {
        self.files.values().filter(|held| held.is_read()).count()
    }

    /// Reads the files whose paths are wanted. The findings are those of the files one by one; the
    /// others of the site are left out, and so is what is found of files together.
    pub fn some(&mut self, wanted: impl Fn(&str) -> bool) -> (Sources, Diagnostics) {
        let files = self.files.iter_mut().filter(|(path, _)| wanted(path));
        read_unread(&self.root, files);
        let (mut sources, mut findings) = <(Sources, Diagnostics)>::default();
        for (path, held) in self.files.iter().filter(|(path, _)| wanted(path)) {
            held.add(path, &mut sources, &mut findings);
        }
        (sources, findings)
    }

    /// Reads the whole site.
    pub fn site(&mut self) -> (Sources, Diagnostics) {
        let (sources, mut findings) = self.some(|_| true);
        let _ = Addresses::of_copied(&sources, &mut findings);
        (sources, findings)
    }

    /// What is known of every file: of one that stands as it stood `before`, the digest of then;
    /// the others are read. `None` if one of them cannot be taken.
    pub fn known(&mut self, before: &Known) -> Option<Known> {
        if self.files.values().any(|held| !held.faults.is_empty()) {
            return None;
        }
        let recognised = self.recognise(before);
        let files = self.files.iter_mut().zip(&recognised);
        let files = files.filter_map(|(file, raw)| raw.is_none().then_some(file));
        read_unread(&self.root, files);
        let files = self.files.iter().zip(recognised);
        let files = files.map(|((path, held), raw)| {
            Some(KnownFile {
                path: Arc::clone(path),
                stamp: held.stamp.filter(|stamp| stamp.is_settled(self.began)),
                raw: raw.or_else(|| held.raw())?,
            })
        });
        Some(Known::new(files.collect::<Option<_>>()?))
    }

    /// For each file its digest of before, if it is not read yet and stands as it stood.
    fn recognise(&self, before: &Known) -> Vec<Option<Digest>> {
        let mut before = before.files().iter().peekable();
        let recognise = |(path, held): (&Arc<str>, &Held)| {
            while before.next_if(|file| file.path < *path).is_some() {}
            let file = before.next_if(|file| file.path == *path)?;
            let is_same = file.is_stamped() && file.stamp == held.stamp;
            (is_same && held.is_unread()).then_some(file.raw)
        };
        self.files.iter().map(recognise).collect()
    }

    /// Takes over from `before` what was read of files that stand as they were then.
    pub(super) fn keep(&mut self, mut before: Files) {
        for (path, held) in &mut self.files {
            let was = before.remove(path);
            if let Some(was) = was.filter(|was| held.is_unread() && was.stamp == held.stamp) {
                *held = was;
            }
        }
    }

    /// Reads everything, and gives the files.
    pub(super) fn into_files(mut self) -> Files {
        read_unread(&self.root, self.files.iter_mut());
        self.files
    }
}

/// Refuses the files with which all together would come to more than `limit_bytes`; the first of
/// them has the finding.
fn bound_total(found: &mut BTreeMap<String, Found>, limit_bytes: u64) {
    let mut total_bytes = 0;
    let mut is_told = false;
    found.retain(|path, found| {
        let Found::File(stamp) = found else {
            return true;
        };
        // A file over the limit of one file is refused for itself; nothing goes without settings.
        if stamp.length_bytes > FILE_MAX_BYTES || path == CONFIG_NAME {
            return true;
        }
        total_bytes += stamp.length_bytes;
        if total_bytes <= limit_bytes {
            return true;
        }
        if is_told {
            return false;
        }
        is_told = true;
        *found = Found::Refused(site_too_large(limit_bytes));
        true
    });
}

fn site_too_large(limit_bytes: u64) -> Fault {
    let message = format!(
        "with this file, those of the site come to more than {limit_bytes} bytes; from here on nothing is read"
    );
    Fault::new(rule::TOO_LARGE, message).help("Host large files elsewhere and link to them.")
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use super::super::Changes;
    use super::super::stamp::Stamp;
    use super::*;

    /// A site of three files, as if it were looked at long after it was made.
    #[cfg(unix)]
    fn later(root: &Path) -> Glance {
        let mut glance = glance(root).unwrap();
        glance.began += std::time::Duration::from_mins(1);
        glance
    }

    #[cfg(unix)]
    fn three_files() -> tempfile::TempDir {
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::create_dir(folder.path().join("static")).unwrap();
        for path in [CONFIG_NAME, "static/a", "static/b"] {
            std::fs::write(folder.path().join(path), path).unwrap();
        }
        folder
    }

    #[cfg(unix)]
    #[test]
    fn what_stands_as_it_stood_is_not_read() {
        let folder = three_files();
        let mut first = later(folder.path());
        assert_eq!(first.count_read(), 0);
        let before = first.known(&Known::default()).unwrap();
        assert_eq!((first.count_read(), before.count_stamped()), (3, 3));
        let mut again = later(folder.path());
        assert_eq!(again.known(&before).unwrap(), before);
        assert_eq!(again.count_read(), 0);
        // What was read already is known from its bytes, whatever was known before.
        again.some(|path| path == "static/a");
        assert_eq!(again.count_read(), 1);
        assert_eq!(again.known(&before).unwrap(), before);

        let other = tempfile::NamedTempFile::new_in(folder.path()).unwrap();
        std::fs::write(other.path(), "static/c").unwrap();
        other.persist(folder.path().join("static/b")).unwrap();
        std::fs::write(folder.path().join("static/c"), "c").unwrap();
        std::fs::remove_file(folder.path().join("static/a")).unwrap();
        let mut edited = later(folder.path());
        let now = edited.known(&before).unwrap();
        assert_eq!(edited.count_read(), 2);
        let changes = now.changes_since(&before);
        assert_eq!(changes.changed, ["static/b".into()]);
        assert_eq!(changes.came, ["static/c".into()]);
        assert_eq!(changes.gone, ["static/a".into()]);
        assert_eq!(now.changes_since(&now), Changes::default());
    }

    #[cfg(unix)]
    #[test]
    fn what_changed_just_now_is_read_again() {
        let folder = three_files();
        let before = glance(folder.path()).unwrap().known(&Known::default());
        let before = before.unwrap();
        assert_eq!(before.count_stamped(), 0);
        let mut again = glance(folder.path()).unwrap();
        assert_eq!(again.known(&before).unwrap(), before);
        assert_eq!(again.count_read(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn a_site_with_a_file_that_cannot_be_taken_is_not_known() {
        let folder = three_files();
        std::os::unix::fs::symlink("nowhere", folder.path().join("static/dead")).unwrap();
        assert_eq!(later(folder.path()).known(&Known::default()), None);
        std::fs::remove_file(folder.path().join("static/dead")).unwrap();
        std::fs::write(folder.path().join(CONFIG_NAME), b"\xff").unwrap();
        assert_eq!(later(folder.path()).known(&Known::default()), None);
    }

    #[test]
    fn a_site_is_read_up_to_its_limit() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(40).unwrap();
        let stamp = Stamp::of(&file.metadata().unwrap());
        let mut found: BTreeMap<_, _> = ["a", "b", "c", "d"]
            .map(|path| (path.to_owned(), Found::File(stamp)))
            .into();
        bound_total(&mut found, 100);
        let kinds: Vec<_> = found
            .iter()
            .map(|(path, found)| (path.as_str(), matches!(found, Found::File(_))))
            .collect();
        assert_eq!(kinds, [("a", true), ("b", true), ("c", false)]);
    }
}
