//! Links, links to entries, and claims.

use super::reader::Reader;
use crate::diagnostic::rule;
use crate::model::claim::{Claim, Piece};
use crate::model::document::{EmbedKind, Link, Part, Target};
use crate::parse::inline::trim;
use crate::source::{Span, Spanned};
use pulldown_cmark::LinkType;
use std::ops::Range;

/// A link whose end has not come yet.
#[derive(Debug)]
pub(super) enum OpenLink {
    /// A claim.
    Claim(OpenClaim),
    /// A link of the document, and the length of the document's words before it.
    Hole(usize, usize),
    /// The same for an address in angle brackets, which is no words.
    Address(usize, usize),
    /// A link inside a caption or a claim: its words alone are kept.
    Words,
}

/// A claim whose end has not come yet.
#[derive(Debug)]
pub(super) struct OpenClaim {
    span: Span,
    text_start: usize,
    text: String,
    formula: Spanned<String>,
    /// How many images are open around it.
    images: usize,
}

/// Kind, target and title of a link or image, as the parser gives them.
pub(super) type Construct<'e> = (LinkType, &'e str, &'e str);

/// Why a target is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// A scheme that is not allowed.
    Scheme(String),
    /// `//host/path`: the scheme is left open.
    NoScheme,
    /// A control character, which a browser would skip.
    Control,
}

/// Where a target leads.
pub(super) fn target(dest: &str) -> Result<Target, Refusal> {
    if dest.chars().any(char::is_control) || dest.starts_with(' ') {
        return Err(Refusal::Control);
    }
    let mut slashes = dest.bytes().take(2);
    if slashes.len() == 2 && slashes.all(|byte| matches!(byte, b'/' | b'\\')) {
        return Err(Refusal::NoScheme);
    }
    match scheme(dest) {
        None => Ok(Target::Relative(dest.to_owned())),
        Some(name)
            if ["http", "https", "mailto"]
                .iter()
                .any(|known| name.eq_ignore_ascii_case(known)) =>
        {
            Ok(Target::External(dest.to_owned()))
        }
        Some(name) => Err(Refusal::Scheme(name.to_ascii_lowercase())),
    }
}

/// The scheme of an address.
fn scheme(dest: &str) -> Option<&str> {
    let (name, _) = dest.split_once(':')?;
    let rest = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    (name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(rest)).then_some(name)
}

/// Where in `source`, a whole link or image, its target stands as written.
pub(super) fn target_place(source: &str, kind: LinkType, dest: &str) -> Option<Range<usize>> {
    if dest.is_empty() {
        return None;
    }
    if !matches!(kind, LinkType::Inline) {
        return source.find(dest).map(|at| at..at + dest.len());
    }
    source.rmatch_indices("](").find_map(|(at, _)| {
        let after = source[at + 2..].trim_start();
        let after = after.strip_prefix('<').unwrap_or(after);
        let start = source.len() - after.len();
        after.starts_with(dest).then_some(start..start + dest.len())
    })
}

