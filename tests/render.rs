//! Pages of small sites that are made in memory.

#![expect(clippy::unwrap_used, reason = "a case that lacks a part has failed")]

use countersign::compile::{Compiled, Memory, Options, compile};
use countersign::diagnostic::{Diagnostics, rule};
use countersign::model::config::Assurance;
use countersign::model::date::Date;
use countersign::render::{
    Audience, Input, Named, OutputFile, PageKey, Renderer, Shown, Standing, Templates,
};
use countersign::resolve::EntryIndex;
use countersign::source::{Digest, SourceFile, Sources};

const SITE: &str = "title = \"Cases\"\nbase_url = \"https://glossary.example/sub/\"\n";

const BYLINE: &str = "byline:\n  written_by: Ada Lovelace\n  reviewed_by: Grace Hopper\n  \
                      written_on: 2026-09-02\n  last_checked_on: 2026-09-03\n";

const SOURCES: &str = "sources:\n  - id: guide\n    title: Vendor guide\n    supports: what a warp is\n    \
                       url: https://docs.example/guide\n    checked: 2026-08-30\n  - id: manual\n    \
                       title: Vendor manual\n    url: https://docs.example/manual\n    checked: 2026-08-31\n";

const T4: &str = "measured:\n  t4:\n    device: Tesla T4\n    compute_capability: \"7.5\"\n    \
                  driver: \"595.80\"\n    toolkit: CUDA 12.10\n    build: nvcc -O3 -arch=sm_75\n    \
                  captured: 2026-09-01\n    columns:\n      label: {}\n      ms: {title: time, unit: ms}\n      \
                  loads: {exact: true}\n    rows:\n      - [one, 0.70, 8]\n      - [ilp4-b1, 12.5, 64]\n";

/// Shows the entries with these ids; the others are drafts that nobody may see.
struct Only<'a> {
    compiled: &'a Compiled,
    ids: &'a [&'a str],
    audience: Audience,
}

impl Shown for Only<'_> {
    fn audience(&self) -> Audience {
        self.audience
    }

    fn state(&self, entry: EntryIndex) -> Option<&'static str> {
        let id = self.compiled.site.entry(entry).id.as_str();
        let published = self.ids.contains(&id);
        let shown = published || self.audience == Audience::Writers;
        shown.then_some(if published { "published" } else { "draft" })
    }

    fn reasons(&self, _: EntryIndex) -> Vec<String> {
        vec!["It waits for its reviewer.".to_owned()]
    }

    fn standing(&self, entry: EntryIndex) -> Standing {
        let published = self
            .ids
            .contains(&self.compiled.site.entry(entry).id.as_str());
        let named = |name: &str| Named {
            name: name.to_owned(),
            url: None,
        };
        Standing {
            state: if published { "published" } else { "draft" },
            waits_for: if published {
                Vec::new()
            } else {
                vec!["reviewer"]
            },
            author: Some(named("Ada Lovelace")),
            reviewer: published.then(|| named("Grace Hopper")),
            assurance: published.then_some(Assurance::Named),
            claims: published.then(|| Digest::of("what was signed")),
        }
    }
}

struct Case {
    sources: Sources,
    compiled: Compiled,
}

impl Case {
    fn new(files: &[(&str, &str)]) -> Self {
        let mut sources = Sources::new();
        let config = sources.add(SourceFile::new("site.toml", SITE, Digest::of(SITE)));
        for (path, text) in files {
            sources.add(SourceFile::new(*path, *text, Digest::of(text)));
        }
        // One white pixel.
        sources.add_binary(
            "content/terms/warp/dot.png",
            &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x28\0\0\0\x1e\x08\x06\0\0\0"[..],
        );
        let options = Options {
            today: Date::parse("2026-10-01").unwrap(),
            base_url: None,
            trusted: None,
        };
        let loaded = Diagnostics::new();
        let compiled = compile(&sources, config, &options, &Memory::none(), loaded);
        Self { sources, compiled }
    }

