//! Markdown twins: each page once more as plain Markdown, for people and programs that read text.
//!
//! The author's body is taken as it was written; only what is ours is rewritten: claims become
//! their numbers, links get addresses that work from the twin's place, citations become
//! footnotes with the source, embeds become tables and alternative texts.

use super::markdown::one_line;
use super::{Listed, Shelf};
use crate::model::claim::ShortText;
use crate::model::dataset::Capture;
use crate::model::document::{Document, Embed, EmbedKind};
use crate::model::entry::{Entry, Kind};
use crate::model::figure::Matrix;
use crate::model::page::Page;
use crate::resolve::{Destination, References};
use crate::source::Span;
use std::fmt::Write as _;

/// The twin of an entry's page.
pub fn twin(shelf: &Shelf<'_>, listed: &Listed<'_>) -> Vec<u8> {
    let entry = listed.entry;
    let mut text = format!("# {}\n", one_line(&entry.title.value));
    let short = listed.short();
    if !short.is_empty() {
        let _ = write!(text, "\n> {}\n", one_line(&short));
    }
    let references = &shelf.site.references[listed.index];
    text.push('\n');
    text.push_str(body(shelf, &entry.body, references, Some(entry)).trim());
    text.push('\n');
    let placed = |kind: EmbedKind, name: &str| {
        let embeds = &mut entry.body.embeds.iter();
        embeds.any(|embed| embed.kind == kind && embed.name.value == name)
    };
    for capture in &entry.measured {
        if !placed(EmbedKind::Measured, capture.name.value.as_str()) {
            let _ = write!(text, "\n## Measured: {}\n\n", capture.name.value);
            text.push_str(&table(capture, capture.caption.as_ref()));
        }
    }
    for diagram in &entry.diagrams {
        if !placed(EmbedKind::Diagram, diagram.name.value.as_str()) {
            text.push_str("\n## Diagram\n\n");
            text.push_str(&figure(diagram.alt.as_ref(), diagram.caption.as_ref()));
        }
    }
    lists(shelf, entry, references, &mut text);
    sources(entry, &mut text);
    byline(shelf, listed, &mut text);
    text.into_bytes()
}

/// The twin of a plain page or of the home page.
pub fn page_twin(shelf: &Shelf<'_>, page: &Page, references: &References) -> Vec<u8> {
    let title = page.title.as_ref();
    let title = title.map_or(shelf.site.config.title.as_str(), |title| &title.value);
    let body = body(shelf, &page.body, references, None);
    format!("# {}\n\n{}\n", one_line(title), body.trim()).into_bytes()
}

/// The twin of the list of terms or of lessons.
pub fn index_twin(shelf: &Shelf<'_>, kind: Kind) -> Vec<u8> {
    let heading = match kind {
        Kind::Term => "Glossary",
        Kind::Lesson => "Lessons",
    };
    let mut text = format!("# {heading}\n\n");
    let mut row = |listed: &Listed<'_>| {
        let _ = writeln!(
            text,
            "- [{}]({}/index.md): {}",
            one_line(listed.entry.name()),
            listed.entry.id,
            one_line(&listed.short())
        );
    };
    match kind {
        Kind::Term => shelf.terms().for_each(&mut row),
        Kind::Lesson => shelf.lessons().for_each(&mut row),
    }
    text.into_bytes()
}

/// A piece of the body that is written anew.
struct Edit {
    span: Span,
    text: String,
}

fn body(
    shelf: &Shelf<'_>,
    document: &Document,
    references: &References,
    entry: Option<&Entry>,
) -> String {
    let Some(span) = document.span else {
        return String::new();
    };
    let depth = if entry.is_some() { "../../" } else { "../" };
    let mut edits = Vec::new();
    for (link, to) in document.links.iter().zip(&references.links) {
        edits.push(Edit {
            span: link.span,
            text: link_text(shelf, to, &link.text, depth),
        });
    }
    for (image, to) in document.images.iter().zip(&references.images) {
        let text = match to {
            Destination::File(path) => format!("![{}]({depth}{path})", one_line(&image.alt)),
            _ => one_line(&image.alt),
        };
        edits.push(Edit {
            span: image.span,
            text,
        });
    }
    edits.extend(document.claims.iter().map(|claim| Edit {
        span: claim.span,
        text: claim.text.value.clone(),
    }));
    if let Some(entry) = entry {
        edits.extend(document.embeds.iter().map(|embed| Edit {
            span: embed.span,
            text: embedded(entry, embed),
        }));
    }
    apply(shelf.sources.text(span), span, edits)
}

