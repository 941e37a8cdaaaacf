//! A capture as CSV and as JSON, beside the page that shows it.
//!
//! Every cell keeps the characters it was written with. The JSON has the form in which a capture
//! is written, so it can be read back.

use super::writer::Writer;
use crate::model::dataset::{Capture, Exactness};
use crate::output::OutputPath;
use std::fmt::Write as _;

impl Writer<'_> {
    /// Adds the two files of a capture, each once.
    pub(super) fn downloads(&mut self, capture: &Capture) {
        let name = capture.name.value.as_str();
        let base = format!("{}{name}", self.here.address);
        let csv = format!("{base}.csv");
        let made = OutputPath::new(&csv).ok();
        if self
            .files
            .iter()
            .any(|file| Some(&file.path) == made.as_ref())
        {
            return;
        }
        self.file(&csv, as_csv(capture));
        self.file(&format!("{base}.json"), as_json(capture));
    }
}

/// The table as CSV: a line of column names, then the rows.
fn as_csv(capture: &Capture) -> Vec<u8> {
    let mut csv = csv::WriterBuilder::new()
        .flexible(true)
        .from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = csv.write_record(capture.columns.iter().map(|column| &column.name.value));
    for row in &capture.rows {
        let _ = csv.write_record(row.cells.iter().map(|cell| &cell.value));
    }
    csv.into_inner().unwrap_or_default()
}

/// The capture as JSON.
fn as_json(capture: &Capture) -> String {
    let from = &capture.provenance;
    let mut fields: Vec<(&str, String)> = Vec::new();
    let mut text = |key, value: Option<String>| {
        if let Some(value) = value {
            fields.push((key, string(&value)));
        }
    };
    text("device", from.device.as_ref().map(|v| v.value.clone()));
    let capability = from.compute_capability.as_ref();
    text("compute_capability", capability.map(|v| v.value.clone()));
    text("driver", from.driver.as_ref().map(|v| v.value.clone()));
    text("toolkit", from.toolkit.as_ref().map(|v| v.value.clone()));
    text("build", from.build.as_ref().map(|v| v.value.clone()));
    text("program", from.program.as_ref().map(|v| v.value.clone()));
    let digest = from.program_sha256.as_ref();
    text("program_sha256", digest.map(|v| v.value.clone()));
    text(
        "captured",
        from.captured.as_ref().map(|v| v.value.to_string()),
    );
    if !capture.constants.is_empty() {
        let constants = capture.constants.iter();
        let pairs: Vec<_> = constants
            .map(|(name, value)| format!("{}: {}", string(&name.value), scalar(&value.value)))
            .collect();
        fields.push(("constants", format!("{{{}}}", pairs.join(", "))));
    }
    fields.push(("columns", columns(capture)));
    let rows = capture.rows.iter().map(|row| {
        let cells: Vec<_> = row.cells.iter().map(|cell| scalar(&cell.value)).collect();
        format!("    [{}]", cells.join(", "))
    });
    let rows: Vec<_> = rows.collect();
    fields.push(("rows", format!("[\n{}\n  ]", rows.join(",\n"))));
    let lines: Vec<_> = fields
        .into_iter()
        .map(|(key, value)| format!("  {}: {value}", string(key)))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

fn columns(capture: &Capture) -> String {
    let lines = capture.columns.iter().map(|column| {
        let mut facts = Vec::new();
        for (key, value) in [
            ("title", &column.title),
            ("unit", &column.unit),
            ("derived", &column.derived),
        ] {
            if let Some(value) = value {
                facts.push(format!("{}: {}", string(key), string(&value.value)));
            }
        }
        if column.exactness == Exactness::Exact {
            facts.push("\"exact\": true".to_owned());
        }
        let mut line = String::new();
        let _ = write!(
            line,
            "    {}: {{{}}}",
            string(&column.name.value),
            facts.join(", ")
        );
        line
    });
    let lines: Vec<_> = lines.collect();
    format!("{{\n{}\n  }}", lines.join(",\n"))
}

/// A cell: the very characters where they are a JSON number, else a string.
fn scalar(text: &str) -> String {
    if is_json_number(text) {
        text.to_owned()
    } else {
        string(text)
    }
}

fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn is_json_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let leading_zero = unsigned.len() > 1
        && unsigned.starts_with('0')
        && unsigned.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    super::text::is_number(text)
        && unsigned.starts_with(|c: char| c.is_ascii_digit())
        && !text.contains(',')
        && text.trim() == text
        && !leading_zero
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stay_as_written() {
        for number in ["252.20", "0", "-1.50", "1e-9"] {
            assert_eq!(scalar(number), number);
        }
        for text in ["007", "1,000", "no", "+1", "12.10.1", "NaN", "−3"] {
            assert_eq!(scalar(text), format!("\"{text}\""));
        }
        assert_eq!(scalar("a\"b"), "\"a\\\"b\"");
    }
}
