//! Sources that stand as they stood are not read, and no edit hides behind a length and a time.

use super::support::{copy, countersign, files};
use super::{NOT_RUN, build, site};
use countersign::load::Known;
use countersign::source::{Digest, Hasher};
use countersign::write::record::{self, SourcesRecord};
use countersign::write::{Target, cache::CACHE_NAME};
use std::fs::{self, File, Metadata};
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Longer than a change must be past for a file to be known by its stamp.
const SETTLED: Duration = Duration::from_millis(2_100);

fn changed_at(metadata: &Metadata) -> SystemTime {
    let whole = Duration::from_secs(metadata.ctime().try_into().unwrap());
    UNIX_EPOCH + whole + Duration::from_nanos(metadata.ctime_nsec().try_into().unwrap())
}

/// Waits until every file of the site changed long enough ago.
fn settle(site: &Path) {
    let sources = files(site).unwrap().into_keys();
    let changed = sources.map(|path| changed_at(&fs::metadata(site.join(path)).unwrap()));
    let settled = changed.max().unwrap() + SETTLED;
    while let Ok(wait) = settled.duration_since(SystemTime::now()) {
        sleep(wait);
    }
}

fn source_record(site: &Path) -> Option<SourcesRecord> {
    let release = site.join("public");
    record::sources(&Target {
        site: site.to_owned(),
        out: release.clone(),
        release,
        cache: Some(site.join(CACHE_NAME)),
    })
}

/// What the last build knew of the sources.
fn known(site: &Path) -> Known {
    Known::parse(&source_record(site).unwrap().known).unwrap()
}

/// The file in the cache that [`known`] stands in.
fn record_path(site: &Path) -> PathBuf {
    let mut cache = fs::read_dir(site.join(CACHE_NAME)).unwrap();
    let is_it = |path: &PathBuf| path.to_string_lossy().ends_with("-sources");
    cache
        .find_map(|entry| Some(entry.unwrap().path()).filter(is_it))
        .unwrap()
}

fn set_modified(path: &Path, time: SystemTime) {
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(time)
        .unwrap();
}

/// Writes as many bytes into the same file, and puts its time back.
fn overwrite(path: &Path, text: &str) {
    let before = fs::metadata(path).unwrap();
    assert_eq!(before.len(), text.len() as u64);
    fs::write(path, text).unwrap();
    set_modified(path, before.modified().unwrap());
}

/// Makes the first file hold what the second does.
type Edit<'a> = &'a dyn Fn(&Path, &Path);

#[test]
fn edits_that_keep_length_and_time_are_seen() {
    let (_space, site) = site();
    let of_static = |name: &str| site.join("static").join(name);
    let aside = site.join("aside");
    fs::create_dir(&aside).unwrap();
    let long_ago = UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let names = ["overwritten", "copied", "moved", "linked", "swapped"];
    for name in names {
        for (path, text) in [(of_static(name), "one"), (aside.join(name), "two")] {
            fs::write(&path, text).unwrap();
            set_modified(&path, long_ago);
        }
    }
    build(&site, &[]);
    settle(&site);
    // What was too new to be known by its stamp is so from now on.
    assert!(build(&site, &[]).contains(NOT_RUN));
    assert_eq!(known(&site).count_stamped(), known(&site).files().len());

    let run = |program: &str, arguments: [&str; 2], paths: [&Path; 2]| {
        let status = Command::new(program).args(arguments).args(paths).status();
        assert!(status.unwrap().success());
    };
    let edits: [(&str, Edit<'_>); 5] = [
        ("overwritten", &|path, _| overwrite(path, "two")),
        ("copied", &|path, other| {
            run("cp", ["-p", "--"], [other, path]);
        }),
        ("moved", &|path, other| fs::rename(other, path).unwrap()),
        ("linked", &|path, _| {
            fs::remove_file(path).unwrap();
            symlink("../aside/linked", path).unwrap();
        }),
        ("swapped", &|path, other| {
            let third = aside.join("third");
            fs::rename(path, &third).unwrap();
            fs::rename(other, path).unwrap();
            fs::rename(third, other).unwrap();
        }),
    ];
    for (name, edit) in edits {
        let (path, other) = (of_static(name), aside.join(name));
        edit(&path, &other);
        let now = fs::metadata(&path).unwrap();
        assert_eq!(
            (now.len(), now.modified().unwrap()),
            (3, long_ago),
            "{name}"
        );
        let text = build(&site, &[]);
        assert!(!text.contains(NOT_RUN), "{name} was not seen: {text}");
        let public = fs::read_to_string(site.join("public").join(name)).unwrap();
        assert_eq!(public, "two", "{name}");
        assert!(build(&site, &[]).contains(NOT_RUN), "after: {name}");
    }

    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "two").unwrap();
    fs::remove_file(of_static("copied")).unwrap();
    symlink(outside.path().join("secret"), of_static("copied")).unwrap();
    let output = countersign(&site, &["build"]).unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("the link leads out of the site"), "{text}");
}

