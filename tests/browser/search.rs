//! Search: what a reader types is found, however it is spelt.

use crate::chromium::with_browser;
use crate::course::{Course, course};
use crate::page::Page;
use crate::server::Server;
use serde_json::{Value, json};
use std::sync::OnceLock;

const SITE: &str = "title = \"Cases\"\nbase_url = \"https://glossary.example/\"\n";

/// A site whose words have accents, no spaces between them, and names of several words.
fn small() -> &'static Course {
    static SMALL: OnceLock<Course> = OnceLock::new();
    let term = |title: &str, name: &str, aliases: &str, body: &str| {
        format!(
            "---\ntitle: {title}\nterm: {name}\naliases: [{aliases}]\nshort: The short answer.\n---\n{body}\n"
        )
    };
    SMALL.get_or_init(|| {
        let memory = include_str!("../cases/search-accents-and-cjk/site/content/terms/memory.md");
        let processor = term(
            "What is a streaming multiprocessor?",
            "streaming multiprocessor",
            "multiprocessing block",
            "It schedules warps, and calls `__syncwarp()`.",
        );
        let occupancy = term(
            "What is occupancy?",
            "occupancy",
            "resident share",
            "The resident warps of a streaming multiprocessor. Read about throughput.",
        );
        Course::small(&[
            ("site.toml", SITE),
            ("content/terms/memory.md", memory),
            ("content/terms/multiprocessor.md", &processor),
            ("content/terms/occupancy.md", &occupancy),
        ])
    })
}

/// The titles that a query finds on a page of a site.
fn found(page: &Page<'_>, query: &str) -> Vec<String> {
    let query = json!(query);
    let found = page.evaluate(&format!(
        "import('/search/search.js').then(({{ search }}) => search({query}))"
    ));
    let hits = found.as_array().unwrap().iter();
    hits.map(|hit| hit["title"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn accents_scripts_without_spaces_and_nothing() {
    with_browser(|browser| {
        let page = Page::new(browser);
        page.open(&small().server.at(""));
        for query in [
            "memoire",
            "m\u{e9}moire",
            "me\u{301}moire",
            "MÉMOIRE",
            "線程",
            "程",
            "strasse",
            "ｍｅｍｏｉｒｅ",
        ] {
            assert_eq!(found(&page, query), ["Mémoire partagée"], "{query:?}");
        }
        for query in ["", " ", "?!", "。", "線束", "zebra", "memoire zebra"] {
            assert_eq!(found(&page, query), [""; 0], "{query:?}");
        }
        assert_eq!(page.problems(), [""; 0]);
    });
}

#[test]
fn names_initials_parts_and_typos() {
    with_browser(|browser| {
        let page = Page::new(browser);
        page.open(&small().server.at("terms/"));
        let first = |query: &str| found(&page, query).into_iter().next();
        for query in [
            "occupancy",
            "ocupancy",
            "occupnacy",
            "occ",
            "share",
            "OCCUPANCY?",
        ] {
            assert_eq!(first(query).as_deref(), Some("occupancy"), "{query:?}");
        }
        for query in [
            "sm",
            "streaming",
            "streeming",
            "multiprocessing",
            "processor",
            "syncwarp",
        ] {
            let expected = Some("streaming multiprocessor");
            assert_eq!(first(query).as_deref(), expected, "{query:?}");
        }
        // The names of one and the words of the other; the better one first.
        assert_eq!(
            found(&page, "streaming multiprocessor"),
            ["streaming multiprocessor", "occupancy"]
        );
        assert_eq!(found(&page, "warps resident"), ["occupancy"]);
        assert_eq!(found(&page, "throughputt"), ["occupancy"]);
        assert_eq!(page.problems(), [""; 0]);
    });
}

#[test]
fn names_answer_without_the_words() {
    with_browser(|browser| {
        let mut files = small().files.clone();
        files.retain(|path, _| !path.starts_with("search/words-"));
        assert!(files.len() < small().files.len());
        let server = Server::start(files);
        let page = Page::new(browser);
        page.open(&server.at(""));
        assert_eq!(found(&page, "occupancy"), ["occupancy"]);
        assert_eq!(found(&page, "throughput"), [""; 0]);
    });
}

/// The files of the index that the page has asked for.
fn loaded(page: &Page<'_>) -> Value {
    page.evaluate(
        "performance.getEntriesByType('resource').filter((file) => file.name.includes('/search/')).length",
    )
}

#[test]
fn the_keyboard_alone_finds_a_page() {
    with_browser(|browser| {
        let press = |page: &Page<'_>, key: &str, number: u32, typed: &str| {
            for kind in ["keyDown", "keyUp"] {
                let mut event = json!({"type": kind, "key": key, "windowsVirtualKeyCode": number});
                if kind == "keyDown" && !typed.is_empty() {
                    event["text"] = json!(typed);
                }
                page.call("Input.dispatchKeyEvent", &event);
            }
        };
        let page = Page::new(browser);
        for path in ["", "terms/", "lessons/", "terms/warp/"] {
            page.open(&course().server.at(path));
            assert_eq!(loaded(&page), json!(0), "{path}");
            press(&page, "/", 191, "/");
            page.wait("document.activeElement.id === 'search-field'");
            page.call("Input.insertText", &json!({"text": "ocupancy"}));
            page.wait(
                "document.querySelector('#search-results a')?.textContent.startsWith('occupancy')",
            );
            page.wait("document.querySelector('.search-status').textContent.endsWith('results')");
            press(&page, "ArrowDown", 40, "");
            page.wait("document.activeElement.matches('#search-results li:first-child a')");
            press(&page, "Enter", 13, "\r");
            page.wait(
                "location.pathname === '/terms/occupancy/' && document.readyState === 'complete'",
            );
        }
        assert_eq!(page.problems(), [""; 0]);
    });
}
