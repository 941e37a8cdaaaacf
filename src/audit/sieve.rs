//! Which texts may hold any of many words, at a glance.
//!
//! The machine that finds words looks at every byte of a text. A sieve looks at every so-many-th:
//! each of the words is longer than the step and the few bytes that are looked at (a gram), so
//! wherever it stood, one look would fall on a gram of it. Of each of the words only as many grams
//! are kept as looks can miss, and those that are rarest. A sieve never lets words slip through
//! that the machine would find; where it finds any itself, the machine says which.

/// Longest gram.
const GRAM_MAX: usize = 8;

/// Words from this length on are looked for in long steps, by long grams.
const LONG: usize = 12;

/// Bytes of a gram of short words.
const SHORT_GRAM: usize = 4;

/// Kept grams that are one and the same, beyond which a sieve says "may be" without a look at the
/// words that they are from.
const SAME_MAX: usize = 64;

/// How often grams stand in the texts of a site, counted by hash.
#[derive(Debug, Clone)]
pub(super) struct Tally {
    counts: Vec<u32>,
}

/// Bits of a hash by which grams are counted.
const TALLY_BITS: u32 = 16;

/// Grams that are left out in counting, for each that is counted.
const TALLY_STEP: usize = 4;

impl Tally {
    pub(super) fn new() -> Self {
        Self {
            counts: vec![0; 1 << TALLY_BITS],
        }
    }

    /// Counts grams of a text.
    pub(super) fn add(&mut self, text: &[u8]) {
        for gram in text.windows(GRAM_MAX).step_by(TALLY_STEP) {
            self.count(gram);
        }
    }

    fn count(&mut self, gram: &[u8]) {
        let count = &mut self.counts[hash(read(gram), TALLY_BITS)];
        *count = count.saturating_add(1);
    }

    fn of(&self, gram: &[u8]) -> u64 {
        u64::from(self.counts[hash(read(gram), TALLY_BITS)])
    }
}

/// Looks for words of any length.
#[derive(Debug)]
pub(super) struct Sieve {
    groups: Vec<Group>,
}

impl Sieve {
    /// A sieve for these words; the tally tells which of their grams are rare.
    pub(super) fn new<'w>(words: impl Iterator<Item = &'w str>, tally: &Tally) -> Self {
        let mut tally = tally.clone();
        let words: Vec<&[u8]> = words.map(str::as_bytes).collect();
        // Grams that many of the words have are as bad as those of other texts.
        for word in &words {
            word.windows(GRAM_MAX).for_each(|gram| tally.count(gram));
        }
        let (long, short): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.len() >= LONG);
        let groups = [(long, GRAM_MAX), (short, SHORT_GRAM)];
        let groups = groups
            .into_iter()
            .filter_map(|(words, gram)| Group::new(&words, gram, &tally));
        Self {
            groups: groups.collect(),
        }
    }

    /// Whether any of the words stands in a text. `true` may be wrong, `false` is not.
    pub(super) fn may_hold(&self, text: &[u8]) -> bool {
        self.groups.iter().any(|group| group.may_hold(text))
    }
}

/// Words of like length.
#[derive(Debug)]
struct Group {
    /// Bytes of a gram.
    gram: usize,
    /// Bytes from one look to the next.
    step: usize,
    /// A bit for the hash of each kept gram.
    bits: Vec<u64>,
    /// Bits of such a hash.
    width: u32,
    /// The kept grams, in order.
    places: Vec<Place>,
    /// The words, one after the other.
    words: Vec<u8>,
}

/// Where a gram is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    gram: u64,
    /// Where its word begins and ends in all words.
    start: usize,
    end: usize,
    /// Where the gram begins in its word.
    offset: usize,
}

impl Group {
    fn new(words: &[&[u8]], gram: usize, tally: &Tally) -> Option<Self> {
        let shortest = words.iter().map(|word| word.len()).min()?;
        // Words of no length stand everywhere: their gram has no byte, and every look finds it.
        let gram = gram.min(shortest);
        let step = shortest - gram + 1;
        let (mut places, mut all) = (Vec::new(), Vec::new());
        for word in words {
            let start = all.len();
            all.extend_from_slice(word);
            let kept = rarest(word, gram, step, tally);
            places.extend((kept..kept + step).map(|offset| Place {
                gram: read(&word[offset..offset + gram]),
                start,
                end: all.len(),
                offset,
            }));
        }
        places.sort_unstable();
        let width = (places.len() * 16).next_power_of_two().ilog2().max(6);
        let mut bits = vec![0; 1 << (width - 6)];
        for place in &places {
            let hash = hash(place.gram, width);
            bits[hash / 64] |= 1 << (hash % 64);
        }
        Some(Self {
            gram,
            step,
            bits,
            width,
            places,
            words: all,
        })
    }

