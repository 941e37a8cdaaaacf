//! One file of `content/terms` or `content/lessons` into an [`Entry`].

use super::capture::{self, CaptureContext, Lookups};
use super::fields::{Fields, text_of};
use super::figures;
use super::markdown::{self, BodyContext, Sections};
use super::yaml::{self, Place};
use super::{front_matter, inline};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::byline::{Byline, DateField};
use crate::model::citation::Source;
use crate::model::config::RawHtml;
use crate::model::date::Date;
use crate::model::document::{Document, RESERVED_IDS};
use crate::model::entry::{Arc, Detail, Entry, Kind, Lesson, Meeting, Term};
use crate::model::name::is_placeholder;
use crate::model::signable::Signable;
use crate::model::slug::Slug;
use crate::model::tree::Node;
use crate::source::{FileId, Sources, Span, Spanned};

/// Where an entry stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryFile {
    /// Its id.
    pub id: Slug,
    /// Term or lesson, by its folder.
    pub kind: Kind,
    /// Its file.
    pub file: FileId,
}

/// Reads one entry. `None` if its file or front matter cannot be read; that has been reported.
pub fn read(
    sources: &Sources,
    at: &EntryFile,
    raw_html: RawHtml,
    out: &mut Diagnostics,
) -> Option<Entry> {
    read_asking(sources, at, raw_html, &Lookups::default(), out)
}

/// The same; `asked` takes which other files it depends on.
pub fn read_asking(
    sources: &Sources,
    at: &EntryFile,
    raw_html: RawHtml,
    asked: &Lookups,
    out: &mut Diagnostics,
) -> Option<Entry> {
    let text = sources.file(at.file).readable()?;
    let split = front_matter::split(text, at.file, out)?;
    let place = Place {
        file: at.file,
        offset: split.yaml.start,
        line: split.yaml_line,
        rule: rule::BAD_FRONT_MATTER,
    };
    let front = Span::new(at.file, split.yaml.clone());
    let mut node = yaml::parse(&text[split.yaml.clone()], place, out)?;
    node.span = front;
    let what = match at.kind {
        Kind::Term => "a term",
        Kind::Lesson => "a lesson",
    };
    let mut fields = Fields::open(&node, what, rule::BAD_FRONT_MATTER, out)?;
    let title = fields.required("title", out);
    let title = title.unwrap_or_else(|| Spanned::new(at.id.to_string(), front));
    let sources_cited = cited(&mut fields, out);
    let detail = match at.kind {
        Kind::Term => Detail::Term(term(&mut fields, &title, out)),
        Kind::Lesson => Detail::Lesson(lesson(&mut fields, out)),
    };
    let short = short_answer(&mut fields, sources, at.kind, out);
    let captures = CaptureContext {
        sources,
        entry: at.file,
        asked,
    };
    let mut entry = Entry {
        id: at.id.clone(),
        file: at.file,
        title,
        short,
        hold: hold(&mut fields, out),
        detail,
        measured: capture::captures(fields.map("measured", out), &captures, out),
        diagrams: figures::diagrams(fields.map("diagrams", out), sources, out),
        models: figures::models(fields.map("models", out), sources, out),
        matrices: figures::matrices(fields.map("matrices", out), sources, out),
        sources: sources_cited,
        byline: byline(&mut fields, out),
        front,
        body: Document::default(),
        signable: Signable::new(
            at.kind,
            &at.id,
            &node,
            text.get(split.yaml.end..).unwrap_or(""),
        ),
    };
    fields.finish(out);
    entry.body = body(
        &entry,
        &text[split.body.clone()],
        split.body.start,
        raw_html,
        out,
    );
    entry.shrink();
    Some(entry)
}

/// Reads the body of an entry whose front matter has been read.
fn body(
    entry: &Entry,
    text: &str,
    offset: usize,
    raw_html: RawHtml,
    out: &mut Diagnostics,
) -> Document {
    let source_ids: Vec<_> = entry.sources.iter().map(|s| s.id.value.as_str()).collect();
    let drawn = figure_ids(entry);
    let reserved = RESERVED_IDS.into_iter();
    let reserved_ids: Vec<_> = reserved.chain(drawn.iter().map(String::as_str)).collect();
    let context = BodyContext {
        source_ids: &source_ids,
        reserved_ids: &reserved_ids,
        sections: match entry.kind() {
            Kind::Term => Sections::Plain,
            Kind::Lesson => Sections::Numbered,
        },
        ..BodyContext::new(entry.file, offset, raw_html)
    };
    markdown::read(text, &context, out)
}

/// The ids that tables, figures and rows of an entry have on its page.
fn figure_ids(entry: &Entry) -> Vec<String> {
    let mut ids = Vec::new();
    for capture in &entry.measured {
        let name = &capture.name.value;
        ids.push(format!("table-{name}"));
        ids.extend(
            capture
                .rows
                .iter()
                .map(|row| format!("{name}-{}", row.label())),
        );
    }
    let diagrams = entry.diagrams.iter().map(|d| &d.name.value);
    let models = entry.models.iter().map(|m| &m.name.value);
    let matrices = entry.matrices.iter().map(|m| &m.name.value);
    let figures = diagrams.chain(models).chain(matrices);
    ids.extend(figures.map(|name| format!("figure-{name}")));
    ids
}

