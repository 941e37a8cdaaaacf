//! `missing-alt`.

use super::{CheckContext, Rule, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::claim::ShortText;
use crate::source::Span;

pub(super) const RULE: Rule = Rule {
    id: rule::MISSING_ALT,
    scope: Scope::Entry(check),
    explain: include_str!("missing-alt.md"),
};

fn check(cx: &CheckContext<'_>, out: &mut Diagnostics) {
    let entry = cx.entry;
    let diagrams = entry.diagrams.iter().map(|d| (&d.name, &d.alt, "diagram"));
    let models = entry.models.iter().map(|m| (&m.name, &m.alt, "model"));
    for (name, alt, what) in diagrams.chain(models) {
        if is_blank(alt.as_ref()) {
            let place = alt.as_ref().map_or(name.span, |alt| alt.span);
            out.push(finding(
                place,
                &format!("the {what} `{}` has no alternative text", name.value),
            ));
        }
    }
    for image in &entry.body.images {
        if image.alt.trim().is_empty() {
            out.push(finding(image.span, "the image has no alternative text"));
        }
    }
}

fn is_blank(alt: Option<&ShortText>) -> bool {
    alt.is_none_or(|alt| alt.plain().trim().is_empty())
}

fn finding(place: Span, message: &str) -> Diagnostic {
    Diagnostic::new(rule::MISSING_ALT, place, message)
        .label("no `alt`")
        .note("Who cannot see the figure gets nothing of it.")
        .help("Say in words what the figure shows; claims may stand in it.")
}
