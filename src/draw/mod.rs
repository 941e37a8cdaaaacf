//! Drawings.
//!
//! Job: turn the record of a run into a picture. Input: a [`Trace`] and a [`View`].
//! Output: a [`Scene`], which [`Scene::to_svg`] writes as SVG and [`Scene::to_png`] as PNG. Invariant: a picture
//! shows what the trace says and nothing else; a text without a glyph or without room is an error.
//!
//! # What a player can rely on
//!
//! A drawing of the whole ([`Moment::Whole`]) holds the shapes of every step. In it:
//!
//! - `data-from="N"`: the element is there from step `N` on. A player sets its attribute `data-when` to
//!   `before` (hidden), `now` or `after`, as the step shown is less than, equal to or greater than `N`.
//!   Without the attribute the element is shown.
//! - `data-cs="ID"`: the attribute `data-state` follows the state track `ID` of the frames.
//! - `data-cs-text="ID"`: the text follows the text track `ID`.
//! - `data-cs-word="ID"`: the text is the words of the state track `ID`.
//!
//! A drawing of a step ([`Moment::Step`]) has these attributes set as a player sets them. Ids repeat
//! between drawings of one page, so a player looks them up inside its figure. The frames are described in
//! [`crate::sim::Frames`]; a test keeps both equal at every step.
//!
//! Each drawing comes in two widths, [`Width::Narrow`] (328 px) and [`Width::Wide`] (about 700 px), both
//! legible at their natural size.

mod canvas;
mod card;
mod error;
mod font;
mod occupancy;
mod palette;
mod plot;
mod raster;
mod scene;
mod style;
mod svg;
mod systolic;
mod tile;
mod timeline;
mod xml;

pub use canvas::{HEIGHT_MAX_PX, Moment};
pub use card::Card;
pub use error::DrawError;
pub use font::Weight;
pub use palette::{Colour, PALETTE};
pub use plot::{Plot, PlotRow, plot};
pub use scene::{Anchor, Frame, Geometry, Mark, Role, Scene, Shape, Symbol, TextBox, When};
pub use style::{model_style, page_style};
pub use svg::Form;

use crate::sim::{Trace, Tracks};
use canvas::Play;

/// The column that a drawing is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// A telephone's: 328 px.
    Narrow,
    /// A page's: about 700 px.
    Wide,
}

/// How a run is to be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View<'a> {
    /// The column it is made for.
    pub width: Width,
    /// The step, or the whole.
    pub moment: Moment,
    /// The drawing's name.
    pub title: &'a str,
    /// What it shows, in words: the alternative text.
    pub description: &'a str,
}

/// Draws one run.
pub fn draw(trace: &Trace, view: &View<'_>) -> Result<Scene, Vec<DrawError>> {
    draw_with(trace, &trace.tracks(), view)
}

/// The same, for a run whose `tracks` are known already.
pub fn draw_with(trace: &Trace, tracks: &Tracks, view: &View<'_>) -> Result<Scene, Vec<DrawError>> {
    let play = Play {
        kind: Some(trace.kind()),
        moment: view.moment,
        telling_step: trace.kind().telling_step(tracks.len()),
    };
    match trace {
        Trace::WarpScheduler(trace) => timeline::scene(trace, tracks, play, view),
        Trace::OccupancyStepper(trace) => occupancy::scene(trace, tracks, play, view),
        Trace::TileReuse(trace) => tile::scene(trace, tracks, play, view),
        Trace::SystolicArray(trace) => systolic::scene(trace, tracks, play, view),
    }
}

/// A small count as a length factor.
fn columns_of(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
