//! Every page of the course as it would be released: sound, readable by everybody, light.

use crate::chromium::with_browser;
use crate::course::{Course, release};
use crate::markup;
use crate::page::{Key, Page};
use crate::server::{Files, Server};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::Arc;

/// Gives a function that looks for faults in the page that it is called in.
const CHECKS: &str = include_str!("checks.js");

/// Opens what is closed, so that it is looked at too.
const OPEN_ALL: &str =
    "document.querySelectorAll('details').forEach((details) => { details.open = true; })";

/// The words of the text that are seen, without what a player answers for and shows itself.
const WORDS: &str = "(() => {
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const words = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (parent.checkVisibility() && !parent.closest('.live, .copy, .other-runs, [data-result], svg')) words.push(...walker.currentNode.data.split(/\\s+/).filter(Boolean));
    }
    return words;
  })()";

fn ends_in(path: &str, ending: &str) -> bool {
    path.rsplit('.').next() == Some(ending)
}

/// Every page but redirects: addresses that a reader can be at.
fn addresses(course: &Course) -> Vec<&str> {
    let pages = course.files.iter().filter(|(path, bytes)| {
        ends_in(path, "html") && !String::from_utf8_lossy(bytes).contains("http-equiv=\"refresh\"")
    });
    pages
        .map(|(path, _)| path.strip_suffix("index.html").unwrap_or(path))
        .collect()
}

/// A page of every kind, and every lesson.
fn kinds(course: &Course) -> Vec<&str> {
    const SOME: [&str; 9] = [
        "",
        "404.html",
        "how-we-check/",
        "lessons/",
        "terms/",
        "terms/bandwidth/",
        "terms/latency-hiding/",
        "terms/memory-coalescing/",
        "terms/warp/",
    ];
    let all = addresses(course).into_iter();
    all.filter(|address| SOME.contains(address) || address.starts_with("lessons/"))
        .collect()
}

