//! Reviews of small changes to the lines of a body; whole entries are in `tests/gate.rs`.

use super::*;

fn review(old: &str, new: &str) -> Review {
    let mut review = Review::default();
    words::compare(old, new, 10, &mut review);
    review
}

#[test]
fn words_and_numbers_of_a_line() {
    let old = "One.\n\nIt takes 96 cycles, idle 48, at first.\n";
    let new = "One.\n\nIt takes 64 cycles, idle 16, at first.\n";
    let review = review(old, new);
    let numbers: Vec<_> = review.numbers.iter().map(ToString::to_string).collect();
    assert_eq!(numbers, ["line 12: 96 → 64", "line 12: 48 → 16"]);
    assert_eq!(
        review.to_string(),
        "Words\n  line 12\n    It takes [-96-]{+64+} cycles, idle [-48,-]{+16,+} at first.\n\
         Numbers\n  line 12: 96 → 64\n  line 12: 48 → 16\n"
    );
}

#[test]
fn nothing_is_said_of_nothing() {
    assert!(review("same\n", "same\n").is_empty());
    assert_eq!(
        review("same\n", "same\n").to_string(),
        "Nothing has changed.\n"
    );
}

#[test]
fn lines_that_come_and_go() {
    let review = review("one\ntwo\n", "one\nand a half\ntwo\n");
    assert_eq!(review.to_string(), "Words\n  line 11\n    {+and a half+}\n");
    assert!(review.numbers.is_empty());
}
