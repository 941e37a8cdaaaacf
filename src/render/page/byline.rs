//! Names and dates.

use crate::model::byline::DateField;
use crate::model::entry::Entry;
use crate::render::context::{BylineContext, PersonContext};
use crate::render::shown::{Named, Standing};

/// How many digits of a digest are shown.
const DIGEST_DIGITS: usize = 12;

/// The byline of an entry.
pub(super) fn byline(entry: &Entry, standing: &Standing) -> BylineContext {
    let claims = standing.claims.filter(|_| standing.is_published());
    BylineContext {
        written_by: standing.author.as_ref().map(person),
        reviewed_by: standing.reviewer.as_ref().map(person),
        written_on: day(&entry.byline.written_on),
        last_checked_on: day(&entry.byline.last_checked_on),
        assurance: standing
            .assurance
            .map(|assurance| assurance.word().to_owned()),
        claims_digest: claims.map(|digest| digest.to_string()),
        claims_digest_short: claims
            .map(|digest| digest.hex().chars().take(DIGEST_DIGITS).collect()),
    }
}

fn person(named: &Named) -> PersonContext {
    let url = named.url.as_deref().map(str::trim);
    let url = url.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    PersonContext {
        name: named.name.clone(),
        url: url.map(str::to_owned),
    }
}

/// A day as text, if it is one.
pub(super) fn day(field: &DateField) -> Option<String> {
    field.date().map(|date| date.value.to_string())
}
