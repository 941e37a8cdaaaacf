//! The digest of all that a build is made from.

use super::args::{BuildArgs, PngArg};
use super::session::Session;
use super::terminal::Stream;
use crate::compile::Options;
use crate::diagnostic::human::Colour;
use crate::source::{Digest, Hasher};
use crate::write::Target;
use std::fs;

/// Changes whenever what the digest covers does.
const FORM: &str = "countersign build 1";

/// The digest of a release's inputs: the program, its options, the day, and the bytes of every
/// file. `None` for a build that is not to be remembered: one with drafts, one that trusts a
/// revision, one with files that could not be taken.
pub(super) fn digest(
    session: &Session,
    options: &Options,
    args: &BuildArgs,
    target: &Target,
) -> Option<Digest> {
    if args.drafts || options.trusted.is_some() || !session.loaded.is_empty() {
        return None;
    }
    let mut hasher = Hasher::new();
    hasher.field(FORM).field(program()?);
    hasher.field(options.today.to_string());
    // No address is empty, so none stands for none.
    hasher.field(options.base_url.as_deref().unwrap_or_default());
    let is_coloured = Stream::Error.colour() == Colour::Always;
    let flags = [args.png == PngArg::All, args.json, is_coloured];
    hasher.field(flags.map(u8::from));
    for path in [&target.site, &target.out, &target.release] {
        hasher.field(path.as_os_str().as_encoded_bytes());
    }
    for (_, file) in session.sources.iter() {
        if file.is_refused() {
            return None;
        }
        hasher.field(&*file.path).field(file.raw.bytes());
    }
    Some(hasher.finish())
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
