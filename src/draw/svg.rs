//! The one writer of SVG.
//!
//! Job: turn a scene into text. Input: a [`Scene`] and the form it is needed in. Output: strict XML that
//! refers to nothing outside itself. Invariant: text that people wrote is shown letter for letter and is
//! never markup; ids begin with the caller's prefix.

use std::fmt::Write as _;

use super::font::Weight;
use super::scene::{Anchor, Geometry, Mark, Scene, Shape, Symbol, When};
use super::style;

/// Where an SVG is going to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form<'a> {
    /// Inside a page that includes [`page_style`](super::page_style) once. The prefix makes ids unique on
    /// the page; only its letters, digits and hyphens are taken.
    Inline {
        /// Prefix of every id.
        prefix: &'a str,
    },
    /// As a file of its own, with its style sheet and a ground.
    File,
    /// For the renderer: plain light colours, and no text that draws nothing.
    Raster,
}

impl Scene {
    /// Writes the scene.
    pub fn to_svg(&self, form: Form<'_>) -> String {
        let prefix = match form {
            Form::Inline { prefix } => identifier(prefix),
            Form::File | Form::Raster => "cs".to_owned(),
        };
        let writer = Writer { form, prefix };
        writer.scene(self)
    }
}

/// Text that grows by whole texts and ASCII characters, checked once when it is finished.
struct Text(Vec<u8>);

impl Text {
    /// Room for a drawing of so many shapes.
    fn new(shapes: usize) -> Self {
        const SHAPE_BYTES: usize = 256;
        const FRAME_BYTES: usize = 6 << 10;
        Self(Vec::with_capacity(FRAME_BYTES + shapes * SHAPE_BYTES))
    }

    fn push_str(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Appends an ASCII character.
    fn push(&mut self, character: u8) {
        self.0.push(character);
    }

    fn finish(self) -> String {
        String::from_utf8(self.0).unwrap_or_default()
    }
}

impl std::fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

struct Writer<'a> {
    form: Form<'a>,
    prefix: String,
}

