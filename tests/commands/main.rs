//! The commands, through the real program: what they print, write, refuse, and how they end.

mod docs;
mod links;
mod reviewing;
mod schemas;
mod shop;
mod signing;
mod starting;
mod troubles;
