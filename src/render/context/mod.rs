//! What a template sees.
//!
//! Job: the contract between the renderer and the templates, the built-in ones and a site's own.
//! Input: values that the renderer computed from checked entries. Output: one serialisable struct
//! for each kind of page. Invariant: every field is plain text, never HTML; the templates escape
//! it. HTML that Rust makes (the body, tables, drawings) stays outside: a [`Slot`] prints a marker
//! where it belongs, and the renderer puts the HTML in its place afterwards. So a context stays
//! small however long the page is, and holds no other page.
//!
//! Conventions: an address in a field named `href` is relative to the site's root
//! (`terms/warp/`), and the template writes `page.root` before it; one named `url` is absolute.
//! Dates are ISO 8601 (`2026-09-01`). An absent value is `none` in a template, and an empty list
//! is false there, so `{% if entry.related %}` decides whether a section has a heading.

mod entry;
mod index;
mod page;
mod slot;

pub use entry::{
    ArcContext, ArcPartContext, BylineContext, CiteContext, EntryContext, HeadingContext,
    LessonContext, MeetContext, PersonContext, SourceContext,
};
pub use index::{
    ArcGroupContext, CourseContext, GlossaryContext, HomeContext, LetterContext,
    LetterGroupContext, OwnerGroupContext, RowContext,
};
pub use page::{BannerContext, ImageContext, LinkContext, PageContext, PageKind, SiteContext};
pub use slot::{RESERVED_IDS, Slot, SlotsContext};

use serde::Serialize;

/// All that `home.html` gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HomePage<'a> {
    /// The site.
    pub site: &'a SiteContext,
    /// The page.
    pub page: PageContext,
    /// Counts, lessons and terms.
    pub home: HomeContext,
    /// `body` from `content/index.md`, and the rest.
    pub slots: SlotsContext,
}

/// All that `term.html` and `lesson.html` get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryPage<'a> {
    /// The site.
    pub site: &'a SiteContext,
    /// The page.
    pub page: PageContext,
    /// The term or lesson.
    pub entry: EntryContext,
    /// Its HTML.
    pub slots: SlotsContext,
}

/// All that `terms.html` gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TermsPage<'a> {
    /// The site.
    pub site: &'a SiteContext,
    /// The page.
    pub page: PageContext,
    /// The terms.
    pub glossary: GlossaryContext,
    /// Only `json_ld`.
    pub slots: SlotsContext,
}

/// All that `lessons.html` gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LessonsPage<'a> {
    /// The site.
    pub site: &'a SiteContext,
    /// The page.
    pub page: PageContext,
    /// The lessons.
    pub course: CourseContext,
    /// Only `json_ld`.
    pub slots: SlotsContext,
}

/// All that `page.html` and `404.html` get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlainPage<'a> {
    /// The site.
    pub site: &'a SiteContext,
    /// The page.
    pub page: PageContext,
    /// The headings of the body, as a tree; empty on `404.html`.
    pub contents: Vec<HeadingContext>,
    /// `body` and `json_ld`; nothing on `404.html`.
    pub slots: SlotsContext,
}

#[cfg(test)]
mod tests {
    /// A template's author finds every variable in `docs/templates.md`, and each slot's marker
    /// stands for the field that prints it.
    #[test]
    fn every_field_is_documented() {
        let docs = include_str!("../../../docs/templates.md");
        let sources = [
            include_str!("entry.rs"),
            include_str!("index.rs"),
            include_str!("mod.rs"),
            include_str!("page.rs"),
            include_str!("slot.rs"),
        ];
        let fields = sources
            .iter()
            .flat_map(|source| source.lines())
            .filter_map(|line| {
                let (name, _) = line.strip_prefix("    pub ")?.split_once(": ")?;
                name.bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
                    .then_some(name)
            });
        let missing: Vec<&str> = fields
            .filter(|name| {
                !docs.contains(&format!("`{name}`")) && !docs.contains(&format!(".{name}`"))
            })
            .collect();
        assert!(missing.is_empty(), "docs/templates.md lacks {missing:?}");
    }

    #[test]
    fn a_slot_prints_its_own_marker() {
        let mut slots = super::SlotsContext::default();
        for slot in super::Slot::ALL {
            slots.fill(slot);
        }
        let printed = [
            (slots.body, "body"),
            (slots.measured, "measured"),
            (slots.diagrams, "diagrams"),
            (slots.numbers, "numbers"),
            (slots.cards, "cards"),
            (slots.json_ld, "json_ld"),
        ];
        for (marker, field) in printed {
            assert_eq!(marker, Some(format!("<!--cs:slot {field}-->").as_str()));
        }
    }
}
