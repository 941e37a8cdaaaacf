//! From a place in a formula or claim to a place in the author's file.

use crate::source::{Span, Spanned};
use std::ops::Range;

/// The place in the file of `range` in the text. Where the file holds other characters than the
/// text (escapes, folded lines), the whole text is the nearest place there is.
pub(super) fn within(text: &Spanned<String>, range: Range<usize>) -> Span {
    let written = text.span.range().len();
    let length = text.value.len();
    if written == length {
        return text.span.within(range);
    }
    // A scalar in quotes, without escapes: one byte more on either side.
    if written == length + 2 {
        return text.span.within(range.start + 1..range.end + 1);
    }
    text.span
}
