//! The template engine.
//!
//! Job: compile the built-in templates and a site's own over them, and fill one. Input: the files
//! of `templates/` and a page's context. Output: text with slot markers, or a finding at the
//! template's line. Invariant: every template escapes what it prints, whatever its name; only this
//! file knows the engine.

use super::advice::{missing_path, near_template, suggest, unread, word_at};
use super::balance::{Imbalance, imbalance};
use super::context::PageKind;
use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::source::{FileId, Sources, Span};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use tera::{Context, ErrorKind, ReportError, Tera};

/// The folder of a site's own templates.
pub(super) const FOLDER: &str = "templates/";

macro_rules! built_in {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../templates/", $name)))),+]
    };
}

/// The built-in templates: name and text.
pub(super) const BUILT_IN: &[(&str, &str)] = built_in![
    "404.html",
    "base.html",
    "home.html",
    "lesson.html",
    "lessons.html",
    "page.html",
    "partials/after.html",
    "partials/banner.html",
    "partials/byline.html",
    "partials/contents.html",
    "partials/figures.html",
    "partials/footer.html",
    "partials/head.html",
    "partials/lesson-rows.html",
    "partials/masthead.html",
    "partials/related.html",
    "partials/search-bar.html",
    "partials/sources.html",
    "partials/twill.html",
    "term.html",
    "terms.html",
];

/// Templates that make a whole page: blank ones would publish blank pages.
const WHOLE: [&str; 8] = [
    "404.html",
    "base.html",
    "home.html",
    "lesson.html",
    "lessons.html",
    "page.html",
    "term.html",
    "terms.html",
];

/// Most bytes that a template makes of one page: 64 MiB. A list of ten thousand terms has some four.
pub(super) const PAGE_MAX_BYTES: usize = 64 << 20;

/// Takes what a template prints, up to its limit: a loop that prints must not fill the memory.
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        if self.0.len() + part.len() > PAGE_MAX_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Compiled templates.
pub struct Templates {
    tera: Tera,
    /// A site's own templates by name.
    own: BTreeMap<String, Own>,
}

struct Own {
    file: FileId,
    text: Arc<str>,
}

/// What is being rendered, for findings.
pub(super) struct Subject {
    /// In words that fit "while … was rendered".
    pub(super) what: String,
    /// The file that it is made from.
    pub(super) span: Span,
    /// The entry's id, if it is one.
    pub(super) entry: Option<Arc<str>>,
}

impl Templates {
    /// Compiles the built-in templates with the site's own over them. Every faulty template is
    /// reported; then there are none.
    pub fn new(sources: &Sources, out: &mut Diagnostics) -> Option<Self> {
        let mut texts: BTreeMap<&str, &str> = BUILT_IN.iter().copied().collect();
        let mut own = BTreeMap::new();
        let mut sound = true;
        for (file, source) in sources.below(FOLDER) {
            let name = &source.path[FOLDER.len()..];
            let Some(text) = source.readable() else {
                sound = false;
                continue;
            };
            if WHOLE.contains(&name) && text.trim().is_empty() {
                sound = false;
                out.push(blank(name, file));
            }
            texts.insert(name, text);
            let text = Arc::clone(text);
            own.insert(name.to_owned(), Own { file, text });
        }
        let mut templates = Self {
            tera: engine(),
            own,
        };
        // One by one first: the engine stops at the first text that it cannot read.
        for name in templates.own.keys() {
            let text = texts.get(name.as_str()).copied().unwrap_or_default();
            if let Err(error) = engine().add_raw_template(name, text)
                && matches!(error.kind(), ErrorKind::SyntaxError(_))
            {
                sound = false;
                out.extend(templates.findings(&error));
            }
        }
        if !sound {
            return None;
        }
        let own_files = templates
            .own
            .iter()
            .map(|(name, own)| (name.as_str(), own.file));
        unread(own_files, &texts, BUILT_IN, out);
        if let Err(error) = templates.tera.add_raw_templates(texts) {
            let site = sources.find("site.toml").unwrap_or(FileId::new(0));
            for mut finding in templates.blame(templates.findings(&error)) {
                if finding.span == nowhere() {
                    finding.span = Span::file(site);
                }
                out.push(finding);
            }
            return None;
        }
        Some(templates)
    }

