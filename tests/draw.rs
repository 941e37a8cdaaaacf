//! Drawings: what a player shows equals the trace, texts have room, the XML is strict, and a few pictures
//! are compared byte for byte (`SNAPSHOTS=overwrite` accepts new ones).

use std::collections::BTreeSet;

use countersign::draw::{
    Card, DrawError, Form, Moment, Plot, PlotRow, Scene, View, Width, draw, page_style, plot,
};
use countersign::sim::{
    Configuration, Device, Frames, Matrix, Measured, OccupancyStepper, Operands, Runs, Simulation,
    SystolicArray, TileReuse, Tracks, WarpScheduler,
};
use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert, proptest};
use roxmltree::{Document, Node};

const WIDTHS: [Width; 2] = [Width::Narrow, Width::Wide];

fn matrix(rows: usize, columns: usize) -> Matrix {
    let value =
        |row: usize, column: usize| i64::try_from((row * 3 + column * 5) % 7).unwrap_or(0) - 1;
    let row = |row: usize| (0..columns).map(|column| value(row, column)).collect();
    let rows: Vec<Vec<i64>> = (0..rows).map(row).collect();
    Matrix::new("matrix", &rows).expect("a good matrix")
}

fn operands(rows: usize, inner: usize, columns: usize) -> Operands {
    Operands {
        a: matrix(rows, inner),
        b: matrix(inner, columns),
    }
}

fn warps(count: u32, residents: &[u32], latency_cycles: &[u32]) -> Simulation {
    Simulation::WarpScheduler(WarpScheduler {
        warps: count,
        steps: 2,
        residents: residents.to_vec(),
        latency_cycles: latency_cycles.to_vec(),
        start_residents: None,
        start_latency_cycles: None,
        operands: Some(operands(count as usize, 2, 32)),
    })
}

fn configuration(
    id: &str,
    label: &str,
    resident_warps: u32,
    items_per_thread: u32,
) -> Configuration {
    Configuration {
        id: id.to_owned(),
        label: label.to_owned(),
        resident_warps,
        items_per_thread,
        loads_per_item: 2,
        loads_in_flight: None,
        measured: vec![Measured {
            title: "bandwidth".to_owned(),
            value: "252.20".to_owned(),
            unit: "GB/s".to_owned(),
        }],
    }
}

fn occupancy(label: &str) -> Simulation {
    Simulation::OccupancyStepper(OccupancyStepper {
        device: Device {
            name: "Tesla T4".to_owned(),
            compute_capability: "7.5".to_owned(),
            max_warps: 12,
        },
        configurations: vec![
            configuration("many", label, 12, 1),
            configuration("few", "few warps, five items each", 3, 5),
        ],
    })
}

fn tiles(tile: &[u32], columns: usize) -> Simulation {
    Simulation::TileReuse(TileReuse {
        operands: operands(4, 4, columns),
        tile: tile.to_vec(),
        start_tile: None,
        value_bytes: 4,
    })
}

fn array(edge: usize, tiles: usize) -> Simulation {
    Simulation::SystolicArray(SystolicArray {
        operands: operands(edge, edge, edge * tiles),
        column_tile: Vec::new(),
        start_column_tile: None,
    })
}

/// One of each kind, small and large.
fn all() -> Vec<(&'static str, Runs)> {
    let simulations = [
        ("warps", warps(4, &[1, 4], &[0, 12])),
        ("sixty-four warps", warps(64, &[7], &[20])),
        ("occupancy", occupancy("many warps, one item each")),
        ("tiles", tiles(&[1, 2, 3], 5)),
        ("wide tiles", tiles(&[4], 32)),
        ("array", array(3, 2)),
        ("large array", array(8, 1)),
    ];
    let run = |(name, simulation): (&'static str, Simulation)| {
        (name, simulation.run().expect("good parameters"))
    };
    simulations.into_iter().map(run).collect()
}

fn view(width: Width, moment: Moment) -> View<'static> {
    View {
        width,
        moment,
        title: "A title",
        description: "What it shows.",
    }
}

