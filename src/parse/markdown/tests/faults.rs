//! What is reported, and that odd text gives whole pages.

use super::*;

#[test]
fn tables() {
    assert_eq!(
        clean("| mask | ms |\n|:---|---:|\n| `a \\| b` | [[warp\\|warps]] |\n"),
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Table: mask, ms\"><table>\n<thead><tr><th scope=\"col\" class=\"left\">mask</th><th scope=\"col\" class=\"right\">ms</th></tr></thead>\n<tbody>\n\
         <tr><td class=\"left\"><code>a | b</code></td><td class=\"right\">«a0»warps«/a0»</td></tr>\n</tbody></table></div>\n"
    );
    let html = clean("| a | b |\n|---|---|\n| {%f4} | 1,024 |\n| x | [3.9×](<=a.b>) |\n|  | — |\n");
    assert!(
        html.contains("<th scope=\"col\" class=\"num\">b</th>")
            && html.contains("<td class=\"num\">«claim 3.9×»</td>"),
        "{html}"
    );
    expect(
        "| mask | meaning |\n|:---|---:|\n| `a \\| b` | either |\n| `a | b` | forgotten escape |\n",
        &[("lost-text", "forgotten escape")],
    );
}

#[test]
fn names_taken_for_markup_are_reported() {
    let body = "The same in prose: scale<<<4, 32>>>(x), a vector<int> next to atomic<float>,\nand a tile marked __shared__ or __global__ without backticks, a*b*c.\n";
    expect(
        body,
        &[
            ("lost-text", "<int>"),
            ("lost-text", "<float>"),
            ("lost-text", "__shared__"),
            ("lost-text", "__global__"),
            ("lost-text", "*b*"),
        ],
    );
    let (doc, out) = reading(body);
    assert!(
        shown(&doc).contains("scale&lt;&lt;&lt;4, 32&gt;&gt;&gt;(x), a vector&lt;int&gt; next")
    );
    assert!(out.iter().all(|d| {
        d.help
            .as_ref()
            .is_some_and(|help| help.contains("backticks"))
    }));
    assert!(out.iter().any(|d| {
        d.help
            .as_ref()
            .is_some_and(|help| help.contains("`vector<int>`"))
    }));
    assert_eq!(
        clean("**`__shared__`** and __bold words__\n"),
        "<p><strong><code>__shared__</code></strong> and <strong>bold words</strong></p>\n"
    );
}

#[test]
fn items_with_numbers_of_their_own_are_reported() {
    expect(
        "3. a\n4. b\n9. c\n\n---\n\n1. d\n1. e\n1. f\n   - g\n",
        &[("lost-text", "9")],
    );
}

#[test]
fn references_that_show_nothing_are_reported() {
    expect(
        "[text][nowhere] [a][] a[i][j] [x] [used][one]\n\n[one]: /a\n[ONE]: /b\n[Note]: important\n",
        &[
            ("lost-text", "[text][nowhere]"),
            ("lost-text", "[a][]"),
            ("lost-text", "[i][j]"),
            ("lost-text", "[ONE]: /b"),
            ("lost-text", "[Note]: important"),
        ],
    );
    expect("[one]\n\n[one]: /a\n\n```\n[one]: /b\n```\n", &[]);
}

#[test]
fn money_is_no_formula() {
    assert_eq!(
        clean(
            "One run costs $5 and *then* $10 more; R$4 and US$6.\n\nBare: $c = \\lambda t$, so $$c = 400 \\times 1$$.\n\nFormula: $`c = \\lambda t`$, not $`x`, \\$`y`$ or `$PATH`.\n"
        ),
        "<p>One run costs $5 and <em>then</em> $10 more; R$4 and US$6.</p>\n\
         <p>Bare: $c = \\lambda t$, so $$c = 400 \\times 1$$.</p>\n\
         <p>Formula: <math><mi>c</mi><mo>=</mo><mi>λ</mi><mi>t</mi></math>, not $<code>x</code>, $<code>y</code>$ or <code>$PATH</code>.</p>\n"
    );
    let html = clean("```math\na < b\n```\n");
    assert!(html.starts_with("<div class=\"math\" role=\"region\" tabindex=\"0\" aria-label=\"Formula\"><math display=\"block\">"), "{html}");
    expect(
        "A $`\\foo x`$ b\n\n```math\na + \\bar\n\\nosuch\n```\n",
        &[("bad-math", "\\foo"), ("bad-math", "\\nosuch")],
    );
}

