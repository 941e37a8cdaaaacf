//! Matrices as tables, with their marked row or column.

use super::text::escape;
use super::writer::Writer;
use crate::model::claim::ShortText;
use crate::model::document::EmbedKind;
use crate::model::figure::{Highlight, Matrix};
use std::fmt::Write as _;

/// Widest matrix that needs no box to scroll in, in columns.
const PLAIN_WIDTH_MAX: usize = 8;

impl<'p> Writer<'p> {
    /// A matrix. Of columns that repeat, one copy is shown; the caption says how often they do.
    pub(super) fn matrix(&mut self, matrix: &'p Matrix, caption: Option<&'p ShortText>) -> String {
        let name = matrix.name.value.as_str();
        let place = self.place(EmbedKind::Matrix, name);
        let label = format!("Matrix {}.", name.to_uppercase());
        let caption = caption.or(matrix.caption.as_ref());
        let caption = caption
            .map(|caption| self.short(caption))
            .unwrap_or_default();
        let words = caption
            .get(..label.len())
            .filter(|start| start.eq_ignore_ascii_case(&label))
            .map_or(caption.as_str(), |start| &caption[start.len()..]);
        let columns = matrix.rows.first().map_or(0, Vec::len);
        let mut table = format!("<table aria-labelledby=\"figure-{place}-caption\"><tbody>\n");
        for (row, cells) in matrix.rows.iter().enumerate() {
            let hit = matrix.highlight == Some(Highlight::Row(row));
            table.push_str(if hit { "<tr class=\"hit\">" } else { "<tr>" });
            for (column, cell) in cells.iter().enumerate() {
                let hit = matches!(matrix.highlight, Some(Highlight::Column(at)) if at % columns == column);
                let class = if hit { " class=\"hit\"" } else { "" };
                let _ = write!(table, "<td{class}>{}</td>", escape(&cell.value));
            }
            table.push_str("</tr>\n");
        }
        table.push_str("</tbody></table>\n");
        if columns > PLAIN_WIDTH_MAX {
            table = format!(
                "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"figure-{place}-caption\">\n{table}</div>\n"
            );
        }
        let repeats = match matrix.repeat_columns {
            1 => String::new(),
            times => format!(
                " <span class=\"repeats\">Shown: the {columns} columns that stand {times} times, {} in all.</span>",
                matrix.width()
            ),
        };
        format!(
            "<figure class=\"figure matrix\" id=\"figure-{place}\">\n{table}\
             <figcaption id=\"figure-{place}-caption\"><b class=\"figure-no\">{}</b> {}{repeats}</figcaption>\n</figure>\n",
            escape(&label),
            words.trim_start()
        )
    }
}
