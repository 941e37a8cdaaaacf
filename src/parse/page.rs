//! `content/index.md` and `content/pages/…` into [`Page`]s.

use super::fields::Fields;
use super::front_matter;
use super::markdown::{self, BodyContext};
use super::yaml::{self, Place};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::config::RawHtml;
use crate::model::document::RESERVED_IDS;
use crate::model::page::Page;
use crate::model::slug::Slug;
use crate::source::{Digest, FileId, Sources, Span};
use std::sync::Arc;

/// Folders of a release that a plain page cannot take.
pub const RESERVED: [&str; 6] = ["terms", "lessons", "search", "diagrams", "css", "js"];

const FOLDER: &str = "content/pages/";

/// Reads the home page and every plain page, in the order of ids.
pub fn read_all(
    sources: &Sources,
    raw_html: RawHtml,
    out: &mut Diagnostics,
) -> (Option<Arc<Page>>, Vec<Arc<Page>>) {
    let home = sources
        .find("content/index.md")
        .and_then(|file| read(sources, file, None, raw_html, out));
    let mut pages = Vec::new();
    for (file, source) in sources.below(FOLDER) {
        let inner = &source.path[FOLDER.len()..];
        let stem = inner
            .strip_suffix("/index.md")
            .or_else(|| inner.strip_suffix(".md"));
        let Some(stem) = stem else { continue };
        let id = Slug::new(stem).filter(|id| !RESERVED.contains(&id.as_str()));
        if id.is_none() {
            out.push(
                Diagnostic::new(
                    rule::BAD_ID,
                    Span::file(file),
                    format!("`{stem}` cannot be the id of a page"),
                )
                .note(format!(
                    "Ids are lower-case letters, digits and single hyphens; {} are taken.",
                    RESERVED.join(", ")
                ))
                .maybe_help(
                    Slug::from_name(stem)
                        .map(|near| format!("Rename it, to `{near}` or the like.")),
                ),
            );
            continue;
        }
        pages.extend(read(sources, file, id, raw_html, out));
    }
    (home, pages)
}

fn read(
    sources: &Sources,
    file: FileId,
    id: Option<Slug>,
    raw_html: RawHtml,
    out: &mut Diagnostics,
) -> Option<Arc<Page>> {
    let text = sources.file(file).readable()?;
    let fenced = front_matter::is_present(text);
    // The home page may be a body alone.
    if id.is_none() && !fenced {
        let front = Span::file(file);
        return Some(Arc::new(Page {
            id,
            file,
            title: None,
            description: None,
            front,
            body: body(text, file, 0, raw_html, out),
            digest: Digest::of(text.as_bytes()),
        }));
    }
    let split = front_matter::split(text, file, out)?;
    let place = Place {
        file,
        offset: split.yaml.start,
        line: split.yaml_line,
        rule: rule::BAD_FRONT_MATTER,
    };
    let node = yaml::parse(&text[split.yaml.clone()], place, out)?;
    let mut fields = Fields::open(&node, "a page", rule::BAD_FRONT_MATTER, out)?;
    let title = if id.is_some() {
        fields.required("title", out)
    } else {
        fields.text("title", out)
    };
    let description = fields.text("short", out);
    fields.finish(out);
    let body = body(
        &text[split.body.clone()],
        file,
        split.body.start,
        raw_html,
        out,
    );
    Some(Arc::new(Page {
        id,
        file,
        title,
        description,
        front: Span::new(file, split.yaml),
        body,
        digest: Digest::of(text.as_bytes()),
    }))
}

fn body(
    text: &str,
    file: FileId,
    offset: usize,
    raw_html: RawHtml,
    out: &mut Diagnostics,
) -> crate::model::document::Document {
    let context = BodyContext {
        reserved_ids: &RESERVED_IDS,
        ..BodyContext::new(file, offset, raw_html)
    };
    markdown::read(text, &context, out)
}
