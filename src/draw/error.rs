//! Why a drawing could not be made.
//!
//! Job: say in plain words which label is at fault. Output: one value a fault; the caller adds the place
//! in the author's file. Invariant: a drawing with a fault is never shown.

use std::fmt;

/// One fault of a drawing.
#[derive(Debug, Clone, PartialEq)]
pub enum DrawError {
    /// The drawing font has no glyph for a character.
    MissingGlyph {
        /// The character.
        character: char,
        /// The text that holds it.
        label: String,
    },
    /// A text is wider than the place that the drawing has for it.
    TextOutsideBox {
        /// The text.
        label: String,
        /// Its width in pixels.
        width_px: f64,
        /// The width of its place in pixels.
        room_px: f64,
    },
    /// The drawing as a whole is too large.
    TooTall {
        /// Its height in pixels.
        height_px: f64,
        /// The greatest height in pixels.
        limit_px: f64,
    },
    /// The rendered picture is not what the SVG says: a fault of this program.
    Raster {
        /// What went wrong.
        message: String,
    },
    /// Values that cannot be plotted.
    Plot {
        /// The label of the row at fault.
        label: String,
        /// What is wrong.
        message: String,
    },
}

impl DrawError {
    /// The text of the drawing that is at fault, where there is one.
    pub fn label(&self) -> Option<&str> {
        match self {
            Self::MissingGlyph { label, .. }
            | Self::TextOutsideBox { label, .. }
            | Self::Plot { label, .. } => Some(label),
            Self::TooTall { .. } | Self::Raster { .. } => None,
        }
    }
}

impl fmt::Display for DrawError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingGlyph { character, label } => {
                let code = u32::from(*character);
                write!(
                    out,
                    "the drawing font has no glyph for “{character}” (U+{code:04X}) in “{label}”"
                )
            }
            Self::TextOutsideBox {
                label,
                width_px,
                room_px,
            } => {
                write!(
                    out,
                    "“{label}” is {width_px:.0} px wide, and the drawing has {room_px:.0} px for it"
                )
            }
            Self::TooTall {
                height_px,
                limit_px,
            } => {
                write!(
                    out,
                    "the drawing would be {height_px:.0} px tall; at most {limit_px:.0} px are drawn"
                )
            }
            Self::Raster { message } => write!(out, "the drawing could not be rendered: {message}"),
            Self::Plot { label, message } => write!(out, "“{label}” cannot be plotted: {message}"),
        }
    }
}

impl std::error::Error for DrawError {}
