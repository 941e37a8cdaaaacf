//! A Markdown body after reading: finished HTML with holes for what only the whole site knows.
//!
//! The body is read once. Everything that does not depend on other files is HTML already; a
//! hole stands where a link, a claim, a citation or an embed goes, and points into the list of
//! its kind. So a body is small, can be remembered by the digest of its text, and is rendered by
//! copying. A listing is held as the place of its text, whose HTML is three times as long.

use super::claim::{Claim, ShortText};
use crate::source::{Sources, Span, Spanned, make_exact};

/// A piece of a body, in reading order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Finished HTML; see [`Document::html`].
    Html(Stretch),
    /// The text of a listing, between its finished tags: index into [`Document::listings`].
    Listing(usize),
    /// The start tag of a link: index into [`Document::links`].
    LinkStart(usize),
    /// The end tag of the link that was opened last: the same index.
    LinkEnd(usize),
    /// A claim: index into [`Document::claims`].
    Claim(usize),
    /// A citation: index into [`Document::citations`].
    Citation(usize),
    /// An embed, which stands between blocks: index into [`Document::embeds`].
    Embed(usize),
    /// An image of a file: index into [`Document::images`].
    Image(usize),
}

/// A stretch of a body's finished HTML, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    start: u32,
    end: u32,
}

/// A block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Its language, as the fence names it; empty for none.
    pub language: String,
    /// The code.
    pub code: Code,
    /// Where the code belongs in [`Document::prose`].
    pub prose_at: usize,
}

/// The text of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// It stands in the author's file, letter for letter.
    At(Span),
    /// It does not: the lines of a listing in a list begin with spaces that are not its own.
    Read(String),
}

impl Listing {
    /// The code.
    pub fn text<'a>(&'a self, sources: &'a Sources) -> &'a str {
        match &self.code {
            Code::At(span) => sources.text(*span),
            Code::Read(text) => text,
        }
    }
}

/// A heading of the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 2 to 6 on a page whose title is the only `h1`.
    pub level: u8,
    /// The id on the page: written by the author, or made from the text and numbered apart.
    pub id: String,
    /// The author's own id, if one was written.
    pub own_id: Option<Spanned<String>>,
    /// Its text, without markup.
    pub text: String,
    /// The kicker of a lesson's section.
    pub kicker: Option<String>,
    /// The whole heading.
    pub span: Span,
}

/// Where a link leads, as far as its text says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// `[[name]]`: an entry by id, name or alias.
    Entry(String),
    /// A path of the site or a fragment, as written: `../warp/`, `warp.md#what`, `#job`.
    Relative(String),
    /// `http`, `https` or `mailto`.
    External(String),
    /// A scheme that is not allowed; reported where it was read.
    Refused,
}

/// A link of the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The whole construct.
    pub span: Span,
    /// The target's place, for findings.
    pub target_span: Span,
    /// Where it leads.
    pub target: Target,
    /// Title text, if the author gave one.
    pub title: String,
    /// Its words, without markup.
    pub text: String,
}

/// A citation `[^id]` of a source, in reading order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitationRef {
    /// The whole construct.
    pub span: Span,
    /// The source's id.
    pub id: String,
}

/// What an embed places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EmbedKind {
    /// `measured:` a capture's table.
    Measured,
    /// `diagram:` a diagram.
    Diagram,
    /// `model:` an interactive model.
    Model,
    /// `matrix:` a matrix.
    Matrix,
}

/// `![caption](kind:name)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embed {
    /// The whole construct.
    pub span: Span,
    /// What it places.
    pub kind: EmbedKind,
    /// The name, as written.
    pub name: Spanned<String>,
    /// Caption given in the body; without pieces if none. Its claims are among the document's.
    pub caption: ShortText,
}

/// Where an image of a file stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Between blocks: a figure.
    Block,
    /// In a sentence.
    Inline,
}

