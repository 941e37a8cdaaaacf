//! After any edit a build in a folder with a release and a cache leaves, byte by byte, what a build
//! in a fresh folder does, and says the same; and it makes no page again that the edit cannot touch.
//! By the real binary.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

mod alone;
#[path = "../support/folders.rs"]
mod folders;
mod site;
#[path = "../support/warm.rs"]
mod warm;

use site::*;
use std::fs;
use warm::{DAY, build, same};

#[test]
fn an_edit_makes_the_pages_again_that_it_can_touch() {
    let (_space, site) = everything();
    let first = same(&site, &["--today", DAY], "first");
    assert!(first.is_success, "{}", first.words);
    assert_eq!(first.pages, ENTRIES + OTHERS);
    for (pages, (what, make)) in SMALL {
        make(&site);
        let built = same(&site, &["--today", DAY], what);
        assert!(built.is_success, "{what}: {}", built.words);
        assert_eq!(built.pages, *pages, "{what}");
    }
}

#[test]
fn what_every_page_may_show_makes_all_of_them_again() {
    let (_space, site) = everything();
    same(&site, &["--today", DAY], "first");
    for (arguments, (what, make)) in LARGE {
        make(&site);
        let arguments = [arguments, &["--today", DAY][..]].concat();
        let built = same(&site, &arguments, what);
        assert!(built.is_success, "{what}: {}", built.words);
        assert_eq!(built.pages, ENTRIES + OTHERS, "{what}");
    }
}

#[test]
fn nothing_of_the_folder_is_trusted_over_content() {
    let (_space, site) = everything();
    let first = same(&site, &["--today", DAY], "first");
    assert!(first.is_success, "{}", first.words);
    for (what, make) in COMING.iter().chain(BY_HAND) {
        make(&site);
        same(&site, &["--today", DAY], what);
    }
    let last = build(&site, &["--today", "2026-10-02"]);
    assert_eq!(last.pages, OTHERS, "another day is on no page");
    same(
        &site,
        &["--today", "2028-10-02"],
        "a day on which sources are old",
    );
}

#[test]
fn what_rendering_finds_is_found_again() {
    let (_space, site) = everything();
    let preset = "content/presets/two-ways-to-64.toml";
    for from in ["many warps, one item each", "few warps, four items each"] {
        same(&site, &["--today", DAY], "sound");
        edit(&site, preset, from, "多");
        for time in ["once", "twice"] {
            let built = same(&site, &["--today", DAY], time);
            assert!(
                !built.is_success && built.words.contains("bad-drawing"),
                "{}",
                built.words
            );
        }
        edit(&site, preset, "多", from);
    }
}

#[test]
fn what_evaluating_finds_is_found_though_nothing_was_found_before() {
    let (_space, site) = everything();
    edit(
        &site,
        "site.toml",
        "title",
        "rules = {unclaimed-number = \"warn\"}\ntitle",
    );
    let capture = "content/captures/run.csv";
    let preset = "content/presets/two-ways-to-64.toml";
    let term = "content/terms/warp.md";
    let many =
        "resident_warps = 32\nitems_per_thread = 1\nloads_per_item = 2\nloads_in_flight = 64";
    let fewer =
        "resident_warps = 16\nitems_per_thread = 1\nloads_per_item = 2\nloads_in_flight = 32";
    for (path, from, to, rule) in [
        (capture, "one,1.25", "one,7.5", "claim-mismatch"),
        (preset, many, fewer, "claim-mismatch"),
        (term, "See ", "It was 17 ms. See ", "unclaimed-number"),
        (term, "[32]", "[33]", "claim-mismatch"),
    ] {
        let sound = same(&site, &["--today", DAY], "sound");
        assert!(
            sound.is_success && !sound.words.contains(rule),
            "{}",
            sound.words
        );
        edit(&site, path, from, to);
        // What is found is found again when something else is edited.
        for (was, is) in [("It is so.", "So it is."), ("So it is.", "It is so.")] {
            edit(&site, "content/terms/alone.md", was, is);
            let found = same(&site, &["--today", DAY], to);
            assert!(found.words.contains(rule), "{}", found.words);
        }
        edit(&site, path, to, from);
    }
    same(&site, &["--today", DAY], "sound");
    fs::write(cached(&site, "-quiet"), "garbage").unwrap();
    edit(&site, capture, "one,1.25", "one,7.5");
    let found = same(&site, &["--today", DAY], "garbage");
    assert!(!found.is_success);
}

#[test]
fn words_of_drafts_are_looked_for_in_pages_that_are_kept() {
    let (_space, site) = everything();
    let footer = "<footer>Made on a loom of old oak.</footer>";
    write(&site, "templates/partials/footer.html", footer);
    let (draft, front) = (
        "content/terms/reed.md",
        "title: What is a reed?\nterm: reed\nshort: A comb.\n",
    );
    entry(&site, "terms/reed.md", front, "It beats the weft.[^book]");
    edit(&site, draft, "Grace Hopper", "pending");
    let first = same(&site, &["--today", DAY], "a draft");
    assert!(first.is_success, "{}", first.words);
    edit(&site, draft, "It beats", "With force it beats");
    let built = same(&site, &["--today", DAY], "other words");
    assert!(built.is_success, "{}", built.words);
    // The draft's own page is made, to see that it could be.
    assert_eq!(built.pages, OTHERS + 1);
    edit(
        &site,
        draft,
        "With force",
        "Made on a loom of old oak. With force",
    );
    let leaking = same(&site, &["--today", DAY], "words of the footer");
    assert!(!leaking.is_success && leaking.words.contains("draft-leak"));
    edit(
        &site,
        draft,
        "Made on a loom of old oak. ",
        "It is a comb. ",
    );
    let built = same(&site, &["--today", DAY], "without them");
    assert_eq!(built.pages, OTHERS + 1);
}