/// The reason to hold an entry back. One without words still holds it back, and is a fault: nobody
/// could say what it waits for.
fn hold(fields: &mut Fields<'_>, out: &mut Diagnostics) -> Option<Spanned<String>> {
    let hold = fields.text("hold", out)?;
    if hold.value.trim().is_empty() {
        let finding = Diagnostic::new(rule::MISSING_KEY, hold.span, "`hold` gives no reason");
        out.push(
            finding
                .label("nothing is written here")
                .help("Write why the entry is held back, or take the key out to release it."),
        );
    }
    Some(hold)
}

fn short_answer(
    fields: &mut Fields<'_>,
    sources: &Sources,
    kind: Kind,
    out: &mut Diagnostics,
) -> Option<crate::model::claim::ShortText> {
    let text = match kind {
        Kind::Term => fields.required("short", out),
        Kind::Lesson => fields.text("short", out),
    }?;
    Some(inline::short_text(&text, sources.text(text.span), out))
}

fn term(fields: &mut Fields<'_>, title: &Spanned<String>, out: &mut Diagnostics) -> Term {
    let name = fields
        .text("term", out)
        .filter(|name| !name.value.trim().is_empty());
    Term {
        name: name.unwrap_or_else(|| title.clone()),
        aliases: fields.texts("aliases", out),
        owner: fields.text("owner", out),
        related: fields.texts("related", out),
        meets: fields
            .list("meets", out)
            .iter()
            .filter_map(|node| meeting(node, out))
            .collect(),
    }
}

fn meeting(item: &Node, out: &mut Diagnostics) -> Option<Meeting> {
    if item.text().is_some() {
        let lesson = text_of(item, rule::BAD_FRONT_MATTER, "meets", out)?;
        return Some(Meeting { lesson, note: None });
    }
    let mut fields = Fields::open(item, "an item of `meets`", rule::BAD_FRONT_MATTER, out)?;
    let lesson = fields.required("lesson", out);
    let note = fields.text("note", out);
    fields.finish(out);
    Some(Meeting {
        lesson: lesson?,
        note,
    })
}

fn lesson(fields: &mut Fields<'_>, out: &mut Diagnostics) -> Lesson {
    let day = fields.whole("day", 100_000, out);
    let arc = fields.take("arc").and_then(|node| {
        let mut fields = Fields::open(node, "`arc`", rule::BAD_FRONT_MATTER, out)?;
        let name = fields.required("name", out);
        let part = fields.whole("part", 10_000, out);
        fields.finish(out);
        Some(Arc { name: name?, part })
    });
    Lesson {
        day,
        arc,
        prerequisites: fields.texts("prerequisites", out),
        teaches: fields.texts("teaches", out),
    }
}

/// Reads `sources`.
fn cited(fields: &mut Fields<'_>, out: &mut Diagnostics) -> Vec<Source> {
    let items = fields.list("sources", out);
    items.iter().filter_map(|node| source(node, out)).collect()
}

fn source(node: &Node, out: &mut Diagnostics) -> Option<Source> {
    let mut fields = Fields::open(node, "a source", rule::BAD_FRONT_MATTER, out)?;
    let id = fields.required("id", out);
    if let Some(id) = &id {
        figures::name_of(id, "a source", out);
    }
    let title = fields.required("title", out);
    let sections = fields.texts("sections", out);
    let supports = fields.text("supports", out);
    let url = fields.text("url", out);
    let checked = date_field(&mut fields, "checked", out);
    fields.finish(out);
    let id = id.unwrap_or_else(|| Spanned::new(String::new(), node.span));
    Some(Source {
        span: node.span,
        title: title.unwrap_or_else(|| id.clone()),
        id,
        sections,
        supports,
        url,
        checked,
    })
}

fn byline(fields: &mut Fields<'_>, out: &mut Diagnostics) -> Byline {
    let absent = |span| Byline {
        span,
        written_by: None,
        reviewed_by: None,
        written_on: DateField::Absent,
        last_checked_on: DateField::Absent,
    };
    let start = Span {
        end: fields.span().start,
        ..fields.span()
    };
    let Some(node) = fields.take("byline") else {
        return absent(start);
    };
    let Some(mut fields) = Fields::open(node, "`byline`", rule::BAD_FRONT_MATTER, out) else {
        return absent(node.span);
    };
    let byline = Byline {
        span: node.span,
        written_by: fields.text("written_by", out),
        reviewed_by: fields.text("reviewed_by", out),
        written_on: date_field(&mut fields, "written_on", out),
        last_checked_on: date_field(&mut fields, "last_checked_on", out),
    };
    fields.finish(out);
    byline
}

/// Takes a date, a placeholder or nothing.
fn date_field(fields: &mut Fields<'_>, key: &'static str, out: &mut Diagnostics) -> DateField {
    let Some(node) = fields.take(key) else {
        return DateField::Absent;
    };
    let Some(text) = text_of(node, rule::BAD_FRONT_MATTER, key, out) else {
        return DateField::Faulty(node.span);
    };
    if let Some(date) = Date::parse(&text.value) {
        return DateField::On(Spanned::new(date, text.span));
    }
    if is_placeholder(&text.value) && !text.value.contains(|c: char| c.is_ascii_digit()) {
        return DateField::Pending(text.span);
    }
    let near = nearest(&text.value, ["pending"]);
    out.push(
        Diagnostic::new(
            rule::BAD_DATE,
            text.span,
            format!(
                "`{key}` is `{}`, which is no day of the calendar",
                text.value
            ),
        )
        .label("not a date")
        .help(near.map_or_else(
            || "Write the day as YYYY-MM-DD, such as 2026-09-01, or `pending`.".to_owned(),
            |near| format!("Did you mean `{near}`?"),
        )),
    );
    DateField::Faulty(text.span)
}
