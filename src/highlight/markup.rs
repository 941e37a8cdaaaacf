//! HTML, XML and SVG.

use super::Token;
use super::scan::{Escapes, Lines, Scan, begins_name, in_name};

pub(super) fn run(scan: &mut Scan<'_, '_>) {
    while !scan.is_done() {
        let start = scan.at;
        if scan.sees("<!--") {
            scan.skip_past("-->");
            scan.token(Token::Comment, start);
        } else if scan.byte() == b'<' {
            tag(scan);
        } else if scan.byte() == b'&' {
            scan.at += 1;
            scan.skip_while(|byte| in_name(byte) || byte == b'#');
            if scan.byte() == b';' {
                scan.at += 1;
                scan.token(Token::Builtin, start);
            }
        } else {
            scan.at = scan
                .rest()
                .find(['<', '&'])
                .map_or(scan.text.len(), |next| start + next);
        }
    }
}

fn tag(scan: &mut Scan<'_, '_>) {
    let start = scan.at;
    scan.at += 1;
    scan.skip_while(|byte| matches!(byte, b'/' | b'!' | b'?'));
    if !begins_name(scan.byte()) {
        return;
    }
    scan.skip_while(|byte| in_name(byte) || matches!(byte, b'-' | b':'));
    scan.token(Token::Keyword, start);
    while !scan.is_done() {
        let start = scan.at;
        match scan.byte() {
            b'>' => {
                scan.at += 1;
                scan.token(Token::Keyword, start);
                return;
            }
            b'/' | b'?' if scan.byte_at(start + 1) == b'>' => {
                scan.at += 2;
                scan.token(Token::Keyword, start);
                return;
            }
            b'<' => return,
            b'"' | b'\'' => {
                scan.skip_quoted(Lines::Many, Escapes::None);
                scan.token(Token::String, start);
            }
            byte if begins_name(byte) => {
                scan.skip_while(|byte| in_name(byte) || matches!(byte, b'-' | b':' | b'.'));
                scan.token(Token::Type, start);
            }
            _ => scan.at += 1,
        }
    }
}
