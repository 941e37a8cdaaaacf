//! Findings for people, in the manner of rustc: the author's lines, the text underlined.

use super::{Diagnostic, Diagnostics, Severity};
use crate::source::{Sources, Span};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// Whether the text carries terminal colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// ANSI escape sequences.
    Always,
}

/// All findings as text, a blank line between them.
pub fn render(findings: &Diagnostics, sources: &Sources, colour: Colour) -> String {
    let mut text = String::new();
    for finding in findings {
        text.push_str(&render_one(finding, sources, colour));
        text.push_str("\n\n");
    }
    text
}

/// One finding as text, without a line end at its end.
pub fn render_one(finding: &Diagnostic, sources: &Sources, colour: Colour) -> String {
    let id = format!("{} {}", finding.rule.code, finding.rule.name);
    let title = level(finding.severity).primary_title(visible(&finding.message));
    let mut spans = vec![(
        finding.span,
        finding.label.as_deref(),
        AnnotationKind::Primary,
    )];
    let related = finding.related.iter();
    spans.extend(related.map(|other| {
        let label = Some(other.label.as_str());
        (other.span, label, AnnotationKind::Context)
    }));
    let mut group = in_places(Group::with_title(title.id(id)), &spans, sources);
    for note in finding.all_notes() {
        group = group.element(Level::NOTE.message(visible(&note)));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(visible(help)));
    }
    finish(group, colour)
}

/// Something to tell about places of the site that no rule found.
#[derive(Debug, Clone, Copy)]
pub struct Notice<'a> {
    /// How much it weighs; `Off` is a note.
    pub severity: Severity,
    /// The headline.
    pub message: &'a str,
    /// The places.
    pub spans: &'a [Span],
    /// What else is known of it.
    pub note: Option<&'a str>,
    /// What to do.
    pub help: Option<&'a str>,
}

/// A notice as text, without a line end at its end.
pub fn render_notice(notice: &Notice<'_>, sources: &Sources, colour: Colour) -> String {
    let title = level(notice.severity).primary_title(visible(notice.message));
    let spans = notice.spans.iter();
    let spans = spans.map(|span| (*span, None, AnnotationKind::Primary));
    let mut group = in_places(
        Group::with_title(title),
        &spans.collect::<Vec<_>>(),
        sources,
    );
    if let Some(note) = notice.note {
        group = group.element(Level::NOTE.message(visible(note)));
    }
    if let Some(help) = notice.help {
        group = group.element(Level::HELP.message(visible(help)));
    }
    finish(group, colour)
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Off => Level::NOTE,
    }
}

fn in_places<'a>(mut group: Group<'a>, spans: &[Labelled<'a>], sources: &'a Sources) -> Group<'a> {
    for element in places(spans, sources) {
        group = match element {
            Place::Whole(path) => group.element(Origin::path(path)),
            Place::Lines(snippet) => group.element(snippet),
        };
    }
    group
}

fn finish(group: Group<'_>, colour: Colour) -> String {
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    renderer
        .decor_style(DecorStyle::Ascii)
        .render(&[group])
        .trim_end()
        .to_owned()
}

/// Control and direction characters as escapes, so that a finding about them can be read.
fn visible(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let hidden = (c.is_control() && c != '\n')
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
            let escaped = hidden.then(|| c.escape_unicode());
            let plain = (!hidden).then_some(c);
            escaped.into_iter().flatten().chain(plain)
        })
        .collect()
}

enum Place<'a> {
    Whole(&'a str),
    Lines(Snippet<'a, annotate_snippets::Annotation<'a>>),
}

/// A place, what is to be seen there, and whether it is the one in question.
type Labelled<'a> = (Span, Option<&'a str>, AnnotationKind);

/// The places, grouped by file.
fn places<'a>(spans: &[Labelled<'a>], sources: &'a Sources) -> Vec<Place<'a>> {
    let mut places = Vec::new();
    let mut done = Vec::new();
    for (span, ..) in spans {
        if done.contains(&span.file) {
            continue;
        }
        done.push(span.file);
        let here: Vec<_> = spans.iter().filter(|(s, ..)| s.file == span.file).collect();
        let file = sources.file(span.file);
        if file.text.is_empty() || here.iter().all(|(s, ..)| s.start == 0 && s.end == 0) {
            places.push(Place::Whole(&file.path));
            continue;
        }
        let window = window(&file.text, here.iter().map(|(span, ..)| *span));
        let first_line = file.text[..window.start].matches('\n').count() + 1;
        let mut snippet = Snippet::source(&file.text[window.clone()])
            .path(&*file.path)
            .line_start(first_line)
            .fold(true);
        for (span, label, kind) in here {
            let range = clamp(*span, &window);
            let annotation = kind.span(range);
            snippet = snippet.annotation(match label {
                Some(label) => annotation.label(*label),
                None => annotation,
            });
        }
        places.push(Place::Lines(snippet));
    }
    places
}

/// The whole lines that hold all spans: a renderer given the whole file would be slow.
fn window(text: &str, spans: impl Iterator<Item = Span>) -> Range<usize> {
    let (mut start, mut end) = (text.len(), 0);
    for span in spans {
        start = start.min(span.range().start);
        end = end.max(span.range().end);
    }
    let (start, end) = (boundary(text, start), boundary(text, end.max(start)));
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
    from..to
}

fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn clamp(span: Span, window: &Range<usize>) -> Range<usize> {
    let length = window.end - window.start;
    let start = span.range().start.saturating_sub(window.start).min(length);
    let end = span.range().end.saturating_sub(window.start).min(length);
    start..end.max(start)
}
