//! Sites on disk, as they are found there: links, droppings, encodings, limits.
#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

use countersign::diagnostic::Diagnostics;
use countersign::load::{self, FILE_MAX_BYTES, LoadError, Loader};
use countersign::source::Sources;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn site(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    write(folder.path(), "site.toml", b"title = \"T\"\n");
    for (path, bytes) in files {
        write(folder.path(), path, bytes);
    }
    folder
}

fn write(root: &Path, path: &str, bytes: &[u8]) {
    let full = root.join(path);
    fs::create_dir_all(full.parent().unwrap()).unwrap();
    fs::write(full, bytes).unwrap();
}

fn load(folder: &TempDir) -> (Sources, Vec<(String, String)>) {
    let (sources, findings) = load::site(folder.path()).unwrap();
    let shown = shown(&sources, &findings);
    (sources, shown)
}

/// Each finding as its rule and its place.
fn shown(sources: &Sources, findings: &Diagnostics) -> Vec<(String, String)> {
    findings
        .iter()
        .map(|finding| {
            let at = sources.position(finding.span).0;
            let path = &sources.file(finding.span.file).path;
            let place = format!("{path}:{}:{}", at.line, at.column);
            (finding.rule.name.to_owned(), place)
        })
        .collect()
}

fn paths(sources: &Sources) -> Vec<String> {
    sources
        .iter()
        .map(|(_, file)| file.path.to_string())
        .collect()
}

fn pair(rule: &str, place: &str) -> (String, String) {
    (rule.to_owned(), place.to_owned())
}

#[test]
fn files_come_in_the_order_of_their_paths() {
    let folder = site(&[
        ("content/terms/b.md", b"b"),
        ("content/terms/a/index.md", b"a"),
        ("content/terms/a/photo.png", b"\x89PNG\xff"),
        ("content/terms/a-b.md", b"ab"),
        ("templates/term.html", b"t"),
        ("static/.nojekyll", b""),
        ("static/.well-known/x.txt", b"x"),
        ("static/notes.md", b"\xff"),
        ("README.md", b"no part of the site"),
        ("public/index.html", b"nor this"),
    ]);
    let (sources, findings) = load(&folder);
    assert_eq!(findings, []);
    assert_eq!(
        paths(&sources),
        [
            "content/terms/a-b.md",
            "content/terms/a/index.md",
            "content/terms/a/photo.png",
            "content/terms/b.md",
            "site.toml",
            "static/.nojekyll",
            "static/.well-known/x.txt",
            "static/notes.md",
            "templates/term.html",
        ]
    );
    let copied: Vec<_> = sources.binaries().map(|(path, _)| path).collect();
    assert_eq!(copied.len(), 4);
    assert_eq!(&*sources.binary("static/notes.md").unwrap().bytes, b"\xff");
}

#[test]
fn droppings_are_no_part_of_a_site() {
    let folder = site(&[
        ("content/terms/.warp.md.swp", b"x"),
        ("content/terms/warp.md~", b"x"),
        ("content/terms/4913", b"x"),
        ("content/terms/.#warp.md", b"x"),
        ("content/.git/config", b"x"),
        ("static/.DS_Store", b"x"),
        ("static/.git/config", b"x"),
    ]);
    let (sources, findings) = load(&folder);
    assert_eq!(findings, []);
    assert_eq!(paths(&sources), ["site.toml"]);
}

#[test]
fn windows_files_read_as_others_do() {
    let folder = site(&[(
        "content/terms/a.md",
        b"\xef\xbb\xbf---\r\ntitle: A\r\n---\r\n",
    )]);
    let (sources, findings) = load(&folder);
    assert_eq!(findings, []);
    let id = sources.find("content/terms/a.md").unwrap();
    assert_eq!(&*sources.file(id).text, "---\ntitle: A\n---\n");
}

