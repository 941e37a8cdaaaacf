//! What is remembered from one build to the next: drawings and cards by the digest of what they
//! were made from, and how a release's files looked.
//!
//! The folder may be deleted at any time, and nothing in it is trusted: each value stands with the
//! digest of its key and its own bytes, and one that does not have it counts as absent. Reading or writing
//! never fails a build. A link in the folder's place is no cache, since whoever can put one into a site
//! could have a build write, move and remove what lies outside.

use super::tree;
use crate::source::{Digest, Hasher};
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// The folder's name, in the site's folder.
pub const CACHE_NAME: &str = ".countersign-cache";

/// The length of a digest, in bytes.
const DIGEST_BYTES: usize = 32;

/// So much of a record is written in one go.
const PART_BYTES: usize = 256 << 10;

/// The room of a line, as it is in most cases.
const LINE_BYTES: usize = 512;

/// A cache folder. Made when something is first put.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    /// Whether a folder stands there, or can be made there.
    is_usable: bool,
}

impl Cache {
    /// The cache in this folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self {
            is_usable: is_folder_or_nothing(&folder),
            folder,
        }
    }

    /// Whether releases of `out` may be made with it: nothing that is moved in or out is a link.
    pub(super) fn is_sound(&self, out: &Path) -> bool {
        self.is_usable && is_folder_or_nothing(&self.spare(out))
    }

    /// The bytes that were made from what has the digest `key`.
    pub fn get(&self, key: &Digest) -> Option<Vec<u8>> {
        self.value(&self.path(key), key)
    }

    /// Remembers the bytes that were made from what has the digest `key`. The key must cover all
    /// that they depend on, the program's version included.
    pub fn put(&self, key: &Digest, bytes: &[u8]) {
        let digest = bound(key, bytes);
        self.write(&self.path(key), [digest.bytes(), bytes]);
    }

    /// How the files of a release looked, as the writer put it.
    pub(super) fn stamps(&self, out: &Path) -> Option<String> {
        self.text(&self.stamps_path(out))
    }

    pub(super) fn put_stamps<P: AsRef<[u8]>>(
        &self,
        out: &Path,
        parts: impl IntoIterator<Item = P>,
    ) {
        self.write(&self.stamps_path(out), parts);
    }

    /// What the last build of a release came to, as the writer put it.
    pub(super) fn said(&self, out: &Path) -> Option<String> {
        self.text(&self.of_release("said", out))
    }

    pub(super) fn put_said(&self, out: &Path, text: &str) {
        self.write(&self.of_release("said", out), [text]);
    }

    /// What the pages of a release were made from, as the writer put it.
    pub(super) fn pages(&self, out: &Path) -> Option<String> {
        self.text(&self.of_release("pages", out))
    }

    pub(super) fn put_pages<P: AsRef<[u8]>>(&self, out: &Path, parts: impl IntoIterator<Item = P>) {
        self.write(&self.of_release("pages", out), parts);
    }

    /// What later builds of a release are to know, as bytes under a name.
    pub(super) fn known(&self, what: &str, out: &Path) -> Option<Vec<u8>> {
        self.value(&self.of_release(what, out), &Digest::of(what))
    }

    pub(super) fn put_known(&self, what: &str, out: &Path, bytes: &[u8]) {
        let digest = bound(&Digest::of(what), bytes);
        self.write(&self.of_release(what, out), [digest.bytes(), bytes]);
    }

    /// Where the tree is kept that the next release of `out` can be made from.
    pub(super) fn spare(&self, out: &Path) -> PathBuf {
        self.of_release("spare", out)
    }

    /// How the files of the spare tree looked.
    pub(super) fn spare_stamps(&self, out: &Path) -> Option<String> {
        self.text(&self.of_release("spare-stamps", out))
    }

    /// What was the record of the release is from now on that of the spare tree.
    pub(super) fn retire_stamps(&self, out: &Path) {
        // Without the record the tree is of no use, and is removed when it is next looked at.
        let _ = fs::rename(self.stamps_path(out), self.of_release("spare-stamps", out));
    }

    fn stamps_path(&self, out: &Path) -> PathBuf {
        self.of_release("stamps", out)
    }

    fn of_release(&self, what: &str, out: &Path) -> PathBuf {
        let name = Digest::of(out.as_os_str().as_encoded_bytes()).short();
        self.folder.join(format!("release-{name}-{what}"))
    }

    fn path(&self, key: &Digest) -> PathBuf {
        // Two digits make a folder, so that none holds tens of thousands of files.
        let hex = key.hex();
        let (folder, name) = hex.split_at(2);
        self.folder.join(folder).join(name)
    }

    fn text(&self, path: &Path) -> Option<String> {
        let text = self.is_usable.then(|| tree::read(path))?;
        String::from_utf8(text.ok()?).ok()
    }

    fn value(&self, path: &Path, key: &Digest) -> Option<Vec<u8>> {
        self.is_usable.then(|| read(path, key)).flatten()
    }

    /// Writes aside and renames, so that two builds at once never read half a value.
    fn write<P: AsRef<[u8]>>(&self, path: &Path, parts: impl IntoIterator<Item = P>) {
        let Some(parent) = path.parent().filter(|_| self.is_usable) else {
            return;
        };
        let made = match fs::symlink_metadata(parent) {
            Ok(metadata) => metadata.is_dir(),
            Err(error) => error.kind() == ErrorKind::NotFound && self.make(parent).is_ok(),
        };
        if made {
            let _ = tempfile::NamedTempFile::new_in(parent).and_then(|mut file| {
                for part in parts {
                    file.write_all(part.as_ref())?;
                }
                file.persist(path)?;
                Ok(())
            });
        }
    }

    /// Makes a folder in the cache.
    fn make(&self, folder: &Path) -> std::io::Result<()> {
        self.mark()?;
        fs::create_dir_all(folder)
    }

    /// Makes the folder, with the file that keeps it out of backups and version control.
    fn mark(&self) -> std::io::Result<()> {
        if self.folder.is_dir() {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)?;
        fs::write(self.folder.join(".gitignore"), "*\n")?;
        fs::write(
            self.folder.join("CACHEDIR.TAG"),
            "Signature: 8a477f597d28d172789f06886806bc55\n# This folder may be deleted at any time; the next build makes it again.\n",
        )
    }
}

