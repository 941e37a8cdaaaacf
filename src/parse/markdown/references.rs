//! Link references: `[text][name]` and `[name]: address`.
//!
//! A reference without a definition, a definition that nothing uses and a second one of the same
//! name are reported: Markdown says nothing about the first and shows nothing of the others.

use super::reader::Reader;
use crate::diagnostic::rule;
use pulldown_cmark::{BrokenLinkCallback, Parser};
use std::collections::BTreeMap;
use std::ops::Range;

/// The definitions of a body.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    list: Vec<Definition>,
    by_name: BTreeMap<String, usize>,
    /// Where paragraphs, headings, code and raw HTML stand: what looks like a definition there is
    /// text.
    leaves: Vec<Range<usize>>,
}

#[derive(Debug)]
struct Definition {
    name: String,
    range: Range<usize>,
    used: bool,
}

impl Definitions {
    /// The definitions that the parser found, in the order of the body.
    pub(super) fn of<'a, F: BrokenLinkCallback<'a>>(parser: &Parser<'a, F>) -> Self {
        let mut list: Vec<_> = parser
            .reference_definitions()
            .iter()
            .map(|(name, definition)| Definition {
                name: name.to_owned(),
                range: definition.span.clone(),
                used: false,
            })
            .collect();
        list.sort_by_key(|definition| definition.range.start);
        let by_name = list
            .iter()
            .enumerate()
            .map(|(index, definition)| (fold(&definition.name), index))
            .collect();
        Self {
            list,
            by_name,
            leaves: Vec::new(),
        }
    }

    /// Notes that a link uses a definition.
    pub(super) fn used(&mut self, name: &str) {
        if name.is_empty() || self.list.is_empty() {
            return;
        }
        if let Some(&index) = self.by_name.get(&fold(name)) {
            self.list[index].used = true;
        }
    }

    /// Notes that a range is text.
    pub(super) fn leaf(&mut self, range: &Range<usize>) {
        if !self.list.is_empty() {
            self.leaves.push(range.clone());
        }
    }

    fn is_text(&self, at: usize) -> bool {
        let after = self.leaves.partition_point(|leaf| leaf.start <= at);
        after > 0 && self.leaves[after - 1].contains(&at)
    }
}

/// Names are one if they differ in case and white space only.
fn fold(name: &str) -> String {
    name.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

impl Reader<'_> {
    /// Reports references without definition, and definitions that show nothing.
    pub(super) fn report_references(&mut self, unresolved: &[Range<usize>]) {
        for range in unresolved {
            let collapsed = self.body[range.end..].starts_with("[]");
            let range = range.start..range.end + if collapsed { 2 } else { 0 };
            let written = &self.body[range.clone()];
            let finding = self
                .finding(
                    rule::LOST_TEXT,
                    range.clone(),
                    format!("`{written}` refers to nothing"),
                )
                .label("shown as text, and no link")
                .help(
                    "Define the name, `[name]: address`, write the address in the link, or put \
                     code in backticks.",
                );
            self.push(finding);
        }
        if self.definitions.list.is_empty() {
            return;
        }
        self.report_repeated();
        let definitions = std::mem::take(&mut self.definitions.list);
        for definition in definitions.iter().filter(|definition| !definition.used) {
            let name = &definition.name;
            let finding = self
                .finding(
                    rule::LOST_TEXT,
                    definition.range.clone(),
                    format!("nothing uses the definition of `{name}`"),
                )
                .label("not shown")
                .help(format!(
                    "Use it, `[text][{name}]`, or take it out. To show it as text, put a \
                     backslash before `[`."
                ));
            self.push(finding);
        }
    }

    fn report_repeated(&mut self) {
        let mut at = 0;
        for line in self.body.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let Some((name, offset)) = defined_name(line) else {
                continue;
            };
            let place = start + offset;
            let Some(&index) = self.definitions.by_name.get(&fold(name)) else {
                continue;
            };
            let first = self.definitions.list[index].range.clone();
            if first.contains(&place) || self.definitions.is_text(place) {
                continue;
            }
            let first = self.span(first);
            let finding = self
                .finding(
                    rule::LOST_TEXT,
                    place..start + line.trim_end().len(),
                    format!("the reference `{name}` is defined twice"),
                )
                .label("not used and not shown")
                .related(first, "this one counts")
                .help("Keep one of them, or give the second another name.");
            self.push(finding);
        }
    }
}

/// The name that a line defines, and where its bracket stands in the line.
fn defined_name(line: &str) -> Option<(&str, usize)> {
    let rest = line.trim_start_matches([' ', '>']);
    let name = rest.strip_prefix('[')?;
    let end = name.find("]:")?;
    let name = &name[..end];
    (!name.starts_with('^') && !name.contains(['[', ']']))
        .then_some((name, line.len() - rest.len()))
}
