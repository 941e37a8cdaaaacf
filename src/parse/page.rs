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

/// The file of a page's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFile {
    /// Its id; `None` for the home page.
    pub id: Option<Slug>,
    /// The file.
    pub file: FileId,
}

/// Finds the texts of the home page and of every plain page, in the order of ids. Only paths are
/// looked at.
pub fn files(sources: &Sources, out: &mut Diagnostics) -> Vec<PageFile> {
    let home = sources.find("content/index.md");
    let mut files: Vec<_> = home
        .map(|file| PageFile { id: None, file })
        .into_iter()
        .collect();
    for (file, source) in sources.below(FOLDER) {
        let inner = &source.path[FOLDER.len()..];
        let stem = inner
            .strip_suffix("/index.md")
            .or_else(|| inner.strip_suffix(".md"));
        let Some(stem) = stem else { continue };
        let id = Slug::new(stem).filter(|id| !RESERVED.contains(&id.as_str()));
        if id.is_some() {
            files.push(PageFile { id, file });
            continue;
        }
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
                Slug::from_name(stem).map(|near| format!("Rename it, to `{near}` or the like.")),
            ),
        );
    }
    files.sort_by(|a, b| a.id.cmp(&b.id));
    files
}

/// Reads the text of a page. It depends on the bytes of its file and on how raw HTML is treated.
pub fn read(
    sources: &Sources,
    at: &PageFile,
    raw_html: RawHtml,
    out: &mut Diagnostics,
) -> Option<Arc<Page>> {
    let (id, file) = (at.id.clone(), at.file);
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
