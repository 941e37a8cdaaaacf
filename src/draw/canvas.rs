//! A sheet that shapes are put on.
//!
//! Job: build a scene for one step, with each text measured before it is placed. Input: the frames of a
//! run, so that a picture of a step is what a player shows. Output: a [`Scene`] or every fault at once.
//! Invariant: what changes between steps is taken from the tracks and carries their id.

use std::cmp::Ordering;

use super::error::DrawError;
use super::font::{self, Weight};
use super::scene::{
    Anchor, FILE_MARGIN_PX, Frame, Geometry, Mark, Role, Scene, Shape, Symbol, When,
};
use crate::sim::{Code, Kind, Tracks};

/// Greatest height of a drawing in pixels.
pub const HEIGHT_MAX_PX: f64 = 8000.0;

/// Which step of a run is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The picture that stands for the run: its telling step, with nothing marked as current.
    Whole,
    /// One step.
    Step(usize),
}

/// What a sheet is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Play {
    /// The machine; `None` for a drawing without steps.
    pub(super) kind: Option<Kind>,
    /// What is drawn.
    pub(super) moment: Moment,
    /// The step that stands for the run.
    pub(super) telling_step: usize,
}

/// Where and how a text is set, and how much room it has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Label {
    at: (f64, f64),
    room: f64,
    size: f64,
    anchor: Anchor,
    weight: Weight,
    role: Role,
}

impl Label {
    /// A text of 12 px that begins at `x` on the baseline `y` and has `room` pixels.
    pub(super) fn at(x: f64, y: f64, room: f64) -> Self {
        Self {
            at: (x, y),
            room,
            size: 12.0,
            anchor: Anchor::Start,
            weight: Weight::Regular,
            role: Role::Text,
        }
    }

    pub(super) fn size(mut self, size: f64) -> Self {
        self.size = size;
        self
    }

    pub(super) fn bold(mut self) -> Self {
        self.weight = Weight::Bold;
        self
    }

    pub(super) fn anchor(mut self, anchor: Anchor) -> Self {
        self.anchor = anchor;
        self
    }

    pub(super) fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }
}

/// The sheet.
pub(super) struct Canvas<'a> {
    tracks: &'a Tracks,
    kind: Option<Kind>,
    moment: Moment,
    step: usize,
    shapes: Vec<Shape>,
    symbols: Vec<(Symbol, Vec<Shape>)>,
    errors: Vec<DrawError>,
}

