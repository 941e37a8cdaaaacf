//! How to cite a published page.

use crate::model::entry::Entry;
use crate::render::context::{BylineContext, CiteContext, SiteContext};

/// The citation as a sentence and as a BibTeX record; `None` without an author.
pub(super) fn cite(
    entry: &Entry,
    byline: &BylineContext,
    site: &SiteContext,
    url: &str,
) -> Option<CiteContext> {
    let author = byline.written_by.as_ref()?;
    let title = entry.title.value.trim();
    let stop = if title.ends_with(['?', '!', '.']) {
        ""
    } else {
        "."
    };
    let mut text = format!("{}. “{title}{stop}” {}.", author.name, site.title);
    let mut notes = Vec::new();
    if let Some(written) = &byline.written_on {
        notes.push(format!("written {written}"));
    }
    if let Some(reviewer) = &byline.reviewed_by {
        notes.push(format!("reviewed by {}", reviewer.name));
    }
    if let Some(checked) = &byline.last_checked_on {
        notes.push(format!("last checked {checked}"));
    }
    let note = sentence(&notes.join(", "));
    if !note.is_empty() {
        text.push(' ');
        text.push_str(&note);
    }
    text.push(' ');
    text.push_str(url);
    let year = byline.written_on.as_deref().and_then(|day| day.get(..4));
    let mut fields = vec![
        ("author", format!("{{{}}}", bibtex(&author.name))),
        ("title", format!("{{{}}}", bibtex(title))),
        ("howpublished", bibtex(&site.title)),
    ];
    if let Some(year) = year {
        fields.push(("year", year.to_owned()));
    }
    fields.push(("note", bibtex(&note)));
    // An address stands as it is: `\url` and the drivers of today read it so.
    fields.push(("url", url.to_owned()));
    let lines: Vec<_> = fields
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(key, value)| format!("  {key} = {{{value}}}"))
        .collect();
    Some(CiteContext {
        text,
        bibtex: format!("@misc{{{},\n{}\n}}", entry.id, lines.join(",\n")),
    })
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        format!("{}{}.", first.to_uppercase(), letters.as_str())
    })
}

/// Text with what is special in BibTeX and TeX escaped.
fn bibtex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '{' | '}' | '%' | '&' | '#' | '_' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}
