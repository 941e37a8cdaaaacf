//! What people sign of an entry's own file, in the form in which it is digested.
//!
//! Takes the tree of the front matter and the rest of the file, once, while the entry is read.
//! Invariant: the order of keys and the way of quoting do not count, every other character of
//! what is claimed does; the check dates count in the one digest, and all else in the other.

use super::entry::Kind as EntryKind;
use super::slug::Slug;
use super::tree::{Kind, Node};
use crate::source::{Digest, Hasher};

/// Keys of the byline that `claims` leaves out: who signs, and when it was checked.
const NOT_CLAIMED: [&str; 3] = ["written_by", "reviewed_by", "last_checked_on"];

/// What an entry's own file gives to the two digests that people sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signable {
    /// The digest of all that the page says, as far as the entry's own file goes.
    pub claims: Hasher,
    /// The digest of the check dates.
    pub freshness: Digest,
}

impl Signable {
    /// Takes it from the front matter, and from all that follows it in the file.
    pub fn new(kind: EntryKind, id: &Slug, front: &Node, rest: &str) -> Self {
        let mut claims = Hasher::new();
        claims.field("countersign claims 1");
        claims.field(kind.word()).field(id.as_str());
        claims.field(claimed(front)).field(rest);
        Self {
            claims,
            freshness: freshness(front),
        }
    }
}

/// The canonical form of all front matter that is claimed.
fn claimed(front: &Node) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_map(front, &mut bytes, &|key, value, bytes| match key {
        "hold" => {}
        "byline" => write_without(value, &NOT_CLAIMED, bytes),
        "sources" => match value.list() {
            Some(items) => {
                write_count(b'l', items.len(), bytes);
                for item in items {
                    write_without(item, &["checked"], bytes);
                }
            }
            None => write(value, bytes),
        },
        _ => write(value, bytes),
    });
    bytes
}

/// The canonical form of one value.
pub fn canonical(node: &Node) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(node, &mut bytes);
    bytes
}

/// The digest of the check dates: each source's id with its date, in order, and the page's.
fn freshness(front: &Node) -> Digest {
    let mut hasher = Hasher::new();
    hasher.field("countersign freshness 1");
    let text = |node: Option<&Node>| node.and_then(Node::text).unwrap_or("").to_owned();
    for source in front.get("sources").and_then(Node::list).unwrap_or(&[]) {
        hasher.field(text(source.get("id")));
        hasher.field(text(source.get("checked")));
    }
    let byline = front.get("byline");
    let checked = byline.and_then(|byline| byline.get("last_checked_on"));
    hasher.field("page").field(text(checked));
    hasher.finish()
}

/// Writes a value in canonical form: what it is, how long it is, then its content. Keys are
/// sorted; a key without a value is as good as no key.
fn write(node: &Node, bytes: &mut Vec<u8>) {
    match &node.kind {
        Kind::Null => bytes.push(b'n'),
        Kind::Scalar(text, _) => write_text(text, bytes),
        Kind::List(items) => {
            write_count(b'l', items.len(), bytes);
            for item in items {
                write(item, bytes);
            }
        }
        Kind::Map(_) => write_map(node, bytes, &|_, value, bytes| write(value, bytes)),
    }
}

fn write_without(node: &Node, keys: &[&str], bytes: &mut Vec<u8>) {
    if node.map().is_none() {
        return write(node, bytes);
    }
    write_map(node, bytes, &|key, value, bytes| {
        if !keys.contains(&key) {
            write(value, bytes);
        }
    });
}

/// Writes a map with a way of writing for each value. A value that writes nothing takes its key
/// with it.
fn write_map(node: &Node, bytes: &mut Vec<u8>, value: &dyn Fn(&str, &Node, &mut Vec<u8>)) {
    let mut pairs: Vec<_> = node.map().unwrap_or(&[]).iter().collect();
    pairs.sort_by(|(one, _), (two, _)| one.value.cmp(&two.value));
    bytes.push(b'm');
    for (key, node) in pairs {
        if node.is_null() {
            continue;
        }
        let before = bytes.len();
        write_text(&key.value, bytes);
        let after_key = bytes.len();
        value(&key.value, node, bytes);
        if bytes.len() == after_key {
            bytes.truncate(before);
        }
    }
    bytes.push(b'.');
}

fn write_text(text: &str, bytes: &mut Vec<u8>) {
    write_count(b's', text.len(), bytes);
    bytes.extend_from_slice(text.as_bytes());
}

fn write_count(mark: u8, count: usize, bytes: &mut Vec<u8>) {
    bytes.push(mark);
    bytes.extend_from_slice(&(count as u64).to_le_bytes());
}
