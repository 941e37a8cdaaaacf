//! Constants, columns and rows of a capture.

use super::super::fields::{Fields, text_of, wrong};
use super::CELLS_MAX;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::dataset::{Column, Exactness, Row, Visibility};
use crate::model::number::Decimal;
use crate::model::slug::Slug;
use crate::model::tree::{Kind, Node};
use crate::source::{Span, Spanned};
use std::collections::BTreeMap;

/// A table before it belongs to a capture.
pub(super) struct Table {
    pub(super) constants: Vec<(Spanned<String>, Spanned<String>)>,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Row>,
}

/// Takes `constants`, `columns` and `rows`.
pub(super) fn table(name: &Spanned<Slug>, fields: &mut Fields<'_>, out: &mut Diagnostics) -> Table {
    let constants = constants(fields.map("constants", out), out);
    let columns = columns(fields.map("columns", out), out);
    for (constant, _) in &constants {
        if let Some(column) = columns.iter().find(|c| c.name.value == constant.value) {
            out.push(
                Diagnostic::new(
                    rule::BAD_TABLE,
                    constant.span,
                    format!("`{}` is a constant and a column", constant.value),
                )
                .label("the constant")
                .related(column.name.span, "the column")
                .help("Rename one of the two, so that a formula can tell them apart."),
            );
        }
    }
    let nodes = fields.list("rows", out);
    // Without columns every row would be of a wrong length.
    let rows = match columns.as_slice() {
        [] => Vec::new(),
        columns => rows(nodes, columns, out),
    };
    if columns.is_empty() || nodes.is_empty() {
        let what = if columns.is_empty() {
            "columns"
        } else {
            "rows"
        };
        out.push(
            Diagnostic::new(
                rule::BAD_TABLE,
                name.span,
                format!("the capture `{}` has no {what}", name.value),
            )
            .label("an empty table")
            .help("Give it `columns:` with names and `rows:` with a list for each row."),
        );
    }
    Table {
        constants,
        columns,
        rows,
    }
}

/// The labels of the rows to keep.
pub(super) fn labels(node: &Node, out: &mut Diagnostics) -> Vec<Spanned<String>> {
    let Kind::List(items) = &node.kind else {
        out.push(wrong(
            node,
            rule::BAD_TABLE,
            "`rows`",
            "a list of row labels",
        ));
        return Vec::new();
    };
    items
        .iter()
        .filter_map(|item| text_of(item, rule::BAD_TABLE, "rows", out))
        .collect()
}

fn constants(
    pairs: &[(Spanned<String>, Node)],
    out: &mut Diagnostics,
) -> Vec<(Spanned<String>, Spanned<String>)> {
    let mut list = Vec::new();
    for (name, node) in pairs {
        check_name(name, "a constant", out);
        let Some(text) = text_of(node, rule::BAD_TABLE, &name.value, out) else {
            continue;
        };
        if let Err(error) = Decimal::parse(&text.value) {
            out.push(
                Diagnostic::new(
                    rule::BAD_TABLE,
                    text.span,
                    format!("the constant `{}` {}", name.value, error.words()),
                )
                .label(format!("this is `{}`", text.value))
                .help("Constants are numbers that formulas use; put words into the caption."),
            );
        }
        list.push((name.clone(), text));
    }
    list
}

fn columns(pairs: &[(Spanned<String>, Node)], out: &mut Diagnostics) -> Vec<Column> {
    pairs
        .iter()
        .map(|(name, node)| {
            check_name(name, "a column", out);
            column(name, node, out)
        })
        .collect()
}

fn column(name: &Spanned<String>, node: &Node, out: &mut Diagnostics) -> Column {
    let mut column = Column {
        visibility: Visibility::Shown,
        name: name.clone(),
        title: None,
        unit: None,
        exactness: Exactness::Rounded,
        derived: None,
    };
    if node.is_null() {
        return column;
    }
    let Some(mut fields) = Fields::open(node, "a column", rule::BAD_TABLE, out) else {
        return column;
    };
    column.title = fields.text("title", out);
    column.unit = fields.text("unit", out);
    if fields.truth("exact", out).is_some_and(|exact| exact.value) {
        column.exactness = Exactness::Exact;
    }
    column.derived = fields.text("derived", out);
    fields.finish(out);
    column
}

/// Names of columns and constants are ids that may also have underscores, and no numbers, since a
/// formula could not tell those from the number itself.
fn check_name(name: &Spanned<String>, what: &str, out: &mut Diagnostics) {
    let text = &name.value;
    let number = Decimal::parse(text).is_ok();
    if !number && Slug::new(&text.replace('_', "-")).is_some() {
        return;
    }
    let near = Slug::from_name(text).filter(|_| !number);
    out.push(
        Diagnostic::new(
            rule::BAD_ID,
            name.span,
            format!("`{text}` cannot be the name of {what}"),
        )
        .label("lower-case letters, digits and single `_` or `-` are wanted here")
        .maybe_help(near.map(|near| {
            let near = near.as_str().replace('-', "_");
            format!("Write `{near}`, and the words that readers see as its `title`.")
        })),
    );
}

