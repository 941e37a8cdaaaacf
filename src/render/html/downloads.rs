//! A capture as CSV and as JSON, beside the page that shows it.
//!
//! Every cell keeps the characters it was written with. The JSON has the form in which a capture
//! is written, so it can be read back.

use super::writer::Writer;
use crate::model::dataset::{Capture, Exactness};
use crate::output::OutputPath;
use crate::source::Spanned;

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
fn as_json(capture: &Capture) -> Vec<u8> {
    let from = &capture.provenance;
    let captured = from.captured.as_ref().map(|day| day.value.to_string());
    let texts = [
        ("device", text(from.device.as_ref())),
        ("compute_capability", text(from.compute_capability.as_ref())),
        ("driver", text(from.driver.as_ref())),
        ("toolkit", text(from.toolkit.as_ref())),
        ("build", text(from.build.as_ref())),
        ("program", text(from.program.as_ref())),
        ("program_sha256", text(from.program_sha256.as_ref())),
        ("captured", captured.as_deref()),
    ];
    let mut json = Vec::with_capacity(ROOM_BYTES);
    json.push(b'{');
    let mut before = "\n  ";
    for (name, value) in texts {
        if let Some(value) = value {
            key(&mut json, before, name);
            string(&mut json, value);
            before = ",\n  ";
        }
    }
    if !capture.constants.is_empty() {
        key(&mut json, before, "constants");
        let mut between = "{";
        for (name, value) in &capture.constants {
            key(&mut json, between, name.as_str());
            scalar(&mut json, value.as_str());
            between = ", ";
        }
        json.push(b'}');
        before = ",\n  ";
    }
    key(&mut json, before, "columns");
    columns(capture, &mut json);
    key(&mut json, ",\n  ", "rows");
    json.extend_from_slice(b"[\n");
    let mut before = "    [";
    for row in &capture.rows {
        json.extend_from_slice(before.as_bytes());
        for (at, cell) in row.cells.iter().enumerate() {
            json.extend_from_slice(if at == 0 { b"" } else { b", " });
            scalar(&mut json, cell.as_str());
        }
        json.push(b']');
        before = ",\n    [";
    }
    json.extend_from_slice(b"\n  ]\n}\n");
    json
}

/// Room for the JSON of a table of a usual size.
const ROOM_BYTES: usize = 2 << 10;

fn columns(capture: &Capture, json: &mut Vec<u8>) {
    json.extend_from_slice(b"{\n");
    let mut before = "    ";
    for column in &capture.columns {
        key(json, before, column.name.as_str());
        json.push(b'{');
        let mut between = "";
        for (name, value) in [
            ("title", &column.title),
            ("unit", &column.unit),
            ("derived", &column.derived),
        ] {
            if let Some(value) = value {
                key(json, between, name);
                string(json, value.as_str());
                between = ", ";
            }
        }
        if column.exactness == Exactness::Exact {
            key(json, between, "exact");
            json.extend_from_slice(b"true");
        }
        json.push(b'}');
        before = ",\n    ";
    }
    json.extend_from_slice(b"\n  }");
}

fn text(text: Option<&Spanned<String>>) -> Option<&str> {
    text.map(Spanned::as_str)
}

/// Appends a key after what stands before it.
fn key(json: &mut Vec<u8>, before: &str, key: &str) {
    json.extend_from_slice(before.as_bytes());
    string(json, key);
    json.extend_from_slice(b": ");
}

/// Appends a cell: the very characters where they are a JSON number, else a string.
fn scalar(json: &mut Vec<u8>, text: &str) {
    if is_json_number(text) {
        json.extend_from_slice(text.as_bytes());
    } else {
        string(json, text);
    }
}

fn string(json: &mut Vec<u8>, text: &str) {
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(json, text);
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

    #[test]
    fn digits_stay_as_written() {
        let scalar = |text: &str| {
            let mut json = Vec::new();
            super::scalar(&mut json, text);
            String::from_utf8(json).unwrap()
        };
        for number in ["252.20", "0", "-1.50", "1e-9"] {
            assert_eq!(scalar(number), number);
        }
        for text in ["007", "1,000", "no", "+1", "12.10.1", "NaN", "−3"] {
            assert_eq!(scalar(text), format!("\"{text}\""));
        }
        assert_eq!(scalar("a\"b"), "\"a\\\"b\"");
    }
}