/// Faults of the page as it is now; each begins with the name of its rule.
fn faults(page: &Page<'_>) -> Vec<String> {
    let found = page.evaluate(&format!("({CHECKS})()"));
    let mut found: Vec<_> = found.as_array().unwrap().iter().map(text).collect();
    let tree = page.call("Accessibility.getFullAXTree", &json!({}));
    let nodes = tree["nodes"].as_array().unwrap().iter();
    found.extend(nodes.filter_map(unnamed));
    found
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// A part that a reader can use, or must be told of, without a name.
fn unnamed(node: &Value) -> Option<String> {
    const NAMED: [&str; 14] = [
        "button",
        "checkbox",
        "combobox",
        "dialog",
        "heading",
        "image",
        "img",
        "link",
        "navigation",
        "radio",
        "region",
        "searchbox",
        "slider",
        "textbox",
    ];
    let role = node["role"]["value"].as_str()?;
    let name = node["name"]["value"].as_str().unwrap_or_default();
    let is_ignored = node["ignored"] == json!(true);
    (NAMED.contains(&role) && name.trim().is_empty() && !is_ignored)
        .then(|| format!("name: a {role} has none"))
}

/// Brings the figures of a page to life, as a reader does who comes to them.
fn bring_figures(page: &Page<'_>) {
    let count = page.evaluate("document.querySelectorAll('figure[data-model]').length");
    for at in 0..count.as_u64().unwrap() {
        let figure = format!("document.querySelectorAll('figure[data-model]')[{at}]");
        page.evaluate(&format!("{figure}.scrollIntoView()"));
        page.wait(&format!("'open' in {figure}.dataset"));
    }
}

#[test]
fn browsers_have_nothing_to_mend() {
    with_browser(|browser| {
        let page = Page::new(browser);
        page.without_scripts();
        for address in addresses(release()) {
            page.open(&release().server.at(address));
            let file = match address {
                "" => "index.html".to_owned(),
                folder if folder.ends_with('/') => format!("{folder}index.html"),
                file => file.to_owned(),
            };
            let html = String::from_utf8_lossy(&release().files[&file]);
            let written = markup::tree(&html).unwrap_or_else(|fault| panic!("{address}: {fault}"));
            let made = page.evaluate(markup::TREE);
            assert_eq!(made, json!(written), "{address}");
        }
    });
}

#[test]
fn pages_hold_in_light_and_dark_wide_and_narrow() {
    with_browser(|browser| {
        for (width, scheme) in [
            (1280, "light"),
            (1280, "dark"),
            (360, "light"),
            (320, "dark"),
        ] {
            let page = Page::new(browser);
            page.window(width, 900);
            page.media(
                "",
                &[
                    ("prefers-color-scheme", scheme),
                    ("prefers-reduced-motion", "reduce"),
                ],
            );
            for address in kinds(release()) {
                page.open(&release().server.at(address));
                assert_eq!(faults(&page), [""; 0], "{address} at {width}, {scheme}");
                bring_figures(&page);
                page.evaluate(OPEN_ALL);
                assert_eq!(
                    faults(&page),
                    [""; 0],
                    "{address} at {width}, {scheme}, all open"
                );
                assert_eq!(page.problems(), [""; 0], "{address}");
            }
        }
    });
}

#[test]
fn every_word_and_colour_is_there_without_scripts() {
    with_browser(|browser| {
        let (with, without) = (Page::new(browser), Page::new(browser));
        without.without_scripts();
        without.media("", &[("prefers-color-scheme", "dark")]);
        for address in kinds(release()) {
            let address = release().server.at(address);
            with.open(&address);
            without.open(&address);
            let (all, kept) = (with.evaluate(WORDS), without.evaluate(WORDS));
            assert!(!all.as_array().unwrap().is_empty(), "{address}");
            assert_eq!(kept, all, "{address}");
            let dead = "[...document.querySelectorAll('button, input')].filter((control) => control.checkVisibility()).length";
            assert_eq!(
                without.evaluate(dead),
                json!(0),
                "{address}: controls that nothing answers"
            );
            let ground = "getComputedStyle(document.body).backgroundColor";
            assert_eq!(
                without.evaluate(ground),
                json!("rgb(20, 22, 26)"),
                "{address}"
            );
        }
    });
}

#[test]
fn the_focus_is_seen_and_goes_on() {
    with_browser(|browser| {
        let page = Page::new(browser);
        for address in [
            "",
            "404.html",
            "terms/",
            "terms/latency-hiding/",
            "lessons/weave-ready-work/",
        ] {
            page.open(&release().server.at(address));
            assert_eq!(unseen_stops(&page), [""; 0], "{address}");
        }
    });
}

/// What the focus comes to without being seen there, or does not leave.
fn unseen_stops(page: &Page<'_>) -> Vec<String> {
    const STOPS: usize = 60;
    let mut unseen = Vec::new();
    page.evaluate("window.before = document.body");
    for _ in 0..STOPS {
        page.press(Key::Tab);
        let fault = page.evaluate(
            "(() => { const now = document.activeElement, style = getComputedStyle(now);
               const stays = now === window.before && now !== document.body;
               window.before = now;
               if (now === document.body) return 'end';
               if (stays) return `trap: ${now.outerHTML.slice(0, 80)}`;
               return style.outlineStyle === 'none' || Number.parseFloat(style.outlineWidth) < 1 ? `unseen: ${now.outerHTML.slice(0, 80)}` : ''; })()",
        );
        match fault.as_str().unwrap() {
            "" => {}
            "end" => break,
            fault => unseen.push(fault.to_owned()),
        }
    }
    unseen
}

/// Bytes as a server sends them.
fn packed(bytes: &[u8]) -> usize {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap().len().min(bytes.len())
}

/// What a page may ask for at most before anything is done: requests, bytes, bytes of script.
struct Budget(usize, usize, usize);