    fn index(&self, id: &str) -> EntryIndex {
        let mut entries = self.compiled.site.entries.iter();
        entries.position(|entry| entry.id.as_str() == id).unwrap()
    }

    /// Every file of a page, among the shown entries.
    fn files(
        &self,
        key: PageKey,
        ids: &[&str],
        audience: Audience,
    ) -> Result<Vec<OutputFile>, Diagnostics> {
        let mut out = Diagnostics::new();
        let Some(templates) = Templates::new(&self.sources, &mut out) else {
            return Err(out);
        };
        let input = Input {
            sources: &self.sources,
            site: &self.compiled.site,
            runs: &self.compiled.simulations,
            facts: &self.compiled.facts,
            templates: &templates,
            search_href: None,
            rasters: countersign::render::Rasters::All,
        };
        let set = Only {
            compiled: &self.compiled,
            ids,
            audience,
        };
        Renderer::new(input, &set).render(key)
    }

    /// The HTML of a page in a release of the entries with these ids.
    fn page(&self, key: PageKey, ids: &[&str]) -> String {
        let files = match self.files(key, ids, Audience::Readers) {
            Ok(files) => files,
            Err(found) => panic!("{found:#?}"),
        };
        let page = String::from_utf8(files.into_iter().next().unwrap().bytes).unwrap();
        ids_are_unique(&page);
        page
    }

    fn entry(&self, id: &str, ids: &[&str]) -> String {
        self.page(PageKey::Entry(self.index(id)), ids)
    }
}

fn term(title: &str, more: &str, body: &str) -> String {
    format!(
        "---\ntitle: {title}\nshort: A short answer to “{title}”.\n{more}{SOURCES}{BYLINE}---\n\n{body}\n"
    )
}

fn lesson(title: &str, more: &str, body: &str) -> String {
    term(title, more, body)
}

#[track_caller]
fn ids_are_unique(page: &str) {
    let ids = page.split(" id=\"").skip(1);
    let mut ids: Vec<_> = ids.map(|rest| rest.split('"').next().unwrap()).collect();
    ids.sort_unstable();
    for pair in ids.windows(2) {
        assert_ne!(pair[0], pair[1], "an id stands twice");
    }
}

#[track_caller]
fn has(page: &str, wanted: &str) {
    assert!(page.contains(wanted), "not found: {wanted}\n\n{page}");
}

#[track_caller]
fn lacks(page: &str, unwanted: &str) {
    assert!(!page.contains(unwanted), "found: {unwanted}\n\n{page}");
}

/// The text between the first `start` and the next `end`.
fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    let from = page.find(start).unwrap() + start.len();
    let to = page[from..].find(end).unwrap();
    &page[from..from + to]
}

#[test]
fn a_term_page_has_its_sections_in_order() {
    let more = format!(
        "term: warp\nrelated: [lane]\nmeets:\n  - {{lesson: day-one, note: meets it first}}\n{T4}"
    );
    let warp = term(
        "What is a warp?",
        &more,
        "Thirty-two threads.[^guide] See [[lane]].",
    );
    let lane = term("What is a lane?", "term: lane\n", "One of them.");
    let day = lesson(
        "Day one",
        "day: 1\n",
        "## Start {#start kicker=\"First\"}\n\nA [[warp]].",
    );
    let case = Case::new(&[
        ("content/terms/warp.md", &warp),
        ("content/terms/lane.md", &lane),
        ("content/lessons/day-one.md", &day),
    ]);
    let page = case.entry("warp", &["warp", "lane", "day-one"]);
    let order = [
        "<h1>What is a warp?</h1>",
        "class=\"short\"",
        "Thirty-two threads.",
        "<h2 id=\"measured\">",
        "<h2 id=\"related\">",
        "<h2 id=\"meets\">",
        "<h2 id=\"sources\">",
        "<h2 id=\"byline\">",
    ];
    let places: Vec<_> = order.iter().map(|part| page.find(part)).collect();
    assert!(places.iter().all(Option::is_some), "{places:?}\n{page}");
    assert!(places.is_sorted(), "{places:?}");
    lacks(&page, "<h2 id=\"diagrams\">");
    lacks(&page, "<h2 id=\"numbers\">");
    has(
        &page,
        "<a class=\"term\" href=\"../../terms/lane/\">lane</a>",
    );
    has(
        &page,
        "<div class=\"card\" id=\"card-lane\"><p><b>lane</b> A short answer",
    );
    has(
        &page,
        "<link rel=\"canonical\" href=\"https://glossary.example/sub/terms/warp/\">",
    );
    has(&page, "<time datetime=\"2026-09-02\">2026-09-02</time>");
    has(&page, "href=\"../../lessons/day-one/\"");
}

