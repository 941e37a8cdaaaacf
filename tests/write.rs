//! Releases on disk: whole or untouched, whoever kills the build, fills the disk or builds at the
//! same time.
#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

#[path = "support/released.rs"]
mod released;

use countersign::output::{MadeFrom, OutputPath, Preview, Proof, Purpose, Release, Sink as _};
use countersign::source::Digest;
use countersign::write::{self, Report, Staging, Target, WriteError};
use released::*;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

fn fill<P: Purpose>(staging: Staging<P>, files: Files) -> Result<Report, WriteError> {
    for (path, text) in files {
        let path = OutputPath::new(path).unwrap();
        if staging.put(&path, text.as_bytes().to_vec()).is_break() {
            break;
        }
    }
    staging.commit(BTreeMap::new())
}

fn build(target: &Target, files: Files) -> Result<Report, WriteError> {
    fill::<Release>(write::release(target)?, files)
}

fn build_drafts(target: &Target, files: Files) -> Result<Report, WriteError> {
    fill::<Preview>(write::drafts(target)?, files)
}

const ONE: Files = &[
    ("index.html", "home"),
    ("terms/warp/index.html", "warp"),
    ("terms/old/index.html", "old"),
    ("style.css", "a{}"),
];
const TWO: Files = &[
    ("index.html", "home 2"),
    ("terms/warp/index.html", "warp"),
    ("terms/new/index.html", "new"),
    ("style.css", "a{}"),
];

#[test]
fn a_second_build_equals_a_build_into_an_empty_folder() {
    let site = site();
    let first = build(&target(&site), ONE).unwrap();
    assert_eq!((first.written, first.kept, first.removed), (4, 0, 0));
    assert_eq!(released(&site), of(ONE));
    let second = build(&target(&site), TWO).unwrap();
    assert_eq!((second.written, second.kept, second.removed), (2, 2, 1));
    assert_eq!(released(&site), of(TWO));

    let fresh = self::site();
    build(&target(&fresh), TWO).unwrap();
    assert_eq!(
        tree(&site.path().join("public")),
        tree(&fresh.path().join("public"))
    );
    assert!(!site.path().join("public/terms/old").exists());
    assert!(!site.path().join(".public.countersign").exists());
}

#[test]
fn nothing_is_written_where_nothing_changed() {
    let site = site();
    build(&target(&site), ONE).unwrap();
    let before = fs::metadata(site.path().join("public"))
        .unwrap()
        .modified()
        .unwrap();
    for cache in [target(&site).cache, None] {
        let target = Target {
            cache,
            ..target(&site)
        };
        let report = build(&target, ONE).unwrap();
        assert_eq!((report.written, report.kept), (0, 4));
        let after = fs::metadata(site.path().join("public"))
            .unwrap()
            .modified()
            .unwrap();
        assert_eq!(before, after);
    }
}

#[test]
fn a_tree_that_is_used_again_equals_a_new_one() {
    let site = site();
    build(&target(&site), MANY[0]).unwrap();
    let public = site.path().join("public");
    fs::create_dir(public.join(".git")).unwrap();
    fs::write(public.join(".git/config"), "git").unwrap();
    let mut used = 0;
    for round in 0..3 * MANY.len() {
        settle();
        let files = MANY[round * 3 % MANY.len()];
        used += usize::from(spare(&site).is_some());
        build(&target(&site), files).unwrap();
        let mut expected = of(files);
        expected.extend(of(&[(".git/config", "git")]));
        assert_eq!(released(&site), expected, "round {round}");
        assert!(!site.path().join(".public.countersign").exists());
        assert!(spare(&site).is_none_or(|spare| !spare.join(".git").exists()));
    }
    assert!(used > MANY.len());
}

#[test]
fn a_spare_tree_that_was_tampered_with_harms_nobody() {
    let tamper: [&dyn Fn(&Path); 6] = [
        &|spare| fs::write(spare.join("b/evil.html"), "evil").unwrap(),
        &|spare| fs::write(spare.join("b/d/e"), "evil").unwrap(),
        &|spare| {
            fs::remove_file(spare.join("a")).unwrap();
            fs::write(spare.join("a"), "x").unwrap();
        },
        &|spare| fs::rename(spare.join("b"), spare.join("c")).unwrap(),
        &|spare| fs::write(spare.join("manifest.json"), "{}").unwrap(),
        &|spare| {
            fs::remove_dir_all(spare.join("b")).unwrap();
            fs::write(spare.join("b"), "a file").unwrap();
        },
    ];
    for (case, tamper) in tamper.into_iter().enumerate() {
        let site = site();
        for files in [MANY[0], MANY[4], MANY[5]] {
            build(&target(&site), files).unwrap();
            settle();
        }
        tamper(&spare(&site).unwrap());
        build(&target(&site), MANY[6]).unwrap();
        assert_eq!(released(&site), of(MANY[6]), "case {case}");
        assert!(!site.path().join(".public.countersign").exists());
    }
}

