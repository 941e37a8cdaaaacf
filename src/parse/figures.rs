//! The `diagrams`, `models` and `matrices` of an entry, and preset files.

use super::fields::{Fields, wrong};
use super::inline::short_text;
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::claim::ShortText;
use crate::model::figure::{Diagram, Highlight, Matrix, Model, Preset};
use crate::model::slug::Slug;
use crate::model::tree::Node;
use crate::source::{FileId, Sources, Spanned};

/// Most cells of a matrix, repeats counted.
pub const MATRIX_CELLS_MAX: usize = 4096;

type Pairs = [(Spanned<String>, Node)];

/// A name given by the author to one of the things of an entry.
pub fn name_of(name: &Spanned<String>, what: &str, out: &mut Diagnostics) -> Option<Spanned<Slug>> {
    if let Some(slug) = Slug::new(&name.value) {
        return Some(Spanned::new(slug, name.span));
    }
    let climbs = name.value.contains(['/', '\\']) || name.value.contains("..");
    let rule = if climbs {
        rule::UNSAFE_PATH
    } else {
        rule::BAD_ID
    };
    let near = Slug::from_name(&name.value);
    out.push(
        Diagnostic::new(
            rule,
            name.span,
            format!("`{}` cannot name {what}", name.value),
        )
        .label("names are lower-case letters, digits and single hyphens")
        .maybe_help(near.map(|near| format!("Call it `{near}`."))),
    );
    None
}

/// Takes a short text.
pub fn short(
    fields: &mut Fields<'_>,
    key: &'static str,
    sources: &Sources,
    out: &mut Diagnostics,
) -> Option<ShortText> {
    let text = fields.text(key, out)?;
    Some(short_text(&text, sources.text(text.span), out))
}

/// Reads `diagrams`.
pub fn diagrams(pairs: &Pairs, sources: &Sources, out: &mut Diagnostics) -> Vec<Diagram> {
    let read = |(name, node): &(Spanned<String>, Node), out: &mut Diagnostics| {
        let name = name_of(name, "a diagram", out);
        let mut fields = Fields::open(node, "a diagram", rule::BAD_FRONT_MATTER, out)?;
        let preset = fields.required("preset", out);
        let alt = short(&mut fields, "alt", sources, out);
        let caption = short(&mut fields, "caption", sources, out);
        let rows = fields
            .map("rows", out)
            .iter()
            .filter_map(|(name, node)| {
                super::fields::text_of(node, rule::BAD_FRONT_MATTER, "rows", out)
                    .map(|row| (name.clone(), row))
            })
            .collect();
        fields.finish(out);
        Some(Diagram {
            name: name?,
            span: node.span,
            preset,
            alt,
            caption,
            rows,
        })
    };
    pairs.iter().filter_map(|pair| read(pair, out)).collect()
}

/// Reads `models`. The parameters stay a node: which there are depends on the kind.
pub fn models(pairs: &Pairs, sources: &Sources, out: &mut Diagnostics) -> Vec<Model> {
    let read = |(name, node): &(Spanned<String>, Node), out: &mut Diagnostics| {
        let name = name_of(name, "a model", out);
        let mut fields = Fields::open(node, "a model", rule::BAD_FRONT_MATTER, out)?;
        let kind = fields.required("kind", out);
        let alt = short(&mut fields, "alt", sources, out);
        let caption = short(&mut fields, "caption", sources, out);
        Some(Model {
            name: name?,
            span: node.span,
            kind,
            alt,
            caption,
            settings: fields.rest(),
        })
    };
    pairs.iter().filter_map(|pair| read(pair, out)).collect()
}

/// Reads `matrices`. One that cannot be read stands there without rows, so that what refers to it is
/// not reported too.
pub fn matrices(pairs: &Pairs, sources: &Sources, out: &mut Diagnostics) -> Vec<Matrix> {
    let read = |(name, node): &(Spanned<String>, Node), out: &mut Diagnostics| {
        let name = name_of(name, "a matrix", out);
        let mut fields = Fields::open(node, "a matrix", rule::BAD_FRONT_MATTER, out)?;
        let rows = matrix_rows(&mut fields, out);
        let limit = MATRIX_CELLS_MAX as u64;
        let repeat = fields.whole("repeat_columns", limit, out);
        let highlight = fields
            .take("highlight")
            .map(|node| (node, highlight(node, out)));
        let caption = short(&mut fields, "caption", sources, out);
        fields.finish(out);
        let is_sound = rows.is_some();
        let mut matrix = Matrix {
            name: name?,
            span: node.span,
            rows: rows.unwrap_or_default(),
            repeat_columns: repeat.map_or(1, |repeat| {
                usize::try_from(repeat.value.max(1)).unwrap_or(1)
            }),
            highlight: highlight.as_ref().and_then(|(_, highlight)| *highlight),
            caption,
        };
        if is_sound && !check_matrix(&matrix, highlight.map(|(node, _)| node), out) {
            matrix.rows = Vec::new();
        }
        Some(matrix)
    };
    pairs.iter().filter_map(|pair| read(pair, out)).collect()
}

