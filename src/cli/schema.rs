//! `countersign schema`.

use super::args::{SchemaArgs, SchemaKind};
use super::terminal::Stream;
use crate::schema::{self, Kind};

/// Prints the schema of a kind of file.
pub(super) fn run(args: &SchemaArgs) {
    let kind = match args.kind {
        SchemaKind::Site => Kind::Site,
        SchemaKind::Term => Kind::Term,
        SchemaKind::Lesson => Kind::Lesson,
        SchemaKind::People => Kind::People,
        SchemaKind::Preset => Kind::Preset,
        SchemaKind::Capture => Kind::Capture,
    };
    Stream::Output.write(&schema::text(kind));
}