fn rows(nodes: &[Node], columns: &[Column], out: &mut Diagnostics) -> Vec<Row> {
    let limit = CELLS_MAX / columns.len().max(1);
    if nodes.len() > limit {
        let span = nodes[limit].span;
        out.push(
            Diagnostic::new(
                rule::TOO_LARGE,
                span,
                format!("the table has more than {CELLS_MAX} cells"),
            )
            .label("rows from here on are not read")
            .help("Publish the whole table as a file, and capture the rows that the page shows."),
        );
    }
    let mut rows = Vec::new();
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    for node in nodes.iter().take(limit) {
        let Some(row) = row(node, columns, out) else {
            continue;
        };
        let label = row.cells.first().map_or(row.span, |cell| cell.span);
        if row.label().trim().is_empty() {
            out.push(
                Diagnostic::new(rule::BAD_TABLE, label, "a row has no label")
                    .label("the first cell names the row")
                    .help("Write a name that no other row of the table has."),
            );
        } else if let Some(&first) = seen.get(row.label()) {
            out.push(
                Diagnostic::new(
                    rule::BAD_TABLE,
                    label,
                    format!("two rows have the label `{}`", row.label()),
                )
                .label("the label again")
                .related(first, "first used here")
                .help("Give each row a label of its own: claims find a row by it."),
            );
            continue;
        } else {
            seen.insert(row.label().to_owned(), label);
        }
        rows.push(row);
    }
    rows
}

/// A row with one cell for each column; a row of another length is reported and cut or filled up,
/// so that the claims on it do not all fail too.
fn row(node: &Node, columns: &[Column], out: &mut Diagnostics) -> Option<Row> {
    let Kind::List(items) = &node.kind else {
        out.push(wrong(node, rule::BAD_TABLE, "a row", "a list of cells"));
        return None;
    };
    let wanted = columns.len();
    if items.len() != wanted {
        let names: Vec<_> = columns.iter().map(|c| c.name.value.as_str()).collect();
        let counted = match items.len() {
            1 => "1 cell".to_owned(),
            count => format!("{count} cells"),
        };
        out.push(
            Diagnostic::new(
                rule::BAD_TABLE,
                node.span,
                format!("a row has {counted}, and the table has {wanted} columns"),
            )
            .label(counted)
            .help(format!("Write a cell for each of: {}.", names.join(", "))),
        );
    }
    let mut cells: Vec<_> = items
        .iter()
        .take(wanted)
        .map(|item| cell(item, out))
        .collect();
    let end = Span {
        start: node.span.end,
        ..node.span
    };
    cells.resize(wanted, Spanned::new(String::new(), end));
    Some(Row {
        span: node.span,
        cells,
    })
}

fn cell(node: &Node, out: &mut Diagnostics) -> Spanned<String> {
    let text = match &node.kind {
        Kind::Scalar(text, _) => text.clone(),
        Kind::Null => String::new(),
        Kind::List(_) | Kind::Map(_) => {
            out.push(wrong(node, rule::BAD_TABLE, "a cell", "a number or text"));
            String::new()
        }
    };
    Spanned::new(text, node.span)
}

/// Reports cells that are no numbers in columns that need them. An empty cell is a value that was
/// not measured.
pub(super) fn check_cells(
    table: &mut Table,
    plot: Option<&Spanned<String>>,
    out: &mut Diagnostics,
) {
    for (index, column) in table.columns.iter().enumerate() {
        let needs_numbers = column.unit.is_some()
            || column.derived.is_some()
            || column.exactness == Exactness::Exact
            || plot.is_some_and(|plot| plot.value == column.name.value);
        if !needs_numbers {
            continue;
        }
        for row in &table.rows {
            let Some(cell) = row.cells.get(index) else {
                continue;
            };
            if let (false, Err(error)) = (cell.value.is_empty(), Decimal::parse(&cell.value)) {
                out.push(
                    Diagnostic::new(
                        rule::BAD_TABLE,
                        cell.span,
                        format!(
                            "`{}` of `{}` {}",
                            column.name.value,
                            row.label(),
                            error.words()
                        ),
                    )
                    .label(format!("this is `{}`", cell.value))
                    .help("Write the number alone; leave the cell empty (`null`) if nothing was measured."),
                );
            }
        }
    }
}

/// Whether the column to plot is there and holds numbers.
pub(super) fn check_plot(
    plot: &Spanned<String>,
    columns: &[Column],
    rows: &[Row],
    out: &mut Diagnostics,
) -> bool {
    if let Some(at) = columns
        .iter()
        .position(|column| column.name.value == plot.value)
    {
        let mut cells = rows.iter().filter_map(|row| row.cells.get(at));
        if at > 0 && cells.any(|cell| Decimal::parse(&cell.value).is_ok()) {
            return true;
        }
        if rows.is_empty() {
            return true;
        }
        let what = match at {
            0 => "names the rows",
            _ => "holds no number",
        };
        let message = format!(
            "the column `{}` {what}, so it cannot be plotted",
            plot.value
        );
        out.push(
            Diagnostic::new(rule::BAD_TABLE, plot.span, message)
                .label("not a column of numbers")
                .help("Name a column that was measured, or take `plot` out."),
        );
        return false;
    }
    let names = columns.iter().map(|column| column.name.value.as_str());
    let near = nearest(&plot.value, names.clone()).map_or_else(
        || format!("Its columns: {}.", names.collect::<Vec<_>>().join(", ")),
        |near| format!("Did you mean `{near}`?"),
    );
    out.push(
        Diagnostic::new(
            rule::BAD_TABLE,
            plot.span,
            format!("there is no column `{}` to plot", plot.value),
        )
        .label("no such column")
        .help(near),
    );
    false
}