/// An image of a file beside the entry or in `static`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The whole construct.
    pub span: Span,
    /// The address as written: relative, or `http(s)`.
    pub target: Spanned<String>,
    /// Alternative text, without markup. Claims in it stand as their printed numbers.
    pub alt: String,
    /// Title text; empty if none.
    pub title: String,
    /// Whether it is a block of its own.
    pub placement: Placement,
}

/// A bare number that the author tied neither to data nor, by a citation in its sentence, to a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BareNumber {
    /// Its place.
    pub span: Span,
    /// The characters.
    pub text: String,
}

/// A Markdown body after reading. The lists are in the order of the author's text; the parts are
/// in the order of the page, where a footnote stands after the block that refers to it first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// All finished HTML, without what stands between its pieces: see [`Self::html`].
    pub finished: String,
    /// Its pieces, in reading order.
    pub parts: Vec<Part>,
    /// Listings, in the author's order.
    pub listings: Vec<Listing>,
    /// Headings, in reading order.
    pub headings: Vec<Heading>,
    /// Links, in reading order.
    pub links: Vec<Link>,
    /// Claims, in reading order. One in a caption or an alternative text has no part of its own.
    pub claims: Vec<Claim>,
    /// Citations, in reading order.
    pub citations: Vec<CitationRef>,
    /// Embeds, in reading order.
    pub embeds: Vec<Embed>,
    /// Images, in reading order.
    pub images: Vec<Image>,
    /// Every id that stands in these parts, those of headings and footnotes included, sorted.
    pub anchors: Vec<String>,
    /// Numbers in prose outside claims, code, headings and links.
    pub numbers: Vec<BareNumber>,
    /// The words of the body without markup and listings, one paragraph a line. See [`Self::words`].
    pub prose: String,
    /// Where the body stands in its file.
    pub span: Option<Span>,
}

impl Document {
    /// Gives back the memory that it grew with and does not need: thousands of bodies lie in
    /// memory together.
    pub fn shrink(&mut self) {
        make_exact(&mut self.parts);
        make_exact(&mut self.listings);
        make_exact(&mut self.headings);
        make_exact(&mut self.links);
        make_exact(&mut self.claims);
        make_exact(&mut self.citations);
        make_exact(&mut self.embeds);
        make_exact(&mut self.anchors);
        make_exact(&mut self.numbers);
        self.prose = self.prose.as_str().to_owned();
    }

    /// A stretch of finished HTML.
    pub fn html(&self, stretch: Stretch) -> &str {
        let range = stretch.start as usize..stretch.end as usize;
        self.finished.get(range).unwrap_or_default()
    }

    /// Adds finished HTML as the next part. What goes beyond 4 GiB is left out; no file is so long.
    pub fn push_html(&mut self, html: &str) {
        let start = self.finished.len();
        let at = |offset| u32::try_from(offset).ok();
        if let Some((start, end)) = at(start).zip(at(start + html.len())) {
            self.finished.push_str(html);
            self.parts.push(Part::Html(Stretch { start, end }));
        }
    }

    /// The words of the body without markup, for search, descriptions and comparison: one paragraph a
    /// line, in stretches of whole lines.
    pub fn words<'a>(&'a self, sources: &'a Sources) -> impl Iterator<Item = &'a str> {
        let mut from = 0;
        let around = self.listings.iter().flat_map(move |listing| {
            let before = self.prose.get(from..listing.prose_at).unwrap_or_default();
            from = listing.prose_at;
            [before, listing.text(sources)]
        });
        let last = self.listings.last().map_or(0, |last| last.prose_at);
        around.chain([self.prose.get(last..).unwrap_or_default()])
    }
}

/// The ids that the built-in templates give to their own parts. An id of the body that would
/// repeat one of them is numbered apart by the renderer.
pub const RESERVED_IDS: [&str; 20] = [
    "backlinks",
    "by-lesson",
    "byline",
    "cite",
    "diagrams",
    "filter-field",
    "glossary",
    "lessons",
    "main",
    "measured",
    "meets",
    "numbers",
    "path",
    "related",
    "search",
    "search-field",
    "search-results",
    "sources",
    "teaches",
    "twill",
];
