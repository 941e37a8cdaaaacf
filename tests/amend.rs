//! Releases of which a few files change: the same as those that a full build leaves, to the byte, and
//! never anything else, whoever kills the build, fills the disk or changes the release by hand.
#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

#[path = "support/released.rs"]
mod released;

use countersign::output::{
    EntryDigests, MadeFrom, Manifest, OutputPath, Preview, Proof, Sink as _,
};
use countersign::source::Digest;
use countersign::write::{self, Report, Standing, Target, WriteError, standing};
use released::*;
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

fn path(text: &str) -> OutputPath {
    OutputPath::new(text).unwrap()
}

/// What a page with one file was made from: by its text alone, under one of two proofs.
fn from(name: &str, text: &str) -> MadeFrom {
    MadeFrom {
        key: Digest::of(text),
        proof: Digest::of([(name.len() + text.len()).is_multiple_of(2).into()]),
        files: vec![path(name)],
    }
}

fn id(name: &str) -> Arc<str> {
    name.replace(['/', '.'], "-").into()
}

fn digests(text: &str) -> EntryDigests {
    EntryDigests {
        claims: Digest::of(text),
        freshness: Digest::of(text.len().to_string()),
    }
}

/// A full build in which each file is a page and an entry.
fn build(target: &Target, files: Files) -> Report {
    let staging = write::release(target).unwrap();
    for (name, text) in files {
        assert!(
            staging
                .put(&path(name), text.as_bytes().to_vec())
                .is_continue()
        );
        staging.made((*name).into(), from(name, text));
    }
    let entries = files.iter().map(|(name, text)| (id(name), digests(text)));
    staging.commit(entries.collect()).unwrap()
}

/// The same by changes to a release that holds other files.
fn amend(standing: Standing, old: Files, new: Files) -> Result<Report, WriteError> {
    let mut entries = BTreeMap::new();
    for (name, _) in old
        .iter()
        .filter(|(name, _)| new.iter().all(|new| new.0 != *name))
    {
        standing.remove(&path(name));
        standing.forget((*name).into());
        entries.insert(id(name), None);
    }
    for (place, (name, text)) in new.iter().filter(|file| !old.contains(file)).enumerate() {
        let bytes = text.as_bytes();
        let _ = if place % 2 == 0 {
            standing.put(&path(name), bytes.to_vec())
        } else {
            standing.put_parts(&path(name), &mut bytes.chunks(1).map(<[u8]>::to_vec))
        };
        standing.made((*name).into(), from(name, text));
        entries.insert(id(name), Some(digests(text)));
    }
    standing.commit(&entries)
}

/// A file of the cache.
fn cached(site: &TempDir, ending: &str) -> Option<PathBuf> {
    let cache = fs::read_dir(site.path().join(".countersign-cache")).ok()?;
    let mut paths = cache.map(|entry| entry.unwrap().path());
    // The name of the release stands between, always as long.
    let prefix = "release-01234567".len();
    paths.find(|path| path.file_name().unwrap().to_str().unwrap().get(prefix..) == Some(ending))
}

/// Nothing is left to do for a full build of what was just amended, and it comes to the same as one
/// in an empty folder.
fn assert_is_built(site: &TempDir, files: Files, what: &str) {
    assert_eq!(released(site), of(files), "{what}");
    let fresh = self::site();
    build(&target(&fresh), files);
    let public = |site: &TempDir| tree(&site.path().join("public"));
    assert!(public(site) == public(&fresh), "{what}: another manifest");
    let pages = |site: &TempDir| fs::read_to_string(cached(site, "-pages").unwrap()).unwrap();
    assert_eq!(pages(site), pages(&fresh), "{what}");
    assert!(!site.path().join(".public.countersign").exists());
}

fn counts(report: &Report) -> (usize, usize, usize, usize, Digest) {
    let Report {
        written,
        kept,
        removed,
        foreign,
        ..
    } = report;
    (*written, *kept, *removed, *foreign, report.manifest)
}

