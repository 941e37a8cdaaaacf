//! The order of lessons and of terms.

use super::EntryIndex;
use super::names::fold_name;
use crate::model::entry::Entry;
use std::sync::Arc;

/// Lessons in the order of the course: those with a day by day, then those of a series by its
/// name and part, then the rest by title.
pub(super) fn lessons(entries: &[Arc<Entry>]) -> Vec<EntryIndex> {
    let mut order: Vec<_> = (0..entries.len())
        .filter(|&index| entries[index].lesson().is_some())
        .collect();
    order.sort_by_cached_key(|&index| {
        let entry = &entries[index];
        let lesson = entry.lesson();
        let day = lesson.and_then(|l| l.day.as_ref()).map(|day| day.value);
        let arc = lesson.and_then(|l| l.arc.as_ref());
        let part = arc.and_then(|arc| arc.part.as_ref()).map(|part| part.value);
        (
            day.is_none(),
            day,
            arc.is_none(),
            arc.map(|arc| fold_name(&arc.name.value)),
            part,
            fold_name(&entry.title.value),
            entry.id.clone(),
        )
    });
    order
}

/// Terms by name, as a glossary lists them.
pub(super) fn terms(entries: &[Arc<Entry>]) -> Vec<EntryIndex> {
    let mut order: Vec<_> = (0..entries.len())
        .filter(|&index| entries[index].term().is_some())
        .collect();
    order
        .sort_by_cached_key(|&index| (fold_name(entries[index].name()), entries[index].id.clone()));
    order
}
