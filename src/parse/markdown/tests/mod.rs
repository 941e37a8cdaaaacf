//! What a body becomes.

mod faults;

use super::*;
use crate::diagnostic::Severity;
use crate::highlight;
use crate::model::document::{Code, EmbedKind, Listing, Part, Placement, Target};
use crate::source::{Sources, Span};

const SOURCES: &[&str] = &["guide", "guide-multithreading"];

fn with(body: &str, change: impl FnOnce(&mut BodyContext<'_>)) -> (Document, Diagnostics) {
    let mut cx = BodyContext {
        source_ids: SOURCES,
        reserved_ids: &["t4", "sources"],
        ..BodyContext::new(FileId::new(0), 1000, RawHtml::Sanitize)
    };
    change(&mut cx);
    let mut out = Diagnostics::new();
    let mut doc = read(body, &cx, &mut out);
    // There is no file to look into.
    for listing in &mut doc.listings {
        if let Code::At(span) = listing.code {
            listing.code =
                Code::Read(body[span.range().start - 1000..span.range().end - 1000].to_owned());
        }
    }
    (doc, out)
}

fn reading(body: &str) -> (Document, Diagnostics) {
    with(body, |_| {})
}

/// The page's HTML with a word for each hole.
fn shown(doc: &Document) -> String {
    doc.parts
        .iter()
        .map(|part| match part {
            Part::Html(stretch) => doc.html(*stretch).to_owned(),
            Part::Listing(i) => {
                let mut html = String::new();
                let listing = &doc.listings[*i];
                let Code::Read(text) = &listing.code else {
                    panic!("{listing:?}");
                };
                highlight::listing(&listing.language, text, &mut html);
                html
            }
            Part::LinkStart(i) => format!("«a{i}»"),
            Part::LinkEnd(i) => format!("«/a{i}»"),
            Part::Claim(i) => format!("«claim {}»", doc.claims[*i].text.value),
            Part::Citation(i) => format!("«cite {}»", doc.citations[*i].id),
            Part::Embed(i) => format!("«embed {}»\n", doc.embeds[*i].name.value),
            Part::Image(i) => format!("«image {}»", doc.images[*i].target.value),
        })
        .collect()
}

/// Its words.
fn words(doc: &Document) -> String {
    doc.words(&Sources::default()).collect()
}

#[test]
fn the_words_of_each_cell_are_a_line() {
    let table = "| Site | Fate |\n| --- | --- |\n| Oslo | The mill will be closed |\n";
    let (doc, _) = reading(table);
    assert_eq!(words(&doc), "Site\nFate\nOslo\nThe mill will be closed\n");
}

#[test]
fn a_listing_is_known_by_its_place_where_it_stands_as_it_is() {
    let codes = |body: &str| -> Vec<_> {
        let cx = BodyContext::new(FileId::new(0), 0, RawHtml::Sanitize);
        let doc = read(body, &cx, &mut Diagnostics::new());
        let code = |listing: &Listing| match &listing.code {
            Code::At(span) => Ok(body[span.range()].to_owned()),
            Code::Read(text) => Err(text.clone()),
        };
        doc.listings.iter().map(code).collect()
    };
    let lines = |text: &str| text.to_owned();
    assert_eq!(codes("```cuda\ncuda\n```\n"), [Ok(lines("cuda\n"))]);
    assert_eq!(
        codes("- ```\n  a\n    b\n  ```\n\n> ```\n> c\n> ```\n"),
        [Err(lines("a\n  b\n")), Ok(lines("c\n"))]
    );
    assert_eq!(codes("```\n```\n"), [Err(lines(""))]);
}

/// The HTML of a body in which nothing is to be found.
fn clean(body: &str) -> String {
    let (doc, out) = reading(body);
    assert!(out.is_empty(), "{out:#?}");
    shown(&doc)
}

/// Rule and covered text of each finding.
fn found(body: &str) -> Vec<(&'static str, String)> {
    places(body, &reading(body).1)
}

fn places(body: &str, out: &Diagnostics) -> Vec<(&'static str, String)> {
    let cut = |span: Span| body[span.start as usize - 1000..span.end as usize - 1000].to_owned();
    let mut all: Vec<_> = out.iter().collect();
    all.sort_by_key(|d| d.span.start);
    all.iter().map(|d| (d.rule.name, cut(d.span))).collect()
}

fn expect(body: &str, findings: &[(&str, &str)]) {
    let found = found(body);
    let found: Vec<_> = found
        .iter()
        .map(|(rule, text)| (*rule, text.as_str()))
        .collect();
    assert_eq!(found, findings, "{body}");
}

#[test]
fn prose_keeps_every_character() {
    assert_eq!(
        clean(
            "Run nvcc --use_fast_math \"a.cu\" ... 'done' {{ x }} {# z #} a_b_c 5 * 3, scale<<<4, 32>>>(x) & $5."
        ),
        "<p>Run nvcc --use_fast_math \"a.cu\" ... 'done' {{ x }} {# z #} a_b_c 5 * 3, scale&lt;&lt;&lt;4, 32&gt;&gt;&gt;(x) &amp; $5.</p>\n"
    );
    assert_eq!(
        clean("*a* **b** ~~c~~ `{{ <d> }}` \\*e\\* &lt;f&gt;\\\ng  \nh\n"),
        "<p><em>a</em> <strong>b</strong> <del>c</del> <code>{{ &lt;d&gt; }}</code> *e* &lt;f&gt;<br>\ng<br>\nh</p>\n"
    );
}

#[test]
fn rules_lists_quotes() {
    assert_eq!(
        clean("Before.\n\n---\n\nAfter."),
        "<p>Before.</p>\n<hr>\n<p>After.</p>\n"
    );
    assert_eq!(
        clean("- a\n  - b\n- c\n\n3. x\n\n   y\n"),
        "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>\n<ol start=\"3\">\n<li><p>x</p>\n<p>y</p>\n</li>\n</ol>\n"
    );
    assert_eq!(
        clean("- [x] a\n- [ ] b\n"),
        "<ul class=\"tasks\">\n<li><input type=\"checkbox\" disabled checked aria-label=\"Done\"> a</li>\n<li><input type=\"checkbox\" disabled aria-label=\"Not done\"> b</li>\n</ul>\n"
    );
    assert_eq!(
        clean("> [!NOTE]\n> a\n\n> [!NOTE]\n> b\n\n> c\n"),
        "<aside class=\"alert alert-note\" aria-label=\"Note\"><p class=\"alert-title\">Note</p>\n<p>a</p>\n</aside>\n\
         <aside class=\"alert alert-note\" aria-label=\"Note 2\"><p class=\"alert-title\">Note</p>\n<p>b</p>\n</aside>\n\
         <blockquote>\n<p>c</p>\n</blockquote>\n"
    );
}

#[test]
fn code_blocks() {
    assert_eq!(
        clean("```cuda\nk<<<1, 2>>>(x);\n```\n\n    plain <b>\n"),
        "<div class=\"code\" data-lang=\"cuda\"><pre tabindex=\"0\" role=\"region\" aria-label=\"CUDA code\"><code class=\"language-cuda\">\
         k<span class=\"hl-o\">&lt;&lt;&lt;</span><span class=\"hl-n\">1</span>, <span class=\"hl-n\">2</span><span class=\"hl-o\">&gt;&gt;&gt;</span>(x);\n</code></pre></div>\n\
         <div class=\"code\"><pre tabindex=\"0\" role=\"region\" aria-label=\"Code\"><code>plain &lt;b&gt;\n</code></pre></div>\n"
    );
    let (doc, _) = reading("```ptx,x\nmma.sync {%f0};\n```\n```nosuch\"lang\n<x>\n```\n");
    let html = shown(&doc);
    assert!(
        html.contains("data-lang=\"ptx\"") && html.contains("{<span class=\"hl-b\">%f0</span>}"),
        "{html}"
    );
    assert!(
        html.contains("data-lang=\"nosuch&quot;lang\"") && html.contains("&lt;x&gt;"),
        "{html}"
    );
}

#[test]
fn headings_have_ids_kickers_and_numbers() {
    assert_eq!(
        clean("## A *b* {{ c }} & d\n"),
        "<div class=\"heading\"><h2 id=\"a-b-c-d\">A <em>b</em> {{ c }} &amp; d</h2><a class=\"anchor\" href=\"#a-b-c-d\" aria-label=\"Link to A b {{ c }} &amp; d\">#</a></div>\n"
    );
    let body = "## Give one {#job kicker=\"The *job*\"}\n\n### Sub [1](<=a.b>) {#sub}\n\nTwo [[warp]]\n---\n\n## Gap ##\n";
    let (doc, out) = with(body, |cx| cx.sections = Sections::Numbered);
    assert!(out.is_empty(), "{out:#?}");
    assert_eq!(
        shown(&doc),
        "<div class=\"heading\"><h2 id=\"job\"><span class=\"kicker\">01 / The *job*</span> Give one</h2><a class=\"anchor\" href=\"#job\" aria-label=\"Link to Give one\">#</a></div>\n\
         <div class=\"heading\"><h3 id=\"sub\">Sub «claim 1»</h3><a class=\"anchor\" href=\"#sub\" aria-label=\"Link to Sub 1\">#</a></div>\n\
         <div class=\"heading\"><h2 id=\"two-warp\"><span class=\"kicker\">02</span> Two «a0»warp«/a0»</h2><a class=\"anchor\" href=\"#two-warp\" aria-label=\"Link to Two warp\">#</a></div>\n\
         <div class=\"heading\"><h2 id=\"gap\"><span class=\"kicker\">03</span> Gap</h2><a class=\"anchor\" href=\"#gap\" aria-label=\"Link to Gap\">#</a></div>\n"
    );
    assert_eq!(doc.anchors, ["gap", "job", "sub", "two-warp"]);
    assert_eq!(doc.headings[0].kicker.as_deref(), Some("The *job*"));
    assert_eq!(doc.headings[0].text, "Give one");
    assert_eq!(words(&doc), "Give one\nSub 1\nTwo warp\nGap\n");
}

#[test]
fn heading_ids_never_collide() {
    let body = "## Setup\n\na\n\n## Setup\n\nb\n\n## Setup 1\n\nc\n\n## Setup-1\n\nd\n\n### setup\n\ne\n\n## Setup\n\nf\n";
    let ids = |body: &str| {
        reading(body)
            .0
            .headings
            .into_iter()
            .map(|h| h.id)
            .collect::<Vec<_>>()
    };
    let first = ids(body);
    assert_eq!(
        first,
        [
            "setup",
            "setup-1",
            "setup-1-1",
            "setup-1-2",
            "setup-2",
            "setup-3"
        ]
    );
    let longer = ids(&format!("{body}\n## Setup\n\n## More\n"));
    assert_eq!(longer[..6], first[..]);
    assert_eq!(
        ids("## Warp\n\n## Other {#warp}\n\n## T4\n"),
        ["warp-1", "warp", "h-t4"]
    );
}

#[test]
fn heading_faults() {
    expect(
        "# One\n\n#### Four\n\n## A {#x}\n\n## B {#x}\n\n## C {#t4}\n\n## D {#d .big}\n",
        &[
            ("heading-skip", "# One"),
            ("heading-skip", "#### Four"),
            ("duplicate-anchor", "x"),
            ("duplicate-anchor", "t4"),
            ("lost-text", "{#d .big}"),
        ],
    );
    let (doc, _) = reading("# One\n\n#### Four\n\n#### Five\n\n### Three\n");
    assert_eq!(
        doc.headings.iter().map(|h| h.level).collect::<Vec<_>>(),
        [2, 3, 3, 3]
    );
}

#[test]
fn links_and_targets() {
    let body = "[md](occupancy.md#x \"T & t\") <https://a.example/?a=b&c> [[warp]] [[warp|*warps*]] [r][x] <ada@a.example>\n\n[x]: ../y/\n";
    let (doc, out) = reading(body);
    assert!(out.is_empty(), "{out:#?}");
    let targets: Vec<_> = doc.links.iter().map(|l| l.target.clone()).collect();
    assert_eq!(
        targets,
        [
            Target::Relative("occupancy.md#x".into()),
            Target::External("https://a.example/?a=b&c".into()),
            Target::Entry("warp".into()),
            Target::Entry("warp".into()),
            Target::Relative("../y/".into()),
            Target::External("mailto:ada@a.example".into()),
        ]
    );
    let text = |span: Span| &body[span.start as usize - 1000..span.end as usize - 1000];
    assert_eq!(text(doc.links[0].target_span), "occupancy.md#x");
    assert_eq!(text(doc.links[3].target_span), "warp");
    assert_eq!(
        (doc.links[3].text.as_str(), doc.links[0].title.as_str()),
        ("warps", "T & t")
    );
    assert_eq!(words(&doc), "md  warp warps r\n");
    assert!(shown(&doc).contains("«a3»<em>warps</em>«/a3»"));
    expect(
        "[file](file:///home/someone/warp.md) [j](javascript:x) ![d](data:image/png,x) [m](measured:t4) [p](//h/x)",
        &[
            ("bad-scheme", "file:///home/someone/warp.md"),
            ("bad-scheme", "javascript:x"),
            ("bad-scheme", "data:image/png,x"),
            ("bad-scheme", "measured:t4"),
            ("bad-scheme", "//h/x"),
        ],
    );
}

#[test]
fn claims_know_their_place() {
    let body = "A [4×](<= t4.tlp1.occupancy / max(t4.*.ms)>) and [96 cycles](=loom.cycles).";
    let (doc, out) = reading(body);
    assert!(out.is_empty(), "{out:#?}");
    assert_eq!(shown(&doc), "<p>A «claim 4×» and «claim 96 cycles».</p>\n");
    let text = |span: Span| &body[span.start as usize - 1000..span.end as usize - 1000];
    let claim = &doc.claims[0];
    assert_eq!(claim.formula.value, "t4.tlp1.occupancy / max(t4.*.ms)");
    assert_eq!(text(claim.formula.span), "t4.tlp1.occupancy / max(t4.*.ms)");
    assert_eq!(text(claim.text.span), "4×");
    assert_eq!(
        text(claim.span),
        "[4×](<= t4.tlp1.occupancy / max(t4.*.ms)>)"
    );
    assert_eq!(text(doc.claims[1].formula.span), "loom.cycles");
    assert_eq!(words(&doc), "A 4× and 96 cycles.\n");
    expect("[1.02](= t4.a.ms / t4.b.ms)", &[("bad-formula", "[1.02](")]);
    expect(
        "[1.02](<= t4.a.ms /\nt4.b.ms>)",
        &[("bad-formula", "[1.02](")],
    );
}

#[test]
fn embeds_stand_between_blocks() {
    let body = "Text ![](diagram:two-ways) more\n![The [4](<= t4.a.b>) *loads*](measured:t4)\n\n- ![](model:loom)\n\n![](matrix:a)\n";
    let (doc, out) = reading(body);
    assert!(out.is_empty(), "{out:#?}");
    assert_eq!(
        shown(&doc),
        "<p>Text</p>\n«embed two-ways»\n<p> more</p>\n«embed t4»\n<ul>\n<li>«embed loom»\n</li>\n</ul>\n«embed a»\n"
    );
    assert_eq!(doc.embeds[1].caption.plain(), "The 4 loads");
    assert_eq!(doc.embeds[1].caption.plain(), "The 4 loads");
    assert_eq!(doc.embeds[1].caption.claims().count(), 1);
    assert_eq!(
        (doc.embeds[1].kind, doc.claims.len()),
        (EmbedKind::Measured, 1)
    );
    expect(
        "## H ![](diagram:a)\n\n*x ![](diagram:b)*\n\n![](digram:c)\n\n![[warp]]\n",
        &[
            ("unknown-embed", "![](diagram:a)"),
            ("unknown-embed", "![](diagram:b)"),
            ("bad-scheme", "digram:c"),
            ("unknown-embed", "warp"),
        ],
    );
}

#[test]
fn images() {
    let (doc, out) = reading("![A warp *bar*](/pic.svg \"T\")\n\nIn ![b](c.png) line\n");
    assert!(out.is_empty(), "{out:#?}");
    assert_eq!(
        shown(&doc),
        "«image /pic.svg»<p>In «image c.png» line</p>\n"
    );
    assert_eq!(
        (doc.images[0].alt.as_str(), doc.images[0].placement),
        ("A warp bar", Placement::Block)
    );
    assert_eq!(doc.images[1].placement, Placement::Inline);
}

#[test]
fn citations_and_footnotes() {
    assert_eq!(
        clean(
            "Good[^ok], cited.[^guide-multithreading] \\[^no] Again[^ok].\n\nNext.\n\n[^ok]: Fine.\n\n    More.\n"
        ),
        "<p>Good<sup class=\"noteref\" id=\"fnref-ok-1\"><a href=\"#fn-ok\" aria-label=\"Note a\">a</a></sup>, cited.«cite guide-multithreading» [^no] Again\
         <sup class=\"noteref\" id=\"fnref-ok-2\"><a href=\"#fn-ok\" aria-label=\"Note a\">a</a></sup>.</p>\n\
         <aside class=\"note\" id=\"fn-ok\" aria-label=\"Note a\"><p><span class=\"note-mark\">a</span> Fine.</p>\n<p>More. \
         <a href=\"#fnref-ok-1\" aria-label=\"Back to the text\">↑</a> <a href=\"#fnref-ok-2\" aria-label=\"Back to the text, place 2\">↑</a></p>\n</aside>\n\
         <p>Next.</p>\n"
    );
    expect(
        "Gone[^gone], twice[^twice], [^guide-multithreding].\n\n[^unused]: Nobody asks.\n[^twice]: First.\n[^twice]: Second.\n",
        &[
            ("unknown-footnote", "[^gone]"),
            ("unknown-citation", "[^guide-multithreding]"),
            ("unknown-footnote", "[^unused]:"),
            ("unknown-footnote", "[^twice]:"),
        ],
    );
    let (doc, out) = reading("a[^1]\n\n[^1]: see[^2]\n[^2]: b\n\n[^3]: see[^3]\n");
    assert_eq!(
        places("a[^1]\n\n[^1]: see[^2]\n[^2]: b\n\n[^3]: see[^3]\n", &out),
        [("unknown-footnote", "[^3]:".to_owned())]
    );
    assert_eq!(
        doc.anchors,
        ["fn-1", "fn-2", "fnref-1-1", "fnref-2-1", "fnref-3-1"]
    );
}
