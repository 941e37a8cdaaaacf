//! Who may use whom.

use crate::assert_none;
use crate::files::{self, Written, is_test};
use crate::tokens::{self, Use};
use std::collections::BTreeSet;

/// A folder of `src`, what it may use, and why it may use nothing else.
struct Layer {
    name: &'static str,
    may_use: &'static [&'static str],
    because: &'static str,
}

const fn layer(
    name: &'static str,
    may_use: &'static [&'static str],
    because: &'static str,
) -> Layer {
    Layer {
        name,
        may_use,
        because,
    }
}

/// From the lowest layer to the highest; each may use those above its row at most.
const LAYERS: [Layer; 24] = [
    layer(
        "source",
        &[],
        "bytes and places are known before anything that is made of them",
    ),
    layer(
        "diagnostic",
        &["source"],
        "a finding knows its place and its words, not the stage that made it",
    ),
    layer(
        "model",
        &["source", "diagnostic"],
        "a checked value knows nothing of the files and stages that it comes from",
    ),
    layer(
        "output",
        &["source", "diagnostic", "model"],
        "an address is checked by itself, whatever stands at it",
    ),
    layer(
        "load",
        &["source", "diagnostic", "output"],
        "reading takes bytes and does not understand them; it and `write` know nothing of each other",
    ),
    layer(
        "highlight",
        &[],
        "code is lexed by itself, for the reading that names a language and the page that shows it",
    ),
    layer(
        "parse",
        &["source", "diagnostic", "model", "highlight"],
        "an entry is read by itself, so that a reading can be remembered by its bytes",
    ),
    layer(
        "resolve",
        &["output", "source", "diagnostic", "model", "parse"],
        "names and links are settled before any number, and whoever signed",
    ),
    layer(
        "sim",
        &[],
        "a machine knows no site, file or picture, so that all of them can read one trace",
    ),
    layer(
        "schema",
        &["diagnostic", "model", "parse", "sim"],
        "it says what files may hold and reads none",
    ),
    layer(
        "simulate",
        &["source", "diagnostic", "model", "parse", "resolve", "sim"],
        "it hands parameters to the machines and computes nothing itself",
    ),
    layer(
        "evaluate",
        &["source", "diagnostic", "model"],
        "a claim is judged from values it is given, so that a result can be tested without a site",
    ),
    layer(
        "rules",
        &["source", "diagnostic", "model", "resolve"],
        "a rule looks at a resolved site and has no say in what is published",
    ),
    layer(
        "check",
        &["source", "diagnostic", "model", "resolve", "rules"],
        "it runs the rules and applies the site's settings, and decides nothing",
    ),
    layer(
        "gate",
        &["source", "diagnostic", "model", "output", "parse"],
        "what is published depends on what people wrote and signed, not on how it is checked or shown",
    ),
    layer(
        "links",
        &["source", "model", "resolve"],
        "what an answer means can be tested without a network, and has no say in what is published",
    ),
    layer("draw", &["sim"], "a picture is made from a trace alone"),
    layer(
        "render",
        &[
            "source",
            "diagnostic",
            "model",
            "output",
            "highlight",
            "resolve",
            "sim",
            "simulate",
            "evaluate",
            "draw",
        ],
        "a page is made for a set that it is given; it can neither ask for a state nor make a set",
    ),
    layer(
        "audit",
        &["source", "diagnostic", "model", "output", "resolve"],
        "it judges finished bytes and believes no stage that made them",
    ),
    layer(
        "compile",
        &[
            "source",
            "diagnostic",
            "model",
            "output",
            "parse",
            "resolve",
            "sim",
            "simulate",
            "evaluate",
            "rules",
            "check",
            "gate",
        ],
        "the spine is a function of files and options; it neither reads, renders nor writes",
    ),
    layer(
        "assemble",
        &[
            "source",
            "diagnostic",
            "model",
            "output",
            "parse",
            "resolve",
            "sim",
            "simulate",
            "evaluate",
            "gate",
            "draw",
            "render",
            "audit",
            "compile",
        ],
        "it makes the files of a build in memory; where they go is the business of its caller",
    ),
    layer(
        "write",
        &["source", "output"],
        "it puts finished files on the disk and does not know what they say",
    ),
    layer(
        "preview",
        &[
            "source",
            "diagnostic",
            "model",
            "output",
            "load",
            "parse",
            "resolve",
            "rules",
            "check",
            "gate",
            "render",
            "compile",
            "assemble",
        ],
        "a preview writes nothing, so it cannot reach what writes, nor the commands",
    ),
    layer(
        "cli",
        &[
            "source",
            "diagnostic",
            "model",
            "output",
            "load",
            "parse",
            "resolve",
            "sim",
            "schema",
            "simulate",
            "evaluate",
            "rules",
            "check",
            "gate",
            "links",
            "draw",
            "render",
            "audit",
            "compile",
            "assemble",
            "write",
            "preview",
        ],
        "it is the top",
    ),
];