    fn may_hold(&self, text: &[u8]) -> bool {
        let mask = match self.gram {
            0 => 0,
            gram => u64::MAX >> (64 - 8 * gram),
        };
        let mut at = 0;
        while let Some(next) = text.get(at..).and_then(<[u8]>::first_chunk) {
            if self.finds(u64::from_le_bytes(*next) & mask, text, at) {
                return true;
            }
            at += self.step;
        }
        // Fewer bytes are left than are read at once.
        while let Some(gram) = text.get(at..at + self.gram) {
            if self.finds(read(gram), text, at) {
                return true;
            }
            at += self.step;
        }
        false
    }

    /// Whether the gram that was read at a place of a text is there as a part of any of the words.
    #[inline]
    fn finds(&self, gram: u64, text: &[u8], at: usize) -> bool {
        let hash = hash(gram, self.width);
        self.bits[hash / 64] >> (hash % 64) & 1 == 1 && self.stands(gram, text, at)
    }

    #[cold]
    fn stands(&self, gram: u64, text: &[u8], at: usize) -> bool {
        let first = self.places.partition_point(|place| place.gram < gram);
        let same = self.places[first..]
            .iter()
            .take_while(|place| place.gram == gram);
        for (count, place) in same.enumerate() {
            let word = &self.words[place.start..place.end];
            let rest = at.checked_sub(place.offset).map(|start| &text[start..]);
            if count == SAME_MAX || rest.is_some_and(|rest| rest.starts_with(word)) {
                return true;
            }
        }
        false
    }
}

/// Where those grams of a word begin that are rarest, as many in turn as there are looks to a step.
fn rarest(word: &[u8], gram: usize, step: usize, tally: &Tally) -> usize {
    let starts = 0..=word.len() + 1 - gram - step;
    if gram < GRAM_MAX {
        return 0;
    }
    let cost = |start: &usize| -> u64 {
        let grams = word[*start..start + step + gram - 1].windows(gram);
        grams.map(|gram| tally.of(gram)).sum()
    };
    starts.min_by_key(cost).unwrap_or(0)
}

/// At most eight bytes as a number.
fn read(gram: &[u8]) -> u64 {
    let bytes = gram.iter().rev();
    bytes.fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The upper bits of a product, in which all bytes of a gram have their part.
#[expect(clippy::cast_possible_truncation, reason = "a hash of at most 32 bits")]
fn hash(gram: u64, bits: u32) -> usize {
    (gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sieve(words: &[String], texts: &[&str]) -> Sieve {
        let mut tally = Tally::new();
        for text in texts {
            tally.add(text.as_bytes());
        }
        Sieve::new(words.iter().map(String::as_str), &tally)
    }

    proptest! {
        #[test]
        fn nothing_slips_through(
            words in prop::collection::vec(" ([ab]{1,9} ){0,4}", 1..6),
            text in "( |[ab]{1,4}){0,60}",
            other in "[ab ]{0,80}",
        ) {
            let sieve = sieve(&words, &[&other]);
            if words.iter().any(|word| text.contains(word.as_str())) {
                prop_assert!(sieve.may_hold(text.as_bytes()));
            }
        }

        #[test]
        fn what_stands_anywhere_is_seen(
            words in prop::collection::vec("[a-e ]{1,40}", 1..20),
            which in any::<prop::sample::Index>(),
            before in "[a-e ]{0,50}",
            after in "[a-e ]{0,50}",
        ) {
            let text = format!("{before}{}{after}", which.get(&words));
            prop_assert!(sieve(&words, &[&before]).may_hold(text.as_bytes()));
        }
    }

    #[test]
    fn other_texts_pass() {
        let words = [
            " the warp waits for the slowest of its threads ".to_owned(),
            " terms warp stall ".to_owned(),
            " c 4 ".to_owned(),
        ];
        let text =
            " the warp waits for the slowest of its lanes in terms of stalls warp stall c 40 ";
        assert!(!sieve(&words, &[text]).may_hold(text.as_bytes()));
        assert!(!sieve(&words, &[]).may_hold(b""));
        assert!(!sieve(&[], &[]).may_hold(text.as_bytes()));
        for word in &words {
            assert!(sieve(&words, &[]).may_hold(word.as_bytes()));
        }
    }

    #[test]
    fn words_of_no_length_stand_everywhere() {
        assert!(sieve(&[String::new()], &[]).may_hold(b""));
        assert!(sieve(&[String::new()], &[]).may_hold(b"any text at all"));
    }

    #[test]
    fn the_rarest_part_is_looked_for() {
        let word = b" the warp of the quetzalcoatlus ";
        let mut tally = Tally::new();
        for _ in 0..9 {
            tally.add(b" the warp of the warp of the warp of the quetz ");
        }
        assert!(rarest(word, GRAM_MAX, 5, &tally) > 10);
    }
}
