//! `manifest.json`: what a build wrote, so that the next build knows which files are its own.

use super::OutputPath;
use crate::source::{Digest, Digester};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufWriter};
use std::marker::PhantomData;
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
    /// Writes the file, ending in a newline. The same value gives the same bytes. It has megabytes for a
    /// large site, so it is not held as a text.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        out.write_all(b"\n")
    }

    /// The digest of the bytes that [`Self::write_to`] writes.
    pub fn digest(&self) -> Digest {
        let mut digester = Digester::new();
        // Digesting cannot fail, and a manifest has nothing that JSON has no form for. What is still in
        // the buffer is digested when it goes.
        let _ = self.write_to(&mut BufWriter::new(&mut digester));
        digester.finish()
    }

    /// Reads a manifest back. `None` for whatever no build of ours wrote: a web app's
    /// `manifest.json`, for example.
    pub fn parse(json: &[u8]) -> Option<Self> {
        let read: Read = serde_json::from_slice(json).ok()?;
        let contents = match read.drafts {
            None => Contents::Published,
            Some(true) => Contents::WithDrafts,
            Some(false) => return None,
        };
        let files = read.files.0.into_iter();
        let entries = read.entries.0.into_iter();
        (read.version == VERSION).then(|| Self {
            contents,
            files: files.map(|(path, Text(digest))| (path, digest)).collect(),
            entries: entries.map(|(id, read)| (id, read.digests())).collect(),
        })
    }
}

/// The file as it is read: straight into its parts, since that of a large site has megabytes.
#[derive(serde::Deserialize)]
struct Read {
    version: u64,
    #[serde(default, deserialize_with = "there")]
    drafts: Option<bool>,
    files: Pairs<OutputPath, Text<Digest>>,
    entries: Pairs<Arc<str>, ReadDigests>,
}

/// A value that must be one if its key is there.
fn there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    bool::deserialize(deserializer).map(Some)
}

#[derive(serde::Deserialize)]
struct ReadDigests {
    claims: Text<Digest>,
    freshness: Text<Digest>,
}

impl ReadDigests {
    fn digests(self) -> EntryDigests {
        EntryDigests {
            claims: self.claims.0,
            freshness: self.freshness.0,
        }
    }
}

/// Something that stands in the file as a text.
trait FromText: Sized {
    fn from_text(text: &str) -> Option<Self>;
}

impl FromText for OutputPath {
    fn from_text(text: &str) -> Option<Self> {
        Self::new(text).ok()
    }
}

impl FromText for Digest {
    fn from_text(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl FromText for Arc<str> {
    fn from_text(text: &str) -> Option<Self> {
        Some(text.into())
    }
}

/// A text as it is read, without a copy of its characters.
struct Text<T>(T);

impl<'de, T: FromText> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor(PhantomData))
    }
}

struct TextVisitor<T>(PhantomData<T>);

impl<T: FromText> Visitor<'_> for TextVisitor<T> {
    type Value = Text<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a path, an id or a digest")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Text<T>, E> {
        T::from_text(text)
            .map(Text)
            .ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

/// The pairs of a map in the order of the file, which is that of the keys.
struct Pairs<K, V>(Vec<(K, V)>);

impl<'de, K: FromText, V: Deserialize<'de>> Deserialize<'de> for Pairs<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor(PhantomData))
    }
}

struct PairsVisitor<K, V>(PhantomData<(K, V)>);

impl<'de, K: FromText, V: Deserialize<'de>> Visitor<'de> for PairsVisitor<K, V> {
    type Value = Pairs<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some((Text(key), value)) = map.next_entry()? {
            pairs.push((key, value));
        }
        Ok(Pairs(pairs))
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

    fn json_of(manifest: &Manifest) -> Vec<u8> {
        let mut json = Vec::new();
        manifest.write_to(&mut json).unwrap();
        assert_eq!(manifest.digest(), Digest::of(&json));
        json
    }

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
            assert_eq!(Manifest::parse(&json_of(&manifest)), Some(manifest));
        }
    }

    #[test]
    fn a_release_has_exactly_three_keys() {
        let json = json_of(&manifest(Contents::Published));
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
            br#"{"version": 1, "drafts": false, "files": {}, "entries": {}}"#,
            br#"{"version": 1, "drafts": null, "files": {}, "entries": {}}"#,
            br#"{"version": 1, "files": {}}"#,
            b"",
            b"\xff",
        ] {
            assert_eq!(Manifest::parse(other), None);
        }
    }
}
