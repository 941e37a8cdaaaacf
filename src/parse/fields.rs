//! Typed values out of a [`Node`], with every fault reported.
//!
//! Take each known key with the methods here, then call [`Fields::finish`]: it reports the keys
//! that nobody took, with the nearest known name. Reading is total: a faulty value is reported
//! and comes back as `None`.

use crate::diagnostic::{Diagnostic, Diagnostics, RuleId, nearest, rule};
use crate::model::tree::{Kind, Node, Style};
use crate::source::{Span, Spanned};

/// The keys of one map, taken one by one.
#[derive(Debug)]
pub struct Fields<'a> {
    what: &'static str,
    span: Span,
    pairs: Vec<(&'a Spanned<String>, &'a Node)>,
    known: Vec<&'static str>,
    fault: RuleId,
}

impl<'a> Fields<'a> {
    /// Opens a map. `what` names it in messages ("a source"); `fault` is the rule for a value of
    /// the wrong shape. A node that is not a map is reported and gives `None`.
    pub fn open(
        node: &'a Node,
        what: &'static str,
        fault: RuleId,
        out: &mut Diagnostics,
    ) -> Option<Self> {
        let Kind::Map(pairs) = &node.kind else {
            out.push(wrong(node, fault, what, "a set of keys with values"));
            return None;
        };
        Some(Self {
            what,
            span: node.span,
            pairs: pairs.iter().map(|(key, value)| (key, value)).collect(),
            known: Vec::new(),
            fault,
        })
    }