#[test]
fn raw_html_is_sanitized() {
    assert_eq!(
        clean(
            "<details><summary>Predict: *what*?</summary>\n\nYes, *it* is.\n\n</details>\n\nH<sub>2</sub>O <kbd>Ctrl</kbd> <abbr title=\"a&quot;b\">x</abbr> a<br>b <!-- gone --> c\n\n<!-- gone\n\ntoo -->\n"
        ),
        "<details class=\"ask\"><summary>Predict: *what*?</summary>\n<p>Yes, <em>it</em> is.</p>\n</details>\n\
         <p>H<sub>2</sub>O <kbd>Ctrl</kbd> <abbr title=\"a&quot;b\">x</abbr> a<br>b  c</p>\n\n"
    );
    let body = "a <img src=x onerror=alert(1)> <b onclick=x>b</b> <script>alert(1)</script> </div> <kbd>open\n\n<script>\nalert(2)\n</script>\n\n<div id=x><p>a & b &copy;<h2>t</h2>\n";
    let (doc, out) = reading(body);
    assert_eq!(
        shown(&doc),
        "<p>a  <b>b</b> alert(1)  <kbd>open</kbd></p>\n\n<div><p>a &amp; b &copy;t\n</p></div>"
    );
    assert!(
        out.iter()
            .all(|d| d.rule.name == "raw-html" && d.severity == Severity::Warning)
    );
    let names: Vec<_> = places(body, &out)
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    assert_eq!(
        names,
        [
            "<img src=x onerror=alert(1)>",
            "<b onclick=x>",
            "<script>",
            "</script>",
            "</div>",
            "<kbd>",
            "<script>",
            "<div id=x>",
            "<div id=x>",
            "<h2>",
            "</h2>"
        ]
    );
}

#[test]
fn items_end_where_the_next_begins() {
    assert_eq!(
        clean("<ul>\n<li>a\n<li>b\n</ul>\n\n<dl><dt>c<dd>d</dl>\n\n<p>e<p>f<div>g</div>\n"),
        "<ul>\n<li>a\n</li><li>b\n</li></ul>\n<dl><dt>c</dt><dd>d</dd></dl>\n<p>e</p><p>f</p><div>g</div>\n"
    );
}

#[test]
fn raw_html_follows_the_site() {
    let (doc, out) = with("a <kbd>x</kbd> vector<int>\n\n<div>y</div>\n", |cx| {
        cx.raw_html = RawHtml::Deny;
    });
    let errors = out
        .iter()
        .filter(|d| d.rule.name == "raw-html" && d.severity == Severity::Error)
        .count();
    assert_eq!((errors, out.len()), (3, 4), "{out:#?}");
    assert!(shown(&doc).contains("&lt;kbd&gt;"));
    let (doc, out) = with("a <x-y onclick=z>\n\n<div style=x><!-- c -->\n", |cx| {
        cx.raw_html = RawHtml::Allow;
    });
    assert_eq!(shown(&doc), "<p>a <x-y onclick=z></p>\n<div style=x>\n");
    assert!(out.is_empty());
}

#[test]
fn entities_do_not_smuggle_characters() {
    expect(
        "a &#x202e; b &#7; &nbsp;",
        &[
            ("control-character", "&#x202e;"),
            ("control-character", "&#7;"),
        ],
    );
    expect(
        "<div>&#x202e;</div>\n",
        &[("control-character", "&#x202e;")],
    );
}

#[test]
fn numbers_in_prose_are_noted() {
    let (doc, _) = reading(
        "## 7 steps\n\n32 warps of T4, sm_75, 1,024 and 3.5%; `9` [8](<=a.b>) [5](x.md) 2x.\n",
    );
    let numbers: Vec<_> = doc.numbers.iter().map(|n| n.text.as_str()).collect();
    assert_eq!(numbers, ["32", "1,024", "3.5"]);
    assert_eq!(doc.numbers[0].span, Span::new(FileId::new(0), 1012..1014));
}

#[test]
fn a_citation_bears_the_numbers_of_its_sentence() {
    let cases: [(&str, &[&str]); 8] = [
        ("An SM has 65,536[^guide] of them.", &[]),
        ("It has 4 × 4 cells.[^guide] To fill it takes 9.", &["9"]),
        ("It has 4 × 4 cells.[^guide][^guide] Then 9.[^guide]", &[]),
        ("First 1. Then *2* of 3.5.[^guide]", &["1"]),
        ("First 1.[^guide] Then 2. So 3 (of 4).[^guide]", &["2"]),
        ("- one 1\n- two 2[^guide]\n", &["1"]),
        ("a | b\n- | -\n1 | 2[^guide]\n", &["1"]),
        ("First 1\nand 2.\n\n3[^guide]", &["1", "2"]),
    ];
    for (body, expected) in cases {
        let (doc, _) = reading(body);
        let numbers: Vec<_> = doc.numbers.iter().map(|n| n.text.as_str()).collect();
        assert_eq!(numbers, expected, "{body}");
    }
}

