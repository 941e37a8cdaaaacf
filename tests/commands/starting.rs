//! `new`: what it makes checks clean, and what stands there stays.

use super::schemas::validator;
use super::shop::Shop;
use countersign::schema::Kind;

#[test]
fn a_new_site_has_no_findings_and_builds() {
    let shop = Shop::empty();
    let made = shop
        .run(&["new", "site", "How \"GPUs\" keep busy"])
        .ended(0);
    assert!(made.out.contains("cd ./how-gpus-keep-busy"), "{}", made.out);
    let checked = shop.run(&["-C", "how-gpus-keep-busy", "check"]).ended(0);
    assert_eq!(checked.out, "0 errors, 0 warnings; 1 entry: 1 draft\n");
    shop.run(&["-C", "how-gpus-keep-busy", "build"]).ended(0);
    assert!(shop.has("how-gpus-keep-busy/public/index.html"));
    let drafts = ["build", "--drafts", "--out", "staging"];
    let drafts = [&["-C", "how-gpus-keep-busy"], &drafts[..]].concat();
    shop.run(&drafts).ended(0);
    for kind in Kind::ALL {
        let path = format!("how-gpus-keep-busy/schemas/{}.json", kind.word());
        assert_eq!(shop.read(&path), countersign::schema::text(kind));
    }
    let settings = shop.read("how-gpus-keep-busy/site.toml");
    let settings = toml::from_str(&settings).expect("TOML");
    validator(Kind::Site).accepts(&settings);
    let editor = shop.read("how-gpus-keep-busy/.vscode/settings.json");
    let editor: serde_json::Value = serde_json::from_str(&editor).expect("JSON");
    assert!(editor["yaml.schemas"]["./schemas/people.json"].is_string());
}

#[test]
fn what_stands_there_is_never_overwritten() {
    let shop = Shop::empty();
    shop.write("course/notes.txt", "mine");
    let ran = shop.run(&["new", "site", "Course"]).ended(2);
    assert!(ran.err.contains("is not empty"), "{}", ran.err);
    assert!(!shop.has("course/site.toml"));

    let shop = Shop::new();
    let warp = shop.read("content/terms/warp.md");
    for arguments in [
        &["new", "term", "warp"][..],
        &["new", "lesson", "warp"],
        &["new", "term", "Warp!", "--folder"],
        &["new", "term", "WARP", "--id", "other"],
    ] {
        let ran = shop.run(arguments).ended(2);
        assert!(ran.err.contains("already"), "{}", ran.err);
    }
    assert_eq!(shop.read("content/terms/warp.md"), warp);
    assert!(!shop.has("content/terms/other.md"));
    shop.write("content/terms/lane/picture.txt", "mine");
    shop.run(&["new", "term", "lane"]).ended(2);
}

