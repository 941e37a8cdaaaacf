//! A body for readers of feeds: no page around it, no script, every address in full.

use super::text::escape;
use super::writer::{Here, Writer};
use crate::highlight;
use crate::model::document::Part;
use crate::render::build::Build;
use crate::resolve::EntryIndex;
use std::fmt::Write as _;

/// The HTML of an entry's body with absolute addresses. Claims are their numbers, citations their
/// marks; figures and tables are left to the page.
pub(in crate::render) fn feed_body(build: &Build<'_>, index: EntryIndex) -> String {
    let entry = build.site.entry(index);
    let Some(references) = build.site.references.get(index) else {
        return String::new();
    };
    let base = &build.site.config.base_url;
    let address = entry.address();
    let writer = Writer::new(
        build,
        Here {
            address: "",
            root: base,
            entry: Some((index, entry)),
            body: &entry.body,
            references,
        },
    );
    let mut html = String::new();
    let mut open = Vec::new();
    for part in &entry.body.parts {
        match part {
            Part::Html(stretch) => html.push_str(entry.body.html(*stretch)),
            Part::Listing(at) => {
                if let Some(listing) = entry.body.listings.get(*at) {
                    let code = listing.text(build.sources);
                    highlight::listing(&listing.language, code, &mut html);
                }
            }
            Part::LinkStart(at) => {
                let to = references.links.get(*at);
                let href = to.and_then(|to| writer.href(to));
                open.push(href.is_some());
                if let Some(href) = href {
                    let _ = write!(html, "<a href=\"{}\">", escape(&href));
                }
            }
            Part::LinkEnd(_) => {
                if open.pop() == Some(true) {
                    html.push_str("</a>");
                }
            }
            Part::Claim(at) => {
                if let Some(claim) = entry.body.claims.get(*at) {
                    let _ = write!(html, "{}", escape(&claim.text.value));
                }
            }
            Part::Image(at) => {
                let to = references.images.get(*at);
                if let Some(href) = to.and_then(|to| writer.href(to))
                    && let Some(image) = entry.body.images.get(*at)
                {
                    let (href, alt) = (escape(&href), escape(&image.alt));
                    let _ = write!(html, "<img src=\"{href}\" alt=\"{alt}\">");
                }
            }
            Part::Citation(_) | Part::Embed(_) => {}
        }
    }
    // Places on the page itself (headings, footnotes) are places on the site's page.
    html.replace("href=\"#", &format!("href=\"{}{address}#", escape(base)))
}
