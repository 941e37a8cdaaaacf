//! A small generator of numbers that look random and never change (splitmix64).

/// A stream of numbers.
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub(super) fn new(seed: usize) -> Self {
        Self((seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }

    /// One of some things.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let place = self.below(from.len() as u64);
        from[usize::try_from(place).unwrap_or(0)]
    }
}
