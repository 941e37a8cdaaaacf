//! Byte offset to line and column.

/// A place for people: both count from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// The starts of a text's lines.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Finds every line start of `text`.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        for (offset, byte) in text.bytes().enumerate() {
            if byte == b'\n' {
                starts.push(u32::try_from(offset + 1).unwrap_or(u32::MAX));
            }
        }
        Self { starts }
    }

    /// The position of a byte offset; one past the end is the end.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let line = self.starts.partition_point(|&start| start <= offset).max(1);
        let start = self.starts[line - 1] as usize;
        let mut end = (offset as usize).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let column = text.get(start..end).map_or(0, |part| part.chars().count());
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
        }
    }

    /// Byte offset where a line (from 1) starts.
    pub fn start(&self, line: u32) -> Option<u32> {
        self.starts.get(line.checked_sub(1)? as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "ab\n🧵線c\n";
        let index = LineIndex::new(text);
        let at = |offset| index.position(text, offset);
        assert_eq!(at(0), Position { line: 1, column: 1 });
        assert_eq!(at(3), Position { line: 2, column: 1 });
        assert_eq!(at(7), Position { line: 2, column: 2 });
        assert_eq!(at(10), Position { line: 2, column: 3 });
        assert_eq!(at(12), Position { line: 3, column: 1 });
        assert_eq!(at(99), Position { line: 3, column: 1 });
    }
}
