//! `manifest.json`: what a build wrote, so that the next build knows which files are its own.

use super::OutputPath;
use crate::source::Digest;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of the manifest in an output. No other file may have it.
pub const MANIFEST_NAME: &str = "manifest.json";

/// The only version there is.
const VERSION: u64 = 1;

/// What was signed of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryDigests {
    /// All that the page says.
    pub claims: Digest,
    /// Its check dates.
    pub freshness: Digest,
}

/// Whether an output may hold what nobody signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Contents {
    /// Only what was published.
    Published,
    /// Every entry, drafts under a banner.
    WithDrafts,
}

/// The list of an output's files with their digests, and of its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Whether drafts may be among the files. Written as `"drafts": true`, and not at all in a
    /// release.
    pub contents: Contents,
    /// Every file but the manifest itself.
    pub files: BTreeMap<OutputPath, Digest>,
    /// Every published entry.
    pub entries: BTreeMap<Arc<str>, EntryDigests>,
}

impl Manifest {
    /// The text of the file, ending in a newline. The same value gives the same bytes.
    pub fn to_json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(self).unwrap_or_default();
        json.push(b'\n');
        json
    }

    /// Reads a manifest back. `None` for whatever no build of ours wrote: a web app's
    /// `manifest.json`, for example.
    pub fn parse(json: &[u8]) -> Option<Self> {
        let value: serde_json::Value = serde_json::from_slice(json).ok()?;
        if value.get("version")?.as_u64()? != VERSION {
            return None;
        }
        let contents = match value.get("drafts").map(serde_json::Value::as_bool) {
            None => Contents::Published,
            Some(Some(true)) => Contents::WithDrafts,
            Some(_) => return None,
        };
        let digest = |value: &serde_json::Value| Digest::parse(value.as_str()?);
        let mut files = BTreeMap::new();
        for (path, value) in value.get("files")?.as_object()? {
            files.insert(OutputPath::new(path).ok()?, digest(value)?);
        }
        let mut entries = BTreeMap::new();
        for (id, value) in value.get("entries")?.as_object()? {
            let digests = EntryDigests {
                claims: digest(value.get("claims")?)?,
                freshness: digest(value.get("freshness")?)?,
            };
            entries.insert(id.as_str().into(), digests);
        }
        Some(Self {
            contents,
            files,
            entries,
        })
    }
}

impl Serialize for Manifest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", &VERSION)?;
        if self.contents == Contents::WithDrafts {
            map.serialize_entry("drafts", &true)?;
        }
        map.serialize_entry("files", &Files(&self.files))?;
        map.serialize_entry("entries", &Entries(&self.entries))?;
        map.end()
    }
}

/// A digest in its shown form, without a text of its own for each of ten thousand files.
struct Shown<'a>(&'a Digest);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

struct Files<'a>(&'a BTreeMap<OutputPath, Digest>);

impl Serialize for Files<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.0
                .iter()
                .map(|(path, digest)| (path.as_str(), Shown(digest))),
        )
    }
}

struct Entries<'a>(&'a BTreeMap<Arc<str>, EntryDigests>);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(id, digests)| (&**id, digests)))
    }
}

impl Serialize for EntryDigests {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("claims", &Shown(&self.claims))?;
        map.serialize_entry("freshness", &Shown(&self.freshness))?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(contents: Contents) -> Manifest {
        let path = |text| OutputPath::new(text).unwrap();
        Manifest {
            contents,
            files: BTreeMap::from([
                (path("terms/warp/index.html"), Digest::of("b")),
                (path("index.html"), Digest::of("a")),
            ]),
            entries: BTreeMap::from([(
                "warp".into(),
                EntryDigests {
                    claims: Digest::of("c"),
                    freshness: Digest::of("f"),
                },
            )]),
        }
    }

    #[test]
    fn reads_back_what_it_wrote() {
        for contents in [Contents::Published, Contents::WithDrafts] {
            let manifest = manifest(contents);
            assert_eq!(Manifest::parse(&manifest.to_json()), Some(manifest));
        }
    }

    #[test]
    fn a_release_has_exactly_three_keys() {
        let json = manifest(Contents::Published).to_json();
        let value: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let keys: Vec<_> = value.as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys, ["version", "files", "entries"]);
        assert_eq!(value["files"]["index.html"], Digest::of("a").to_string());
        assert_eq!(
            value["entries"]["warp"]["claims"],
            Digest::of("c").to_string()
        );
    }

    #[test]
    fn other_manifests_are_not_ours() {
        for other in [
            &br#"{"name": "App", "icons": []}"#[..],
            br#"{"version": 2, "files": {}, "entries": {}}"#,
            br#"{"version": 1, "files": {"../x": "sha256:00"}, "entries": {}}"#,
            br#"{"version": 1, "files": []}"#,
            b"",
            b"\xff",
        ] {
            assert_eq!(Manifest::parse(other), None);
        }
    }
}
