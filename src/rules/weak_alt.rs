//! `weak-alt`.

use super::{CheckContext, Rule, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::claim::ShortText;
use crate::resolve::fold_name;
use crate::source::Span;

pub(super) const RULE: Rule = Rule {
    id: rule::WEAK_ALT,
    scope: Scope::Entry(check),
    explain: include_str!("weak-alt.md"),
};

/// Shorter than this many characters says next to nothing.
const LENGTH_MIN: usize = 20;

fn check(cx: &CheckContext<'_>, out: &mut Diagnostics) {
    let entry = cx.entry;
    let diagrams = entry.diagrams.iter().map(|d| (&d.alt, &d.caption));
    let models = entry.models.iter().map(|m| (&m.alt, &m.caption));
    for (alt, caption) in diagrams.chain(models) {
        let Some(alt) = alt else { continue };
        let caption = caption.as_ref().map(ShortText::plain);
        report(
            &alt.plain(),
            alt.span,
            &[Some(entry.title.value.clone()), caption],
            out,
        );
    }
    for image in &entry.body.images {
        let others = [Some(entry.title.value.clone()), Some(image.title.clone())];
        report(&image.alt, image.span, &others, out);
    }
}

fn report(alt: &str, place: Span, others: &[Option<String>], out: &mut Diagnostics) {
    // An empty text is `missing-alt`.
    if alt.trim().is_empty() {
        return;
    }
    let Some(why) = weakness(alt, others) else {
        return;
    };
    out.push(
        Diagnostic::new(rule::WEAK_ALT, place, "this alternative text says little")
            .label(why)
            .help("Say what the figure shows and what is to be seen in it."),
    );
}

/// What is weak about an alternative text, if anything is.
fn weakness(alt: &str, others: &[Option<String>]) -> Option<String> {
    let text = fold_name(alt);
    let begins = [
        "image of",
        "picture of",
        "photo of",
        "diagram of",
        "figure of",
        "graphic of",
    ];
    if let Some(begin) = begins.iter().find(|begin| text.starts_with(*begin)) {
        return Some(format!(
            "it begins with “{begin}”, which a screen reader says anyway"
        ));
    }
    let endings = [".png", ".svg", ".jpg", ".jpeg", ".gif", ".webp", ".pdf"];
    if !text.contains(' ') && endings.iter().any(|ending| text.ends_with(ending)) {
        return Some("it is a file name".to_owned());
    }
    if others
        .iter()
        .flatten()
        .any(|other| fold_name(other) == text)
    {
        return Some("it repeats the title or the caption".to_owned());
    }
    let length = alt.trim().chars().count();
    (length < LENGTH_MIN).then(|| format!("it has {length} characters"))
}
