//! An example as files: in memory where that is enough, on disk where it is not.

use crate::page::{Block, Example, unescape};
use countersign::gate::signature::SigningKey;
use countersign::load::{Kind, kind_of};
use countersign::model::byline::Role;
use countersign::model::statement::namespace;
use countersign::source::{Digest, SourceFile, Sources};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// `site.toml` of every example that shows none.
pub(crate) const SITE: &str = "title = \"A course\"\nbase_url = \"https://example.org/course/\"\n";

/// The host of that site, for signatures.
const HOST: &str = "example.org";

/// The files of an example, by path.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Whether the example shows something that only a disk has.
pub(crate) fn needs_disk(example: &Example) -> bool {
    let special = |block: &Block| {
        ["link", "unreadable"].iter().any(|word| block.has(word))
            || block.value("size").is_some()
            || block.path.starts_with("static/")
            || (block.has("escaped") && block.text.contains("\\x"))
    };
    example.files.iter().any(special)
}

/// The files of an example. `digests` gives the digests that an entry has at present.
pub(crate) fn files(
    example: &Example,
    digests: impl Fn(&Files) -> Option<(String, String)>,
) -> Result<Files, String> {
    let mut files = Files::from([("site.toml".to_owned(), SITE.into())]);
    for block in &example.files {
        let bytes = if block.has("escaped") {
            unescape(&block.text)?
        } else {
            block.text.clone().into_bytes()
        };
        files.insert(block.path.clone(), bytes);
    }
    let statements = example.files.iter().filter(|block| block.has("digests"));
    for block in statements {
        let (claims, freshness) = digests(&files).ok_or("the example has no entry to digest")?;
        let text = block
            .text
            .replace("claims = \"…\"", &format!("claims = \"{claims}\""))
            .replace("freshness = \"…\"", &format!("freshness = \"{freshness}\""));
        files.insert(block.path.clone(), text.into_bytes());
    }
    for block in &example.files {
        if let Some(key) = block.value("key") {
            let signature = signature(&block.path, key, &files)?;
            files.insert(block.path.clone(), signature.into_bytes());
        }
    }
    Ok(files)
}

/// Adds a severity to an example's `site.toml`.
pub(crate) fn set_severity(example: &mut Example, rule: &str, severity: &str) {
    let at = example
        .files
        .iter()
        .position(|block| block.path == "site.toml");
    let text = at.map_or_else(|| SITE.to_owned(), |at| example.files.remove(at).text);
    let line = format!("[rules]\n{rule} = \"{severity}\"\n");
    // An example that sets a severity sets that of its own rule.
    let text = text.split("[rules]").next().unwrap_or_default().to_owned() + &line;
    example.files.push(Block {
        path: "site.toml".to_owned(),
        words: Vec::new(),
        text,
    });
}

fn signature(path: &str, key: &str, files: &Files) -> Result<String, String> {
    let statement = path
        .strip_suffix(".sig")
        .ok_or("a signature ends in `.sig`")?;
    let text = files
        .get(statement)
        .ok_or("there is no statement to sign")?;
    let text = String::from_utf8_lossy(text);
    let role = if statement.contains("reviewer") {
        Role::Reviewer
    } else {
        Role::Author
    };
    let keys = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/keys/");
    let key = fs::read_to_string(format!("{keys}{key}")).map_err(|error| error.to_string())?;
    let key = SigningKey::open(&key, None).map_err(|fault| fault.to_string())?;
    key.sign(&text, &namespace(role, HOST))
        .map_err(|fault| fault.to_string())
}

/// The files as a loader gives them.
pub(crate) fn in_memory(files: &Files) -> Sources {
    let mut sources = Sources::new();
    for (path, bytes) in files {
        match kind_of(path) {
            Kind::Text => {
                let text = String::from_utf8_lossy(bytes).into_owned();
                sources.add(SourceFile::new(path.as_str(), text, Digest::of(bytes)));
            }
            Kind::Bytes => {
                sources.add_binary(path.as_str(), bytes.as_slice());
            }
        }
    }
    sources
}

/// Writes the files into a folder, special ones as what they stand for.
pub(crate) fn on_disk(root: &Path, example: &Example, files: &Files) -> std::io::Result<()> {
    for (path, bytes) in files {
        let full = root.join(path);
        fs::create_dir_all(full.parent().unwrap_or(root))?;
        let block = example.files.iter().find(|block| block.path == *path);
        if block.is_some_and(|block| block.has("link")) {
            link(String::from_utf8_lossy(bytes).trim(), &full)?;
            continue;
        }
        fs::write(&full, bytes)?;
        if let Some(size) = block.and_then(|block| block.value("size")) {
            let size = size.parse().map_err(std::io::Error::other)?;
            fs::File::options().write(true).open(&full)?.set_len(size)?;
        }
        if block.is_some_and(|block| block.has("unreadable")) {
            close(&full)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(target: &str, at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(unix)]
fn close(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o000))
}
