//! What a player shows is the picture of each step, and both are the trace.

use super::{WIDTHS, all, occupancy, view, warps};
use countersign::draw::{Form, Moment, Width, draw};
use countersign::sim::{Frames, Trace, Tracks};
use roxmltree::{Document, Node};

/// What a reader sees of one element: its own id for the player, its state, whether it is there, its text.
fn seen(document: &Document<'_>) -> Vec<String> {
    let describe = |node: Node<'_, '_>| {
        let attribute = |name| node.attribute(name).unwrap_or("-").to_owned();
        let text = if node.has_tag_name(("http://www.w3.org/2000/svg", "text")) {
            node.text().unwrap_or("")
        } else {
            ""
        };
        [
            attribute("data-cs"),
            attribute("data-state"),
            attribute("data-from"),
            attribute("data-when"),
            text.to_owned(),
        ]
        .join("|")
    };
    document
        .descendants()
        .filter(Node::is_element)
        .map(describe)
        .collect()
}

/// The same for the picture of the whole, after a player has set `step`.
fn played(document: &Document<'_>, tracks: &Tracks, frames: &Frames, step: usize) -> Vec<String> {
    let code = |id: &str| &frames.codes[&tracks.state(id, step).expect("a state at every step")];
    let describe = |node: Node<'_, '_>| {
        let attribute = |name| node.attribute(name).map(str::to_owned);
        let state = attribute("data-cs")
            .map(|id| code(&id).0.to_owned())
            .or(attribute("data-state"));
        let when =
            attribute("data-from").map(|from| match step.cmp(&from.parse().expect("a step")) {
                std::cmp::Ordering::Less => "before".to_owned(),
                std::cmp::Ordering::Equal => "now".to_owned(),
                std::cmp::Ordering::Greater => "after".to_owned(),
            });
        let is_text = node.has_tag_name(("http://www.w3.org/2000/svg", "text"));
        let own = if is_text {
            node.text().unwrap_or("")
        } else {
            ""
        };
        let text = match (attribute("data-cs-text"), attribute("data-cs-word")) {
            (Some(id), _) => tracks
                .text(&id, step)
                .expect("a text at every step")
                .to_owned(),
            (None, Some(id)) => code(&id).1.to_owned(),
            (None, None) => own.to_owned(),
        };
        let or_none = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        [
            or_none(attribute("data-cs")),
            or_none(state),
            or_none(attribute("data-from")),
            or_none(when),
            text,
        ]
        .join("|")
    };
    document
        .descendants()
        .filter(Node::is_element)
        .map(describe)
        .collect()
}

#[test]
fn a_player_shows_the_picture_of_each_step() {
    let form = Form::Inline { prefix: "p" };
    for (name, runs) in all()
        .into_iter()
        .filter(|(name, _)| !["wide tiles", "sixty-four warps"].contains(name))
    {
        let frames = Frames::new(&runs);
        for (run, frame) in runs.runs.iter().zip(&frames.runs) {
            let whole = draw(&run.trace, &view(Width::Narrow, Moment::Whole))
                .expect("a drawing")
                .to_svg(form);
            let whole = Document::parse(&whole).expect("strict XML");
            for step in 0..frame.tracks.len() {
                let still = draw(&run.trace, &view(Width::Narrow, Moment::Step(step)))
                    .expect("a drawing")
                    .to_svg(form);
                let still = Document::parse(&still).expect("strict XML");
                assert_eq!(
                    played(&whole, &frame.tracks, &frames, step),
                    seen(&still),
                    "{name}, step {step}"
                );
            }
        }
    }
}

/// Everything that moves is in the picture: no state of a track is without its element.
#[test]
fn every_track_has_its_element() {
    for (name, runs) in all()
        .into_iter()
        .filter(|(name, _)| *name != "sixty-four warps")
    {
        let trace = &runs.runs[0].trace;
        let tracks = trace.tracks();
        for width in WIDTHS {
            let svg = draw(trace, &view(width, Moment::Whole))
                .expect("a drawing")
                .to_svg(Form::File);
            for id in tracks.states.keys() {
                assert!(svg.contains(&format!("data-cs=\"{id}\"")), "{name}: {id}");
            }
            for id in tracks.texts.keys() {
                assert!(
                    svg.contains(&format!("data-cs-text=\"{id}\"")),
                    "{name}: {id}"
                );
            }
        }
    }
}

#[test]
fn the_timeline_marks_every_cycle_once() {
    let runs = warps(4, &[1, 2, 3, 4], &[4, 12])
        .run()
        .expect("good parameters");
    for run in &runs.runs {
        for width in WIDTHS {
            let svg = draw(&run.trace, &view(width, Moment::Whole))
                .expect("a drawing")
                .to_svg(Form::File);
            let document = Document::parse(&svg).expect("strict XML");
            let uses: Vec<_> = document
                .descendants()
                .filter_map(|node| {
                    Some((
                        node.attribute("data-from")?.parse::<usize>().ok()?,
                        node.attribute("href")?,
                    ))
                })
                .collect();
            let Trace::WarpScheduler(trace) = &run.trace else {
                panic!("a warp scheduler")
            };
            let expected: Vec<_> = trace
                .slots
                .iter()
                .enumerate()
                .map(|(cycle, slot)| {
                    let id = slot.map_or("#cs-i", |slot| match slot.operation.letter() {
                        'A' => "#cs-a",
                        'B' => "#cs-b",
                        _ => "#cs-m",
                    });
                    (cycle + 1, id)
                })
                .collect();
            assert_eq!(uses, expected);
        }
    }
}

/// The strokes of a stepper are the loads that its arithmetic says.
#[test]
fn the_stepper_draws_as_many_loads_as_are_in_flight() {
    let runs = occupancy("many warps").run().expect("good parameters");
    let trace = &runs.runs[0].trace;
    for (step, expected) in [
        (0, 0),
        (1, 0),
        (2, 12 + 3),
        (3, 12 * 2 + 3 * 10),
        (4, 12 * 2 + 3 * 10),
    ] {
        let svg = draw(trace, &view(Width::Wide, Moment::Step(step)))
            .expect("a drawing")
            .to_svg(Form::Raster);
        let strokes = svg.lines().filter(|line| line.contains("\"cs-load\""));
        let drawn: usize = strokes.map(|line| line.matches('z').count()).sum();
        assert_eq!(drawn, expected, "step {step}");
    }
    assert_eq!(
        runs.result("few.loads_in_flight")
            .map(|total| total.to_string()),
        Some("30".to_owned())
    );
}