#[test]
fn what_is_not_shown_leaves_no_byte() {
    let more = "term: warp\nowner: secret-lesson\nrelated: [hidden]\nmeets: [secret-lesson]\n";
    let warp = term(
        "What is a warp?",
        more,
        "See [[hidden|the other thing]], [[warp]].",
    );
    let hidden = term(
        "UNSIGNED question",
        "term: UNSIGNED name\nrelated: [warp]\n",
        "See [[warp]].",
    );
    let secret = lesson("UNSIGNED lesson", "day: 2\nteaches: [warp]\n", "Text.");
    let case = Case::new(&[
        ("content/terms/warp.md", &warp),
        ("content/terms/hidden.md", &hidden),
        ("content/lessons/secret-lesson.md", &secret),
    ]);
    let index = PageKey::Entry(case.index("warp"));
    for key in [
        PageKey::Home,
        PageKey::Terms,
        PageKey::Lessons,
        index,
        PageKey::NotFound,
    ] {
        let page = case.page(key, &["warp"]);
        lacks(&page, "UNSIGNED");
        lacks(&page, "secret-lesson");
        lacks(&page, "terms/hidden");
    }
    let page = case.page(index, &["warp"]);
    has(&page, "See the other thing, <a ");
    lacks(&page, "<h2 id=\"related\">");
    assert!(
        case.files(
            PageKey::Entry(case.index("hidden")),
            &["warp"],
            Audience::Readers
        )
        .unwrap()
        .is_empty()
    );
}

#[test]
fn a_draft_is_bannered_and_kept_from_search_engines() {
    let warp = term("What is a warp?", "term: warp\n", "Text.");
    let case = Case::new(&[("content/terms/warp.md", &warp)]);
    let key = PageKey::Entry(case.index("warp"));
    let files = case.files(key, &[], Audience::Writers).unwrap();
    let page = String::from_utf8(files[0].bytes.clone()).unwrap();
    has(&page, "<aside class=\"banner\"");
    has(&page, "It waits for its reviewer.");
    has(&page, "<meta name=\"robots\" content=\"noindex\">");
    lacks(&page, "rel=\"canonical\"");
    lacks(&page, "id=\"cite\"");
    let released = case.entry("warp", &["warp"]);
    lacks(&released, "class=\"banner\"");
    lacks(&released, "noindex");
    has(&released, "@misc{warp,");
}

#[test]
fn hostile_titles_are_text_everywhere() {
    let title = r#""</script><script>alert(1)</script> & <img src=x onerror=alert(2)>""#;
    let exact = "</script><script>alert(1)</script> & <img src=x onerror=alert(2)>";
    let text = format!(
        "---\ntitle: {title}\nshort: \"<!--<script> <!--cs:slot numbers--> 'quoted' \\\"double\\\"\"\n{SOURCES}{BYLINE}---\n\nA [[xss-title]].\n"
    );
    let case = Case::new(&[("content/terms/xss-title.md", &text)]);
    let index = PageKey::Entry(case.index("xss-title"));
    for key in [index, PageKey::Terms, PageKey::Home] {
        let page = case.page(key, &["xss-title"]);
        lacks(&page, "</script><script>");
        lacks(&page, "<img src=x");
        lacks(&page, "<!--");
        has(&page, "&lt;img src=x onerror=alert(2)&gt;");
    }
    let page = case.page(index, &["xss-title"]);
    let json = between(&page, "<script type=\"application/ld+json\">", "</script>");
    let data: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(data["@graph"][0]["name"], exact);
    assert_eq!(data["@graph"][1]["name"], exact);
    assert_eq!(data["@graph"][0]["reviewedBy"]["name"], "Grace Hopper");
}

