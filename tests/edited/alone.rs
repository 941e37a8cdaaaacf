//! Edits that show on the page of their own entry alone: nothing else of the release is made.

use crate::site::*;
use crate::warm::{DAY, same};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A site in which something is found in one entry alone, the lesson `weaving`.
fn all_but_sound() -> (TempDir, PathBuf) {
    let (space, site) = everything();
    let cloth = "![Cloth, its threads over and under each other](/cloth.png)";
    edit(&site, WARP, "![cloth](/cloth.png)", cloth);
    let shuttle = "![A shuttle with its thread, as it flies](shuttle.png)";
    edit(&site, SHUTTLE, "![A shuttle](shuttle.png)", shuttle);
    (space, site)
}

const BINDING: &str = "content/lessons/binding.md";
const WEAVING: &str = "content/lessons/weaving.md";
const WARP: &str = "content/terms/warp.md";
const WEFT: &str = "content/terms/weft.md";
const SHUTTLE: &str = "content/terms/shuttle/index.md";

/// Edits with the number of pages that are made: those of the edited entries.
const ALONE: &[(usize, Edit)] = &[
    (
        1,
        ("other words", |site| edit(site, WARP, "See ", "Look at ")),
    ),
    (
        1,
        ("a word that nothing else has", |site| {
            edit(site, WARP, "Look at ", "Zygotes: zygote, ZYGOTE. Look at ");
        }),
    ),
    (
        1,
        ("the word is gone", |site| {
            edit(site, WARP, "Zygotes: zygote, ZYGOTE. ", "");
        }),
    ),
    (
        1,
        (
            "words without spaces between them, and with marks",
            |site| {
                edit(
                    site,
                    WEFT,
                    "It crosses",
                    "線程は速い。Mémoire, STRASSE, co\u{ad}operate. It crosses",
                );
            },
        ),
    ),
    (
        1,
        ("a lesson, with a listing and a formula", |site| {
            edit(
                site,
                BINDING,
                "under and over.",
                "under and over, $x^2$.\n\n```cuda\n__global__ void over() {}\n```\n\nSo it does.",
            );
        }),
    ),
    (
        1,
        ("the listing is gone", |site| {
            edit(
                site,
                BINDING,
                "```cuda\n__global__ void over() {}\n```\n\n",
                "",
            );
        }),
    ),
    (
        1,
        ("an entry in a folder of its own", |site| {
            edit(site, SHUTTLE, "It flies", "It flies & flies");
        }),
    ),
    (
        1,
        ("links out of the site", |site| {
            edit(
                site,
                WEFT,
                "It crosses",
                "See [looms](https://looms.example/) and <https://looms.example/b>. It crosses",
            );
        }),
    ),
    (
        1,
        ("a claim in other words", |site| {
            edit(site, WARP, "Of [1.25 ms]", "It took [1.25 ms]");
        }),
    ),
    (
        3,
        ("three entries", |site| {
            edit(site, WARP, "It took [1.25 ms]", "It needed [1.25 ms]");
            edit(site, WEFT, "It crosses", "Over and under it crosses");
            edit(site, BINDING, "The [[weft]]", "Each [[weft]]");
        }),
    ),
    (
        1,
        ("line ends", |site| edit(site, WARP, "\n\nIt", "\r\n\r\nIt")),
    ),
];

/// Edits of texts that show elsewhere, with the number of pages that entries have made besides the
/// others.
const ELSEWHERE: &[(usize, Edit)] = &[
    // Lists and links of others could show it.
    (
        3,
        ("a heading", |site| {
            edit(site, WEFT, "## Across", "## Across it all\n\n## Across");
        }),
    ),
    // The other page says who leads there.
    (
        2,
        ("a link", |site| {
            edit(site, SHUTTLE, "It flies", "Of the [[weft]]. It flies");
        }),
    ),
    (
        2,
        ("the link is gone", |site| {
            edit(site, SHUTTLE, "Of the [[weft]]. ", "");
        }),
    ),
    (
        4,
        ("a heading of a lesson", |site| {
            edit(
                site,
                BINDING,
                "## Hold\n",
                "## Hold\n\nFirst of all.\n\n### Knots\n",
            );
        }),
    ),
    // The list of lessons says how many sections each has.
    (
        1,
        ("the level of a heading", |site| {
            edit(site, BINDING, "### Knots", "## Knots");
        }),
    ),
    (
        1,
        ("an entry with a warning", |site| {
            edit(site, WEAVING, "Put up", "Now put up");
        }),
    ),
    (
        1,
        ("a claim that comes with a capture", |site| {
            edit(site, "content/captures/run.csv", "one,1.25", "one,1.254");
        }),
    ),
];

