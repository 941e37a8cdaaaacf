//! The home page, the glossary and the list of lessons: rows, no bodies.

use serde::Serialize;

use super::entry::LessonContext;
use super::page::LinkContext;

/// A row of an index: a term or a lesson.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RowContext {
    /// The entry's id; the row of the glossary has the id `term-ID`.
    pub id: String,
    /// Relative to the site's root.
    pub href: String,
    /// The term's name, or the lesson's title.
    pub name: String,
    /// The title.
    pub title: String,
    /// The short answer.
    pub short: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// `published`, or why it is not.
    pub state: String,
    /// Who is still to sign.
    pub waits_for: Vec<String>,
    /// When it was last checked.
    pub last_checked_on: Option<String>,
    /// How sure its names are; absent until published.
    pub assurance: Option<String>,
    /// The lesson that owns the term.
    pub owner: Option<LinkContext>,
    /// What only a lesson has.
    pub lesson: Option<LessonContext>,
}

/// The glossary (`glossary`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GlossaryContext {
    /// How many terms this build holds.
    pub total: usize,
    /// The alphabet of the glossary, for the selvedge: the letters `A` to `Z`, then others in use.
    pub letters: Vec<LetterContext>,
    /// The terms, by letter.
    pub groups: Vec<LetterGroupContext>,
    /// The same terms by the lesson that owns them, in the order of the course.
    pub lessons: Vec<OwnerGroupContext>,
}

/// One letter of the alphabet (`glossary.letters`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LetterContext {
    /// The letter itself, or `#` for names that begin with none.
    pub letter: String,
    /// The id of its group in the page; absent where no term begins with it.
    pub id: Option<String>,
}

/// The terms under one letter (`glossary.groups`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LetterGroupContext {
    /// The letter.
    pub letter: String,
    /// The id of the group in the page: `letter-w`.
    pub id: String,
    /// Its terms, by name.
    pub terms: Vec<RowContext>,
}

/// The terms that one lesson owns (`glossary.lessons`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OwnerGroupContext {
    /// The lesson; absent for the terms that no lesson owns.
    pub lesson: Option<LinkContext>,
    /// The lesson's day, if it has one.
    pub day: Option<String>,
    /// Its terms that are in this build, by name.
    pub terms: Vec<LinkContext>,
    /// How many more it owns that are not published yet; 0 in a build with drafts.
    pub withheld: usize,
}

/// The list of lessons (`course`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CourseContext {
    /// How many lessons this build holds.
    pub total: usize,
    /// The lessons by arc, in the order of the course.
    pub arcs: Vec<ArcGroupContext>,
}

/// The lessons of one arc (`course.arcs`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArcGroupContext {
    /// The arc's name; absent for lessons that belong to none.
    pub name: Option<String>,
    /// The id of the group in the page.
    pub id: String,
    /// Its lessons, in order.
    pub lessons: Vec<RowContext>,
}

/// What the home page shows of the site (`home`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HomeContext {
    /// How many terms this build holds.
    pub terms_total: usize,
    /// How many lessons this build holds.
    pub lessons_total: usize,
    /// The alphabet of the glossary, linking into it.
    pub letters: Vec<LetterContext>,
    /// Up to twelve lessons, in the order of the course.
    pub lessons: Vec<RowContext>,
    /// Up to twelve terms, the last checked first.
    pub terms: Vec<RowContext>,
}
