//! Which files of a release belong to which page, and what each page was made from.
//!
//! A page that would be made from the same again need not be made: its files are kept as they
//! stand. The record is bound to the bytes of one manifest, which has the files' digests, and to its
//! own bytes; without it, or with another, every page is made.

use super::cache;
use crate::output::{MadeFrom, OutputPath};
use crate::source::{Digest, Digester, Hasher};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Pages by their names, each with what it was made from.
pub(super) type Pages = BTreeMap<Arc<str>, Arc<MadeFrom>>;

/// Stands between the fields of a line; no path and no name has it.
pub(super) const BETWEEN: char = '\t';

/// The record: what binds it to the manifest with this digest, and the pages; in parts, since that of a
/// large release has megabytes.
pub(super) fn to_parts<'p>(
    pages: &'p Pages,
    manifest: &Digest,
) -> impl Iterator<Item = String> + use<'p> {
    let mut digester = Digester::new();
    parts_of(pages).for_each(|part| digester.update(part.as_bytes()));
    let bound = bound(manifest, &digester.finish());
    std::iter::once(format!("{bound}\n")).chain(parts_of(pages))
}

/// A line for each page, many to a part.
fn parts_of(pages: &Pages) -> impl Iterator<Item = String> {
    let mut proof = None;
    cache::in_parts(pages.iter(), move |(name, from), part| {
        write_line(name, from, &mut proof, part);
    })
}

fn write_line(name: &str, from: &MadeFrom, last: &mut Option<Digest>, text: &mut String) {
    text.push_str(&from.key.to_string());
    text.push(BETWEEN);
    // All pages of one build passed the same.
    if last.replace(from.proof) != Some(from.proof) {
        text.push_str(&from.proof.to_string());
    }
    text.push(BETWEEN);
    text.push_str(name);
    for file in &from.files {
        text.push(BETWEEN);
        text.push_str(file.as_str());
    }
    text.push('\n');
}

/// What binds a record's pages to a manifest: its first line.
pub(super) fn bind(text: &str, manifest: &Digest) -> String {
    format!("{}\n", bound(manifest, &Digest::of(text)))
}

/// The pages of a record that is bound to this manifest and whole.
pub(super) fn bound_to<'t>(text: &'t str, manifest: &Digest) -> Option<&'t str> {
    let (digest, text) = text.split_once('\n')?;
    (Digest::parse(digest)? == bound(manifest, &Digest::of(text))).then_some(text)
}

/// Reads a record. Nothing of it is taken if it is bound to another manifest, or damaged.
pub(super) fn parse(text: &str, manifest: &Digest) -> Option<Pages> {
    let text = bound_to(text, manifest)?;
    let mut proof = None;
    text.lines().map(|text| line(text, &mut proof)).collect()
}

fn line(line: &str, last: &mut Option<Digest>) -> Option<(Arc<str>, Arc<MadeFrom>)> {
    let mut fields = line.split(BETWEEN);
    let key = Digest::parse(fields.next()?)?;
    let proof = match fields.next()? {
        "" => (*last)?,
        text => Digest::parse(text)?,
    };
    *last = Some(proof);
    let name = fields.next()?.into();
    let files = fields.map(|path| OutputPath::new(path).ok());
    let files = files.collect::<Option<_>>()?;
    Some((name, Arc::new(MadeFrom { key, proof, files })))
}

fn bound(manifest: &Digest, text: &Digest) -> Digest {
    let mut hasher = Hasher::new();
    hasher.field(manifest.bytes()).field(text.bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_taken_whole_and_for_its_own_manifest_only() {
        let from = |key: &str, proof: &str, files: &[&str]| {
            let files = files.iter().map(|path| OutputPath::new(path).unwrap());
            Arc::new(MadeFrom {
                key: Digest::of(key),
                proof: Digest::of(proof),
                files: files.collect(),
            })
        };
        let pages = Pages::from([
            (
                "warp".into(),
                from("a", "p", &["terms/warp/index.html", "a b"]),
            ),
            ("weft".into(), from("b", "p", &[])),
            ("yarn".into(), from("c", "q", &["c"])),
        ]);
        let (own, other) = (Digest::of("own"), Digest::of("other"));
        let text: String = to_parts(&pages, &own).collect();
        assert_eq!(parse(&text, &own), Some(pages));
        assert_eq!(parse(&text, &other), None);
        // A line less would be a page with fewer files.
        let damaged = [&text[..text.len() - 1], &text.replace("\ta b", ""), ""];
        for damaged in damaged {
            assert_eq!(parse(damaged, &own), None);
        }
    }
}
