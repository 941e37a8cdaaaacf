//! The drawings of an entry, wherever they are shown.
//!
//! Job: choose the words of each drawing and draw it. Input: an entry and its runs. Output: scenes,
//! or findings at the figure. Invariant: a page, a file and a picture show one scene.

use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::draw::{self, DrawError, Form, Moment, Plot, PlotRow, Scene, View, Width};
use crate::model::claim::ShortText;
use crate::model::dataset::Capture;
use crate::model::entry::Entry;
use crate::model::figure::{Diagram, Model, Preset};
use crate::model::tree::{Kind as NodeKind, Node};
use crate::resolve::Site;
use crate::sim::{Kind, Run, Runs, Tracks};
use crate::simulate::EntryRuns;
use crate::source::Span;
use std::fmt::Write as _;

/// A drawing that also stands alone, as `diagrams/ENTRY/STEM.svg` and `.png`.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// The file's name without its ending: the figure's name, and for the other runs of a model
    /// their parameters after it.
    pub stem: String,
    /// What is drawn.
    pub scene: Scene,
    /// The same for a telephone, as `diagrams/ENTRY/STEM.narrow.svg`; `None` for a plot, and where
    /// the texts have no room.
    pub narrow: Option<Scene>,
}

impl Drawing {
    /// The drawing as an SVG file.
    pub fn svg(&self) -> String {
        self.scene.to_svg(Form::File)
    }

    /// The drawing for a telephone as an SVG file, if there is one.
    pub fn narrow_svg(&self) -> Option<String> {
        Some(self.narrow.as_ref()?.to_svg(Form::File))
    }
}

/// Every drawing of an entry, in the order of its figures; those that are among `drawn` are taken
/// from there. Faults are findings at the figure.
pub fn drawings(
    site: &Site,
    (entry, runs): (&Entry, &EntryRuns),
    mut drawn: Vec<Drawing>,
    out: &mut Diagnostics,
) -> Vec<Drawing> {
    let mut all = Vec::new();
    let from = out.len();
    let mut add = |stem: String, draw: &mut dyn FnMut() -> Option<(Scene, Option<Scene>)>| {
        let known = drawn.iter().position(|drawing| drawing.stem == stem);
        match known {
            Some(at) => all.push(drawn.swap_remove(at)),
            None => all.extend(draw().map(|(scene, narrow)| Drawing {
                stem,
                scene,
                narrow,
            })),
        }
    };
    for (diagram, runs) in entry.diagrams.iter().zip(&runs.diagrams) {
        if let Some((runs, run)) = runs.as_ref().and_then(|runs| Some((runs, start(runs)?))) {
            add(diagram.name.value.to_string(), &mut || {
                diagram_picture(site, diagram, runs).both(run, &run.trace.tracks(), out)
            });
        }
    }
    for (model, runs) in entry.models.iter().zip(&runs.models) {
        let Some(runs) = runs else { continue };
        for (at, run) in runs.runs.iter().enumerate() {
            add(run_stem(model, runs, at), &mut || {
                model_picture(model, runs, at).both(run, &run.trace.tracks(), out)
            });
        }
    }
    for capture in &entry.measured {
        add(format!("plot-{}", capture.name.value), &mut || {
            Some((plot_scene(capture, out)?, None))
        });
    }
    out.name_entry_from(from, &entry.id.shared());
    all
}

/// What a drawing is called and what it shows, in words.
pub(super) struct Picture<'a> {
    pub(super) title: String,
    description: String,
    /// The figure, for findings.
    span: Span,
    /// What its texts come from, where that is a file of its own.
    preset: Option<&'a Preset>,
}

