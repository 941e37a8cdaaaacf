//! Where and how a table was measured.

use super::super::fields::Fields;
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::dataset::Provenance;
use crate::model::date::Date;
use crate::model::slug::Slug;
use crate::source::{Span, Spanned};

/// Takes the keys of the provenance; what is required and absent is reported once for the capture.
pub(super) fn provenance(
    name: &Spanned<Slug>,
    fields: &mut Fields<'_>,
    out: &mut Diagnostics,
) -> Provenance {
    let mut missing = Vec::new();
    let mut required = |key: &'static str, out: &mut Diagnostics| {
        let Some(text) = fields.text(key, out) else {
            missing.push(key);
            return None;
        };
        if says_nothing(&text.value) {
            out.push(empty(name, key, &text));
            return None;
        }
        Some(text)
    };
    let device = required("device", out);
    let driver = required("driver", out);
    let toolkit = required("toolkit", out);
    let build = required("build", out);
    let captured = required("captured", out);
    let provenance = Provenance {
        device,
        compute_capability: fields.text("compute_capability", out),
        driver,
        toolkit,
        build,
        captured: captured.and_then(|text| date(&text, out)),
        program: fields.text("program", out),
        program_sha256: fields.text("program_sha256", out),
    };
    if let Some(digest) = &provenance.program_sha256 {
        check_digest(digest, out);
    }
    if !missing.is_empty() {
        out.push(absent(name, &missing, fields.span()));
    }
    provenance
}

/// Whether a text stands where something is still to be filled in.
fn says_nothing(text: &str) -> bool {
    const PLACEHOLDERS: [&str; 8] = [
        "pending", "tbd", "tba", "todo", "unknown", "na", "none", "xxx",
    ];
    let word: String = text
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    word.is_empty() || PLACEHOLDERS.contains(&word.as_str())
}

fn empty(name: &Spanned<Slug>, key: &str, text: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(
        rule::MISSING_PROVENANCE,
        text.span,
        format!("`{key}` of the capture `{}` says nothing", name.value),
    )
    .label("a reader could not repeat the measurement from this")
    .help(format!(
        "Write what `{key}` was when the table was measured."
    ))
}

fn absent(name: &Spanned<Slug>, missing: &[&str], block: Span) -> Diagnostic {
    let keys = missing.join("`, `");
    let at = if block.file == name.span.file {
        name.span
    } else {
        Span {
            end: block.start,
            ..block
        }
    };
    Diagnostic::new(
        rule::MISSING_PROVENANCE,
        at,
        format!("the capture `{}` does not say its `{keys}`", name.value),
    )
    .label("nothing of that stands here")
    .note("A measured number means something only together with the machine it was measured on.")
    .help(format!("Add `{}: …`.", missing.join(": …` and `")))
}

fn date(text: &Spanned<String>, out: &mut Diagnostics) -> Option<Spanned<Date>> {
    if let Some(date) = Date::parse(&text.value) {
        return Some(Spanned::new(date, text.span));
    }
    out.push(
        Diagnostic::new(
            rule::BAD_DATE,
            text.span,
            format!("`{}` is not a day of the calendar", text.value),
        )
        .label("not a date")
        .help("Write the day of the capture as YYYY-MM-DD."),
    );
    None
}

fn check_digest(digest: &Spanned<String>, out: &mut Diagnostics) {
    let text = &digest.value;
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        out.push(
            Diagnostic::new(
                rule::BAD_TABLE,
                digest.span,
                "`program_sha256` is not a SHA-256 digest",
            )
            .label("64 hexadecimal digits are wanted here")
            .help("Write what `sha256sum` prints for the program."),
        );
    }
}
