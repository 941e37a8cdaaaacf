//! Diagrams, models and plots: drawn inline, with their caption, table of runs and frames.

use super::drawing::{
    Drawing, Picture, diagram_picture, model_picture, parameters, plot_scene, results, run_stem,
    start,
};
use super::player::capitalised;
use super::text::{escape, is_number};
use super::writer::Writer;
use crate::draw::Form;
use crate::model::claim::ShortText;
use crate::model::dataset::Capture;
use crate::model::document::EmbedKind;
use crate::model::entry::Entry;
use crate::model::figure::Model;
use crate::render::build::Rasters;
use crate::sim::Runs;
use std::fmt::Write as _;

/// A box that scrolls when its content is wider than the page.
fn scroll(class: &str, label: &str, content: &str) -> String {
    format!("<div class=\"{class}\" role=\"region\" tabindex=\"0\" {label}>{content}</div>\n")
}

impl<'p> Writer<'p> {
    /// A diagram of the entry.
    pub(super) fn diagram(&mut self, at: usize, caption: Option<&'p ShortText>) -> String {
        let Some((index, entry)) = self.here.entry else {
            return String::new();
        };
        let build = self.build;
        let runs = build.runs.entries.get(index).map(|runs| &runs.diagrams);
        let runs = runs.and_then(|runs| runs.get(at)?.as_ref());
        let Some((diagram, runs)) = entry.diagrams.get(at).zip(runs) else {
            return String::new();
        };
        let name = diagram.name.value.as_str();
        let place = self.place(EmbedKind::Diagram, name);
        let picture = diagram_picture(build.site, diagram, runs);
        let caption = caption.or(diagram.caption.as_ref());
        let caption = caption
            .map(|caption| self.short(caption))
            .unwrap_or_default();
        self.stepped(&Stepped {
            entry,
            name,
            place: &place,
            runs,
            picture: &picture,
            caption: &caption,
            others: String::new(),
        })
    }

    /// A model of the entry.
    pub(super) fn model(&mut self, at: usize, caption: Option<&'p ShortText>) -> String {
        let Some((index, entry)) = self.here.entry else {
            return String::new();
        };
        let runs = self.build.runs.entries.get(index).map(|runs| &runs.models);
        let runs = runs.and_then(|runs| runs.get(at)?.as_ref());
        let Some((model, runs)) = entry.models.get(at).zip(runs) else {
            return String::new();
        };
        let name = model.name.value.as_str();
        let place = self.place(EmbedKind::Model, name);
        let picture = model_picture(model, runs, runs.start);
        let caption = caption.or(model.caption.as_ref());
        let caption = caption
            .map(|caption| self.short(caption))
            .unwrap_or_default();
        let others = self.other_runs(entry, model, runs);
        self.stepped(&Stepped {
            entry,
            name,
            place: &place,
            runs,
            picture: &picture,
            caption: &caption,
            others,
        })
    }

    /// A figure that a player can step through.
    fn stepped(&mut self, figure: &Stepped<'_>) -> String {
        let Stepped {
            name,
            place,
            runs,
            picture,
            ..
        } = figure;
        let Some(run) = start(runs) else {
            return String::new();
        };
        let tracks = run.trace.tracks();
        let Some((scene, narrow)) = picture.both(run, &tracks, &mut self.findings) else {
            return String::new();
        };
        self.figures += 1;
        let number = self.figures;
        let prefix = format!("figure-{place}");
        let svg = scene.to_svg(Form::Inline { prefix: &prefix });
        let label = format!("aria-label=\"Drawing of figure {number}\"");
        let drawing = scroll("scroll timeline", &label, &svg);
        let player = self.player(name, place, runs, tracks);
        let table = table_of_runs(runs, place);
        let drawn = Drawing {
            stem: (*name).to_owned(),
            scene,
            narrow,
        };
        let narrow = match &drawn.narrow {
            Some(_) => " data-narrow",
            None => "",
        };
        self.drawings.push(drawn);
        let files = format!("{}diagrams/{}/{name}", self.here.root, figure.entry.id);
        format!(
            "<figure class=\"figure wide model\" id=\"figure-{place}\" data-model=\"{place}\" data-frames=\"{}\"{narrow}>\n\
             {}{drawing}{}{table}\
             <figcaption id=\"figure-{place}-caption\"><b class=\"figure-no\">Fig. {number}.</b> <b class=\"model-mark\">Model</b> {} {}</figcaption>\n</figure>\n",
            player.file,
            player.controls,
            figure.others,
            figure.caption,
            file_links(&files, number, self.build.rasters)
        )
    }