#[test]
fn citations_are_numbered_and_linked_both_ways() {
    let body = "First.[^manual] Second.[^guide] Third.[^manual]";
    let warp = term("What is a warp?", "", body);
    let case = Case::new(&[("content/terms/warp.md", &warp)]);
    let page = case.entry("warp", &["warp"]);
    has(
        &page,
        "First.<sup class=\"cite\" id=\"cite-manual-1\"><a href=\"#source-manual\" aria-label=\"Source 1, Vendor manual\">1</a></sup>",
    );
    has(&page, "id=\"cite-guide-1\"");
    has(&page, "id=\"cite-manual-2\"");
    let list = between(&page, "<ol class=\"sources\">", "</ol>");
    assert!(list.find("source-manual").unwrap() < list.find("source-guide").unwrap());
    has(list, "href=\"#cite-manual-2\"");
    has(list, "docs.example");
}

#[test]
fn a_placed_table_is_not_repeated_and_keeps_its_digits() {
    let warp = term(
        "What is a warp?",
        T4,
        "![Two runs.](measured:t4)\n\nIt took [0.70 ms](<= t4.one.ms>).",
    );
    let case = Case::new(&[("content/terms/warp.md", &warp)]);
    let key = PageKey::Entry(case.index("warp"));
    let files = case.files(key, &["warp"], Audience::Readers).unwrap();
    let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "terms/warp/index.html",
            "terms/warp/t4.csv",
            "terms/warp/t4.json"
        ]
    );
    let text = |at: usize| String::from_utf8(files[at].bytes.clone()).unwrap();
    let page = text(0);
    assert_eq!(page.matches("id=\"table-t4\"").count(), 1);
    lacks(&page, "<h2 id=\"measured\">");
    has(&page, "<b class=\"figure-no\">Table 1.</b> Two runs.");
    has(
        &page,
        "<tr id=\"t4-ilp4-b1\"><th scope=\"row\"><code>ilp4-b1</code></th>",
    );
    // The point of 12.5 stands below the point of 0.70.
    has(&page, "<td class=\"num\">0.70</td>");
    has(&page, "<td class=\"num\">12.5\u{2007}</td>");
    has(&page, "time <span class=\"unit\">ms</span>");
    has(&page, "driver 595.80");
    has(
        &page,
        "<span>nvcc</span> <span>-O3</span> <span>-arch=sm_75</span>",
    );
    assert_eq!(text(1), "label,ms,loads\none,0.70,8\nilp4-b1,12.5,64\n");
    has(&text(2), "[\"one\", 0.70, 8]");
    has(&text(2), "\"toolkit\": \"CUDA 12.10\"");
    let _: serde_json::Value = serde_json::from_str(&text(2)).unwrap();
}