/// Every scene that a test looks at: each run, both widths, the whole and a choice of steps.
fn scenes() -> Vec<(String, Scene)> {
    let mut scenes = Vec::new();
    for (name, runs) in all() {
        for (index, run) in runs.runs.iter().enumerate() {
            let last = run.trace.tracks().len() - 1;
            let steps: BTreeSet<usize> = [0, 1, 2, 3, last / 3, last / 2, last - 1, last].into();
            let moments = steps.into_iter().map(Moment::Step).chain([Moment::Whole]);
            for moment in moments {
                for width in WIDTHS {
                    let place = format!("{name}, run {index}, {width:?}, {moment:?}");
                    let scene = draw(&run.trace, &view(width, moment))
                        .unwrap_or_else(|errors| panic!("{place}: {errors:?}"));
                    scenes.push((place, scene));
                }
            }
        }
    }
    scenes
}

#[test]
fn texts_stay_inside_and_apart() {
    for (place, scene) in scenes() {
        let boxes = scene.text_boxes();
        for text in &boxes {
            let frame = text.frame;
            assert!(
                frame.x >= -0.5 && frame.x + frame.width <= scene.width + 0.5,
                "{place}: {text:?}"
            );
            assert!(
                frame.y >= -0.5 && frame.y + frame.height <= scene.height + 0.5,
                "{place}: {text:?}"
            );
            assert!(
                frame.height >= 0.97 * 11.0 - 0.01,
                "{place}: {text:?} is smaller than 11 px"
            );
        }
        for (index, one) in boxes.iter().enumerate() {
            for other in boxes.iter().skip(index + 1) {
                let across = one.frame.x + one.frame.width > other.frame.x
                    && other.frame.x + other.frame.width > one.frame.x;
                let down = one.frame.y + one.frame.height > other.frame.y
                    && other.frame.y + other.frame.height > one.frame.y;
                assert!(!(across && down), "{place}: {one:?} and {other:?}");
            }
        }
    }
}

#[test]
fn every_form_is_strict_xml_that_refers_to_nothing_outside() {
    for (place, scene) in scenes() {
        for form in [Form::Inline { prefix: "x7" }, Form::File, Form::Raster] {
            let svg = scene.to_svg(form);
            let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{place}: {error}"));
            check_document(&place, &document, form);
        }
    }
}

fn check_document(place: &str, document: &Document<'_>, form: Form<'_>) {
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"), "{place}");
    let words: Vec<_> = root
        .children()
        .filter(Node::is_element)
        .take(2)
        .map(|node| (node.tag_name().name(), node.text()))
        .collect();
    assert_eq!(
        words,
        [("title", Some("A title")), ("desc", Some("What it shows."))],
        "{place}"
    );
    let mut ids = BTreeSet::new();
    let prefix = if let Form::Inline { prefix } = form {
        prefix
    } else {
        "cs"
    };
    for node in document.descendants().filter(Node::is_element) {
        assert!(
            !["script", "image", "foreignObject", "a"].contains(&node.tag_name().name()),
            "{place}"
        );
        if let Some(id) = node.attribute("id") {
            assert!(id.starts_with(prefix) && ids.insert(id), "{place}: {id}");
        }
        assert!(node.attributes().all(|attribute| !attribute.name().starts_with("on") && attribute.name() != "style"), "{place}");
    }
    for target in document
        .descendants()
        .filter_map(|node| node.attribute("href"))
    {
        assert!(
            target.strip_prefix('#').is_some_and(|id| ids.contains(id)),
            "{place}: {target}"
        );
    }
    let styles = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "style")))
        .count();
    assert_eq!(
        styles,
        usize::from(!matches!(form, Form::Inline { .. })),
        "{place}"
    );
    let styles: String = document
        .descendants()
        .filter_map(|node| node.text())
        .collect();
    assert!(
        !styles.contains("url(") && !styles.contains("@import"),
        "{place}"
    );
}

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
            let countersign::sim::Trace::WarpScheduler(trace) = &run.trace else {
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
        assert_eq!(
            svg.matches("class=\"cs-load\"").count(),
            expected,
            "step {step}"
        );
    }
    assert_eq!(
        runs.result("few.loads_in_flight")
            .map(|total| total.to_string()),
        Some("30".to_owned())
    );
}

