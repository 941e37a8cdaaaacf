//! Evidence: every number in prose is held against the data that it comes from.
//!
//! Job: evaluate the claims of an entry and check the derived columns of its captures. Input: an
//! [`Entry`] and a [`Lookup`] for the results of simulations. Output: [`Facts`], and findings at
//! the places in the author's files. Invariant: arithmetic is exact; a measured cell stands for
//! the interval of numbers that round to it, and no claim holds that some number in the intervals
//! contradicts. Nothing here loops without a bound that the input cannot move.

mod claims;
mod columns;
pub mod fact;
mod formula;
pub mod interval;
pub mod lookup;
mod place;
mod printed;
mod range;
mod resolve;
mod term;

pub use fact::{Fact, Facts, LazyFacts, Operand, Origin, Verdict};
pub use lookup::{Asked, Lookup, LookupError};

use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::claim::{Claim, ShortText};
use crate::model::document::EmbedKind;
use crate::model::entry::Entry;
use resolve::Scope;
use term::Budget;

/// Evaluates every claim of an entry (body, short answer, captions, alternative texts, notes of
/// captures) and checks its derived columns.
pub fn entry(entry: &Entry, lookup: &dyn Lookup, out: &mut Diagnostics) -> Facts {
    let mut found = Diagnostics::new();
    let budget = Budget::new(Budget::ENTRY);
    let mut facts = Facts::default();
    for capture in &entry.measured {
        columns::check(capture, &budget, &mut found);
    }
    let scope = Scope::Claim(entry, lookup);
    for claim in claims_of(entry) {
        if let Some(fact) = claims::claim(claim, scope, &budget, &mut found) {
            facts.insert(claim.span, fact);
        }
    }
    facts.shrink();
    unclaimed(entry, &mut found);
    if budget.is_spent() {
        found.push(
            Diagnostic::new(
                rule::TOO_LARGE,
                entry.title.span,
                "the formulas of this entry read more cells than are read here",
            )
            .label("not all of its claims were checked")
            .help("Capture fewer rows, or put sums over columns into constants."),
        );
    }
    for finding in &found {
        out.push(finding.clone().entry(entry.id.shared()));
    }
    facts
}

/// Every claim of an entry: the body first, then the front matter in the order of the page.
fn claims_of(entry: &Entry) -> impl Iterator<Item = &Claim> {
    let captures = entry
        .measured
        .iter()
        .flat_map(|capture| [&capture.caption, &capture.note]);
    let diagrams = entry
        .diagrams
        .iter()
        .flat_map(|diagram| [&diagram.alt, &diagram.caption]);
    let models = entry
        .models
        .iter()
        .flat_map(|model| [&model.alt, &model.caption]);
    let matrices = entry.matrices.iter().map(|matrix| &matrix.caption);
    let texts = std::iter::once(&entry.short)
        .chain(captures)
        .chain(diagrams)
        .chain(models)
        .chain(matrices);
    let texts = texts.flatten().flat_map(ShortText::claims);
    entry.body.claims.iter().chain(texts)
}

/// Bare numbers in measured passages: the sections of the body that place a capture or make a
/// claim. Those whose sentence cites a source are not among [`Document::numbers`](crate::model::document::Document).
fn unclaimed(entry: &Entry, out: &mut Diagnostics) {
    let body = &entry.body;
    let section = |at: u32| {
        body.headings
            .iter()
            .filter(|heading| heading.span.start <= at)
            .count()
    };
    let placed = body
        .embeds
        .iter()
        .filter(|embed| embed.kind == EmbedKind::Measured);
    let evidence = placed
        .map(|embed| embed.span)
        .chain(body.claims.iter().map(|claim| claim.span));
    let measured: std::collections::BTreeSet<_> =
        evidence.map(|span| section(span.start)).collect();
    for number in &body.numbers {
        if measured.contains(&section(number.span.start)) {
            out.push(
                Diagnostic::new(
                    rule::UNCLAIMED_NUMBER,
                    number.span,
                    format!(
                        "`{}` stands in a measured passage and is tied to no data",
                        number.text
                    ),
                )
                .label("not a claim")
                .help(format!(
                    "Write `[{}](<= formula>)`, cite its source in the sentence, or say it in \
                     words.",
                    number.text
                )),
            );
        }
    }
}

#[cfg(test)]
mod tests;
