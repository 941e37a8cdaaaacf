//! Small sites and what is released of them, for the tests of writing.

use countersign::output::Manifest;
use countersign::source::Digest;
use countersign::write::Target;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

pub(crate) type Files<'a> = &'a [(&'a str, &'a str)];

pub(crate) fn site() -> TempDir {
    let site = TempDir::new().unwrap();
    for folder in ["content", "static", "templates"] {
        fs::create_dir(site.path().join(folder)).unwrap();
    }
    site
}

pub(crate) fn target_at(site: &Path, out: &str) -> Target {
    Target {
        site: site.to_owned(),
        out: site.join(out),
        release: site.join("public"),
        cache: Some(site.join(".countersign-cache")),
    }
}

pub(crate) fn target(site: &TempDir) -> Target {
    target_at(site.path(), "public")
}

/// Every file below a folder with its bytes, the manifest aside.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned();
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

pub(crate) fn of(files: Files) -> BTreeMap<String, Vec<u8>> {
    files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
        .collect()
}

pub(crate) fn released(site: &TempDir) -> BTreeMap<String, Vec<u8>> {
    let mut files = tree(&site.path().join("public"));
    let manifest = Manifest::parse(&files.remove("manifest.json").unwrap()).unwrap();
    for (path, digest) in &manifest.files {
        assert_eq!(Digest::of(&files[path.as_str()]), *digest, "{path}");
    }
    files
}

/// Sets of files in which pages come, go and change, files become folders, and folders files.
pub(crate) const MANY: [Files; 7] = [
    &[
        ("index.html", "1"),
        ("a", "a"),
        ("b/c", "bc"),
        ("b/d/e", "e"),
    ],
    &[
        ("index.html", "2"),
        ("a/b", "ab"),
        ("b/c", "bc"),
        ("b/d/e", "e"),
    ],
    &[
        ("index.html", "2"),
        ("a/b", "ab"),
        ("b", "b"),
        ("x/y/z", "z"),
    ],
    &[("index.html", "2")],
    &[
        ("index.html", "2"),
        ("a", "a"),
        ("b/c", "new"),
        ("b/d/e", "e"),
    ],
    &[
        ("index.html", "3"),
        ("a", "a"),
        ("b/c", "new"),
        ("b/d/e", "e"),
    ],
    &[
        ("index.html", "3"),
        ("a", "a"),
        ("b/c", "new"),
        ("b/d/e", "f"),
        ("b/d/g", "g"),
    ],
];

pub(crate) fn spare(site: &TempDir) -> Option<PathBuf> {
    let cache = fs::read_dir(site.path().join(".countersign-cache")).unwrap();
    let paths = cache.map(|entry| entry.unwrap().path());
    paths
        .into_iter()
        .find(|path| path.to_str().unwrap().ends_with("-spare"))
}

/// Long enough for the times of folders to tell one change from the next.
pub(crate) fn settle() {
    std::thread::sleep(Duration::from_millis(30));
}

/// A disk of one megabyte, if this user may make one.
pub(crate) struct SmallDisk(pub(crate) PathBuf);

impl SmallDisk {
    pub(crate) fn mount(at: &Path) -> Option<Self> {
        fs::create_dir_all(at).unwrap();
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
            .arg(at)
            .stderr(Stdio::null());
        mount
            .status()
            .is_ok_and(|status| status.success())
            .then(|| Self(at.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
