//! How the entries of a release hang together, for a build that makes the pages of some alone.
//!
//! The record is bound to the bytes of one manifest and to its own; without it, or with another, every
//! entry is looked at.

use super::cache::Cache;
use super::target::{self, Target};
use crate::output::Tie;
use crate::source::Digest;

/// The name of the record.
const TIES: &str = "ties";

/// Stands between the fields of a line; no path has it.
const BETWEEN: char = '\t';

/// Stands in the place of a face that an entry does not have.
const FACELESS: &str = "-";

/// Remembers how the entries of the release with this manifest hang together. Failing costs the next
/// build time, and nothing else.
pub fn remember_ties(target: &Target, manifest: &Digest, ties: &[Tie]) {
    let (Some(cache), Ok(out)) = (&target.cache, target::resolve(&target.out)) else {
        return;
    };
    Cache::new(cache).put_known(TIES, &out, to_text(ties, manifest).as_bytes());
}

/// How the entries of the release with this manifest hang together; empty if that is not known.
pub fn ties(target: &Target, manifest: &Digest) -> Vec<Tie> {
    let known = || {
        let out = target::resolve(&target.out).ok()?;
        let known = Cache::new(target.cache.as_ref()?).known(TIES, &out)?;
        parse(std::str::from_utf8(&known).ok()?, manifest)
    };
    known().unwrap_or_default()
}

fn to_text(ties: &[Tie], manifest: &Digest) -> String {
    let mut text = format!("{manifest}\n");
    for tie in ties {
        match &tie.face {
            Some(face) => text.push_str(&face.to_string()),
            None => text.push_str(FACELESS),
        }
        text.push(BETWEEN);
        text.push_str(&tie.file);
        for other in &tie.others {
            text.push(BETWEEN);
            text.push_str(&other.to_string());
        }
        text.push('\n');
    }
    text
}

fn parse(text: &str, manifest: &Digest) -> Option<Vec<Tie>> {
    let (bound, text) = text.split_once('\n')?;
    let is_bound = Digest::parse(bound)? == *manifest;
    is_bound.then(|| text.lines().map(line).collect())?
}

fn line(line: &str) -> Option<Tie> {
    let mut fields = line.split(BETWEEN);
    let face = match fields.next()? {
        FACELESS => None,
        text => Some(Digest::parse(text)?),
    };
    let file = fields.next()?.into();
    let others = fields.map(|other| other.parse().ok());
    Some(Tie {
        file,
        face,
        others: others.collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_taken_for_its_own_manifest_only() {
        let tie = |file: &str, face: Option<Digest>, others: &[u32]| Tie {
            file: file.into(),
            face,
            others: others.to_vec(),
        };
        let ties = [
            tie("content/terms/warp.md", Some(Digest::of("a")), &[1, 40]),
            tie("content/terms/a b/index.md", None, &[]),
        ];
        let own = Digest::of("own");
        let text = to_text(&ties, &own);
        assert_eq!(parse(&text, &own).as_deref(), Some(&ties[..]));
        assert_eq!(parse(&text, &Digest::of("other")), None);
        assert_eq!(parse(&text.replace("\t40", "\tx"), &own), None);
    }
}
