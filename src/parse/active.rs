//! Files beside entries and pages that a browser would run.
//!
//! Raw HTML of a body is taken down to harmless elements; a file that lies beside it and is copied as it
//! is would be a way around. Files under `static` are the owners' own and are not looked at.

use crate::diagnostic::{Diagnostic, Diagnostics, rule};
use crate::model::config::RawHtml;
use crate::source::path::ending;
use crate::source::{Sources, Span};

/// Endings of files that browsers run, or show as a page that may run something.
const ENDINGS: [&str; 10] = [
    "htm", "html", "js", "mjs", "shtml", "svgz", "wasm", "xht", "xhtml", "xml",
];

/// What makes an SVG more than a picture, in small letters.
const IN_SVG: [&str; 5] = [
    "<script",
    "javascript:",
    "<foreignobject",
    "<iframe",
    "<!entity",
];

/// Reports them, unless the site takes raw HTML as it is.
pub fn check(sources: &Sources, raw_html: RawHtml, out: &mut Diagnostics) {
    if raw_html == RawHtml::Allow {
        return;
    }
    for (path, binary) in sources.binaries() {
        let folders = ["content/terms/", "content/lessons/", "content/pages/"];
        if !folders.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        let ending = ending(path);
        let is = |other: &str| ending.eq_ignore_ascii_case(other);
        let why = if is("svg") {
            scripted(&binary.bytes).map(|what| format!("this picture holds `{what}`"))
        } else {
            let runs = ENDINGS.iter().any(|other| is(other));
            runs.then(|| "this file would run in the reader's browser".to_owned())
        };
        out.extend(why.map(|why| {
            let mut finding = Diagnostic::new(rule::RAW_HTML, Span::file(binary.file), why);
            finding.severity = crate::diagnostic::Severity::Error;
            finding
                .note("It would be released as it is, beside the page.")
                .help(
                    "Take it out, or move it to `static`, which the owners of the site answer for.",
                )
        }));
    }
}

/// What of an SVG is no picture, if anything is.
fn scripted(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    if let Some(found) = IN_SVG.iter().find(|part| text.contains(**part)) {
        return Some((*found).to_owned());
    }
    // An attribute such as `onload=`.
    let mut words = text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '/'));
    words.find_map(|word| {
        let (name, _) = word.split_once('=')?;
        let is_event = name.len() > 2
            && name.starts_with("on")
            && name.bytes().all(|byte| byte.is_ascii_lowercase());
        is_event.then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_pictures_and_scripts_are_not() {
        let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>On = two</title></svg>";
        assert_eq!(scripted(picture.as_bytes()), None);
        for (script, what) in [
            ("<svg><SCRIPT>x</SCRIPT></svg>", "<script"),
            ("<svg onload=\"x()\"/>", "onload"),
            ("<svg\nOnClick='x()'/>", "onclick"),
            ("<svg/onload=x()>", "onload"),
            ("<svg><a href=\"JavaScript:x()\"/></svg>", "javascript:"),
            ("<svg><foreignObject/></svg>", "<foreignobject"),
        ] {
            assert_eq!(
                scripted(script.as_bytes()).as_deref(),
                Some(what),
                "{script}"
            );
        }
    }
}