#[test]
fn an_amended_release_is_what_a_full_build_leaves() {
    for is_settled in [true, false] {
        for has_spare in [true, false] {
            let site = site();
            let mut old = MANY[0];
            build(&target(&site), old);
            let mut used = 0;
            for round in 1..3 * MANY.len() {
                let what = format!("settled {is_settled}, spare {has_spare}, round {round}");
                if is_settled {
                    settle();
                }
                match spare(&site) {
                    Some(spare) if !has_spare => fs::remove_dir_all(spare).unwrap(),
                    Some(_) => used += 1,
                    None => {}
                }
                let new = MANY[round * 3 % MANY.len()];
                let other = self::site();
                build(&target(&other), old);
                let expected = build(&target(&other), new);
                let standing = standing(&target(&site)).unwrap().expect(&what);
                assert_eq!(
                    *standing.manifest(),
                    Digest::of(fs::read(site.path().join("public/manifest.json")).unwrap())
                );
                let report = amend(standing, old, new).unwrap();
                assert_eq!(counts(&report), counts(&expected), "{what}");
                assert_is_built(&site, new, &what);
                assert!(spare(&site).is_some(), "{what}");
                // Now and then a full build comes between.
                if round % 4 == 0 {
                    assert_eq!(build(&target(&site), new).written, 0, "{what}");
                }
                old = new;
            }
            assert!(used > MANY.len() || !has_spare);
        }
    }
}

#[test]
fn a_tree_that_is_used_again_keeps_what_is_the_same() {
    let site = site();
    let versions: [Files; 2] = [
        &[("a/b", "1"), ("c/d", "x"), ("e", "y")],
        &[("a/b", "2"), ("c/d", "x"), ("e", "y")],
    ];
    build(&target(&site), versions[0]);
    settle();
    build(&target(&site), versions[1]);
    settle();
    let spare = spare(&site).unwrap();
    let inode = |path: &Path| std::os::unix::fs::MetadataExt::ino(&fs::metadata(path).unwrap());
    let folders = ["", "a", "c"].map(|folder| inode(&spare.join(folder)));
    let standing = standing(&target(&site)).unwrap().unwrap();
    amend(standing, versions[1], versions[0]).unwrap();
    let public = site.path().join("public");
    assert_eq!(
        ["", "a", "c"].map(|folder| inode(&public.join(folder))),
        folders
    );
    assert_is_built(&site, versions[0], "back again");
}

const FILES: Files = &[
    ("index.html", "home"),
    ("style.css", "a{}"),
    ("terms/warp/index.html", "warp"),
    ("terms/weft/index.html", "weft"),
];
const OTHER: Files = &[
    ("index.html", "home 2"),
    ("style.css", "a{}"),
    ("terms/warp/index.html", "warp"),
    ("terms/yarn/index.html", "yarn"),
];

type Change<'a> = (&'a str, &'a dyn Fn(&TempDir));

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

fn public(site: &TempDir, path: &str) -> PathBuf {
    site.path().join("public").join(path)
}

