//! Bytes to text: UTF-8 only, one kind of line end, no byte-order mark.

use super::fault::Fault;
use crate::diagnostic::rule;

/// Bytes as text, with a fault at the first byte that is not UTF-8, or at the first NUL, which no
/// text has. The text is whole even then, with U+FFFD for what cannot be read, so that the place can
/// be shown; nothing is made of it.
pub(super) fn decode(bytes: Vec<u8>) -> (String, Option<Fault>) {
    match String::from_utf8(bytes) {
        Ok(text) => {
            let text = normalize(text);
            let fault = nul(&text);
            (text, fault)
        }
        Err(error) => {
            let valid_up_to = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let before = String::from_utf8_lossy(bytes.get(..valid_up_to).unwrap_or(bytes));
            let at = normalize(before.into_owned()).len();
            let text = normalize(String::from_utf8_lossy(bytes).into_owned());
            let fault = not_utf8(bytes, at, bytes.get(valid_up_to).copied());
            (text, Some(fault))
        }
    }
}

fn not_utf8(bytes: &[u8], at: usize, bad: Option<u8>) -> Fault {
    let what = bad.map_or_else(
        || "the file".to_owned(),
        |byte| format!("the byte 0x{byte:02X}"),
    );
    let sixteen_bit = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let help = if sixteen_bit {
        "The file begins as UTF-16 does; save it as UTF-8."
    } else {
        "Save the file as UTF-8; older editors write Windows-1252 or Latin-1 unless told otherwise."
    };
    Fault::new(rule::BAD_ENCODING, "the file is not UTF-8 text")
        .at(at..at + '\u{fffd}'.len_utf8())
        .label(format!("{what} is not UTF-8"))
        .help(help)
}

/// Removes one leading byte-order mark and turns CR LF and a lone CR into LF. Neither is part of
/// what people sign.
fn normalize(mut text: String) -> String {
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    if text.contains('\r') {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
    text
}

/// A fault at the first NUL; `None` if there is none.
fn nul(text: &str) -> Option<Fault> {
    let at = text.find('\0')?;
    let count = text.matches('\0').count();
    let fault = Fault::new(rule::CONTROL_CHARACTER, "the file holds a NUL character")
        .at(at..at + 1)
        .label("U+0000 stands here")
        .help("Remove it, or save the file as UTF-8 text.");
    Some(match count {
        1 => fault,
        _ => fault.note(format!("There are {count} of them in the file.")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_line_ends_are_made_one() {
        let (text, fault) = decode("\u{feff}a\r\nb\rc\n".into());
        assert_eq!((text.as_str(), fault), ("a\nb\nc\n", None));
    }

    #[test]
    fn the_first_bad_byte_has_its_place() {
        let (text, fault) = decode(b"a\r\ncaf\xe9 \xff".to_vec());
        assert_eq!(text, "a\ncaf\u{fffd} \u{fffd}");
        let fault = fault.unwrap();
        assert_eq!(fault.range, 5..8);
        assert!(fault.label.unwrap().contains("0xE9"));
    }

    #[test]
    fn sixteen_bit_text_is_named() {
        let (_, fault) = decode(b"\xff\xfe#\0 \0".to_vec());
        assert!(fault.unwrap().help.unwrap().contains("UTF-16"));
    }

    #[test]
    fn many_nuls_are_one_fault() {
        let (_, fault) = decode(b"a\r\n\0\0b\0".to_vec());
        let fault = fault.unwrap();
        assert_eq!(fault.range, 2..3);
        assert!(fault.note.unwrap().contains('3'));
    }
}