    /// The runs that are not drawn in the page, as pictures that load when they are looked at.
    fn other_runs(&self, entry: &Entry, model: &Model, runs: &Runs) -> String {
        if runs.runs.len() < 2 {
            return String::new();
        }
        let mut html = String::new();
        let others = runs.runs.len() - 1;
        let noun = if others == 1 { "run" } else { "runs" };
        let _ = writeln!(
            html,
            "<details class=\"other-runs\"><summary>The other {others} {noun}, drawn</summary>"
        );
        for at in (0..runs.runs.len()).filter(|at| *at != runs.start) {
            let stem = run_stem(model, runs, at);
            let words = parameters(runs, at);
            let label = format!("aria-label=\"Run with {}\"", escape(&words));
            let image = format!(
                "<img src=\"{}diagrams/{}/{stem}.svg\" alt=\"{}: {}\" data-run=\"{at}\" loading=\"lazy\">",
                self.here.root,
                entry.id,
                escape(&words),
                escape(&results(runs, at))
            );
            html.push_str(&scroll("scroll", &label, &image));
        }
        html.push_str("</details>\n");
        html
    }

    /// The plot of a capture's column, after its table.
    pub(super) fn plot(&mut self, capture: &Capture, place: &str) -> String {
        let Some(scene) = plot_scene(capture, &mut self.findings) else {
            return String::new();
        };
        self.figures += 1;
        let number = self.figures;
        let name = &capture.name.value;
        let prefix = format!("figure-plot-{place}");
        let svg = scene.to_svg(Form::Inline { prefix: &prefix });
        let label = format!("aria-labelledby=\"{prefix}-caption\"");
        let id = self.here.entry.map(|(_, entry)| entry.id.to_string());
        let files = format!(
            "{}diagrams/{}/plot-{name}",
            self.here.root,
            id.unwrap_or_default()
        );
        format!(
            "<figure class=\"figure\" id=\"{prefix}\">\n{}\
             <figcaption id=\"{prefix}-caption\"><b class=\"figure-no\">Fig. {number}.</b> <b class=\"measured-mark\">Measured</b> {}, for each row of <a href=\"#table-{place}\">table {}</a>. \
             {}</figcaption>\n</figure>\n",
            scroll("scroll", &label, &svg),
            escape(&capitalised(&scene.title)),
            self.tables,
            file_links(&files, number, self.build.rasters)
        )
    }
}

/// Links to a drawing as files.
fn file_links(path: &str, number: usize, rasters: Rasters) -> String {
    let link = |ending: &str, name: &str| {
        format!("<a href=\"{path}.{ending}\" aria-label=\"{name} of figure {number}\">{name}</a>")
    };
    match rasters {
        Rasters::All => format!("{} {}", link("svg", "SVG"), link("png", "PNG")),
        Rasters::None => link("svg", "SVG"),
    }
}

/// A figure with a player.
struct Stepped<'f> {
    entry: &'f Entry,
    name: &'f str,
    /// Its name in ids.
    place: &'f str,
    runs: &'f Runs,
    picture: &'f Picture<'f>,
    caption: &'f str,
    /// The runs that are not drawn in the page.
    others: String,
}

/// The finished runs of a model; nothing for a machine that runs once.
fn table_of_runs(runs: &Runs, place: &str) -> String {
    let table = runs.table();
    if table.headings.is_empty() {
        return String::new();
    }
    let numeric: Vec<bool> = (0..table.headings.len())
        .map(|at| {
            let mut cells = table.rows.iter().filter_map(|row| row.get(at));
            cells.all(|cell| is_number(cell.trim_end_matches('%')))
        })
        .collect();
    let class = |at: usize| match numeric.get(at) {
        Some(true) => " class=\"num\"",
        _ => "",
    };
    // A player keeps the results of a run back until its reader has seen the run.
    let result = |at: usize| match runs.axes.get(at) {
        Some(_) => "",
        None => " data-result",
    };
    let mut html = format!(
        "<table class=\"runs\">\n<caption id=\"figure-{place}-runs\">{}</caption>\n<thead><tr>",
        if runs.runs.len() == 1 {
            "The run"
        } else {
            "Every run"
        }
    );
    for (at, heading) in table.headings.iter().enumerate() {
        let _ = write!(
            html,
            "<th scope=\"col\"{}>{}</th>",
            class(at),
            escape(heading)
        );
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for (run, row) in table.rows.iter().enumerate() {
        let _ = write!(html, "<tr data-run=\"{run}\">");
        for (at, cell) in row.iter().enumerate() {
            let _ = write!(html, "<td{}{}>{}</td>", class(at), result(at), escape(cell));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>");
    let label = format!("aria-labelledby=\"figure-{place}-runs\"");
    let (until, every) = match runs.runs.len() {
        1 => (
            "The results stand here once you have seen the run to its end.",
            "Show the results",
        ),
        _ => (
            "A result stands here once you have seen the run to its end.",
            "Show every result",
        ),
    };
    let table = scroll("scroll", &label, &html);
    format!(
        "{table}<p class=\"player-reveal live\">{until} <button type=\"button\" data-do=\"reveal\">{every}</button></p>\n"
    )
}
