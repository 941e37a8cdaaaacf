//! A review as plain text, in which removed words stand as `[-so-]` and added ones as `{+so+}`.

use super::{Fate, Passage, Piece, Review, ValueChange};
use std::fmt;

impl fmt::Display for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return writeln!(f, "Nothing has changed.");
        }
        heading(f, "Words", &self.words)?;
        for passage in &self.words {
            write!(f, "{passage}")?;
        }
        let lists = [
            ("Numbers", &self.numbers),
            ("Sources", &self.sources),
            ("Check dates", &self.dates),
            ("Files", &self.files),
        ];
        for (title, changes) in lists {
            heading(f, title, changes)?;
            for change in changes {
                writeln!(f, "  {change}")?;
            }
        }
        heading(f, "Figures", &self.figures)?;
        for figure in &self.figures {
            let fate = match figure.fate {
                Fate::Added => "is new",
                Fate::Removed => "is gone",
                Fate::Changed => "has changed",
            };
            writeln!(f, "  {}.{} {fate}", figure.kind, figure.name)?;
        }
        heading(f, "Order or form alone", &self.reordered)?;
        for key in &self.reordered {
            writeln!(f, "  {key}")?;
        }
        Ok(())
    }
}

/// Writes a title if anything follows it.
fn heading<T>(f: &mut fmt::Formatter<'_>, title: &str, items: &[T]) -> fmt::Result {
    match items {
        [] => Ok(()),
        _ => writeln!(f, "{title}"),
    }
}

impl fmt::Display for ValueChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => write!(f, "{place}: {old} → {new}"),
            (None, Some(new)) => write!(f, "{place}: new, {new}"),
            (Some(old), None) => write!(f, "{place}: gone, was {old}"),
            (None, None) => write!(f, "{place}"),
        }
    }
}

impl fmt::Display for Passage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.pieces.iter().map(marked).collect();
        writeln!(f, "  {}", self.place)?;
        for line in text.trim_end().lines() {
            writeln!(f, "    {line}")?;
        }
        Ok(())
    }
}

fn marked(piece: &Piece) -> String {
    let around = |open: &str, text: &str, close: &str| {
        // A mark around a line end would run over it.
        let body = text.trim_end_matches('\n');
        format!("{open}{body}{close}{}", &text[body.len()..])
    };
    match piece {
        Piece::Kept(text) => text.clone(),
        Piece::Removed(text) => around("[-", text, "-]"),
        Piece::Added(text) => around("{+", text, "+}"),
    }
}
