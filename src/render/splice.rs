//! Puts the HTML of slots into a rendered template.
//!
//! Job: replace each slot's marker. Input: what a template printed, and the HTML of each slot.
//! Output: the page. Invariant: one pass from left to right; what was put in is never looked at
//! again, so no text of an author can name a slot.

use super::context::Slot;
use std::collections::BTreeMap;

/// What every marker begins with.
const START: &str = "<!--cs:slot ";

/// The page: `template` with the HTML of each slot in its place. A slot without HTML leaves
/// nothing.
pub(super) fn splice(template: &str, slots: &BTreeMap<Slot, String>) -> String {
    let length: usize = slots.values().map(String::len).sum();
    let mut page = String::with_capacity(template.len() + length);
    let mut rest = template;
    while let Some(at) = memchr::memmem::find(rest.as_bytes(), START.as_bytes()) {
        let (before, from) = rest.split_at(at);
        page.push_str(before);
        let slot = Slot::ALL
            .into_iter()
            .find(|slot| from.starts_with(slot.marker()));
        if let Some(slot) = slot {
            page.push_str(slots.get(&slot).map_or("", String::as_str));
            rest = &from[slot.marker().len()..];
        } else {
            page.push_str(START);
            rest = &from[START.len()..];
        }
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_not_looked_at_again() {
        let forged = format!("<p>{}</p>", Slot::Numbers.marker());
        let slots = BTreeMap::from([
            (Slot::Body, forged.clone()),
            (Slot::Numbers, "<li>secret</li>".to_owned()),
        ]);
        let template = format!("a{}b{}c", Slot::Body.marker(), Slot::Cards.marker());
        assert_eq!(splice(&template, &slots), format!("a{forged}bc"));
        assert_eq!(splice("<!--cs:slot x-->", &slots), "<!--cs:slot x-->");
    }
}
