//! File ids, byte ranges, and values that know where they stand.

use std::ops::Range;

/// A file of [`super::Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    /// The id of the file at this index. Indexes past `u32::MAX` cannot occur: the loader
    /// refuses a site long before.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The index into the list of files.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A byte range of one file. `start <= end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        let start = u32::try_from(range.start).unwrap_or(u32::MAX);
        let end = u32::try_from(range.end).unwrap_or(u32::MAX).max(start);
        Self { file, start, end }
    }

    /// The very start of a file: the place of a finding about the file as a whole.
    pub fn file(file: FileId) -> Self {
        Self {
            file,
            start: 0,
            end: 0,
        }
    }

    /// The range as indexes into the file's text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The part of this span at `range` bytes from its start, cut to the span.
    #[must_use]
    pub fn within(self, range: Range<usize>) -> Self {
        let at = |offset: usize| {
            self.start
                .saturating_add(u32::try_from(offset).unwrap_or(u32::MAX))
                .min(self.end)
        };
        Self {
            file: self.file,
            start: at(range.start),
            end: at(range.end.max(range.start)),
        }
    }

    /// The smallest span that covers both. They must lie in one file; else `self` is returned.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.file != other.file {
            return self;
        }
        Self {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A value and the place it was written at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Pairs a value with its place.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }

    /// The same place with another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned {
            value: f(self.value),
            span: self.span,
        }
    }
}

impl Spanned<String> {
    /// The text as a slice.
    pub fn as_str(&self) -> &str {
        &self.value
    }
}