fn matrix_rows(
    fields: &mut Fields<'_>,
    out: &mut Diagnostics,
) -> Option<Vec<Vec<Spanned<String>>>> {
    let Some(node) = fields.take("rows") else {
        fields.missing("rows", out);
        return None;
    };
    let mut rows = Vec::new();
    for row in node.list().unwrap_or_default() {
        let cells = row.list().unwrap_or_default();
        let texts = cells.iter().filter_map(|cell| {
            cell.text()
                .map(|text| Spanned::new(text.to_owned(), cell.span))
        });
        rows.push(texts.collect::<Vec<_>>());
        if rows.last().map(Vec::len) != Some(cells.len()) || cells.is_empty() {
            out.push(wrong(row, rule::BAD_MODEL, "a row", "a list of numbers"));
            return None;
        }
    }
    if rows.is_empty() {
        out.push(wrong(
            node,
            rule::BAD_MODEL,
            "`rows`",
            "a list of rows of numbers",
        ));
        return None;
    }
    let width = rows[0].len();
    if let Some((at, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != width) {
        let span = row[0].span.to(row[row.len() - 1].span);
        out.push(
            Diagnostic::new(
                rule::BAD_MODEL,
                span,
                format!("row {at} has {} cells, row 0 has {width}", row.len()),
            )
            .label("this row is of another length")
            .help("Give every row the same number of cells."),
        );
        return None;
    }
    Some(rows)
}

fn highlight(node: &Node, out: &mut Diagnostics) -> Option<Highlight> {
    let mut fields = Fields::open(node, "`highlight`", rule::BAD_FRONT_MATTER, out)?;
    let limit = MATRIX_CELLS_MAX as u64;
    let mut index = |key, out: &mut Diagnostics| {
        let value = fields.whole(key, limit, out)?;
        usize::try_from(value.value).ok()
    };
    let (row, column) = (index("row", out), index("column", out));
    fields.finish(out);
    match (row, column) {
        (Some(row), None) => Some(Highlight::Row(row)),
        (None, Some(column)) => Some(Highlight::Column(column)),
        (None, None) => None,
        (Some(_), Some(_)) => {
            out.push(wrong(
                node,
                rule::BAD_MODEL,
                "`highlight`",
                "one `row` or one `column`",
            ));
            None
        }
    }
}

fn check_matrix(matrix: &Matrix, highlight: Option<&Node>, out: &mut Diagnostics) -> bool {
    if matrix.height().saturating_mul(matrix.width()) > MATRIX_CELLS_MAX {
        out.push(
            Diagnostic::new(
                rule::TOO_LARGE,
                matrix.span,
                format!("this matrix has more than {MATRIX_CELLS_MAX} cells"),
            )
            .help("Show a smaller matrix, or fewer repeats of its columns."),
        );
        return false;
    }
    let outside = match matrix.highlight {
        Some(Highlight::Row(row)) => row >= matrix.height(),
        Some(Highlight::Column(column)) => column >= matrix.width(),
        None => false,
    };
    if let (true, Some(node)) = (outside, highlight) {
        out.push(
            Diagnostic::new(
                rule::BAD_MODEL,
                node.span,
                "the marked row or column is not in the matrix",
            )
            .label(format!(
                "the matrix has {} rows and {} columns, counted from 0",
                matrix.height(),
                matrix.width()
            ))
            .help("Mark a row or column that the matrix has."),
        );
    }
    true
}

/// Reads one preset file. `None` if it cannot be read; that has been reported.
pub fn preset(
    sources: &Sources,
    file: FileId,
    name: Slug,
    out: &mut Diagnostics,
) -> Option<Preset> {
    let text = sources.file(file).readable()?;
    let before = out.len();
    let node = super::toml::parse(text, file, rule::UNKNOWN_PRESET, out)?;
    if out.len() > before {
        // Characters that nobody sees: the texts of the drawing cannot be trusted.
        return None;
    }
    let mut fields = Fields::open(&node, "a preset", rule::UNKNOWN_PRESET, out)?;
    let kind = fields.required("kind", out);
    let title = fields.required("title", out);
    let settings = fields.rest();
    Some(Preset {
        name,
        file,
        kind,
        title,
        settings,
    })
}
