//! Foreign packages: each is named in one file, so that any can be replaced in a day.

use crate::assert_none;
use crate::files::{self, is_test};
use crate::tokens;
use std::collections::BTreeMap;
use std::fs;

/// Packages that more than one file names, where, and why.
const SHARED: [(&str, &[&str], &str); 17] = [
    ("clap", &["src/cli/", "src/main.rs"], "reads arguments"),
    (
        "csv",
        &["src/parse/capture/", "src/render/html/downloads.rs"],
        "reads captures and writes them for readers",
    ),
    (
        "flate2",
        &["src/audit/haystack.rs", "src/draw/raster.rs"],
        "unpacks what is to be published and packs pictures",
    ),
    (
        "memchr",
        &[
            "src/audit/",
            "src/output/",
            "src/render/splice.rs",
            "src/render/surfaces/replace.rs",
            "src/write/stamps_text.rs",
        ],
        "looks through everything that is to be published, and through the records of it",
    ),
    (
        "notify",
        &["src/preview/"],
        "watches the site for a preview",
    ),
    (
        "percent_encoding",
        &["src/"],
        "spells addresses, which every stage has its own set of characters for",
    ),
    ("pulldown_cmark", &["src/parse/markdown/"], "reads Markdown"),
    (
        "pulldown_cmark_escape",
        &["src/parse/", "src/highlight/"],
        "escapes text of bodies",
    ),
    (
        "rayon",
        &["src/"],
        "spreads a loop over threads without changing its result",
    ),
    (
        "rustix",
        &["src/write/"],
        "makes the swap of a release one step",
    ),
    ("serde", &["src/"], "derives how values of ours are written"),
    ("serde_json", &["src/"], "writes JSON"),
    (
        "serde_yaml",
        &["src/parse/yaml.rs", "src/parse/yaml_errors.rs"],
        "reads YAML",
    ),
    (
        "ssh_key",
        &["src/gate/signature/", "src/model/key.rs"],
        "reads keys and checks signatures",
    ),
    (
        "tempfile",
        &["src/write/cache.rs", "src/cli/put.rs"],
        "puts a file in place as one step",
    ),
    ("tokio", &["src/preview/"], "serves the preview"),
    (
        "unicode_normalization",
        &["src/"],
        "compares names and addresses",
    ),
];

#[test]
fn each_package_has_one_home() {
    let mut homes: BTreeMap<String, Vec<String>> = dependencies()
        .into_iter()
        .map(|name| (name, Vec::new()))
        .collect();
    for file in files::rust("src") {
        if is_test(&file.path) {
            continue;
        }
        let tokens = tokens::read(&file.path, &file.text);
        for path in tokens::uses(&tokens) {
            // `use crate::parse::toml` gives the word another meaning in that file.
            if tokens::is_own_module(&tokens, &path.from) {
                continue;
            }
            if let Some(home) = homes.get_mut(&path.from)
                && home.last() != Some(&file.path)
            {
                home.push(file.path.clone());
            }
        }
    }
    let faults: Vec<_> = homes
        .iter()
        .filter_map(|(package, home)| fault(package, home))
        .collect();
    assert_none(&faults);
}

fn fault(package: &str, home: &[String]) -> Option<String> {
    if home.is_empty() {
        return Some(format!(
            "no file names the package `{package}`: take it out of Cargo.toml"
        ));
    }
    if let Some((_, allowed, why)) = SHARED.iter().find(|row| row.0 == package) {
        let stray = home
            .iter()
            .find(|path| !allowed.iter().any(|allowed| path.starts_with(allowed)))?;
        return Some(format!(
            "{stray} names the package `{package}`, which {why} and is named in {} alone",
            allowed.join(" and ")
        ));
    }
    (home.len() > 1).then(|| {
        format!(
            "the package `{package}` is named in more than one file: {}",
            home.join(", ")
        )
    })
}

/// The names by which code calls the packages of `Cargo.toml`.
fn dependencies() -> Vec<String> {
    let text = fs::read_to_string(files::root().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    let unix = &manifest["target"]["cfg(unix)"]["dependencies"];
    let tables = [&manifest["dependencies"], unix];
    let names = tables
        .into_iter()
        .flat_map(|table| table.as_table().unwrap().keys());
    names.map(|name| name.replace('-', "_")).collect()
}
