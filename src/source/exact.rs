//! Lists without room to grow.

/// Moves a list to where it has just the room that it needs. Asked to shrink, an allocator may
/// leave a list where it is; tens of thousands of them lie in memory together.
pub fn make_exact<T>(list: &mut Vec<T>) {
    if list.len() < list.capacity() {
        let mut exact = Vec::with_capacity(list.len());
        exact.append(list);
        *list = exact;
    }
}