impl Writer<'_> {
    fn scene(&self, scene: &Scene) -> String {
        let mut out = Text::new(scene.shapes.len());
        // A page has margins of its own; a file needs some.
        let margin = match self.form {
            Form::Inline { .. } => 0.0,
            Form::File | Form::Raster => scene.margin,
        };
        let (width, height) = (
            number(scene.width + 2.0 * margin),
            number(scene.height + 2.0 * margin),
        );
        let corner = number(-margin);
        let prefix = &self.prefix;
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cs-fig\" role=\"img\" aria-labelledby=\"{prefix}-t\" aria-describedby=\"{prefix}-d\" \
             width=\"{width}\" height=\"{height}\" viewBox=\"{corner} {corner} {width} {height}\">\n\
             <title id=\"{prefix}-t\">{}</title>\n<desc id=\"{prefix}-d\">{}</desc>\n",
            escape(&scene.title),
            escape(&scene.description)
        );
        let style = match self.form {
            Form::Inline { .. } => None,
            Form::File => Some(style::file_style()),
            Form::Raster => Some(style::raster_style()),
        };
        if let Some(style) = style {
            let _ = writeln!(out, "<style>{style}</style>");
        }
        self.symbols(&mut out, &scene.symbols);
        if !matches!(self.form, Form::Inline { .. }) {
            let _ = writeln!(
                out,
                "<rect class=\"cs-ground\" x=\"{corner}\" y=\"{corner}\" width=\"{width}\" height=\"{height}\"/>"
            );
        }
        // The title and the description are what is read; the parts of the picture say nothing alone.
        out.push_str("<g aria-hidden=\"true\">\n");
        for shape in &scene.shapes {
            self.shape(&mut out, shape);
        }
        out.push_str("</g>\n</svg>\n");
        out.finish()
    }

    fn symbols(&self, out: &mut Text, symbols: &[(Symbol, Vec<Shape>)]) {
        if symbols.is_empty() {
            return;
        }
        out.push_str("<defs>\n");
        for (symbol, shapes) in symbols {
            let _ = writeln!(out, "<g id=\"{}-{}\">", self.prefix, symbol.id());
            for shape in shapes {
                self.shape(out, shape);
            }
            out.push_str("</g>\n");
        }
        out.push_str("</defs>\n");
    }

    fn shape(&self, out: &mut Text, shape: &Shape) {
        // The renderer counts what is drawn, so what is still to come is left out.
        if self.form == Form::Raster && shape.mark.when == Some(When::Before) {
            return;
        }
        match &shape.geometry {
            Geometry::Rect { frame, radius } => {
                out.push_str("<rect");
                self.attributes(out, shape);
                lengths(
                    out,
                    &[
                        ("x", frame.x),
                        ("y", frame.y),
                        ("width", frame.width),
                        ("height", frame.height),
                    ],
                );
                if *radius > 0.0 {
                    lengths(out, &[("rx", *radius)]);
                }
                out.push_str("/>\n");
            }
            Geometry::Tiles {
                corners,
                width,
                height,
            } => {
                out.push_str("<path");
                self.attributes(out, shape);
                tiles(out, corners, (*width, *height));
            }
            Geometry::Line { from, to } => {
                out.push_str("<line");
                self.attributes(out, shape);
                lengths(
                    out,
                    &[("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)],
                );
                out.push_str("/>\n");
            }
            Geometry::Copy { symbol, at } => {
                for part in ["<use href=\"#", &self.prefix, "-", symbol.id(), "\""] {
                    out.push_str(part);
                }
                lengths(out, &[("x", at.0), ("y", at.1)]);
                self.attributes(out, shape);
                out.push_str("/>\n");
            }
            Geometry::Text { text, .. } if text.is_empty() && self.form == Form::Raster => {}
            Geometry::Text { .. } => self.text(out, shape),
            Geometry::Group(shapes) => {
                out.push_str("<g");
                self.attributes(out, shape);
                out.push_str(">\n");
                for shape in shapes {
                    self.shape(out, shape);
                }
                out.push_str("</g>\n");
            }
        }
    }

    fn attributes(&self, out: &mut Text, shape: &Shape) {
        attribute(out, "class", shape.role.class());
        let Mark {
            from,
            when,
            state,
            sample,
            text_id,
            word_id,
        } = &shape.mark;
        if let Some((id, state)) = state {
            text_attribute(out, "data-cs", id);
            attribute(out, "data-state", state);
        }
        if let Some(state) = sample {
            attribute(out, "data-state", state);
        }
        if let Some(when) = when {
            let when = match when {
                When::Before => "before",
                When::Now => "now",
                When::After => "after",
            };
            attribute(out, "data-when", when);
        }
        // The renderer needs states to choose a look, and nothing else.
        if self.form == Form::Raster {
            return;
        }
        if let Some(from) = from {
            out.push_str(" data-from=\"");
            push_whole(out, *from);
            out.push(b'"');
        }
        for (name, id) in [("data-cs-text", text_id), ("data-cs-word", word_id)] {
            if let Some(id) = id {
                text_attribute(out, name, id);
            }
        }
    }

    fn text(&self, out: &mut Text, shape: &Shape) {
        let Geometry::Text {
            at,
            size,
            anchor,
            weight,
            text,
        } = &shape.geometry
        else {
            return;
        };
        out.push_str("<text");
        self.attributes(out, shape);
        lengths(out, &[("x", at.0), ("y", at.1)]);
        // 12 px is the size of the whole drawing.
        if (*size - 12.0).abs() > 0.001 {
            lengths(out, &[("font-size", *size)]);
        }
        match anchor {
            Anchor::Start => {}
            Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
            Anchor::End => out.push_str(" text-anchor=\"end\""),
        }
        if *weight == Weight::Bold {
            out.push_str(" font-weight=\"bold\"");
        }
        out.push(b'>');
        push_escaped(out, text);
        out.push_str("</text>\n");
    }
}

/// Equal rectangles as one path: each begins where the last began, and a row repeats its letters.
fn tiles(out: &mut Text, corners: &[(f64, f64)], (width, height): (f64, f64)) {
    // Differences of rounded places, so that no error adds up.
    let rounded = |value: f64| (value * 100.0).round() / 100.0;
    let tile = format!("h{0}v{1}h-{0}z", number(width), number(height));
    let mut last = (0.0, 0.0);
    out.push_str(" d=\"");
    for (x, y) in corners {
        let here = (rounded(*x), rounded(*y));
        out.push(b'm');
        push_number(out, here.0 - last.0);
        out.push(b' ');
        push_number(out, here.1 - last.1);
        out.push_str(&tile);
        last = here;
    }
    out.push_str("\"/>\n");
}

/// An attribute whose value needs no escape; nothing for an empty one.
fn attribute(out: &mut Text, name: &str, value: &str) {
    if !value.is_empty() {
        for part in [" ", name, "=\"", value, "\""] {
            out.push_str(part);
        }
    }
}

/// An attribute whose value somebody wrote.
fn text_attribute(out: &mut Text, name: &str, value: &str) {
    for part in [" ", name, "=\""] {
        out.push_str(part);
    }
    push_escaped(out, value);
    out.push(b'"');
}

/// Attributes that are lengths.
fn lengths(out: &mut Text, pairs: &[(&str, f64)]) {
    for (name, value) in pairs {
        out.push(b' ');
        out.push_str(name);
        out.push_str("=\"");
        push_number(out, *value);
        out.push(b'"');
    }
}

/// Writes a number with at most two digits after the point.
fn push_number(out: &mut Text, value: f64) {
    let Some(hundredths) = hundredths(value.abs()) else {
        out.push_str(&number(value));
        return;
    };
    if value < 0.0 && hundredths > 0 {
        out.push(b'-');
    }
    push_hundredths(out, hundredths);
}

/// The value in hundredths, rounded as [`number`] rounds; `None` where only the slow way knows.
fn hundredths(value: f64) -> Option<u32> {
    let scaled = value * 100.0;
    if !(0.0..1e9).contains(&scaled) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "both lie between 0 and 1e10"
    )]
    let (below, eighths) = (scaled as u32, (value * 8.0) as u64);
    let rest = scaled - f64::from(below);
    if (rest - 0.5).abs() > 0.000_001 {
        return Some(below + u32::from(rest > 0.5));
    }
    // Halves of hundredths that a binary number can be are odd eighths; they go to the even side.
    #[expect(clippy::cast_precision_loss, reason = "it is below 1e10")]
    let is_half = (eighths as f64).to_bits() == (value * 8.0).to_bits();
    is_half.then_some(below + below % 2)
}

