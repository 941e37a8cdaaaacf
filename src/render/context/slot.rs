//! Places in a page for HTML that Rust made.
//!
//! Job: name each place and its marker. Input: none. Output: [`Slot`], and [`SlotsContext`] for the
//! templates. Invariant: a marker cannot come from an author.

use serde::Serialize;

pub use crate::model::document::RESERVED_IDS;

/// A place in a page for HTML that Rust made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// The text of an entry, a page or the home page, from its Markdown.
    Body,
    /// The measured tables that the body does not place itself.
    Measured,
    /// The diagrams and models that the body does not place itself.
    Diagrams,
    /// The list items that say how each claim of the page comes out: formula, values, capture.
    Numbers,
    /// The hidden cards with the short answers of the terms that the page links to.
    Cards,
    /// The JSON-LD of the page, ready to stand inside a `script` element.
    JsonLd,
}

impl Slot {
    /// Every slot, in the order of [`SlotsContext`]'s fields.
    pub const ALL: [Self; 6] = [
        Self::Body,
        Self::Measured,
        Self::Diagrams,
        Self::Numbers,
        Self::Cards,
        Self::JsonLd,
    ];

    /// The text that a template prints and the renderer replaces. It cannot come from an author:
    /// their `<` is escaped in data, and their comments are taken out of bodies.
    pub const fn marker(self) -> &'static str {
        match self {
            Self::Body => "<!--cs:slot body-->",
            Self::Measured => "<!--cs:slot measured-->",
            Self::Diagrams => "<!--cs:slot diagrams-->",
            Self::Numbers => "<!--cs:slot numbers-->",
            Self::Cards => "<!--cs:slot cards-->",
            Self::JsonLd => "<!--cs:slot json_ld-->",
        }
    }
}

/// The slots of one page. A field holds its slot's marker, or is absent where the page has
/// nothing to put there, so that a template leaves the section out. Printed with `| safe`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SlotsContext {
    /// [`Slot::Body`].
    pub body: Option<&'static str>,
    /// [`Slot::Measured`].
    pub measured: Option<&'static str>,
    /// [`Slot::Diagrams`].
    pub diagrams: Option<&'static str>,
    /// [`Slot::Numbers`].
    pub numbers: Option<&'static str>,
    /// [`Slot::Cards`].
    pub cards: Option<&'static str>,
    /// [`Slot::JsonLd`].
    pub json_ld: Option<&'static str>,
}

impl SlotsContext {
    /// Announces that the page has HTML for `slot`.
    pub fn fill(&mut self, slot: Slot) {
        let field = match slot {
            Slot::Body => &mut self.body,
            Slot::Measured => &mut self.measured,
            Slot::Diagrams => &mut self.diagrams,
            Slot::Numbers => &mut self.numbers,
            Slot::Cards => &mut self.cards,
            Slot::JsonLd => &mut self.json_ld,
        };
        *field = Some(slot.marker());
    }
}