    /// Fills the template of a kind of page.
    pub(super) fn render<P: Serialize>(
        &self,
        kind: PageKind,
        page: &P,
        subject: &Subject,
    ) -> Result<String, Diagnostics> {
        let mut output = Bounded(Vec::with_capacity(16 << 10));
        let context = Context::from_serialize(page);
        let rendered = context.and_then(|context| {
            self.tera
                .render_to(kind.template(), &context, &mut output)?;
            Ok(String::from_utf8(output.0)?)
        });
        rendered.map_err(|error| {
            let mut out = Diagnostics::new();
            let found = match error.kind() {
                ErrorKind::Io(io::ErrorKind::FileTooLarge) => vec![self.endless(kind.template())],
                _ => self.findings(&error),
            };
            for mut finding in found {
                if let ErrorKind::RenderingError(report) = error.kind() {
                    finding = self.explain(finding, report, page);
                }
                let note = format!("This came up while {} was rendered.", subject.what);
                finding = finding.note(note);
                if finding.span == nowhere() {
                    finding.span = subject.span;
                }
                finding.entry.clone_from(&subject.entry);
                out.push(finding);
            }
            out
        })
    }

    /// A page grew past its limit: most likely by the site's own template for it.
    fn endless(&self, template: &str) -> Diagnostic {
        let own = |name: &&str| self.own.contains_key(*name);
        let first = self.own.keys().next().map(String::as_str);
        let name = [template, "base.html"].into_iter().find(own).or(first);
        let name = name.unwrap_or(template);
        let message = format!("the page that it makes has more than {PAGE_MAX_BYTES} bytes");
        template_error(name, self.span(name, 0..0), &message)
            .help("Look for a loop that runs more often than you meant, or that stands in another.")
    }

    /// The findings that an error of the engine stands for.
    fn findings(&self, error: &tera::Error) -> Vec<Diagnostic> {
        match error.kind() {
            ErrorKind::SyntaxError(report) => vec![self.syntax(report)],
            ErrorKind::RenderingError(report) => {
                vec![self.at_report(report, &lower_first(report.message()))]
            }
            ErrorKind::MissingParent { current, parent } => {
                let message = format!("it extends `{parent}`, and there is no such template");
                vec![self.about(current, parent, &message)]
            }
            ErrorKind::CircularExtend {
                tpl,
                inheritance_chain,
            } => {
                let chain = inheritance_chain.join(", ");
                let message = format!("it extends itself, by way of {chain}");
                vec![self.about(tpl, "extends", &message)]
            }
            ErrorKind::CircularInclude { tpl, include_chain } => {
                let chain = include_chain.join(", ");
                let message = format!("it includes itself, by way of {chain}");
                vec![self.about(tpl, "include", &message)]
            }
            _ => self.listed(&error.to_string()),
        }
    }

    fn syntax(&self, report: &ReportError) -> Diagnostic {
        // The engine says where it gave up, which is far from the tag that is at fault.
        if ["Unexpected end of input", "Unknown tag"].contains(&report.message())
            && let Some(imbalance) = imbalance(self.text(report.filename()))
        {
            return self.unbalanced(report.filename(), &imbalance);
        }
        self.at_report(
            report,
            &format!("it cannot be read: {}", lower_first(report.message())),
        )
        .label("not understood here")
        .help("Templates are written in Tera: `{{ value }}`, `{% if … %}`, `{% for … in … %}`, `{# comment #}`.")
    }