#[test]
fn the_table_goes_upward() {
    let mut below = BTreeSet::new();
    let mut faults = Vec::new();
    for layer in &LAYERS {
        for used in layer.may_use {
            if !below.contains(used) {
                faults.push(format!(
                    "{} may not use {used}, which stands no lower",
                    layer.name
                ));
            }
        }
        below.insert(layer.name);
    }
    assert_none(&faults);
}

#[test]
fn the_table_has_every_folder() {
    let folders: BTreeSet<_> = files::rust("src")
        .into_iter()
        .filter_map(|file| {
            Some(
                file.path
                    .strip_prefix("src/")?
                    .split_once('/')?
                    .0
                    .to_owned(),
            )
        })
        .collect();
    let named: BTreeSet<_> = LAYERS.iter().map(|layer| layer.name.to_owned()).collect();
    assert_eq!(
        folders, named,
        "folders of src/ on the left, rows of LAYERS on the right"
    );
}

#[test]
fn no_layer_uses_a_higher_one() {
    let mut faults = Vec::new();
    for file in files::rust("src") {
        if is_test(&file.path) {
            continue;
        }
        let uses = tokens::uses(&tokens::read(&file.path, &file.text));
        faults.extend(uses.iter().filter_map(|path| fault(&file, path)));
    }
    assert_none(&faults);
}

fn fault(file: &Written, path: &Use) -> Option<String> {
    let place = format!("{}:{}", file.path, path.line);
    let Some((own, _)) = file.path.strip_prefix("src/")?.split_once('/') else {
        // The binary stands beside the folders and is a door to the commands.
        let is_fault = path.from == "countersign" && path.name != "cli";
        return is_fault.then(|| {
            format!("{place}: the binary may use `cli` alone: it has no work of its own")
        });
    };
    let leaves = path.from == "crate" || (path.from == "super" && path.up >= depth(&file.path));
    let is_folder = LAYERS.iter().any(|layer| layer.name == path.name);
    if !leaves || !is_folder || path.name == own {
        return None;
    }
    let layer = LAYERS.iter().find(|layer| layer.name == own)?;
    (!layer.may_use.contains(&path.name.as_str())).then(|| {
        format!(
            "{place}: `{own}` may not use `{}`: {}",
            path.name, layer.because
        )
    })
}

/// How often `super` leads from a file to the library itself.
fn depth(path: &str) -> usize {
    let parts = path.split('/').count() - 1;
    if path.ends_with("/mod.rs") {
        parts - 1
    } else {
        parts
    }
}

#[test]
fn the_way_to_the_library_is_measured_from_each_file() {
    assert_eq!(depth("src/load/mod.rs"), 1);
    assert_eq!(depth("src/load/walk.rs"), 2);
    assert_eq!(depth("src/sim/warp/trace.rs"), 3);
}

#[test]
fn a_wrong_edge_is_told_with_its_reason() {
    let file = Written {
        path: "src/render/page/mod.rs".to_owned(),
        text: "\nuse super::super::gate::Digests;".to_owned(),
    };
    let uses = tokens::uses(&tokens::read(&file.path, &file.text));
    let told = fault(&file, &uses[0]).unwrap();
    assert!(
        told.starts_with("src/render/page/mod.rs:2: `render` may not use `gate`: a page is made"),
        "{told}"
    );
}