/// Applies edits; one inside another is left out, since the outer one speaks for both.
fn apply(text: &str, span: Span, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| (edit.span.start, std::cmp::Reverse(edit.span.end)));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let start = edit.span.range().start.saturating_sub(span.range().start);
        let end = edit.span.range().end.saturating_sub(span.range().start);
        let Some(kept) = text.get(at..start).filter(|_| end <= text.len()) else {
            continue;
        };
        out.push_str(kept);
        out.push_str(&edit.text);
        at = end;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}

fn link_text(shelf: &Shelf<'_>, to: &Destination, words: &str, depth: &str) -> String {
    let hash = |fragment: &Option<String>| {
        fragment
            .as_ref()
            .map_or_else(String::new, |f| format!("#{f}"))
    };
    let href = match to {
        Destination::Entry { index, fragment } => match shelf.get(*index) {
            Some(listed) => format!(
                "{depth}{}index.md{}",
                listed.entry.address(),
                hash(fragment)
            ),
            None => return one_line(words),
        },
        Destination::Page { index, fragment } => {
            let address = index.map_or_else(String::new, |index| shelf.site.pages[index].address());
            format!("{depth}{address}index.md{}", hash(fragment))
        }
        Destination::Index(kind, fragment) => {
            format!("{depth}{}/index.md{}", kind.folder(), hash(fragment))
        }
        Destination::File(path) => format!("{depth}{path}"),
        Destination::Here(fragment) => format!("#{fragment}"),
        Destination::External(url) => url.clone(),
        Destination::Broken => return one_line(words),
    };
    format!("[{}](<{href}>)", one_line(words))
}

fn embedded(entry: &Entry, embed: &Embed) -> String {
    let name = embed.name.value.as_str();
    // A caption in the body stands before the one of the front matter, as on the page.
    let here = Some(&embed.caption).filter(|caption| !caption.pieces.is_empty());
    match embed.kind {
        EmbedKind::Measured => {
            let mut captures = entry.measured.iter();
            captures
                .find(|capture| capture.name.value.as_str() == name)
                .map_or_else(String::new, |capture| {
                    table(capture, here.or(capture.caption.as_ref()))
                })
        }
        EmbedKind::Diagram => {
            let mut diagrams = entry.diagrams.iter();
            diagrams
                .find(|diagram| diagram.name.value.as_str() == name)
                .map_or_else(String::new, |d| {
                    figure(d.alt.as_ref(), here.or(d.caption.as_ref()))
                })
        }
        EmbedKind::Model => {
            let mut models = entry.models.iter();
            models
                .find(|model| model.name.value.as_str() == name)
                .map_or_else(String::new, |m| {
                    figure(m.alt.as_ref(), here.or(m.caption.as_ref()))
                })
        }
        EmbedKind::Matrix => {
            let mut matrices = entry.matrices.iter();
            matrices
                .find(|matrix| matrix.name.value.as_str() == name)
                .map_or_else(String::new, |matrix| {
                    matrix_table(matrix, here.or(matrix.caption.as_ref()))
                })
        }
    }
}

fn figure(alt: Option<&ShortText>, caption: Option<&ShortText>) -> String {
    let mut text = String::new();
    for (word, part) in [("Figure", caption), ("Shown", alt)] {
        if let Some(part) = part {
            let _ = write!(text, "*{word}:* {}\n\n", one_line(&part.plain()));
        }
    }
    text
}

fn cell(text: &str) -> String {
    let line = one_line(text);
    if line.contains('|') {
        return line.replace('|', "\\|");
    }
    line
}

