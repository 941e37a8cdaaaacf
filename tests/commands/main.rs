//! The commands, through the real program: what they print, write, refuse, and how they end.

mod shop;
mod signing;
