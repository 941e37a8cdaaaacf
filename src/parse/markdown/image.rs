//! Images and embeds: `![caption](measured:t4)`, `![A warp](warp.svg)`.

use super::link::{Construct, refused, target, target_place};
use super::reader::{Paragraph, Reader};
use crate::diagnostic::{nearest, rule};
use crate::model::claim::{Piece, ShortText};
use crate::model::document::{Embed, EmbedKind, Image, Part, Placement};
use crate::source::{Span, Spanned};
use pulldown_cmark::LinkType;
use std::ops::Range;

/// An image whose end has not come yet.
#[derive(Debug)]
pub(super) struct OpenImage {
    pub(super) pieces: Vec<Piece>,
    what: What,
    title: String,
}

#[derive(Debug)]
enum What {
    Embed(EmbedKind, Spanned<String>),
    File(Spanned<String>),
    /// Reported; its words stand in its place.
    Refused,
}

impl OpenImage {
    /// Adds words.
    pub(super) fn words(&mut self, text: &str) {
        if let Some(Piece::Words(words)) = self.pieces.last_mut() {
            words.push_str(text);
        } else {
            self.pieces.push(Piece::Words(text.to_owned()));
        }
    }
}

impl EmbedKind {
    const ALL: [(&'static str, Self); 4] = [
        ("measured", Self::Measured),
        ("diagram", Self::Diagram),
        ("model", Self::Model),
        ("matrix", Self::Matrix),
    ];

    /// The kind whose name this is.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, kind)| *kind)
    }

    /// The name of a kind that is near to this one.
    pub(super) fn nearest(name: &str) -> Option<&'static str> {
        nearest(name, Self::ALL.iter().map(|(known, _)| *known))
    }
}

impl Reader<'_> {
    pub(super) fn start_image(&mut self, (kind, dest, title): Construct<'_>, range: Range<usize>) {
        let span = self.span(range.clone());
        let place = target_place(&self.body[range.clone()], kind, dest);
        let place = place.map_or(span, |place| span.within(place));
        self.check_characters(dest, range.clone());
        self.check_characters(title, range);
        let what = self.what_image(kind, dest, place);
        self.images.push(OpenImage {
            pieces: Vec::new(),
            what,
            title: title.to_owned(),
        });
    }

    fn what_image(&mut self, kind: LinkType, dest: &str, place: Span) -> What {
        if matches!(kind, LinkType::WikiLink { .. }) {
            self.push(
                crate::diagnostic::Diagnostic::new(
                    rule::UNKNOWN_EMBED,
                    place,
                    "a page of the glossary cannot be placed inside another",
                )
                .label("an exclamation mark stands before it")
                .help(
                    "Link to it without the exclamation mark, or place a figure: \
                     `![](diagram:name)`.",
                ),
            );
            return What::Refused;
        }
        if dest.starts_with('=') {
            self.push(
                crate::diagnostic::Diagnostic::new(
                    rule::BAD_FORMULA,
                    place,
                    "a claim is written like an image",
                )
                .label("an exclamation mark stands before it")
                .help("Remove the exclamation mark before `[`, or write `\\!` to show one."),
            );
            return What::Refused;
        }
        let embed = dest
            .split_once(':')
            .and_then(|(kind, name)| Some((EmbedKind::named(kind)?, kind.len() + 1, name)));
        if let Some((kind, start, name)) = embed {
            let place = place.within(start..start + name.len());
            return What::Embed(kind, Spanned::new(name.trim().to_owned(), place));
        }
        match target(dest) {
            Ok(_) => What::File(Spanned::new(dest.to_owned(), place)),
            Err(refusal) => {
                self.push(refused(&refusal, place, "image"));
                What::Refused
            }
        }
    }

    pub(super) fn end_image(&mut self, range: Range<usize>) {
        let Some(image) = self.images.pop() else {
            return;
        };
        let text = ShortText {
            span: self.span(range.clone()),
            pieces: image.pieces,
        };
        let plain = text.plain();
        if self.is_captured() {
            self.capture(&plain);
            return;
        }
        match image.what {
            What::Embed(kind, name) => {
                if self.may_embed(&range) {
                    self.embed(kind, name, text);
                } else {
                    self.plain_words(&plain);
                }
            }
            What::File(target) => {
                let placement = self.image_placement(&range);
                let index = self.doc.images.len();
                self.doc.images.push(Image {
                    span: text.span,
                    target,
                    alt: plain.clone(),
                    title: image.title,
                    placement,
                });
                self.doc.prose.push_str(&plain);
                match placement {
                    Placement::Block => self.block_hole(Part::Image(index)),
                    Placement::Inline => {
                        self.inline();
                        self.stream.hole(Part::Image(index));
                    }
                }
            }
            What::Refused => self.plain_words(&plain),
        }
    }

    fn embed(&mut self, kind: EmbedKind, name: Spanned<String>, caption: ShortText) {
        let index = self.doc.embeds.len();
        self.end_words();
        self.doc.prose.push_str(&caption.plain());
        self.end_words();
        self.doc.embeds.push(Embed {
            span: caption.span,
            kind,
            name,
            caption,
        });
        self.block_hole(Part::Embed(index));
    }

    /// Places a block: ends the paragraph, which goes on if more text comes.
    fn block_hole(&mut self, part: Part) {
        if matches!(self.paragraph, Paragraph::Open(..)) {
            self.close_paragraph();
            self.paragraph = Paragraph::Closed;
        }
        self.stream.hole(part);
    }

    fn plain_words(&mut self, text: &str) {
        super::text::escape_into(self.inline(), text);
        self.doc.prose.push_str(text);
    }

    /// Whether a block may stand here: not inside a heading, a cell, a link or emphasis.
    fn may_embed(&mut self, range: &Range<usize>) -> bool {
        let inside_raw = !matches!(self.paragraph, Paragraph::None)
            && self.raw.last().is_some_and(|raw| raw.depth == self.depth);
        if self.inline_depth == 0 && !self.in_cell && self.heading.is_none() && !inside_raw {
            return true;
        }
        let finding = self
            .finding(
                rule::UNKNOWN_EMBED,
                range.clone(),
                "a figure cannot stand inside a heading, a cell, a link or emphasis",
            )
            .label("not placed")
            .help("Put it on a line of its own, with an empty line before and after.");
        self.push(finding);
        false
    }

    /// A block if the image is all there is in its paragraph.
    fn image_placement(&self, range: &Range<usize>) -> Placement {
        let Paragraph::Open(_, start) = self.paragraph else {
            return Placement::Inline;
        };
        let rest = self.body.get(range.end..self.paragraph_range.end);
        let alone = self.stream.is_at(start) && self.inline_depth == 0;
        if alone && rest.is_some_and(|rest| rest.trim().is_empty()) {
            Placement::Block
        } else {
            Placement::Inline
        }
    }
}
