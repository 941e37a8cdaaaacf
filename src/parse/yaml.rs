//! YAML into [`Node`], for front matter and the people registry.
//!
//! Only what a person can sign at sight is accepted: anchors, aliases, merge keys, tags, further
//! documents and repeated keys are errors, each with its place. This file alone names the YAML
//! package.

use crate::diagnostic::{Diagnostic, Diagnostics, RuleId, rule};
use crate::model::tree::{Kind, MAX_DEPTH, Node, Style};
use crate::source::{FileId, Span, Spanned};
use serde_yaml::granit_parser::{Event, Options, Parser, ScalarStyle, ScanError, Span as YamlSpan};
use std::collections::BTreeMap;

/// Where a piece of YAML stands and which rule its faults belong to.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// Byte offset of the YAML in the file.
    pub offset: usize,
    /// Line of the file, from 1, on which the YAML begins.
    pub line: usize,
    /// The rule for YAML that cannot be read.
    pub rule: RuleId,
}

/// Reads one YAML document. `None` if it cannot be read; then at least one error was pushed.
/// An empty document is an empty map.
pub fn parse(text: &str, place: Place, out: &mut Diagnostics) -> Option<Node> {
    let mut reader = Reader {
        text,
        place,
        out,
        open: Vec::new(),
        root: None,
        sound: true,
        last_plain: None,
    };
    let options: Options = serde_yaml::granit_parser::options! {
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
        emit_unresolved_aliases: true,
    };
    let mut parser = Parser::new_from_str_with_options(text, options);
    let mut fault = None;
    while let Some(event) = parser.next_event() {
        match event {
            Ok((event, span)) => reader.event(event, span),
            Err(error) => {
                fault = Some(reader.scan_error(&error));
                break;
            }
        }
    }
    let Reader { root, sound, .. } = reader;
    let empty = Node {
        span: Span::new(place.file, place.offset..place.offset),
        kind: Kind::Map(Vec::new()),
    };
    let root = root.unwrap_or(empty);
    let is_clean = super::characters::check_values(text, place.offset, &root, out);
    let Some(fault) = fault else {
        return sound.then_some(root);
    };
    // Characters that nobody sees may well be why the reader stopped.
    out.extend(is_clean.then_some(fault));
    None
}

/// Among so many keys a repeated one is found by looking at each.
const FEW_KEYS: usize = 32;

/// Where each key of a map of more than [`FEW_KEYS`] was written first.
#[derive(Default)]
struct Places {
    first: BTreeMap<String, Span>,
    /// How many pairs were looked at.
    seen: usize,
}

impl Places {
    /// Where a key was written before, among the pairs of its map so far.
    fn of(&mut self, key: &str, pairs: &[(Spanned<String>, Node)]) -> Option<Span> {
        if pairs.len() <= FEW_KEYS {
            let first = pairs.iter().find(|(known, _)| known.value == key);
            return first.map(|(known, _)| known.span);
        }
        for (known, _) in pairs.get(self.seen..).unwrap_or_default() {
            let place = self.first.entry(known.value.clone());
            place.or_insert(known.span);
        }
        self.seen = pairs.len();
        self.first.get(key).copied()
    }
}

/// A list or map whose end has not come yet.
enum Open {
    List(usize, Vec<Node>),
    Map(
        usize,
        Vec<(Spanned<String>, Node)>,
        Option<Spanned<String>>,
        Places,
    ),
    /// A list or map used as a key: read and dropped, an error has been pushed.
    Dropped,
}

