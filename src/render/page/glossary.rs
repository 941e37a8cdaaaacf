//! The list of terms.

use super::{announce, json_ld, row, site_subject};
use crate::diagnostic::Diagnostics;
use crate::render::address::TERMS;
use crate::render::build::Build;
use crate::render::context::{
    GlossaryContext, LetterContext, LetterGroupContext, LinkContext, OwnerGroupContext, PageKind,
    RowContext, Slot, TermsPage,
};
use crate::render::renderer::{OutputFile, fill, page_file};
use crate::resolve::EntryIndex;
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization as _;

/// Renders it.
pub(in crate::render) fn terms(build: &Build<'_>) -> Result<Vec<OutputFile>, Diagnostics> {
    let title = "Glossary";
    let total = build.terms.len();
    let description = match total {
        1 => format!(
            "The one term of {}, with its short answer.",
            build.context.title
        ),
        _ => format!(
            "All {total} terms of {}, each with its short answer.",
            build.context.title
        ),
    };
    let page = build.page(PageKind::Terms, title, description, TERMS);
    let rows: Vec<_> = build
        .terms
        .iter()
        .filter_map(|index| row::row(build, *index))
        .collect();
    let letters = letters(rows.iter().map(|row| row.name.as_str()));
    let slots = BTreeMap::from([(Slot::JsonLd, json_ld::term_set(build, &page))]);
    let whole = TermsPage {
        site: &build.context,
        page,
        glossary: GlossaryContext {
            total,
            letters,
            groups: groups(rows),
            lessons: by_lesson(build),
        },
        slots: announce(&slots),
    };
    let subject = site_subject(build, "the list of terms");
    let bytes = fill(build, PageKind::Terms, &whole, &slots, &subject)?;
    Ok(page_file(TERMS, bytes).into_iter().collect())
}

/// The letter that a name stands under: its first one, without marks and in upper case; `#` for
/// a name that begins with none.
fn letter_of(name: &str) -> String {
    let first = name.trim().nfd().next();
    first
        .filter(|c| c.is_alphabetic())
        .map_or_else(|| "#".to_owned(), |c| c.to_uppercase().collect())
}

/// The id of a letter's group.
fn letter_id(letter: &str) -> String {
    match letter {
        "#" => "letter-other".to_owned(),
        letter if letter.is_ascii() => format!("letter-{}", letter.to_ascii_lowercase()),
        letter => {
            let codes: Vec<_> = letter
                .chars()
                .map(|c| format!("u{:x}", u32::from(c)))
                .collect();
            format!("letter-{}", codes.join("-"))
        }
    }
}

/// `A` to `Z`, then the other letters in use; those in use have an id.
pub(super) fn letters<'n>(names: impl Iterator<Item = &'n str>) -> Vec<LetterContext> {
    let mut used: BTreeMap<String, bool> = ('A'..='Z')
        .map(|letter| (letter.to_string(), false))
        .collect();
    for name in names {
        used.insert(letter_of(name), true);
    }
    let latin = |letter: &str| letter.len() == 1 && letter != "#";
    let (plain, other): (Vec<_>, Vec<_>) = used.into_iter().partition(|(letter, _)| latin(letter));
    plain
        .into_iter()
        .chain(other)
        .map(|(letter, is_used)| LetterContext {
            id: is_used.then(|| letter_id(&letter)),
            letter,
        })
        .collect()
}

fn groups(rows: Vec<RowContext>) -> Vec<LetterGroupContext> {
    let mut groups: BTreeMap<(bool, String), Vec<RowContext>> = BTreeMap::new();
    for row in rows {
        let letter = letter_of(&row.name);
        groups.entry((letter == "#", letter)).or_default().push(row);
    }
    groups
        .into_iter()
        .map(|((_, letter), terms)| LetterGroupContext {
            id: letter_id(&letter),
            letter,
            terms,
        })
        .collect()
}

/// The terms by the lesson that owns them. Of a lesson that is not shown nothing is said.
fn by_lesson(build: &Build<'_>) -> Vec<OwnerGroupContext> {
    let site = build.site;
    let mut by_owner: BTreeMap<Option<EntryIndex>, (Vec<LinkContext>, usize)> = BTreeMap::new();
    for &term in site.terms.iter() {
        let owner = site.references.get(term).and_then(|found| found.owner);
        let (terms, withheld) = by_owner.entry(owner).or_default();
        match build.link(term) {
            Some(link) => terms.push(link.clone()),
            None => *withheld += 1,
        }
    }
    let mut groups: Vec<_> = build
        .lessons
        .iter()
        .filter_map(|&lesson| {
            let (terms, withheld) = by_owner.remove(&Some(lesson))?;
            let day = site.entry(lesson).lesson()?.day.as_ref();
            Some(OwnerGroupContext {
                lesson: build.link(lesson).cloned(),
                day: day.map(|day| day.value.to_string()),
                terms,
                withheld,
            })
        })
        .collect();
    // Where no lesson owns a term, the list above has said it all.
    if let Some((terms, _)) = by_owner.remove(&None)
        && !groups.is_empty()
        && !terms.is_empty()
    {
        groups.push(OwnerGroupContext {
            lesson: None,
            day: None,
            terms,
            withheld: 0,
        });
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_under_their_first_letter() {
        assert_eq!(letter_of("warp"), "W");
        assert_eq!(letter_of("Élan"), "E");
        assert_eq!(letter_of("2D tile"), "#");
        assert_eq!(letter_of("線程"), "線");
        assert_eq!(letter_id("線"), "letter-u7dda");
        let list = letters(["warp", "2D"].into_iter());
        assert_eq!(list.len(), 27);
        assert_eq!(list[22].id.as_deref(), Some("letter-w"));
        assert_eq!(list[26].letter, "#");
    }
}
