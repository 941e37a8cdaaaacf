//! Shell scripts, and what a terminal shows.

use super::Token;
use super::scan::{Escapes, Lines, Scan, begins_name, in_name};
use super::words;

pub(super) fn script(scan: &mut Scan<'_, '_>) {
    let end = scan.text.len();
    commands(scan, end);
}

/// Lines after a prompt are commands; the others are output and stay plain.
pub(super) fn session(scan: &mut Scan<'_, '_>) {
    while !scan.is_done() {
        let start = scan.at;
        scan.skip_line();
        let end = scan.at;
        if matches!(
            &scan.text.as_bytes()[start..end.min(start + 2)],
            [b'$' | b'#' | b'>', b' ']
        ) {
            scan.at = start + 1;
            scan.token(Token::Preprocessor, start);
            commands(scan, end);
        }
        scan.at = end + 1;
    }
}

fn commands(scan: &mut Scan<'_, '_>, end: usize) {
    // Whether the next word is the name of a command.
    let mut first = true;
    let mut after_space = true;
    while scan.at < end {
        let start = scan.at;
        let byte = scan.byte();
        match byte {
            b'#' if after_space => {
                scan.skip_line();
                scan.token(Token::Comment, start);
                continue;
            }
            b'"' | b'\'' => {
                let escapes = if byte == b'"' {
                    Escapes::Backslash
                } else {
                    Escapes::None
                };
                scan.skip_quoted(Lines::Many, escapes);
                scan.token(Token::String, start);
            }
            b'$' => variable(scan),
            b'\\' => {
                scan.at += 1;
                scan.step();
            }
            b'\n' | b';' | b'|' | b'&' | b'(' => {
                scan.at += 1;
                first = true;
                after_space = true;
                continue;
            }
            b' ' | b'\t' => {
                scan.at += 1;
                after_space = true;
                continue;
            }
            b'0'..=b'9' if after_space => {
                scan.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
                scan.token(Token::Number, start);
            }
            _ if begins_name(byte) || matches!(byte, b'.' | b'/' | b'-') => {
                first = word(scan, first, after_space);
            }
            _ => scan.step(),
        }
        after_space = false;
    }
}

/// A word; gives whether the name of a command still has to come.
fn word(scan: &mut Scan<'_, '_>, first: bool, after_space: bool) -> bool {
    let start = scan.at;
    scan.skip_while(|byte| in_name(byte) || matches!(byte, b'-' | b'.' | b'/' | b'+'));
    let text = &scan.text[start..scan.at];
    if after_space && words::SHELL_KEYWORDS.has(text) && first {
        scan.token(Token::Keyword, start);
        return true;
    }
    if first && scan.byte() == b'=' {
        scan.token(Token::Type, start);
        return true;
    }
    if first {
        scan.token(Token::Function, start);
    } else if after_space && text.starts_with('-') {
        scan.token(Token::Builtin, start);
    }
    false
}

fn variable(scan: &mut Scan<'_, '_>) {
    let start = scan.at;
    scan.at += 1;
    match scan.byte() {
        b'{' => scan.skip_past("}"),
        b'(' => {
            // A command inside; its words are read as such.
            return;
        }
        byte if begins_name(byte) => scan.skip_while(in_name),
        0 | b' ' | b'\n' => return,
        _ => scan.step(),
    }
    scan.token(Token::Type, start);
}
