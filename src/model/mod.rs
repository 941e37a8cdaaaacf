//! What authors write, as values: each one checked when it is made, each with its place.

pub mod byline;
pub mod citation;
pub mod claim;
pub mod config;
pub mod dataset;
pub mod date;
pub mod document;
pub mod entry;
pub mod figure;
pub mod key;
pub mod name;
pub mod number;
pub mod page;
pub mod person;
mod rational;
pub mod scaffold;
pub mod signable;
pub mod slug;
pub mod statement;
pub mod tree;