#[test]
fn pictures_render_the_same_each_time_and_show_something() {
    for (place, scene) in scenes()
        .into_iter()
        .filter(|(place, _)| place.contains("Whole") && !place.contains("sixty-four"))
    {
        let one = scene
            .to_png(1.0)
            .unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(one, scene.to_png(1.0).expect("a picture"), "{place}");
        let image = resvg::tiny_skia::Pixmap::decode_png(&one).expect("a PNG");
        let size = (f64::from(image.width()), f64::from(image.height()));
        let expected = ((scene.width + 32.0).ceil(), (scene.height + 32.0).ceil());
        assert_eq!(size, expected, "{place}");
        assert!(
            image.pixels().iter().all(|pixel| pixel.alpha() == 255),
            "{place}: the ground covers all"
        );
        let dark = image
            .pixels()
            .iter()
            .filter(|pixel| pixel.red() < 100)
            .count();
        assert!(dark > 200, "{place}: {dark} dark pixels");
    }
}

fn faults(simulation: &Simulation, title: &str) -> Vec<DrawError> {
    let runs = simulation.run().expect("good parameters");
    let view = View {
        title,
        ..view(Width::Narrow, Moment::Whole)
    };
    match draw(&runs.runs[0].trace, &view) {
        Ok(_) => panic!("{title} was drawn"),
        Err(errors) => errors,
    }
}

#[test]
fn a_text_that_cannot_be_drawn_is_a_fault_with_its_label() {
    let errors = faults(&occupancy("many 漢 warps"), "A title");
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].label(), Some("many 漢 warps"));
    assert!(
        errors[0].to_string().contains("“漢” (U+6F22)"),
        "{}",
        errors[0]
    );
    let long = "w".repeat(60);
    let errors = faults(&occupancy(&long), "A title");
    assert!(
        matches!(&errors[0], DrawError::TextOutsideBox { label, width_px, room_px } if *label == long && width_px > room_px)
    );
    let errors = faults(&warps(64, &[1], &[25]), "A title");
    assert!(
        matches!(errors[..], [DrawError::TooTall { .. }]),
        "{errors:?}"
    );
    let mut model = array(2, 1);
    if let Simulation::SystolicArray(array) = &mut model {
        array.operands.a =
            Matrix::new("a", &[vec![123_456_789, 1], vec![1, 1]]).expect("a good matrix");
    }
    let errors = faults(&model, "A title");
    assert!(
        errors
            .iter()
            .any(|error| error.label() == Some("123456789")),
        "{errors:?}"
    );
}

#[test]
fn labels_and_titles_are_shown_letter_for_letter() {
    let label = "R&D <i>1</i> ]]> \"x\" 'y'";
    let runs = occupancy(label).run().expect("good parameters");
    let title = "<script>alert(1)</script> \u{1b}[31m";
    let view = View {
        title,
        description: "2 < 4 & \"quoted\" ]]>",
        ..view(Width::Wide, Moment::Whole)
    };
    let scene = draw(&runs.runs[0].trace, &view).expect("a drawing");
    for form in [Form::Inline { prefix: "\"><x" }, Form::File] {
        let svg = scene.to_svg(form);
        let document = Document::parse(&svg).expect("strict XML");
        let texts: Vec<_> = document
            .descendants()
            .filter_map(|node| node.text())
            .collect();
        assert!(texts.contains(&label));
        assert!(texts.contains(&"2 < 4 & \"quoted\" ]]>"));
        assert!(texts.contains(&"<script>alert(1)</script> \u{fffd}[31m"));
    }
    assert!(scene.to_png(1.0).is_ok());
}

#[test]
fn the_style_of_a_page_touches_only_drawings() {
    let css = page_style();
    let selectors = css.match_indices('{').map(|(end, _)| {
        let start = css[..end].rfind(['{', '}']).map_or(0, |start| start + 1);
        &css[start..end]
    });
    for selector in selectors {
        let named =
            selector.starts_with(".cs-") || selector.starts_with('@') || selector == ":root";
        assert!(named, "{selector}");
    }
    assert_eq!(css.matches('{').count(), css.matches('}').count());
}