#[test]
fn edits_right_after_a_build_are_seen() {
    let (_space, site) = site();
    let path = site.join("static/notes.txt");
    for text in ["two", "six", "ten", "one"] {
        build(&site, &[]);
        // In the same tick of the file system's clock, as far as a test can have it so.
        overwrite(&path, text);
        let said = build(&site, &[]);
        assert!(!said.contains(NOT_RUN), "{text} was not seen: {said}");
        let public = fs::read_to_string(site.join("public/notes.txt")).unwrap();
        assert_eq!(public, text);
        assert!(!known(&site).find("static/notes.txt").unwrap().is_stamped());
    }
}

#[test]
fn sources_that_stand_as_they_stood_are_not_read() {
    let (_space, site) = site();
    settle(&site);
    build(&site, &[]);
    let path = record_path(&site);
    let whole = fs::read(&path).unwrap();
    // A record with another digest for a file, and sound in itself: who reads the file knows
    // better, and who does not finds other inputs than the last build had.
    let mut bytes = whole[Digest::of("").bytes().len()..].to_vec();
    let name = b"static/notes.txt";
    let at = bytes
        .windows(name.len())
        .position(|part| part == name)
        .unwrap();
    bytes[at + name.len()] ^= 1;
    let digest = Hasher::new()
        .field(Digest::of("sources").bytes())
        .field(&bytes)
        .finish();
    fs::write(&path, [digest.bytes(), &bytes[..]].concat()).unwrap();
    assert!(source_record(&site).is_some());
    assert!(!build(&site, &[]).contains(NOT_RUN));

    fs::write(&path, whole).unwrap();
    assert!(build(&site, &[]).contains(NOT_RUN));
}

#[test]
fn a_damaged_record_of_sources_costs_time_alone() {
    let (_space, site) = site();
    settle(&site);
    build(&site, &[]);
    let path = record_path(&site);
    let whole = fs::read(&path).unwrap();
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    let damaged = [
        Vec::new(),
        whole[..40].to_vec(),
        whole[..whole.len() - 1].to_vec(),
        flipped(0),
        flipped(whole.len() / 2),
        flipped(whole.len() - 1),
        [&whole[..], b"x"].concat(),
    ];
    for bytes in damaged {
        fs::write(&path, bytes).unwrap();
        assert!(source_record(&site).is_none());
        assert!(build(&site, &[]).contains(NOT_RUN));
        assert!(fs::read(&path).unwrap() == whole, "it was not made anew");
    }
    fs::remove_file(&path).unwrap();
    overwrite(&site.join("static/notes.txt"), "two");
    assert!(!build(&site, &[]).contains(NOT_RUN));
}

#[test]
fn another_site_in_its_place_is_seen() {
    let (_space, site) = site();
    settle(&site);
    build(&site, &[]);
    let before = site.with_file_name("before");
    fs::rename(&site, &before).unwrap();
    // As a cache comes from another machine: the same times, and another disk.
    for folder in ["content", "static"] {
        copy(&before.join(folder), &site.join(folder)).unwrap();
        for path in files(&site.join(folder)).unwrap().into_keys() {
            let modified = fs::metadata(before.join(folder).join(&path))
                .unwrap()
                .modified();
            set_modified(&site.join(folder).join(path), modified.unwrap());
        }
    }
    fs::copy(before.join("site.toml"), site.join("site.toml")).unwrap();
    overwrite(&site.join("static/notes.txt"), "two");
    for folder in ["public", CACHE_NAME] {
        fs::rename(before.join(folder), site.join(folder)).unwrap();
    }
    let text = build(&site, &[]);
    assert!(!text.contains(NOT_RUN), "{text}");
    assert_eq!(
        fs::read_to_string(site.join("public/notes.txt")).unwrap(),
        "two"
    );

    // Its record under the name of another folder, too.
    let copied = site.with_file_name("copied");
    copy(&site, &copied).unwrap();
    assert!(!build(&copied, &[]).contains(NOT_RUN));
}