#[test]
fn an_edit_that_shows_nowhere_else_makes_its_own_page_alone() {
    let (_space, site) = all_but_sound();
    let first = same(&site, &["--today", DAY], "first");
    assert!(first.words.contains("weak-alt"), "{}", first.words);
    for (pages, (what, make)) in ALONE {
        make(&site);
        let built = same(&site, &["--today", DAY], what);
        assert!(built.is_success, "{what}: {}", built.words);
        assert_eq!(built.pages, *pages, "{what}");
    }
    for (pages, (what, make)) in ELSEWHERE {
        make(&site);
        let built = same(&site, &["--today", DAY], what);
        assert!(built.is_success, "{what}: {}", built.words);
        assert_eq!(built.pages, pages + OTHERS, "{what}");
        // What a build of the whole leaves serves the next one.
        edit(&site, BINDING, "So it does.", "So it does. It does.");
        let built = same(&site, &["--today", DAY], "after it");
        assert_eq!(built.pages, 1, "after {what}");
    }
}

#[test]
fn what_is_found_in_an_edited_text_is_told_as_ever() {
    let (_space, site) = all_but_sound();
    same(&site, &["--today", DAY], "first");
    for (what, from, to) in [
        ("a claim that does not hold", "[1.25 ms]", "[1.5 ms]"),
        ("a link that leads nowhere", "See ", "[See](nowhere.md) "),
        ("a number without a claim", "See ", "It was 17 ms. See "),
        ("a placeholder", "See ", "TODO: say it. See "),
        (
            "a warning",
            "![Cloth, its threads over and under each other]",
            "![cloth]",
        ),
    ] {
        edit(&site, WARP, from, to);
        same(&site, &["--today", DAY], what);
        // Once it is found, every build looks for it again.
        edit(&site, WARP, "places are taken", "places are taken at once");
        same(&site, &["--today", DAY], what);
        edit(&site, WARP, "places are taken at once", "places are taken");
        edit(&site, WARP, to, from);
        same(&site, &["--today", DAY], "as before");
    }
}

/// A site in which names and paths lead to one thing as long as there is no other.
fn ambiguous() -> (TempDir, PathBuf) {
    let (space, site) = all_but_sound();
    let capture = fs::read_to_string(site.join("content/captures/run.csv")).unwrap();
    let term = |id: &str, name: &str, body: &str| {
        let front = format!("title: What is {id}?\nterm: {name}\nshort: Of {id}.\n");
        entry(&site, &format!("terms/{id}.md"), &front, body);
    };
    term("bank", "zmemory bank", "A [[warp]] has it.[^book]");
    term("riverbank", "bank", "A [[warp]] flows.[^book]");
    term("bankful", "bankful", "It fills a [[bank]].[^book]");
    term("yarn", "yarn", "Spun for the [[weft]].[^book]");
    term(
        "plain",
        "plain",
        "It is so. [[riverbank]].[^book] ![Cloth as it is woven on a loom](shuttle/shuttle.png)",
    );
    for path in [
        "static/terms/plain/yarn.md",
        "static/terms/plain/shuttle/shuttle.png",
    ] {
        fs::create_dir_all(site.join(path).parent().unwrap()).unwrap();
        fs::write(site.join(path), png(50, 60)).unwrap();
    }
    fs::create_dir_all(site.join("content/lessons/plain")).unwrap();
    fs::write(site.join("content/lessons/plain/notes.txt"), "notes").unwrap();
    write(&site, "content/terms/captures/run.csv", &capture);
    write(
        &site,
        "content/captures/run.csv",
        &capture.replace("one,1.25", "one,7.5"),
    );
    same(&site, &["--today", DAY], "first");
    (space, site)
}

const PLAIN: &str = "content/terms/plain.md";

/// Edits a text again and again: what it is, the file, what stands there, and what takes its place.
fn all_same(site: &Path, edits: &[(&str, &str, &str, &str)]) {
    for (what, path, from, to) in edits {
        edit(site, path, from, to);
        same(site, &["--today", DAY], what);
    }
}