    /// A tag that is not closed, or closes nothing.
    fn unbalanced(&self, name: &str, imbalance: &Imbalance) -> Diagnostic {
        let at = |range: &std::ops::Range<usize>| self.span(name, range.clone());
        match imbalance {
            Imbalance::Unclosed { open, word } => {
                template_error(name, at(open), &format!("`{{% {word} %}}` is never closed"))
                    .label("opened here")
                    .help(format!("Write `{{% end{word} %}}` where it ends."))
            }
            Imbalance::Crossed { open, word, end } => template_error(
                name,
                at(end),
                &format!("`{{% {word} %}}` is still open where this closes what stands around it"),
            )
            .related(at(open), "opened here")
            .help(format!("Write `{{% end{word} %}}` before it.")),
            Imbalance::Stray { end, word } => template_error(
                name,
                at(end),
                &format!("`{{% end{word} %}}` closes nothing"),
            )
            .label(format!("no `{{% {word} %}}` is open here"))
            .help("Take it out, or open what it is to close."),
            Imbalance::Unended { start, mark, end } => {
                template_error(name, at(start), &format!("`{mark}` is never closed"))
                    .label("opened here")
                    .help(format!("Write `{end}` where it ends."))
            }
        }
    }

    fn at_report(&self, report: &ReportError, message: &str) -> Diagnostic {
        let span = self.span(report.filename(), report.span().range.clone());
        template_error(report.filename(), span, message)
    }

    /// A finding about a template as a whole, at the first place of `word` in it.
    fn about(&self, name: &str, word: &str, message: &str) -> Diagnostic {
        let text = self.text(name);
        let span = match text.find(word) {
            Some(at) => self.span(name, at..at + word.len()),
            None => self.span(name, 0..0),
        };
        let near = near_template(word, &self.tera_names());
        template_error(name, span, message).maybe_help(near)
    }

    /// Reads the engine's list of several faults: a line `error: …`, then ` --> FILE:LINE:COLUMN`.
    fn listed(&self, text: &str) -> Vec<Diagnostic> {
        let mut message = "";
        let mut found = Vec::new();
        for line in text.lines() {
            if let Some(headline) = line.strip_prefix("error: ") {
                message = headline;
            } else if let Some((name, place)) = line
                .trim_start()
                .strip_prefix("--> ")
                .and_then(|place| self.place(place))
            {
                let finding = template_error(&name, place, &lower_first(message));
                found.push(self.unknown(finding, message));
            }
        }
        if found.is_empty() {
            found.push(Diagnostic::new(rule::TEMPLATE_ERROR, nowhere(), text));
        }
        found
    }

    /// Puts the blocks that built-in templates miss down to the site's own `base.html`: one finding
    /// for the file that does not define them.
    fn blame(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        const BASE: &str = "base.html";
        let Some(base) = self.own.get(BASE) else {
            return found;
        };
        let missing = |finding: &Diagnostic| {
            let (_, rest) = finding.message.split_once("block `")?;
            let (block, _) = rest.split_once("` is not defined in any parent template")?;
            Some(format!("`{block}`"))
        };
        let built_in = found.iter().filter(|finding| finding.span == nowhere());
        let blocks: BTreeSet<_> = built_in.filter_map(missing).collect();
        // Own templates that fill the same blocks suffer from the same fault.
        let follows = |finding: &Diagnostic| missing(finding).is_some_and(|b| blocks.contains(&b));
        let mut rest: Vec<_> = found.into_iter().filter(|f| !follows(f)).collect();
        if !blocks.is_empty() {
            let blocks = blocks.into_iter().collect::<Vec<_>>().join(", ");
            let message = format!("it does not define what the other templates fill: {blocks}");
            rest.push(
                template_error(BASE, Span::file(base.file), &message).help(
                    "Give it each of these blocks, such as `{% block main %}{% endblock %}`.",
                ),
            );
        }
        rest
    }

    /// Suggests a template for one that is not there.
    fn unknown(&self, finding: Diagnostic, message: &str) -> Diagnostic {
        let wanted = message
            .strip_prefix("Unknown template `")
            .and_then(|rest| rest.strip_suffix('`'));
        let Some(wanted) = wanted else {
            let is_block = message.ends_with("is not defined in any parent template");
            return finding.maybe_help(is_block.then(|| {
                "Put its text into a block that the parent has, or define the block there."
                    .to_owned()
            }));
        };
        let near = near_template(wanted, &self.tera_names());
        let write = || format!("Write `{FOLDER}{wanted}`, or name a template that is there.");
        finding.help(near.unwrap_or_else(write))
    }