/// Whether a path is that of a folder which is no link, or nothing is there yet.
pub fn is_folder_or_nothing(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(metadata) => metadata.is_dir(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}

/// The lines of items, many to a part: the record of a large release has megabytes.
pub(super) fn in_parts<T>(
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(T, &mut String),
) -> impl Iterator<Item = String> {
    let mut items = items.peekable();
    std::iter::from_fn(move || {
        items.peek()?;
        let mut part = String::with_capacity(PART_BYTES + LINE_BYTES);
        while part.len() < PART_BYTES
            && let Some(item) = items.next()
        {
            write(item, &mut part);
        }
        Some(part)
    })
}

/// A value with the digest of its key and bytes before it; `None` for one that is damaged.
fn read(path: &Path, key: &Digest) -> Option<Vec<u8>> {
    let mut stored = tree::read(path).ok()?;
    let (digest, bytes) = stored.split_at_checked(DIGEST_BYTES)?;
    if bound(key, bytes).bytes() != digest {
        return None;
    }
    stored.drain(..DIGEST_BYTES);
    Some(stored)
}

/// The digest of a value together with its key: under the name of another it does not hold.
fn bound(key: &Digest, bytes: &[u8]) -> Digest {
    Hasher::new().field(key.bytes()).field(bytes).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_damaged_is_absent() {
        let folder = tempfile::TempDir::new().unwrap();
        let cache = Cache::new(folder.path().join("cache"));
        let key = Digest::of("key");
        assert_eq!(cache.get(&key), None);
        cache.put(&key, b"drawing");
        assert_eq!(cache.get(&key).as_deref(), Some(&b"drawing"[..]));
        assert_eq!(cache.get(&Digest::of("other")), None);

        let path = cache.path(&key);
        let mut stored = fs::read(&path).unwrap();
        *stored.last_mut().unwrap() ^= 1;
        fs::write(&path, &stored).unwrap();
        assert_eq!(cache.get(&key), None);
        fs::write(&path, b"short").unwrap();
        assert_eq!(cache.get(&key), None);
        let other = Digest::of("other");
        cache.put(&other, b"another drawing");
        fs::copy(cache.path(&other), &path).unwrap();
        assert_eq!(cache.get(&key), None, "it stands under another's name");
        cache.put(&key, b"");
        assert_eq!(cache.get(&key).as_deref(), Some(&b""[..]));
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_empty() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        let cache = Cache::new(&file);
        cache.put(&Digest::of("key"), b"drawing");
        assert_eq!(cache.get(&Digest::of("key")), None);
    }

    #[cfg(unix)]
    #[test]
    fn nothing_goes_through_a_link() {
        let folder = tempfile::TempDir::new().unwrap();
        let outside = folder.path().join("outside");
        fs::create_dir(&outside).unwrap();
        let key = Digest::of("key");
        // What another site remembers there is not read either.
        Cache::new(&outside).put(&key, b"drawing");
        let before = fs::read_dir(&outside).unwrap().count();
        let link = folder.path().join("cache");
        std::os::unix::fs::symlink(&outside, &link).unwrap();
        let cache = Cache::new(&link);
        assert_eq!(cache.get(&key), None);
        cache.put(&Digest::of("other"), b"another drawing");
        cache.put_said(folder.path(), "said");
        assert_eq!(cache.said(folder.path()), None);
        assert_eq!(fs::read_dir(&outside).unwrap().count(), before);

        fs::remove_file(&link).unwrap();
        let cache = Cache::new(&link);
        fs::create_dir(&link).unwrap();
        let parent = cache.path(&key);
        let parent = parent.parent().unwrap();
        std::os::unix::fs::symlink(folder.path(), parent).unwrap();
        let before = fs::read_dir(folder.path()).unwrap().count();
        cache.put(&key, b"drawing");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before);
    }
}