#[test]
fn a_body_is_not_given_up_in_silence_after_many_findings() {
    let many = "Word <center> here.\n\n".repeat(510);
    let deep = format!("{many}{}deep\n", "> ".repeat(70));
    let last = |body: &str| reading(body).1.iter().last().map(|found| found.rule.name);
    assert_eq!(last(&deep), Some("too-deep"));
    let wide = format!("{many}|a|b|\n|-|-|\n{}", "|c|d|\n".repeat(100_000));
    assert_eq!(last(&wide), Some("too-large"));
}

#[test]
fn deep_and_odd_bodies_end_soon() {
    let deep = ">".repeat(50_000) + " x";
    assert_eq!(
        found(&deep).first().map(|(rule, _)| *rule),
        Some("too-deep")
    );
    let wide = format!("|a|b|\n|-|-|\n{}", "|c|d|\n".repeat(100_000));
    assert_eq!(found(&wide), [("too-large", "|".to_owned())]);
    let links = "[[w]] ".repeat(200_000);
    assert_eq!(found(&links), [("too-large", String::new())]);
    for body in [
        "[ (](".repeat(50_000),
        "[a](<b".repeat(50_000),
        "a***".repeat(50_000),
        "- ".repeat(20_000) + "x",
        "[[".repeat(50_000),
        "*a ".repeat(50_000) + &"b* ".repeat(50_000),
        "[^a".repeat(50_000),
        "$`".repeat(50_000),
        "<a ".repeat(50_000),
        "<details>\n\n".repeat(5_000),
        "](=".repeat(50_000),
        "<kbd>".repeat(50) + &"</sub>".repeat(50_000),
        "<script></script> ".repeat(50_000),
        "<script></script>\n".repeat(20_000),
        "[^!]: x\n[^!!]: x\n".repeat(5_000),
        format!("[^{}]", "a".repeat(300_000)),
        format!("[x]({}:y)", "a".repeat(300_000)),
        "<kbd>".repeat(20_000),
        "[a][b] ".repeat(20_000),
        "## a\n\n".repeat(20_000),
        "{#a ".repeat(50_000),
        "<!--".repeat(50_000),
        "<script>\n\n".repeat(2_000),
        "|a".repeat(5_000) + "\n" + &"|-".repeat(5_000) + "\n" + &"|\n".repeat(5_000),
        "[^a]: b[^a]\n\n".repeat(5_000),
        "$`\\:`$".to_owned(),
    ] {
        let (doc, out) = reading(&body);
        assert!(out.len() <= 510);
        assert_balanced(&shown(&doc), &body);
    }
}

/// Every start tag has its end tag, in order.
fn assert_balanced(html: &str, body: &str) {
    let mut open = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let Some(tag) = element::tag(rest) else {
            panic!("a bare `<` in {html:.400}\nof {body:.400}");
        };
        // Inside of math a tag may end itself.
        let is_whole = rest[..tag.len].ends_with("/>") && open.iter().any(|open| open == "math");
        rest = &rest[tag.len..];
        if is_whole {
            continue;
        }
        if matches!(tag.name.as_str(), "br" | "wbr" | "hr" | "input") {
            continue;
        }
        if tag.is_end {
            assert_eq!(
                open.pop().as_ref(),
                Some(&tag.name),
                "in {html:.400}\nof {body:.400}"
            );
        } else {
            open.push(tag.name);
        }
    }
    assert!(
        open.is_empty(),
        "{open:?} stay open in {html:.400}\nof {body:.400}"
    );
}

proptest::proptest! {
    #[test]
    fn any_text_gives_whole_html(body in "([a-z ]{1,6}|[\\[\\](){}<>*_`~|!#$^&:;\\\\\"'=/-]{1,3}|\n|\n\n|é線|> |- |1\\. |<details>|</details>|<kbd>|</kbd>|<p>|<b|\\[\\^a\\]|\\[\\^a\\]: |!\\[x\\]\\(diagram:a\\)|\\[1\\]\\(<= a>\\)|```|\\$`|`\\$|\\| a \\|\n\\|---\\|\n|## |\\{#a\\}|&lt;|<ul>|<li>|<ruby>|<rt>){0,40}") {
        let (doc, _) = reading(&body);
        assert_balanced(&shown(&doc).replace(['«', '»'], ""), &body);
        let (doc, _) = with(&body, |cx| { cx.raw_html = RawHtml::Deny; cx.sections = Sections::Numbered; });
        assert_balanced(&shown(&doc), &body);
    }

    #[test]
    fn plain_prose_keeps_its_words(words in proptest::collection::vec("[a-zA-Zéß線0-9]{1,8}[.,;?%]?", 1..40)) {
        let body = format!("A {}", words.join(" "));
        let (doc, out) = reading(&body);
        proptest::prop_assert!(out.is_empty() || body.contains('%'), "{:?}", out);
        let read = super::words(&doc);
        proptest::prop_assert_eq!(read.trim_end(), body);
    }
}
