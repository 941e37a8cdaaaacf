//! Texts that people write, and texts that cannot be drawn.

use super::{WIDTHS, array, occupancy, view, warps};
use countersign::draw::{DrawError, Form, Moment, View, Width, draw, model_style, page_style};
use countersign::sim::{Matrix, Simulation};
use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert, proptest};
use roxmltree::Document;

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
    let css = page_style() + &model_style();
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
