//! PNGs, drawn once per digest.
//!
//! Drawing a picture costs milliseconds, and most pictures are the same from build to build. A
//! store keeps them under the digest of what they are drawn from; what comes out of it is the
//! same bytes that drawing would give.

use crate::draw::{Card, Form, Scene};
use crate::source::{Digest, Hasher};

/// Pixels per unit of a drawing's PNG.
const SCALE: f32 = 2.0;

/// Keeps pictures from one build to the next.
pub trait PictureStore: Sync {
    /// The picture under a key.
    fn get(&self, key: &Digest) -> Option<Vec<u8>>;
    /// Keeps a picture.
    fn put(&self, key: &Digest, png: &[u8]);
}

/// A store that keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPictures;

impl PictureStore for NoPictures {
    fn get(&self, _: &Digest) -> Option<Vec<u8>> {
        None
    }
    fn put(&self, _: &Digest, _: &[u8]) {}
}

/// The PNG of a drawing.
pub(super) fn drawing(scene: &Scene, store: &dyn PictureStore) -> Result<Vec<u8>, String> {
    let key = key(&["drawing", &scene.to_svg(Form::Raster)]);
    if let Some(png) = store.get(&key) {
        return Ok(png);
    }
    let png = scene.to_png(SCALE).map_err(|error| error.to_string())?;
    store.put(&key, &png);
    Ok(png)
}

/// The PNG of a social card; `None` if it cannot be drawn, which is no fault.
pub(super) fn card(
    title: &str,
    kind: &str,
    site: &str,
    store: &dyn PictureStore,
) -> Option<Vec<u8>> {
    let key = key(&["card", title, kind, site]);
    if let Some(png) = store.get(&key) {
        return Some(png);
    }
    let png = Card { title, kind, site }.to_png().ok()?;
    store.put(&key, &png);
    Some(png)
}

/// How pictures are written; another number makes every store draw anew.
const ENCODING: &str = "4";

/// A key that also holds the program's version, so that a new version draws anew.
fn key(parts: &[&str]) -> Digest {
    let mut hasher = Hasher::new();
    hasher.field(env!("CARGO_PKG_VERSION")).field(ENCODING);
    for part in parts {
        hasher.field(part);
    }
    hasher.finish()
}
