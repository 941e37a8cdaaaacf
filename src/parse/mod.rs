//! From text to what an author wrote.
//!
//! The three data languages (YAML, TOML, JSON) are read into one [`crate::model::tree::Node`], which keeps the
//! place and the written characters of every value. [`fields::Fields`] turns a node into typed
//! values and reports every fault on the way, not only the first.

pub mod active;
pub mod capture;
pub mod characters;
pub mod config;
mod depth;
pub mod entry;
pub mod fields;
pub mod figures;
pub mod front_matter;
pub mod inline;
pub mod json;
pub mod markdown;
pub mod page;
pub mod people;
pub mod site;
pub mod statement;
mod strays;
pub mod toml;
pub mod yaml;
mod yaml_errors;