#[cfg(unix)]
#[test]
fn a_cache_that_is_a_link_is_none() {
    use std::os::unix::fs::symlink;
    let (site, outside) = (site(), TempDir::new().unwrap());
    let cache = site.path().join(".countersign-cache");
    symlink(outside.path(), &cache).unwrap();
    for files in MANY {
        build(&target(&site), files).unwrap();
        assert_eq!(released(&site), of(files));
        assert_eq!(tree(outside.path()), BTreeMap::new());
    }
    fs::remove_file(&cache).unwrap();
    for files in [MANY[0], MANY[4], MANY[5]] {
        build(&target(&site), files).unwrap();
        settle();
    }
    // The same with a tree of the cache that is a link.
    let tree_of_cache = spare(&site).unwrap();
    let moved = outside.path().join("moved");
    fs::rename(&tree_of_cache, &moved).unwrap();
    symlink(&moved, &tree_of_cache).unwrap();
    let before = tree(outside.path());
    build(&target(&site), MANY[6]).unwrap();
    assert_eq!(released(&site), of(MANY[6]));
    assert_eq!(tree(outside.path()), before);
    assert!(
        fs::symlink_metadata(site.path().join("public"))
            .unwrap()
            .is_dir()
    );
}

#[test]
fn a_page_changed_by_hand_is_made_right() {
    let site = site();
    for edit in ["HOME", "longer than before"] {
        build(&target(&site), ONE).unwrap();
        fs::write(site.path().join("public/index.html"), edit).unwrap();
        let report = build(&target(&site), ONE).unwrap();
        assert_eq!((report.written, report.kept), (1, 3), "{edit}");
        assert_eq!(released(&site), of(ONE));
    }
    fs::remove_file(site.path().join("public/style.css")).unwrap();
    assert_eq!(build(&target(&site), ONE).unwrap().written, 1);
    assert_eq!(released(&site), of(ONE));
}

