//! The one writer of SVG.
//!
//! Job: turn a scene into text. Input: a [`Scene`] and the form it is needed in. Output: strict XML that
//! refers to nothing outside itself. Invariant: text that people wrote is shown letter for letter and is
//! never markup; ids begin with the caller's prefix.

use std::fmt::Write as _;

use super::font::Weight;
use super::scene::{Anchor, Geometry, Mark, Scene, Shape, Symbol, When};
use super::style;
use super::xml::{
    Text, escape, in_hundredths, number, push_escaped, push_hundredths, push_number, push_whole,
};

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
            push_whole(out, *from as u64);
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
    let tile = format!("h{0}v{1}h-{0}z", number(width), number(height));
    // Differences of rounded places, so that no error adds up.
    let mut last = (0, 0);
    out.push_str(" d=\"");
    for (x, y) in corners {
        let here = (in_hundredths(*x), in_hundredths(*y));
        out.push(b'm');
        push_hundredths(out, here.0 - last.0);
        out.push(b' ');
        push_hundredths(out, here.1 - last.1);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_hold_letters_and_digits() {
        assert_eq!(identifier("9 \"><x"), "cs-9x");
    }
}
