//! Pairs of spellings, and laws that hold for any name.

use super::*;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

/// One name in two spellings, with the differences that explain it.
const SAME: &[(&str, &str, &[Difference])] = &[
    ("Ada Lovelace", "Ada Lovelace", &[]),
    ("Ada Lovelace", "ADA lovelace", &[Difference::Case]),
    ("Ada Lovelace", "  Ada   Lovelace ", &[Difference::Spacing]),
    ("Ada Lovelace", "Ada\u{a0}Lovelace", &[Difference::Spacing]),
    ("Ada Lovelace", "AdaLovelace", &[Difference::Spacing]),
    ("Ada Lovelace", "Ada Lovelace.", &[Difference::Punctuation]),
    ("Ada Lovelace", "Lovelace Ada", &[Difference::WordOrder]),
    (
        "Ada Lovelace",
        "Ada\u{200b} Lovelace",
        &[Difference::Invisible],
    ),
    (
        "Ada Lovelace",
        "\u{202e}Ada Lovelace",
        &[Difference::Invisible],
    ),
    (
        "Ada Lovelace",
        "Ada Love\u{ad}lace",
        &[Difference::Invisible],
    ),
    (
        "Émilie du Châtelet",
        "E\u{301}milie du Cha\u{302}telet",
        &[Difference::NormalForm],
    ),
    ("Ada Lovelace", "Ａｄａ Lovelace", &[Difference::NormalForm]),
    ("Ada Lovelace", "Αda Lovelace", &[Difference::LookAlike]),
    ("Ada Lovelace", "Adа Lovelacе", &[Difference::LookAlike]),
    ("Alan Turing", "AIan Turing", &[Difference::LookAlike]),
    ("Alan Turing", "A1an Turing", &[Difference::LookAlike]),
    ("Grace Hopper", "Grace H0pper", &[Difference::LookAlike]),
    ("Nora Stanton", "Νora Stanton", &[Difference::LookAlike]),
    ("Ian Barron", "lan Barron", &[Difference::LookAlike]),
];

/// Spellings that differ in several ways at once.
const SAME_MIXED: &[(&str, &str)] = &[
    ("Ada Lovelace", "LOVELACE, ada"),
    ("Ada Lovelace", "lovelaceada"),
    ("NORA STANTON", "Νora Stanton"),
    ("ALAN TURING", "AIan Turing"),
    ("IAN BARRON", "Ιan Barron"),
    ("IDA RHODES", "lda Rhodes"),
    ("Weierstraß", "WEIERSTRASS"),
    ("ΑΡΧΙΜΗΔΗΣ", "Αρχιμηδης"),
    ("İbrahim", "ibrahim"),
    ("Kathleen O'Brien", "obrien kathleen"),
    ("Jean-Victor Poncelet", "jean victor poncelet"),
    ("Kaʻahumanu", "Kaahumanu"),
    ("Шафи Гольдвассер", "ГОЛЬДВАССЕР ШАФИ"),
];

/// Two people each.
const DISTINCT: &[(&str, &str)] = &[
    ("Ann Lee", "Anne Lee"),
    ("Ada Lovelace", "Anne Lovelace"),
    ("Ian Chen", "Lan Chen"),
    ("ian chen", "LAN CHEN"),
    ("José Silva", "Joså Silva"),
    ("Grace Hopper", "Grace Hooper"),
    ("Marie Curie", "Pierre Curie"),
    ("王小雲", "王小云兰"),
    ("李明", "李朋"),
    ("محمد بن موسى الخوارزمي", "أحمد بن موسى"),
    ("Софья Ковалевская", "Софья Яновская"),
    ("श्रीनिवास रामानुजन", "श्रीनिवास वरदन"),
    ("김", "이"),
    ("Αρχιμήδης", "Ευκλείδης"),
    ("Ann Lee", "Nan Lee"),
    ("A. Turing", "Alan Turing"),
    ("🐈", "🐕"),
    ("", "Ada"),
];

#[test]
fn respellings_are_one_name_and_say_why() {
    for (first, second, why) in SAME {
        let Some(found) = respelled(first, second) else {
            panic!("{first:?} and {second:?} are one name");
        };
        let why: BTreeSet<_> = why.iter().copied().collect();
        assert_eq!(found.differences, why, "{first:?} {second:?}");
    }
    for (first, second) in SAME_MIXED {
        assert!(respelled(first, second).is_some(), "{first} {second}");
    }
}

