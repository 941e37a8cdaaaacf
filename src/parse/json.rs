//! JSON into [`Node`], for captures that programs write. Numbers keep their digits.

use super::depth::{self, Language};
use crate::diagnostic::{Diagnostic, Diagnostics, RuleId};
use crate::model::tree::{Kind, Node, Style};
use crate::source::{FileId, Span, Spanned};
use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::collections::BTreeMap;
use std::ops::Range;

/// Reads a whole JSON file; faults belong to `fault`. `None` if it cannot be read.
pub fn parse(text: &str, file: FileId, fault: RuleId, out: &mut Diagnostics) -> Option<Node> {
    if let Some(finding) = depth::check(text, file, Language::Json) {
        out.push(finding);
        return None;
    }
    let options = ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_extended_string_escapes: false,
        allow_non_finite_numbers: false,
    };
    let fail = |range: Range<usize>, label: String| {
        Diagnostic::new(fault, Span::new(file, range), "this cannot be read as JSON")
            .label(label)
            .help("The file is written by a program: write it again, or mend this place.")
    };
    match parse_to_ast(text, &CollectOptions::default(), &options) {
        Ok(result) => {
            let Some(value) = result.value else {
                out.push(fail(0..0, "the file is empty".to_owned()));
                return None;
            };
            let mut reader = Reader {
                file,
                fault,
                out,
                sound: true,
            };
            let node = reader.node(&value);
            let sound = reader.sound;
            super::characters::check_values(text, 0, &node, out);
            sound.then_some(node)
        }
        Err(error) => {
            let before = out.len();
            super::characters::control_characters(text, file, 0, out);
            if out.len() > before {
                // Characters that nobody sees may well be the cause.
                return None;
            }
            let range = error.range();
            out.push(fail(range.start..range.end, error.kind().to_string()));
            None
        }
    }
}

struct Reader<'a> {
    file: FileId,
    fault: RuleId,
    out: &'a mut Diagnostics,
    sound: bool,
}

impl Reader<'_> {
    fn node(&mut self, value: &Value<'_>) -> Node {
        let kind = match value {
            Value::StringLit(text) => Kind::Scalar(text.value.to_string(), Style::Text),
            Value::NumberLit(number) => Kind::Scalar(number.value.to_owned(), Style::Plain),
            Value::BooleanLit(truth) => Kind::Scalar(truth.value.to_string(), Style::Plain),
            Value::NullKeyword(_) => Kind::Null,
            Value::Array(items) => {
                Kind::List(items.elements.iter().map(|item| self.node(item)).collect())
            }
            Value::Object(object) => self.object(object),
        };
        Node {
            span: self.span(value),
            kind,
        }
    }

    fn object(&mut self, object: &jsonc_parser::ast::Object<'_>) -> Kind {
        let mut pairs: Vec<(Spanned<String>, Node)> = Vec::new();
        let mut places: BTreeMap<String, Span> = BTreeMap::new();
        for property in &object.properties {
            let name = match &property.name {
                ObjectPropName::String(text) => text.value.to_string(),
                ObjectPropName::Word(word) => word.value.to_owned(),
            };
            let key = Spanned::new(name, self.span(&property.name));
            if let Some(first) = places.get(&key.value).copied() {
                self.sound = false;
                self.out.push(
                    Diagnostic::new(
                        self.fault,
                        key.span,
                        format!("the key `{}` is written twice", key.value),
                    )
                    .label("written again here")
                    .related(first, "first written here")
                    .help("Keep one of the two."),
                );
            } else {
                places.insert(key.value.clone(), key.span);
            }
            let value = self.node(&property.value);
            pairs.push((key, value));
        }
        Kind::Map(pairs)
    }

    fn span(&self, ranged: &impl Ranged) -> Span {
        Span::new(self.file, ranged.start()..ranged.end())
    }
}
