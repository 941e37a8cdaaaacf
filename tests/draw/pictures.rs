//! Pictures as wholes: room, strict XML, pixels, and a few compared byte for byte.

use super::{array, occupancy, scenes, tiles, view, warps};
use countersign::draw::{Card, Form, Moment, Plot, PlotRow, Width, draw, plot};
use roxmltree::{Document, Node};
use std::collections::BTreeSet;

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