/// The budget of an address's kind.
fn budget(address: &str) -> Budget {
    match address {
        "lessons/" => Budget(5, 16_384, 3_072),
        lesson if lesson.starts_with("lessons/") => Budget(6, 32_768, 12_288),
        term if term.starts_with("terms/") && term != "terms/" => Budget(4, 16_384, 3_072),
        _ => Budget(5, 16_384, 3_072),
    }
}

/// What is over the budget.
fn over(
    Budget(requests, bytes, script): &Budget,
    asked: &BTreeSet<String>,
    files: &Files,
) -> Vec<String> {
    let weigh = |wanted: fn(&str) -> bool| -> usize {
        let files = asked
            .iter()
            .filter(|path| wanted(path))
            .map(|path| files.get(path));
        files.flatten().map(|bytes| packed(bytes)).sum()
    };
    let told = [
        ("requests", asked.len(), *requests),
        ("bytes", weigh(|_| true), *bytes),
        (
            "bytes of script",
            weigh(|path| ends_in(path, "js")),
            *script,
        ),
    ];
    let over = told.into_iter().filter(|(_, is, most)| is > most);
    over.map(|(what, is, most)| format!("{is} {what}, {most} at most"))
        .collect()
}

#[test]
fn pages_are_light() {
    with_browser(|browser| {
        let server = Server::start(release().files.clone());
        let page = Page::new(browser);
        for address in addresses(release()) {
            server.asked();
            page.open(&server.at(address));
            // What is asked for on arrival has been asked for when the page has painted twice.
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))");
            let mut asked: BTreeSet<_> = server.asked().into_iter().collect();
            // A browser without a window may leave the icon out.
            asked.insert("favicon.svg".to_owned());
            assert!(asked.contains("js/site.js"), "{asked:?}");
            assert_eq!(
                over(&budget(address), &asked, &release().files),
                [""; 0],
                "{address}: {asked:?}"
            );
        }
        assert_eq!(page.problems(), [""; 0]);
    });
}

#[test]
fn what_is_heavy_is_told() {
    let noise: Vec<u8> = (0..40_000_u32)
        .map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()[1])
        .collect();
    let files: Files = [("index.html", &b"<p>"[..]), ("a.js", &noise)]
        .map(|(path, bytes)| (path.to_owned(), Arc::from(bytes)))
        .into();
    let asked: BTreeSet<_> = files.keys().cloned().collect();
    assert_eq!(over(&Budget(1, 100, 100), &asked, &files).len(), 3);
    assert_eq!(over(&Budget(2, 90_000, 90_000), &asked, &files), [""; 0]);
}

/// A page in which all is well, with `body` at the end of its text and `style` as its style sheet.
fn frame(body: &str, style: &str) -> Files {
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Warps</title>\
         <meta name=\"description\" content=\"What a warp is, in one sentence.\"><link rel=\"stylesheet\" href=\"a.css\"><link rel=\"icon\" href=\"a.svg\"></head>\
         <body><header>Head</header><main><h1>Warps</h1><p>Text.</p>{body}</main><footer>Foot</footer></body></html>"
    );
    [
        ("index.html", page.as_str()),
        ("a.css", style),
        ("a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
    ]
    .map(|(path, text)| (path.to_owned(), Arc::from(text.as_bytes())))
    .into()
}

