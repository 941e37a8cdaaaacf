//! `glossary.json`: every term of the build as data, and captures as JSON.

use super::{Listed, Shelf};
use crate::model::byline::DateField;
use crate::model::dataset::{Capture, Exactness};
use serde_json::{Map, Value, json};

/// The JSON Schema of `glossary.json`, published beside it.
pub const GLOSSARY_SCHEMA: &str = include_str!("glossary.schema.json");

/// Every term with its short answer, aliases, tables, sources and byline.
pub fn glossary(shelf: &Shelf<'_>) -> Vec<u8> {
    let config = &shelf.site.config;
    let terms: Vec<_> = shelf.terms().map(|listed| term(shelf, listed)).collect();
    let value = json!({
        "$schema": shelf.absolute("glossary.schema.json"),
        "version": 1,
        "title": config.title,
        "language": config.language,
        "base_url": config.base_url,
        "terms": terms,
    });
    pretty(&value)
}

fn term(shelf: &Shelf<'_>, listed: &Listed<'_>) -> Value {
    let entry = listed.entry;
    let references = &shelf.site.references[listed.index];
    let shown = |index: &Option<usize>| {
        let other = shelf.get((*index)?)?;
        Some(other.entry.id.to_string())
    };
    let related: Vec<_> = references.related.iter().filter_map(shown).collect();
    let aliases: Vec<_> = entry.aliases().iter().map(|alias| &alias.value).collect();
    let mut measured = Map::new();
    for capture in &entry.measured {
        measured.insert(capture.name.value.to_string(), capture_json(capture));
    }
    let sources: Vec<_> = entry
        .sources
        .iter()
        .map(|source| {
            let sections: Vec<_> = source.sections.iter().map(|s| &s.value).collect();
            json!({
                "id": source.id.value,
                "title": source.title.value,
                "sections": sections,
                "supports": source.supports.as_ref().map(|text| &text.value),
                "url": source.url.as_ref().map(|url| &url.value),
                "checked": date(&source.checked),
            })
        })
        .collect();
    json!({
        "id": entry.id.as_str(),
        "name": entry.name(),
        "title": entry.title.value,
        "aliases": aliases,
        "short": listed.short(),
        "url": shelf.absolute(&entry.address()),
        "related": related,
        "owner": shown(&references.owner),
        "measured": measured,
        "sources": sources,
        "byline": {
            "state": listed.state,
            "written_by": listed.written_by,
            "reviewed_by": listed.reviewed_by,
            "written_on": listed.written_on(),
            "last_checked_on": listed.last_checked_on(),
            "assurance": listed.assurance,
            "claims": listed.claims.to_string(),
        },
    })
}

fn date(field: &DateField) -> Option<String> {
    field.date().map(|date| date.value.to_string())
}

/// A capture as data. Every cell is text, with the digits it was written with.
pub fn capture_json(capture: &Capture) -> Value {
    let provenance = &capture.provenance;
    let text =
        |text: &Option<crate::source::Spanned<String>>| text.as_ref().map(|t| t.value.clone());
    let mut constants = Map::new();
    for (name, value) in &capture.constants {
        constants.insert(name.value.clone(), Value::String(value.value.clone()));
    }
    let columns: Vec<_> = capture
        .columns
        .iter()
        .map(|column| {
            json!({
                "name": column.name.value,
                "title": text(&column.title),
                "unit": text(&column.unit),
                "exact": column.exactness == Exactness::Exact,
                "derived": text(&column.derived),
            })
        })
        .collect();
    let rows: Vec<Vec<_>> = capture
        .rows
        .iter()
        .map(|row| row.cells.iter().map(|cell| cell.value.clone()).collect())
        .collect();
    json!({
        "device": text(&provenance.device),
        "compute_capability": text(&provenance.compute_capability),
        "driver": text(&provenance.driver),
        "toolkit": text(&provenance.toolkit),
        "build": text(&provenance.build),
        "captured": provenance.captured.as_ref().map(|date| date.value.to_string()),
        "program": text(&provenance.program),
        "program_sha256": text(&provenance.program_sha256),
        "caption": capture.caption.as_ref().map(crate::model::claim::ShortText::plain),
        "note": capture.note.as_ref().map(crate::model::claim::ShortText::plain),
        "constants": constants,
        "columns": columns,
        "rows": rows,
    })
}

/// JSON with two spaces and a line end.
fn pretty(value: &Value) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}
