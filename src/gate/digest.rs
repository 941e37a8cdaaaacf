//! The two digests that people sign.
//!
//! `claims` covers all that an entry's page says; `freshness` covers the days on which its
//! sources and the page were last checked. Both are taken from what the author wrote: front
//! matter in a canonical form (the order of keys and the way of quoting do not count, every
//! other character does), the body byte for byte, and the files that the page shows. Templates
//! and styles are in neither. Who signs is not in them either: that stands in each statement.
//! What the entry's own file gives is taken while it is read, see [`crate::model::signable`]; here
//! the files and simulations that its page shows come to it.

use crate::diagnostic::{Diagnostics, rule};
use crate::model::document::Target;
use crate::model::entry::Entry;
use crate::model::tree::{Kind, Node};
use crate::parse::yaml::{self, Place};
use crate::source::path::{ending, join};
use crate::source::{Digest, FileId, Sources};
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, BTreeSet};

/// The digests of one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digests {
    /// Of all that the page says.
    pub claims: Digest,
    /// Of the check dates.
    pub freshness: Digest,
}

/// The digests of an entry. `traces` holds, under the name of each model and diagram, the
/// digest of what its simulation did.
pub fn digests(entry: &Entry, sources: &Sources, traces: &BTreeMap<String, Digest>) -> Digests {
    let mut claims = entry.signable.claims.clone();
    for (path, digest) in files(entry, sources) {
        claims.field("file").field(path).field(digest.bytes());
    }
    for (name, digest) in traces {
        claims.field("trace").field(name).field(digest.bytes());
    }
    Digests {
        claims: claims.finish(),
        freshness: entry.signable.freshness,
    }
}

/// The front matter as a tree. It could be read when the entry was made from it; if it cannot
/// be now, an empty tree stands for it.
pub(super) fn front_matter(entry: &Entry, sources: &Sources) -> Node {
    let place = Place {
        file: entry.file,
        offset: entry.front.range().start,
        line: 1,
        rule: rule::BAD_FRONT_MATTER,
    };
    let read = yaml::parse(sources.text(entry.front), place, &mut Diagnostics::new());
    read.unwrap_or(Node {
        span: entry.front,
        kind: Kind::Map(Vec::new()),
    })
}

/// Every file that an entry's page is made from: its own, and those that it shows. A fault in
/// one of them is a fault of the entry.
pub fn files_of(entry: &Entry, sources: &Sources) -> BTreeSet<FileId> {
    let mut files = shown(entry, sources);
    files.insert(entry.file);
    files
}

/// The digests of the other files that the page shows, by path.
pub(super) fn files(entry: &Entry, sources: &Sources) -> BTreeMap<String, Digest> {
    let digest = |file| (sources.file(file).path.to_string(), content(sources, file));
    shown(entry, sources).into_iter().map(digest).collect()
}

/// The files that go out with the page beside its own: captures, presets, what the body places or
/// links to beside the entry or in `static`, and whatever else lies in the folder of the entry's id,
/// since that is released too.
fn shown(entry: &Entry, sources: &Sources) -> BTreeSet<FileId> {
    let captures = entry.measured.iter().filter_map(|capture| capture.file);
    let presets = entry.diagrams.iter().filter_map(|diagram| {
        let name = &diagram.preset.as_ref()?.value;
        sources.find(&format!("content/presets/{name}.toml"))
    });
    let images = entry.body.images.iter().map(|image| &image.target.value);
    let links = entry
        .body
        .links
        .iter()
        .filter_map(|link| match &link.target {
            Target::Relative(target) => Some(target),
            _ => None,
        });
    let placed = images
        .chain(links)
        .flat_map(|target| candidates(entry, sources, target))
        .filter_map(|path| sources.find(&path))
        .filter(|&file| !is_page(&sources.file(file).path));
    // Copied files are released by the id of their folder alone, whichever form the entry's own file
    // has and whichever of the two folders they stand in.
    let folders = ["terms", "lessons"].map(|kind| format!("content/{kind}/{}/", entry.id));
    let beside = folders.iter().flat_map(|folder| sources.below(folder));
    let copied = beside.filter_map(|(file, source)| sources.binary(&source.path).map(|_| file));
    let others = captures.chain(presets).chain(placed);
    others.chain(copied).collect()
}

/// Pages are signed on their own; a link to one is words.
fn is_page(path: &str) -> bool {
    ending(path) == "md"
}

/// The digest of a file as a page shows it: line ends of text do not count.
fn content(sources: &Sources, file: FileId) -> Digest {
    let source = sources.file(file);
    match sources.binary(&source.path) {
        Some(binary) => Digest::of(&binary.bytes),
        None => Digest::of(source.text.as_bytes()),
    }
}

/// The paths of the site at which a relative address of the body may stand: beside the entry's
/// file, and in `static` as seen from the page or from the root.
fn candidates(entry: &Entry, sources: &Sources, target: &str) -> Vec<String> {
    let target = target.split(['?', '#']).next().unwrap_or("");
    let target = percent_decode_str(target).decode_utf8_lossy();
    let file = &sources.file(entry.file).path;
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let page = entry.address();
    let inside = |path: String| format!("static/{path}");
    match target.strip_prefix('/') {
        _ if target.is_empty() => Vec::new(),
        Some(rooted) => join("", rooted).map(inside).into_iter().collect(),
        None => {
            let beside = join(folder, &target);
            let fixed = join(&page, &target).map(inside);
            beside.into_iter().chain(fixed).collect()
        }
    }
}