#[test]
fn a_claim_leads_to_how_it_comes_out_and_to_its_rows() {
    let body = "It took [18](<= t4.ilp4-b1.ms / t4.one.ms>) times as long, [18](<= t4.ilp4-b1.ms / t4.one.ms>) in all.";
    let warp = term("What is a warp?", T4, body);
    let case = Case::new(&[("content/terms/warp.md", &warp)]);
    assert!(
        !case.compiled.findings.has_errors(),
        "{:#?}",
        case.compiled.findings
    );
    let page = case.entry("warp", &["warp"]);
    has(
        &page,
        "<data class=\"claim\" value=\"18\"><a href=\"#number-1\" id=\"claim-1-1\">18</a></data>",
    );
    has(&page, "id=\"claim-1-2\"");
    let list = between(&page, "<li id=\"number-1\">", "</li>");
    has(
        list,
        "<code>t4.ilp4-b1.ms / t4.one.ms</code> = 12.5 ms / 0.70 ms = a number from ",
    );
    has(
        list,
        "Measured on Tesla T4, driver 595.80, CUDA 12.10, <time datetime=\"2026-09-01\">",
    );
    has(
        list,
        "<a href=\"#t4-ilp4-b1\"><code>ilp4-b1</code></a> and <a href=\"#t4-one\"><code>one</code></a>.",
    );
    has(list, "href=\"#claim-1-2\"");
    lacks(&page, "id=\"number-2\"");
}

#[test]
fn links_are_relative_at_every_depth() {
    let warp = term(
        "What is a warp?",
        "",
        "![A dot](dot.png)\n\n[About](/about/), [list](/terms/), [out](https://docs.example/).",
    );
    let about = "---\ntitle: About\n---\n\nSee [[warp]] and [home](/).\n";
    let home = "Begin with [[warp]] or read [about](pages/about.md) us.\n";
    let case = Case::new(&[
        ("content/terms/warp/index.md", &warp),
        ("content/pages/about.md", about),
        ("content/index.md", home),
    ]);
    let page = case.entry("warp", &["warp"]);
    has(&page, "<a href=\"../../about/\">About</a>");
    has(&page, "<a href=\"../../terms/\">list</a>");
    has(
        &page,
        "<a class=\"out\" href=\"https://docs.example/\">out</a>",
    );
    has(
        &page,
        "src=\"../../terms/warp/dot.png\" alt=\"A dot\" width=\"40\" height=\"30\" loading=\"lazy\"",
    );
    has(&page, "<figure class=\"figure\"><img ");
    let about = case.page(PageKey::Page(0), &["warp"]);
    has(&about, "href=\"../terms/warp/\"");
    has(&about, "<a href=\"../\">home</a>");
    let home = case.page(PageKey::Home, &["warp"]);
    has(&home, "href=\"./terms/warp/\"");
    has(&home, "href=\"./about/\"");
    let lost = case.page(PageKey::NotFound, &["warp"]);
    has(&lost, "href=\"/sub/terms/\"");
    has(&lost, "<meta name=\"robots\" content=\"noindex\">");
    for page in [&page, &about, &home] {
        lacks(page, "href=\"/");
        lacks(page, "src=\"/");
    }
}

#[test]
fn a_lesson_has_numbered_sections_and_its_series() {
    let part = |n: u32| {
        let more = format!("arc: {{name: Three designs, part: {n}}}\n");
        lesson(
            &format!("Part {n} title"),
            &more,
            "## Give {#give kicker=\"The job\"}\n\nText.\n\n## Take\n\nText.",
        )
    };
    let (one, two, three) = (part(1), part(2), part(3));
    let case = Case::new(&[
        ("content/lessons/one.md", &one),
        ("content/lessons/two.md", &two),
        ("content/lessons/three.md", &three),
    ]);
    let page = case.entry("three", &["one", "three"]);
    has(
        &page,
        "<a href=\"#give\"><span class=\"no\">01 / The job</span> Give</a>",
    );
    has(&page, "<span class=\"no\">02</span> Take");
    has(
        &page,
        "<span class=\"no\">Part 3</span> <span aria-current=\"page\">Part 3 title</span>",
    );
    has(
        &page,
        "<span class=\"no\">Part 1</span> <a href=\"../../lessons/one/\">",
    );
    lacks(&page, "Part 2");
    has(&page, "<a rel=\"prev\" href=\"../../lessons/one/\">");
    lacks(&page, "rel=\"next\"");
}