/// What a name or a path leads to may depend on entries and files that no page shows.
#[test]
fn what_is_looked_for_among_all_files_is_found_as_ever() {
    let (_space, site) = ambiguous();
    all_same(
        &site,
        &[
            ("a capture of another folder", WARP, "See ", "Look at "),
            ("a claim that holds there", WARP, "[1.25 ms]", "[7.5 ms]"),
            ("a claim that holds", WARP, "[7.5 ms]", "[1.25 ms]"),
            (
                "a link from a neighbour",
                "content/terms/riverbank.md",
                "flows",
                "runs",
            ),
            ("an id that is a name", PLAIN, "[[riverbank]]", "[[bank]]"),
            (
                "a file of that name",
                PLAIN,
                "It is so.",
                "It is [so](yarn.md).",
            ),
            ("an image of that name", PLAIN, "It is", "This is"),
            (
                "a page of ours",
                PLAIN,
                "This is",
                "[This](https://glossary.example/terms/yarn/) is",
            ),
        ],
    );
}

/// So is what leads nowhere where nobody is told.
#[test]
fn what_is_not_found_in_silence_is_not_found_as_ever() {
    let (_space, site) = ambiguous();
    let settings = fs::read_to_string(site.join("site.toml")).unwrap();
    let off = "\n[rules]\nunknown-entry = \"off\"\nbroken-link = \"off\"\nown-host-link = \"off\"\n\
        bad-table = \"off\"\nduplicate-name = \"off\"\n";
    write(&site, "site.toml", &(settings + off));
    same(&site, &["--today", DAY], "rules are off");
    all_same(
        &site,
        &[
            (
                "a name",
                PLAIN,
                "It is so",
                "It is the [[yarn]] [so](yarn.md)",
            ),
            (
                "an address",
                PLAIN,
                "It is",
                "[This](https://glossary.example/terms/yarn/) is",
            ),
            ("a path", PLAIN, "is the", "is [the](../shuttle/)"),
            (
                "a path from the root",
                PLAIN,
                "is [the]",
                "[is](/terms/alone/) [the]",
            ),
            (
                "an address",
                PLAIN,
                "(https://glossary.example/terms/yarn/)",
                "(https://GLOSSARY.example/terms/alone/)",
            ),
            (
                "a picture of another entry",
                PLAIN,
                "shuttle/shuttle.png",
                "../shuttle/shuttle.png",
            ),
            ("other words", PLAIN, "[is]", "[will be]"),
            ("other words of it", WARP, "See ", "Look at "),
        ],
    );
}

/// Lets both people of an entry sign what it says now.
fn sign(site: &Path, id: &str) {
    for (role, person) in [("author", "Ada Lovelace"), ("reviewer", "Grace Hopper")] {
        let output = Command::new(env!("CARGO_BIN_EXE_countersign"))
            .arg("-C")
            .arg(site)
            .args([
                "sign", id, "--as", role, "--person", person, "--yes", "--today", DAY,
            ])
            .output()
            .unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{id}: {words}");
    }
}

#[test]
fn statements_on_an_edited_text_are_part_of_the_edit() {
    let (_space, site) = all_but_sound();
    let settings = fs::read_to_string(site.join("site.toml")).unwrap();
    let gate = "\n[gate]\nassurance = \"attested\"\n";
    write(&site, "site.toml", &(settings + gate));
    let built = same(&site, &["--today", DAY], "nobody has signed");
    assert!(built.words.contains("withheld"), "{}", built.words);
    let entries = ["terms", "lessons"].map(|kind| site.join("content").join(kind));
    for entry in entries.iter().flat_map(|kind| fs::read_dir(kind).unwrap()) {
        let path = entry.unwrap().path();
        if path.is_dir() || path.extension().is_some_and(|ending| ending == "md") {
            sign(&site, path.file_stem().unwrap().to_str().unwrap());
        }
    }
    let built = same(&site, &["--today", DAY], "signed");
    assert!(!built.words.contains("withheld"), "{}", built.words);
    edit(&site, WARP, "See ", "Look at ");
    sign(&site, "warp");
    edit(&site, SHUTTLE, "It flies", "It always flies");
    sign(&site, "shuttle");
    let built = same(&site, &["--today", DAY], "edited and signed again");
    assert_eq!(built.pages, 2);
    // What was signed is no longer what stands there.
    edit(&site, WEFT, "It crosses", "So it crosses");
    let built = same(&site, &["--today", DAY], "edited");
    assert!(built.words.contains("withheld"), "{}", built.words);
    edit(&site, WEFT, "So it crosses", "It crosses");
    same(&site, &["--today", DAY], "as before");
    let statement = "content/terms/weft.reviewer.toml";
    edit(&site, statement, "Grace Hopper", "Ada Lovelace");
    let built = same(&site, &["--today", DAY], "one person in both roles");
    assert!(
        !built.is_success || built.words.contains("withheld"),
        "{}",
        built.words
    );
}

