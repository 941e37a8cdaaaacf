//! Tables: a box that scrolls and that the keyboard can reach, heads with their scope, columns of
//! numbers marked as such. A row's cells past the head are reported: Markdown drops them.

use super::Ranged;
use super::blocks::attribute;
use super::reader::{MAX_DEPTH, Reader};
use crate::diagnostic::rule;
use pulldown_cmark::{Alignment, Event, Tag, TagEnd};
use std::ops::Range;

/// How many starts, ends and texts a table may be made of: some 50,000 cells.
pub(super) const MAX_EVENTS: usize = 200_000;

/// The class of a column's cells; empty for none.
type Class = &'static str;

/// What a table's cells show about its columns.
struct Columns {
    classes: Vec<Class>,
    heads: String,
}

impl<'a> Reader<'a> {
    /// A whole table: its alignments, the events inside it, and its range.
    pub(super) fn table(
        &mut self,
        alignments: &[Alignment],
        events: Vec<Ranged<'a>>,
        range: Range<usize>,
    ) {
        self.flush_run();
        self.end_words();
        self.definitions.leaf(&range);
        if self.depth + 4 > MAX_DEPTH {
            self.refuse_depth(range);
            return;
        }
        if events.len() > MAX_EVENTS {
            let at = range.start..range.start + 1;
            let finding = self
                .finding(rule::TOO_LARGE, at, "the table has too many cells")
                .label("begins here")
                .help("Keep measured tables in a capture file, and show the columns that matter.");
            self.refuse(finding);
            return;
        }
        let columns = Columns::of(alignments, &events);
        let label = if columns.heads.is_empty() {
            "Table".to_owned()
        } else {
            format!("Table: {}", columns.heads)
        };
        let label = self.own_label(&label);
        let html = &mut self.stream.html;
        html.push_str("<div class=\"scroll\" role=\"region\" tabindex=\"0\"");
        attribute(html, "aria-label", "", &label);
        html.push_str("><table>\n");
        self.depth += 2;
        self.rows(&columns.classes, events);
        self.depth -= 2;
        self.block("</tbody></table></div>\n");
        if self.depth == 0 {
            self.end_of_top_block();
        }
    }

    fn rows(&mut self, classes: &[Class], events: Vec<Ranged<'a>>) {
        let mut head = true;
        let mut column = 0;
        let mut cell_end = 0;
        let mut cell = "td";
        for (event, range) in events {
            match event {
                Event::Start(Tag::TableHead) => self.stream.html.push_str("<thead><tr>"),
                Event::End(TagEnd::TableHead) => {
                    head = false;
                    column = 0;
                    self.block("</tr></thead>\n<tbody>\n");
                }
                Event::Start(Tag::TableRow) => {
                    column = 0;
                    cell_end = range.start;
                    self.stream.html.push_str("<tr>");
                }
                Event::End(TagEnd::TableRow) => {
                    self.block("</tr>\n");
                    self.look_past_head(cell_end..range.end);
                }
                Event::Start(Tag::TableCell) => {
                    // A corner without words is no head of anything.
                    let words = self.body.get(range.clone()).unwrap_or("");
                    let blank = words.chars().all(|c| c == '|' || c.is_whitespace());
                    cell = if head && !blank { "th" } else { "td" };
                    let scope = if cell == "th" { " scope=\"col\"" } else { "" };
                    self.stream.html.extend(["<", cell, scope]);
                    let class = classes.get(column).copied().unwrap_or("");
                    attribute(&mut self.stream.html, "class", "", class);
                    self.stream.html.push('>');
                    self.in_cell = true;
                }
                Event::End(TagEnd::TableCell) => {
                    self.flush_run();
                    self.close_raw();
                    self.in_cell = false;
                    column += 1;
                    cell_end = range.end;
                    self.stream.html.extend(["</", cell, ">"]);
                    // What stands in a cell is a sentence of its own.
                    self.end_words();
                }
                other => self.event(other, range),
            }
            if self.is_stopped() {
                return;
            }
        }
    }

    /// Reports text of a row after its last cell.
    fn look_past_head(&mut self, rest: Range<usize>) {
        let blank = |c: char| c == '|' || c.is_whitespace();
        let text = self.body.get(rest.clone()).unwrap_or("");
        let lost = text.trim_matches(blank);
        if lost.is_empty() {
            return;
        }
        let start = rest.start + (text.len() - text.trim_start_matches(blank).len());
        let finding = self
            .finding(
                rule::LOST_TEXT,
                start..start + lost.len(),
                "the row has more cells than the table's head",
            )
            .label("not shown")
            .help("Add a column to the head, or write a bar inside a cell as `\\|`, in code too.");
        self.push(finding);
    }
}

impl Columns {
    fn of(alignments: &[Alignment], events: &[Ranged<'_>]) -> Self {
        let mut heads = Vec::new();
        // For each column: whether a number was seen, and whether anything else was.
        let mut seen = vec![(false, false); alignments.len()];
        let mut text = String::new();
        let mut column = 0;
        let mut in_head = false;
        for (event, _) in events {
            match event {
                Event::Start(Tag::TableHead) => in_head = true,
                Event::End(TagEnd::TableHead) => in_head = false,
                Event::Start(Tag::TableRow) => column = 0,
                Event::Start(Tag::TableCell) => text.clear(),
                Event::Text(words) | Event::Code(words) => text.push_str(words),
                Event::End(TagEnd::TableCell) if in_head => heads.push(text.trim().to_owned()),
                Event::End(TagEnd::TableCell) => {
                    if let Some(seen) = seen.get_mut(column) {
                        match kind_of(&text) {
                            Cell::Number => seen.0 = true,
                            Cell::Words => seen.1 = true,
                            Cell::Empty => {}
                        }
                    }
                    column += 1;
                }
                _ => {}
            }
        }
        heads.retain(|head| !head.is_empty());
        let classes =
            alignments
                .iter()
                .zip(seen)
                .map(|(alignment, seen)| match (alignment, seen) {
                    (Alignment::None | Alignment::Right, (true, false)) => "num",
                    (Alignment::None, _) => "",
                    (Alignment::Left, _) => "left",
                    (Alignment::Center, _) => "center",
                    (Alignment::Right, _) => "right",
                });
        Self {
            classes: classes.collect(),
            heads: heads.join(", "),
        }
    }
}

enum Cell {
    Empty,
    Number,
    Words,
}

/// Whether a cell is a number, alone or with a sign, a percent sign or a multiplication sign.
fn kind_of(text: &str) -> Cell {
    let text = text.trim();
    if text.is_empty() || matches!(text, "-" | "–" | "—") {
        return Cell::Empty;
    }
    let digits = text
        .trim_start_matches(['+', '-', '−', '±', '≈', '~', '<', '>', '≤', '≥'])
        .trim_end_matches(['%', '×', 'x'])
        .trim();
    let number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\u{a0}' | '\u{202f}'));
    if number { Cell::Number } else { Cell::Words }
}
