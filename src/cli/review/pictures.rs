//! The pictures of changed figures: as they were and as they are.

use super::Table;
use crate::cli::history::Past;
use crate::compile::Compiled;
use crate::diagnostic::Diagnostics;
use crate::gate::review::Review;
use crate::model::claim::ShortText;
use crate::model::entry::Entry;
use crate::render::drawings;
use crate::source::Sources;
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use std::collections::{BTreeMap, BTreeSet};

/// Largest picture that is put into the page, in bytes: 2 MiB.
const PICTURE_MAX_BYTES: usize = 2 << 20;

/// A picture in a form that a page can hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Picture {
    /// Its data, as an address.
    pub address: String,
    /// What it shows, in words.
    pub alt: String,
}

/// One picture in both versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    /// What it is called.
    pub name: String,
    /// As it was, if it was there.
    pub old: Option<Picture>,
    /// As it is, if it is there.
    pub new: Option<Picture>,
}

/// The pictures of every changed figure and file, side by side.
pub(super) fn beside(table: &Table<'_>, past: Option<&Past>, review: &Review) -> Vec<Pair> {
    let new = drawn(table.compiled, table.index);
    let old = past.map_or_else(BTreeMap::new, |past| drawn(&past.compiled, 0));
    let mut pairs = Vec::new();
    for figure in &review.figures {
        let own = |stem: &&String| {
            let rest = stem.strip_prefix(figure.name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let stems: BTreeSet<_> = old.keys().chain(new.keys()).filter(own).collect();
        for stem in stems {
            let (old, new) = (old.get(stem), new.get(stem));
            if old != new {
                pairs.push(Pair {
                    name: format!("{}.{stem}", figure.kind),
                    old: old.cloned(),
                    new: new.cloned(),
                });
            }
        }
    }
    for file in &review.files {
        let old = past.and_then(|past| image(&past.sources, &file.place));
        let new = image(&table.session.sources, &file.place);
        if old.is_some() || new.is_some() {
            pairs.push(Pair {
                name: file.place.clone(),
                old,
                new,
            });
        }
    }
    pairs
}

/// The drawings of an entry by their names.
fn drawn(compiled: &Compiled, index: usize) -> BTreeMap<String, Picture> {
    let (site, runs) = (&compiled.site, &compiled.simulations.entries);
    let (Some(entry), Some(runs)) = (site.entries.get(index), runs.get(index)) else {
        return BTreeMap::new();
    };
    // Faults of a drawing are findings of `check`; here its place stays empty.
    let all = drawings(site, (entry, runs), Vec::new(), &mut Diagnostics::new());
    all.into_iter()
        .map(|drawing| {
            let picture = Picture {
                address: address("image/svg+xml", drawing.svg().as_bytes()),
                alt: alt(entry, &drawing.stem),
            };
            (drawing.stem, picture)
        })
        .collect()
}

fn alt(entry: &Entry, stem: &str) -> String {
    let diagrams = entry.diagrams.iter().map(|d| (&d.name.value, &d.alt));
    let models = entry.models.iter().map(|m| (&m.name.value, &m.alt));
    let mut figures = diagrams.chain(models);
    let found = figures.find(|(name, _)| name.as_str() == stem);
    let alt = found.and_then(|(_, alt)| alt.as_ref());
    alt.map_or_else(|| stem.to_owned(), ShortText::plain)
}

/// A picture file, if browsers show its kind.
fn image(sources: &Sources, path: &str) -> Option<Picture> {
    let kind = match path.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    let bytes = &sources.binary(path)?.bytes;
    (bytes.len() <= PICTURE_MAX_BYTES).then(|| Picture {
        address: address(kind, bytes),
        alt: path.to_owned(),
    })
}

fn address(kind: &str, bytes: &[u8]) -> String {
    let data = percent_encode(bytes, NON_ALPHANUMERIC);
    format!("data:{kind},{data}")
}
