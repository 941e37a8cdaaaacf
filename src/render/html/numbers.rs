//! Claims: each number in the text, and how it comes out.

use super::proof::steps;
use super::text::escape;
use super::writer::Writer;
use crate::evaluate::{Fact, Operand, Origin, Verdict};
use crate::model::claim::Claim;
use crate::model::dataset::Capture;
use crate::model::entry::Entry;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The claims of a page so far.
#[derive(Debug, Default)]
pub(super) struct Numbers<'p> {
    list: Vec<Number<'p>>,
    /// By formula and printed text: position in `list`.
    known: BTreeMap<(&'p str, &'p str), usize>,
}

#[derive(Debug)]
struct Number<'p> {
    fact: &'p Fact,
    /// How often it stands in the page.
    uses: usize,
}

impl<'p> Writer<'p> {
    /// A number of the text; its plain words where it could not be evaluated.
    pub(super) fn claim(&mut self, claim: &'p Claim) -> String {
        let text = escape(&claim.text.value);
        let Some(at) = self.number(claim) else {
            return text.to_string();
        };
        let Some(number) = self.numbers.list.get_mut(at) else {
            return text.to_string();
        };
        number.uses += 1;
        format!(
            "<data class=\"claim\" value=\"{}\"><a href=\"#number-{1}\" id=\"claim-{1}-{2}\">{text}</a></data>",
            escape(&number.fact.value),
            at + 1,
            number.uses,
        )
    }

    /// Takes a claim into the list, if it is not there.
    pub(super) fn number(&mut self, claim: &'p Claim) -> Option<usize> {
        let (index, _) = self.here.entry?;
        let key = (claim.formula.value.trim(), claim.text.value.as_str());
        if let Some(at) = self.numbers.known.get(&key) {
            return Some(*at);
        }
        let fact = self.build.facts.get(index)?.get(claim.span)?;
        // A site may turn a rule of the evidence down; a number that does not hold is then plain
        // words and never shown as proved.
        if fact.verdict != Verdict::Holds {
            return None;
        }
        let at = self.numbers.list.len();
        self.numbers.known.insert(key, at);
        self.numbers.list.push(Number { fact, uses: 0 });
        Some(at)
    }

    /// The list of how each number comes out.
    pub(super) fn numbers_list(&self) -> String {
        let Some((_, entry)) = self.here.entry else {
            return String::new();
        };
        let mut html = String::new();
        for (at, number) in self.numbers.list.iter().enumerate() {
            let at = at + 1;
            let _ = writeln!(html, "<li id=\"number-{at}\">");
            let _ = write!(
                html,
                "<p class=\"sum\"><b>{}</b> = <code>{}</code>",
                escape(&number.fact.text),
                escape(number.fact.formula.trim())
            );
            for step in &steps(number.fact) {
                let _ = write!(html, " = {}", escape(step));
            }
            html.push_str("</p>\n<p class=\"facts\">");
            html.push_str(&facts(entry, &number.fact.operands));
            for place in 1..=number.uses {
                let label = match number.uses {
                    1 => "Back to the text".to_owned(),
                    _ => format!("Back to the text, place {place}"),
                };
                let _ = write!(
                    html,
                    " <a class=\"back\" href=\"#claim-{at}-{place}\" aria-label=\"{label}\">↑</a>"
                );
            }
            html.push_str("</p>\n</li>\n");
        }
        html
    }
}

/// Where the values come from, in sentences.
fn facts(entry: &Entry, operands: &[Operand]) -> String {
    let mut sentences = Vec::new();
    let mut captures: Vec<&str> = Vec::new();
    for operand in operands {
        if let Origin::Measured { capture, .. } = &operand.origin
            && !captures.contains(&capture.as_str())
        {
            captures.push(capture.as_str());
        }
    }
    for name in captures {
        let mut all = entry.measured.iter();
        if let Some(capture) = all.find(|capture| capture.name.value.as_str() == name) {
            sentences.push(measured_on(capture));
            sentences.extend(rows_of(capture, operands));
        }
    }
    for operand in operands {
        let sentence = computed(entry, &operand.origin);
        sentences.extend(sentence.filter(|sentence| !sentences.contains(sentence)));
    }
    sentences.join(" ")
}

/// Where a computed value comes from.
fn computed(entry: &Entry, origin: &Origin) -> Option<String> {
    let (mark, name, figure) = match origin {
        Origin::Measured { .. } => return None,
        Origin::Model(name) => ("Model", name, Some(name.clone())),
        Origin::Matrix(name) => ("Matrix", name, Some(name.clone())),
        Origin::Preset(name) => {
            let mut diagrams = entry.diagrams.iter();
            let shows = diagrams.find(|diagram| {
                let preset = diagram.preset.as_ref();
                preset.is_some_and(|preset| preset.value == *name)
            });
            ("Model", name, shows.map(|d| d.name.value.to_string()))
        }
    };
    let how = match origin {
        Origin::Matrix(_) => "",
        _ => ", simulated when the site was built",
    };
    let name = escape(name);
    Some(match figure {
        Some(figure) => {
            let figure = escape(&figure);
            format!("{mark} <a href=\"#figure-{figure}\"><code>{name}</code></a>{how}.")
        }
        None => format!("{mark} <code>{name}</code>{how}."),
    })
}

fn measured_on(capture: &Capture) -> String {
    let from = &capture.provenance;
    let mut parts = vec!["Measured".to_owned()];
    if let Some(device) = &from.device {
        parts[0] = format!("Measured on {}", escape(&device.value));
    }
    if let Some(driver) = &from.driver {
        parts.push(format!("driver {}", escape(&driver.value)));
    }
    if let Some(toolkit) = &from.toolkit {
        parts.push(escape(&toolkit.value).to_string());
    }
    if let Some(captured) = &from.captured {
        let day = captured.value;
        parts.push(format!("<time datetime=\"{day}\">{day}</time>"));
    }
    format!("{}.", parts.join(", "))
}

/// Links to the rows of a capture that a formula reads.
fn rows_of(capture: &Capture, operands: &[Operand]) -> Option<String> {
    let name = &capture.name.value;
    let mut links: Vec<String> = Vec::new();
    let mut whole = false;
    for operand in operands {
        let Origin::Measured {
            capture, anchor, ..
        } = &operand.origin
        else {
            continue;
        };
        if capture != name {
            continue;
        }
        let Some(anchor) = anchor else {
            whole |= operand.path.contains('*');
            continue;
        };
        let label = operand.path.split('.').nth(1).unwrap_or_default();
        let (anchor, label) = (escape(anchor), escape(label));
        let link = format!("<a href=\"#{anchor}\"><code>{label}</code></a>");
        if !links.contains(&link) {
            links.push(link);
        }
    }
    let word = if links.len() == 1 && !whole {
        "Row"
    } else {
        "Rows"
    };
    if whole {
        links.push(format!("<a href=\"#table-{name}\">all</a>"));
    }
    (!links.is_empty()).then(|| format!("{word} {}.", and_list(&links)))
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn and_list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