struct Reader<'a> {
    text: &'a str,
    place: Place,
    out: &'a mut Diagnostics,
    open: Vec<Open>,
    root: Option<Node>,
    sound: bool,
    /// End of the last plain scalar, as an offset into `text`.
    last_plain: Option<usize>,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, span: YamlSpan) {
        let range = self.range(span);
        match event {
            Event::DocumentStart(..) if self.root.is_some() => self.error(
                range,
                "a second document begins here",
                "Keep one document: what follows a second `---` would be read by nobody.",
            ),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.error(
                    range.clone(),
                    "an alias stands for text written elsewhere",
                    "Write the value out: what a person signs must stand in its place.",
                );
                self.value(self.node(range, Kind::Null));
            }
            Event::Scalar(value, style, anchor, tag) => {
                self.plain_only(&range, anchor, tag.is_some());
                let node = self.scalar(range, &value, style);
                self.value(node);
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.plain_only(&range, anchor, tag.is_some());
                self.start(Open::List(range.start, Vec::new()));
            }
            Event::MappingStart(_, anchor, tag) => {
                self.plain_only(&range, anchor, tag.is_some());
                self.start(Open::Map(range.start, Vec::new(), None, Places::default()));
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(range.end),
            Event::Comment(..) => self.comment(&range),
            _ => {}
        }
    }

    /// A comment that follows a plain value on its line may be text that YAML cut off.
    fn comment(&mut self, range: &std::ops::Range<usize>) {
        let Some(end) = self.last_plain else { return };
        let between = self.text.get(end..range.start).unwrap_or("\n");
        if between.contains('\n') || between.is_empty() {
            return;
        }
        self.out.push(
            Diagnostic::new(
                rule::LOST_TEXT,
                self.span(range.clone()),
                "text after ` #` is a comment and is not read",
            )
            .label("cut off here")
            .help(
                "Quote the whole value to keep this text, or put the comment on a line of its own.",
            ),
        );
    }

    fn scalar(&mut self, range: std::ops::Range<usize>, value: &str, style: ScalarStyle) -> Node {
        self.last_plain = None;
        if style != ScalarStyle::Plain {
            return self.node(range, Kind::Scalar(value.to_owned(), Style::Text));
        }
        let end = range.start + value.len();
        if self.text.get(range.start..end) == Some(value) {
            self.last_plain = (!value.is_empty()).then_some(end);
        }
        let kind = match value {
            "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
            text => Kind::Scalar(text.to_owned(), Style::Plain),
        };
        self.node(range, kind)
    }

    fn start(&mut self, open: Open) {
        let as_key = matches!(self.open.last(), Some(Open::Map(_, _, None, _)));
        if matches!(self.open.last(), Some(Open::Dropped)) {
            self.open.push(Open::Dropped);
        } else if as_key {
            let (Open::List(at, _) | Open::Map(at, ..)) = open else {
                return;
            };
            // A set of keys without brackets begins with any character.
            let first = self.text.get(at..).and_then(|rest| rest.chars().next());
            self.error(
                at..at + first.map_or(0, char::len_utf8),
                "a list or a set of keys cannot be a key",
                "Use plain text as the key; quote a value that begins with `[` or `{`.",
            );
            self.open.push(Open::Dropped);
        } else {
            self.open.push(open);
        }
    }

    fn end(&mut self, end: usize) {
        let end = self.text[..end.min(self.text.len())].trim_end().len();
        match self.open.pop() {
            Some(Open::List(start, items)) => {
                let node = self.node(start..end.max(start), Kind::List(items));
                self.value(node);
            }
            Some(Open::Map(start, pairs, ..)) => {
                let node = self.node(start..end.max(start), Kind::Map(pairs));
                self.value(node);
            }
            Some(Open::Dropped) => {
                let key = Spanned::new(String::new(), self.span(end..end));
                if let Some(Open::Map(_, _, pending @ None, _)) = self.open.last_mut() {
                    *pending = Some(key);
                }
            }
            None => {}
        }
    }

    /// Puts a finished node where it belongs: into the open list or map, or at the root.
    fn value(&mut self, node: Node) {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List(_, items)) => items.push(node),
            Some(Open::Dropped) => {}
            Some(Open::Map(_, pairs, pending, _)) => match pending.take() {
                Some(key) => pairs.push((key, node)),
                None => self.key(node),
            },
        }
    }

    /// Takes a scalar as the key of the open map; refuses a repeated one and a merge key.
    fn key(&mut self, node: Node) {
        let span = node.span;
        let text = match node.kind {
            Kind::Scalar(text, _) => text,
            _ => "null".to_owned(),
        };
        let key = Spanned::new(text, span);
        let Some(Open::Map(_, pairs, pending, places)) = self.open.last_mut() else {
            return;
        };
        let first = places.of(&key.value, pairs);
        let is_merge = key.value == "<<";
        let repeated = first.map(|first| (key.clone(), first));
        *pending = Some(key);
        if let Some((key, first)) = repeated {
            self.duplicate(&key, first);
        } else if is_merge {
            let range = span.range();
            let range = range.start - self.place.offset..range.end - self.place.offset;
            self.error(
                range,
                "a merge key brings in values from elsewhere",
                "Write the values out: what a person signs must stand in its place.",
            );
        }
    }

    fn duplicate(&mut self, key: &Spanned<String>, first: Span) {
        let line = |span: Span| {
            let at = span.range().start - self.place.offset;
            self.text[..at].matches('\n').count() + self.place.line
        };
        let (one, two) = (line(first), line(key.span));
        self.sound = false;
        self.out.push(
            Diagnostic::new(
                self.place.rule,
                key.span,
                format!(
                    "the key `{}` is written twice, on line {one} and on line {two}",
                    key.value
                ),
            )
            .label("written again here")
            .related(first, "first written here")
            .help("Keep one of the two: which of them counts must not be a matter of order."),
        );
    }

    fn plain_only(&mut self, range: &std::ops::Range<usize>, anchor: usize, tagged: bool) {
        if anchor != 0 {
            let at = self.text[..range.start].rfind('&').unwrap_or(range.start);
            self.error(
                at..range.start.max(at + 1),
                "an anchor lets other places repeat this value",
                "Remove the anchor and write each value out where it is meant.",
            );
        }
        if tagged {
            let at = self.text[..range.start].rfind('!').unwrap_or(range.start);
            self.error(
                at..range.start.max(at + 1),
                "a tag changes what a value is taken for",
                "Remove the tag; quote the value if it must be text.",
            );
        }
    }

    fn error(&mut self, range: std::ops::Range<usize>, message: &str, help: &str) {
        self.sound = false;
        self.out.push(
            Diagnostic::new(self.place.rule, self.span(range), message)
                .label("not allowed here")
                .help(help),
        );
    }

    fn scan_error(&self, error: &ScanError) -> Diagnostic {
        let (range, message, help) = super::yaml_errors::explain(self.text, error);
        let rule = if super::yaml_errors::is_depth(error) {
            rule::TOO_DEEP
        } else {
            self.place.rule
        };
        Diagnostic::new(rule, self.span(range), message)
            .label("the reader stopped here")
            .help(help)
    }

    fn node(&self, range: std::ops::Range<usize>, kind: Kind) -> Node {
        Node {
            span: self.span(range),
            kind,
        }
    }

    fn span(&self, range: std::ops::Range<usize>) -> Span {
        let at = self.place.offset;
        Span::new(self.place.file, range.start + at..range.end + at)
    }

    fn range(&self, span: YamlSpan) -> std::ops::Range<usize> {
        let end = self.text.len();
        let start = span.start.byte_offset().unwrap_or(end).min(end);
        start..span.end.byte_offset().unwrap_or(end).clamp(start, end)
    }
}
