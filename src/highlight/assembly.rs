//! PTX and SASS, line by line: an operation, registers, numbers, comments.

use super::Token;
use super::scan::{Escapes, Lines, Scan, begins_name, in_name};

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Ptx,
    Sass,
}

pub(super) fn run(scan: &mut Scan<'_, '_>, kind: Kind) {
    // Whether the next word is an operation.
    let mut first = true;
    while !scan.is_done() {
        let start = scan.at;
        let byte = scan.byte();
        match byte {
            b'\n' | b';' | b'{' | b'}' => {
                scan.at += 1;
                first = true;
            }
            b'/' if scan.sees("//") => {
                scan.skip_line();
                scan.token(Token::Comment, start);
            }
            b'/' if scan.sees("/*") => {
                scan.at += 2;
                scan.skip_past("*/");
                scan.token(Token::Comment, start);
            }
            b'"' => {
                scan.skip_quoted(Lines::One, Escapes::Backslash);
                scan.token(Token::String, start);
            }
            b'.' if kind == Kind::Ptx => {
                scan.at += 1;
                scan.skip_while(in_name);
                scan.token(Token::Preprocessor, start);
                first = false;
            }
            b'%' => {
                scan.at += 1;
                scan.skip_while(|byte| in_name(byte) || byte == b'.');
                scan.token(Token::Builtin, start);
            }
            // A guard: the operation follows it.
            b'@' => {
                scan.at += 1;
                scan.skip_while(|byte| in_name(byte) || matches!(byte, b'!' | b'%'));
                scan.token(Token::Builtin, start);
            }
            b'0'..=b'9' => {
                scan.skip_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'));
                scan.token(Token::Number, start);
            }
            _ if begins_name(byte) => {
                scan.skip_while(|byte| in_name(byte) || matches!(byte, b'.' | b'$'));
                if scan.byte() == b':' {
                    scan.token(Token::Type, start);
                } else if first {
                    scan.token(Token::Keyword, start);
                    first = false;
                } else if kind == Kind::Sass && is_register(&scan.text[start..scan.at]) {
                    scan.token(Token::Builtin, start);
                }
            }
            _ => scan.at += 1,
        }
    }
}

/// `R4`, `UR6`, `P0`, `UP1`, `RZ`, `URZ`, `PT`, `SR_TID.X`, with modifiers such as `.64`.
fn is_register(word: &str) -> bool {
    let base = word.split('.').next().unwrap_or(word);
    let name = base.strip_prefix('U').unwrap_or(base);
    if base.starts_with("SR_") || matches!(name, "RZ" | "PT") {
        return true;
    }
    name.strip_prefix(['R', 'P', 'B']).is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}