#[test]
fn a_model_is_drawn_with_its_runs_and_frames() {
    let more = "models:\n  loom:\n    kind: warp-scheduler\n    warps: 2\n    steps: 1\n    residents: [1, 2]\n    \
                latency: [4]\n    alt: A timeline of the issue slots of two small warps.\n    caption: The loom, in small.\n";
    let day = lesson(
        "Day one",
        more,
        "## The machine\n\n![](model:loom)\n\nText.",
    );
    let case = Case::new(&[("content/lessons/day-one.md", &day)]);
    assert!(
        !case.compiled.findings.has_errors(),
        "{:#?}",
        case.compiled.findings
    );
    let page = case.entry("day-one", &["day-one"]);
    has(
        &page,
        "<figure class=\"figure wide model\" id=\"figure-loom\" data-model=\"loom\" data-frames=\"loom-frames.json\" data-narrow>",
    );
    has(
        &page,
        "<b class=\"figure-no\">Fig. 1.</b> <b class=\"model-mark\">Model</b> The loom, in small.",
    );
    has(&page, "A timeline of the issue slots of two small warps.");
    has(&page, "src=\"../../diagrams/day-one/loom-residents-2.svg\"");
    lacks(&page, "<h2 id=\"diagrams\">");
    let key = PageKey::Entry(case.index("day-one"));
    let files = case.files(key, &["day-one"], Audience::Readers).unwrap();
    let data = "lessons/day-one/loom-frames.json";
    let data = files.iter().find(|file| file.path.as_str() == data);
    let frames: serde_json::Value = serde_json::from_slice(&data.unwrap().bytes).unwrap();
    assert_eq!(frames["runs"].as_array().unwrap().len(), 2);
    has(
        &page,
        "<input type=\"radio\" name=\"loom-residents\" value=\"1\" checked> 1</label>",
    );
    has(
        &page,
        "<button type=\"button\" data-do=\"back\" aria-disabled=\"true\">Back</button>",
    );
    has(
        &page,
        "max=\"13\" value=\"0\" aria-valuetext=\"before cycle 0\"",
    );
    let rows = between(&page, "<table class=\"runs\">", "</table>");
    assert_eq!(rows.matches("<tr data-run=").count(), 2);
}

#[test]
fn a_matrix_marks_its_row_and_column() {
    let more = "matrices:\n  a: {rows: [[1, 2], [3, 4]], highlight: {row: 1}, caption: \"Matrix A. Row 1.\"}\n  \
                b: {rows: [[5, 6], [7, 8]], repeat_columns: 3, highlight: {column: 0}, caption: \"Right operand.\"}\n";
    let day = lesson(
        "Day one",
        more,
        "## The job\n\n![](matrix:a)\n\n![](matrix:b)",
    );
    let case = Case::new(&[("content/lessons/day-one.md", &day)]);
    let page = case.entry("day-one", &["day-one"]);
    has(&page, "<tr class=\"hit\"><td>3</td><td>4</td></tr>");
    has(&page, "<tr><td class=\"hit\">5</td><td>6</td></tr>");
    has(&page, "<b class=\"figure-no\">Matrix A.</b> Row 1.");
    has(&page, "<b class=\"figure-no\">Matrix B.</b> Right operand.");
}