/// Passes files that do not hold a word.
struct Without(&'static str);

impl Proof for Without {
    fn digest(&self) -> Digest {
        Digest::of(self.0)
    }

    fn holds(&self, _: &OutputPath, bytes: &[u8]) -> bool {
        !String::from_utf8_lossy(bytes).contains(self.0)
    }
}

#[test]
fn a_page_of_the_last_build_is_kept_by_what_it_was_made_from() {
    let site = site();
    let (key, other) = (Digest::of("key"), Digest::of("other"));
    let proof = Without("leak");
    let staging = write::release(&target(&site)).unwrap();
    for (path, text) in ONE {
        let path = OutputPath::new(path).unwrap();
        let _ = staging.put(&path, text.as_bytes().to_vec());
    }
    let home = MadeFrom {
        key,
        proof: proof.digest(),
        files: ["index.html", "style.css"]
            .map(|path| OutputPath::new(path).unwrap())
            .to_vec(),
    };
    staging.made("home".into(), home);
    staging.commit(BTreeMap::new()).unwrap();

    let staging = write::release(&target(&site)).unwrap();
    assert!(!staging.keep("home", &other, &proof));
    assert!(!staging.keep("none", &key, &proof));
    // Another proof must hold for every file.
    assert!(!staging.keep("home", &key, &Without("a{}")));
    assert!(staging.keep("home", &key, &Without("other words")));
    let report = staging.commit(BTreeMap::new()).unwrap();
    assert_eq!((report.written, report.kept), (0, 2));

    // What was kept can be kept again, all of it or nothing.
    fs::write(site.path().join("public/style.css"), "by hand").unwrap();
    let staging = write::release(&target(&site)).unwrap();
    assert!(!staging.keep("home", &key, &proof));
    assert_eq!(staging.commit(BTreeMap::new()).unwrap().kept, 0);
}

#[test]
fn what_no_build_wrote_is_kept() {
    let site = site();
    let public = site.path().join("public");
    build(&target(&site), ONE).unwrap();
    for (path, text) in [
        (".git/config", "git"),
        (".git/objects/aa/b", "object"),
        ("CNAME", "example.org"),
        ("terms/old/note.txt", "note"),
    ] {
        fs::create_dir_all(public.join(path).parent().unwrap()).unwrap();
        fs::write(public.join(path), text).unwrap();
    }
    fs::create_dir_all(public.join(".git/refs")).unwrap();
    let report = build(&target(&site), TWO).unwrap();
    assert_eq!((report.foreign, report.left.len()), (4, 0));
    let mut expected = of(TWO);
    expected.extend(of(&[
        (".git/config", "git"),
        (".git/objects/aa/b", "object"),
        ("CNAME", "example.org"),
        ("terms/old/note.txt", "note"),
    ]));
    assert_eq!(released(&site), expected);
    assert!(public.join(".git/refs").is_dir());
}

#[test]
fn a_foreign_file_in_the_way_stops_the_build() {
    let site = site();
    let public = site.path().join("public");
    build(&target(&site), ONE).unwrap();
    fs::create_dir_all(public.join("terms/new")).unwrap();
    fs::write(public.join("terms/new/index.html"), "by hand").unwrap();
    let error = build(&target(&site), TWO).unwrap_err();
    assert!(
        matches!(&error, WriteError::InTheWay(path) if path.ends_with("terms/new/index.html")),
        "{error}"
    );
    assert_eq!(fs::read(public.join("index.html")).unwrap(), b"home");
    assert!(!site.path().join(".public.countersign").exists());
    // The same bytes are no conflict.
    fs::write(public.join("terms/new/index.html"), "new").unwrap();
    build(&target(&site), TWO).unwrap();
    assert_eq!(released(&site), of(TWO));
}

#[test]
fn a_folder_that_no_build_made_is_left_alone() {
    for holds in ["thesis.doc", "manifest.json", ".git"] {
        let site = site();
        let public = site.path().join("public");
        fs::create_dir(&public).unwrap();
        fs::write(public.join(holds), r#"{"name": "A web app", "icons": []}"#).unwrap();
        let before = tree(site.path());
        let error = build(&target(&site), ONE).unwrap_err();
        assert!(error.to_string().contains(holds), "{error}");
        assert_eq!(tree(site.path()), before);
    }
    let site = site();
    fs::create_dir(site.path().join("public")).unwrap();
    build(&target(&site), ONE).unwrap();
    let site = self::site();
    fs::write(site.path().join("public"), "a file").unwrap();
    assert!(matches!(
        build(&target(&site), ONE),
        Err(WriteError::NotAFolder(_))
    ));
}

#[test]
fn an_output_in_or_around_the_sites_folders_is_refused() {
    let site = site();
    let around = site
        .path()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    for out in [
        "static/public",
        "content",
        ".",
        "..",
        "templates/a/b",
        &format!("../{around}"),
    ] {
        let before = tree(site.path());
        let error = build(&target_at(site.path(), out), ONE).unwrap_err();
        assert!(
            matches!(error, WriteError::Overlap { .. }),
            "{out}: {error}"
        );
        assert_eq!(tree(site.path()), before);
    }
}

#[test]
fn drafts_never_go_where_a_release_is() {
    let site = site();
    assert!(matches!(
        build_drafts(&target(&site), ONE),
        Err(WriteError::DraftsIntoRelease(_))
    ));
    let elsewhere = target_at(site.path(), "elsewhere");
    build(&elsewhere, ONE).unwrap();
    assert!(matches!(
        build_drafts(&elsewhere, ONE),
        Err(WriteError::DraftsIntoRelease(_))
    ));
    let staging = target_at(site.path(), "staging");
    build_drafts(&staging, ONE).unwrap();
    build_drafts(&staging, TWO).unwrap();
    build(&staging, ONE).unwrap();
    let mut files = tree(&site.path().join("staging"));
    files.remove("manifest.json");
    assert_eq!(files, of(ONE));
}

#[test]
fn two_builds_at_once_do_not_mix() {
    let site = site();
    let first = write::release(&target(&site)).unwrap();
    let error = write::release(&target(&site)).unwrap_err();
    assert!(
        matches!(
            error,
            WriteError::Busy {
                process: Some(_),
                ..
            }
        ),
        "{error}"
    );
    assert!(error.to_string().contains(&std::process::id().to_string()));
    fill(first, ONE).unwrap();
    build(&target(&site), TWO).unwrap();
    assert_eq!(released(&site), of(TWO));
}

#[test]
fn a_build_that_is_given_up_leaves_no_trace() {
    let site = site();
    build(&target(&site), ONE).unwrap();
    let before = tree(site.path());
    let staging = write::release(&target(&site)).unwrap();
    let path = OutputPath::new("index.html").unwrap();
    assert!(staging.put(&path, b"half".to_vec()).is_continue());
    drop(staging);
    assert_eq!(tree(site.path()), before);
}

#[cfg(unix)]
#[test]
fn a_release_reached_through_a_link_stays_one() {
    let site = site();
    let real = TempDir::new().unwrap();
    std::os::unix::fs::symlink(real.path().join("www"), site.path().join("public")).unwrap();
    fs::create_dir(real.path().join("www")).unwrap();
    build(&target(&site), ONE).unwrap();
    build(&target(&site), TWO).unwrap();
    assert!(site.path().join("public").is_symlink());
    assert_eq!(released(&site), of(TWO));
    let into_static = target_at(site.path(), "linked");
    std::os::unix::fs::symlink(site.path().join("static"), &into_static.out).unwrap();
    assert!(matches!(
        build(&into_static, ONE),
        Err(WriteError::Overlap { .. })
    ));
}

#[test]
fn a_full_disk_leaves_the_release_as_it_was() {
    let site = site();
    let Some(disk) = SmallDisk::mount(&site.path().join("disk")) else {
        println!("skipped: this user cannot mount a small disk");
        return;
    };
    let target = target_at(site.path(), "disk/public");
    build(&target, ONE).unwrap();
    fs::write(disk.0.join("public/CNAME"), "example.org").unwrap();
    let before = tree(&disk.0);
    let large = "x".repeat(400_000);
    let error = build(&target, &[("a", &large), ("b/c", &large), ("d", &large)]).unwrap_err();
    assert!(
        error.to_string().contains("make room on the disk"),
        "{error}"
    );
    assert_eq!(tree(&disk.0), before);
    build(&target, TWO).unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let site = site();
    let Some(disk) = SmallDisk::mount(&site.path().join("disk")) else {
        println!("skipped: this user cannot mount a small disk");
        return;
    };
    build(&target_at(site.path(), "disk/public"), ONE).unwrap();
    let before = tree(&disk.0);
    let mut remount = Command::new("mount");
    remount.args(["-o", "remount,ro"]).arg(&disk.0);
    assert!(remount.status().unwrap().success());
    for out in ["disk/public", "disk/other"] {
        let error = build(&target_at(site.path(), out), TWO).unwrap_err();
        assert!(
            error.to_string().contains("make the folder writable"),
            "{error}"
        );
    }
    assert_eq!(tree(&disk.0), before);
}

#[test]
fn an_output_that_is_a_mount_point_is_named() {
    let site = site();
    let Some(_disk) = SmallDisk::mount(&site.path().join("public")) else {
        println!("skipped: this user cannot mount a small disk");
        return;
    };
    let error = build(&target(&site), ONE).unwrap_err();
    assert!(error.to_string().contains("mount point"), "{error}");
}

const KILLS: u32 = 100;
const KILLED_SITE: &str = "COUNTERSIGN_TEST_KILLED_SITE";

fn killed_files(version: usize) -> Vec<(String, String)> {
    (0..60)
        .filter(|page| page % 7 != version)
        .map(|page| {
            let text = if page % 3 == 0 {
                format!("{page} in {version}")
            } else {
                format!("{page}")
            };
            (format!("terms/t{page}/index.html"), text.repeat(40))
        })
        .collect()
}

fn build_killed(site: &Path, version: usize) {
    let files = killed_files(version);
    let files: Vec<_> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    build(&target_at(site, "public"), &files).unwrap();
}

/// What the test below starts and kills: builds the two versions in turn until it dies.
#[test]
#[ignore = "started by another test"]
fn builds_until_killed() {
    let Some(site) = std::env::var_os(KILLED_SITE) else {
        return;
    };
    println!("begun");
    for version in (0..2).cycle() {
        build_killed(Path::new(&site), version);
    }
}

#[test]
fn killed_at_any_instant_the_release_is_one_of_the_two() {
    let site = site();
    let public = site.path().join("public");
    build_killed(site.path(), 0);
    fs::write(public.join("CNAME"), "example.org").unwrap();
    let versions = [0, 1].map(|version| {
        let mut files: BTreeMap<_, _> = killed_files(version)
            .into_iter()
            .map(|(path, text)| (path, text.into_bytes()))
            .collect();
        files.insert("CNAME".to_owned(), b"example.org".to_vec());
        files
    });
    let mut seen = [0; 2];
    for round in 0..KILLS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "builds_until_killed", "--ignored", "--nocapture"])
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
    build_killed(site.path(), 1);
    assert_eq!(released(&site), versions[1]);
    assert!(!site.path().join(".public.countersign").exists());
}