/// What makes a release one that does not stand as it was left.
const CHANGES: [Change; 19] = [
    ("no release", &|site| {
        fs::remove_dir_all(public(site, "")).unwrap();
    }),
    ("no manifest", &|site| {
        fs::remove_file(public(site, "manifest.json")).unwrap();
    }),
    ("a manifest by hand", &|site| {
        edit(&public(site, "manifest.json"), "  ", " ");
    }),
    ("no cache", &|site| {
        fs::remove_dir_all(site.path().join(".countersign-cache")).unwrap();
    }),
    ("no stamps", &|site| {
        fs::remove_file(cached(site, "-stamps").unwrap()).unwrap();
    }),
    ("stamps of another", &|site| {
        let path = cached(site, "-stamps").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let (_, lines) = text.split_once('\n').unwrap();
        fs::write(&path, format!("{}\n{lines}", Digest::of("another"))).unwrap();
    }),
    ("empty stamps", &|site| {
        fs::write(cached(site, "-stamps").unwrap(), "").unwrap();
    }),
    ("stamps cut off", &|site| {
        let path = cached(site, "-stamps").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 1]).unwrap();
    }),
    ("a stamp less", &|site| {
        let path = cached(site, "-stamps").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines = text
            .split_inclusive('\n')
            .filter(|line| !line.ends_with("style.css\n"));
        fs::write(&path, lines.collect::<String>()).unwrap();
    }),
    ("no pages", &|site| {
        fs::remove_file(cached(site, "-pages").unwrap()).unwrap();
    }),
    ("pages by hand", &|site| {
        edit(&cached(site, "-pages").unwrap(), "style", "stile");
    }),
    ("another file", &|site| {
        fs::write(public(site, "style.css"), "b{}").unwrap();
    }),
    ("a longer file", &|site| {
        fs::write(public(site, "terms/warp/index.html"), "long warp").unwrap();
    }),
    ("no file", &|site| {
        fs::remove_file(public(site, "terms/warp/index.html")).unwrap();
    }),
    ("a folder for a file", &|site| {
        fs::remove_file(public(site, "style.css")).unwrap();
        fs::create_dir(public(site, "style.css")).unwrap();
    }),
    ("a link for a file", &|site| {
        fs::rename(public(site, "style.css"), site.path().join("style.css")).unwrap();
        std::os::unix::fs::symlink(site.path().join("style.css"), public(site, "style.css"))
            .unwrap();
    }),
    ("somebody's file", &|site| {
        fs::write(public(site, "CNAME"), "example.org").unwrap();
    }),
    ("somebody's file below", &|site| {
        fs::write(public(site, "terms/weft/note"), "mine").unwrap();
    }),
    ("somebody's folder", &|site| {
        fs::create_dir(public(site, "terms/loom")).unwrap();
    }),
];

#[test]
fn what_is_not_as_it_was_left_is_for_a_full_build() {
    for is_settled in [true, false] {
        for (what, change) in CHANGES {
            let site = site();
            build(&target(&site), OTHER);
            build(&target(&site), FILES);
            if is_settled {
                settle();
            }
            assert!(
                standing(&target(&site)).unwrap().is_some(),
                "before: {what}"
            );
            change(&site);
            let before = site.path().read_dir().unwrap().count();
            assert!(standing(&target(&site)).unwrap().is_none(), "{what}");
            assert_eq!(site.path().read_dir().unwrap().count(), before, "{what}");
        }
    }
    let site = site();
    let no_cache = Target {
        cache: None,
        ..target(&site)
    };
    assert!(standing(&no_cache).unwrap().is_none());
    build(&target(&site), FILES);
    assert!(standing(&no_cache).unwrap().is_none());
}

/// What somebody puts into a folder of a release, and how many files that is.
const ADDED: [(&str, &[&str], usize); 3] = [
    ("a file", &["note"], 1),
    ("an empty folder", &["loom/"], 0),
    ("a folder with files", &["loom/a", "loom/b/c", "note"], 3),
];

#[test]
fn what_came_since_is_moved_to_the_new_release_and_known_from_then_on() {
    for (what, added, files) in ADDED {
        let site = site();
        build(&target(&site), OTHER);
        build(&target(&site), FILES);
        settle();
        // Of the tree that is used again the folders are recorded.
        let standing = standing(&target(&site)).unwrap().unwrap();
        amend(standing, FILES, OTHER).unwrap();
        let at = |name: &str| public(&site, "terms/warp").join(name);
        let before = fs::metadata(at("")).unwrap().modified().unwrap();
        for name in added {
            if name.ends_with('/') {
                fs::create_dir(at(name)).unwrap();
                fs::set_permissions(at(name), Permissions::from_mode(0o700)).unwrap();
                continue;
            }
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), name).unwrap();
        }
        // As if nothing had come, or at a time that no stamp holds.
        let far = SystemTime::UNIX_EPOCH + Duration::from_hours(400 * 365 * 24);
        let modified = if files == 3 { far } else { before };
        fs::File::open(at(""))
            .unwrap()
            .set_modified(modified)
            .unwrap();
        let standing = write::standing(&target(&site)).unwrap();
        let report = amend(standing.expect(what), OTHER, FILES).unwrap();
        assert_eq!(report.foreign, files, "{what}");
        assert_eq!(report.left, [""; 0].map(PathBuf::from), "{what}");
        // A full build is told of it and keeps it too.
        for new in [OTHER, FILES] {
            for name in added {
                let text = fs::read_to_string(at(name)).unwrap_or_default();
                assert!(at(name).exists() && (name.ends_with('/') || text == *name));
                let mode = fs::metadata(at(name)).unwrap().permissions().mode();
                assert!(!name.ends_with('/') || mode & 0o777 == 0o700, "{mode:o}");
            }
            assert!(write::standing(&target(&site)).unwrap().is_none(), "{what}");
            assert_eq!(build(&target(&site), new).foreign, files, "{what}");
        }
    }
}