impl Picture<'_> {
    fn view(&self, width: Width) -> View<'_> {
        View {
            width,
            moment: Moment::Whole,
            title: &self.title,
            description: &self.description,
        }
    }

    /// The drawing for a page, and the one for a telephone. That the texts of the latter have no
    /// room is no fault: the wide one scrolls.
    pub(super) fn both(
        &self,
        run: &Run,
        tracks: &Tracks,
        out: &mut Diagnostics,
    ) -> Option<(Scene, Option<Scene>)> {
        let draw = |width| draw::draw_with(&run.trace, tracks, &self.view(width));
        match draw(Width::Wide) {
            Ok(scene) => Some((scene, draw(Width::Narrow).ok())),
            Err(errors) => {
                let mut texts = Vec::new();
                if let Some(preset) = self.preset {
                    texts.extend(
                        preset
                            .title
                            .iter()
                            .map(|title| (title.as_str(), title.span)),
                    );
                    scalars(&preset.settings, &mut texts);
                }
                report(&errors, self.span, &texts, out);
                None
            }
        }
    }
}

/// Every text of a tree with its place.
fn scalars<'n>(node: &'n Node, into: &mut Vec<(&'n str, Span)>) {
    match &node.kind {
        NodeKind::Scalar(text, _) => into.push((text, node.span)),
        NodeKind::Null => {}
        NodeKind::List(items) => items.iter().for_each(|item| scalars(item, into)),
        NodeKind::Map(pairs) => pairs.iter().for_each(|(_, value)| scalars(value, into)),
    }
}

/// Reports what is wrong with a figure, at the text that is at fault where the author wrote it.
fn report(errors: &[DrawError], figure: Span, texts: &[(&str, Span)], out: &mut Diagnostics) {
    out.extend(errors.iter().map(|error| {
        let message = format!("it cannot be drawn: {error}");
        let finding = match place(error, texts) {
            Some(span) => Diagnostic::new(rule::BAD_DRAWING, span, message)
                .label("this text")
                .related(figure, "drawn for this figure"),
            None => Diagnostic::new(rule::BAD_DRAWING, figure, message).label("this figure"),
        };
        finding.help(match error {
            DrawError::MissingGlyph { .. } => {
                "Write it without that character, for which the drawing font has no picture."
            }
            DrawError::TextOutsideBox { .. } => "Use a shorter text.",
            DrawError::TooTall { .. } => "Show fewer rows or columns.",
            DrawError::Plot { .. } => {
                "Take the row out of the table, or `plot` out of the capture."
            }
            DrawError::Raster { .. } => {
                "This is a fault of countersign and none of the site's: please report it."
            }
        })
    }));
}

/// The longest of the author's texts that stands in the label at fault.
fn place(error: &DrawError, texts: &[(&str, Span)]) -> Option<Span> {
    let label = error.label()?;
    let is_part = |text: &str| {
        let faulty = match error {
            DrawError::MissingGlyph { character, .. } => text.contains(*character),
            _ => true,
        };
        faulty && !text.trim().is_empty() && label.contains(text)
    };
    let parts = texts.iter().filter(|(text, _)| is_part(text));
    parts
        .max_by_key(|(text, _)| text.len())
        .map(|(_, span)| *span)
}

pub(super) fn start(runs: &Runs) -> Option<&Run> {
    runs.runs.get(runs.start)
}

fn plain(text: Option<&ShortText>) -> String {
    text.map(ShortText::plain).unwrap_or_default()
}

pub(super) fn diagram_picture<'a>(site: &'a Site, diagram: &Diagram, runs: &Runs) -> Picture<'a> {
    let preset = diagram.preset.as_ref();
    let preset = preset.and_then(|name| crate::model::slug::Slug::new(&name.value));
    let preset = preset.and_then(|name| site.presets.get(&name)?.as_ref());
    let title = preset.and_then(|preset| preset.title.as_ref());
    Picture {
        title: title.map_or_else(
            || machine(runs.kind).to_owned(),
            |title| title.value.clone(),
        ),
        description: plain(diagram.alt.as_ref()),
        span: diagram.span,
        preset,
    }
}

