//! Files of captures: where they lie, and which format they have.

use super::super::json;
use super::{CaptureContext, csv};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest, rule};
use crate::model::tree::Node;
use crate::source::{FileId, Spanned};

/// Finds a capture's file and reads it, as far as it can be read.
pub(super) fn read(
    path: &Spanned<String>,
    cx: &CaptureContext<'_>,
    out: &mut Diagnostics,
) -> Option<(FileId, Option<Node>)> {
    let file = find(path, cx, out)?;
    let found = cx.sources.file(file);
    let Some(text) = found.readable() else {
        return Some((file, None));
    };
    let node = match ending(&found.path) {
        Some("json") => json::parse(text, file, rule::BAD_TABLE, out),
        Some("csv") => csv::parse(text, file, out),
        _ => {
            out.push(
                Diagnostic::new(
                    rule::BAD_TABLE,
                    path.span,
                    format!("`{}` is neither a .json nor a .csv file", path.value),
                )
                .label("unknown format")
                .help("Captures are read from JSON and CSV files."),
            );
            return None;
        }
    };
    Some((file, node))
}

/// What follows the last point of a path.
fn ending(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(_, ending)| ending)
}

/// Looks in the folder of the entry first, then in `content`.
fn find(path: &Spanned<String>, cx: &CaptureContext<'_>, out: &mut Diagnostics) -> Option<FileId> {
    let entry = &cx.sources.file(cx.entry).path;
    let folder = entry.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut leads_out = true;
    for folder in [folder, "content"] {
        let Some(joined) = join(folder, &path.value) else {
            continue;
        };
        leads_out = false;
        if let Some(file) = cx.asked.find(cx.sources, joined) {
            return Some(file);
        }
    }
    out.push(if leads_out {
        Diagnostic::new(
            rule::UNSAFE_PATH,
            path.span,
            format!("`{}` leads out of the site's content", path.value),
        )
        .label("not a path inside `content`")
        .help("Write a path from the entry's folder or from `content`, with forward slashes.")
    } else {
        missing(path, cx)
    });
    None
}

/// `path` as seen from `folder`; `None` if it is absolute, of another system, or does not stay
/// inside `content`.
fn join(folder: &str, path: &str) -> Option<String> {
    let foreign = path.starts_with('/') || path.contains(['\\', ':', '\0', '%']);
    if foreign || path.trim().is_empty() {
        return None;
    }
    let joined = crate::source::path::join(folder, path)?;
    joined.starts_with("content/").then_some(joined)
}

fn missing(path: &Spanned<String>, cx: &CaptureContext<'_>) -> Diagnostic {
    cx.asked.names.set(true);
    let files: Vec<&str> = cx
        .sources
        .below("content/")
        .map(|(_, file)| &*file.path)
        .filter(|path| matches!(ending(path), Some("json" | "csv")))
        .filter_map(|path| path.strip_prefix("content/"))
        .collect();
    let name = |path: &'_ str| path.rsplit('/').next().unwrap_or("").to_owned();
    let near = nearest(&path.value, files.iter().copied()).or_else(|| {
        let wanted = name(&path.value);
        let names: Vec<_> = files.iter().map(|path| name(path)).collect();
        let near = nearest(&wanted, names.iter().map(String::as_str))?;
        files.iter().copied().find(|path| name(path) == near)
    });
    let help = match near {
        Some(near) => format!("Did you mean `{near}`?"),
        None if files.is_empty() => "There is no capture file under `content`.".to_owned(),
        None => format!(
            "Files there are: {}.",
            files[..files.len().min(8)].join(", ")
        ),
    };
    Diagnostic::new(
        rule::BAD_TABLE,
        path.span,
        format!("there is no file `{}`", path.value),
    )
    .label("looked for beside the entry and under `content`")
    .help(help)
}
