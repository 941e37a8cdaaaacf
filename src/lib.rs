//! countersign: a static-site generator whose every number is proved and whose every published
//! page carries two names.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod assemble;
pub mod audit;
pub mod check;
pub mod cli;
pub mod compile;
pub mod diagnostic;
pub mod draw;
pub mod evaluate;
pub mod gate;
pub mod highlight;
pub mod links;
pub mod load;
pub mod model;
pub mod output;
pub mod parse;
pub mod preview;
pub mod render;
pub mod resolve;
pub mod rules;
pub mod schema;
pub mod sim;
pub mod simulate;
pub mod source;
pub mod write;
