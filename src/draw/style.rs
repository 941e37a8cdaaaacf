//! The look of roles and states.
//!
//! Job: one set of rules, written for a page, for a file and for the renderer. Output: CSS. Invariant:
//! every selector names a class that begins with `cs-`, so a drawing touches nothing else on its page. A
//! copied symbol has no ancestors in the eyes of a style sheet, so its parts are chosen by class alone.

use super::font;
use super::palette::{Colour, PALETTE};
use std::sync::LazyLock;

/// Whose style sheet it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Values {
    /// Custom properties, which a page can set.
    Properties,
    /// Plain light colours, for a renderer that knows no custom properties.
    Light,
}

/// Selector and declarations of what any drawing may hold; `$name` stands for a colour.
const RULES: [(&str, &str); 12] = [
    (".cs-fig", "fill:$text;font-size:12px;line-height:1"),
    (".cs-fig text", "stroke:none"),
    (".cs-muted", "fill:$muted"),
    (".cs-load-text", "fill:$load-text"),
    (".cs-load", "fill:$load"),
    (".cs-rule", "stroke:$rule;fill:none"),
    (
        ".cs-slot",
        "fill:none;stroke:$edge;stroke-width:1px;stroke-dasharray:2 2",
    ),
    (".cs-warp", "fill:$warp;stroke:$edge;stroke-width:1px"),
    (".cs-arrow", "stroke:$edge;stroke-width:1px;fill:none"),
    (".cs-fig [data-when=\"before\"]", "visibility:hidden"),
    (".cs-bar", "fill:$load"),
    (".cs-box", "fill:none;stroke:$edge;stroke-width:1px"),
];

/// What a file has below its drawing, and a page does not need.
const GROUND: [(&str, &str); 1] = [(".cs-ground", "fill:$ground")];

/// Those of models, which only lessons have.
const MODEL_RULES: [(&str, &str); 27] = [
    (".cs-fma-text", "fill:$fma-text"),
    (".cs-fma", "fill:$fma"),
    (".cs-load-ink", "fill:$load-ink;stroke:none"),
    (".cs-fma-ink", "fill:$fma-ink;stroke:none"),
    (".cs-idle", "fill:$idle"),
    (".cs-thread", "stroke:$thread;stroke-width:1.5px;fill:none"),
    (
        ".cs-fig use[data-when=\"now\"]",
        "stroke:$text;stroke-width:1.5px",
    ),
    (".cs-mark rect", "fill:none;stroke:$edge;stroke-width:1.5px"),
    (
        ".cs-mark[data-state=\"absent\"] rect",
        "stroke-dasharray:2 2",
    ),
    (".cs-mark[data-state=\"waiting\"] rect", "fill:$warp"),
    (
        ".cs-mark[data-state=\"ready\"] rect",
        "fill:$load-soft;stroke:$load;stroke-width:2px",
    ),
    (
        ".cs-mark[data-state=\"issuing\"] rect",
        "fill:$text;stroke:$text",
    ),
    (
        ".cs-mark[data-state=\"finished\"] rect",
        "fill:$thread;stroke:$thread",
    ),
    (".cs-cell rect", "fill:none;stroke:$rule;stroke-width:1px"),
    (
        ".cs-cell[data-state=\"loading\"] rect",
        "fill:$load;stroke:$load",
    ),
    (".cs-cell[data-state=\"loading\"] text", "fill:$load-ink"),
    (
        ".cs-cell[data-state=\"shared\"] rect",
        "fill:$load-soft;stroke:$load;stroke-width:1.5px",
    ),
    (".cs-cell[data-state=\"shared\"] text", "fill:$load-text"),
    (
        ".cs-cell[data-state=\"used\"] rect",
        "fill:$fma;stroke:$text;stroke-width:1.5px",
    ),
    (".cs-cell[data-state=\"used\"] text", "fill:$fma-ink"),
    (
        ".cs-cell[data-state=\"open\"] rect",
        "fill:$fma-soft;stroke:$fma;stroke-width:1.5px;stroke-dasharray:3 2",
    ),
    (".cs-cell[data-state=\"open\"] text", "fill:$fma-text"),
    (
        ".cs-cell[data-state=\"done\"] rect",
        "fill:$warp;stroke:$edge;stroke-width:1.5px",
    ),
    (
        ".cs-cell[data-state=\"multiplying\"] rect",
        "fill:$fma-soft;stroke:$fma;stroke-width:2px",
    ),
    (".cs-cell .cs-load-text", "fill:$load-text"),
    (".cs-cell .cs-fma-text", "fill:$fma-text"),
    (".cs-weft", "fill:$thread"),
];

