//! The drawing font and its metrics.
//!
//! Job: measure text and know which characters can be drawn. Input: text, a size in pixels, a weight.
//! Output: widths in pixels. Invariant: the one font, from a package, never a font of the machine, so
//! that a drawing is the same everywhere. The font is wide: a page that shows a drawing in its own
//! font has room to spare.

use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// The family's name, as the SVG and the renderer know it.
pub(super) const FAMILY: &str = "DejaVu Sans";

/// How heavy a text is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// The usual weight.
    Regular,
    /// For headings and marks.
    Bold,
}

/// Characters below this one make up nearly all text; their advances are looked up once.
const COMMON_END: usize = 0x100;

struct Metrics {
    font: Option<FontRef<'static>>,
    units_per_em: f64,
    /// Advances of the characters below [`COMMON_END`].
    common: Vec<Option<f64>>,
}

static REGULAR: LazyLock<Metrics> = LazyLock::new(|| Metrics::new(dejavu::sans::regular()));
static BOLD: LazyLock<Metrics> = LazyLock::new(|| Metrics::new(dejavu::sans::bold()));

impl Metrics {
    fn new(bytes: &'static [u8]) -> Self {
        let font = FontRef::new(bytes).ok();
        let metrics = font
            .as_ref()
            .map(|font| font.metrics(Size::unscaled(), LocationRef::default()));
        let mut metrics = Self {
            font,
            units_per_em: metrics.map_or(1.0, |metrics| f64::from(metrics.units_per_em)),
            common: Vec::new(),
        };
        let common = ('\0'..).take(COMMON_END);
        metrics.common = common.map(|character| metrics.look_up(character)).collect();
        metrics
    }

    fn of(weight: Weight) -> &'static Self {
        match weight {
            Weight::Regular => &REGULAR,
            Weight::Bold => &BOLD,
        }
    }

    fn advance(&self, character: char) -> Option<f64> {
        match self.common.get(character as usize) {
            Some(known) => *known,
            None => self.look_up(character),
        }
    }

    /// The advance, in ems; a character without a glyph is drawn as a box of about this width.
    fn advance_or_box(&self, character: char) -> f64 {
        self.advance(character).unwrap_or(0.6)
    }

    fn look_up(&self, character: char) -> Option<f64> {
        let font = self.font.as_ref()?;
        let glyph = font.charmap().map(character)?;
        let metrics = font.glyph_metrics(Size::unscaled(), LocationRef::default());
        Some(f64::from(metrics.advance_width(glyph)?) / self.units_per_em)
    }
}

/// The bytes of both weights.
pub(super) fn files() -> [&'static [u8]; 2] {
    [dejavu::sans::regular(), dejavu::sans::bold()]
}

/// Whether the font draws `character`.
pub(super) fn has_glyph(character: char, weight: Weight) -> bool {
    Metrics::of(weight).advance(character).is_some()
}

/// The width of a text in pixels, or its first character that the font cannot draw.
pub(super) fn drawn_width(
    text: impl Iterator<Item = char>,
    size: f64,
    weight: Weight,
) -> Result<f64, char> {
    let metrics = Metrics::of(weight);
    let mut sum = 0.0;
    for character in text {
        sum += metrics.advance(character).ok_or(character)?;
    }
    Ok(sum * size)
}

/// The width of `text` in pixels at `size` pixels.
pub(super) fn width_px(text: &str, size: f64, weight: Weight) -> f64 {
    width_of(text.chars(), size, weight)
}

/// The width of a text in pixels, character by character.
pub(super) fn width_of(text: impl Iterator<Item = char>, size: f64, weight: Weight) -> f64 {
    let metrics = Metrics::of(weight);
    let advances = text.map(|character| metrics.advance_or_box(character));
    // From zero, and not from the negative zero that an empty sum is.
    advances.fold(0.0, |sum, advance| sum + advance) * size
}

/// Breaks `text` at spaces into lines of at most `room` pixels. A word wider than that keeps a line of its own.
pub(super) fn wrap(text: &str, room: f64, size: f64, weight: Weight) -> Vec<String> {
    let metrics = Metrics::of(weight);
    let mut lines: Vec<String> = Vec::new();
    // The advances of the last line, summed from left to right as everywhere.
    let mut sum = 0.0;
    for word in text.split_whitespace() {
        let advance = |sum: f64, character| sum + metrics.advance_or_box(character);
        if let Some(line) = lines.last_mut() {
            let longer = word.chars().fold(advance(sum, ' '), advance);
            if longer * size <= room {
                line.push(' ');
                line.push_str(word);
                sum = longer;
                continue;
            }
        }
        lines.push(word.to_owned());
        sum = word.chars().fold(0.0, advance);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_what_drawings_say() {
        let text = "Aa Żź Ωμ Жя ×−→↓·–…≤ 0123456789";
        for weight in [Weight::Regular, Weight::Bold] {
            let width = drawn_width(text.chars(), 12.0, weight);
            assert_eq!(width, Ok(width_px(text, 12.0, weight)));
            assert_eq!(drawn_width("a漢".chars(), 12.0, weight), Err('漢'));
        }
    }

    #[test]
    fn measures_and_wraps() {
        let one = width_px("many warps", 12.0, Weight::Regular);
        assert!((one - 2.0 * width_px("many warps", 6.0, Weight::Regular)).abs() < 1e-9);
        assert!(width_px("many warps", 12.0, Weight::Bold) > one);
        let lines = wrap(
            "many warps, one item each",
            one + 5.0,
            12.0,
            Weight::Regular,
        );
        assert_eq!(lines, ["many warps,", "one item", "each"]);
        assert!(wrap("  ", 50.0, 12.0, Weight::Regular).is_empty());
    }
}
