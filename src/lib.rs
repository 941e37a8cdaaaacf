//! countersign: a static-site generator whose every number is proved and whose every published
//! page carries two names.

pub mod diagnostic;
pub mod model;
pub mod parse;
pub mod render;
pub mod sim;
pub mod source;
