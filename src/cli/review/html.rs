//! A review as a page of its own: no script, no request, every text escaped.

use super::pictures::{Pair, Picture};
use crate::gate::review::{Fate, Passage, Piece, Review, ValueChange};
use crate::model::entry::Entry;
use std::fmt::Write as _;

/// What the page says.
pub(super) struct Page<'a> {
    /// The entry.
    pub entry: &'a Entry,
    /// What is reviewed, in a line.
    pub title: &'a str,
    /// What it is compared with.
    pub basis: &'a str,
    /// What changed.
    pub review: &'a Review,
    /// Pictures that changed.
    pub pictures: Vec<Pair>,
}

const STYLE: &str = "\
:root{color-scheme:light dark;--del:#ffd9d4;--ins:#cfeed2;--line:#8886}
@media (prefers-color-scheme:dark){:root{--del:#6b2b24;--ins:#1f5a2a}}
body{font:1rem/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
del{background:var(--del)}ins{background:var(--ins);text-decoration:underline}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;border-left:3px solid var(--line);padding-left:1rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;border:1px solid var(--line);padding:.3rem .6rem;overflow-wrap:anywhere}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:1rem}
.pair img{max-width:100%;background:#fff;border:1px solid var(--line)}figure{margin:0}
";

/// The page.
pub(super) fn page(page: &Page<'_>) -> String {
    let mut html = String::new();
    let name = escape(&page.entry.title.value);
    let _ = write!(
        html,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
         <title>Review: {name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Review: {name}</h1>\n<p>{}</p>\n<p>{}</p>\n",
        escape(page.title),
        escape(page.basis)
    );
    let review = page.review;
    if review.is_empty() {
        html.push_str("<p>Nothing has changed.</p>\n");
    }
    words(&mut html, &review.words);
    table(&mut html, "Numbers", &review.numbers);
    table(&mut html, "Sources", &review.sources);
    table(&mut html, "Check dates", &review.dates);
    figures(&mut html, page);
    table(&mut html, "Files", &review.files);
    if !review.reordered.is_empty() {
        let keys: Vec<_> = review.reordered.iter().map(|key| escape(key)).collect();
        let _ = writeln!(
            html,
            "<h2>Order or form alone</h2>\n<p>{}</p>",
            keys.join(", ")
        );
    }
    html.push_str("</body>\n</html>\n");
    html
}

fn words(html: &mut String, passages: &[Passage]) {
    if passages.is_empty() {
        return;
    }
    html.push_str("<h2>Words</h2>\n");
    for passage in passages {
        let _ = write!(html, "<h3>{}</h3>\n<pre>", escape(&passage.place));
        for piece in &passage.pieces {
            let _ = match piece {
                Piece::Kept(text) => write!(html, "{}", escape(text)),
                Piece::Removed(text) => write!(html, "<del>{}</del>", escape(text)),
                Piece::Added(text) => write!(html, "<ins>{}</ins>", escape(text)),
            };
        }
        html.push_str("</pre>\n");
    }
}

fn table(html: &mut String, title: &str, changes: &[ValueChange]) {
    if changes.is_empty() {
        return;
    }
    let _ = write!(
        html,
        "<h2>{title}</h2>\n<table>\n<thead><tr><th scope=\"col\">place</th>\
         <th scope=\"col\">was</th><th scope=\"col\">is</th></tr></thead>\n<tbody>\n"
    );
    for change in changes {
        let cell = |value: &Option<String>, mark: &str| match value {
            Some(text) => format!("<td><{mark}>{}</{mark}></td>", escape(text)),
            None => "<td>–</td>".to_owned(),
        };
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}</th>{}{}</tr>",
            escape(&change.place),
            cell(&change.old, "del"),
            cell(&change.new, "ins")
        );
    }
    html.push_str("</tbody>\n</table>\n");
}

fn figures(html: &mut String, page: &Page<'_>) {
    let figures = &page.review.figures;
    if figures.is_empty() && page.pictures.is_empty() {
        return;
    }
    html.push_str("<h2>Figures</h2>\n");
    if !figures.is_empty() {
        html.push_str("<ul>\n");
        for figure in figures {
            let fate = match figure.fate {
                Fate::Added => "is new",
                Fate::Removed => "is gone",
                Fate::Changed => "has changed",
            };
            let (kind, name) = (figure.kind, escape(&figure.name));
            let _ = writeln!(html, "<li>{kind}.{name} {fate}</li>");
        }
        html.push_str("</ul>\n");
    }
    for pair in &page.pictures {
        let _ = write!(
            html,
            "<h3>{}</h3>\n<div class=\"pair\">\n{}{}</div>\n",
            escape(&pair.name),
            side("was", pair.old.as_ref()),
            side("is", pair.new.as_ref())
        );
    }
}

fn side(when: &str, picture: Option<&Picture>) -> String {
    match picture {
        Some(picture) => format!(
            "<figure><figcaption>{when}</figcaption><img src=\"{}\" alt=\"{}\"></figure>\n",
            picture.address,
            escape(&picture.alt)
        ),
        None => format!("<figure><figcaption>{when}</figcaption><p>not there</p></figure>\n"),
    }
}

/// Text for HTML, attributes included. Characters that nobody sees stand as their codes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() || is_unseen(c) => {
                let _ = write!(escaped, "&lt;U+{:04X}&gt;", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// Characters by which a text could look other than it is.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