/// Writes a whole number.
fn push_whole(out: &mut Text, value: usize) {
    if value >= 10 {
        push_whole(out, value / 10);
    }
    out.push(DIGITS[value % 10]);
}

/// The digits.
const DIGITS: [u8; 10] = *b"0123456789";

fn push_hundredths(out: &mut Text, value: u32) {
    let digit = |value: u32| DIGITS[(value % 10) as usize];
    // Ten digits and a point, filled from the end.
    let mut text = [b'0'; 11];
    let mut at = text.len();
    let mut put = |byte: u8| {
        at -= 1;
        text[at] = byte;
    };
    if !value.is_multiple_of(10) {
        put(digit(value));
    }
    if !value.is_multiple_of(100) {
        put(digit(value / 10));
        put(b'.');
    }
    let mut rest = value / 100;
    loop {
        put(digit(rest));
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.0.extend_from_slice(&text[at..]);
}

/// A number with at most two digits after the point.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// What an id may hold: letters, digits and hyphens, a letter first.
fn identifier(prefix: &str) -> String {
    let kept: String = prefix
        .chars()
        .filter(|character| character.is_ascii_alphanumeric() || *character == '-')
        .collect();
    if kept.starts_with(|character: char| character.is_ascii_alphabetic()) {
        kept
    } else {
        format!("cs-{kept}")
    }
}

/// `text` with every character that XML cannot hold, or that turns the direction of text, replaced by one
/// that shows it.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(shown).collect()
}

/// The character, or what shows that it is there where XML cannot hold it or it turns the direction of
/// text.
pub(super) fn shown(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => ' ',
        '\0'..='\u{1F}'
        | '\u{7F}'..='\u{9F}'
        | '\u{FFFE}'
        | '\u{FFFF}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}' => '\u{FFFD}',
        other => other,
    }
}

/// `text` as it stands between tags or quotes.
fn escape(text: &str) -> String {
    let mut out = Text(Vec::with_capacity(text.len()));
    push_escaped(&mut out, text);
    out.finish()
}

/// Whether a byte stands for itself: an ASCII character that can be seen, or a space, and is not
/// special in XML.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'')
}

/// Appends `text` as it stands between tags or quotes.
fn push_escaped(out: &mut Text, text: &str) {
    if text.bytes().all(is_plain) {
        out.push_str(text);
        return;
    }
    for character in text.chars().map(shown) {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push_str(other.encode_utf8(&mut [0; 4])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(
            escape("R&D <i>1</i> ]]> \"'"),
            "R&amp;D &lt;i&gt;1&lt;/i&gt; ]]&gt; &quot;&#39;"
        );
        assert_eq!(
            printable("a\u{0}b\u{1b}c\u{7f}\u{202e}\n"),
            "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd} "
        );
        assert_eq!(identifier("9 \"><x"), "cs-9x");
        assert_eq!(number(-0.001), "0");
        assert_eq!(number(12.50), "12.5");
        assert_eq!(number(0.005), "0.01");
    }

    #[test]
    fn the_fast_way_of_writing_numbers_is_the_slow_one() {
        let steps = (0..200_000).map(|step| f64::from(step) * 0.001_25 - 3.0);
        let others = [
            0.0,
            0.995,
            1.005,
            9.999,
            99.995,
            123_456.785,
            9_999_999.99,
            1e7,
            1e12,
            -0.001,
        ];
        let eighths = (0..10_000).map(|eighth| f64::from(eighth) / 8.0);
        for value in steps.chain(eighths).chain(others) {
            let mut out = Text(Vec::new());
            push_number(&mut out, value);
            assert_eq!(out.finish(), number(value), "{value}");
        }
    }
}
