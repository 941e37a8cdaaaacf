//! What to tell about templates besides what the engine says: which name was meant, and which file
//! nothing is made with.

use super::templates::FOLDER;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::source::{FileId, Span};
use std::collections::BTreeMap;

/// Reports a site's own templates that take the place of no built-in one and that none names.
pub(super) fn unread<'a>(
    own: impl Iterator<Item = (&'a str, FileId)>,
    texts: &BTreeMap<&str, &str>,
    built_in: &[(&str, &str)],
    out: &mut Diagnostics,
) {
    for (name, file) in own {
        let quoted = ['"', '\'', '`'].map(|mark| format!("{mark}{name}{mark}"));
        let is_named = |text: &&str| quoted.iter().any(|quoted| text.contains(quoted.as_str()));
        let is_built_in = built_in.iter().any(|(other, _)| *other == name);
        if is_built_in || texts.values().any(is_named) {
            continue;
        }
        let near = nearest(name, built_in.iter().map(|(name, _)| *name));
        let message = format!("nothing is made with `{FOLDER}{name}`");
        out.push(
            Diagnostic::new(rule::LOST_TEXT, Span::file(file), message)
                .note(
                    "A template takes the place of the built-in one of its name, or another includes it.",
                )
                .help(near.map_or_else(
                    || "Include it somewhere, or delete it.".to_owned(),
                    |near| format!("Did you mean `{FOLDER}{near}`?"),
                )),
        );
    }
}

/// The template that was most likely meant by a name that none has: one of that name in a folder, else one
/// whose name is spelled much alike, its ending aside, which all share.
pub(super) fn near_template(wanted: &str, names: &[String]) -> Option<String> {
    let stem = |name: &str| match name.rsplit_once('.') {
        Some((stem, _)) => stem.to_owned(),
        None => name.to_owned(),
    };
    let last = |name: &str| name.rsplit('/').next().map(str::to_owned);
    let same = names.iter().find(|name| last(name) == last(wanted));
    let stems: Vec<_> = names.iter().map(|name| stem(name)).collect();
    let near = || {
        let near = nearest(&stem(wanted), stems.iter().map(String::as_str))?;
        names.get(stems.iter().position(|stem| stem == near)?)
    };
    let found = same.or_else(near)?;
    Some(format!("Did you mean `{found}`?"))
}

/// Length of the name or the quoted text that a line begins with; of the whole line if it is neither.
pub(super) fn word_at(line: &str) -> usize {
    let first = line.chars().next();
    if let Some(quote) = first.filter(|c| matches!(c, '"' | '\'' | '`')) {
        return line[1..].find(quote).map_or(line.len(), |at| at + 2);
    }
    let is_other = |c: char| !(c.is_alphanumeric() || c == '_');
    match line.find(is_other) {
        None | Some(0) => line.len(),
        Some(end) => end,
    }
}

/// The path that ends in the name at `range`: `entry.byline.autor` for its `autor`.
pub(super) fn whole_path<'t>(text: &'t str, range: &std::ops::Range<usize>) -> &'t str {
    let before = text.get(..range.start).unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let start = before.trim_end_matches(is_part).len();
    text.get(start..range.end).unwrap_or_default().trim()
}

/// The nearest defined name to a path such as `entry.byline.autor`, and what there is beside it.
pub(super) fn suggest(path: &str, context: &serde_json::Value) -> Option<String> {
    let names: Vec<&str> = path.split('.').map(str::trim).collect();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    if !names.iter().all(|name| name.chars().all(is_name)) {
        return None;
    }
    let mut value = context;
    let mut reached = Vec::new();
    for name in names {
        let Some(fields) = value.as_object() else {
            break;
        };
        if let Some(inner) = fields.get(name) {
            reached.push(name);
            value = inner;
            continue;
        }
        let keys: Vec<_> = fields.keys().map(String::as_str).collect();
        let before = reached.join(".");
        let dot = if before.is_empty() { "" } else { "." };
        if let Some(near) = nearest(name, keys.iter().copied()) {
            return Some(format!("Did you mean `{before}{dot}{near}`?"));
        }
        let whose = if before.is_empty() {
            "The page".to_owned()
        } else {
            format!("`{before}`")
        };
        return Some(format!("{whose} has {}.", keys.join(", ")));
    }
    None
}
