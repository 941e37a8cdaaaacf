//! What was made before, beside the inputs that it was made from.
//!
//! One type serves every stage. A key names all that a value depends on; a value is used again if
//! its key is the same, and made anew otherwise. There is no other way for a value to come out of
//! a memo, so that a compilation which remembers gives what one that does not would give.

use crate::diagnostic::Diagnostics;
use crate::source::FileId;
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Whether anything is kept: for a single run, keeping would only cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Keeping {
    /// Nothing is.
    #[default]
    Nothing,
    /// The value of the last compilation is.
    Last,
}

/// Something that a value is made from, as a key names it: looked at while it is compared, held once
/// the value is kept.
pub(crate) trait Input {
    /// What is held of it.
    type Held: Send + Sync;

    /// Whether it is the same as then.
    fn is(&self, held: &Self::Held) -> bool;

    /// Keeps it.
    fn hold(self) -> Self::Held;
}

/// A shared value is the same if it is that very value. It is held, so that no other value can take
/// its place in memory meanwhile.
impl<T: ?Sized + Send + Sync> Input for &Arc<T> {
    type Held = Arc<T>;

    fn is(&self, held: &Arc<T>) -> bool {
        Arc::ptr_eq(self, held)
    }

    fn hold(self) -> Arc<T> {
        Arc::clone(self)
    }
}

/// A value that is the same if it says the same.
#[derive(Debug, Clone, Copy)]
pub(crate) struct By<T>(pub(crate) T);

impl<T: PartialEq + Send + Sync> Input for By<T> {
    type Held = T;

    fn is(&self, held: &T) -> bool {
        self.0 == *held
    }

    fn hold(self) -> T {
        self.0
    }
}

/// The same for a value that is only copied where it is held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByRef<'a, T>(pub(crate) &'a T);

impl<T: Clone + PartialEq + Send + Sync> Input for ByRef<'_, T> {
    type Held = T;

    fn is(&self, held: &T) -> bool {
        self.0 == held
    }

    fn hold(self) -> T {
        self.0.clone()
    }
}

macro_rules! all_of {
    ($($part:ident $at:tt),+) => {
        impl<$($part: Input),+> Input for ($($part,)+) {
            type Held = ($($part::Held,)+);

            fn is(&self, held: &Self::Held) -> bool {
                $(self.$at.is(&held.$at))&&+
            }

            fn hold(self) -> Self::Held {
                ($(self.$at.hold(),)+)
            }
        }
    };
}

all_of!(A 0, B 1);
all_of!(A 0, B 1, C 2);
all_of!(A 0, B 1, C 2, D 3);
all_of!(A 0, B 1, C 2, D 3, E 4);

/// A value, and what was found while it was made.
#[derive(Debug)]
pub(crate) struct Found<T> {
    pub(crate) value: Arc<T>,
    pub(crate) findings: Diagnostics,
}

impl<T> Clone for Found<T> {
    fn clone(&self) -> Self {
        Self {
            value: Arc::clone(&self.value),
            findings: self.findings.clone(),
        }
    }
}

impl<T> Found<T> {
    /// Makes a value with a function that reports what it finds.
    pub(crate) fn by(make: impl FnOnce(&mut Diagnostics) -> T) -> Self {
        let mut findings = Diagnostics::new();
        let value = Arc::new(make(&mut findings));
        Self { value, findings }
    }
}

impl<T: PartialEq> Found<T> {
    /// Keeps the value of before where the new one is equal to it, so that what depends on it need
    /// not be made again.
    pub(crate) fn settle(self, before: Option<Self>) -> Self {
        let kept = before.filter(|before| *before.value == *self.value);
        Self {
            value: kept.map_or(self.value, |before| before.value),
            findings: self.findings,
        }
    }
}

/// The values of all files; their findings go to `out`.
pub(crate) fn collect<T>(
    found: impl ExactSizeIterator<Item = Found<T>>,
    out: &mut Diagnostics,
) -> Vec<Arc<T>> {
    let mut values = Vec::with_capacity(found.len());
    for found in found {
        values.push(found.value);
        out.append(found.findings);
    }
    values
}

/// The values of one stage: one for each file, or a single one. `H` is what is held of their inputs.
#[derive(Debug)]
pub(crate) struct Memo<H, V> {
    keeping: Keeping,
    slots: Mutex<Vec<Slot<H, V>>>,
}

type Slot<H, V> = Option<(H, V)>;

impl<H, V: Clone> Memo<H, V> {
    /// An empty memo.
    pub(crate) fn new(keeping: Keeping) -> Self {
        Self {
            keeping,
            slots: Mutex::new(Vec::new()),
        }
    }

    /// The single value of a stage. `make` is given the value of before.
    pub(crate) fn one<I>(&self, key: I, make: impl FnOnce(Option<V>) -> V) -> V
    where
        I: Input<Held = H>,
    {
        self.one_while(key, |_| true, make)
    }

