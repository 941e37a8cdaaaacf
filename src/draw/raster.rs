//! SVG to PNG.
//!
//! Job: render an SVG that the writer made. Input: SVG in the form for the renderer. Output: PNG bytes.
//! Invariant: the bundled font only, never one of the machine, and the same bytes everywhere; a picture
//! that lacks a text or a reference is an error and is never returned. Only this file names resvg.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::{Arc, LazyLock};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::roxmltree::Document;
use resvg::usvg::{Group, Node, Options, TextChunk, Tree};

use super::error::DrawError;
use super::font;
use super::scene::Scene;
use super::svg::Form;

/// Greatest side of a picture in pixels.
const SIDE_MAX_PX: f32 = 16_384.0;

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut database = Database::new();
    for file in font::files() {
        database.load_font_data(file.to_vec());
    }
    database.set_sans_serif_family(font::FAMILY);
    Arc::new(database)
});

impl Scene {
    /// Renders the scene at `scale` pixels a unit, in light colours.
    pub fn to_png(&self, scale: f32) -> Result<Vec<u8>, DrawError> {
        let texts = self.text_boxes().len();
        render(&self.to_svg(Form::Raster), scale, texts)
    }
}

/// Renders `svg`, which must show `texts` texts.
pub(super) fn render(svg: &str, scale: f32, texts: usize) -> Result<Vec<u8>, DrawError> {
    let document = Document::parse(svg).map_err(|error| fault(error.to_string()))?;
    check_references(&document)?;
    let tree =
        Tree::from_xmltree(&document, &options()).map_err(|error| fault(error.to_string()))?;
    let shown = check(tree.root())?;
    if shown != texts {
        return Err(fault(format!(
            "{texts} texts were written and {shown} are drawn"
        )));
    }
    let size = tree.size();
    let pixels = |length: f32| (length * scale).ceil().clamp(1.0, SIDE_MAX_PX);
    // The clamp keeps the number positive and small.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a small positive number"
    )]
    let (width, height) = (pixels(size.width()) as u32, pixels(size.height()) as u32);
    let mut pixmap =
        Pixmap::new(width, height).ok_or_else(|| fault("the picture has no size".to_owned()))?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixmap.as_mut(),
    );
    encode(&pixmap).map_err(|error| fault(error.to_string()))
}

/// How hard repetitions are looked for: beyond this a picture takes longer and is hardly smaller.
const DEFLATE_LEVEL: u32 = 2;

/// Begins a row that is written as differences from the one above.
const FILTER_UP: u8 = 2;

/// Writes the picture as PNG. A drawing has few colours and a ground of its own, so that numbers of
/// colours take a quarter of the room of colours.
fn encode(pixmap: &Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let Some(indexed) = Indexed::of(pixmap.data(), pixmap.width() as usize) else {
        return pixmap.encode_png();
    };
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(indexed.palette);
    let mut writer = encoder.write_header()?;
    // All rows at once: each call of the compressor clears the room that it may write to.
    let mut compressor = ZlibEncoder::new(Vec::new(), Compression::new(DEFLATE_LEVEL));
    compressor.write_all(&indexed.rows)?;
    writer.write_chunk(png::chunk::IDAT, &compressor.finish()?)?;
    writer.finish()?;
    Ok(bytes)
}

/// A picture as the numbers of its colours.
struct Indexed {
    /// Red, green and blue of each colour, in the order in which they come up.
    palette: Vec<u8>,
    /// Row by row what a PNG holds before it is compressed: the mark of the filter, and for each
    /// pixel the difference of its number from the one above. Most rows are like the one above,
    /// which leaves zeros.
    rows: Vec<u8>,
}

/// The colours that have come up, found by their bits: a picture changes its colour some hundred
/// thousand times.
struct Known {
    /// A colour with its number at the place that its bits lead to, or at the next that was free.
    places: Box<[Option<(u32, u8)>; PLACES]>,
}

/// Four times as many places as there can be colours, so that few share one.
const PLACES: usize = 1 << 10;

impl Known {
    fn new() -> Self {
        Self {
            places: Box::new([None; PLACES]),
        }
    }

    /// The number of a colour; a new one goes to the palette. `None` for one too many, and for one
    /// to see through.
    fn number(&mut self, colour: [u8; 4], palette: &mut Vec<u8>) -> Option<u8> {
        let bits = u32::from_le_bytes(colour);
        // Fibonacci hashing: the upper bits of the product depend on all bits of the colour.
        let mut at = (bits.wrapping_mul(0x9e37_79b9) >> 22) as usize;
        loop {
            match &mut self.places[at % PLACES] {
                Some((known, number)) if *known == bits => return Some(*number),
                Some(_) => at += 1,
                free => {
                    if colour[3] != u8::MAX {
                        return None;
                    }
                    let number = u8::try_from(palette.len() / 3).ok()?;
                    palette.extend_from_slice(&colour[..3]);
                    *free = Some((bits, number));
                    return Some(number);
                }
            }
        }
    }
}

