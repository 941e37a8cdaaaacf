//! Folding: the strings under which all spellings of a name meet.

use super::Difference;
use super::characters::{is_invisible, is_punctuation};
use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::confusable_detection::skeleton;

/// Longest name, in characters, that is folded; what stands behind it is compared as it is.
const LONGEST: usize = 400;

/// Most words whose orders are all tried; more are sorted.
const MOST_WORDS: usize = 4;

/// The keys of a name when the given differences are set aside.
pub(super) fn keys(name: &str, aside: &BTreeSet<Difference>) -> BTreeSet<String> {
    let cut = name
        .char_indices()
        .nth(LONGEST)
        .map_or(name.len(), |(at, _)| at);
    let (head, tail) = name.split_at(cut);
    let text = encode(head, aside);
    let mut keys = BTreeSet::new();
    for shape in shapes(&text, aside) {
        // Folding the case can undo a composed form, so the form is set aside once more.
        let words = settle(&encode(&shape.text, aside), aside);
        for arranged in arrangements(&words, aside) {
            if !arranged.is_empty() {
                keys.insert(format!("{}{arranged}{tail}", shape.mark));
            }
        }
    }
    keys
}

/// Sets invisible characters and the normal form aside.
fn encode(text: &str, aside: &BTreeSet<Difference>) -> String {
    let visible = |text: &str| -> String {
        if aside.contains(&Difference::Invisible) {
            text.chars().filter(|c| !is_invisible(*c)).collect()
        } else {
            text.to_owned()
        }
    };
    let text = visible(text);
    if !aside.contains(&Difference::NormalForm) {
        return text;
    }
    visible(&text.nfkc().collect::<String>())
}

/// A name as it looks. `mark` keeps apart shapes that kept their case, which meet only one
/// another: `Ian` looks like `lan`, and `Lan` in small letters is `lan`, but Ian is not Lan.
struct Shape {
    mark: char,
    text: String,
}

/// Sets case and look-alike letters aside.
fn shapes(text: &str, aside: &BTreeSet<Difference>) -> Vec<Shape> {
    let fold_case = aside.contains(&Difference::Case);
    let shape = |mark, text| Shape { mark, text };
    if !aside.contains(&Difference::LookAlike) {
        let text = if fold_case {
            folded(text)
        } else {
            text.to_owned()
        };
        return vec![shape('f', text)];
    }
    let mut shapes = Vec::new();
    for reading in readings(text) {
        let reading = &strip_marks(&reading, aside);
        shapes.push(shape('r', skeleton(reading).collect()));
        if fold_case {
            for start in [reading.clone(), capitals(reading)] {
                let looks: String = skeleton(&folded(&start)).collect();
                shapes.push(shape('f', folded(&looks)));
            }
        }
    }
    shapes
}

/// Full case folding: through capitals, so that `ß` meets `SS` and a final sigma any other; the
/// dot that a Turkish capital leaves on a small i is dropped.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text
        .chars()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
    {
        if c != '\u{0307}' || !out.ends_with(['i', 'j']) {
            out.push(c);
        }
    }
    out
}

/// The skeleton of all but ASCII letters; a capital that looks like a small l is a capital I.
fn capitals(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut buffer = [0; 4];
    for c in text.chars() {
        if c.is_ascii_alphabetic() {
            out.push(c);
            continue;
        }
        let start = out.len();
        out.extend(skeleton(c.encode_utf8(&mut buffer)));
        if c.is_uppercase() && &out[start..] == "l" {
            out.replace_range(start.., "I");
        }
    }
    out
}

/// The name as written, and as an eye may take it where a capital I and a small l are one
/// stroke (`AIan` as `Alan`, `lda Rhodes` as `Ida Rhodes`) and a zero a round letter.
fn readings(text: &str) -> BTreeSet<String> {
    let text = text.replace('|', "l");
    let letters: Vec<char> = text.chars().collect();
    let at = |index: Option<usize>| index.and_then(|index| letters.get(index)).copied();
    let capital = letters.iter().any(|c| c.is_uppercase());
    let read = |initial: bool| -> String {
        let letter = |(index, &c): (usize, &char)| {
            let before = at(index.checked_sub(1));
            let starts = !before.is_some_and(char::is_alphabetic);
            let small = |c: Option<char>| c.is_some_and(char::is_lowercase);
            match c {
                'I' if !starts && (small(before) || small(at(Some(index + 1)))) => 'l',
                'l' if initial && starts && capital => 'I',
                '0' if small(before) || small(at(Some(index + 1))) => 'o',
                _ => c,
            }
        };
        letters.iter().enumerate().map(letter).collect()
    };
    BTreeSet::from([read(false), read(true), text.clone()])
}

/// Replaces punctuation before the skeleton is taken, which knows some of it as letters.
fn strip_marks(text: &str, aside: &BTreeSet<Difference>) -> String {
    if !aside.contains(&Difference::Punctuation) {
        return text.to_owned();
    }
    let spaced = aside.contains(&Difference::Spacing) || aside.contains(&Difference::WordOrder);
    text.chars()
        .filter_map(|c| match is_punctuation(c) {
            true if spaced => Some(' '),
            true => None,
            false => Some(c),
        })
        .collect()
}

/// The words of a shape; one "word" with its spaces where neither spacing nor order is set aside.
fn settle(text: &str, aside: &BTreeSet<Difference>) -> Vec<String> {
    let text = strip_marks(text, aside);
    if aside.contains(&Difference::Spacing) {
        text.split_whitespace().map(str::to_owned).collect()
    } else if aside.contains(&Difference::WordOrder) {
        let words = text.split(' ').filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    } else {
        vec![text]
    }
}

/// Every string that the words may be written as.
fn arrangements(words: &[String], aside: &BTreeSet<Difference>) -> BTreeSet<String> {
    let between = if aside.contains(&Difference::Spacing) {
        ""
    } else {
        " "
    };
    let mut all = BTreeSet::from([words.join(between)]);
    if !aside.contains(&Difference::WordOrder) {
        return all;
    }
    let mut sorted = words.to_vec();
    sorted.sort();
    all.insert(sorted.join(between));
    if words.len() <= MOST_WORDS {
        permute(&mut sorted, 0, &mut |order| {
            all.insert(order.join(between));
        });
    }
    all
}

fn permute(words: &mut [String], fixed: usize, visit: &mut impl FnMut(&[String])) {
    if fixed >= words.len() {
        visit(words);
        return;
    }
    for next in fixed..words.len() {
        words.swap(fixed, next);
        permute(words, fixed + 1, visit);
        words.swap(fixed, next);
    }
}
