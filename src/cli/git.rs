//! What git knows: where the work tree begins, and files as another revision has them. Every
//! command that asks git asks here.

use super::Failure;
use std::io::Write as _;
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
        let listing = printed(listed).map_err(Failure::new)?;
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
        printed(shown).map(Some).map_err(Failure::new)
    }
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Output, Failure> {
    run(folder, arguments, &[]).map_err(Failure::new)
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

/// Runs git on a folder. Nothing is fetched, locked or asked for behind the person's back.
pub(super) fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> Result<Output, String> {
    let mut child = Command::new("git")
        .arg("-C")
        .arg(folder)
        .arg("--literal-pathspecs")
        .args(arguments)
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("git cannot be run ({error})"))?;
    let stdin = child.stdin.take();
    // Written and read at once, so that neither side waits for the other for ever.
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        child.wait_with_output()
    })
    .map_err(|error| format!("git's answer cannot be read ({error})"))
}

/// What git printed, or what it said of its failure.
pub(super) fn printed(output: Output) -> Result<Vec<u8>, String> {
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(told(&output))
}

/// What git itself says of a failure.
fn told(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().find(|line| !line.trim().is_empty());
    format!("git says: {}", said.unwrap_or("nothing"))
}
