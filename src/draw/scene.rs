//! Shapes with roles.
//!
//! Job: describe a picture without saying how it is written. Output: a [`Scene`], which the SVG writer
//! turns into text. Invariant: lengths are pixels at natural size, the origin is the upper left corner,
//! and no shape has a colour of its own.

use super::font::{self, Weight};

/// What a shape means; the style sheet gives each role its look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// No look of its own: a group.
    Plain,
    /// Text in the foreground.
    Text,
    /// Text that explains.
    Muted,
    /// Text about loads.
    LoadText,
    /// Text about multiply-adds.
    MultiplyAddText,
    /// A load.
    Load,
    /// A multiply-add.
    MultiplyAdd,
    /// A letter on a load.
    LoadInk,
    /// A letter on a multiply-add.
    MultiplyAddInk,
    /// Nothing was issued.
    Idle,
    /// A bar of a plot.
    Bar,
    /// A box around what belongs together.
    Box,
    /// A line that divides.
    Rule,
    /// A thread of the loom: a warp's line.
    Thread,
    /// A weft thread of woven cloth.
    Weft,
    /// The outline of something that has room in it.
    Slot,
    /// A resident warp.
    Warp,
    /// A cell whose look follows its state.
    Cell,
    /// A mark whose look follows a warp's state.
    WarpMark,
    /// An arrow between neighbours.
    Arrow,
}

impl Role {
    /// The class in the SVG; empty for none.
    pub fn class(self) -> &'static str {
        match self {
            Self::Plain | Self::Text => "",
            Self::Muted => "cs-muted",
            Self::LoadText => "cs-load-text",
            Self::MultiplyAddText => "cs-fma-text",
            Self::Load => "cs-load",
            Self::MultiplyAdd => "cs-fma",
            Self::LoadInk => "cs-load-ink",
            Self::MultiplyAddInk => "cs-fma-ink",
            Self::Idle => "cs-idle",
            Self::Bar => "cs-bar",
            Self::Box => "cs-box",
            Self::Rule => "cs-rule",
            Self::Thread => "cs-thread",
            Self::Weft => "cs-weft",
            Self::Slot => "cs-slot",
            Self::Warp => "cs-warp",
            Self::Cell => "cs-cell",
            Self::WarpMark => "cs-mark",
            Self::Arrow => "cs-arrow",
        }
    }
}

/// A rectangle in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// Where a text stands on its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// The outline of a shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// A rectangle with rounded corners.
    Rect {
        /// The rectangle.
        frame: Frame,
        /// Radius of its corners.
        radius: f64,
    },
    /// Equal rectangles, drawn as one outline: where each has its upper left corner.
    Tiles {
        /// The corners, in painting order.
        corners: Vec<(f64, f64)>,
        /// Width of each.
        width: f64,
        /// Height of each.
        height: f64,
    },
    /// A straight line.
    Line {
        /// From.
        from: (f64, f64),
        /// To.
        to: (f64, f64),
    },
    /// A copy of a symbol, moved.
    Copy {
        /// The symbol.
        symbol: Symbol,
        /// By how much it is moved.
        at: (f64, f64),
    },
    /// A line of text.
    Text {
        /// The point on its baseline.
        at: (f64, f64),
        /// Size in pixels.
        size: f64,
        /// How it stands on the point.
        anchor: Anchor,
        /// How heavy it is.
        weight: Weight,
        /// What it says.
        text: String,
    },
    /// Shapes that belong together.
    Group(Vec<Shape>),
}

/// Where a step stands relative to the one that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Still to come.
    Before,
    /// In this step.
    Now,
    /// Earlier.
    After,
}

/// What ties a shape to the frames of a player.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mark {
    /// The first step at which the shape is there.
    pub from: Option<usize>,
    /// Where that step stands; `None` in a picture of the whole.
    pub when: Option<When>,
    /// Id of the state track, and the state.
    pub state: Option<(String, &'static str)>,
    /// A state that the shape always shows: a sample in a legend.
    pub sample: Option<&'static str>,
    /// Id of the text track.
    pub text_id: Option<String>,
    /// Id of the state track whose words are the text.
    pub word_id: Option<String>,
}

/// One shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Its outline.
    pub geometry: Geometry,
    /// What it means.
    pub role: Role,
    /// What ties it to the player.
    pub mark: Mark,
}

/// A small picture that is drawn many times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    /// An issued load of an A operand.
    LoadA,
    /// An issued load of a B operand.
    LoadB,
    /// An issued multiply-add.
    MultiplyAdd,
    /// A slot in which nothing was issued.
    Idle,
}

impl Symbol {
    /// The symbol's id, after the drawing's prefix.
    pub fn id(self) -> &'static str {
        match self {
            Self::LoadA => "a",
            Self::LoadB => "b",
            Self::MultiplyAdd => "m",
            Self::Idle => "i",
        }
    }
}

/// Margin around a drawing that stands alone, in pixels.
pub(super) const FILE_MARGIN_PX: f64 = 16.0;

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Natural width in pixels.
    pub width: f64,
    /// Natural height in pixels.
    pub height: f64,
    /// Margin around it where it stands alone.
    pub margin: f64,
    /// Its name.
    pub title: String,
    /// What it shows, in words.
    pub description: String,
    /// Symbols that it uses, with their shapes.
    pub symbols: Vec<(Symbol, Vec<Shape>)>,
    /// Shapes, in painting order.
    pub shapes: Vec<Shape>,
}

/// The place that a text takes, for checks.
#[derive(Debug, Clone, PartialEq)]
pub struct TextBox {
    /// What it says.
    pub text: String,
    /// Where it stands: from the top of its capitals to the foot of its descenders.
    pub frame: Frame,
}

impl Scene {
    /// Where every text of the picture stands, without those that are still to come.
    pub fn text_boxes(&self) -> Vec<TextBox> {
        let mut boxes = Vec::new();
        self.collect(&self.shapes, (0.0, 0.0), &mut boxes);
        boxes
    }

    fn collect(&self, shapes: &[Shape], offset: (f64, f64), boxes: &mut Vec<TextBox>) {
        for shape in shapes
            .iter()
            .filter(|shape| shape.mark.when != Some(When::Before))
        {
            match &shape.geometry {
                Geometry::Group(inner) => self.collect(inner, offset, boxes),
                Geometry::Copy { symbol, at } => {
                    let inner = self.symbols.iter().find(|(known, _)| known == symbol);
                    let inner = inner
                        .map(|(_, shapes)| shapes.as_slice())
                        .unwrap_or_default();
                    self.collect(inner, (offset.0 + at.0, offset.1 + at.1), boxes);
                }
                geometry => boxes.extend(text_box(geometry, offset)),
            }
        }
    }
}

fn text_box(geometry: &Geometry, offset: (f64, f64)) -> Option<TextBox> {
    let Geometry::Text {
        at,
        size,
        anchor,
        weight,
        text,
    } = geometry
    else {
        return None;
    };
    let width = font::width_px(text, *size, *weight);
    let before = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    // Capitals of the font are 0.73 em high, descenders 0.24 em deep.
    let frame = Frame {
        x: offset.0 + at.0 - before,
        y: offset.1 + at.1 - 0.73 * size,
        width,
        height: 0.97 * size,
    };
    (!text.is_empty()).then(|| TextBox {
        text: text.clone(),
        frame,
    })
}