/// The line of a record that says how a folder looks now.
fn line_of_folder(at: &Path, path: &str) -> String {
    let now = fs::metadata(at).unwrap();
    let changed_ns = now.ctime() * 1_000_000_000 + now.ctime_nsec();
    format!("d {} {} 0 {changed_ns} {path}\n", now.dev(), now.ino())
}

#[test]
fn a_link_in_a_tree_leads_nowhere_whatever_the_record_says() {
    for is_amended in [true, false] {
        let site = site();
        let outside = TempDir::new().unwrap();
        build(&target(&site), OTHER);
        build(&target(&site), FILES);
        settle();
        let tree = spare(&site).unwrap();
        fs::rename(tree.join("terms"), outside.path().join("terms")).unwrap();
        let terms = outside.path().join("terms");
        fs::write(terms.join("warp/precious"), "precious").unwrap();
        std::os::unix::fs::symlink(&terms, tree.join("terms")).unwrap();
        let stamps = cached(&site, "-spare-stamps").unwrap();
        let text = fs::read_to_string(&stamps).unwrap();
        let files = text
            .split_inclusive('\n')
            .filter(|line| !line.starts_with("d "));
        let folders = [
            line_of_folder(&tree, ""),
            line_of_folder(&terms, "terms"),
            line_of_folder(&terms.join("warp"), "terms/warp"),
            line_of_folder(&terms.join("yarn"), "terms/yarn"),
        ];
        fs::write(
            &stamps,
            files.map(str::to_owned).chain(folders).collect::<String>(),
        )
        .unwrap();
        if is_amended {
            let standing = standing(&target(&site)).unwrap().unwrap();
            amend(standing, FILES, OTHER).unwrap();
        } else {
            build(&target(&site), OTHER);
        }
        assert_is_built(&site, OTHER, "a link");
        assert!(
            fs::symlink_metadata(public(&site, "terms"))
                .unwrap()
                .is_dir()
        );
        let precious = fs::read_to_string(terms.join("warp/precious")).unwrap();
        assert_eq!(precious, "precious");
    }
}

#[test]
fn what_lies_where_a_link_leads_stays_there() {
    let site = site();
    let outside = TempDir::new().unwrap();
    build(&target(&site), OTHER);
    build(&target(&site), FILES);
    let standing = standing(&target(&site)).unwrap().unwrap();
    let terms = outside.path().join("terms");
    fs::rename(public(&site, "terms"), &terms).unwrap();
    fs::write(terms.join("warp/precious"), "precious").unwrap();
    std::os::unix::fs::symlink(&terms, public(&site, "terms")).unwrap();
    let report = amend(standing, FILES, OTHER).unwrap();
    assert_eq!(released(&site), of(OTHER));
    // The link has no place in the release, and is not thrown away.
    assert!(
        matches!(&report.left[..], [link] if link.is_symlink()),
        "{report:?}"
    );
    let precious = fs::read_to_string(terms.join("warp/precious")).unwrap();
    assert_eq!(precious, "precious");
}

/// Fails if something is waited for.
fn at_once<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || send.send(work()));
    let made = receive.recv_timeout(Duration::from_mins(1));
    made.unwrap_or_else(|error| panic!("{what}: {error}"))
}

fn pipe(at: &Path) {
    let _ = fs::remove_file(at);
    assert!(Command::new("mkfifo").arg(at).status().unwrap().success());
}

