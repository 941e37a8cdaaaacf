//! Pages out of checked entries.
//!
//! Job: make every page of a set of entries. Input: the resolved site, its runs, the evaluated
//! claims, and a set that says which entries are shown. Output: files, a page at a time, by a
//! [`PageKey`]; nothing depends on another page having been made. Invariant: an entry that the set
//! does not show leaves no byte: no page, no link, no row of a list.
//!
//! [`context`] holds what a template may see: plain data that the template engine escapes, or the
//! marker of a [`context::Slot`] for HTML made in Rust.

pub mod address;
mod advice;
pub mod assets;
mod balance;
mod build;
pub mod built_in;
pub mod compact;
pub mod context;
mod depends;
mod html;
mod page;
mod renderer;
mod shown;
mod splice;
pub mod surfaces;
mod templates;

pub use build::{Common, Input, Rasters};
pub use depends::Dependence;
pub use html::{Drawing, drawings};
pub use renderer::{OutputFile, PageKey, Renderer};
pub use shown::{Audience, Named, Shown, Standing};
pub use templates::Templates;
