//! Single files that a command writes: whole, or not at all.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A file beside its place, whole and on disk, so that only a rename is left to do.
pub(super) fn stage(path: &Path, text: &str) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".countersign-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Readable as any other file of the site; the process's mask takes its part away.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}
