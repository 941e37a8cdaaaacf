//! Every way round the two-person rule that a build can see is tried here and refused; and what
//! must not be refused is not.

mod entry;
mod rules;
mod sets;
mod site;
mod statements;
mod trust;
mod versions;
