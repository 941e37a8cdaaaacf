//! Colours by what they mean.
//!
//! Job: give each meaning its colour in light and in dark. Output: names and values for the style sheet.
//! Invariant: text reaches a contrast of 4.5 to 1 on every ground that it is set on, in both schemes.

/// One colour with its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour {
    /// Name of the custom property without its prefix `--cs-`.
    pub name: &'static str,
    /// Value in light.
    pub light: &'static str,
    /// Value in dark.
    pub dark: &'static str,
    /// Value where the reader's system chooses the colours.
    pub forced: &'static str,
}

const fn colour(
    name: &'static str,
    light: &'static str,
    dark: &'static str,
    forced: &'static str,
) -> Colour {
    Colour {
        name,
        light,
        dark,
        forced,
    }
}

/// Every colour; those that a page of the site has too have the values of its style sheet. A `-ink` is text on the colour of that name, a `-text` is text on the ground or on the
/// colour's `-soft` tint.
pub const PALETTE: [Colour; 16] = [
    colour("ground", "#ffffff", "#14161a", "Canvas"),
    colour("text", "#1e232b", "#d8dbe0", "CanvasText"),
    colour("muted", "#575d67", "#9da4af", "CanvasText"),
    colour("rule", "#c9d0d8", "#454c56", "CanvasText"),
    colour("thread", "#b3bcc6", "#535c67", "GrayText"),
    colour("load", "#1d53b3", "#86b4ff", "CanvasText"),
    colour("load-ink", "#ffffff", "#0b1a2b", "Canvas"),
    colour("load-soft", "#e3edf8", "#1c2e43", "Canvas"),
    colour("load-text", "#1a4a9f", "#9cc5f4", "CanvasText"),
    colour("fma", "#944700", "#f3a95f", "Highlight"),
    colour("fma-ink", "#ffffff", "#2b1503", "HighlightText"),
    colour("fma-soft", "#fbe9d9", "#3d2a19", "Canvas"),
    colour("fma-text", "#8a4200", "#f5b981", "CanvasText"),
    colour("idle", "#5c626c", "#9aa1ac", "CanvasText"),
    colour("warp", "#e8ebef", "#2a3038", "Canvas"),
    colour("edge", "#7a838d", "#8b949e", "CanvasText"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(hex: &str) -> f64 {
        let channel = |from: usize| {
            let value = f64::from(u8::from_str_radix(&hex[from..from + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn find(name: &str) -> Colour {
        PALETTE
            .into_iter()
            .find(|colour| colour.name == name)
            .unwrap()
    }

    #[test]
    fn text_and_marks_stand_out_in_both_schemes() {
        let pairs = [
            ("text", "ground", 7.0),
            ("text", "warp", 7.0),
            ("muted", "ground", 4.5),
            ("load-ink", "load", 4.5),
            ("load-text", "ground", 4.5),
            ("load-text", "load-soft", 4.5),
            ("fma-ink", "fma", 4.5),
            ("fma-text", "ground", 4.5),
            ("fma-text", "fma-soft", 4.5),
            ("text", "load-soft", 4.5),
            ("text", "fma-soft", 4.5),
            ("load", "ground", 3.0),
            ("load", "warp", 3.0),
            ("fma", "ground", 3.0),
            ("idle", "ground", 3.0),
            ("edge", "ground", 3.0),
        ];
        for (text, ground, least) in pairs {
            let (text, ground) = (find(text), find(ground));
            for (text, ground) in [(text.light, ground.light), (text.dark, ground.dark)] {
                let ratio = contrast(text, ground);
                assert!(ratio >= least, "{text} on {ground}: {ratio:.2}");
            }
        }
    }
}