impl<'a> Canvas<'a> {
    /// An empty sheet for one moment of a run.
    pub(super) fn new(tracks: &'a Tracks, play: Play) -> Self {
        let last = tracks.len().saturating_sub(1);
        let step = match play.moment {
            Moment::Whole => play.telling_step,
            Moment::Step(step) => step.min(last),
        };
        Self {
            tracks,
            kind: play.kind,
            moment: play.moment,
            step,
            shapes: Vec::new(),
            symbols: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// The finished picture, or everything that is wrong with it.
    pub(super) fn finish(
        mut self,
        size: (f64, f64),
        words: (&str, &str),
    ) -> Result<Scene, Vec<DrawError>> {
        let (width, height) = (size.0.ceil(), size.1.ceil());
        if height > HEIGHT_MAX_PX {
            self.errors.push(DrawError::TooTall {
                height_px: height,
                limit_px: HEIGHT_MAX_PX,
            });
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        Ok(Scene {
            width,
            height,
            margin: FILE_MARGIN_PX,
            title: words.0.to_owned(),
            description: words.1.to_owned(),
            symbols: self.symbols,
            shapes: self.shapes,
        })
    }

    fn push(&mut self, geometry: Geometry, role: Role, mark: Mark) {
        self.shapes.push(Shape {
            geometry,
            role,
            mark,
        });
    }

    pub(super) fn rect(&mut self, frame: Frame, radius: f64, role: Role) {
        self.push(Geometry::Rect { frame, radius }, role, Mark::default());
    }

    /// Equal rectangles of this size; nothing for none.
    pub(super) fn tiles(
        &mut self,
        corners: Vec<(f64, f64)>,
        size: (f64, f64),
        role: Role,
        mark: Mark,
    ) {
        if corners.is_empty() {
            return;
        }
        let (width, height) = size;
        let geometry = Geometry::Tiles {
            corners,
            width,
            height,
        };
        self.push(geometry, role, mark);
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), role: Role) {
        self.push(Geometry::Line { from, to }, role, Mark::default());
    }

    /// Draws what `draw` draws as one group.
    pub(super) fn group(&mut self, role: Role, mark: Mark, draw: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.shapes);
        draw(self);
        let inner = std::mem::replace(&mut self.shapes, outer);
        self.push(Geometry::Group(inner), role, mark);
    }

    /// A mark for something that is there from `step` on.
    pub(super) fn from(&self, step: usize) -> Mark {
        let order = step.cmp(&self.step);
        let when = match (self.moment, order) {
            (_, Ordering::Greater) => Some(When::Before),
            (Moment::Whole, _) => None,
            (Moment::Step(_), Ordering::Equal) => Some(When::Now),
            (Moment::Step(_), Ordering::Less) => Some(When::After),
        };
        Mark {
            from: Some(step),
            when,
            ..Mark::default()
        }
    }

    /// A mark for something whose look follows the state track `id`.
    pub(super) fn state(&self, id: &str) -> Mark {
        let code = self.tracks.state(id, self.step);
        let codes = self.kind.map(Kind::codes).unwrap_or_default();
        let state = codes.iter().find(|known| Some(known.0) == code);
        Mark {
            state: state.map(|known| (id.to_owned(), known.1)),
            ..Mark::default()
        }
    }

    /// Defines a symbol by what `draw` draws.
    pub(super) fn symbol(&mut self, symbol: Symbol, draw: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.shapes);
        draw(self);
        let inner = std::mem::replace(&mut self.shapes, outer);
        self.symbols.push((symbol, inner));
    }

    /// A copy of a symbol that is there from `step` on.
    pub(super) fn copy(&mut self, symbol: Symbol, at: (f64, f64), step: usize) {
        let mark = self.from(step);
        self.push(Geometry::Copy { symbol, at }, Role::Plain, mark);
    }

    /// A copy of a symbol that is always there.
    pub(super) fn copy_always(&mut self, symbol: Symbol, at: (f64, f64)) {
        self.push(Geometry::Copy { symbol, at }, Role::Plain, Mark::default());
    }

    /// An arrow between neighbours: to the right or downwards.
    pub(super) fn arrow(&mut self, from: (f64, f64), to: (f64, f64)) {
        let barb = 2.5;
        let across = to.0 - from.0 > to.1 - from.1;
        let (one, other) = if across {
            ((to.0 - barb, to.1 - barb), (to.0 - barb, to.1 + barb))
        } else {
            ((to.0 - barb, to.1 - barb), (to.0 + barb, to.1 - barb))
        };
        for start in [from, one, other] {
            self.line(start, to, Role::Arrow);
        }
    }

    /// A rectangle that shows how a state looks.
    pub(super) fn sample(&mut self, role: Role, state: &'static str, frame: Frame) {
        let mark = Mark {
            sample: Some(state),
            ..Mark::default()
        };
        self.group(role, mark, |canvas| canvas.rect(frame, 1.0, Role::Plain));
    }