#[test]
fn nobody_waits_at_a_pipe() {
    for record in ["-stamps", "-pages", "-spare-stamps"] {
        let site = site();
        build(&target(&site), OTHER);
        build(&target(&site), FILES);
        pipe(&cached(&site, record).unwrap());
        let (first, second) = (target(&site), target(&site));
        let found = at_once(record, move || {
            standing(&first).map(|found| found.is_some())
        });
        assert_eq!(found.unwrap(), record == "-spare-stamps", "{record}");
        at_once(record, move || build(&second, OTHER));
        assert_is_built(&site, OTHER, record);
    }
    let site = site();
    build(&target(&site), FILES);
    pipe(&public(&site, "terms/yarn"));
    let in_the_way = target(&site);
    let built = at_once("a page", move || {
        let staging = write::release(&in_the_way).unwrap();
        for (name, text) in OTHER {
            assert!(
                staging
                    .put(&path(name), text.as_bytes().to_vec())
                    .is_continue()
            );
        }
        staging.commit(BTreeMap::new())
    });
    assert!(matches!(built, Err(WriteError::InTheWay(_))), "{built:?}");
    fs::remove_file(public(&site, "terms/yarn")).unwrap();
    pipe(&public(&site, "manifest.json"));
    let (first, second) = (target(&site), target(&site));
    let found = at_once("manifest", move || {
        standing(&first).map(|found| found.is_some())
    });
    assert!(!found.unwrap());
    let refused = at_once("manifest", move || write::release(&second).is_err());
    assert!(refused);
}

#[test]
fn drafts_are_not_amended() {
    let site = site();
    let drafts = target_at(site.path(), "drafts");
    let staging = write::drafts(&drafts).unwrap();
    let sink: &dyn countersign::output::Sink<Preview> = &staging;
    let _ = sink.put(&path("a"), b"a".to_vec());
    sink.made("a".into(), from("a", "a"));
    staging.commit(BTreeMap::new()).unwrap();
    assert!(standing(&drafts).unwrap().is_none());
}

#[test]
fn folders_that_nobody_recorded_are_looked_through() {
    let site = site();
    build(&target(&site), FILES);
    let stamps = cached(&site, "-stamps").unwrap();
    let text = fs::read_to_string(&stamps).unwrap();
    let files = text
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("d "));
    fs::write(&stamps, files.collect::<String>()).unwrap();
    let standing = standing(&target(&site)).unwrap().unwrap();
    amend(standing, FILES, OTHER).unwrap();
    assert_is_built(&site, OTHER, "no folder was recorded");
}

#[test]
fn what_stands_is_read_and_known() {
    let site = site();
    build(&target(&site), FILES);
    let standing = standing(&target(&site)).unwrap().unwrap();
    let css = path("style.css");
    assert_eq!(standing.read(&css).as_deref(), Some(&b"a{}"[..]));
    assert_eq!(standing.read(&path("style")), None);
    assert_eq!(standing.read(&path("manifest.json")), None);
    assert_eq!(standing.files_of("style.css"), Some(vec![css.clone()]));
    assert_eq!(standing.files_of("style"), None);
    assert!(!standing.keep("style.css", &Digest::of("a{}"), &Anything));
    fs::write(public(&site, "style.css"), "b{}").unwrap();
    assert_eq!(standing.read(&css), None);
}

struct Anything;

impl Proof for Anything {
    fn digest(&self) -> Digest {
        Digest::of("anything")
    }
    fn holds(&self, _: &OutputPath, _: &[u8]) -> bool {
        true
    }
}

