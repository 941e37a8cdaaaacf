//! Measured tables, with where and how they were measured.

use super::text::{escape, is_number};
use super::writer::Writer;
use crate::model::claim::ShortText;
use crate::model::dataset::{Capture, Column, Provenance, Visibility};
use crate::model::document::EmbedKind;
use std::fmt::Write as _;

impl<'p> Writer<'p> {
    /// A capture's table; `caption` is the body's, and the capture's own serves without one.
    pub(super) fn measured(
        &mut self,
        capture: &'p Capture,
        caption: Option<&'p ShortText>,
    ) -> String {
        let name = capture.name.value.as_str();
        let place = self.place(EmbedKind::Measured, name);
        self.tables += 1;
        let number = self.tables;
        let words = match caption.or(capture.caption.as_ref()) {
            Some(caption) => self.short(caption),
            None => default_caption(&capture.provenance),
        };
        let mut html = format!(
            "<figure class=\"measured\" id=\"table-{place}\">\n\
             <div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"table-{place}-caption\">\n<table>\n\
             <caption id=\"table-{place}-caption\"><b class=\"figure-no\">Table {number}.</b> {words}</caption>\n"
        );
        let columns = kinds(capture);
        head(&mut html, &columns);
        html.push_str("<tbody>\n");
        for (at, row) in capture.rows.iter().enumerate() {
            let anchor = capture.row_anchor(at);
            let within = anchor.strip_prefix(name).unwrap_or_default();
            let _ = write!(html, "<tr id=\"{place}{}\">", escape(within));
            for kind in &columns {
                let Some(cell) = row.cells.get(kind.at) else {
                    continue;
                };
                let text = escape(&cell.value);
                let _ = match (kind.at, kind.decimals) {
                    (0, _) => write!(html, "<th scope=\"row\"><code>{text}</code></th>"),
                    (_, None) => write!(html, "<td>{text}</td>"),
                    (_, Some(decimals)) => {
                        let pad = padding(&cell.value, decimals);
                        write!(html, "<td class=\"num\">{text}{pad}</td>")
                    }
                };
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody>\n</table>\n</div>\n");
        if let Some(note) = &capture.note {
            let note = self.short(note);
            let _ = writeln!(html, "<p class=\"table-note\">{note}</p>");
        }
        html.push_str(&provenance(&capture.provenance, name));
        html.push_str("</figure>\n");
        html.push_str(&self.plot(capture, &place));
        self.downloads(capture);
        html
    }
}

/// A column as it is shown.
struct Shown<'c> {
    /// Its position among all columns of the capture.
    at: usize,
    column: &'c Column,
    /// Most digits after the point; `None` for a column of words.
    decimals: Option<usize>,
}

fn kinds(capture: &Capture) -> Vec<Shown<'_>> {
    let columns = capture.columns.iter().enumerate();
    columns
        .filter(|(_, column)| column.visibility == Visibility::Shown)
        .map(|(at, column)| {
            let cells = || capture.rows.iter().filter_map(|row| row.cells.get(at));
            let numbers = cells().all(|cell| is_number(&cell.value));
            let decimals = cells().map(|cell| decimals_of(&cell.value)).max();
            Shown {
                at,
                column,
                decimals: decimals.filter(|_| numbers && at > 0),
            }
        })
        .collect()
}

fn decimals_of(text: &str) -> usize {
    let text = text.trim();
    text.split_once('.').map_or(0, |(_, after)| after.len())
}

/// Blanks as wide as the digits that a number lacks to the right, so that points stand below each
/// other.
fn padding(text: &str, decimals: usize) -> String {
    let own = decimals_of(text);
    let mut pad = String::new();
    if own == 0 && decimals > 0 {
        pad.push('\u{2008}');
    }
    pad.extend(std::iter::repeat_n(
        '\u{2007}',
        decimals.saturating_sub(own),
    ));
    pad
}

fn head(html: &mut String, columns: &[Shown<'_>]) {
    html.push_str("<thead><tr>");
    for shown in columns {
        let column = shown.column;
        let class = if shown.decimals.is_some() {
            " class=\"num\""
        } else {
            ""
        };
        let title = match &column.title {
            Some(title) => title.value.clone(),
            None => column.name.value.replace('_', " "),
        };
        let _ = write!(html, "<th scope=\"col\"{class}>");
        match &column.unit {
            Some(unit) if unit.value == title => {
                let _ = write!(html, "<span class=\"unit\">{}</span>", escape(&title));
            }
            // A title that begins with its unit has said it.
            Some(unit)
                if title
                    .strip_prefix(&unit.value)
                    .is_some_and(|rest| rest.starts_with(' ')) =>
            {
                let _ = write!(html, "{}", escape(&title));
            }
            Some(unit) => {
                let (title, unit) = (escape(&title), escape(&unit.value));
                let _ = write!(html, "{title} <span class=\"unit\">{unit}</span>");
            }
            None => {
                let _ = write!(html, "{}", escape(&title));
            }
        }
        html.push_str("</th>");
    }
    html.push_str("</tr></thead>\n");
}

fn default_caption(from: &Provenance) -> String {
    match &from.device {
        Some(device) => format!("Measured on {}.", escape(&device.value)),
        None => "Measured.".to_owned(),
    }
}

/// The line that says where and how, with the downloads.
fn provenance(from: &Provenance, name: &str) -> String {
    let mut html =
        "<figcaption class=\"provenance\"><b class=\"measured-mark\">Measured</b>".to_owned();
    if let Some(device) = &from.device {
        let _ = write!(html, " <span>{}", escape(&device.value));
        if let Some(capability) = &from.compute_capability {
            let _ = write!(html, " (compute capability {})", escape(&capability.value));
        }
        html.push_str("</span>");
    }
    if let Some(driver) = &from.driver {
        let _ = write!(html, " <span>driver {}</span>", escape(&driver.value));
    }
    if let Some(toolkit) = &from.toolkit {
        let _ = write!(html, " <span>{}</span>", escape(&toolkit.value));
    }
    if let Some(build) = &from.build {
        let words = build.value.split_whitespace();
        let words: Vec<_> = words
            .map(|word| format!("<span>{}</span>", escape(word)))
            .collect();
        let _ = write!(html, " <span><code>{}</code></span>", words.join(" "));
    }
    if let Some(program) = &from.program {
        let _ = write!(
            html,
            " <span>by <code>{}</code></span>",
            escape(&program.value)
        );
    }
    if let Some(digest) = &from.program_sha256 {
        let short: String = digest.value.chars().take(12).collect();
        let _ = write!(
            html,
            " <span>SHA-256 <code>{}…</code></span>",
            escape(&short)
        );
    }
    if let Some(captured) = &from.captured {
        let day = captured.value;
        let _ = write!(
            html,
            " <span>captured <time datetime=\"{day}\">{day}</time></span>"
        );
    }
    let _ = writeln!(
        html,
        " <span><a href=\"{name}.csv\" aria-label=\"CSV of {name}\">CSV</a> \
         <a href=\"{name}.json\" aria-label=\"JSON of {name}\">JSON</a></span></figcaption>"
    );
    html
}
