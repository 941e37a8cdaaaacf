//! Pages out of checked entries.
//!
//! [`context`] holds what a template may see, and nothing else: every value there is plain data
//! that the template engine escapes, or the marker of a [`context::Slot`] for HTML made in Rust.

pub mod compact;
pub mod context;
mod splice;
mod templates;
