//! Terms and lessons: the pages with a byline.

use super::byline::Byline;
use super::citation::Source;
use super::claim::ShortText;
use super::document::Document;
use super::figure::{Diagram, Matrix, Model};
use super::signable::Signable;
use super::slug::Slug;
use crate::source::{FileId, Span, Spanned, make_exact};

/// Term or lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A glossary term, under `terms/`.
    Term,
    /// A lesson, under `lessons/`.
    Lesson,
}

impl Kind {
    /// The word used in JSON and messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Term => "term",
            Self::Lesson => "lesson",
        }
    }

    /// The folder of its pages, in `content` and in the release.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Term => "terms",
            Self::Lesson => "lessons",
        }
    }
}

/// A lesson that meets a term, as the term says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// The lesson's id, name or alias.
    pub lesson: Spanned<String>,
    /// What happens there.
    pub note: Option<Spanned<String>>,
}

/// What only a term has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The name itself.
    pub name: Spanned<String>,
    /// Other names.
    pub aliases: Vec<Spanned<String>>,
    /// The lesson that owns it.
    pub owner: Option<Spanned<String>>,
    /// Related terms.
    pub related: Vec<Spanned<String>>,
    /// Lessons that meet it.
    pub meets: Vec<Meeting>,
}

/// A lesson's place in a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arc {
    /// Name of the series.
    pub name: Spanned<String>,
    /// Part, from 1.
    pub part: Option<Spanned<u64>>,
}

/// What only a lesson has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// Day of the course.
    pub day: Option<Spanned<u64>>,
    /// Place in a series.
    pub arc: Option<Arc>,
    /// Entries to read first.
    pub prerequisites: Vec<Spanned<String>>,
    /// Terms that it teaches.
    pub teaches: Vec<Spanned<String>>,
}

/// What depends on the kind of entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detail {
    /// A term.
    Term(Term),
    /// A lesson.
    Lesson(Lesson),
}

/// A term or lesson as written. Reading is total: a fault has been reported and a default
/// stands in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its id.
    pub id: Slug,
    /// Its file.
    pub file: FileId,
    /// Title of the page.
    pub title: Spanned<String>,
    /// One sentence that answers the title.
    pub short: Option<ShortText>,
    /// Why it is withheld, if it is.
    pub hold: Option<Spanned<String>>,
    /// What depends on its kind.
    pub detail: Detail,
    /// Captures, by name, in the order written.
    pub measured: Vec<super::dataset::Capture>,
    /// Diagrams, in the order written.
    pub diagrams: Vec<Diagram>,
    /// Models, in the order written.
    pub models: Vec<Model>,
    /// Matrices, in the order written.
    pub matrices: Vec<Matrix>,
    /// Cited documents, in the order written.
    pub sources: Vec<Source>,
    /// Who signed it.
    pub byline: Byline,
    /// The front matter, between its fences.
    pub front: Span,
    /// The body.
    pub body: Document,
    /// What people sign of its own file.
    pub signable: Signable,
}

impl Entry {
    /// Gives back the memory that its lists grew with and do not need.
    pub fn shrink(&mut self) {
        for capture in &mut self.measured {
            make_exact(&mut capture.columns);
            make_exact(&mut capture.rows);
            for row in &mut capture.rows {
                make_exact(&mut row.cells);
            }
        }
        make_exact(&mut self.measured);
        make_exact(&mut self.diagrams);
        make_exact(&mut self.models);
        make_exact(&mut self.matrices);
        make_exact(&mut self.sources);
    }

    /// Term or lesson.
    pub fn kind(&self) -> Kind {
        match self.detail {
            Detail::Term(_) => Kind::Term,
            Detail::Lesson(_) => Kind::Lesson,
        }
    }

    /// The name that links and lists use: a term's name, a lesson's title.
    pub fn name(&self) -> &str {
        match &self.detail {
            Detail::Term(term) => &term.name.value,
            Detail::Lesson(_) => &self.title.value,
        }
    }

    /// Other names.
    pub fn aliases(&self) -> &[Spanned<String>] {
        match &self.detail {
            Detail::Term(term) => &term.aliases,
            Detail::Lesson(_) => &[],
        }
    }

    /// Address of its page in the release: `terms/ID/`.
    pub fn address(&self) -> String {
        format!("{}/{}/", self.kind().folder(), self.id)
    }

    /// The term's part, if it is one.
    pub fn term(&self) -> Option<&Term> {
        match &self.detail {
            Detail::Term(term) => Some(term),
            Detail::Lesson(_) => None,
        }
    }

    /// The lesson's part, if it is one.
    pub fn lesson(&self) -> Option<&Lesson> {
        match &self.detail {
            Detail::Lesson(lesson) => Some(lesson),
            Detail::Term(_) => None,
        }
    }
}
