//! Evaluations that are known to find nothing, from one run to the next.
//!
//! What is known is a set of digests, each of all that the evaluation of one entry depends on. With
//! such an entry nothing need be evaluated until somebody asks for a value: what would be found is
//! known already. Nothing but digests is remembered, so that no value can be wrong.

use crate::model::entry::Entry;
use crate::source::{Digest, Hasher, Sources};
use std::sync::{Mutex, PoisonError};

/// The length of a digest, in bytes.
const DIGEST_BYTES: usize = 32;

/// The evaluations that find nothing: those known before, and those of this run.
#[derive(Debug)]
pub struct Quiet {
    /// Covers all that an evaluation depends on besides its entry's own files.
    base: Digest,
    /// Digests in order, one after the other.
    known: Vec<u8>,
    now: Mutex<Vec<u8>>,
}

impl Quiet {
    /// What an earlier run knew, as [`Self::news`] gave it. `base` must cover the program, the settings and the
    /// presets.
    pub fn new(base: Digest, known: Vec<u8>) -> Self {
        Self {
            base,
            known,
            now: Mutex::default(),
        }
    }

    /// What is known after a run, if that is not what was known before.
    pub fn news(&self) -> Option<Vec<u8>> {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        (*now != self.known).then(|| now.clone())
    }

    /// Takes the digests of the evaluations that found nothing.
    pub(super) fn learn(&self, mut digests: Vec<Digest>) {
        digests.sort_unstable();
        let bytes = digests.iter().flat_map(Digest::bytes);
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = bytes.copied().collect();
    }

    /// The digest of all that the evaluation of an entry depends on.
    pub(super) fn key(&self, entry: &Entry, sources: &Sources) -> Digest {
        let mut hasher = Hasher::new();
        hasher.field(self.base.bytes());
        let captures = entry.measured.iter().filter_map(|capture| capture.file);
        for file in [entry.file].into_iter().chain(captures) {
            let file = sources.file(file);
            hasher.field(&*file.path).field(file.raw.bytes());
        }
        hasher.finish()
    }

    /// Whether the evaluation with this digest is known to find nothing.
    pub(super) fn knows(&self, key: &Digest) -> bool {
        let (known, _) = self.known.as_chunks::<DIGEST_BYTES>();
        known.binary_search(key.bytes()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_run_learns_the_next_knows() {
        let base = Digest::of("base");
        let [one, two, other] = ["one", "two", "other"].map(Digest::of);
        let first = Quiet::new(base, Vec::new());
        assert_eq!(first.news(), None);
        first.learn(vec![one, two]);
        let second = Quiet::new(base, first.news().unwrap());
        assert!(second.knows(&one) && second.knows(&two) && !second.knows(&other));
        second.learn(vec![two, one]);
        assert_eq!(second.news(), None);
        second.learn(vec![one]);
        assert!(second.news().is_some());
    }
}
