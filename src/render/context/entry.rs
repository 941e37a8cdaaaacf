//! A term or a lesson on its own page: all that stands around its body.

use serde::Serialize;

use super::page::LinkContext;

/// A term or a lesson (`entry`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryContext {
    /// The entry's id.
    pub id: String,
    /// `term` or `lesson`.
    pub kind: &'static str,
    /// The title, a question as a rule; the page's one `h1`.
    pub title: String,
    /// The name: `latency hiding`. For a lesson its title.
    pub name: String,
    /// The answer in one sentence.
    pub short: String,
    /// Other names of the term.
    pub aliases: Vec<String>,
    /// `draft`, `refused`, `stale`, `held` or `published`.
    pub state: String,
    /// Who is still to sign: `author`, `reviewer`; empty once published.
    pub waits_for: Vec<String>,
    /// Names and dates.
    pub byline: BylineContext,
    /// The headings of the body, as a tree.
    pub contents: Vec<HeadingContext>,
    /// The sources, numbered from 1 in the order of their first citation, then of the front matter.
    pub sources: Vec<SourceContext>,
    /// Related terms.
    pub related: Vec<LinkContext>,
    /// Where you meet this: lessons.
    pub meets: Vec<MeetContext>,
    /// Entries whose text links here, apart from those in `related` and `meets`.
    pub backlinks: Vec<LinkContext>,
    /// The lesson that owns the term.
    pub owner: Option<LinkContext>,
    /// What only a lesson has.
    pub lesson: Option<LessonContext>,
    /// The entry before it: by name for a term, in the course for a lesson.
    pub previous: Option<LinkContext>,
    /// The entry after it.
    pub next: Option<LinkContext>,
    /// How to cite the page; absent until it is published.
    pub cite: Option<CiteContext>,
}

/// Names and dates (`entry.byline`); each is absent while it is pending.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct BylineContext {
    /// The author.
    pub written_by: Option<PersonContext>,
    /// The reviewer, another person.
    pub reviewed_by: Option<PersonContext>,
    /// The date of writing.
    pub written_on: Option<String>,
    /// The date on which facts and sources were last checked.
    pub last_checked_on: Option<String>,
    /// How sure the two names are: `named`, `attested` or `signed`; absent until published.
    pub assurance: Option<String>,
    /// The digest of all that the page claims, `sha256:` and 64 digits.
    pub claims_digest: Option<String>,
    /// Its first twelve digits.
    pub claims_digest_short: Option<String>,
}

/// A person (`entry.byline.written_by`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PersonContext {
    /// The name as registered, or as the byline has it.
    pub name: String,
    /// The person's page, absolute.
    pub url: Option<String>,
}

/// A heading of the body (`entry.contents`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeadingContext {
    /// The heading's id in the page.
    pub id: String,
    /// Its words, without markup.
    pub text: String,
    /// A lesson's numbered section: `01`.
    pub number: Option<String>,
    /// The kicker beside the number: `The job`.
    pub kicker: Option<String>,
    /// The headings one level below.
    pub children: Vec<Self>,
}

/// A cited document (`entry.sources`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceContext {
    /// Its number in the page, from 1.
    pub number: usize,
    /// Its id in the front matter; the list item has the id `source-ID`.
    pub id: String,
    /// The document's title.
    pub title: String,
    /// The sections that were read.
    pub sections: Vec<String>,
    /// What it supports.
    pub supports: String,
    /// Its address, absolute; absent for a source without one.
    pub url: Option<String>,
    /// The host of `url`, shown beside the link.
    pub host: Option<String>,
    /// When it was last checked.
    pub checked: Option<String>,
    /// The citations in the text, in order: their ids (`cite-ID-1`, `cite-ID-2`).
    pub citations: Vec<String>,
}

/// A lesson in which a term is met (`entry.meets`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MeetContext {
    /// The lesson; its `href` is absent where it is not in this build.
    pub lesson: LinkContext,
    /// The lesson's day, if it has one.
    pub day: Option<String>,
    /// What happens to the term there.
    pub note: String,
}

/// What only a lesson has (`entry.lesson`, and each lesson of the index).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LessonContext {
    /// The day in the course.
    pub day: Option<String>,
    /// The arc that it is a part of.
    pub arc: Option<ArcContext>,
    /// What to read before.
    pub prerequisites: Vec<LinkContext>,
    /// The terms that it teaches.
    pub teaches: Vec<LinkContext>,
    /// How many numbered sections it has.
    pub sections: usize,
    /// How many interactive models it has.
    pub models: usize,
}

/// A lesson's place in an arc (`entry.lesson.arc`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArcContext {
    /// The arc's name.
    pub name: String,
    /// This lesson's part in it, from 1.
    pub part: u64,
    /// Every part of the arc that is in this build, this one included, in order; empty in lists.
    pub parts: Vec<ArcPartContext>,
}

/// A part of an arc (`entry.lesson.arc.parts`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArcPartContext {
    /// Its number, from 1.
    pub number: u64,
    /// The lesson.
    pub lesson: LinkContext,
    /// Whether it is the lesson of this page.
    pub here: bool,
}

/// How to cite a page (`entry.cite`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CiteContext {
    /// The citation as a sentence.
    pub text: String,
    /// The same as a BibTeX record.
    pub bibtex: String,
}
