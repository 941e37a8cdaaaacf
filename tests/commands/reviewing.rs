//! `review`: what changed since the signed version, found in the history that git keeps.

use super::shop::Shop;

const WARP: &str = "content/terms/warp.md";
const PRESET: &str = "content/presets/ways.toml";

const PRESET_TEXT: &str = "kind = \"occupancy-stepper\"\ntitle = \"Two ways\"\n[device]\nname = \"Tesla T4\"\nmax_warps = 32\n\
[[configuration]]\nid = \"many\"\nlabel = \"many warps\"\nresident_warps = 32\nitems_per_thread = 1\nloads_per_item = 2\n";

const FIGURES: &str = "diagrams:
  ways: {preset: ways, alt: One way to keep many loads in flight at once.}
sources:
";

const PICTURE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n";

/// A site with a drawing and a picture, signed by both and committed; with another entry, another
/// commit, and the site in a folder of the repository.
fn signed() -> Shop {
    let shop = Shop::new();
    shop.edit(WARP, "sources:\n", FIGURES);
    shop.edit(
        WARP,
        "A warp is",
        "![Lanes side by side in a row](lanes.svg)\n\nA warp is",
    );
    let text = shop.read(WARP);
    std::fs::remove_file(shop.path(WARP)).expect("removes");
    shop.write("content/terms/warp/index.md", &text);
    shop.write("content/terms/warp/lanes.svg", PICTURE);
    shop.write(PRESET, PRESET_TEXT);
    shop.commit("Write");
    sign(&shop, "author", "Ada Lovelace");
    sign(&shop, "reviewer", "Grace Hopper");
    shop.commit("Sign");
    shop
}

fn sign(shop: &Shop, role: &str, person: &str) {
    shop.run(&["sign", "warp", "--as", role, "--person", person])
        .ended(0);
}

const ENTRY: &str = "content/terms/warp/index.md";

#[test]
fn every_kind_of_change_is_shown_with_old_and_new() {
    let shop = signed();
    let ran = shop.run(&["review", "warp"]).ended(0);
    assert!(ran.out.contains("Nothing has changed."), "{}", ran.out);
    shop.edit(ENTRY, "0.798", "0.814");
    shop.edit(ENTRY, "[1.02]", "[1.04]");
    shop.edit(ENTRY, "A warp is", "A warp has");
    shop.edit(
        ENTRY,
        "CUDA Programming Guide",
        "CUDA C++ Programming Guide",
    );
    shop.edit(ENTRY, "checked: 2026-08-30", "checked: 2026-09-29");
    shop.edit(PRESET, "resident_warps = 32", "resident_warps = 16");
    shop.write(
        "content/terms/warp/lanes.svg",
        &PICTURE.replace("/>", "></svg>"),
    );
    shop.commit("Change everything");
    shop.write(
        "content/terms/lane.md",
        "---\ntitle: What is a lane?\nshort: One of 32.\n---\n",
    );
    shop.commit("Write another");
    let ran = shop.run(&["review", "warp"]).ended(0);
    for shown in [
        "signed by Grace Hopper (reviewer) on 2026-10-01 as ",
        ", commit ",
        "A warp [-is-]{+has+} thirty-two",
        "measured.t4.rows.four.ms: 0.798 → 0.814",
        ": 1.02 → 1.04",
        "sources.guide.title: CUDA Programming Guide → CUDA C++ Programming Guide",
        "sources.guide.checked: 2026-08-30 → 2026-09-29",
        "presets.ways.configuration.many.resident_warps: 32 → 16",
        "diagrams.ways has changed",
        "content/terms/warp/lanes.svg: ",
    ] {
        assert!(ran.out.contains(shown), "{shown}\n{}", ran.out);
    }
    let ran = shop.run(&["review", "warp", "--format", "html", "--out", "review.html"]);
    let ran = ran.ended(0);
    assert_eq!(ran.err, "review in review.html\n");
    let page = shop.read("review.html");
    for shown in [
        "<del>is</del><ins>has</ins>",
        "<tr><th scope=\"row\">measured.t4.rows.four.ms</th><td><del>0.798</del></td><td><ins>0.814</ins></td></tr>",
        "<h3>diagrams.ways</h3>",
        "<h3>content/terms/warp/lanes.svg</h3>",
    ] {
        assert!(page.contains(shown), "{shown}\n{page}");
    }
    assert_eq!(page.matches("<figcaption>was</figcaption><img").count(), 2);
    assert_eq!(page.matches("<figcaption>is</figcaption><img").count(), 2);
    assert!(page.contains("alt=\"One way to keep many loads in flight at once.\""));
}