#[test]
fn two_people_stay_two() {
    for (first, second) in DISTINCT {
        assert_eq!(respelled(first, second), None, "{first} {second}");
    }
}

#[test]
fn the_sentence_names_the_character() {
    let says = |first, second| respelled(first, second).unwrap().to_string();
    assert_eq!(
        says("Ada Lovelace", "Αda Lovelace"),
        "“Ada Lovelace” and “Αda Lovelace” look alike letter for letter: \
         character 1 of the second is GREEK CAPITAL LETTER ALPHA (U+0391)"
    );
    assert_eq!(
        says("Ada Lovelace", "lovelace,\u{200b} Ada"),
        "“Ada Lovelace” and “lovelace,<U+200B> Ada” differ only in upper and lower case, \
         punctuation, the order of the words and characters that cannot be seen: \
         character 10 of the second is ZERO WIDTH SPACE (U+200B)"
    );
    assert_eq!(
        says("Émilie", "E\u{301}milie"),
        "“Émilie” and “E\u{301}milie” differ only in how the same letters are encoded: \
         character 2 of the second is COMBINING ACUTE ACCENT (U+0301)"
    );
    assert_eq!(
        says("Ada Lovelace", "ADA LOVELACE"),
        "“Ada Lovelace” and “ADA LOVELACE” differ only in upper and lower case"
    );
}

#[test]
fn placeholders_in_any_spelling() {
    for text in [
        "pending",
        "Pending…",
        "PENDING",
        "p e n d i n g",
        "tbd",
        "T.B.D.",
        "to do",
        "N/A",
        "n.a.",
        "(none)",
        "null",
        "-",
        "?",
        "…",
        "",
        "   ",
        "123",
        "🤖",
        "<author>",
        "pеnding",
        "реnding",
        "pend\u{200b}ing",
        "ｐｅｎｄｉｎｇ",
        "xxx",
        "X-X-X",
        "n0ne",
        "Reviewer",
        "some one",
        "NOBODY!",
        "\u{3164}",
        "\u{115f}\u{1160} \u{ffa0}",
        "\u{0345}",
    ] {
        assert!(is_placeholder(text), "{text:?}");
    }
    for text in [
        "Ada Lovelace",
        "Nobody Knows",
        "Ann Author",
        "李明",
        "김",
        "Xu",
        "Todor",
        "Nona",
    ] {
        assert!(!is_placeholder(text), "{text:?}");
    }
}

/// A name of two to four words in Latin, Greek, Cyrillic, Han or Devanagari letters.
fn name() -> impl Strategy<Value = String> {
    proptest::string::string_regex(
        "([A-Z][a-zé]{1,8}|[А-Я][а-я]{1,8}|[Α-Ρ][α-ω]{1,8}|[一-龥]{1,3}|[क-ह]{1,4})( [A-Z][a-zö]{1,9}){1,3}",
    )
    .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_name_is_its_own_respellings(name in name(), at in 0_usize..40) {
        let decomposed: String = name.nfd().collect();
        let mut hidden: Vec<char> = name.chars().collect();
        hidden.insert(at.min(hidden.len()), '\u{200d}');
        let hidden: String = hidden.into_iter().collect();
        let mut words: Vec<_> = name.split(' ').collect();
        words.reverse();
        let spellings = [
            name.to_uppercase(), name.to_lowercase(), decomposed, hidden, words.join(" "),
            words.join(", "), format!(" {name}\t"), name.replace(' ', "-"),
        ];
        for spelling in spellings {
            prop_assert!(respelled(&name, &spelling).is_some(), "{name} {spelling}");
            prop_assert!(respelled(&spelling, &name).is_some(), "{spelling} {name}");
        }
    }

    #[test]
    fn sameness_is_symmetric(first in name(), second in name()) {
        let there = respelled(&first, &second).map(|found| found.differences);
        let back = respelled(&second, &first).map(|found| found.differences);
        prop_assert_eq!(there, back);
    }

    #[test]
    fn one_letter_more_is_another_name(name in name(), letter in "[b-hj-km-z]") {
        let longer = format!("{name}{letter}");
        prop_assert!(respelled(&name, &longer).is_none(), "{} {}", name, longer);
    }

    #[test]
    fn any_text_is_taken(first in ".{0,60}", second in ".{0,60}") {
        let found = respelled(&first, &second);
        prop_assert_eq!(found.is_some(), respelled(&second, &first).is_some());
        let _ = (found.map(|found| found.to_string()), is_placeholder(&first));
    }
}
