//! A site with everything in it, and edits of it.

use crate::folders::copy;
use crate::warm::{DAY, same};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub(crate) fn edit(root: &Path, path: &str, from: &str, to: &str) {
    let text = fs::read_to_string(root.join(path)).unwrap();
    let new = text.replacen(from, to, 1);
    assert_ne!(text, new, "{path} has no {from:?}");
    write(root, path, &new);
}

/// A byline of two people.
pub(crate) const BYLINE: &str = "byline: {written_by: Ada Lovelace, reviewed_by: Grace Hopper, \
    written_on: 2026-09-01, last_checked_on: 2026-09-12}\n";

pub(crate) const SOURCES: &str = "sources:\n  - id: book\n    title: A book of looms\n    supports: all of it\n    \
    url: https://looms.example/book\n    checked: 2026-09-10\n";

pub(crate) fn entry(site: &Path, path: &str, front: &str, body: &str) {
    let text = format!("---\n{front}{SOURCES}{BYLINE}---\n\n{body}\n");
    write(site, &format!("content/{path}"), &text);
}

/// The first bytes of a PNG of this width and height, which are all that is looked at.
pub(crate) fn png(width: u8, height: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend([0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0]);
    bytes
}

/// A published site with everything in it that a page can show.
pub(crate) fn everything() -> (TempDir, PathBuf) {
    let space = TempDir::new().unwrap();
    let site = space.path().join("site");
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/_base/site");
    copy(&base, &site).unwrap();
    let capture = "# device: Tesla T4\n# compute_capability: \"7.5\"\n# driver: \"595.84\"\n\
        # toolkit: CUDA 12.6\n# build: nvcc -O3\n# captured: 2026-09-01\n\
        # columns: {label: {}, ms: {unit: ms}}\nlabel,ms\none,1.25\n";
    write(&site, "content/captures/run.csv", capture);
    write(
        &site,
        "content/index.md",
        "---\ntitle: Cases\n---\n\nBegin with [[warp]].\n",
    );
    write(
        &site,
        "content/pages/about.md",
        "---\ntitle: About\n---\n\nOf [[weft]].\n",
    );
    fs::create_dir_all(site.join("static")).unwrap();
    fs::write(site.join("static/cloth.png"), png(40, 30)).unwrap();
    entry(
        &site,
        "terms/warp.md",
        "title: What is a warp?\nterm: warp\nshort: Threads that run lengthwise.\naliases: [chain]\n\
         related: [weft]\nowner: weaving\nmeets: [{lesson: binding, note: It is bound.}]\n\
         measured: {loom: {file: captures/run.csv, caption: \"It took [1.25](<= loom.one.ms>) ms.\"}}\n\
         diagrams:\n  two:\n    preset: two-ways-to-64\n    \
         alt: \"All [32](<= two-ways-to-64.many.resident_warps>) places are taken.\"\n",
        "## Threads\n\nOf [1.25 ms](<= loom.one.ms>).[^book] See [[weft#across]] and ![cloth](/cloth.png).",
    );
    entry(
        &site,
        "terms/weft.md",
        "title: What is a weft?\nterm: weft\nshort: The thread that runs across.\n",
        "## Across\n\nIt crosses the [[chain]].[^book]",
    );
    entry(
        &site,
        "terms/shuttle/index.md",
        "title: What is a shuttle?\nterm: shuttle\nshort: It carries the thread.\n",
        "It flies over the [[warp#loom]].[^book] ![A shuttle](shuttle.png)",
    );
    fs::write(site.join("content/terms/shuttle/shuttle.png"), png(8, 4)).unwrap();
    entry(
        &site,
        "terms/alone.md",
        "title: What stands alone?\nterm: lonely thread\nshort: Nothing leads here.\n",
        "It is so.[^book]",
    );
    entry(
        &site,
        "lessons/weaving.md",
        "title: Weaving\nday: 1\nshort: How cloth comes about.\nteaches: [warp]\n\
         arc: {name: Cloth, part: 1}\n\
         matrices:\n  a: {rows: [[1, 2, 3, 4], [2, 1, 0, 1], [0, 1, 2, 1], [3, 0, 1, 2]]}\n  \
         b: {rows: [[1, 2, 3, 4], [0, 1, 0, 1], [2, 0, 1, 0], [1, 1, 1, 1]]}\n\
         models:\n  array:\n    kind: systolic-array\n    column_tile: [0]\n    \
         operands: {a: a, b: b}\n    alt: A grid of cells.\n    caption: Watch one cell.\n",
        "## Begin\n\nPut up the [[warp]].[^book]",
    );
    entry(
        &site,
        "lessons/binding.md",
        "title: Binding\nday: 2\nshort: How threads hold.\nprerequisites: [weaving]\n\
         arc: {name: Cloth, part: 2}\n",
        "## Hold\n\nThe [[weft]] goes under and over.[^book]",
    );
    (space, site)
}