#[test]
fn a_reviewer_sees_what_the_author_signed_anew() {
    let shop = signed();
    shop.edit(ENTRY, "A warp is", "A warp has");
    sign(&shop, "author", "Ada Lovelace");
    shop.commit("Change and sign");
    let ran = shop.run(&["review", "warp"]).ended(0);
    assert!(ran.out.contains("(reviewer)"), "{}", ran.out);
    assert!(ran.out.contains("[-is-]{+has+}"), "{}", ran.out);
    let ran = shop.run(&["review", "warp", "--as", "author"]).ended(0);
    assert!(ran.out.contains("Nothing has changed."), "{}", ran.out);
}

#[test]
fn a_change_of_a_shared_file_alone_is_found() {
    let shop = signed();
    shop.edit(PRESET, "resident_warps = 32", "resident_warps = 8");
    shop.commit("Change the preset");
    shop.edit(PRESET, "resident_warps = 8", "resident_warps = 4");
    shop.commit("Change it again");
    let ran = shop.run(&["review", "warp"]).ended(0);
    assert!(ran.out.contains("resident_warps: 32 → 4"), "{}", ran.out);
}

#[test]
fn an_entry_that_moved_into_a_folder_is_found() {
    let shop = Shop::new();
    shop.commit("Write");
    sign(&shop, "author", "Ada Lovelace");
    shop.commit("Sign");
    let text = shop.read(WARP).replace("A warp is", "A warp has");
    let statement = shop.read("content/terms/warp.author.toml");
    std::fs::remove_file(shop.path(WARP)).expect("removes");
    std::fs::remove_file(shop.path("content/terms/warp.author.toml")).expect("removes");
    shop.write(ENTRY, &text);
    shop.write("content/terms/warp/author.toml", &statement);
    shop.commit("Move");
    let ran = shop.run(&["review", "warp"]).ended(0);
    assert!(ran.out.contains("[-is-]{+has+}"), "{}", ran.out);
}

#[test]
fn a_site_in_a_folder_of_the_repository_is_found() {
    let outer = Shop::empty();
    let inner = signed();
    let copy = |path: &str| outer.write(&format!("sites/course/{path}"), &inner.read(path));
    for path in [
        "site.toml",
        ENTRY,
        PRESET,
        "content/terms/warp/lanes.svg",
        "content/terms/warp/author.toml",
        "content/terms/warp/reviewer.toml",
    ] {
        copy(path);
    }
    outer.commit("Write");
    outer.edit(&format!("sites/course/{ENTRY}"), "A warp is", "A warp has");
    let ran = outer
        .run(&["-C", "sites/course", "review", "warp"])
        .ended(0);
    assert!(ran.out.contains("[-is-]{+has+}"), "{}", ran.out);
}

#[test]
fn where_there_is_nothing_to_compare_with_it_says_so() {
    let shop = Shop::new();
    let ran = shop.run(&["review", "warp"]).ended(0);
    for shown in [
        "nobody has signed this entry with a statement, so all of it is new",
        "{+What is a warp?+}",
        "measured.t4.rows.one.ms: new, 0.785",
        "sources.guide.title: new, CUDA Programming Guide",
    ] {
        assert!(ran.out.contains(shown), "{shown}\n{}", ran.out);
    }
    sign(&shop, "author", "Ada Lovelace");
    shop.edit(WARP, "A warp is", "A warp has");
    let ran = shop.run(&["review", "warp"]).ended(0);
    assert!(ran.out.contains("git says:"), "{}", ran.out);
    assert!(ran.out.contains("{+What is a warp?+}"), "{}", ran.out);
    shop.commit("Never as it was signed");
    let ran = shop.run(&["review", "warp"]).ended(0);
    assert!(ran.out.contains("was never committed"), "{}", ran.out);
    shop.run(&["review", "wrap"]).ended(2);
    shop.write(WARP, "no front matter");
    let ran = shop.run(&["review", "warp"]).ended(1);
    assert!(ran.err.contains("cannot be reviewed"), "{}", ran.err);
}

#[test]
fn texts_of_an_entry_cannot_break_the_page() {
    let shop = Shop::new();
    shop.edit(
        WARP,
        "title: What is a warp?",
        "title: \"</title><script>alert(1)</script>\"",
    );
    let ran = shop.run(&["review", "warp", "--format", "html"]).ended(0);
    assert!(!ran.out.contains("<script"), "{}", ran.out);
    assert!(ran.out.contains("&lt;script&gt;"), "{}", ran.out);
}