#[test]
fn a_wrong_byte_has_its_place_and_the_rest_is_there() {
    let folder = site(&[
        ("content/terms/a.md", b"---\ntitle: Caf\xe9\n---\n"),
        ("content/terms/b.md", b"fine"),
        ("templates/t.html", b"a\nb\0c"),
    ]);
    let (sources, findings) = load(&folder);
    assert_eq!(
        findings,
        [
            pair("bad-encoding", "content/terms/a.md:2:11"),
            pair("control-character", "templates/t.html:2:2"),
        ]
    );
    let id = sources.find("content/terms/b.md").unwrap();
    assert_eq!(&*sources.file(id).text, "fine");
}

#[test]
fn a_huge_file_is_refused_by_its_length() {
    let folder = site(&[("content/terms/b.md", b"fine")]);
    let huge = folder.path().join("content/terms/huge.md");
    // A sparse file of a terabyte: reading it would not end within the test.
    fs::File::create(&huge).unwrap().set_len(1 << 40).unwrap();
    let edge = folder.path().join("static-edge.bin");
    fs::File::create(&edge)
        .unwrap()
        .set_len(FILE_MAX_BYTES)
        .unwrap();
    fs::create_dir(folder.path().join("static")).unwrap();
    fs::rename(&edge, folder.path().join("static/edge.bin")).unwrap();
    let (sources, findings) = load(&folder);
    assert_eq!(findings, [pair("too-large", "content/terms/huge.md:1:1")]);
    let id = sources.find("content/terms/huge.md").unwrap();
    assert!(sources.file(id).is_refused());
    assert!(sources.binary("static/edge.bin").is_some());
}

#[test]
fn names_that_differ_in_case_only_collide_wherever_they_are_made() {
    let folder = site(&[("static/Figure.txt", b"a"), ("static/figure.txt", b"b")]);
    if fs::read_dir(folder.path().join("static")).unwrap().count() < 2 {
        return; // This disk ignores case, so the collision cannot be made here.
    }
    let (sources, findings) = load::site(folder.path()).unwrap();
    assert_eq!(
        shown(&sources, &findings),
        [pair("output-collision", "static/figure.txt:1:1")]
    );
    let message = &findings.iter().next().unwrap().message;
    assert!(message.contains("static/Figure.txt") && message.contains("static/figure.txt"));
}

#[test]
fn a_folder_without_a_site_is_an_error() {
    let folder = TempDir::new().unwrap();
    assert!(matches!(
        load::site(folder.path()),
        Err(LoadError::NoSite(_))
    ));
    let missing = folder.path().join("missing");
    assert!(matches!(
        load::site(&missing),
        Err(LoadError::Unreadable(..))
    ));
}

#[test]
fn the_root_is_found_from_below() {
    let folder = site(&[("content/terms/a.md", b"x")]);
    let below = folder.path().join("content/terms");
    assert_eq!(load::find_root(&below).as_deref(), Some(folder.path()));
    assert_eq!(load::find_root(TempDir::new().unwrap().path()), None);
}

#[test]
fn reloading_equals_loading() {
    let folder = site(&[("content/terms/a.md", b"one"), ("static/x", b"x")]);
    let root = folder.path();
    let mut loader = Loader::new(root);
    loader.load().unwrap();
    let steps: [(&str, &dyn Fn()); 6] = [
        ("content/terms/a.md", &|| {
            write(root, "content/terms/a.md", b"two");
        }),
        ("content/terms/b.md", &|| {
            write(root, "content/terms/b.md", b"new");
        }),
        ("content/terms/a.md", &|| {
            write(root, "content/terms/a.md", b"bad \xff");
        }),
        ("content/terms/a.md", &|| {
            write(root, "content/terms/a.md", b"mended");
        }),
        ("static/x", &|| {
            fs::remove_file(root.join("static/x")).unwrap();
        }),
        ("content/terms", &|| {
            fs::rename(root.join("content/terms"), root.join("content/lessons")).unwrap();
        }),
    ];
    for (path, change) in steps {
        change();
        let again = loader.reload(&BTreeSet::from([path.to_owned()])).unwrap();
        let fresh = load::site(root).unwrap();
        assert_eq!(contents(&again.0), contents(&fresh.0), "{path}");
        assert_eq!(
            shown(&again.0, &again.1),
            shown(&fresh.0, &fresh.1),
            "{path}"
        );
    }
}

