//! CSV captures: a block of `# key: value` lines in YAML, a line of column names, then the rows.
//!
//! The file is turned into the tree that a JSON capture has, so that both are read by one code.
//! This file alone names the CSV package.

use super::super::characters;
use super::super::yaml::{self, Place};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::tree::{Kind, Node, Style};
use crate::source::{FileId, Span, Spanned};
use std::ops::Range;

/// Reads a whole CSV file. `None` if it cannot be read; then it was reported.
pub(super) fn parse(text: &str, file: FileId, out: &mut Diagnostics) -> Option<Node> {
    let split = block_end(text);
    characters::control_characters(&text[split..], file, split, out);
    // A space in the place of each `#` keeps every offset and indents all lines alike.
    let mut block = String::with_capacity(split);
    for line in text[..split].split_inclusive('\n') {
        block.push(' ');
        block.push_str(&line[1..]);
    }
    let place = Place {
        file,
        offset: 0,
        line: 1,
        rule: rule::BAD_TABLE,
    };
    let block = yaml::parse(&block, place, out)?;
    let Kind::Map(mut pairs) = block.kind else {
        out.push(
            Diagnostic::new(
                rule::BAD_TABLE,
                block.span,
                "the lines after `#` are not keys with values",
            )
            .help("Write the provenance as `# device: …`, one key a line."),
        );
        return None;
    };
    if let Some((key, _)) = pairs.iter().find(|(key, _)| key.value == "rows") {
        out.push(
            Diagnostic::new(
                rule::BAD_TABLE,
                key.span,
                "`rows` stands among the keys of a CSV file",
            )
            .label("not allowed here")
            .help("The rows of a CSV file are its lines."),
        );
        return None;
    }
    let mut records = records(text, split, file, out)?.into_iter();
    let Some(header) = records.next() else {
        out.push(
            Diagnostic::new(
                rule::BAD_TABLE,
                Span::new(file, split..split),
                "the file has no line of column names",
            )
            .help("After the `#` lines comes a line of column names, then the rows."),
        );
        return None;
    };
    columns(&header, &mut pairs, out)?;
    let end = Span::new(file, split..text.len());
    let rows = Spanned::new("rows".to_owned(), header.span);
    pairs.push((
        rows,
        Node {
            span: end,
            kind: Kind::List(records.collect()),
        },
    ));
    Some(Node {
        span: Span::new(file, 0..text.len()),
        kind: Kind::Map(pairs),
    })
}

/// Where the leading lines that begin with `#` end.
fn block_end(text: &str) -> usize {
    text.split_inclusive('\n')
        .take_while(|line| line.starts_with('#'))
        .map(str::len)
        .sum()
}

/// Every record as a list node, its cells with their places.
fn records(text: &str, split: usize, file: FileId, out: &mut Diagnostics) -> Option<Vec<Node>> {
    let body = &text[split..];
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(::csv::Trim::All)
        .from_reader(body.as_bytes());
    let mut nodes = Vec::new();
    let mut record = ::csv::StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => return Some(nodes),
            Ok(true) => {
                let at = |offset: u64| usize::try_from(offset).unwrap_or(body.len());
                let start = record.position().map_or(0, |place| at(place.byte()));
                let end = at(reader.position().byte());
                nodes.push(row(&record, body, start..end, (split, file)));
            }
            Err(error) => {
                let start = error.position().map_or(0, ::csv::Position::byte);
                let start = split + usize::try_from(start).unwrap_or(0);
                out.push(
                    Diagnostic::new(
                        rule::BAD_TABLE,
                        Span::new(file, start..start),
                        "this cannot be read as CSV",
                    )
                    .label(error.to_string())
                    .help("The file is written by a program: write it again, or mend this place."),
                );
                return None;
            }
        }
    }
}

fn row(
    record: &::csv::StringRecord,
    body: &str,
    range: Range<usize>,
    (offset, file): (usize, FileId),
) -> Node {
    let raw = body.get(range.clone()).unwrap_or("");
    let start = range.start + raw.len() - raw.trim_start().len();
    let raw = raw.trim();
    let span = Span::new(file, offset + start..offset + start + raw.len());
    let places = cell_places(raw);
    let exact = places.len() == record.len();
    let cells = record.iter().enumerate().map(|(index, text)| Node {
        span: if exact {
            span.within(places[index].clone())
        } else {
            span
        },
        kind: if text.is_empty() {
            Kind::Null
        } else {
            Kind::Scalar(text.to_owned(), Style::Plain)
        },
    });
    Node {
        span,
        kind: Kind::List(cells.collect()),
    }
}

/// The places of a line's cells: between commas outside quotes, without the spaces around them.
fn cell_places(raw: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, byte) in raw.bytes().chain([b',']).enumerate() {
        let last = at == raw.len();
        match byte {
            b'"' => quoted = !quoted,
            b',' if !quoted || last => {
                let cell = &raw[start..at];
                let first = start + cell.len() - cell.trim_start().len();
                places.push(first..first + cell.trim().len());
                start = at + 1;
            }
            _ => {}
        }
    }
    places
}

/// Takes the names in the first line as columns, or holds them against the `columns` of the block.
fn columns(
    header: &Node,
    pairs: &mut Vec<(Spanned<String>, Node)>,
    out: &mut Diagnostics,
) -> Option<()> {
    let names: Vec<Spanned<String>> = header
        .list()
        .unwrap_or(&[])
        .iter()
        .map(|node| Spanned::new(node.text().unwrap_or("").to_owned(), node.span))
        .collect();
    for (index, name) in names.iter().enumerate() {
        if let Some(first) = names[..index]
            .iter()
            .find(|other| other.value == name.value)
        {
            out.push(
                Diagnostic::new(
                    rule::BAD_TABLE,
                    name.span,
                    format!("two columns are called `{}`", name.value),
                )
                .label("the name again")
                .related(first.span, "first used here")
                .help("Give each column a name of its own."),
            );
            return None;
        }
    }
    let Some((_, declared)) = pairs.iter().find(|(key, _)| key.value == "columns") else {
        let key = Spanned::new("columns".to_owned(), header.span);
        let columns = names.into_iter().map(|name| {
            let span = name.span;
            let kind = Kind::Null;
            (name, Node { span, kind })
        });
        let kind = Kind::Map(columns.collect());
        let span = header.span;
        pairs.push((key, Node { span, kind }));
        return Some(());
    };
    let declared: Vec<_> = declared.map().unwrap_or(&[]).iter().collect();
    for (index, name) in names.iter().enumerate() {
        let wanted = declared
            .get(index)
            .map_or("", |(key, _)| key.value.as_str());
        if wanted != name.value {
            out.push(mismatch(name, wanted));
            return None;
        }
    }
    if let Some((key, _)) = declared.get(names.len()) {
        out.push(mismatch(
            &Spanned::new(String::new(), header.span),
            &key.value,
        ));
        return None;
    }
    Some(())
}

fn mismatch(found: &Spanned<String>, wanted: &str) -> Diagnostic {
    let message = match (found.value.as_str(), wanted) {
        (found, "") => format!("`columns` has no `{found}`"),
        ("", wanted) => format!("the first line has no column `{wanted}`"),
        (found, wanted) => format!("the column `{found}` stands where `columns` has `{wanted}`"),
    };
    Diagnostic::new(rule::BAD_TABLE, found.span, message)
        .label("the line of column names")
        .help("Name the same columns in the same order in `# columns:` and in the first line.")
}