impl Reader<'_> {
    pub(super) fn start_link(&mut self, (kind, dest, title): Construct<'_>, range: Range<usize>) {
        self.inline_depth += 1;
        let open = if dest.starts_with('=') && !matches!(kind, LinkType::WikiLink { .. }) {
            self.open_claim(kind, dest, &range)
        } else if self.is_captured() {
            OpenLink::Words
        } else {
            self.open_hole((kind, dest, title), range)
        };
        self.links.push(open);
    }

    fn open_claim(&mut self, kind: LinkType, dest: &str, range: &Range<usize>) -> OpenLink {
        let span = self.span(range.clone());
        let formula = trim(dest, 1..dest.len());
        let place = target_place(&self.body[range.clone()], kind, dest).map_or(span, |at| {
            span.within(at.start + formula.start..at.start + formula.end)
        });
        self.check_characters(dest, range.clone());
        OpenLink::Claim(OpenClaim {
            span,
            text_start: range.start + 1,
            text: String::new(),
            formula: Spanned::new(dest[formula].to_owned(), place),
            images: self.images.len(),
        })
    }

    fn open_hole(&mut self, (kind, dest, title): Construct<'_>, range: Range<usize>) -> OpenLink {
        let span = self.span(range.clone());
        let target_span = target_place(&self.body[range.clone()], kind, dest)
            .map_or(span, |place| span.within(place));
        let target = match kind {
            // In a table the bar is escaped, and the backslash is not part of the name.
            LinkType::WikiLink { .. } => {
                Target::Entry(dest.trim_end_matches('\\').trim().to_owned())
            }
            LinkType::Email => Target::External(format!("mailto:{dest}")),
            _ => self.checked_target(dest, target_span),
        };
        self.check_characters(title, range);
        let index = self.doc.links.len();
        self.doc.links.push(Link {
            span,
            target_span,
            target,
            title: title.to_owned(),
            text: String::new(),
        });
        self.inline();
        self.stream.hole(Part::LinkStart(index));
        let words = self.doc.prose.len();
        match kind {
            LinkType::Autolink | LinkType::Email => OpenLink::Address(index, words),
            _ => OpenLink::Hole(index, words),
        }
    }

    fn checked_target(&mut self, dest: &str, place: Span) -> Target {
        match target(dest) {
            Ok(target) => target,
            Err(refusal) => {
                self.push(refused(&refusal, place, "link"));
                Target::Refused
            }
        }
    }

    pub(super) fn end_link(&mut self) {
        self.inline_depth -= 1;
        match self.links.pop() {
            Some(OpenLink::Claim(claim)) => self.claim(claim),
            Some(OpenLink::Hole(index, words)) => self.end_hole(index, words),
            Some(OpenLink::Address(index, words)) => {
                self.end_hole(index, words);
                self.doc.prose.truncate(words);
            }
            Some(OpenLink::Words) | None => {}
        }
    }

    fn end_hole(&mut self, index: usize, words: usize) {
        self.stream.hole(Part::LinkEnd(index));
        if let Some(link) = self.doc.links.get_mut(index) {
            self.doc.prose[words..].trim().clone_into(&mut link.text);
        }
    }

    fn claim(&mut self, open: OpenClaim) {
        let end = open.text_start + open.text.len();
        let verbatim = self.body.get(open.text_start..end) == Some(open.text.as_str());
        let place = if verbatim {
            self.span(open.text_start..end)
        } else {
            open.span
        };
        let claim = Claim {
            span: open.span,
            text: Spanned::new(open.text, place),
            formula: open.formula,
        };
        let index = self.doc.claims.len();
        self.doc.claims.push(claim.clone());
        if let Some(image) = self.images.last_mut() {
            image.pieces.push(Piece::Claim(Box::new(claim)));
            return;
        }
        self.doc.prose.push_str(&claim.text.value);
        self.inline();
        self.stream.hole(Part::Claim(index));
    }

    /// Whether text goes into a caption, an alternative text or a claim, and not to the page.
    pub(super) fn is_captured(&self) -> bool {
        !self.images.is_empty() || matches!(self.links.last(), Some(OpenLink::Claim(_)))
    }

    /// Adds text to the claim or image that is open.
    pub(super) fn capture(&mut self, text: &str) {
        if let Some(OpenLink::Claim(claim)) = self.links.last_mut()
            && claim.images == self.images.len()
        {
            claim.text.push_str(text);
        } else if let Some(image) = self.images.last_mut() {
            image.words(text);
        }
    }
}

/// The finding for a target that a page may not use. `what` is "link" or "image".
pub(super) fn refused(refusal: &Refusal, place: Span, what: &str) -> crate::diagnostic::Diagnostic {
    let message = match refusal {
        Refusal::Scheme(name) => format!("a {what} may not use the scheme `{name}:`"),
        Refusal::NoScheme => format!("the {what}'s address leaves its scheme open"),
        Refusal::Control => format!("the {what}'s address holds a control character"),
    };
    let help = match refusal {
        Refusal::Scheme(name) if EmbedKind::named(name).is_some() => {
            format!("To place a figure, begin with an exclamation mark: `![](…)` with `{name}:`.")
        }
        Refusal::Scheme(name) => match EmbedKind::nearest(name) {
            Some(near) if what == "image" => format!("Did you mean `{near}:`?"),
            _ => "Use `https`, `http`, `mailto` or a relative address.".to_owned(),
        },
        Refusal::NoScheme => "Write `https:` before the two slashes.".to_owned(),
        Refusal::Control => "Write the address without it.".to_owned(),
    };
    crate::diagnostic::Diagnostic::new(rule::BAD_SCHEME, place, message)
        .label("leads nowhere for a reader")
        .help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_safe_targets_are_taken() {
        for good in [
            "../warp/",
            "warp.md#what",
            "#job",
            "/terms/",
            "a b.png",
            "?q=a:b",
            "1:2",
            "",
        ] {
            assert!(matches!(target(good), Ok(Target::Relative(_))), "{good}");
        }
        for good in [
            "https://a.example/",
            "HTTP://a.example",
            "mailto:ada@a.example",
        ] {
            assert!(matches!(target(good), Ok(Target::External(_))), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "JaVaScRiPt:x",
            "file:///x",
            "data:text/html,x",
            "//host/x",
            "/\\host",
            "\\\\host",
            "java\nscript:x",
            "\u{1}javascript:x",
            " javascript:x",
            "vbscript:x",
            "measured:t4",
        ] {
            assert!(target(bad).is_err(), "{bad:?}");
        }
    }
}
