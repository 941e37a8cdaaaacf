//! What to tell about templates besides what the engine says: which name was meant, and which file
//! nothing is made with.

use super::templates::FOLDER;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::source::{FileId, Span};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;

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

/// A part of a path such as `site.pages[0]`.
enum Part<'t> {
    Field(&'t str),
    /// An item of a list, counted from 0.
    Item(usize),
    /// What an expression between brackets comes to.
    Computed,
}

/// The parts of the path that a text begins with, each with where it ends.
fn parts(text: &str) -> Vec<(Part<'_>, usize)> {
    let mut parts = Vec::new();
    let mut end = 0;
    while let Some((part, length)) = part(&text[end..], parts.is_empty()) {
        end += length;
        parts.push((part, end));
    }
    parts
}

/// The part that a text begins with, and its length.
fn part(text: &str, is_first: bool) -> Option<(Part<'_>, usize)> {
    if let Some(inner) = text.strip_prefix('[').filter(|_| !is_first) {
        let inner = &inner[..end_of_brackets(inner)?];
        let key = inner.trim();
        let quoted = ['"', '\'', '`']
            .into_iter()
            .find_map(|mark| key.strip_prefix(mark)?.strip_suffix(mark));
        let part = match quoted {
            Some(name) => Part::Field(name),
            None => key.parse().map_or(Part::Computed, Part::Item),
        };
        return Some((part, inner.len() + 2));
    }
    let name = if is_first {
        text
    } else {
        text.trim_start().strip_prefix('.')?.trim_start()
    };
    let before = text.len() - name.len();
    let is_other = |c: char| !(c.is_alphanumeric() || c == '_');
    let name = &name[..name.find(is_other).unwrap_or(name.len())];
    (!name.is_empty()).then_some((Part::Field(name), before + name.len()))
}

/// Where the brackets end that are open before this text.
fn end_of_brackets(text: &str) -> Option<usize> {
    let mut open = 1_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => open += 1,
            b']' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(at);
        }
    }
    None
}

/// How many parts of a path are there, and what the last of them is; `None` if all are, or if that
/// cannot be known.
fn last_there<'v>(path: &str, context: &'v Value) -> Option<(usize, &'v Value)> {
    let mut value = context;
    for (count, (part, _)) in parts(path).iter().enumerate() {
        let inner = match part {
            Part::Field(name) => value.get(name),
            Part::Item(at) => value.get(at),
            Part::Computed => return None,
        };
        match inner {
            Some(inner) => value = inner,
            None => return Some((count, value)),
        }
    }
    None
}

/// The path of what is not there, and where it ends. The engine points to the last name of it, to an
/// expression without its closing bracket, or, where what is indexed is not there, to its first name.
pub(super) fn missing_path<'t>(
    text: &'t str,
    (range, message): (&Range<usize>, &str),
    context: &Value,
) -> (&'t str, usize) {
    let start = path_start(text.get(..range.start).unwrap_or_default());
    let rest = text.get(start..).unwrap_or_default();
    let ends: Vec<_> = parts(rest).iter().map(|(_, end)| start + end).collect();
    let reached = |end: &usize| *end >= range.end;
    // What a loop or a block names is not in the context: then the engine's word counts alone.
    let missing = last_there(rest, context).filter(|(there, _)| *there > 0);
    let missing = missing.and_then(|(there, _)| ends.get(there).copied());
    let is_indexed = |end: &usize| {
        let after = text.get(*end..).unwrap_or_default();
        after.starts_with('[') || !message.starts_with("Cannot index")
    };
    let pointed = || {
        ends.iter()
            .copied()
            .find(|end| reached(end) && is_indexed(end))
    };
    let end = missing.filter(reached).or_else(pointed);
    let end = end.unwrap_or(range.end);
    (text.get(start..end).unwrap_or_default().trim(), end)
}

/// Where the path begins that goes on after this text.
fn path_start(before: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut rest = before.trim_end_matches(is_part);
    while rest.len() < before.len() || rest.ends_with(']') {
        let Some(open) = rest.strip_suffix(']').and_then(|inner| inner.rfind('[')) else {
            break;
        };
        rest = rest[..open].trim_end_matches(is_part);
    }
    rest.len()
}

/// The nearest defined name to a path such as `entry.byline.autor`, and what there is beside it.
pub(super) fn suggest(path: &str, context: &Value) -> Option<String> {
    let parts = parts(path);
    let (there, value) = last_there(path, context)?;
    let (part, _) = parts.get(there)?;
    let before = match there.checked_sub(1).and_then(|last| parts.get(last)) {
        Some((_, end)) => &path[..*end],
        None => "",
    };
    let name = match part {
        Part::Field(name) => name,
        Part::Item(_) | Part::Computed => {
            return Some(match value.as_array()?.len() {
                0 => format!("`{before}` is empty."),
                1 => format!("`{before}` has one item: `{before}[0]`."),
                items => format!(
                    "`{before}` has {items} items: the last is `{before}[{}]`.",
                    items - 1
                ),
            });
        }
    };
    let fields = value.as_object()?;
    let keys: Vec<_> = fields.keys().map(String::as_str).collect();
    let dot = if before.is_empty() { "" } else { "." };
    if let Some(near) = nearest(name, keys.iter().copied()) {
        return Some(format!("Did you mean `{before}{dot}{near}`?"));
    }
    let whose = if before.is_empty() {
        "The page".to_owned()
    } else {
        format!("`{before}`")
    };
    Some(format!("{whose} has {}.", keys.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_told_with_its_whole_name() {
        let context = serde_json::json!({"site": {"pages": [{"text": "T"}, {}], "title": "T"}});
        let message = "Field `text` is not defined";
        // What stands before the place that the engine points to, there, and after; what is told.
        for (text, path, help) in [
            ("|site.pages[99|].text", "site.pages[99]", "pages[1]"),
            ("|site.pages[ 99 |] . text", "site.pages[ 99 ]", "2 items"),
            ("|site['pages'][9|].text", "site['pages'][9]", "2 items"),
            ("|site|.pagse[0].text", "site.pagse", "`site.pages`"),
            ("site.pages[0].|txt|.more", "site.pages[0].txt", "[0].text`"),
            ("|site.pages[0|].txt.more", "site.pages[0].txt", "[0].text`"),
            ("site.|nope|.more", "site.nope", "pages, title"),
            ("|sit|", "sit", "`site`"),
            // What a loop names, and what is computed.
            ("item.|b|.c", "item.b", "The page has"),
            ("|item.b[i|].c", "item.b[i]", "The page has"),
            ("|site.pages[a[0]|].c", "site.pages[a[0]]", ""),
            ("site.pages[i].|txt|.a", "site.pages[i].txt", ""),
            ("site.pages[|item|.a]", "item", "The page has"),
        ] {
            let parts: Vec<_> = text.split('|').collect();
            let [before, pointed, after] = parts[..] else {
                panic!("{text}");
            };
            let text = format!("{{{{ {before}{pointed}{after} }}}}");
            let start = 3 + before.len();
            let range = start..start + pointed.len();
            let (found, end) = missing_path(&text, (&range, message), &context);
            assert_eq!(found, path, "{text}");
            assert_eq!(&text[..end], &text[..text.find(path).unwrap() + path.len()]);
            let told = suggest(found, &context).unwrap_or_default();
            assert!(told.contains(help), "{text} {told}");
        }
        let message = "Cannot index into an undefined value";
        let (found, _) = missing_path("item.rows[0].a", (&(0..4), message), &context);
        assert_eq!(found, "item.rows");
    }
}
