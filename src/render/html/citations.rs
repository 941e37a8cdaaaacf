//! Citations: numbered marks in the text, linked with the list of sources both ways.

use super::text::{escape, id_part};
use super::writer::Writer;
use crate::model::document::Document;
use crate::model::entry::Entry;
use std::collections::BTreeMap;

/// The numbers of the sources of a page, and how often each has been cited so far.
#[derive(Debug, Clone, Default)]
pub(in crate::render) struct Citations {
    /// Indexes into the entry's sources, in the order of their numbers.
    order: Vec<usize>,
    /// By the source's id: its number, and the citations so far.
    by_id: BTreeMap<String, (usize, usize)>,
}

/// The sources of an entry, numbered: in the order of their first citation, then of the front
/// matter.
fn numbered_sources(entry: &Entry, body: &Document) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    let cited = body.citations.iter().filter_map(|citation| {
        let mut sources = entry.sources.iter();
        sources.position(|source| source.id.value == citation.id)
    });
    for at in cited.chain(0..entry.sources.len()) {
        if !order.contains(&at) {
            order.push(at);
        }
    }
    order
}

impl Citations {
    pub(super) fn new(entry: Option<&Entry>, body: &Document) -> Self {
        let Some(entry) = entry else {
            return Self::default();
        };
        let order = numbered_sources(entry, body);
        let by_id = order.iter().enumerate().filter_map(|(number, at)| {
            let source = entry.sources.get(*at)?;
            Some((source.id.value.clone(), (number + 1, 0)))
        });
        Self {
            by_id: by_id.collect(),
            order,
        }
    }

    /// Indexes into the entry's sources, in the order of their numbers.
    pub(in crate::render) fn order(&self) -> &[usize] {
        &self.order
    }

    /// The ids of the citations of a source, in the order of the text.
    pub(in crate::render) fn ids(&self, source: &str) -> Vec<String> {
        let count = self.by_id.get(source).map_or(0, |(_, count)| *count);
        (1..=count).map(|n| mark_id(source, n)).collect()
    }
}

fn mark_id(source: &str, n: usize) -> String {
    format!("cite-{}-{n}", id_part(source))
}

impl Writer<'_> {
    /// The mark of a citation.
    pub(super) fn citation(&mut self, id: &str) -> String {
        let title = self.here.entry.and_then(|(_, entry)| {
            let source = entry.sources.iter().find(|source| source.id.value == id)?;
            Some(source.title.value.clone())
        });
        let found = self.citations.by_id.get_mut(id);
        let Some(((number, count), title)) = found.zip(title) else {
            return format!("[^{}]", escape(id));
        };
        *count += 1;
        format!(
            "<sup class=\"cite\" id=\"{}\"><a href=\"#source-{}\" aria-label=\"Source {number}, {}\">{number}</a></sup>",
            mark_id(id, *count),
            id_part(id),
            escape(&title)
        )
    }
}
