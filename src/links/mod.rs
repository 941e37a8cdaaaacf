//! The links that lead out of a site: which there are, what an answer to one means, and what is
//! remembered of it.
//!
//! Takes a resolved [`Site`] and what servers said; gives each address with its uses and its
//! [`Outcome`]. Nothing here talks to a network or reads a clock: [`Inquiry`] says what to ask
//! next and its caller asks. An address is broken only if it is known to be; whatever leaves a
//! doubt is unknown.

mod address;
mod inquiry;
mod memory;

pub use address::{Address, Reach, is_public};
pub use inquiry::{Heard, Inquiry, Method, Next, Outcome, doubt_names, waits};
pub use memory::{Memory, Remembered};

use crate::model::document::Document;
use crate::resolve::{Destination, Site};
use crate::source::Span;
use std::collections::BTreeMap;

/// A place of the site that leads to an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Where it is written.
    pub span: Span,
    /// Id of the entry that it stands in; `None` for a plain page.
    pub entry: Option<String>,
}

/// An address that the site leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct External {
    /// The address, or why the text is none.
    pub address: Result<Address, &'static str>,
    /// Every place that leads there, in the order of the site.
    pub uses: Vec<Use>,
}

/// Every `http` and `https` address in sources and bodies, by its text without a fragment. A
/// link to a page of this site is none of them, however it is written.
pub fn collect(site: &Site) -> BTreeMap<String, External> {
    let mut found = BTreeMap::new();
    for (entry, references) in site.entries.iter().zip(site.references.iter()) {
        let id = Some(entry.id.as_str());
        for url in entry
            .sources
            .iter()
            .filter_map(|source| source.url.as_ref())
        {
            add(&mut found, &url.value, url.span, id);
        }
        body(&mut found, &entry.body, &references.links, id);
    }
    let pages = site.home.iter().chain(&site.pages);
    for (page, references) in pages.zip(&site.page_links) {
        body(&mut found, &page.body, &references.links, None);
    }
    found
}

fn body(
    found: &mut BTreeMap<String, External>,
    body: &Document,
    destinations: &[Destination],
    entry: Option<&str>,
) {
    for (link, destination) in body.links.iter().zip(destinations) {
        if let Destination::External(url) = destination {
            add(found, url, link.target_span, entry);
        }
    }
}

fn add(found: &mut BTreeMap<String, External>, url: &str, span: Span, entry: Option<&str>) {
    let scheme = url.split("://").next().unwrap_or("").to_ascii_lowercase();
    if scheme != "http" && scheme != "https" {
        return;
    }
    let address = Address::parse(url);
    let key = match &address {
        Ok(address) => address.as_str().to_owned(),
        Err(_) => url.to_owned(),
    };
    let external = found.entry(key).or_insert_with(|| External {
        address,
        uses: Vec::new(),
    });
    external.uses.push(Use {
        span,
        entry: entry.map(str::to_owned),
    });
}