#[test]
fn a_template_error_has_its_place() {
    let warp = term("What is a warp?", "", "Text.");
    let case = Case::new(&[
        ("content/terms/warp.md", &warp),
        (
            "templates/term.html",
            "<main>Term</main>\n{% include \"parts/byline.html\" %}\n",
        ),
        (
            "templates/parts/byline.html",
            "<footer>\n  <p>Written by {{ entry.byline.autor }}</p>\n</footer>\n",
        ),
    ]);
    let key = PageKey::Entry(case.index("warp"));
    let found = case.files(key, &["warp"], Audience::Readers).unwrap_err();
    let finding = found.iter().next().unwrap();
    assert_eq!(finding.rule, rule::TEMPLATE_ERROR);
    assert_eq!(
        &*case.sources.file(finding.span.file).path,
        "templates/parts/byline.html"
    );
    let (start, _) = case.sources.position(finding.span);
    assert_eq!((start.line, start.column), (2, 33));
    assert_eq!(case.sources.text(finding.span), "autor");
    assert!(
        finding.message.contains("`entry.byline.autor`"),
        "{finding:#?}"
    );
    assert_eq!(finding.entry.as_deref(), Some("warp"));
    let related = finding.related.first().unwrap();
    assert_eq!(
        &*case.sources.file(related.span.file).path,
        "templates/term.html"
    );
    assert_eq!(case.sources.position(related.span).0.line, 2);
    assert!(
        finding.help.as_ref().unwrap().contains("written_by"),
        "{finding:#?}"
    );
}

#[test]
fn every_faulty_template_is_reported() {
    let case = Case::new(&[
        ("templates/home.html", "{% if %}\n"),
        ("templates/page.html", "ok\n{{ a b }}\n"),
        ("templates/term.html", "  \n"),
    ]);
    let found = case
        .files(PageKey::Home, &[], Audience::Readers)
        .unwrap_err();
    let places: Vec<_> = found
        .iter()
        .map(|d| {
            (
                case.sources.file(d.span.file).path.to_string(),
                case.sources.position(d.span).0.line,
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            ("templates/term.html".to_owned(), 1),
            ("templates/home.html".to_owned(), 1),
            ("templates/page.html".to_owned(), 2)
        ]
    );
}

#[test]
fn a_missing_partial_and_filter_are_named() {
    let case = Case::new(&[(
        "templates/page.html",
        "{% include \"partials/foter.html\" %}\n{{ page.title | shout }}\n",
    )]);
    let found = case
        .files(PageKey::Home, &[], Audience::Readers)
        .unwrap_err();
    let first = found.iter().next().unwrap();
    assert_eq!(
        &*case.sources.file(first.span.file).path,
        "templates/page.html"
    );
    let all: Vec<_> = found.iter().map(|d| d.message.clone()).collect();
    assert!(
        all.iter().any(|m| m.contains("partials/foter.html")),
        "{all:?}"
    );
    assert!(all.iter().any(|m| m.contains("shout")), "{all:?}");
    let helps: Vec<_> = found.iter().filter_map(|d| d.help.clone()).collect();
    assert!(
        helps.iter().any(|h| h.contains("partials/footer.html")),
        "{helps:?}"
    );
}

#[test]
fn every_template_escapes_whatever_its_name() {
    let about = "---\ntitle: \"<b>About</b>\"\n---\n\nText.\n";
    let case = Case::new(&[
        ("content/pages/about.md", about),
        ("templates/page.html", "{% include \"parts/plain.txt\" %}"),
        ("templates/parts/plain.txt", "{{ page.title }}"),
    ]);
    assert_eq!(case.page(PageKey::Page(0), &[]), "&lt;b&gt;About&lt;/b&gt;");
}

#[test]
fn one_name_for_several_things_gives_several_ids() {
    let more = format!(
        "{T4}matrices:\n  t4: {{rows: [[1]], caption: \"One.\"}}\nmodels:\n  t4:\n    kind: warp-scheduler\n    \
         warps: 1\n    steps: 1\n    residents: [1]\n    latency: [4]\n    alt: A timeline of one small warp.\n"
    );
    let body = "![](measured:t4)\n\n![](measured:t4)\n\n![](matrix:t4)\n\n![](model:t4)";
    let day = lesson("Day one", &more, &format!("## T4\n\n{body}\n\n## Caption"));
    let case = Case::new(&[("content/lessons/day-one.md", &day)]);
    let page = case.entry("day-one", &["day-one"]);
    has(&page, "id=\"table-t4\"");
    has(&page, "id=\"table-t4-2\"");
    has(&page, "id=\"figure-t4\"");
    has(&page, "id=\"figure-t4-2\"");
}
