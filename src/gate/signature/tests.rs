//! Signatures made here, and those that must not hold. The same keys meet the real
//! `ssh-keygen` in `tests/ssh_keygen.rs`.

use super::*;
use crate::model::person::{PersonId, PersonKind};
use crate::source::{FileId, Span, Spanned};
use proptest::prelude::*;

const SPACE: &str = "countersign-author@example.org";

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../../../tests/fixtures/keys/", $name))
    };
}

const KEYS: [(&str, &str); 5] = [
    (fixture!("ada"), fixture!("ada.pub")),
    (fixture!("ada-rsa"), fixture!("ada-rsa.pub")),
    (fixture!("ada-p256"), fixture!("ada-p256.pub")),
    (fixture!("ada-p384"), fixture!("ada-p384.pub")),
    (fixture!("ada-p521"), fixture!("ada-p521.pub")),
];

fn person(keys: &[&str]) -> Person {
    let span = Span::file(FileId::new(0));
    let keys = keys
        .iter()
        .map(|line| PublicKey::parse(line).expect("a key"));
    Person {
        id: Spanned::new(PersonId::new("ada").expect("an id"), span),
        name: Spanned::new("Ada Lovelace".to_owned(), span),
        aliases: Vec::new(),
        emails: Vec::new(),
        url: None,
        kind: PersonKind::Human,
        keys: keys.map(|key| Spanned::new(key, span)).collect(),
    }
}

fn signed(key: &str, text: &str) -> String {
    let key = SigningKey::open(key, None).expect("opens");
    key.sign(text, SPACE)
        .unwrap_or_else(|why| panic!("{:?}: {why}", key.public()))
}

#[test]
fn each_kind_of_key_signs_and_verifies() {
    let all: Vec<_> = KEYS.iter().map(|(_, public)| *public).collect();
    let ada = person(&all);
    for (private, public) in KEYS {
        let signature = signed(private, "text\n");
        assert_eq!(
            verify("text\n", &signature, SPACE, &ada),
            Ok(()),
            "{public}"
        );
        assert_eq!(
            verify("text", &signature, SPACE, &ada),
            Err(SignatureFault::OtherText),
            "{public}"
        );
    }
}

#[test]
fn other_keys_people_roles_and_hosts_do_not_hold() {
    let signature = signed(fixture!("ada"), "text\n");
    let grace = person(&[fixture!("grace.pub")]);
    let why = verify("text\n", &signature, SPACE, &grace);
    assert!(matches!(why, Err(SignatureFault::OtherKey(_))), "{why:?}");
    let why = verify("text\n", &signature, SPACE, &person(&[]));
    assert_eq!(why, Err(SignatureFault::NoKeys));
    let ada = person(&[fixture!("ada.pub")]);
    for other in [
        "countersign-reviewer@example.org",
        "countersign-author@example.com",
        "file",
    ] {
        let why = verify("text\n", &signature, other, &ada);
        assert!(
            matches!(why, Err(SignatureFault::Namespace { .. })),
            "{why:?}"
        );
    }
    let cut = signature.replace('A', "B");
    assert!(verify("text\n", &cut, SPACE, &ada).is_err());
}

#[test]
fn keys_that_cannot_sign_say_why() {
    let open = |text, word| {
        SigningKey::open(text, word)
            .map(|_| ())
            .expect_err("refused")
    };
    assert_eq!(open(fixture!("ada-locked"), None), KeyFault::Locked);
    assert_eq!(
        open(fixture!("ada-locked"), Some("wrong")),
        KeyFault::WrongPassphrase
    );
    assert!(SigningKey::open(fixture!("ada-locked"), Some("difference engine")).is_ok());
    let pem = open(fixture!("ada-pem"), None).to_string();
    assert!(pem.contains("ssh-keygen -p -f"), "{pem}");
    assert!(matches!(
        open(fixture!("ada.pub"), None),
        KeyFault::Unreadable(_)
    ));
    assert!(matches!(open("", None), KeyFault::Unreadable(_)));
}

proptest! {
    #[test]
    fn any_bytes_are_taken(bytes in proptest::collection::vec(any::<u8>(), 0..300), text in ".{0,100}") {
        let ada = person(&[fixture!("ada.pub")]);
        let as_text = String::from_utf8_lossy(&bytes).into_owned();
        prop_assert!(verify(&text, &as_text, SPACE, &ada).is_err());
        let armoured = format!(
            "-----BEGIN SSH SIGNATURE-----\n{}\n-----END SSH SIGNATURE-----\n",
            text.escape_default()
        );
        prop_assert!(verify(&text, &armoured, SPACE, &ada).is_err());
        prop_assert!(SigningKey::open(&as_text, None).is_err());
        prop_assert!(PublicKey::parse(&text).is_err());
    }

    #[test]
    fn one_changed_character_breaks_a_signature(at in 30_usize..250, to in "[A-Za-z0-9+/]") {
        let signature = signed(fixture!("ada"), "text\n");
        let mut changed = signature.clone();
        let at = at.min(signature.len() - 40);
        changed.replace_range(at..=at, &to);
        let lines = |text: &str| -> Vec<u8> { text.bytes().filter(|b| *b != b'\n').collect() };
        if lines(&changed) != lines(&signature) {
            prop_assert!(verify("text\n", &changed, SPACE, &person(&[fixture!("ada.pub")])).is_err());
        }
    }
}
