//! TOML, YAML and JSON.

use super::Token;
use super::scan::{Escapes, Lines, Scan, begins_name};

pub(super) fn json(scan: &mut Scan<'_, '_>) {
    while !scan.is_done() {
        let start = scan.at;
        match scan.byte() {
            b'"' => {
                scan.skip_quoted(Lines::One, Escapes::Backslash);
                let is_key = scan.rest().trim_start_matches([' ', '\t']).starts_with(':');
                scan.token(if is_key { Token::Type } else { Token::String }, start);
            }
            b'/' if matches!(scan.byte_at(start + 1), b'/' | b'*') => {
                if scan.byte_at(start + 1) == b'/' {
                    scan.skip_line();
                } else {
                    scan.at += 2;
                    scan.skip_past("*/");
                }
                scan.token(Token::Comment, start);
            }
            b'-' | b'0'..=b'9' => value(scan),
            byte if begins_name(byte) => value(scan),
            _ => scan.at += 1,
        }
    }
}

pub(super) fn toml(scan: &mut Scan<'_, '_>) {
    let mut line_start = true;
    while !scan.is_done() {
        let start = scan.at;
        match scan.byte() {
            b'\n' => {
                scan.at += 1;
                line_start = true;
                continue;
            }
            b' ' | b'\t' => {
                scan.at += 1;
                continue;
            }
            b'#' => {
                scan.skip_line();
                scan.token(Token::Comment, start);
            }
            b'[' if line_start => {
                scan.skip_while(|byte| !matches!(byte, b'\n' | b'#'));
                scan.at = start + scan.text[start..scan.at].trim_end().len();
                scan.token(Token::Keyword, start);
            }
            b'"' | b'\'' => {
                quoted(scan);
                let is_key = line_start && scan.rest().trim_start().starts_with('=');
                scan.token(if is_key { Token::Type } else { Token::String }, start);
            }
            byte if line_start && (begins_name(byte) || byte.is_ascii_digit()) => {
                scan.skip_while(|byte| !matches!(byte, b'=' | b'\n' | b'#'));
                scan.at = start + scan.text[start..scan.at].trim_end().len();
                scan.token(Token::Type, start);
            }
            b'+' | b'-' | b'0'..=b'9' => value(scan),
            byte if begins_name(byte) => value(scan),
            _ => scan.at += 1,
        }
        line_start = false;
    }
}

pub(super) fn yaml(scan: &mut Scan<'_, '_>) {
    let mut line_start = true;
    let mut after_space = true;
    while !scan.is_done() {
        let start = scan.at;
        let byte = scan.byte();
        match byte {
            b'\n' => {
                scan.at += 1;
                (line_start, after_space) = (true, true);
                continue;
            }
            b' ' | b'\t' | b'{' | b'[' | b',' => {
                scan.at += 1;
                after_space = true;
                continue;
            }
            b'#' if after_space => {
                scan.skip_line();
                scan.token(Token::Comment, start);
            }
            b'-' if line_start && matches!(scan.byte_at(start + 1), b' ' | b'\n' | 0) => {
                scan.at += 1;
                continue;
            }
            b'"' | b'\'' if after_space => {
                let escapes = if byte == b'"' {
                    Escapes::Backslash
                } else {
                    Escapes::None
                };
                scan.skip_quoted(Lines::Many, escapes);
                let is_key = scan.byte() == b':';
                scan.token(if is_key { Token::Type } else { Token::String }, start);
            }
            _ if after_space && is_key(scan) => {
                scan.skip_while(|byte| byte != b':');
                scan.token(Token::Type, start);
            }
            _ if after_space && (byte.is_ascii_alphanumeric() || byte == b'-') => plain(scan),
            _ => scan.step(),
        }
        (line_start, after_space) = (false, false);
    }
}

/// Whether a key of YAML begins here: words before a colon that a space follows.
fn is_key(scan: &Scan<'_, '_>) -> bool {
    let rest = scan.rest();
    let end = rest
        .find([':', '\n', ',', '}', ']', '{', '[', '"', '#'])
        .unwrap_or(rest.len());
    let after = &rest[end..];
    end > 0
        && after.starts_with(':')
        && matches!(after.as_bytes().get(1), None | Some(b' ' | b'\n'))
}

/// A plain value of YAML: a number, a truth value, or words, which stay as they are.
fn plain(scan: &mut Scan<'_, '_>) {
    let start = scan.at;
    scan.skip_while(|byte| !matches!(byte, b'\n' | b',' | b'}' | b']' | b'#'));
    let text = scan.text[start..scan.at].trim_end();
    scan.at = start + text.len();
    classify(scan, start);
}

fn value(scan: &mut Scan<'_, '_>) {
    let start = scan.at;
    scan.skip_while(|byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'+' | b'-' | b'.' | b'_' | b':')
            || byte >= 0x80
    });
    classify(scan, start);
}

fn classify(scan: &mut Scan<'_, '_>, start: usize) {
    let text = &scan.text[start..scan.at];
    let digits = text.trim_start_matches(['+', '-']);
    if matches!(text, "true" | "false" | "null" | "inf" | "nan") {
        scan.token(Token::Keyword, start);
    } else if digits.starts_with(|c: char| c.is_ascii_digit()) && !digits.contains(' ') {
        scan.token(Token::Number, start);
    } else if scan.at == start {
        scan.step();
    }
}

/// A string of TOML, of one line or in triple quotes.
fn quoted(scan: &mut Scan<'_, '_>) {
    let basic = scan.byte() == b'"';
    let triple = if basic { "\"\"\"" } else { "'''" };
    if scan.sees(triple) {
        scan.at += 3;
        scan.skip_past(triple);
    } else {
        let escapes = if basic {
            Escapes::Backslash
        } else {
            Escapes::None
        };
        scan.skip_quoted(Lines::One, escapes);
    }
}
