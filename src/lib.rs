//! countersign: a static-site generator whose every number is proved and whose every published
//! page carries two names.

pub mod render;
pub mod sim;
pub mod source;
