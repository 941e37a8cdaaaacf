//! TOML into [`Node`], for `site.toml`, presets and statements. This file alone names the TOML
//! package.

use crate::diagnostic::{Diagnostic, Diagnostics, RuleId, rule};
use crate::model::tree::{Kind, MAX_DEPTH, Node, Style};
use crate::source::{FileId, Span, Spanned};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Reads a whole TOML file; faults belong to `fault`. All faults that the reader can see are
/// reported; `None` if there is one.
pub fn parse(text: &str, file: FileId, fault: RuleId, out: &mut Diagnostics) -> Option<Node> {
    if let Some(at) = too_deep(text) {
        out.push(
            Diagnostic::new(
                rule::TOO_DEEP,
                Span::new(file, at..at + 1),
                "values are nested too deeply",
            )
            .help(format!("Keep to {MAX_DEPTH} levels of lists and tables.")),
        );
        return None;
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let range = error.span().unwrap_or(0..0);
        let help = "Strings stand in quotes, a key is written `key = value`, and each key once.";
        out.push(
            Diagnostic::new(fault, Span::new(file, range), "this cannot be read as TOML")
                .label(error.message().trim().replace('\n', ", "))
                .help(help),
        );
    }
    let root = map(text, file, table.get_ref(), table.span());
    super::characters::check_values(text, 0, &root, out);
    errors.is_empty().then_some(root)
}

/// Where brackets first nest deeper than the limit; quotes are not understood, which only makes
/// the limit stricter for texts full of brackets.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'\n' if depth <= 2 => depth = 0,
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some(at);
        }
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