fn contents(sources: &Sources) -> Vec<(String, String, String)> {
    sources
        .iter()
        .map(|(_, file)| {
            (
                file.path.to_string(),
                file.text.to_string(),
                file.raw.to_string(),
            )
        })
        .collect()
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::collections::BTreeSet;
    use std::os::unix::fs::symlink;

    const SECRET: &[u8] = b"OUTSIDE-SECRET";

    #[test]
    fn links_out_of_the_site_are_not_followed() {
        let outside = TempDir::new().unwrap();
        write(outside.path(), "secret.md", SECRET);
        let folder = site(&[("content/terms/a.md", b"a"), ("static/x", b"x")]);
        let root = folder.path();
        symlink(
            outside.path().join("secret.md"),
            root.join("content/terms/linked.md"),
        )
        .unwrap();
        symlink(outside.path(), root.join("static/pics")).unwrap();
        symlink(outside.path(), root.join("templates")).unwrap();
        symlink("nowhere", root.join("static/dead")).unwrap();
        let (sources, findings) = load(&folder);
        assert_eq!(
            findings,
            [
                pair("unsafe-path", "content/terms/linked.md:1:1"),
                pair("unsafe-path", "static/dead:1:1"),
                pair("unsafe-path", "static/pics:1:1"),
                pair("unsafe-path", "templates:1:1"),
            ]
        );
        assert!(!format!("{sources:?}").contains("OUTSIDE"));
        assert_eq!(sources.binaries().count(), 1);
    }

    #[test]
    fn links_in_a_ring_end() {
        let folder = site(&[("content/terms/a.md", b"a"), ("content/lessons/b.md", b"b")]);
        let root = folder.path();
        symlink("..", root.join("content/terms/up")).unwrap();
        symlink("../lessons", root.join("content/terms/l")).unwrap();
        symlink("../terms", root.join("content/lessons/t")).unwrap();
        symlink("self", root.join("content/self")).unwrap();
        symlink("../../..", root.join("content/lessons/root")).unwrap();
        let (_, findings) = load(&folder);
        assert!(!findings.is_empty());
        assert!(
            findings.iter().all(|(rule, _)| rule == "unsafe-path"),
            "{findings:?}"
        );
    }

    #[test]
    fn links_inside_the_site_are_followed_but_not_into_a_build() {
        let folder = site(&[
            ("content/shared/a.md", b"a"),
            ("shared/logo.svg", b"<svg/>"),
            (".git/config", b"x"),
            ("public/index.html", b"x"),
            (
                "public/manifest.json",
                br#"{"version": 1, "files": {}, "entries": {}}"#,
            ),
        ]);
        let root = folder.path();
        fs::create_dir_all(root.join("static")).unwrap();
        fs::create_dir_all(root.join("content/terms")).unwrap();
        symlink("../shared", root.join("content/terms/s")).unwrap();
        symlink("../shared/logo.svg", root.join("static/logo.svg")).unwrap();
        symlink("../.git/config", root.join("static/config")).unwrap();
        symlink("../public", root.join("static/old")).unwrap();
        let (sources, findings) = load(&folder);
        assert_eq!(
            findings,
            [
                pair("unsafe-path", "static/config:1:1"),
                pair("unsafe-path", "static/old:1:1")
            ]
        );
        assert!(sources.find("content/terms/s/a.md").is_some());
        assert!(sources.binary("static/logo.svg").is_some());
    }

    #[test]
    fn a_site_reached_through_a_link_is_a_site() {
        let folder = site(&[("content/terms/a.md", b"a")]);
        let elsewhere = TempDir::new().unwrap();
        let link = elsewhere.path().join("site");
        symlink(folder.path(), &link).unwrap();
        let (sources, findings) = load::site(&link).unwrap();
        assert!(findings.is_empty());
        assert!(sources.find("content/terms/a.md").is_some());
    }

    #[test]
    fn names_that_are_not_text_and_deep_folders_are_findings() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let folder = site(&[("content/a.md", b"a")]);
        let root = folder.path();
        fs::write(
            root.join("content").join(OsStr::from_bytes(b"caf\xe9.md")),
            "x",
        )
        .unwrap();
        fs::write(root.join("content/a\\b.md"), "x").unwrap();
        fs::create_dir_all(root.join("static").join("d/".repeat(40))).unwrap();
        let (_, findings) = load(&folder);
        let rules: Vec<_> = findings.iter().map(|(rule, _)| rule.as_str()).collect();
        assert_eq!(rules, ["unsafe-path", "unsafe-path", "too-deep"]);
    }

    #[test]
    fn links_that_multiply_end() {
        let folder = site(&[("content/d31/e/a.md", b"a")]);
        let content = folder.path().join("content");
        for level in 0..31 {
            let here = content.join(format!("d{level}"));
            fs::create_dir(&here).unwrap();
            for name in ["l", "r"] {
                symlink(format!("../d{}", level + 1), here.join(name)).unwrap();
            }
        }
        let (sources, findings) = load(&folder);
        let rules: BTreeSet<_> = findings.iter().map(|(rule, _)| rule.as_str()).collect();
        assert!(rules.contains("too-large"), "{rules:?}");
        let stopped = findings.iter().filter(|(rule, _)| rule == "too-large");
        assert_eq!(stopped.count(), 1);
        assert!(sources.find("site.toml").is_some());
    }

    #[test]
    fn a_link_by_the_name_of_a_manifest_is_not_read() {
        let folder = site(&[("shared/logo.svg", b"<svg/>")]);
        let root = folder.path();
        symlink("/dev/zero", root.join("manifest.json")).unwrap();
        symlink("/dev/zero", root.join("shared/manifest.json")).unwrap();
        fs::create_dir_all(root.join("static")).unwrap();
        symlink("../shared/logo.svg", root.join("static/logo.svg")).unwrap();
        let (sources, findings) = load(&folder);
        assert!(findings.is_empty(), "{findings:?}");
        assert!(sources.binary("static/logo.svg").is_some());
    }

    #[test]
    fn a_file_whose_folder_became_a_link_is_not_read_again() {
        let folder = site(&[("content/terms/a.md", b"a")]);
        let outside = TempDir::new().unwrap();
        fs::write(outside.path().join("a.md"), "secret").unwrap();
        let mut loader = Loader::new(folder.path());
        loader.load().unwrap();
        let terms = folder.path().join("content/terms");
        fs::remove_dir_all(&terms).unwrap();
        symlink(outside.path(), &terms).unwrap();
        let changed = BTreeSet::from(["content/terms/a.md".to_owned()]);
        let (sources, findings) = loader.reload(&changed).unwrap();
        assert!(sources.find("content/terms/a.md").is_none());
        assert_eq!(
            shown(&sources, &findings),
            [pair("unsafe-path", "content/terms:1:1")]
        );
    }

    #[test]
    fn a_pipe_is_not_opened() {
        let folder = site(&[("content/a.md", b"a")]);
        let pipe = folder.path().join("content/pipe.md");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if !made.is_ok_and(|status| status.success()) {
            return; // No `mkfifo` here.
        }
        let (_, findings) = load(&folder);
        assert_eq!(findings, [pair("unsafe-path", "content/pipe.md:1:1")]);
    }
}

#[test]
fn a_path_longer_than_any_address_is_a_finding() {
    let folder = "d".repeat(250);
    let long = format!("static/{}/a.txt", [folder.as_str(); 5].join("/"));
    assert!(long.len() > countersign::output::PATH_MAX_BYTES);
    let folder = site(&[(&long, b"x"), ("static/fine.txt", b"x")]);
    let (_, findings) = load(&folder);
    assert_eq!(findings, [pair("unsafe-path", &format!("{long}:1:1"))]);
}