/// The picture of one run of a model. The author's words describe the run that is shown first;
/// the others are described by their results.
pub(super) fn model_picture(model: &Model, runs: &Runs, at: usize) -> Picture<'static> {
    let parameters = parameters(runs, at);
    let title = if parameters.is_empty() {
        machine(runs.kind).to_owned()
    } else {
        format!("{}: {parameters}", machine(runs.kind))
    };
    let description = if at == runs.start {
        plain(model.alt.as_ref())
    } else {
        results(runs, at)
    };
    Picture {
        title,
        description,
        span: model.span,
        preset: None,
    }
}

/// The machine's name for a reader.
fn machine(kind: Kind) -> &'static str {
    match kind {
        Kind::WarpScheduler => "Warp scheduler",
        Kind::OccupancyStepper => "Occupancy",
        Kind::TileReuse => "Reuse in a tile",
        Kind::SystolicArray => "Systolic array",
    }
}

/// The parameters that tell a run from the others: `resident warps 2, load latency 4`.
pub(super) fn parameters(runs: &Runs, at: usize) -> String {
    let values = runs.runs.get(at).map(|run| run.parameters.as_slice());
    let pairs = runs.axes.iter().zip(values.unwrap_or_default());
    let told = pairs.filter(|(axis, _)| axis.values.len() > 1);
    let texts: Vec<_> = told
        .map(|(axis, (_, value))| format!("{} {value}", axis.label))
        .collect();
    texts.join(", ")
}

/// The results of a run, in words.
pub(super) fn results(runs: &Runs, at: usize) -> String {
    let table = runs.table();
    let cells = table.rows.get(at).map(Vec::as_slice).unwrap_or_default();
    let pairs = table.headings.iter().zip(cells).skip(runs.axes.len());
    let texts: Vec<_> = pairs
        .map(|(heading, cell)| format!("{heading} {cell}"))
        .collect();
    format!("{}.", texts.join(", "))
}

pub(super) fn run_stem(model: &Model, runs: &Runs, at: usize) -> String {
    let mut stem = model.name.value.to_string();
    if at == runs.start {
        return stem;
    }
    let values = runs.runs.get(at).map(|run| run.parameters.as_slice());
    for (axis, (name, value)) in runs.axes.iter().zip(values.unwrap_or_default()) {
        if axis.values.len() > 1 {
            let _ = write!(stem, "-{}-{value}", name.replace('_', "-"));
        }
    }
    stem
}

pub(super) fn plot_scene(capture: &Capture, out: &mut Diagnostics) -> Option<Scene> {
    let wanted = capture.plot.as_ref()?;
    let at = capture.column(&wanted.value)?;
    let column = capture.columns.get(at)?;
    let title = column.title.as_ref().unwrap_or(&column.name).value.clone();
    let unit = column.unit.as_ref().map_or("", |unit| unit.value.as_str());
    let rows: Vec<PlotRow> = capture
        .rows
        .iter()
        .filter_map(|row| {
            let text = row.cells.get(at)?.value.clone();
            let value = text.replace(',', "").trim().parse().ok()?;
            Some(PlotRow {
                label: row.label().to_owned(),
                text,
                value,
            })
        })
        .collect();
    let bars: Vec<_> = rows
        .iter()
        .map(|row| format!("{} {}", row.label, row.text))
        .collect();
    let description = format!("Bars from zero: {}.", bars.join(", "));
    let plot = Plot {
        title: &title,
        unit,
        description: &description,
        rows: &rows,
        width: Width::Wide,
    };
    match draw::plot(&plot) {
        Ok(scene) => Some(scene),
        Err(errors) => {
            let labels = capture.rows.iter().filter_map(|row| row.cells.first());
            let titles = column.title.iter().chain(&column.unit);
            let texts: Vec<_> = labels
                .chain(titles)
                .map(|text| (text.as_str(), text.span))
                .collect();
            report(&errors, wanted.span, &texts, out);
            None
        }
    }
}