/// How many entries it has.
pub(crate) const ENTRIES: usize = 8;

/// Pages that are made each time: home, both lists, the page about the site, the one for no page.
pub(crate) const OTHERS: usize = 5;

/// What is edited, and how.
pub(crate) type Edit = (&'static str, fn(&Path));

/// The file of the cache with this ending.
pub(crate) fn cached(site: &Path, ending: &str) -> PathBuf {
    let found = fs::read_dir(site.join(".countersign-cache")).unwrap();
    let mut found = found.map(|file| file.unwrap().path());
    let is_it = |path: &PathBuf| path.to_string_lossy().ends_with(ending);
    found.find(is_it).unwrap()
}

/// Edits that few pages can show: how many pages are made again, and the edit.
pub(crate) const SMALL: &[(usize, Edit)] = &[
    (
        1,
        ("a body", |site| {
            edit(site, "content/terms/alone.md", "It is so.", "So it is.");
        }),
    ),
    (
        1 + OTHERS,
        ("a body with links", |site| {
            edit(site, "content/terms/warp.md", "See ", "Look at ");
        }),
    ),
    // The neighbours in the glossary show the name, and nobody else does.
    (
        3 + OTHERS,
        ("a name", |site| {
            edit(
                site,
                "content/terms/alone.md",
                "lonely thread",
                "lone thread",
            );
        }),
    ),
    // A short answer stands on the cards of whoever links there.
    (
        3 + OTHERS,
        ("the short answer of a linked term", |site| {
            edit(
                site,
                "content/terms/weft.md",
                "runs across.",
                "goes across.",
            );
        }),
    ),
    (
        3 + OTHERS,
        ("a heading that is linked to", |site| {
            edit(
                site,
                "content/terms/weft.md",
                "## Across",
                "## Across {#crossing}",
            );
            edit(
                site,
                "content/terms/warp.md",
                "weft#across",
                "weft#crossing",
            );
        }),
    ),
    (
        1 + OTHERS,
        ("a capture", |site| {
            edit(site, "content/captures/run.csv", "one,1.25", "one,1.254");
        }),
    ),
    (
        3 + OTHERS,
        ("a byline", |site| {
            edit(site, "content/terms/alone.md", "2026-09-12", "2026-09-13");
        }),
    ),
    (
        3 + OTHERS,
        ("a source", |site| {
            edit(site, "content/terms/alone.md", "all of it", "most of it");
        }),
    ),
    (
        1 + OTHERS,
        ("an image beside", |site| {
            fs::write(site.join("content/terms/shuttle/shuttle.png"), png(9, 4)).unwrap();
        }),
    ),
    (
        4 + OTHERS,
        ("the part of a lesson", |site| {
            edit(site, "content/lessons/binding.md", "part: 2", "part: 3");
        }),
    ),
    (
        1,
        ("a line end", |site| {
            edit(site, "content/terms/alone.md", "\n---\n", "\r\n---\n");
        }),
    ),
];

/// Edits that every page may show, with the options of the build.
pub(crate) const LARGE: &[(&[&str], Edit)] = &[
    (
        &[],
        ("a title of the site", |site| {
            edit(site, "site.toml", "Cases", "Other cases");
        }),
    ),
    (
        &[],
        ("a template", |site| {
            write(
                site,
                "templates/partials/footer.html",
                "<footer>Ours</footer>",
            );
        }),
    ),
    (
        &[],
        ("people", |site| {
            let text = "ada:\n  name: Ada Lovelace\n  url: https://ada.example/\n\
                grace:\n  name: Grace Hopper\n";
            write(site, "content/people.yaml", text);
        }),
    ),
    (
        &[],
        ("a page", |site| {
            edit(
                site,
                "content/pages/about.md",
                "title: About",
                "title: About us",
            );
        }),
    ),
    (
        &[],
        ("a preset", |site| {
            edit(
                site,
                "content/presets/two-ways-to-64.toml",
                "Two ways",
                "Both ways",
            );
        }),
    ),
    (
        &[],
        ("an image of the site", |site| {
            fs::write(site.join("static/cloth.png"), png(41, 30)).unwrap();
        }),
    ),
    (
        &["--base-url", "https://other.example/x/"],
        ("an address", |_| {}),
    ),
    (&["--png", "none"], ("no PNGs", |_| {})),
    (&[], ("as before", |_| {})),
];

/// Entries come, go and are withheld.
pub(crate) const COMING: &[Edit] = &[
    ("a new entry", |site| {
        let front = "title: What is a reed?\nterm: reed\nshort: A comb.\n";
        entry(
            site,
            "terms/reed.md",
            front,
            "It beats the [[weft]].[^book]",
        );
    }),
    ("a draft", |site| {
        edit(site, "content/terms/reed.md", "Grace Hopper", "pending");
    }),
    ("another word of a draft", |site| {
        edit(
            site,
            "content/terms/reed.md",
            "It beats",
            "With force it beats",
        );
    }),
    ("a draft whose words others have", |site| {
        edit(
            site,
            "content/terms/reed.md",
            "A comb.",
            "A comb of fine teeth.",
        );
        edit(
            site,
            "content/terms/alone.md",
            "It is so.",
            "It is a comb of fine teeth.",
        );
    }),
    ("the words are gone", |site| {
        edit(site, "content/terms/alone.md", "a comb of fine teeth", "so");
    }),
    ("published again", |site| {
        edit(site, "content/terms/reed.md", "pending", "Grace Hopper");
    }),
    ("an entry moves", |site| {
        fs::create_dir_all(site.join("content/terms/reed")).unwrap();
        let [from, to] = ["reed.md", "reed/index.md"].map(|to| site.join("content/terms").join(to));
        fs::rename(from, to).unwrap();
    }),
    ("an alias that is linked to moves", |site| {
        edit(site, "content/terms/warp.md", "aliases: [chain]\n", "");
        edit(
            site,
            "content/terms/reed/index.md",
            "term: reed\n",
            "term: reed\naliases: [chain]\n",
        );
    }),
    ("an entry is held", |site| {
        edit(
            site,
            "content/terms/shuttle/index.md",
            "term: ",
            "hold: Wait.\nterm: ",
        );
    }),
    ("an entry is gone", |site| {
        fs::remove_dir_all(site.join("content/terms/shuttle")).unwrap();
    }),
    ("an entry has another id", |site| {
        let [from, to] = ["alone.md", "apart.md"].map(|to| site.join("content/terms").join(to));
        fs::rename(from, to).unwrap();
    }),
];

/// Files of the release and of the cache are changed by hand.
pub(crate) const BY_HAND: &[Edit] = &[
    ("a released page is changed", |site| {
        edit(site, "public/terms/warp/index.html", "warp", "WARP");
        edit(site, "content/terms/apart.md", "It is so.", "So it is.");
    }),
    ("a released drawing is gone", |site| {
        fs::remove_file(site.join("public/diagrams/warp/two.svg")).unwrap();
        edit(site, "content/terms/apart.md", "So it is.", "It is so.");
    }),
    ("the manifest is changed", |site| {
        let text = fs::read_to_string(site.join("public/manifest.json")).unwrap();
        write(site, "public/manifest.json", &(text + " "));
    }),
    ("the record of pages is cut", |site| {
        let text = fs::read_to_string(cached(site, "-pages")).unwrap();
        fs::write(cached(site, "-pages"), &text[..text.len() / 2]).unwrap();
        edit(site, "content/terms/apart.md", "It is so.", "So it is.");
    }),
    ("the record of pages has files less", |site| {
        let text = fs::read_to_string(cached(site, "-pages")).unwrap();
        fs::write(
            cached(site, "-pages"),
            text.replace("\tterms/warp/index.md", ""),
        )
        .unwrap();
        edit(site, "content/terms/apart.md", "So it is.", "It is so.");
    }),
    ("the record of pages is of an older release", |site| {
        let old = fs::read(cached(site, "-pages")).unwrap();
        edit(site, "content/terms/apart.md", "It is so.", "So it is.");
        same(site, &["--today", DAY], "between");
        fs::write(cached(site, "-pages"), old).unwrap();
        edit(site, "content/terms/apart.md", "So it is.", "It is so.");
    }),
    ("the stamps are gone", |site| {
        fs::remove_file(cached(site, "-stamps")).unwrap();
        edit(site, "public/terms/warp/index.html", "warp", "WARP");
    }),
    ("the cache is gone", |site| {
        fs::remove_dir_all(site.join(".countersign-cache")).unwrap();
        edit(site, "content/terms/apart.md", "It is so.", "So it is.");
    }),
    ("the release is gone", |site| {
        fs::remove_dir_all(site.join("public")).unwrap();
    }),
];