fn table(capture: &Capture, caption: Option<&ShortText>) -> String {
    let heads = capture.columns.iter().map(|column| {
        let title = column.title.as_ref().unwrap_or(&column.name);
        match &column.unit {
            Some(unit) => format!("{} ({})", cell(&title.value), cell(&unit.value)),
            None => cell(&title.value),
        }
    });
    let mut text = String::new();
    if let Some(caption) = caption {
        let _ = write!(text, "{}\n\n", one_line(&caption.plain()));
    }
    let heads: Vec<_> = heads.collect();
    let _ = writeln!(text, "| {} |", heads.join(" | "));
    let _ = writeln!(text, "|{}", " --- |".repeat(heads.len()));
    for row in &capture.rows {
        let cells: Vec<_> = row.cells.iter().map(|c| cell(&c.value)).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    let provenance = &capture.provenance;
    let parts = [
        provenance.device.as_ref().map(|t| one_line(&t.value)),
        provenance
            .driver
            .as_ref()
            .map(|t| format!("driver {}", one_line(&t.value))),
        provenance.toolkit.as_ref().map(|t| one_line(&t.value)),
        provenance.build.as_ref().map(|t| format!("`{}`", t.value)),
        provenance
            .captured
            .as_ref()
            .map(|d| format!("captured {}", d.value)),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    let _ = write!(text, "\n{}\n", parts.join("; "));
    if let Some(note) = &capture.note {
        let _ = write!(text, "\n{}\n", one_line(&note.plain()));
    }
    text
}

fn matrix_table(matrix: &Matrix, caption: Option<&ShortText>) -> String {
    let columns = matrix.rows.first().map_or(0, Vec::len);
    let heads: Vec<_> = (0..columns).map(|column| column.to_string()).collect();
    let mut text = format!(
        "| | {} |\n|{}\n",
        heads.join(" | "),
        " --- |".repeat(columns + 1)
    );
    for (index, row) in matrix.rows.iter().enumerate() {
        let cells: Vec<_> = row.iter().map(|c| cell(&c.value)).collect();
        let _ = writeln!(text, "| {index} | {} |", cells.join(" | "));
    }
    if matrix.repeat_columns > 1 {
        let _ = write!(
            text,
            "\nThese columns repeat {} times.\n",
            matrix.repeat_columns
        );
    }
    if let Some(caption) = caption {
        let _ = write!(text, "\n{}\n", one_line(&caption.plain()));
    }
    text
}

/// Related terms and the lessons that meet a term.
fn lists(shelf: &Shelf<'_>, entry: &Entry, references: &References, text: &mut String) {
    let link = |index: &Option<usize>| {
        let other = shelf.get((*index)?)?.entry;
        Some(format!(
            "[{}](../../{}index.md)",
            one_line(other.name()),
            other.address()
        ))
    };
    let related: Vec<_> = references.related.iter().filter_map(link).collect();
    if !related.is_empty() {
        let _ = write!(text, "\n## Related terms\n\n- {}\n", related.join("\n- "));
    }
    let meets = entry.term().map_or(&[][..], |term| &term.meets);
    let met: Vec<_> = meets
        .iter()
        .zip(&references.meets)
        .filter_map(|(meeting, index)| {
            let note = meeting.note.as_ref();
            let note = note.map_or_else(String::new, |note| format!(": {}", one_line(&note.value)));
            Some(format!("{}{note}", link(index)?))
        })
        .collect();
    if !met.is_empty() {
        let _ = write!(text, "\n## Where you meet this\n\n- {}\n", met.join("\n- "));
    }
}

fn sources(entry: &Entry, text: &mut String) {
    if entry.sources.is_empty() {
        return;
    }
    text.push_str("\n## Sources\n\n");
    for source in &entry.sources {
        let _ = write!(
            text,
            "[^{}]: {}",
            source.id.value,
            one_line(&source.title.value)
        );
        for section in &source.sections {
            let _ = write!(text, ", “{}”", one_line(&section.value));
        }
        if let Some(supports) = &source.supports {
            let _ = write!(text, "; for {}", one_line(&supports.value));
        }
        if let Some(url) = &source.url {
            let _ = write!(text, ". <{}>", url.value);
        }
        if let Some(checked) = source.checked.date() {
            let _ = write!(text, " (checked {})", checked.value);
        }
        text.push_str("\n\n");
    }
}

fn pending() -> String {
    "pending".to_owned()
}

fn byline(shelf: &Shelf<'_>, listed: &Listed<'_>, text: &mut String) {
    let name = |name: &Option<String>| name.as_deref().map_or_else(pending, one_line);
    let _ = write!(
        text,
        "\n## Byline\n\nWritten by {} on {}. Reviewed by {}. Last checked on {}.\n",
        name(&listed.written_by),
        listed.written_on().unwrap_or_else(pending),
        name(&listed.reviewed_by),
        listed.last_checked_on().unwrap_or_else(pending),
    );
    if let Some(assurance) = listed.assurance {
        let _ = writeln!(text, "Assurance: {assurance}. Digest: {}.", listed.claims);
    }
    let _ = writeln!(text, "Page: {}", shelf.absolute(&listed.entry.address()));
}
