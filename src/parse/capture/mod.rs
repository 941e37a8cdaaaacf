//! Captures: the `measured:` part of an entry, and the files that programs write for it.
//!
//! Job: read each measured table with its provenance, keeping the characters of every cell. Input:
//! the pairs under `measured:` and the site's files. Output: [`Capture`]s. Invariant: a capture
//! has distinct row labels and one cell for each column in every row; whatever was wrong has been
//! reported at its place.

mod csv;
mod file;
mod provenance;
mod table;

use super::fields::Fields;
use super::inline;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::claim::ShortText;
use crate::model::dataset::{Capture, Column, Provenance, Row, Visibility};
use crate::model::slug::Slug;
use crate::model::tree::Node;
use crate::source::{FileId, Sources, Span, Spanned};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// Most cells of one capture.
pub const CELLS_MAX: usize = 100_000;

/// What reading a capture may look at.
#[derive(Debug, Clone, Copy)]
pub struct CaptureContext<'a> {
    /// The files of the site.
    pub sources: &'a Sources,
    /// The entry that the captures belong to; its folder is where their files are looked for first.
    pub entry: FileId,
    /// Where it is written down which files were looked for.
    pub asked: &'a Lookups,
}

/// Takes down which files besides its own the reading of an entry looks for.
#[derive(Debug, Default)]
pub struct Lookups {
    paths: RefCell<BTreeMap<String, Option<FileId>>>,
    names: Cell<bool>,
}

/// The files besides its own that the reading of an entry depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LookedUp {
    /// Each path that was looked for, and what stood there.
    pub paths: Vec<(String, Option<FileId>)>,
    /// Whether the names of all files were looked through, for a suggestion.
    pub are_all_named: bool,
}

impl Lookups {
    /// What was taken down.
    pub fn files(self) -> LookedUp {
        LookedUp {
            paths: self.paths.into_inner().into_iter().collect(),
            are_all_named: self.names.get(),
        }
    }

    fn find(&self, sources: &Sources, path: String) -> Option<FileId> {
        let found = sources.find(&path);
        self.paths.borrow_mut().insert(path, found);
        found
    }
}

/// Reads the captures of an entry, in the order written.
pub fn captures(
    pairs: &[(Spanned<String>, Node)],
    cx: &CaptureContext<'_>,
    out: &mut Diagnostics,
) -> Vec<Capture> {
    let mut list: Vec<Capture> = Vec::new();
    for (name, node) in pairs {
        if let Some(capture) = capture(name, node, cx, out) {
            list.push(capture);
        }
    }
    distinct_anchors(&list, out);
    list
}

fn capture(
    name: &Spanned<String>,
    node: &Node,
    cx: &CaptureContext<'_>,
    out: &mut Diagnostics,
) -> Option<Capture> {
    let slug = slug(name, out)?;
    let name = Spanned::new(slug, name.span);
    let span = name.span.to(node.span);
    if node.get("file").is_some_and(|file| !file.is_null()) {
        return from_file(&name, node, cx, out);
    }
    let mut fields = Fields::open(node, "a capture", rule::BAD_TABLE, out)?;
    let mut capture = block(&name, &mut fields, cx, out);
    fields.finish(out);
    capture.span = span;
    Some(capture)
}

/// The name as an id; a name that is none is reported, and the nearest id stands for it, so that
/// its table is still checked.
fn slug(name: &Spanned<String>, out: &mut Diagnostics) -> Option<Slug> {
    if let Some(slug) = Slug::new(&name.value) {
        return Some(slug);
    }
    let near = Slug::from_name(&name.value);
    out.push(
        Diagnostic::new(
            rule::BAD_ID,
            name.span,
            format!("`{}` cannot be the name of a capture", name.value),
        )
        .label("a name of lower-case letters, digits and single hyphens is wanted here")
        .maybe_help(near.as_ref().map(|near| format!("Write `{near}`."))),
    );
    near
}

/// Everything that an inline capture and a capture's file have in common.
fn block(
    name: &Spanned<Slug>,
    fields: &mut Fields<'_>,
    cx: &CaptureContext<'_>,
    out: &mut Diagnostics,
) -> Capture {
    let provenance = provenance::provenance(name, fields, out);
    let mut table = table::table(name, fields, out);
    let plot = fields.text("plot", out);
    show(&mut table.columns, &fields.texts("show", out), out);
    let [caption, note] = ["caption", "note"].map(|key| short_text(fields, key, cx, out));
    let plot = plot.filter(|plot| table::check_plot(plot, &table.columns, &table.rows, out));
    table::check_cells(&mut table, plot.as_ref(), out);
    Capture {
        name: name.clone(),
        span: fields.span(),
        file: None,
        provenance,
        constants: table.constants,
        columns: table.columns,
        rows: table.rows,
        plot,
        caption,
        note,
    }
}

fn short_text(
    fields: &mut Fields<'_>,
    key: &'static str,
    cx: &CaptureContext<'_>,
    out: &mut Diagnostics,
) -> Option<ShortText> {
    let text = fields.text(key, out)?;
    Some(inline::short_text(&text, cx.sources.text(text.span), out))
}