/// A rule, what stands in the text to break it, and the style sheet.
const BROKEN: [(&str, &str, &str); 27] = [
    ("content", "<ul><p>No item</p></ul>", ""),
    (
        "content",
        "<button type=\"button\"><a href=\"#a\" id=\"a\">Nested</a></button>",
        "",
    ),
    ("content", "<span><div>Block</div></span>", ""),
    ("content", "<details><p>No summary</p></details>", ""),
    ("content", "<p align=\"right\">Old</p>", ""),
    ("content", "<p><time>soon</time></p>", ""),
    ("content", "<section>No heading</section>", ""),
    ("ids", "<p id=\"a\">One</p><p id=\"a\">Two</p>", ""),
    ("ids", "<p><a href=\"#nowhere\">Away</a></p>", ""),
    ("ids", "<p aria-describedby=\"nowhere\">Away</p>", ""),
    ("headings", "<h3>Too deep</h3>", ""),
    ("headings", "<h1>Another</h1>", ""),
    (
        "landmarks",
        "<nav><a class=\"wide\" href=\"a.svg\">One</a></nav>",
        ".wide { display: block; min-height: 2rem }",
    ),
    ("landmarks", "</main><p>Outside</p><main hidden>", ""),
    (
        "contrast",
        "<p class=\"pale\">Pale</p>",
        ".pale { color: #888 }",
    ),
    (
        "contrast",
        "<p class=\"pale\">Pale</p>",
        ".pale { color: light-dark(#111, #333); background: light-dark(#fff, #222) } :root { color-scheme: dark }",
    ),
    (
        "contrast",
        "<svg role=\"img\" aria-label=\"A picture\" width=\"90\" height=\"20\"><text class=\"pale\" y=\"15\">Pale</text></svg>",
        ".pale { fill: #999 }",
    ),
    (
        "keyboard",
        "<div class=\"box\"><p>A long line of words in a narrow box.</p></div>",
        ".box { width: 60px; overflow-x: auto; white-space: nowrap }",
    ),
    ("keyboard", "<p tabindex=\"2\">First</p>", ""),
    (
        "target",
        "<button type=\"button\">x</button>",
        "button { font-size: 8px; padding: 0; border: 0 }",
    ),
    ("alt", "<p><img src=\"a.svg\"></p>", ""),
    (
        "overflow",
        "<p class=\"wide\">Wide</p>",
        ".wide { width: 2000px }",
    ),
    (
        "motion",
        "<p class=\"slow\">Slow</p>",
        ".slow { transition: color 2s }",
    ),
    (
        "name",
        "<button type=\"button\"></button>",
        "button { min-width: 40px; min-height: 40px }",
    ),
    ("name", "<p><a href=\"a.svg\"></a></p>", ""),
    (
        "name",
        "<p><input type=\"text\"></p>",
        "input { min-height: 40px }",
    ),
    (
        "name",
        "<svg role=\"img\" width=\"9\" height=\"9\"></svg>",
        "",
    ),
];

#[test]
fn each_fault_is_told() {
    with_browser(|browser| {
        let page = Page::new(browser);
        page.media("", &[("prefers-reduced-motion", "reduce")]);
        let server = Server::start(frame("", ""));
        page.open(&server.at(""));
        assert_eq!(faults(&page), [""; 0]);
        for (rule, body, style) in BROKEN {
            let server = Server::start(frame(body, style));
            page.open(&server.at(""));
            let found = faults(&page);
            let is_told = found
                .iter()
                .any(|fault| fault.starts_with(&format!("{rule}: ")));
            assert!(is_told, "{rule} in {body}: {found:?}");
        }
    });
}

#[test]
fn an_unseen_focus_and_a_trap_are_told() {
    with_browser(|browser| {
        let page = Page::new(browser);
        let server = Server::start(frame(
            "<p><a href=\"a.svg\">Away</a></p>",
            "a:focus { outline: none }",
        ));
        page.open(&server.at(""));
        assert_eq!(unseen_stops(&page).len(), 1);
        page.open(&server.at(""));
        page.evaluate("document.querySelector('a').onkeydown = (event) => event.preventDefault()");
        assert!(
            unseen_stops(&page)
                .iter()
                .any(|fault| fault.starts_with("trap"))
        );
        page.evaluate("console.error('told')");
        page.evaluate("fetch('https://elsewhere.example/').catch(() => {})");
        page.evaluate("new Promise((done) => setTimeout(done))");
        let problems = page.problems();
        assert!(
            problems.iter().any(|problem| problem.contains("told")),
            "{problems:?}"
        );
        assert!(
            problems.iter().any(|problem| problem.contains("elsewhere")),
            "{problems:?}"
        );
    });
}