    /// The place of the whole map.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Takes the value under a key; an absent value (`null`) counts as no key.
    pub fn take(&mut self, key: &'static str) -> Option<&'a Node> {
        self.known.push(key);
        let index = self.pairs.iter().position(|(name, _)| name.value == key)?;
        let (_, node) = self.pairs.remove(index);
        (!node.is_null()).then_some(node)
    }

    /// Takes the value under a key together with the place of the key; an absent value (`null`)
    /// is given back as such.
    pub fn take_pair(&mut self, key: &'static str) -> Option<(Span, &'a Node)> {
        self.known.push(key);
        let index = self.pairs.iter().position(|(name, _)| name.value == key)?;
        let (name, node) = self.pairs.remove(index);
        Some((name.span, node))
    }

    /// Takes text.
    pub fn text(&mut self, key: &'static str, out: &mut Diagnostics) -> Option<Spanned<String>> {
        let node = self.take(key)?;
        text_of(node, self.fault, key, out)
    }

    /// Takes text that must be there and not be blank.
    pub fn required(
        &mut self,
        key: &'static str,
        out: &mut Diagnostics,
    ) -> Option<Spanned<String>> {
        let Some(node) = self.take(key) else {
            self.missing(key, out);
            return None;
        };
        let text = text_of(node, self.fault, key, out)?;
        if !text.value.chars().any(is_seen) {
            out.push(
                Diagnostic::new(
                    rule::MISSING_KEY,
                    text.span,
                    format!("`{key}` of {} is empty", self.what),
                )
                .label("nothing is written here"),
            );
            return None;
        }
        Some(text)
    }

    /// Reports that a key is missing.
    pub fn missing(&self, key: &'static str, out: &mut Diagnostics) {
        out.push(
            Diagnostic::new(
                rule::MISSING_KEY,
                Span {
                    end: self.span.start,
                    ..self.span
                },
                format!("{} has no `{key}`", self.what),
            )
            .label("missing here")
            .help(format!("Add a line `{key}: …`.")),
        );
    }

    /// Takes a list of texts; a single text counts as a list of one.
    pub fn texts(&mut self, key: &'static str, out: &mut Diagnostics) -> Vec<Spanned<String>> {
        let Some(node) = self.take(key) else {
            return Vec::new();
        };
        match &node.kind {
            Kind::List(items) => items
                .iter()
                .filter_map(|item| text_of(item, self.fault, key, out))
                .collect(),
            Kind::Scalar(..) => text_of(node, self.fault, key, out).into_iter().collect(),
            _ => {
                out.push(wrong(
                    node,
                    self.fault,
                    &format!("`{key}`"),
                    "a list of texts",
                ));
                Vec::new()
            }
        }
    }

    /// Takes the items of a list.
    pub fn list(&mut self, key: &'static str, out: &mut Diagnostics) -> &'a [Node] {
        let Some(node) = self.take(key) else {
            return &[];
        };
        if let Kind::List(items) = &node.kind {
            return items;
        }
        out.push(wrong(node, self.fault, &format!("`{key}`"), "a list"));
        &[]
    }

    /// Takes the pairs of a map, for maps whose keys are names given by the author.
    pub fn map(
        &mut self,
        key: &'static str,
        out: &mut Diagnostics,
    ) -> &'a [(Spanned<String>, Node)] {
        let Some(node) = self.take(key) else {
            return &[];
        };
        if let Kind::Map(pairs) = &node.kind {
            return pairs;
        }
        out.push(wrong(
            node,
            self.fault,
            &format!("`{key}`"),
            "a set of names with values",
        ));
        &[]
    }

    /// Takes a truth value: `true` or `false`.
    pub fn truth(&mut self, key: &'static str, out: &mut Diagnostics) -> Option<Spanned<bool>> {
        let node = self.take(key)?;
        match &node.kind {
            Kind::Scalar(text, Style::Plain) if text == "true" => {
                Some(Spanned::new(true, node.span))
            }
            Kind::Scalar(text, Style::Plain) if text == "false" => {
                Some(Spanned::new(false, node.span))
            }
            _ => {
                out.push(wrong(
                    node,
                    self.fault,
                    &format!("`{key}`"),
                    "`true` or `false`",
                ));
                None
            }
        }
    }

    /// Takes a whole number from `0` to `limit`.
    pub fn whole(
        &mut self,
        key: &'static str,
        limit: u64,
        out: &mut Diagnostics,
    ) -> Option<Spanned<u64>> {
        let node = self.take(key)?;
        whole_of(node, self.fault, key, limit, out)
    }

    /// Hands over the keys that were not taken, as a node of their own, for whoever knows them.
    pub fn rest(self) -> Node {
        let pairs = self.pairs.into_iter();
        Node {
            span: self.span,
            kind: Kind::Map(
                pairs
                    .map(|(key, value)| (key.clone(), value.clone()))
                    .collect(),
            ),
        }
    }

    /// Reports every key that nobody took.
    pub fn finish(self, out: &mut Diagnostics) {
        for (key, _) in &self.pairs {
            let near = nearest(&key.value, self.known.iter().copied());
            let help = match near {
                Some(near) => match key.value.chars().find(|c| !c.is_ascii_graphic()) {
                    // It may look the same.
                    Some(odd) => format!(
                        "Did you mean `{near}`? What stands here holds U+{:04X}.",
                        u32::from(odd)
                    ),
                    None => format!("Did you mean `{near}`?"),
                },
                None if self.known.is_empty() => "No key is known here.".to_owned(),
                None => format!("Known here: {}.", self.known.join(", ")),
            };
            out.push(
                Diagnostic::new(
                    rule::UNKNOWN_KEY,
                    key.span,
                    format!("`{}` is not a key of {}", key.value, self.what),
                )
                .label("unknown key")
                .help(help),
            );
        }
    }
}

/// Whether a character leaves anything to be seen.
fn is_seen(c: char) -> bool {
    !c.is_whitespace()
        && !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// The text of a scalar, as written; anything else is reported.
pub fn text_of(
    node: &Node,
    fault: RuleId,
    key: &str,
    out: &mut Diagnostics,
) -> Option<Spanned<String>> {
    if let Some(text) = node.text() {
        return Some(Spanned::new(text.to_owned(), node.span));
    }
    out.push(wrong(node, fault, &format!("`{key}`"), "text"));
    None
}

/// A whole number of plain digits from `0` to `limit`; anything else is reported.
pub fn whole_of(
    node: &Node,
    fault: RuleId,
    key: &str,
    limit: u64,
    out: &mut Diagnostics,
) -> Option<Spanned<u64>> {
    let digits = node
        .text()
        .filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
    match digits.and_then(|text| text.parse().ok()) {
        Some(value) if value <= limit => Some(Spanned::new(value, node.span)),
        _ => {
            let wanted = format!("a whole number from 0 to {limit}");
            out.push(wrong(node, fault, &format!("`{key}`"), &wanted));
            None
        }
    }
}

/// A finding that a value has the wrong shape.
pub fn wrong(node: &Node, fault: RuleId, what: &str, wanted: &str) -> Diagnostic {
    let found = match node.text() {
        Some(text) => format!("this is `{text}`"),
        None => format!("this is {}", node.describe()),
    };
    Diagnostic::new(fault, node.span, format!("{what} must be {wanted}"))
        .label(found)
        .help(format!("Write {wanted} here."))
}
