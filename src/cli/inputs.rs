//! The digests of what a build is made from.

use super::again::Told;
use super::args::{BuildArgs, PngArg};
use super::terminal::Stream;
use crate::diagnostic::human::Colour;
use crate::load::Known;
use crate::source::Hasher;
use crate::write::record::Inputs;
use std::fs;

/// Changes whenever what the digests cover does.
const FORM: &str = "countersign build 3";

/// Whether a build is to be remembered: one of a release, by what the site itself says.
pub(super) fn are_remembered(args: &BuildArgs) -> bool {
    !args.drafts && args.trust_from.is_none()
}

/// What a build is made from. `None` for one that is not to be remembered, or a program that cannot be
/// told from others.
pub(super) fn inputs(known: &Known, told: Told<'_>) -> Option<Inputs> {
    let Told {
        options,
        args,
        target,
        ..
    } = told;
    if !are_remembered(args) {
        return None;
    }
    let mut of_pages = Hasher::new();
    of_pages.field(FORM).field(program()?);
    // No address is empty, so none stands for none.
    of_pages.field(options.base_url.as_deref().unwrap_or_default());
    of_pages.field([u8::from(args.png == PngArg::All)]);
    let mut all = of_pages.clone();
    all.field(options.today.to_string());
    let is_coloured = Stream::Error.colour() == Colour::Always;
    all.field([args.json, is_coloured].map(u8::from));
    for path in [&target.site, &target.out, &target.release] {
        all.field(path.as_os_str().as_encoded_bytes());
    }
    let frame = all.finish();
    for file in known.files() {
        all.field(&*file.path).field(file.raw.bytes());
        if !is_of_an_entry(&file.path) {
            of_pages.field(&*file.path).field(file.raw.bytes());
        }
    }
    Some(Inputs {
        all: all.finish(),
        frame,
        of_pages: of_pages.finish(),
    })
}

/// Whether a file can be seen only on pages that say that they depend on it: an entry, what lies
/// beside one (files that it shows, statements on it), a capture.
pub(super) fn is_of_an_entry(path: &str) -> bool {
    let folders = ["content/terms/", "content/lessons/", "content/captures/"];
    folders.iter().any(|folder| path.starts_with(folder))
}

/// What tells this program from every other: its version, and where, when and how long its file is.
fn program() -> Option<String> {
    let path = std::env::current_exe().ok()?;
    let file = fs::metadata(&path).ok()?;
    let modified = file.modified().ok()?;
    let since_1970 = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(format!(
        "{} {} {} {}",
        env!("CARGO_PKG_VERSION"),
        path.display(),
        file.len(),
        since_1970.as_nanos()
    ))
}
