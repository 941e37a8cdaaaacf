//! A document into HTML: its finished pieces are copied, its holes are filled.

use super::text::escape;
use super::writer::Writer;
use crate::highlight;
use crate::model::claim::{Piece, ShortText};
use crate::model::document::{EmbedKind, Part, Placement};
use crate::model::entry::Entry;
use crate::render::address::encode;
use crate::resolve::Destination;
use std::fmt::Write as _;

impl<'p> Writer<'p> {
    /// The HTML of the page's text.
    pub(super) fn body(&mut self) -> String {
        let document = self.here.body;
        let mut html = String::new();
        // Whether each open link is a link, or plain words because its target is not shown.
        let mut open = Vec::new();
        for part in &document.parts {
            match part {
                Part::Html(stretch) => html.push_str(document.html(*stretch)),
                Part::Listing(at) => {
                    if let Some(listing) = document.listings.get(*at) {
                        let code = listing.text(self.build.sources);
                        highlight::listing(&listing.language, code, &mut html);
                    }
                }
                Part::LinkStart(at) => {
                    let start = self.link_start(*at);
                    open.push(start.is_some());
                    html.push_str(start.as_deref().unwrap_or_default());
                }
                Part::LinkEnd(_) => {
                    if open.pop() == Some(true) {
                        html.push_str("</a>");
                    }
                }
                Part::Claim(at) => {
                    if let Some(claim) = document.claims.get(*at) {
                        html.push_str(&self.claim(claim));
                    }
                }
                Part::Citation(at) => {
                    if let Some(citation) = document.citations.get(*at) {
                        html.push_str(&self.citation(&citation.id));
                    }
                }
                Part::Embed(at) => html.push_str(&self.embed(*at)),
                Part::Image(at) => {
                    let image = document.images.get(*at);
                    let block = image.is_some_and(|i| i.placement == Placement::Block);
                    if block {
                        html.push_str(&self.image_figure(*at));
                    } else {
                        html.push_str(&self.image(*at));
                    }
                }
            }
        }
        html
    }

    /// A short text with its claims.
    pub(super) fn short(&mut self, text: &'p ShortText) -> String {
        let mut html = String::new();
        for piece in &text.pieces {
            match piece {
                Piece::Words(words) => {
                    let _ = write!(html, "{}", escape(words));
                }
                Piece::Claim(claim) => html.push_str(&self.claim(claim)),
            }
        }
        html
    }

    /// The start tag of a link; `None` where its words stand alone.
    fn link_start(&mut self, at: usize) -> Option<String> {
        let destination = self.here.references.links.get(at)?;
        if let Destination::Entry { index, .. } = destination {
            let link = self.build.link(*index)?;
            let has_card = !link.short.is_empty() && self.here.entry.is_none_or(|h| h.0 != *index);
            let href = self.href(destination)?;
            let href = escape(&href);
            if !has_card {
                return Some(format!("<a href=\"{href}\">"));
            }
            self.linked.insert(*index);
            return Some(format!("<a class=\"term\" href=\"{href}\">"));
        }
        let class = match destination {
            Destination::External(_) => "class=\"out\" ",
            _ => "",
        };
        let href = self.href(destination)?;
        Some(format!("<a {class}href=\"{}\">", escape(&href)))
    }

    /// The address of a destination from this page; `None` for one that has no page here.
    pub(super) fn href(&self, destination: &Destination) -> Option<String> {
        let site = self.build.site;
        let root = self.here.root;
        let (target, fragment) = match destination {
            Destination::Entry { index, fragment } => {
                let link = self.build.link(*index)?;
                let fragment = fragment.as_deref();
                let place = fragment.map(|place| place_of(site.entry(*index), place));
                (link.href.clone().unwrap_or_default(), place)
            }
            Destination::Page { index, fragment } => {
                let address = match index {
                    None => String::new(),
                    Some(at) => site.pages.get(*at)?.address(),
                };
                (address, fragment.clone())
            }
            Destination::Index(kind, fragment) => (format!("{}/", kind.folder()), fragment.clone()),
            Destination::File(path) => (encode(path), None),
            Destination::Here(fragment) => {
                let place = match self.here.entry {
                    Some((_, entry)) => place_of(entry, fragment),
                    None => fragment.clone(),
                };
                return Some(format!("#{}", encode(&place)));
            }
            Destination::External(url) => return Some(url.clone()),
            Destination::Broken => return None,
        };
        let fragment = fragment.filter(|fragment| !fragment.is_empty());
        Some(match fragment {
            Some(fragment) if target == self.here.address => format!("#{}", encode(&fragment)),
            Some(fragment) => format!("{root}{target}#{}", encode(&fragment)),
            None => format!("{root}{target}"),
        })
    }

    /// What an embed places.
    fn embed(&mut self, at: usize) -> String {
        let document = self.here.body;
        let (Some(embed), Some((_, entry))) = (document.embeds.get(at), self.here.entry) else {
            return String::new();
        };
        let name = embed.name.value.as_str();
        let caption = Some(&embed.caption).filter(|caption| !caption.pieces.is_empty());
        let position =
            |mut names: Box<dyn Iterator<Item = &str> + '_>| names.position(|n| n == name);
        match embed.kind {
            EmbedKind::Measured => {
                let mut captures = entry.measured.iter();
                let capture = captures.find(|capture| capture.name.value.as_str() == name);
                capture.map(|capture| self.measured(capture, caption))
            }
            EmbedKind::Diagram => {
                let names = entry.diagrams.iter().map(|d| d.name.value.as_str());
                position(Box::new(names)).map(|at| self.diagram(at, caption))
            }
            EmbedKind::Model => {
                let names = entry.models.iter().map(|m| m.name.value.as_str());
                position(Box::new(names)).map(|at| self.model(at, caption))
            }
            EmbedKind::Matrix => {
                let mut matrices = entry.matrices.iter();
                let matrix = matrices.find(|matrix| matrix.name.value.as_str() == name);
                matrix.map(|matrix| self.matrix(matrix, caption))
            }
        }
        .unwrap_or_default()
    }
}

/// The id on an entry's page of the place that a fragment names. A capture or figure may be named
/// as its author calls it, unless the body has an id of that name.
fn place_of(entry: &Entry, fragment: &str) -> String {
    let is = |name: &str| name == fragment;
    if entry.body.anchors.iter().any(|anchor| is(anchor)) {
        return fragment.to_owned();
    }
    if entry.measured.iter().any(|c| is(c.name.value.as_str())) {
        return format!("table-{fragment}");
    }
    let figures = entry.diagrams.iter().map(|d| d.name.value.as_str());
    let figures = figures.chain(entry.models.iter().map(|m| m.name.value.as_str()));
    let mut figures = figures.chain(entry.matrices.iter().map(|m| m.name.value.as_str()));
    if figures.any(is) {
        return format!("figure-{fragment}");
    }
    match fragment {
        "diagram" => "diagrams".to_owned(),
        other => other.to_owned(),
    }
}