#[test]
fn where_nothing_changed_nothing_is_written() {
    let site = site();
    build(&target(&site), FILES);
    let before = fs::metadata(public(&site, "")).unwrap().modified().unwrap();
    let standing = standing(&target(&site)).unwrap().unwrap();
    let css = path("style.css");
    // The last word counts.
    for bytes in ["b{}", "a{}"] {
        standing.remove(&css);
        assert!(standing.put(&css, bytes.into()).is_continue());
    }
    standing.remove(&path("nowhere"));
    assert!(standing.put(&path("new/a"), b"new".to_vec()).is_continue());
    standing.remove(&path("new/a"));
    standing.made("style.css".into(), from("style.css", "other key"));
    let report = standing.commit(&BTreeMap::new()).unwrap();
    assert_eq!((report.written, report.kept, report.removed), (0, 4, 0));
    assert_eq!(
        fs::metadata(public(&site, "")).unwrap().modified().unwrap(),
        before
    );
    let staging = write::release(&target(&site)).unwrap();
    let proof = Anything;
    assert!(staging.keep("style.css", &Digest::of("other key"), &proof));
    assert!(!staging.keep("index.html", &Digest::of("other key"), &proof));
    drop(staging);

    // An entry's digests are in the manifest alone.
    let standing = write::standing(&target(&site)).unwrap().unwrap();
    let _ = standing.put(&path("new/a"), b"new".to_vec());
    standing.remove(&path("new/a"));
    let entries = BTreeMap::from([("loom".into(), Some(digests("loom")))]);
    let report = standing.commit(&entries).unwrap();
    assert_eq!((report.written, report.kept, report.removed), (0, 4, 0));
    let manifest = Manifest::parse(&fs::read(public(&site, "manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest.entries["loom"], digests("loom"));
    assert_eq!(manifest.digest(), report.manifest);
    assert_eq!(released(&site), of(FILES));
    assert!(!public(&site, "new").exists());
}

#[test]
fn two_builds_at_once_are_told() {
    let site = site();
    build(&target(&site), FILES);
    let first = standing(&target(&site)).unwrap().unwrap();
    for second in [
        standing(&target(&site)).err(),
        write::release(&target(&site)).err(),
    ] {
        assert!(
            matches!(
                second,
                Some(WriteError::Busy {
                    process: Some(_),
                    ..
                })
            ),
            "{second:?}"
        );
    }
    drop(first);
    let full = write::release(&target(&site)).unwrap();
    assert!(matches!(
        standing(&target(&site)),
        Err(WriteError::Busy { .. })
    ));
    drop(full);
    let inside = target_at(site.path(), "public/terms");
    assert!(matches!(
        standing(&inside),
        Err(WriteError::InsideOutput { .. })
    ));
    let overlap = target_at(site.path(), "static/public");
    assert!(matches!(
        standing(&overlap),
        Err(WriteError::Overlap { .. })
    ));
}

#[test]
fn changes_that_are_given_up_leave_no_trace() {
    let site = site();
    build(&target(&site), FILES);
    let before = tree(site.path());
    let standing = standing(&target(&site)).unwrap().unwrap();
    assert!(
        standing
            .put(&path("index.html"), b"half".to_vec())
            .is_continue()
    );
    standing.remove(&path("style.css"));
    drop(standing);
    assert_eq!(tree(site.path()), before);
}

#[test]
fn a_file_that_comes_while_a_build_runs_is_not_lost() {
    for has_spare in [false, true] {
        let site = site();
        if has_spare {
            build(&target(&site), OTHER);
            build(&target(&site), FILES);
            settle();
        } else {
            build(&target(&site), FILES);
        }
        let standing = standing(&target(&site)).unwrap().unwrap();
        fs::write(public(&site, "CNAME"), "example.org").unwrap();
        fs::write(public(&site, "terms/weft/note"), "mine").unwrap();
        amend(standing, FILES, OTHER).unwrap();
        let mut expected = of(OTHER);
        expected.extend(of(&[("CNAME", "example.org")]));
        let mut found = released(&site);
        // Its folder is no more, so it comes with a new one.
        assert_eq!(
            found.remove("terms/weft/note").as_deref(),
            Some(&b"mine"[..])
        );
        assert_eq!(found, expected);
    }
}

#[test]
fn a_file_that_changes_while_a_build_runs_stops_it() {
    let site = site();
    build(&target(&site), FILES);
    let standing = standing(&target(&site)).unwrap().unwrap();
    fs::write(public(&site, "style.css"), "by hand").unwrap();
    let error = amend(standing, FILES, OTHER).unwrap_err();
    assert!(
        error.to_string().contains("changed while the build ran"),
        "{error}"
    );
    assert_eq!(fs::read(public(&site, "index.html")).unwrap(), b"home");
    assert!(!site.path().join(".public.countersign").exists());
}

fn record(site: &TempDir) -> PathBuf {
    cached(site, "-spare-stamps").unwrap()
}

/// What anybody may do to the tree that is kept for the next build.
const TAMPERED: [Change; 13] = [
    ("a file more", &|site| {
        fs::write(spare(site).unwrap().join("b/evil.html"), "evil").unwrap();
    }),
    ("another file", &|site| {
        fs::write(spare(site).unwrap().join("b/d/g"), "evil").unwrap();
    }),
    ("a folder more", &|site| {
        fs::create_dir(spare(site).unwrap().join("b/h")).unwrap();
        fs::write(spare(site).unwrap().join("b/h/evil"), "evil").unwrap();
    }),
    ("a folder moved", &|site| {
        let spare = spare(site).unwrap();
        fs::rename(spare.join("b"), spare.join("c")).unwrap();
    }),
    ("a file for a folder", &|site| {
        let spare = spare(site).unwrap();
        fs::remove_dir_all(spare.join("b")).unwrap();
        fs::write(spare.join("b"), "a file").unwrap();
    }),
    ("a folder for a file", &|site| {
        let spare = spare(site).unwrap();
        fs::remove_file(spare.join("b/d/e")).unwrap();
        fs::create_dir_all(spare.join("b/d/e/f")).unwrap();
    }),
    ("a link for a folder", &|site| {
        let spare = spare(site).unwrap();
        fs::remove_dir_all(spare.join("b")).unwrap();
        std::os::unix::fs::symlink(site.path().join("mine"), spare.join("b")).unwrap();
    }),
    ("a file gone", &|site| {
        fs::remove_file(spare(site).unwrap().join("b/c")).unwrap();
    }),
    ("no record", &|site| fs::remove_file(record(site)).unwrap()),
    ("an empty record", &|site| {
        fs::write(record(site), "").unwrap();
    }),
    ("a record without folders", &|site| {
        let text = fs::read_to_string(record(site)).unwrap();
        let files = text
            .split_inclusive('\n')
            .filter(|line| !line.starts_with("d "));
        fs::write(record(site), files.collect::<String>()).unwrap();
    }),
    ("a record of what is outside", &|site| {
        let outside = site.path().join("mine/b");
        for path in ["../../mine/b", "../../mine/c/d", outside.to_str().unwrap()] {
            edit(&record(site), "\nf ", &format!("\nf 1 2 3 4 {path}\nf "));
        }
    }),
    ("the record of the release", &|site| {
        fs::copy(cached(site, "-stamps").unwrap(), record(site)).unwrap();
    }),
];

#[test]
fn a_spare_tree_that_was_tampered_with_harms_nobody() {
    for (what, tamper) in TAMPERED {
        let site = site();
        fs::create_dir_all(site.path().join("mine/c")).unwrap();
        for name in ["b", "c/d", "d"] {
            fs::write(site.path().join("mine").join(name), "mine").unwrap();
        }
        let mine = tree(&site.path().join("mine"));
        for files in [MANY[0], MANY[6], MANY[4], MANY[5]] {
            build(&target(&site), files);
            settle();
        }
        tamper(&site);
        let standing = standing(&target(&site)).unwrap().unwrap();
        amend(standing, MANY[5], MANY[6]).unwrap();
        assert_is_built(&site, MANY[6], what);
        assert_eq!(tree(&site.path().join("mine")), mine, "{what}");
    }
}

#[cfg(unix)]
#[test]
fn a_spare_tree_that_is_a_link_is_not_followed() {
    let (site, outside) = (site(), TempDir::new().unwrap());
    for files in [MANY[0], MANY[4], MANY[5]] {
        build(&target(&site), files);
        settle();
    }
    assert!(standing(&target(&site)).unwrap().is_some());
    let tree_of_cache = spare(&site).unwrap();
    let moved = outside.path().join("moved");
    fs::rename(&tree_of_cache, &moved).unwrap();
    std::os::unix::fs::symlink(&moved, &tree_of_cache).unwrap();
    let before = tree(outside.path());
    assert!(standing(&target(&site)).unwrap().is_none());
    // One that came after the release was looked at.
    fs::remove_file(&tree_of_cache).unwrap();
    let looked_at = standing(&target(&site)).unwrap().unwrap();
    std::os::unix::fs::symlink(&moved, &tree_of_cache).unwrap();
    amend(looked_at, MANY[5], MANY[6]).unwrap();
    assert_is_built(&site, MANY[6], "a link");
    assert_eq!(tree(outside.path()), before);
}

#[test]
fn a_full_disk_leaves_the_release_as_it_was() {
    let site = site();
    let Some(disk) = SmallDisk::mount(&site.path().join("disk")) else {
        println!("skipped: this user cannot mount a small disk");
        return;
    };
    let target = target_at(site.path(), "disk/public");
    build(&target, FILES);
    let before = tree(&disk.0);
    let large = "x".repeat(400_000);
    let too_large: Files = &[("a", &large), ("b/c", &large), ("d", &large)];
    let error = amend(standing(&target).unwrap().unwrap(), FILES, too_large).unwrap_err();
    assert!(
        error.to_string().contains("make room on the disk"),
        "{error}"
    );
    assert_eq!(tree(&disk.0), before);
    let mut remount = Command::new("mount");
    assert!(
        remount
            .args(["-o", "remount,ro"])
            .arg(&disk.0)
            .status()
            .unwrap()
            .success()
    );
    let error = standing(&target).unwrap_err();
    assert!(
        error.to_string().contains("make the folder writable"),
        "{error}"
    );
    assert_eq!(tree(&disk.0), before);
}

const KILLS: u32 = 60;
const KILLED_SITE: &str = "COUNTERSIGN_TEST_KILLED_SITE";

fn killed_files(version: usize) -> Vec<(String, String)> {
    let page = |page: usize| {
        let version = if page.is_multiple_of(3) { version } else { 2 };
        (
            format!("terms/t{page}/index.html"),
            format!("{page} in {version}").repeat(40),
        )
    };
    (0..60)
        .filter(|page| page % 7 != version)
        .map(page)
        .collect()
}

/// Brings the release to a version from whichever it has; says whether it could be amended.
fn amend_killed(site: &Path, version: usize) -> bool {
    let [old, new] = [1 - version, version].map(killed_files);
    let [old, new] = [&old, &new].map(|files| {
        let pairs = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()));
        pairs.collect::<Vec<_>>()
    });
    let target = target_at(site, "public");
    let Some(standing) = standing(&target).unwrap() else {
        build(&target, &new);
        return false;
    };
    amend(standing, &old, &new).unwrap();
    true
}

/// What the test below starts and kills: makes one version of the other until it dies.
#[test]
#[ignore = "started by another test"]
fn amends_until_killed() {
    let Some(site) = std::env::var_os(KILLED_SITE) else {
        return;
    };
    println!("begun");
    for version in (0..2).cycle() {
        amend_killed(Path::new(&site), version);
    }
}

#[test]
fn killed_at_any_instant_the_release_is_one_of_the_two() {
    let site = site();
    amend_killed(site.path(), 0);
    let versions = [0, 1].map(|version| {
        let files = killed_files(version).into_iter();
        files
            .map(|(path, text)| (path, text.into_bytes()))
            .collect::<BTreeMap<_, _>>()
    });
    let mut seen = [0; 2];
    for round in 0..KILLS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "amends_until_killed", "--ignored", "--nocapture"])
            .env(KILLED_SITE, site.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().ends_with("begun")));
        // Spread over several builds, at steps that share no factor with their length.
        std::thread::sleep(Duration::from_micros(u64::from(round * 7919 % 40_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = released(&site);
        let version = versions.iter().position(|files| *files == found);
        seen[version.unwrap_or_else(|| panic!("round {round}: neither version"))] += 1;
    }
    println!("{seen:?} of the two versions after {KILLS} kills");
    for version in [1, 0, 1] {
        amend_killed(site.path(), version);
        assert_eq!(released(&site), versions[version]);
    }
    assert!(
        amend_killed(site.path(), 0),
        "what was amended can be amended"
    );
    assert!(!site.path().join(".public.countersign").exists());
}