/// The rules with custom properties, for plots and diagrams inside a page. The page includes this once; it
/// may set the properties `--cs-…` and `--cs-font` itself.
pub fn page_style() -> String {
    let colours: Vec<_> = PALETTE
        .iter()
        .filter(|colour| is_used(colour, &RULES))
        .collect();
    let rules = rules(&RULES, Values::Properties);
    let (schemes, forced) = (
        schemes(&colours),
        values(":root", &colours, |colour| colour.forced.to_owned()),
    );
    format!(
        "{schemes}@media print{{:root{{{EXACT}}}}}@media (forced-colors:active){{{forced}.cs-fig{{forced-color-adjust:none}}}}{}{rules}",
        family(Values::Properties)
    )
}

/// What a page with a model includes after [`page_style`].
pub fn model_style() -> String {
    let is_new = |colour: &&Colour| !is_used(colour, &RULES) && is_used(colour, &MODEL_RULES);
    let colours: Vec<_> = PALETTE.iter().filter(is_new).collect();
    let rules = rules(&MODEL_RULES, Values::Properties);
    let (schemes, forced) = (
        schemes(&colours),
        values(":root", &colours, |colour| colour.forced.to_owned()),
    );
    format!("{schemes}@media (forced-colors:active){{{forced}}}{rules}")
}

/// The style sheet inside a file that stands alone, which may be opened by a program that does not know
/// `light-dark`.
pub(super) fn file_style() -> &'static str {
    static STYLE: LazyLock<String> = LazyLock::new(write_file_style);
    &STYLE
}

fn write_file_style() -> String {
    let colours: Vec<_> = PALETTE.iter().collect();
    let block = |value: fn(&Colour) -> String| values(".cs-fig", &colours, value);
    let light = block(|colour| colour.light.to_owned());
    let dark = block(|colour| colour.dark.to_owned());
    let forced = block(|colour| colour.forced.to_owned());
    format!(
        "{light}@media (prefers-color-scheme:dark){{{dark}}}@media print{{{light}.cs-fig{{{EXACT}}}}}\
         @media (forced-colors:active){{{forced}.cs-fig{{forced-color-adjust:none}}}}{}",
        all(Values::Properties)
    )
}

/// The style sheet for the renderer.
pub(super) fn raster_style() -> &'static str {
    static STYLE: LazyLock<String> = LazyLock::new(|| all(Values::Light));
    &STYLE
}

/// Colours are printed as they are.
const EXACT: &str = "print-color-adjust:exact;-webkit-print-color-adjust:exact";

fn is_used(colour: &Colour, rules: &[(&str, &str)]) -> bool {
    let mut names = rules
        .iter()
        .flat_map(|(_, declarations)| declarations.split('$').skip(1));
    names.any(|name| name.split([';', ' ']).next() == Some(colour.name))
}

/// Each colour in both schemes, by the page's own choice of one.
fn schemes(colours: &[&Colour]) -> String {
    values(":root", colours, |colour| {
        format!("light-dark({},{})", colour.light, colour.dark)
    })
}

fn values(scope: &str, colours: &[&Colour], value: fn(&Colour) -> String) -> String {
    let declarations: Vec<_> = colours
        .iter()
        .map(|colour| format!("--cs-{}:{}", colour.name, value(colour)))
        .collect();
    format!("{scope}{{{}}}", declarations.join(";"))
}

fn all(values: Values) -> String {
    let mut css = family(values);
    for part in [&RULES[..], &GROUND, &MODEL_RULES] {
        css.push_str(&rules(part, values));
    }
    css
}

fn family(values: Values) -> String {
    match values {
        Values::Properties => format!(
            ".cs-fig{{font-family:var(--cs-font,\"{}\",Verdana,sans-serif)}}",
            font::FAMILY
        ),
        Values::Light => format!(".cs-fig{{font-family:\"{}\"}}", font::FAMILY),
    }
}

fn rules(rules: &[(&str, &str)], values: Values) -> String {
    let mut css = String::new();
    for (selector, declarations) in rules {
        css.push_str(selector);
        css.push('{');
        css.push_str(&resolve(declarations, values));
        css.push('}');
    }
    css
}

/// Puts each `$name` in its place.
fn resolve(declarations: &str, values: Values) -> String {
    let mut parts = declarations.split('$');
    let mut css = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part
            .find(|character: char| !character.is_ascii_lowercase() && character != '-')
            .unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        match values {
            Values::Properties => {
                css.push_str("var(--cs-");
                css.push_str(name);
                css.push(')');
            }
            Values::Light => {
                let colour = PALETTE.iter().find(|colour| colour.name == name);
                css.push_str(colour.map_or("#000000", |colour| colour.light));
            }
        }
        css.push_str(rest);
    }
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_of_a_rule_is_in_the_palette() {
        for (_, declarations) in RULES.iter().chain(&GROUND).chain(&MODEL_RULES) {
            for part in declarations.split('$').skip(1) {
                let name = part.split([';', ' ']).next().unwrap();
                assert!(PALETTE.iter().any(|colour| colour.name == name), "{name}");
            }
        }
    }

    #[test]
    fn the_renderer_sees_plain_colours() {
        let css = raster_style();
        assert!(!css.contains("var(") && !css.contains('@') && !css.contains('$'));
    }
}
