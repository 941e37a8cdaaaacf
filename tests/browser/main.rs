//! Pages in a real browser: Debian's Chromium, steered over its `DevTools` protocol.
//!
//! `COUNTERSIGN_SKIP_BROWSER=1` skips these tests, for a machine that has no Chromium;
//! `COUNTERSIGN_CHROMIUM` names another binary. Each test has a page of its own in one browser.

#![expect(clippy::unwrap_used, reason = "a case that lacks a part has failed")]

mod chromium;
mod course;
mod markup;
mod page;
mod pages;
mod player;
mod preview;
mod search;
mod server;
