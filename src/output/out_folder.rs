//! Where a release may stand: never in or around what it is made from.

use super::path::fold;
use crate::diagnostic::{Diagnostic, rule};
use crate::model::config::Config;

/// The folders that a site is made from.
const INPUTS: [&str; 3] = ["content", "static", "templates"];

/// How a release folder lies to a folder that the site is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlap {
    /// It is that folder, or lies in it: the build would take its own output as input.
    Inside(&'static str),
    /// It holds that folder: the build would replace its own input.
    Around(&'static str),
}

/// Whether `out`, relative to the site, overlaps what the site is made from, by its text alone.
/// Links on disk are looked at when the release is written.
pub fn overlap(out: &str) -> Option<Overlap> {
    let out = fold(&out.replace('\\', "/"));
    if out.starts_with('/') || out.get(1..2) == Some(":") {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for name in out.split('/') {
        match name {
            "" | "." => {}
            // Above the site: around it if nothing follows, else beside it or back in it, which
            // the text alone does not say.
            ".." if names.last().is_none_or(|last| *last == "..") => names.push(name),
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    let [first, ..] = names.as_slice() else {
        return Some(Overlap::Around(INPUTS[0]));
    };
    if names.iter().all(|name| *name == "..") {
        return Some(Overlap::Around(INPUTS[0]));
    }
    let input = INPUTS.iter().find(|input| *input == first)?;
    Some(Overlap::Inside(input))
}

/// The finding for a site whose `out` overlaps what the site is made from.
pub fn check_out(config: &Config) -> Option<Diagnostic> {
    let (message, note) = match overlap(&config.out)? {
        Overlap::Inside(folder) => (
            format!("`out` in site.toml lies in the folder `{folder}`"),
            "Each build would take the release before as part of the site.",
        ),
        Overlap::Around(folder) => (
            format!("`out` in site.toml holds the folder `{folder}`"),
            "The release replaces its folder, and the site's own files lie there.",
        ),
    };
    Some(
        Diagnostic::new(rule::BAD_CONFIG, config.out_span, message)
            .label(format!("the release would stand in `{}`", config.out))
            .note(note)
            .help(
                "Name a folder of its own beside content, templates and static: `out = \"public\"`.",
            ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_are_found_by_text() {
        for (out, folder) in [
            ("static/public", "static"),
            ("content", "content"),
            ("./Templates//x", "templates"),
            ("a/../static/x", "static"),
            ("static\\public", "static"),
        ] {
            assert_eq!(overlap(out), Some(Overlap::Inside(folder)), "{out}");
        }
        for out in ["", ".", "..", "../..", "a/.."] {
            assert_eq!(overlap(out), Some(Overlap::Around("content")), "{out}");
        }
        for out in [
            "public",
            "static-public",
            "../public",
            "build/content",
            "/srv/www",
            "static/../public",
        ] {
            assert_eq!(overlap(out), None, "{out}");
        }
    }
}
