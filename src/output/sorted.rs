//! Texts whose items stand in the order of a key: looked up and changed as they are, without being
//! read into a map first.

use memchr::{memchr, memchr_iter, memrchr};
use std::cmp::Ordering;
use std::ops::Range;

/// Items of whole lines, each ending in a newline, in the order of their keys.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sorted<'t> {
    /// The items.
    pub(crate) text: &'t str,
    /// Whether an item begins with this text.
    pub(crate) begins: fn(&str) -> bool,
    /// The key of an item.
    pub(crate) key: fn(&str) -> &str,
}

impl<'t> Sorted<'t> {
    /// Where the item with this key is, or else where it would have to be.
    pub(crate) fn find(&self, key: &str) -> Result<Range<usize>, usize> {
        let (mut low, mut high) = (0, self.text.len());
        while low < high {
            let start = self.start(low, low.midpoint(high));
            let end = self.end(start, high);
            match (self.key)(&self.text[start..end]).cmp(key) {
                Ordering::Equal => return Ok(start..end),
                Ordering::Less => low = end,
                Ordering::Greater => high = start,
            }
        }
        Err(low)
    }

    /// The item with this key.
    pub(crate) fn get(&self, key: &str) -> Option<&'t str> {
        self.find(key).ok().map(|place| &self.text[place])
    }

    /// Adds the items to `out`, with those of the changes in the places of their keys: new or
    /// other ones, or none. The changes come in the order of their keys. `seam` is told where in `out`
    /// the items begin, before each change, and may mend how the last one ends.
    pub(crate) fn patch<'k>(
        &self,
        out: &mut String,
        changes: impl Iterator<Item = (&'k str, Option<String>)>,
        seam: impl Fn(&mut String, usize),
    ) {
        let (begin, mut done) = (out.len(), 0);
        for (key, item) in changes {
            let place = self.find(key).unwrap_or_else(|place| place..place);
            out.push_str(&self.text[done..place.start]);
            done = place.end;
            if let Some(item) = item {
                seam(out, begin);
                out.push_str(&item);
            }
        }
        out.push_str(&self.text[done..]);
    }

    /// Where the item begins that holds the byte at `at`; not before `low`, where one begins.
    fn start(&self, low: usize, at: usize) -> usize {
        let mut at = at;
        loop {
            let line = memrchr(b'\n', &self.text.as_bytes()[low..at]);
            let start = line.map_or(low, |end| low + end + 1);
            if start == low || (self.begins)(&self.text[start..]) {
                return start;
            }
            at = start - 1;
        }
    }

    /// Where the item ends that begins at `start`.
    fn end(&self, start: usize, high: usize) -> usize {
        let mut end = start;
        while end < high {
            let line = memchr(b'\n', &self.text.as_bytes()[end..high]);
            end = line.map_or(high, |line| end + line + 1);
            if (self.begins)(&self.text[end..]) {
                break;
            }
        }
        end
    }
}

/// The lines of a text, each of which ends in a newline.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut begin = 0;
    memchr_iter(b'\n', text.as_bytes()).map(move |end| {
        let line = &text[begin..end];
        begin = end + 1;
        line
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn sorted(text: &str) -> Sorted<'_> {
        Sorted {
            text,
            begins: |text| !text.starts_with(' '),
            key: |item| item.split('\n').next().unwrap_or_default(),
        }
    }

    fn text(items: &BTreeMap<String, usize>) -> String {
        let item = |(key, inner): (&String, &usize)| format!("{key}\n{}", " x\n".repeat(*inner));
        items.iter().map(item).collect()
    }

    #[test]
    fn items_are_found_and_changed_as_in_a_map() {
        let keys = |step: usize| (0..40).step_by(step).map(|number| format!("k{number:02}"));
        for length in 0..20 {
            let items: BTreeMap<_, _> = keys(2)
                .take(length)
                .zip([0, 3, 1].into_iter().cycle())
                .collect();
            let whole = text(&items);
            for key in keys(1) {
                let expected = items
                    .get(&key)
                    .map(|inner| format!("{key}\n{}", " x\n".repeat(*inner)));
                assert_eq!(sorted(&whole).get(&key), expected.as_deref());
            }
            for step in 1..8 {
                let mut after = items.clone();
                let mut changes = BTreeMap::new();
                for (place, key) in keys(step).enumerate() {
                    if place % 3 == 0 {
                        after.remove(&key);
                        changes.insert(key, None);
                    } else {
                        after.insert(key.clone(), 2);
                        changes.insert(key.clone(), Some(format!("{key}\n x\n x\n")));
                    }
                }
                let mut out = "before\n".to_owned();
                let changes = changes
                    .iter()
                    .map(|(key, item)| (key.as_str(), item.clone()));
                sorted(&whole).patch(&mut out, changes, |_, _| {});
                assert_eq!(out, format!("before\n{}", text(&after)));
            }
        }
    }
}
