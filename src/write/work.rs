//! The work folder beside the release, and the lock that keeps two builds apart.
//!
//! `.NAME.countersign/` stands beside the release, so that both are on one file system and can
//! change places in one step. It holds `lock`, and while a build runs `new` (what is being
//! written; after the exchange, the release before). All of it may be deleted when no build runs.

use super::error::WriteError;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// How often the lock is tried while builds before this one remove theirs.
const LOCK_ATTEMPTS: usize = 100;

/// The work folder of one release, locked for this process until dropped.
#[derive(Debug)]
pub(super) struct Work {
    folder: PathBuf,
    lock: File,
}

impl Work {
    /// Makes the folder and takes the lock.
    pub(super) fn open(out: &Path) -> Result<Self, WriteError> {
        let folder = folder_of(out);
        let path = folder.join("lock");
        for _ in 0..LOCK_ATTEMPTS {
            fs::create_dir_all(&folder).map_err(WriteError::io("create the folder", &folder))?;
            let opened = OpenOptions::new()
                .create(true)
                .truncate(false)
                .read(true)
                .write(true)
                .open(&path);
            let mut lock = match opened {
                Ok(lock) => lock,
                // The build before has just removed the folder.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(WriteError::io("open the lock", &path)(error)),
            };
            match lock.try_lock() {
                Ok(()) if is_at(&lock, &path) => {
                    // For the message to whoever comes second; the lock itself is the system's.
                    let _ = lock.set_len(0);
                    let _ = write!(lock, "{}", std::process::id());
                    return Ok(Self { folder, lock });
                }
                // Locked, but the build before removed the file meanwhile: take the new one.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let process = read_process(&mut lock);
                    let out = out.to_owned();
                    return Err(WriteError::Busy { out, process });
                }
                Err(TryLockError::Error(error)) => {
                    return Err(WriteError::io("lock", &path)(error));
                }
            }
        }
        Err(WriteError::Busy {
            out: out.to_owned(),
            process: None,
        })
    }

    /// What is being written; after an exchange, the release before.
    pub(super) fn new_folder(&self) -> PathBuf {
        self.folder.join("new")
    }

    /// A tree from the cache that is being made the new release. Nothing of it is worth keeping.
    pub(super) fn spare_folder(&self) -> PathBuf {
        self.folder.join("spare")
    }

    /// What was written, once a tree from the cache has it too. Nothing of it is worth keeping.
    pub(super) fn written_folder(&self) -> PathBuf {
        self.folder.join("written")
    }

    /// The release before, on systems that cannot exchange two folders in one step.
    pub(super) fn old_folder(&self) -> PathBuf {
        self.folder.join("old")
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // The lock's file goes while the lock is held, so that nobody holds a lock on a file that
        // the next build does not see. A folder that is not empty stays for the next build.
        let _ = fs::remove_file(self.folder.join("lock"));
        let _ = fs::remove_dir(&self.folder);
        let _ = self.lock.unlock();
    }
}

fn folder_of(out: &Path) -> PathBuf {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!(".{name}.countersign"))
}

/// Whether the open file is still the one at the path.
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(at)) => super::tree::is_same(&open, &at),
        _ => false,
    }
}

fn read_process(lock: &mut File) -> Option<u32> {
    let mut text = String::new();
    lock.rewind().ok()?;
    lock.take(20).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
