//! `link-to-draft`: run by the gate's verdict, since only it knows what is published.

use super::{Rule, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, rule};
use crate::model::document::Document;
use crate::model::entry::Entry;
use crate::resolve::{Destination, EntryIndex, References, Site};
use crate::source::{Sources, Span};

pub(super) const RULE: Rule = Rule {
    id: rule::LINK_TO_DRAFT,
    scope: Scope::Stage("check"),
    explain: include_str!("link-to-draft.md"),
};

/// Reports each link of a published entry that leads to an unpublished one, and each link or picture of
/// a published page whose file stands beside an unpublished entry.
pub(crate) fn check(
    (site, sources): (&Site, &Sources),
    published: impl Fn(EntryIndex) -> bool,
    out: &mut Diagnostics,
) {
    for (index, entry) in site.entries.iter().enumerate() {
        if !published(index) {
            continue;
        }
        let from = out.len();
        let references = &site.references[index];
        for (link, to) in entry.body.links.iter().zip(&references.links) {
            let Destination::Entry { index: to, .. } = to else {
                continue;
            };
            if !published(*to) {
                out.push(to_entry(link.span, &site.entries[*to]));
            }
        }
        files((site, sources), (&entry.body, references), &published, out);
        out.name_entry_from(from, &entry.id.shared());
    }
    // Beside the pages; the first is the home page's, and there if it is.
    let page_links = &site.page_links;
    for (page, references) in site.home.iter().chain(&site.pages).zip(page_links) {
        files((site, sources), (&page.body, references), &published, out);
    }
}

fn to_entry(place: Span, to: &Entry) -> Diagnostic {
    let message = format!("this links to `{}`, which is not published", to.id);
    Diagnostic::new(rule::LINK_TO_DRAFT, place, message)
        .label("becomes plain words in the release")
        .help("Publish the other entry too, or leave the link for later.")
}

/// Files cannot become plain words: the release would lack them, and their address names the draft.
fn files(
    (site, sources): (&Site, &Sources),
    (body, references): (&Document, &References),
    published: &impl Fn(EntryIndex) -> bool,
    out: &mut Diagnostics,
) {
    let links = body.links.iter().map(|link| link.span);
    let images = body.images.iter().map(|image| image.span);
    let links = links.zip(&references.links);
    for (place, to) in links.chain(images.zip(&references.images)) {
        let Some(id) = owner(to, sources) else {
            continue;
        };
        let entry = site.names.find(id);
        let entry = entry.filter(|&index| site.entries[index].id.as_str() == id);
        let finding = match entry {
            Some(entry) if published(entry) => continue,
            None if !site.names.is_unreadable(id) => {
                let message = "this file stands beside no entry";
                Diagnostic::new(rule::BROKEN_LINK, place, message)
                    .help("Keep the file beside what is published, or in `static`.".to_owned())
            }
            _ => {
                let message = format!("this file belongs to `{id}`, which is not published");
                Diagnostic::new(rule::LINK_TO_DRAFT, place, message)
                    .severity(Severity::Error)
                    .help(format!(
                        "Publish `{id}` too, or keep the file beside what is published, or in `static`."
                    ))
            }
        };
        out.push(finding.label("the release will not have it"));
    }
}

/// The id of the entry that a file should stand beside.
fn owner<'a>(to: &'a Destination, sources: &Sources) -> Option<&'a str> {
    let Destination::File(path) = to else {
        return None;
    };
    let inner = path
        .strip_prefix("terms/")
        .or_else(|| path.strip_prefix("lessons/"))?;
    let (id, _) = inner.split_once('/')?;
    // The same address may be that of a file in `static`, which is copied in any case.
    sources.binary(&format!("content/{path}")).map(|_| id)
}
