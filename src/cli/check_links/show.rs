//! What was found, for people and for machines.

use super::{Known, Origin};
use crate::diagnostic::Severity;
use crate::diagnostic::human::{Colour, Notice, render_notice};
use crate::links::{Memory, Outcome};
use crate::model::date::Date;
use crate::source::{Sources, Span};
use serde::Serialize;

/// The version of the JSON format.
const VERSION: u32 = 1;

/// Every link, and what is needed to show it.
pub(super) struct Shown<'a> {
    /// The links, in the order of their addresses.
    pub known: &'a [Known<'a>],
    /// Earlier answers.
    pub memory: &'a Memory,
    /// The site's files.
    pub sources: &'a Sources,
    /// The day of the run.
    pub today: Date,
}

#[derive(Debug, Default, Serialize)]
struct Counts {
    links: usize,
    ok: usize,
    moved: usize,
    broken: usize,
    unknown: usize,
    cached: usize,
}

#[derive(Debug, Serialize)]
struct Report<'a> {
    version: u32,
    summary: Counts,
    links: Vec<LinkReport<'a>>,
}

#[derive(Debug, Serialize)]
struct LinkReport<'a> {
    url: &'a str,
    result: &'static str,
    status: Option<u16>,
    /// Where it has moved to.
    to: Option<&'a str>,
    /// Why it is broken or unknown.
    why: Option<&'a str>,
    /// The day of the answer; none if nothing was learned.
    checked: Option<String>,
    /// Whether the answer is an earlier one.
    cached: bool,
    uses: Vec<UseReport<'a>>,
}

#[derive(Debug, Serialize)]
struct UseReport<'a> {
    path: &'a str,
    line: u32,
    column: u32,
    entry: Option<&'a str>,
}

impl Shown<'_> {
    /// Broken links, then moved ones, then those that nothing is known of, then the counts.
    pub(super) fn text(&self, colour: Colour) -> String {
        let mut text = String::new();
        for severity in [Severity::Error, Severity::Warning, Severity::Off] {
            for known in self.known {
                if weight(&known.outcome) == Some(severity) {
                    text.push_str(&self.notice(known, severity, colour));
                    text.push_str("\n\n");
                }
            }
        }
        let counts = self.counts();
        let links = if counts.links == 1 { "link" } else { "links" };
        let cached = match counts.cached {
            0 => String::new(),
            number => format!("; {number} by earlier answers"),
        };
        let closing = format!(
            "{} {links}: {} ok, {} moved, {} broken, {} unknown{cached}\n",
            counts.links, counts.ok, counts.moved, counts.broken, counts.unknown
        );
        text.push_str(&closing);
        text
    }

    fn notice(&self, known: &Known<'_>, severity: Severity, colour: Colour) -> String {
        let url = known.url;
        let (message, help) = match &known.outcome {
            Outcome::Ok { .. } => return String::new(),
            Outcome::Moved { to, .. } => (
                format!("`{url}` has moved to `{to}`"),
                Some("Read what stands there now, and give the new address."),
            ),
            Outcome::Broken { why, .. } => (
                format!("`{url}` is broken: {why}"),
                Some(
                    "Find where the document went, or cite another; then read it before its `checked` date changes.",
                ),
            ),
            Outcome::Unknown { why, .. } => (format!("`{url}` may be there or not: {why}"), None),
        };
        let last = self.memory.last(url).filter(|_| severity == Severity::Off);
        let last = last.and_then(|last| {
            let day = last.checked()?;
            Some(format!("the last answer, on {day}, was: {}", last.word()))
        });
        let spans: Vec<Span> = known.external.uses.iter().map(|place| place.span).collect();
        let notice = Notice {
            severity,
            message: &message,
            spans: &spans,
            note: last.as_deref(),
            help,
        };
        render_notice(&notice, self.sources, colour)
    }

    fn counts(&self) -> Counts {
        let mut counts = Counts {
            links: self.known.len(),
            ..Counts::default()
        };
        for known in self.known {
            *match known.outcome {
                Outcome::Ok { .. } => &mut counts.ok,
                Outcome::Moved { .. } => &mut counts.moved,
                Outcome::Broken { .. } => &mut counts.broken,
                Outcome::Unknown { .. } => &mut counts.unknown,
            } += 1;
            counts.cached += usize::from(known.from == Origin::Remembered);
        }
        counts
    }

    /// Every link as JSON, with a line end.
    pub(super) fn json(&self) -> String {
        let report = Report {
            version: VERSION,
            summary: self.counts(),
            links: self.known.iter().map(|known| self.link(known)).collect(),
        };
        let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
        text.push('\n');
        text
    }

    fn link<'b>(&'b self, known: &'b Known<'_>) -> LinkReport<'b> {
        let (status, to, why) = match &known.outcome {
            Outcome::Ok { status } => (Some(*status), None, None),
            Outcome::Moved { status, to } => (Some(*status), Some(to.as_str()), None),
            Outcome::Broken { status, why } | Outcome::Unknown { status, why } => {
                (*status, None, Some(why.as_str()))
            }
        };
        let uses = known.external.uses.iter().map(|place| {
            let (start, _) = self.sources.position(place.span);
            UseReport {
                path: &self.sources.file(place.span.file).path,
                line: start.line,
                column: start.column,
                entry: place.entry.as_deref(),
            }
        });
        let checked = known.checked(self.memory, self.today);
        LinkReport {
            url: known.url,
            result: known.outcome.word(),
            status,
            to,
            why,
            checked: checked.map(|day| day.to_string()),
            cached: known.from == Origin::Remembered,
            uses: uses.collect(),
        }
    }
}

/// How much an outcome weighs; `None` if there is nothing to tell.
fn weight(outcome: &Outcome) -> Option<Severity> {
    match outcome {
        Outcome::Ok { .. } => None,
        Outcome::Moved { .. } => Some(Severity::Warning),
        Outcome::Broken { .. } => Some(Severity::Error),
        Outcome::Unknown { .. } => Some(Severity::Off),
    }
}
