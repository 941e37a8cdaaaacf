//! Proves the finished bytes before they are published.
//!
//! Takes each file of a release as it is made; gives findings. Two things are proved: no word of
//! an unpublished entry stands in any file (`draft-leak`), and every published page shows who
//! signed it, when and how surely (`page-without-byline`). The audit trusts nothing that
//! rendering did: it looks at bytes, unpacks what is packed, and reads picture metadata.

mod haystack;
mod leak;
mod needles;
mod normal;
mod page;
mod parts;
mod seen;
mod sieve;

pub use leak::Leak;
pub use parts::Parts;

use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::entry::Kind;
use crate::resolve::{EntryIndex, Site};
use crate::source::{Digest, FileId, Sources, Span};
use needles::Needles;
use std::collections::BTreeMap;

/// What must be seen on the page of a published entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The entry.
    pub entry: EntryIndex,
    /// Names, dates and assurance, as a reader sees them.
    pub shown: Vec<String>,
}

/// Proves files, one by one and from several threads.
#[derive(Debug)]
pub struct Auditor<'a> {
    site: &'a Site,
    needles: Needles,
    /// Path of a published entry's page to what it must show.
    pages: BTreeMap<String, Signed>,
    /// The site's own template that answers for what the pages of terms show, and of lessons.
    makers: [Option<(FileId, String)>; 2],
}

impl<'a> Auditor<'a> {
    /// Prepares the audit of a release. `signed` holds an item for each published entry, `built_in`
    /// gives what a release holds with no entry at all: the words of it are nobody's.
    pub fn new(
        site: &'a Site,
        sources: &Sources,
        signed: Vec<Signed>,
        built_in: fn() -> &'static [String],
    ) -> Self {
        let published: Vec<bool> = {
            let mut published = vec![false; site.entries.len()];
            for signed in &signed {
                published[signed.entry] = true;
            }
            published
        };
        let needles = Needles::new(site, sources, built_in, |index| published[index]);
        let pages = signed
            .into_iter()
            .map(|signed| {
                let address = site.entries[signed.entry].address();
                (format!("{address}index.html"), signed)
            })
            .collect();
        Self {
            site,
            needles,
            pages,
            makers: [Kind::Term, Kind::Lesson].map(|kind| maker(kind, sources)),
        }
    }

    /// Whether any text could leak at all. Where nothing is withheld only bylines are looked at.
    pub fn is_trivial(&self) -> bool {
        self.needles.is_empty()
    }

    /// The digest of all words that are looked for: a file without them now is one without them as
    /// long as it is the same.
    pub fn words(&self) -> Digest {
        self.needles.digest()
    }

    /// Whether anything could be found in the file at this path.
    pub fn looks_at(&self, path: &str) -> bool {
        !self.is_trivial() || self.is_signed(path)
    }

    /// Whether a file must show who signed it, for which it has to be looked at whole.
    pub fn is_signed(&self, path: &str) -> bool {
        self.pages.contains_key(path)
    }

    /// Begins to look for leaks in a file that comes in parts. `copied` is the source of a copied
    /// file.
    pub fn in_parts<'p>(&'p self, path: &'p str, copied: Option<Span>) -> Parts<'p> {
        Parts::new(&self.needles, path, copied)
    }

    /// Proves one file. `copied` is the source of a copied file. Leaks become findings in
    /// [`Self::report`], once every file has been seen.
    pub fn file(&self, path: &str, bytes: &[u8], copied: Option<Span>) -> (Vec<Leak>, Diagnostics) {
        let mut out = Diagnostics::new();
        let leaks = if self.is_trivial() {
            Vec::new()
        } else {
            let mut leaks = self.in_parts(path, copied);
            leaks.part(bytes);
            leaks.finish()
        };
        if let Some(signed) = self.pages.get(path) {
            self.byline(path, bytes, signed, &mut out);
        }
        (leaks, out)
    }

    fn byline(&self, path: &str, bytes: &[u8], signed: &Signed, out: &mut Diagnostics) {
        let sought = signed.shown.iter().map(String::as_str).collect();
        if page::shows_all(bytes, sought) {
            return;
        }
        let text = page::visible(bytes);
        let missing: Vec<_> = signed
            .shown
            .iter()
            .filter(|shown| {
                let wanted = normal::normalised(shown);
                !wanted.trim().is_empty() && !text.contains(&wanted)
            })
            .map(|shown| format!("“{shown}”"))
            .collect();
        if missing.is_empty() {
            return;
        }
        let entry = &self.site.entries[signed.entry];
        let kind = entry.kind();
        let lacks = format!("`{path}` does not show {}", missing.join(", "));
        let finding = |place, message| Diagnostic::new(rule::PAGE_WITHOUT_BYLINE, place, message);
        let finding = match &self.makers[usize::from(kind == Kind::Lesson)] {
            // The same words for every page of the template: it is one fault.
            Some((file, template)) => finding(
                Span::file(*file),
                format!(
                    "`{template}`: the page of a {} does not show who signed it, and when",
                    kind.word()
                ),
            )
            .related(entry.byline.span, "signed here")
            .note(format!("{lacks}.")),
            None => finding(entry.byline.span, lacks).label("signed here"),
        };
        out.push(
            finding
                .note("A reader must see who answers for a page, since when, and how surely.")
                .help("Show the byline there, as the built-in template does: `{% include \"partials/byline.html\" %}`.")
                .entry(entry.id.shared()),
        );
    }
}

/// The site's own template that most likely leaves the byline out of the pages of a kind.
fn maker(kind: Kind, sources: &Sources) -> Option<(FileId, String)> {
    const BYLINE: &str = "partials/byline.html";
    let own = |name: &str| {
        let path = format!("templates/{name}");
        Some((sources.find(&path)?, path))
    };
    let page = own(&format!("{}.html", kind.word()));
    let leaves_it_to_another =
        |(file, _): &(FileId, String)| sources.file(*file).text.contains(BYLINE);
    match page {
        Some(page) if leaves_it_to_another(&page) => own(BYLINE).or(Some(page)),
        Some(page) => Some(page),
        None => own(BYLINE).or_else(|| own("base.html")),
    }
}