/// `{file: …, rows: […], plot, caption, note}`: what stands here goes before what the file says.
/// A file that cannot be read gives a capture without columns, so that what refers to the capture
/// is not reported too.
fn from_file(
    name: &Spanned<Slug>,
    node: &Node,
    cx: &CaptureContext<'_>,
    out: &mut Diagnostics,
) -> Option<Capture> {
    let what = "a capture that is read from a file";
    let mut fields = Fields::open(node, what, rule::BAD_TABLE, out)?;
    let path = fields.text("file", out);
    let labels = fields.take("rows").map(|rows| table::labels(rows, out));
    let plot = fields.text("plot", out);
    let shown = fields.texts("show", out);
    let [caption, remark] = ["caption", "note"].map(|key| short_text(&mut fields, key, cx, out));
    fields.finish(out);
    let span = name.span.to(node.span);
    let read = path.and_then(|path| file::read(&path, cx, out));
    let inner = read
        .as_ref()
        .and_then(|(_, content)| content.as_ref())
        .and_then(|content| Fields::open(content, "a capture", rule::BAD_TABLE, out));
    let mut capture = match inner {
        Some(mut inner) => {
            let capture = block(name, &mut inner, cx, out);
            inner.finish(out);
            capture
        }
        None => unread(name),
    };
    if capture.columns.is_empty() {
        capture.rows = Vec::new();
    } else {
        if let Some(labels) = labels {
            keep(&mut capture, &labels, out);
        }
        show(&mut capture.columns, &shown, out);
        if let Some(plot) =
            plot.filter(|plot| table::check_plot(plot, &capture.columns, &capture.rows, out))
        {
            capture.plot = Some(plot);
        }
    }
    capture.span = span;
    capture.file = read.map(|(file, _)| file);
    capture.caption = caption.or(capture.caption);
    capture.note = remark.or(capture.note);
    Some(capture)
}

/// A capture of which only the name is known.
fn unread(name: &Spanned<Slug>) -> Capture {
    Capture {
        name: name.clone(),
        span: name.span,
        file: None,
        provenance: Provenance::default(),
        constants: Vec::new(),
        columns: Vec::new(),
        rows: Vec::new(),
        plot: None,
        caption: None,
        note: None,
    }
}

/// Leaves the columns that `show` names in the table on the page, and the first, which names the
/// rows. Without `show` every column stays.
fn show(columns: &mut [Column], names: &[Spanned<String>], out: &mut Diagnostics) {
    if names.is_empty() {
        return;
    }
    for name in names {
        if columns.iter().any(|column| column.name.value == name.value) {
            continue;
        }
        let known = columns.iter().map(|column| column.name.value.as_str());
        let near = nearest(&name.value, known).map(|near| format!("Did you mean `{near}`?"));
        out.push(
            Diagnostic::new(
                rule::BAD_TABLE,
                name.span,
                format!(
                    "`show` names the column `{}`, which there is not",
                    name.value
                ),
            )
            .label("no such column")
            .maybe_help(near),
        );
    }
    for column in columns.iter_mut().skip(1) {
        let chosen = names.iter().any(|name| name.value == column.name.value);
        column.visibility = if chosen {
            Visibility::Shown
        } else {
            Visibility::DataOnly
        };
    }
}

/// Keeps the rows with these labels, in this order.
fn keep(capture: &mut Capture, labels: &[Spanned<String>], out: &mut Diagnostics) {
    let mut kept: Vec<Row> = Vec::new();
    for label in labels {
        if kept.iter().any(|row| row.label() == label.value) {
            out.push(
                Diagnostic::new(
                    rule::BAD_TABLE,
                    label.span,
                    format!("the row `{}` is chosen twice", label.value),
                )
                .label("chosen again here")
                .help("Name each row once."),
            );
        } else if let Some(row) = capture.row(&label.value) {
            kept.push(row.clone());
        } else {
            let known = capture.rows.iter().map(Row::label);
            let near = nearest(&label.value, known).map(|near| format!("Did you mean `{near}`?"));
            out.push(
                Diagnostic::new(
                    rule::BAD_TABLE,
                    label.span,
                    format!("the file has no row `{}`", label.value),
                )
                .label("no such row")
                .maybe_help(near.or_else(|| Some(known_rows(capture)))),
            );
        }
    }
    capture.rows = kept;
}

fn known_rows(capture: &Capture) -> String {
    let labels: Vec<_> = capture.rows.iter().take(12).map(Row::label).collect();
    let more = if capture.rows.len() > labels.len() {
        " …"
    } else {
        ""
    };
    format!("Its rows: {}{more}", labels.join(", "))
}

/// Two rows of a page must not share an address, or a claim would lead to the wrong one.
fn distinct_anchors(captures: &[Capture], out: &mut Diagnostics) {
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    for capture in captures {
        for (index, row) in capture.rows.iter().enumerate() {
            let anchor = capture.row_anchor(index);
            let Some(first) = seen.insert(anchor.clone(), row.span) else {
                continue;
            };
            out.push(
                Diagnostic::new(
                    rule::BAD_TABLE,
                    row.span,
                    format!("two rows would have the address `#{anchor}` on the page"),
                )
                .label("this row")
                .related(first, "and this one")
                .help("Give one of the two captures or rows another name."),
            );
        }
    }
}

#[cfg(test)]
mod tests;