    /// Adds what was looked for, what there is, and which templates included the faulty one.
    fn explain<P: Serialize>(
        &self,
        mut finding: Diagnostic,
        report: &ReportError,
        page: &P,
    ) -> Diagnostic {
        if report.message().contains("not defined") || report.message().contains("undefined") {
            let (name, range) = (report.filename(), &report.span().range);
            let context = serde_json::to_value(page).unwrap_or_default();
            let pointed = (range, report.message());
            let (path, end) = missing_path(self.text(name), pointed, &context);
            finding.span = self.span(name, range.start..end);
            finding.message = format!("`{FOLDER}{name}`: `{path}` is not defined");
            finding = finding.label("the page has no such value");
            finding = finding.maybe_help(suggest(path, &context));
        }
        let shown = tera::Error::new(ErrorKind::RenderingError(Box::new(report.clone())));
        for line in shown.to_string().lines() {
            let Some(place) = line.strip_prefix("note: called from ") else {
                continue;
            };
            match self.place(place) {
                Some((name, span)) if span != nowhere() => {
                    finding = finding.related(span, format!("included by `{FOLDER}{name}`"));
                }
                _ => finding = finding.note(format!("Included by the built-in `{place}`.")),
            }
        }
        finding
    }

    /// Reads `FILE:LINE:COLUMN`; the span is the word or the quoted text that begins there.
    fn place(&self, text: &str) -> Option<(String, Span)> {
        let mut parts = text.trim().rsplitn(3, ':');
        let column: usize = parts.next()?.parse().ok()?;
        let line: usize = parts.next()?.parse().ok()?;
        let name = parts.next()?;
        let text = self.text(name);
        let start = text
            .split_inclusive('\n')
            .take(line.saturating_sub(1))
            .map(str::len)
            .sum::<usize>();
        let row = text.get(start..)?.lines().next().unwrap_or_default();
        let skipped: usize = row
            .chars()
            .take(column.saturating_sub(1))
            .map(char::len_utf8)
            .sum();
        let end = start + row.trim_end().len();
        let begin = (start + skipped).min(end);
        let end = begin + word_at(&text[begin..end]);
        Some((name.to_owned(), self.span(name, begin..end)))
    }

    /// A place in a site's own template; a built-in one has none.
    fn span(&self, name: &str, range: std::ops::Range<usize>) -> Span {
        self.own
            .get(name)
            .map_or(nowhere(), |own| Span::new(own.file, range))
    }

    fn text(&self, name: &str) -> &str {
        let built_in = || BUILT_IN.iter().find(|(other, _)| *other == name);
        match self.own.get(name) {
            Some(own) => &own.text,
            None => built_in().map_or("", |(_, text)| text),
        }
    }

    fn tera_names(&self) -> Vec<String> {
        let built_in = BUILT_IN.iter().map(|(name, _)| (*name).to_owned());
        let mut names: Vec<_> = self.own.keys().cloned().chain(built_in).collect();
        names.sort();
        names.dedup();
        names
    }
}

impl std::fmt::Debug for Templates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.own.keys()).finish()
    }
}

/// The place of a fault in a template that comes with the program: no file of the site. It is
/// replaced before a finding leaves this module.
fn nowhere() -> Span {
    Span::file(FileId::new(usize::MAX))
}

fn engine() -> Tera {
    let mut tera = Tera::new();
    // Every name ends in nothing: all are escaped.
    tera.autoescape_on([""]);
    tera
}

fn template_error(name: &str, span: Span, message: &str) -> Diagnostic {
    let whose = if span == nowhere() {
        format!("the built-in template `{name}`")
    } else {
        format!("`{FOLDER}{name}`")
    };
    Diagnostic::new(rule::TEMPLATE_ERROR, span, format!("{whose}: {message}"))
}

fn blank(name: &str, file: FileId) -> Diagnostic {
    Diagnostic::new(
        rule::TEMPLATE_ERROR,
        Span::file(file),
        format!("`{FOLDER}{name}` is empty, so its pages would be blank"),
    )
    .help("Write the template, or delete the file: the built-in one serves then.")
}

/// The message with a small first letter, to stand after a colon.
fn lower_first(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}
