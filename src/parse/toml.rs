//! TOML into [`Node`], for `site.toml`, presets and statements. This file alone names the TOML
//! package.

use super::depth::{self, Language};
use crate::diagnostic::{Diagnostic, Diagnostics, RuleId};
use crate::model::tree::{Kind, Node, Style};
use crate::source::{FileId, Span, Spanned};
use std::collections::BTreeSet;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Reads a whole TOML file; faults belong to `fault`. `None` if it cannot be read; that has been
/// reported.
pub fn parse(text: &str, file: FileId, fault: RuleId, out: &mut Diagnostics) -> Option<Node> {
    if let Some(finding) = depth::check(text, file, Language::Toml) {
        out.push(finding);
        return None;
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    let root = map(text, file, table.get_ref(), table.span());
    let is_clean = super::characters::check_values(text, 0, &root, out);
    if errors.is_empty() {
        return Some(root);
    }
    // One mistake makes the reader stumble several times: one finding a line, and none where
    // characters that nobody sees may be the cause.
    let mut told = BTreeSet::new();
    for error in errors.iter().filter(|_| is_clean) {
        let range = error.span().unwrap_or(0..0);
        let before = text.get(..range.start).unwrap_or_default();
        if !told.insert(before.matches('\n').count()) {
            continue;
        }
        let help = "Strings stand in quotes, a key is written `key = value`, and each key once.";
        out.push(
            Diagnostic::new(fault, Span::new(file, range), "this cannot be read as TOML")
                .label(error.message().trim().replace('\n', ", "))
                .help(help),
        );
    }
    None
}

fn map(text: &str, file: FileId, table: &DeTable<'_>, span: Range<usize>) -> Node {
    let mut pairs: Vec<_> = table
        .iter()
        .map(|(key, value)| {
            let name = Spanned::new(key.get_ref().to_string(), Span::new(file, key.span()));
            (name, node(text, file, value.get_ref(), value.span()))
        })
        .collect();
    pairs.sort_by_key(|(key, _)| key.span);
    Node {
        span: Span::new(file, span),
        kind: Kind::Map(pairs),
    }
}

fn node(text: &str, file: FileId, value: &DeValue<'_>, span: Range<usize>) -> Node {
    let kind = match value {
        DeValue::String(text) => Kind::Scalar(text.to_string(), Style::Text),
        DeValue::Array(items) => Kind::List(
            items
                .iter()
                .map(|item| node(text, file, item.get_ref(), item.span()))
                .collect(),
        ),
        DeValue::Table(table) => return map(text, file, table, span),
        // Numbers, dates and truth values keep their written characters.
        _ => Kind::Scalar(
            text.get(span.clone()).unwrap_or("").to_owned(),
            Style::Plain,
        ),
    };
    Node {
        span: Span::new(file, span),
        kind,
    }
}
