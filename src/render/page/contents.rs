//! The headings of a text as a tree.

use crate::model::document::{Document, Heading};
use crate::render::context::HeadingContext;

/// Whether sections are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbering {
    /// A lesson's: `01`, `02`.
    Numbered,
    /// None.
    Plain,
}

/// The headings of a text; those of a deeper level are children of the one before them.
pub(super) fn contents(document: &Document, numbering: Numbering) -> Vec<HeadingContext> {
    let mut number = 0;
    tree(&document.headings, numbering, &mut number)
}

/// How many numbered sections a lesson has.
pub(super) fn sections(document: &Document) -> usize {
    document.headings.iter().filter(|h| h.level == 2).count()
}

fn tree(headings: &[Heading], numbering: Numbering, number: &mut usize) -> Vec<HeadingContext> {
    let mut list = Vec::new();
    let mut rest = headings;
    while let Some((first, after)) = rest.split_first() {
        let deeper = after.iter().position(|h| h.level <= first.level);
        let (below, next) = after.split_at(deeper.unwrap_or(after.len()));
        let numbered = numbering == Numbering::Numbered && first.level == 2;
        let own = numbered.then(|| {
            *number += 1;
            format!("{number:02}")
        });
        list.push(HeadingContext {
            id: first.id.clone(),
            text: first.text.clone(),
            number: own,
            kicker: first.kicker.clone().filter(|_| numbered),
            children: tree(below, numbering, number),
        });
        rest = next;
    }
    list
}