    /// The same, for a value that tells itself what else it depends on: it is used again only while
    /// `holds` says so.
    pub(crate) fn one_while<I>(
        &self,
        key: I,
        holds: impl Fn(&V) -> bool,
        make: impl FnOnce(Option<V>) -> V,
    ) -> V
    where
        I: Input<Held = H>,
    {
        if self.keeping == Keeping::Nothing {
            return make(None);
        }
        let value = match self.take().pop().flatten() {
            Some((held, value)) if key.is(&held) && holds(&value) => value,
            before => make(before.map(|(_, value)| value)),
        };
        // The new key, though it is equal: the old one may hold what nobody else does.
        self.put(vec![Some((key.hold(), value.clone()))]);
        value
    }

    /// Not locked while values are made, which other threads help with.
    fn take(&self) -> Vec<Slot<H, V>> {
        std::mem::take(&mut *self.slots.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn put(&self, slots: Vec<Slot<H, V>>) {
        *self.slots.lock().unwrap_or_else(PoisonError::into_inner) = slots;
    }
}

impl<H: Send + Sync, V: Clone + Send + Sync> Memo<H, V> {
    /// The value of each file, in the order of `files`, none of which may be there twice.
    pub(crate) fn all<I>(
        &self,
        files: &[FileId],
        key: impl Fn(usize) -> I + Sync,
        make: impl Fn(usize, Option<V>) -> V + Sync,
    ) -> Vec<V>
    where
        I: Input<Held = H>,
    {
        self.all_while(files, key, |_| true, make)
    }

    /// The same, for values that tell themselves what else they depend on.
    pub(crate) fn all_while<I>(
        &self,
        files: &[FileId],
        key: impl Fn(usize) -> I + Sync,
        holds: impl Fn(&V) -> bool + Sync,
        make: impl Fn(usize, Option<V>) -> V + Sync,
    ) -> Vec<V>
    where
        I: Input<Held = H>,
    {
        let places = (0..files.len()).into_par_iter();
        if self.keeping == Keeping::Nothing {
            return places.map(|at| make(at, None)).collect();
        }
        let mut slots = self.take();
        let before = &slots;
        // `None` where the value of before holds.
        let results: Vec<(V, Option<H>)> = places
            .map(|at| {
                let key = key(at);
                let slot = before.get(files[at].index()).and_then(Option::as_ref);
                match slot {
                    Some((held, value)) if key.is(held) && holds(value) => (value.clone(), None),
                    slot => {
                        let value = make(at, slot.map(|(_, value)| value.clone()));
                        (value, Some(key.hold()))
                    }
                }
            })
            .collect();
        let length = files.iter().map(|file| file.index() + 1).max().unwrap_or(0);
        if slots.len() < length {
            slots.resize_with(length, || None);
        }
        let mut is_there = vec![false; slots.len()];
        let mut values = Vec::with_capacity(results.len());
        for (file, (value, key)) in files.iter().zip(results) {
            is_there[file.index()] = true;
            if let Some(key) = key {
                slots[file.index()] = Some((key, value.clone()));
            }
            values.push(value);
        }
        // What is gone is forgotten.
        for (slot, is_there) in slots.iter_mut().zip(is_there) {
            if !is_there {
                *slot = None;
            }
        }
        self.put(slots);
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn made(memo: &Memo<u32, String>, keys: &[(usize, u32)]) -> (Vec<String>, usize) {
        let count = AtomicUsize::new(0);
        let files: Vec<_> = keys.iter().map(|(file, _)| FileId::new(*file)).collect();
        let values = memo.all(
            &files,
            |at| By(keys[at].1),
            |at, _| {
                count.fetch_add(1, Ordering::Relaxed);
                format!("{} of {}", keys[at].1, keys[at].0)
            },
        );
        (values, count.into_inner())
    }

    #[test]
    fn only_what_has_another_key_is_made_again() {
        let memo = Memo::new(Keeping::Last);
        let keys = [(3, 1), (0, 2), (5, 3)];
        assert_eq!(made(&memo, &keys).1, 3);
        assert_eq!(made(&memo, &keys).1, 0);
        let changed = [(3, 1), (0, 9), (5, 3)];
        let (values, count) = made(&memo, &changed);
        assert_eq!((values[1].as_str(), count), ("9 of 0", 1));
        // Gone and back again is new.
        assert_eq!(made(&memo, &[(3, 1)]).1, 0);
        assert_eq!(made(&memo, &changed).1, 2);
    }

    #[test]
    fn a_memo_that_keeps_nothing_makes_everything() {
        let memo = Memo::new(Keeping::Nothing);
        for _ in 0..2 {
            assert_eq!(made(&memo, &[(0, 1), (1, 1)]).1, 2);
        }
        assert!(memo.slots.lock().unwrap().is_empty());
    }

    #[test]
    fn a_single_value_knows_the_one_before() {
        let memo = Memo::new(Keeping::Last);
        let next = |key: u32| memo.one(By(key), |before: Option<u32>| before.unwrap_or(0) + 1);
        assert_eq!([next(7), next(7), next(8), next(8)], [1, 1, 2, 2]);
    }
}