#[test]
fn what_stands_in_the_release_is_not_trusted_over_its_record() {
    let (_space, site) = all_but_sound();
    same(&site, &["--today", DAY], "first");
    let hands: &[Edit] = &[
        ("a page of another entry", |site| {
            edit(site, "public/terms/weft/index.html", "weft", "WEFT");
        }),
        ("a file that is put together", |site| {
            edit(site, "public/glossary.json", "weft", "WEFT");
        }),
        ("a file is gone", |site| {
            fs::remove_file(site.join("public/search/titles.json")).unwrap();
        }),
        ("the record of ties", |site| {
            let path = cached(site, "-ties");
            let bytes = fs::read(&path).unwrap();
            fs::write(path, &bytes[..bytes.len() - 1]).unwrap();
        }),
        ("the record of ties of an older release", |site| {
            let path = cached(site, "-ties");
            let old = fs::read(&path).unwrap();
            edit(site, WEFT, "It crosses", "It crosses and crosses");
            let built = crate::warm::build(site, &["--today", DAY]);
            assert!(built.is_success);
            fs::write(path, old).unwrap();
        }),
        ("the record of sources of an older release", |site| {
            let path = cached(site, "-sources");
            let old = fs::read(&path).unwrap();
            edit(site, WEFT, "It crosses", "So it crosses");
            let built = crate::warm::build(site, &["--today", DAY]);
            assert!(built.is_success);
            fs::write(path, old).unwrap();
        }),
        ("the record of what was said", |site| {
            fs::write(cached(site, "-said"), "garbage").unwrap();
        }),
    ];
    for (what, make) in hands {
        make(&site);
        edit(&site, WARP, "See ", "Yes. See ");
        let built = crate::warm::build(&site, &["--today", DAY]);
        assert!(built.is_success, "{what}: {}", built.words);
        assert!(built.pages >= OTHERS, "{what}: {}", built.pages);
        same(&site, &["--today", DAY], what);
    }
    // What is no file of the release is nobody's record; it is kept.
    let mine = site.join("public/terms/notes.txt");
    fs::write(&mine, "mine").unwrap();
    edit(&site, WARP, "See ", "Yes. See ");
    let built = crate::warm::build(&site, &["--today", DAY]);
    assert!(built.is_success, "{}", built.words);
    assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
    fs::remove_file(mine).unwrap();
    same(&site, &["--today", DAY], "a file of somebody");
}

/// Numbers that look random and are the same each time: Knuth's linear congruential generator, MMIX.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

#[test]
fn any_row_of_edits_leaves_what_a_fresh_build_leaves() {
    const ADDED: [&str; 9] = [
        "A loom, a weaver, and cloth.",
        "Cloth, cloth, cloth: cloth of the loom.",
        "- one thread\n- another thread",
        "```cuda\nint warp = threadIdx.x / warpSize;\n```",
        "> Said the weaver: 糸は長い.",
        "See the [[weft]] and the [[warp]].",
        "### A knot",
        "| a | b |\n| - | - |\n| thread | knot |",
        "It is [1.25 ms](<= loom.one.ms>).",
    ];
    let (_space, site) = all_but_sound();
    same(&site, &["--today", DAY], "first");
    let mut dice = Dice(7);
    let mut alone = 0;
    for round in 0..40 {
        for _ in 0..=dice.throw(2) {
            let file = [WARP, WEFT, SHUTTLE, BINDING][dice.throw(4)];
            let text = fs::read_to_string(site.join(file)).unwrap();
            let mut blocks: Vec<_> = text.split("\n\n").collect();
            // The front matter and the first block stay.
            let at = 2 + dice.throw(blocks.len() - 1);
            if at < blocks.len() && dice.throw(3) == 0 {
                blocks.remove(at);
            } else {
                blocks.insert(at.min(blocks.len()), ADDED[dice.throw(ADDED.len())]);
            }
            write(&site, file, &blocks.join("\n\n"));
        }
        let built = same(&site, &["--today", DAY], &format!("round {round}"));
        alone += usize::from(built.pages < OTHERS);
    }
    assert!((10..40).contains(&alone), "{alone} rows were made alone");
}
