//! `unknown-embed`.

use super::{CheckContext, Rule, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::document::EmbedKind;
use crate::model::entry::Entry;

pub(super) const RULE: Rule = Rule {
    id: rule::UNKNOWN_EMBED,
    scope: Scope::Entry(check),
    explain: include_str!("unknown-embed.md"),
};

fn check(cx: &CheckContext<'_>, out: &mut Diagnostics) {
    let entry = cx.entry;
    for embed in &entry.body.embeds {
        let names = names(entry, embed.kind);
        if names.contains(&embed.name.value.as_str()) {
            continue;
        }
        let (word, key) = words(embed.kind);
        let near = nearest(&embed.name.value, names.iter().copied());
        out.push(
            Diagnostic::new(
                rule::UNKNOWN_EMBED,
                embed.name.span,
                format!("the entry has no {word} `{}`", embed.name.value),
            )
            .label("unknown name")
            .help(near.map_or_else(
                || format!("Declare it under `{key}` of the front matter."),
                |near| format!("Did you mean `{near}`?"),
            )),
        );
    }
}

/// What the entry declares of a kind.
fn names(entry: &Entry, kind: EmbedKind) -> Vec<&str> {
    match kind {
        EmbedKind::Measured => entry
            .measured
            .iter()
            .map(|c| c.name.value.as_str())
            .collect(),
        EmbedKind::Diagram => entry
            .diagrams
            .iter()
            .map(|d| d.name.value.as_str())
            .collect(),
        EmbedKind::Model => entry.models.iter().map(|m| m.name.value.as_str()).collect(),
        EmbedKind::Matrix => entry
            .matrices
            .iter()
            .map(|m| m.name.value.as_str())
            .collect(),
    }
}

/// The word for a message and the key of the front matter.
fn words(kind: EmbedKind) -> (&'static str, &'static str) {
    match kind {
        EmbedKind::Measured => ("capture", "measured"),
        EmbedKind::Diagram => ("diagram", "diagrams"),
        EmbedKind::Model => ("model", "models"),
        EmbedKind::Matrix => ("matrix", "matrices"),
    }
}
