//! Formulas of mathematics to MathML. This file alone names the package that converts them.
//!
//! Invariant: the converter recurses, so a formula that nests too deeply never reaches it; and what
//! comes back has no `style` attribute, which a page's content policy would refuse.

use super::reader::Reader;
use super::text::escape_into;
use crate::diagnostic::{Diagnostic, rule};
use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::LazyLock;

/// How deep groups of a formula may nest.
const MAX_DEPTH: usize = 30;

static CONVERTER: LazyLock<Option<LatexToMathML>> =
    LazyLock::new(|| LatexToMathML::new(MathCoreConfig::default()).ok());

/// A fault of a formula: bytes of its text, and what is wrong there.
struct Fault {
    place: Range<usize>,
    message: String,
}

impl Reader<'_> {
    /// A formula in a sentence; `range` is the code span between the dollar signs.
    pub(super) fn inline_formula(&mut self, text: &str, range: Range<usize>) {
        match convert(text, MathDisplay::Inline) {
            Ok(mathml) => self.inline().push_str(&mathml),
            Err(fault) => {
                let written = &self.body[range.clone()];
                let start = written
                    .find(text)
                    .map_or(range.start, |at| range.start + at);
                self.report_math(text, &fault, start, &range);
                let html = self.inline();
                html.push_str("<code>");
                escape_into(html, text);
                html.push_str("</code>");
            }
        }
        self.doc.prose.push_str(text);
    }

    /// A formula on lines of its own; `range` is the whole fence.
    pub(super) fn display_formula(&mut self, text: &str, range: Range<usize>) {
        match convert(text.trim_end(), MathDisplay::Block) {
            Ok(mathml) => {
                let label = self.own_label("Formula");
                // Writing to a string cannot fail.
                let _ = writeln!(
                    self.stream.html,
                    "<div class=\"math\" role=\"region\" tabindex=\"0\" aria-label=\"{label}\">{mathml}</div>"
                );
            }
            Err(fault) => {
                let written = &self.body[range.clone()];
                let first = written.find('\n').map_or(0, |line| line + 1);
                self.report_math(text, &fault, range.start + first, &range);
                let html = &mut self.stream.html;
                html.push_str("<pre><code>");
                escape_into(html, text);
                html.push_str("</code></pre>\n");
            }
        }
        self.doc.prose.push_str(text);
        self.end_words();
    }

    /// Reports a fault at its place if the formula stands verbatim at `start`, else at `whole`.
    fn report_math(&mut self, text: &str, fault: &Fault, start: usize, whole: &Range<usize>) {
        let verbatim = self.body[start..].starts_with(text);
        let range = if verbatim {
            let end = fault.place.end.max(fault.place.start + 1).min(text.len());
            start + fault.place.start.min(end)..start + end
        } else {
            whole.clone()
        };
        let finding = Diagnostic::new(
            rule::BAD_MATH,
            self.span(range),
            format!("the formula cannot be read: {}", fault.message),
        )
        .label("here")
        .help("Formulas are written in LaTeX; put code that is no formula in backticks alone.");
        self.push(finding);
    }
}

fn convert(text: &str, display: MathDisplay) -> Result<String, Fault> {
    if let Some(at) = too_deep(text) {
        return Err(Fault {
            place: at..at,
            message: format!("it nests more than {MAX_DEPTH} levels deep"),
        });
    }
    let whole = |message: &str| Fault {
        place: 0..text.len(),
        message: message.to_owned(),
    };
    let converter = CONVERTER
        .as_ref()
        .ok_or_else(|| whole("the converter did not start"))?;
    let formula = converter
        .convert_with_local_state(text, display)
        .map_err(|error| Fault {
            place: error.0.clone(),
            message: error.to_string().trim_end_matches('.').to_owned(),
        })?;
    without_styles(formula.mathml).ok_or_else(|| whole("a formula here takes no colours"))
}

/// Where groups, commands or roots begin to nest too deeply.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut pending = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' => {
                let name = text[at + 1..]
                    .find(|c: char| !c.is_ascii_alphabetic())
                    .map_or(&text[at + 1..], |end| &text[at + 1..at + 1 + end]);
                match name {
                    "begin" | "left" => depth += 1,
                    "end" | "right" => depth = depth.saturating_sub(1),
                    _ => pending += 1,
                }
                for _ in 0..name.len().max(1) {
                    rest.next();
                }
            }
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '[' | '(' | '^' | '_' => {}
            c if c.is_whitespace() => {}
            _ => pending = 0,
        }
        if depth > MAX_DEPTH || pending > MAX_DEPTH {
            return Some(at);
        }
    }
    None
}

/// Turns the `style` attributes that align a table into classes. `None` if one does more.
fn without_styles(mathml: String) -> Option<String> {
    const STYLE: &str = " style=\"";
    if !mathml.contains(STYLE) {
        return Some(mathml);
    }
    let mut html = String::with_capacity(mathml.len());
    let mut rest = mathml.as_str();
    while let Some(at) = rest.find(STYLE) {
        html.push_str(&rest[..at]);
        let value = &rest[at + STYLE.len()..];
        let end = value.find('"')?;
        if value[..end].contains("color") {
            return None;
        }
        for (property, class) in [
            ("text-align: right", " class=\"math-right\""),
            ("text-align: left", " class=\"math-left\""),
            ("width: 100%", " class=\"math-wide\""),
        ] {
            if value[..end].contains(property) {
                html.push_str(class);
                break;
            }
        }
        rest = &value[end + 1..];
    }
    html.push_str(rest);
    Some(html)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &str) -> Result<String, (Range<usize>, String)> {
        convert(text, MathDisplay::Block).map_err(|fault| (fault.place, fault.message))
    }

    #[test]
    fn deep_formulas_are_refused_before_they_are_converted() {
        for deep in [
            "{".repeat(50_000),
            "\\sqrt".repeat(50_000) + "x",
            "\\sqrt[".repeat(50_000),
            "\\frac{1}{".repeat(50_000),
            "\\left(".repeat(50_000),
            "\\begin{matrix}".repeat(50_000),
            "x^{".repeat(50_000),
            "\\hat ".repeat(50_000),
        ] {
            let message = block(&deep).unwrap_err().1;
            assert!(message.contains("levels deep"), "{message}");
        }
        assert!(block(&"x+\\alpha{y}_{i}".repeat(2000)).is_ok());
    }

    #[test]
    fn no_style_attribute_comes_out() {
        let html = block(r"\begin{align*}a&=b\\c&=d\end{align*}").unwrap();
        assert!(
            html.contains("class=\"math-right\"") && !html.contains(" style="),
            "{html}"
        );
        assert!(block(r"\color{red}{x}").is_err());
    }

    #[test]
    fn faults_have_a_place() {
        assert_eq!(block(r"a + \foo").unwrap_err().0, 4..8);
        let html = block(r"\text{</math><script>} < \&").unwrap();
        assert!(!html.contains("<script"), "{html}");
    }
}