#[test]
fn new_entries_are_drafts_without_findings() {
    let shop = Shop::empty();
    shop.run(&["new", "site", "Course"]).ended(0);
    let names = [
        "latency hiding",
        "Little's law",
        "L1/TEX: \"cache\" \\ path",
        "no",
        "線",
        "2D grid",
        "con",
        "~ tilde",
        "# hash",
    ];
    for name in names {
        let ran = shop
            .run(&["-C", "course", "new", "term", name, "--folder"])
            .ended(0);
        assert!(ran.out.contains("countersign preview"), "{}", ran.out);
    }
    shop.run(&["-C", "course", "new", "lesson", "Weave: ready work"])
        .ended(0);
    let checked = shop.run(&["-C", "course", "check"]).ended(0);
    assert_eq!(checked.out, "0 errors, 0 warnings; 11 entries: 11 draft\n");
    assert!(shop.has("course/content/terms/littles-law/index.md"));
    assert!(shop.has("course/content/lessons/weave-ready-work.md"));
    let listed = shop.run(&["-C", "course", "list", "--format", "json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed.out).expect("JSON");
    assert_eq!(listed.as_array().expect("a list").len(), 11);
}

#[test]
fn names_that_every_release_holds_by_itself_are_no_leak() {
    let shop = Shop::new();
    shop.run(&["new", "site", "Course"]).ended(0);
    let course = |arguments: &[&str]| {
        let place = ["-C", "course"];
        shop.run(&[&place, arguments].concat())
    };
    for name in [
        "UTF-8",
        "1.0",
        "font size",
        "line height",
        "search index",
        "user agent",
        "not found",
    ] {
        course(&["new", "term", name]).ended(0);
    }
    course(&["check"]).ended(0);
    // In all else that they say, and by their address, they are drafts as all others.
    for words in ["What is line height?", "[it](terms/line-height/)"] {
        shop.write("course/templates/partials/footer.html", words);
        let found = course(&["check"]).ended(1);
        let found = format!("{}{}", found.out, found.err);
        assert!(
            found.contains("draft-leak") && found.contains("`line-height`"),
            "{found}"
        );
    }
}

#[test]
fn names_that_are_none_are_refused() {
    let shop = Shop::empty();
    let long = "x".repeat(300);
    for name in ["", "  ", "…", "two\nlines", &long] {
        shop.run(&["new", "site", name]).ended(2);
    }
    shop.run(&["new", "site", "Course", "--base-url", "example.org"])
        .ended(2);
    let ran = shop.run(&["new", "term", "warp"]).ended(2);
    assert!(ran.err.contains("countersign new site NAME"), "{}", ran.err);
    let left = std::fs::read_dir(shop.root()).expect("a folder").count();
    assert_eq!(left, 0);
}

#[test]
fn a_new_site_can_be_given_a_path() {
    let shop = Shop::empty();
    let made = shop.run(&["new", "site", "sites/My Words"]).ended(0);
    assert!(
        made.out.contains("\"My Words\" in ./sites/My Words"),
        "{}",
        made.out
    );
    assert!(shop.read("sites/My Words/site.toml").contains("My Words"));
    shop.write("empty/.keep", "");
    std::fs::remove_file(shop.path("empty/.keep")).expect("a file");
    shop.run(&["-C", "empty", "new", "site", "."]).ended(0);
    assert!(
        shop.read("empty/site.toml")
            .contains("https://example.org/empty/")
    );
    shop.run(&["-C", "empty", "check"]).ended(0);
    for path in ["/", "sites/…", "sites/My Words"] {
        shop.run(&["new", "site", path]).ended(2);
    }
}

#[test]
fn a_list_says_what_each_entry_waits_for() {
    let shop = Shop::new();
    shop.edit(
        "content/terms/warp.md",
        "title: What is a warp?",
        "hold: The picture is still to come.\ntitle: What is a warp?",
    );
    shop.run(&["new", "term", "lane"]).ended(0);
    let listed = shop.run(&["list"]).ended(0).out;
    let line = |id: &str| {
        let mut lines = listed.lines();
        lines
            .find(|line| line.starts_with(id))
            .expect("a line")
            .to_owned()
    };
    assert!(line("lane").contains("draft  author, reviewer"), "{listed}");
    assert!(
        line("warp").contains("held   “The picture is still to come.”"),
        "{listed}"
    );
    assert!(line("warp").ends_with(" days ago"), "{listed}");
    let text = shop.read("content/terms/lane.md");
    shop.write(
        "content/terms/lane.md",
        &format!("{text}\n[[loom]] [[heddle]]\n"),
    );
    let listed = shop.run(&["list"]).ended(0).out;
    assert!(listed.contains("author, reviewer, 2 errors"), "{listed}");
    let asked = text.replace("written_by: pending", "written_by: Ada Lovelace");
    let asked = asked.replace("reviewed_by: pending", "reviewed_by: Grace Hopper");
    shop.write("content/terms/lane.md", &asked);
    let listed = shop.run(&["list"]).ended(0).out;
    // No source, two days, two statements, three sentences that are not the author's.
    assert!(
        listed.contains("lane   term  refused  author, reviewer, 6 errors"),
        "{listed}"
    );
}

/// The lines of an entry that hold a sentence which `new` put there, by their findings.
fn placeholders(shop: &Shop, path: &str) -> Vec<usize> {
    let text = shop.read(path);
    let named = text.replace("written_by: pending", "written_by: Ada Lovelace");
    let named = named.replace("reviewed_by: pending", "reviewed_by: Grace Hopper");
    shop.write(path, &named);
    let report = shop.run(&["check", path, "--format", "json"]).ended(1).out;
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let findings = report["findings"].as_array().expect("findings").iter();
    let lines = findings.filter(|finding| finding["rule"] == "placeholder-text");
    let lines = lines.map(|finding| finding["line"].as_u64().expect("a line"));
    lines
        .map(|line| usize::try_from(line).expect("a line"))
        .collect()
}

#[test]
fn what_new_writes_is_not_published_as_if_somebody_had_meant_it() {
    let shop = Shop::new();
    for (kind, path) in [
        ("term", "content/terms/lane.md"),
        ("lesson", "content/lessons/loom.md"),
    ] {
        let name = path.rsplit(['/', '.']).nth(1).expect("a name");
        shop.run(&["new", kind, name]).ended(0);
        shop.run(&["check", name]).ended(0);
        let text = shop.read(path);
        let (_, body) = text.split_once("\n---\n").expect("a body");
        let is_sentence = |line: &str| {
            line.starts_with("short: ") || {
                let is_words = !line.is_empty() && !line.starts_with('#');
                is_words && body.contains(line)
            }
        };
        let lines = text.lines().zip(1..);
        let sentences = lines.filter(|(line, _)| is_sentence(line));
        let wanted: Vec<_> = sentences.map(|(_, number)| number).collect();
        assert!(wanted.len() > 2, "{text}");
        assert_eq!(placeholders(&shop, path), wanted, "{text}");
    }
    shop.run(&["new", "site", "Course"]).ended(0);
    let example = shop.read("course/content/terms/issue-slot.md");
    shop.write("content/terms/issue-slot.md", &example);
    assert_eq!(placeholders(&shop, "content/terms/issue-slot.md").len(), 1);
}
