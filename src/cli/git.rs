//! What git knows: where the work tree begins, and files as another revision has them.

use super::Failure;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The path from the root of the git work tree to `folder`, with forward slashes and one at the
/// end; empty at the root itself and outside of git.
pub(super) fn prefix(folder: &Path) -> String {
    let root = folder.ancestors().find(|above| above.join(".git").exists());
    let inner = root.and_then(|root| folder.strip_prefix(root).ok());
    let names = inner.into_iter().flat_map(Path::components);
    let mut prefix = String::new();
    for name in names {
        prefix.push_str(&name.as_os_str().to_string_lossy());
        prefix.push('/');
    }
    prefix
}

/// A revision that is there.
#[derive(Debug)]
pub(super) struct Revision<'a> {
    folder: &'a Path,
    commit: String,
}

impl<'a> Revision<'a> {
    /// Finds a revision of the repository that `folder` lies in.
    pub(super) fn find(folder: &'a Path, name: &str) -> Result<Self, Failure> {
        let inside = git(folder, &["rev-parse", "--is-inside-work-tree"])?;
        if !inside.status.success() {
            return Err(Failure::new(format!(
                "--trust-from {name}: {} lies in no git work tree\n{}",
                folder.display(),
                told(&inside)
            )));
        }
        let commit = format!("{name}^{{commit}}");
        let arguments = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &commit,
        ];
        let found = git(folder, &arguments)?;
        if !found.status.success() {
            return Err(missing(folder, name)?);
        }
        let commit = String::from_utf8_lossy(&found.stdout).trim().to_owned();
        Ok(Self { folder, commit })
    }

    /// The bytes of a file, by its path from the folder; `None` where the revision has none.
    pub(super) fn file(&self, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        let listed = git(self.folder, &["ls-tree", "-z", &self.commit, "--", path])?;
        let listing = succeed(&listed)?;
        if listing.is_empty() {
            return Ok(None);
        }
        let regular = listing.starts_with(b"100");
        if !regular {
            return Err(Failure::new(format!(
                "{path} is no regular file in the revision {}",
                self.commit
            )));
        }
        // By its path below the folder, and as it is stored: no filter of the change's own
        // attributes has a say.
        let object = format!("{}:./{path}", self.commit);
        let shown = git(self.folder, &["cat-file", "blob", &object])?;
        Ok(Some(succeed(&shown)?.to_vec()))
    }
}

fn missing(folder: &Path, name: &str) -> Result<Failure, Failure> {
    let shallow = git(folder, &["rev-parse", "--is-shallow-repository"])?;
    let help = if shallow.stdout.starts_with(b"true") {
        "this clone is shallow: fetch that revision first, or clone the whole history \
         (`fetch-depth: 0` in GitHub Actions, `GIT_DEPTH: 0` in GitLab)"
    } else {
        "fetch it first, or correct its name: a commit, a branch such as `origin/main`, or a tag"
    };
    Ok(Failure::new(format!(
        "--trust-from {name}: the repository has no such revision\nhelp: {help}"
    )))
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Output, Failure> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::new(format!("git cannot be run: {error}")))
}

fn succeed(output: &Output) -> Result<&[u8], Failure> {
    if output.status.success() {
        return Ok(&output.stdout);
    }
    Err(Failure::new(told(output)))
}

/// What git itself says of a failure.
fn told(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().find(|line| !line.trim().is_empty());
    format!("git says: {}", said.unwrap_or("nothing"))
}
