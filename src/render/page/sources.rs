//! The list of sources.

use crate::model::citation::Source;
use crate::model::entry::Entry;
use crate::render::context::SourceContext;
use crate::render::html::Citations;

/// The sources of an entry, in the order of their numbers.
pub(super) fn sources(entry: &Entry, citations: &Citations) -> Vec<SourceContext> {
    let order = citations.order().iter().enumerate();
    order
        .filter_map(|(at, index)| {
            let source = entry.sources.get(*index)?;
            Some(context(at + 1, source, citations))
        })
        .collect()
}

fn context(number: usize, source: &Source, citations: &Citations) -> SourceContext {
    let url = source.url.as_ref().map(|url| url.value.trim());
    // Only what a browser follows to a document may become a link.
    let url = url.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    let checked = source.checked.date();
    SourceContext {
        number,
        id: source.id.value.clone(),
        title: source.title.value.clone(),
        sections: source.sections.iter().map(|s| s.value.clone()).collect(),
        supports: source
            .supports
            .as_ref()
            .map(|text| text.value.trim_end_matches('.').to_owned())
            .unwrap_or_default(),
        url: url.map(str::to_owned),
        host: url.and_then(host),
        checked: checked.map(|date| date.value.to_string()),
        citations: citations.ids(&source.id.value),
    }
}

/// The host of an address, without a user's name.
fn host(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let host = host.rsplit('@').next()?;
    (!host.is_empty()).then(|| host.to_owned())
}