    /// What each state of a cell looks like, in words of `size` px, over as many lines as `width` needs;
    /// returns the top of the last line.
    pub(super) fn legend<'c>(
        &mut self,
        codes: impl Iterator<Item = &'c Code>,
        size: f64,
        (width, top): (f64, f64),
    ) -> f64 {
        let (mut x, mut y) = (0.0, top);
        for Code(_, state, words) in codes {
            let room = font::width_px(words, size, Weight::Regular);
            if x + 18.0 + room > width {
                (x, y) = (0.0, y + 19.0);
            }
            let frame = Frame {
                x: x + 1.0,
                y: y + 1.0,
                width: 11.0,
                height: 11.0,
            };
            self.sample(Role::Cell, state, frame);
            let label = Label::at(x + 18.0, y + 11.0, room + 1.0);
            self.text(label.size(size).role(Role::Muted), words);
            x += room + 32.0;
        }
        y
    }

    /// A text that is the same at every step.
    pub(super) fn text(&mut self, label: Label, text: &str) {
        self.check(label, text);
        self.place(label, text, Mark::default());
    }

    /// A text that is the same at every step at which it is there.
    pub(super) fn marked_text(&mut self, label: Label, text: &str, mark: Mark) {
        self.check(label, text);
        self.place(label, text, mark);
    }

    /// A text from the text track `id`; every text that it ever shows must fit.
    pub(super) fn track_text(&mut self, label: Label, id: &str) {
        let tracks = self.tracks;
        let texts = tracks.texts.get(id).into_iter().flatten();
        for fault in texts.filter_map(|(_, text)| fault_of(label, text)) {
            self.report_widest(fault);
        }
        let text = tracks.text(id, self.step).unwrap_or_default();
        let mark = Mark {
            text_id: Some(id.to_owned()),
            ..Mark::default()
        };
        self.place(label, text, mark);
    }

    /// The words of the state track `id`.
    pub(super) fn track_word(&mut self, label: Label, id: &str) {
        let codes = self.kind.map(Kind::codes).unwrap_or_default();
        for code in codes {
            self.check(label, code.2);
        }
        let code = self.tracks.state(id, self.step);
        let words = codes
            .iter()
            .find(|known| Some(known.0) == code)
            .map_or("", |known| known.2);
        let mark = Mark {
            word_id: Some(id.to_owned()),
            ..Mark::default()
        };
        self.place(label, words, mark);
    }

    /// A text over several lines, `leading` apart; returns how many there are.
    pub(super) fn paragraph(&mut self, label: Label, leading: f64, text: &str) -> usize {
        let lines = font::wrap(text, label.room, label.size, label.weight);
        let mut line_label = label;
        for line in &lines {
            self.text(line_label, line);
            line_label.at.1 += leading;
        }
        lines.len()
    }

    fn place(&mut self, label: Label, text: &str, mark: Mark) {
        let geometry = Geometry::Text {
            at: label.at,
            size: label.size,
            anchor: label.anchor,
            weight: label.weight,
            text: text.to_owned(),
        };
        self.push(geometry, label.role, mark);
    }

    fn check(&mut self, label: Label, text: &str) {
        if let Some(error) = fault_of(label, text)
            && !self.errors.contains(&error)
        {
            self.errors.push(error);
        }
    }

    /// Keeps, of the changing texts that lack room in places of one size, only the widest.
    fn report_widest(&mut self, fault: DrawError) {
        let DrawError::TextOutsideBox {
            width_px, room_px, ..
        } = &fault
        else {
            if !self.errors.contains(&fault) {
                self.errors.push(fault);
            }
            return;
        };
        let (width, room) = (*width_px, *room_px);
        let known = self.errors.iter_mut().find_map(|error| match error {
            DrawError::TextOutsideBox {
                width_px, room_px, ..
            } if (*room_px - room).abs() < 0.01 => Some((*width_px, error)),
            _ => None,
        });
        match known {
            Some((widest, error)) if width > widest => *error = fault,
            Some(_) => {}
            None => self.errors.push(fault),
        }
    }
}

/// What is wrong with a text in its place.
fn fault_of(label: Label, text: &str) -> Option<DrawError> {
    let printable = text.chars().map(super::xml::shown);
    match font::drawn_width(printable, label.size, label.weight) {
        Err(character) => Some(DrawError::MissingGlyph {
            character,
            label: text.to_owned(),
        }),
        Ok(width_px) => (width_px > label.room).then(|| DrawError::TextOutsideBox {
            label: text.to_owned(),
            width_px,
            room_px: label.room,
        }),
    }
}
