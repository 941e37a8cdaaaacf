//! The HTML that Rust makes: bodies, tables, figures, numbers.
//!
//! Job: fill the slots of one page, as `docs/markup.md` describes their markup. Input: a document
//! and what its site knows. Output: HTML by slot, and the files that the page needs beside it.
//! Invariant: whatever an author wrote stands in it escaped, unless it was read as Markdown; ids
//! are unique in the page.

mod body;
mod citations;
mod downloads;
mod drawing;
mod feed;
mod figure;
mod image;
mod matrix;
mod numbers;
mod player;
mod proof;
mod table;
mod text;
mod writer;

pub(super) use citations::Citations;
pub use drawing::{Drawing, drawings};
pub(super) use feed::feed_body;
pub(super) use text::escape;
pub(super) use writer::{Here, Made, Writer};