fn row(label: &str, text: &str) -> PlotRow {
    PlotRow {
        label: label.to_owned(),
        text: text.to_owned(),
        value: text.parse().expect("a number"),
    }
}

#[test]
fn a_plot_begins_at_zero_and_keeps_the_digits() {
    let rows = [
        row("tlp1", "256.50"),
        row("half", "128.25"),
        row("none", "0"),
    ];
    let column = |rows| Plot {
        title: "bandwidth",
        unit: "GB/s",
        description: "Bars.",
        rows,
        width: Width::Narrow,
    };
    let svg = plot(&column(&rows)).expect("a plot").to_svg(Form::File);
    let document = Document::parse(&svg).expect("strict XML");
    let widths: Vec<f64> = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("cs-bar"))
        .filter_map(|node| node.attribute("width")?.parse().ok())
        .collect();
    assert!(
        (widths[0] - 2.0 * widths[1]).abs() < 0.02 && widths[2] == 0.0,
        "{widths:?}"
    );
    assert!(svg.contains(">256.50<"));
    let errors = plot(&column(&[row("below", "-1")])).expect_err("a fault");
    assert_eq!(errors[0].label(), Some("below"));
}

#[test]
fn a_card_takes_any_title() {
    let long = "Donaudampfschifffahrtsgesellschaftskapitän ".repeat(12);
    for title in [
        "What is a warp?",
        "漢字 🦀",
        "",
        &long,
        "a\u{0}b <c> & \u{202e}d",
    ] {
        let card = Card {
            title,
            kind: "Term",
            site: "How a GPU keeps busy",
        };
        let png = card
            .to_png()
            .unwrap_or_else(|errors| panic!("{title}: {errors:?}"));
        let image = resvg::tiny_skia::Pixmap::decode_png(&png).expect("a PNG");
        assert_eq!((image.width(), image.height()), (1200, 630));
        let scene = card.scene().expect("a card");
        assert!(
            scene
                .text_boxes()
                .iter()
                .all(|text| text.frame.x + text.frame.width <= 1200.0
                    && text.frame.y + text.frame.height < 630.0)
        );
    }
}

#[test]
fn small_pictures_are_as_they_were() {
    let simulations = [
        ("warps", warps(2, &[2], &[4])),
        ("occupancy", occupancy("many warps, one item each")),
        ("tiles", tiles(&[2], 4)),
        ("array", array(2, 1)),
    ];
    for (name, simulation) in simulations {
        let runs = simulation.run().expect("good parameters");
        let scene =
            draw(&runs.runs[0].trace, &view(Width::Narrow, Moment::Whole)).expect("a drawing");
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("tests/fixtures/draw/{name}.svg"));
        snapbox::assert_data_eq!(
            scene.to_svg(Form::Inline { prefix: "d" }),
            snapbox::Data::read_from(&path, None).raw()
        );
    }
}

fn any_label() -> impl Strategy<Value = String> {
    proptest::collection::vec(any::<char>(), 0..24)
        .prop_map(|characters| characters.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any label is drawn letter for letter or refused by name; it never breaks the picture.
    #[test]
    fn any_label_is_drawn_or_refused(label in any_label()) {
        let runs = occupancy(&label).run().expect("good parameters");
        match draw(&runs.runs[0].trace, &view(Width::Wide, Moment::Whole)) {
            Ok(scene) => {
                let svg = scene.to_svg(Form::File);
                prop_assert!(Document::parse(&svg).is_ok());
            }
            Err(errors) => prop_assert!(errors.iter().all(|error| error.label().is_some())),
        }
    }

    /// Any small machine is drawn.
    #[test]
    fn any_small_machine_is_drawn(count in 1_u32..9, residents in 1_u32..5, latency in 0_u32..17) {
        let runs = warps(count, &[residents], &[latency]).run().expect("good parameters");
        for width in WIDTHS {
            prop_assert!(draw(&runs.runs[0].trace, &view(width, Moment::Whole)).is_ok());
        }
    }
}
