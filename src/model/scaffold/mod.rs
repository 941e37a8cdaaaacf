//! The sentences that a new site and a new entry begin with, each in the place of one that its author is
//! to write.

mod places;

pub use places::places;

/// The short answer of a new term.
pub const TERM_SHORT: &str = "Write one sentence that answers the title.";
/// The body of a new term.
pub const TERM_BODY: &str =
    "Explain it here, for a reader who has just read the one sentence above.";
/// The last section of a new term.
pub const TERM_MISTAKE: &str = "Say what people often take it for, and why it is not that.";
/// The short answer of a new lesson.
pub const LESSON_SHORT: &str = "Write one sentence about what the reader will be able to do.";
/// The body of a new lesson.
pub const LESSON_BODY: &str = "Say what question this lesson answers, and why it matters.";
/// The first section of a new lesson.
pub const LESSON_FIRST: &str = "Begin with something that the reader can try.";
/// The last section of a new lesson.
pub const LESSON_END: &str = "End with a distinction that can be tested.";
/// The first sentence of a new site's example.
pub const EXAMPLE: &str = "This entry is an example.";
/// The first sentence of a new site's home page.
pub const HOME: &str =
    "Say here in a few sentences what this site is about and for whom it is written.";

/// All of them.
pub const SENTENCES: [&str; 9] = [
    TERM_SHORT,
    TERM_BODY,
    TERM_MISTAKE,
    LESSON_SHORT,
    LESSON_BODY,
    LESSON_FIRST,
    LESSON_END,
    EXAMPLE,
    HOME,
];

#[cfg(test)]
mod tests {
    use super::SENTENCES;

    #[test]
    fn each_ends_with_its_only_full_stop() {
        // The gate looks for them with it and without.
        for sentence in SENTENCES {
            assert_eq!(sentence.find('.'), Some(sentence.len() - 1), "{sentence}");
        }
    }
}