impl Indexed {
    /// Takes pixels of four bytes, red first, in rows of `width` pixels. `None` for a picture of more
    /// than 256 colours, or with something to see through.
    fn of(pixels: &[u8], width: usize) -> Option<Self> {
        let mut palette = Vec::new();
        let mut rows = Vec::with_capacity(pixels.len() / 4 + pixels.len() / (4 * width));
        let mut known = Known::new();
        let mut numbers: Vec<u8> = Vec::with_capacity(width);
        let mut above = (&[][..], vec![0; width]);
        for row in pixels.chunks(4 * width) {
            rows.push(FILTER_UP);
            if row == above.0 {
                rows.resize(rows.len() + width, 0);
                continue;
            }
            let (colours, _) = row.as_chunks::<4>();
            // Neighbours are mostly equal, and are taken together.
            let same =
                |one: &[u8; 4], two: &[u8; 4]| u32::from_ne_bytes(*one) == u32::from_ne_bytes(*two);
            for run in colours.chunk_by(same) {
                let number = known.number(*run.first()?, &mut palette)?;
                numbers.resize(numbers.len() + run.len(), number);
            }
            let pairs = numbers.iter().zip(&above.1);
            rows.extend(pairs.map(|(number, above)| number.wrapping_sub(*above)));
            above.0 = row;
            std::mem::swap(&mut above.1, &mut numbers);
            numbers.clear();
        }
        Some(Self { palette, rows })
    }
}

fn options() -> Options<'static> {
    Options {
        font_family: font::FAMILY.to_owned(),
        fontdb: Arc::clone(&FONTS),
        ..Options::default()
    }
}

/// Every reference must lead to an element of the same drawing; the renderer would leave it out in silence.
fn check_references(document: &Document<'_>) -> Result<(), DrawError> {
    let ids: BTreeSet<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    for attribute in document.descendants().flat_map(|node| node.attributes()) {
        let value = attribute.value();
        let target = match attribute.name() {
            "href" => Some(value.strip_prefix('#').unwrap_or(value)),
            "fill" | "stroke" | "filter" | "mask" | "clip-path" => value
                .strip_prefix("url(#")
                .and_then(|rest| rest.strip_suffix(')')),
            _ => None,
        };
        if let Some(target) = target.filter(|target| !ids.contains(target)) {
            return Err(fault(format!(
                "nothing has the id “{target}” that is referred to"
            )));
        }
    }
    Ok(())
}

/// Counts the texts of a group; one that draws nothing is an error.
fn check(group: &Group) -> Result<usize, DrawError> {
    let mut texts = 0;
    for node in group.children() {
        match node {
            Node::Group(inner) => texts += check(inner)?,
            Node::Text(text) => {
                let words: String = text.chunks().iter().map(TextChunk::text).collect();
                if text.flattened().children().is_empty() && !words.trim().is_empty() {
                    return Err(fault(format!("the text “{words}” draws nothing")));
                }
                texts += 1;
            }
            Node::Path(_) => {}
            Node::Image(_) => return Err(fault("an image stands in the drawing".to_owned())),
        }
    }
    Ok(texts)
}

fn fault(message: String) -> DrawError {
    DrawError::Raster { message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(inner: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\">{inner}</svg>"
        )
    }

    #[test]
    fn colours_become_numbers_if_they_are_few() {
        let few = [
            [7, 0, 0, 255],
            [0, 0, 0, 255],
            [7, 0, 0, 255],
            [7, 0, 0, 255],
        ]
        .concat();
        let indexed = Indexed::of(&few, 2).unwrap();
        assert_eq!(indexed.palette, [7, 0, 0, 0, 0, 0]);
        assert_eq!(indexed.rows, [2, 0, 1, 2, 0, 255]);
        let twice = [&few[..8], &few[..8]].concat();
        assert_eq!(Indexed::of(&twice, 2).unwrap().rows, [2, 0, 1, 2, 0, 0]);
        assert!(Indexed::of(&[7, 7, 7, 254], 1).is_none());
        let shade = |level: u16| {
            let [high, low] = level.to_be_bytes();
            [high, low, 0, 255]
        };
        let all: Vec<[u8; 4]> = (0..257).map(shade).collect();
        assert!(Indexed::of(&all[..256].concat(), 16).is_some());
        assert!(Indexed::of(&all.concat(), 257).is_none());
    }

    #[test]
    fn a_picture_without_its_parts_is_refused() {
        let text = "<text x=\"2\" y=\"14\" font-family=\"DejaVu Sans\">A</text>";
        assert!(render(&svg(text), 1.0, 1).is_ok());
        let message = |inner: &str, texts| render(&svg(inner), 1.0, texts).unwrap_err().to_string();
        assert!(message(text, 2).contains("2 texts were written and 1 are drawn"));
        assert!(message("<use href=\"#gone\"/>", 0).contains("“gone”"));
        assert!(
            message("<rect width=\"4\" height=\"4\" fill=\"url(#gone)\"/>", 0).contains("“gone”")
        );
        assert!(render("<svg", 1.0, 0).is_err());
    }
}
