//! The social card of a page.
//!
//! Job: a picture of 1200 × 630 pixels with the page's title, its kind and the site's title beside a strip
//! of woven cloth. Input: three texts. Output: PNG bytes. Invariant: any text gives a card; a character
//! that the font lacks is drawn as a box, and a title that is too long is set smaller, then cut.

use super::canvas::{Canvas, Label, Moment, Play};
use super::error::DrawError;
use super::font::{self, Weight};
use super::scene::{Frame, Role, Scene};
use super::{columns_of, xml};
use crate::sim::Tracks;

const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 630.0;
const TEXT_LEFT: f64 = 270.0;
const TEXT_ROOM: f64 = WIDTH - TEXT_LEFT - 70.0;
/// Sizes that a title is tried in, largest first.
const TITLE_SIZES: [f64; 4] = [68.0, 58.0, 48.0, 40.0];
/// Height that a title may take.
const TITLE_ROOM: f64 = 330.0;
const LEADING: f64 = 1.2;
/// What stands for a character that the font lacks.
const BOX: char = '□';

/// The texts of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card<'a> {
    /// The page's title.
    pub title: &'a str,
    /// What sort of page it is: `Term`, `Lesson`.
    pub kind: &'a str,
    /// The site's title.
    pub site: &'a str,
}

impl Card<'_> {
    /// Draws the card.
    pub fn scene(&self) -> Result<Scene, Vec<DrawError>> {
        let tracks = Tracks::default();
        let play = Play {
            kind: None,
            moment: Moment::Whole,
            telling_step: 0,
        };
        let mut canvas = Canvas::new(&tracks, play);
        weave(&mut canvas);
        let kind = cut(self.kind, TEXT_ROOM, 28.0, Weight::Regular);
        canvas.text(
            Label::at(TEXT_LEFT, 120.0, TEXT_ROOM)
                .size(28.0)
                .role(Role::Muted),
            &kind,
        );
        let (size, lines) = fit(&drawable(self.title));
        for (index, line) in lines.iter().enumerate() {
            let y = 150.0 + size * (1.0 + LEADING * columns_of(index));
            canvas.text(Label::at(TEXT_LEFT, y, TEXT_ROOM).size(size).bold(), line);
        }
        canvas.line((TEXT_LEFT, 530.0), (WIDTH - 70.0, 530.0), Role::Thread);
        let footer = cut(self.site, TEXT_ROOM, 28.0, Weight::Regular);
        canvas.text(Label::at(TEXT_LEFT, 575.0, TEXT_ROOM).size(28.0), &footer);
        let mut scene = canvas.finish((WIDTH, HEIGHT), (self.title, self.kind))?;
        scene.margin = 0.0;
        Ok(scene)
    }

    /// Renders the card.
    pub fn to_png(&self) -> Result<Vec<u8>, Vec<DrawError>> {
        self.scene()?.to_png(1.0).map_err(|error| vec![error])
    }
}

/// A strip of plain weave: warp threads run down, weft threads across, each over and under in turn.
fn weave(canvas: &mut Canvas<'_>) {
    const PITCH: f64 = 30.0;
    const THREAD: f64 = 20.0;
    const COLUMNS: usize = 6;
    const ROWS: usize = 21;
    for row in 0..ROWS {
        let weft = if row % 7 == 3 {
            Role::MultiplyAdd
        } else {
            Role::Weft
        };
        for column in 0..COLUMNS {
            let (x, y) = (24.0 + PITCH * columns_of(column), PITCH * columns_of(row));
            let inset = (PITCH - THREAD) / 2.0;
            let over = Frame {
                x: x + inset,
                y,
                width: THREAD,
                height: PITCH,
            };
            let across = Frame {
                x,
                y: y + inset,
                width: PITCH,
                height: THREAD,
            };
            let warp_is_over = (row + column) % 2 == 0;
            let order = if warp_is_over {
                [(across, weft), (over, Role::Load)]
            } else {
                [(over, Role::Load), (across, weft)]
            };
            for (frame, role) in order {
                canvas.rect(frame, 0.0, role);
            }
        }
    }
}

/// The largest size in which the title has room, and its lines; at the smallest size it is cut.
fn fit(title: &str) -> (f64, Vec<String>) {
    let mut fitted = (0.0, Vec::new());
    for size in TITLE_SIZES {
        let lines = break_lines(title, size);
        fitted = (size, lines);
        if columns_of(fitted.1.len()) * size * LEADING <= TITLE_ROOM {
            return fitted;
        }
    }
    let (size, mut lines) = fitted;
    while columns_of(lines.len()) * size * LEADING > TITLE_ROOM && lines.len() > 1 {
        lines.pop();
    }
    if let Some(last) = lines.last_mut() {
        *last = cut(&format!("{last} …"), TEXT_ROOM, size, Weight::Bold);
        if !last.ends_with('…') {
            last.push('…');
        }
    }
    (size, lines)
}

/// Breaks at spaces, and inside a word that is wider than the card.
fn break_lines(title: &str, size: f64) -> Vec<String> {
    let mut lines = Vec::new();
    for line in font::wrap(title, TEXT_ROOM, size, Weight::Bold) {
        let mut rest = String::new();
        for character in line.chars() {
            rest.push(character);
            if font::width_px(&rest, size, Weight::Bold) > TEXT_ROOM {
                rest.pop();
                lines.push(std::mem::replace(&mut rest, character.to_string()));
            }
        }
        lines.push(rest);
    }
    lines
}

/// `text` in one line, with an ellipsis where it has no room.
fn cut(text: &str, room: f64, size: f64, weight: Weight) -> String {
    let text = drawable(text);
    if font::width_px(&text, size, weight) <= room {
        return text;
    }
    let mut short = text;
    while !short.is_empty() && font::width_px(&format!("{short}…"), size, weight) > room {
        short.pop();
    }
    format!("{}…", short.trim_end())
}

/// `text` with a box for each character that cannot be drawn.
fn drawable(text: &str) -> String {
    let show = |character: char| {
        let drawn =
            font::has_glyph(character, Weight::Regular) && font::has_glyph(character, Weight::Bold);
        if drawn { character } else { BOX }
    };
    xml::printable(text).chars().map(show).collect()
}
