//! CUDA, C++, Rust and Python: languages of names, numbers, strings and comments.

use super::Token;
use super::scan::{Escapes, Lines, Scan, begins_name, in_name};
use super::words::{self, Words};

/// What sets one of these languages apart.
pub(super) struct Grammar {
    keywords: &'static Words,
    types: &'static Words,
    builtins: Option<&'static Words>,
    style: Style,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Cuda,
    Cpp,
    Rust,
    Python,
}

pub(super) static CUDA: Grammar = Grammar {
    keywords: &words::CPP_KEYWORDS,
    types: &words::CPP_TYPES,
    builtins: Some(&words::CUDA_BUILTINS),
    style: Style::Cuda,
};
pub(super) static CPP: Grammar = Grammar {
    keywords: &words::CPP_KEYWORDS,
    types: &words::CPP_TYPES,
    builtins: None,
    style: Style::Cpp,
};
pub(super) static RUST: Grammar = Grammar {
    keywords: &words::RUST_KEYWORDS,
    types: &words::RUST_TYPES,
    builtins: None,
    style: Style::Rust,
};
pub(super) static PYTHON: Grammar = Grammar {
    keywords: &words::PYTHON_KEYWORDS,
    types: &words::PYTHON_TYPES,
    builtins: Some(&words::PYTHON_BUILTINS),
    style: Style::Python,
};

impl Grammar {
    fn is_c(&self) -> bool {
        matches!(self.style, Style::Cuda | Style::Cpp)
    }

    fn is_cuda(&self) -> bool {
        self.style == Style::Cuda
    }
}

pub(super) fn run(scan: &mut Scan<'_, '_>, grammar: &Grammar) {
    let mut line_start = true;
    while !scan.is_done() {
        let byte = scan.byte();
        match byte {
            b'\n' => {
                line_start = true;
                scan.at += 1;
                continue;
            }
            b' ' | b'\t' => {
                scan.at += 1;
                continue;
            }
            b'/' if grammar.style != Style::Python => comment_or_slash(scan, grammar),
            b'#' => hash(scan, grammar, line_start),
            b'"' | b'\'' => string(scan, grammar, scan.at),
            b'<' | b'>' if grammar.is_cuda() => launch(scan),
            b'@' if grammar.style == Style::Python && line_start => {
                let start = scan.at;
                scan.at += 1;
                scan.skip_while(|byte| in_name(byte) || byte == b'.');
                scan.token(Token::Preprocessor, start);
            }
            b'0'..=b'9' => number(scan, grammar),
            b'.' if begins_fraction(scan) => number(scan, grammar),
            _ if begins_name(byte) => name(scan, grammar),
            _ => scan.at += 1,
        }
        line_start = false;
    }
}

/// `.5`, and not the second dot of `1..5`.
fn begins_fraction(scan: &Scan<'_, '_>) -> bool {
    let before = scan.at.checked_sub(1).map_or(0, |at| scan.byte_at(at));
    before != b'.' && scan.byte_at(scan.at + 1).is_ascii_digit()
}

fn comment_or_slash(scan: &mut Scan<'_, '_>, grammar: &Grammar) {
    let start = scan.at;
    match scan.byte_at(scan.at + 1) {
        b'/' => scan.skip_line(),
        b'*' if grammar.style == Style::Rust => nested_comment(scan),
        b'*' => {
            scan.at += 2;
            scan.skip_past("*/");
        }
        _ => {
            scan.at += 1;
            return;
        }
    }
    scan.token(Token::Comment, start);
}

/// Rust's block comments hold block comments.
fn nested_comment(scan: &mut Scan<'_, '_>) {
    let mut depth = 0_usize;
    while !scan.is_done() {
        if scan.sees("/*") {
            depth += 1;
            scan.at += 2;
        } else if scan.sees("*/") {
            depth -= 1;
            scan.at += 2;
            if depth == 0 {
                return;
            }
        } else {
            scan.step();
        }
    }
}

/// A comment of Python, a directive of C, an attribute of Rust.
fn hash(scan: &mut Scan<'_, '_>, grammar: &Grammar, line_start: bool) {
    let start = scan.at;
    match grammar.style {
        Style::Python => {
            scan.skip_line();
            scan.token(Token::Comment, start);
        }
        Style::Rust if matches!(scan.byte_at(start + 1), b'[' | b'!') => {
            scan.skip_while(|byte| byte != b']' && byte != b'\n');
            if scan.byte() == b']' {
                scan.at += 1;
            }
            scan.token(Token::Preprocessor, start);
        }
        Style::Cuda | Style::Cpp if line_start => directive(scan),
        _ => scan.at += 1,
    }
}

/// `#include <x>`: the word, and the header's name as a string.
fn directive(scan: &mut Scan<'_, '_>) {
    let start = scan.at;
    scan.at += 1;
    scan.skip_while(|byte| byte == b' ' || byte == b'\t');
    let word = scan.at;
    scan.skip_while(in_name);
    let is_include = &scan.text[word..scan.at] == "include";
    scan.token(Token::Preprocessor, start);
    scan.skip_while(|byte| byte == b' ' || byte == b'\t');
    if is_include && scan.byte() == b'<' {
        let start = scan.at;
        scan.skip_while(|byte| byte != b'>' && byte != b'\n');
        if scan.byte() == b'>' {
            scan.at += 1;
        }
        scan.token(Token::String, start);
    }
}

/// `<<<` and `>>>` around a launch configuration.
fn launch(scan: &mut Scan<'_, '_>) {
    let start = scan.at;
    if scan.sees("<<<") || scan.sees(">>>") {
        scan.at += 3;
        scan.token(Token::Operator, start);
    } else {
        scan.at += 1;
    }
}

/// A string whose quote is here and whose prefix began at `start`.
fn string(scan: &mut Scan<'_, '_>, grammar: &Grammar, start: usize) {
    let prefix = &scan.text[start..scan.at];
    let quote = scan.byte();
    match grammar.style {
        Style::Python => {
            let triple = if quote == b'"' { "\"\"\"" } else { "'''" };
            if scan.sees(triple) {
                scan.at += 3;
                scan.skip_past(triple);
            } else {
                scan.skip_quoted(Lines::One, Escapes::Backslash);
            }
        }
        Style::Rust if quote == b'\'' => {
            if !rust_character(scan) {
                return;
            }
        }
        Style::Rust => scan.skip_quoted(Lines::Many, Escapes::Backslash),
        Style::Cuda | Style::Cpp if quote == b'"' && prefix.ends_with('R') => {
            let open = scan.rest().find('(').filter(|open| *open <= 17);
            let Some(open) = open else {
                return scan.skip_quoted(Lines::One, Escapes::Backslash);
            };
            let end = format!("){}\"", &scan.rest()[1..open]);
            scan.skip_past(&end);
        }
        Style::Cuda | Style::Cpp => scan.skip_quoted(Lines::One, Escapes::Backslash),
    }
    scan.token(Token::String, start);
}

/// Goes past a character of Rust. A lifetime is left plain, and gives `false`.
fn rust_character(scan: &mut Scan<'_, '_>) -> bool {
    let mut inner = scan.rest()[1..].chars();
    let first = inner.next();
    if first == Some('\\') || inner.next() == Some('\'') {
        scan.skip_quoted(Lines::One, Escapes::Backslash);
        return true;
    }
    scan.at += 1;
    scan.skip_while(in_name);
    false
}

/// A number with its base, separators, exponent and suffix.
fn number(scan: &mut Scan<'_, '_>, grammar: &Grammar) {
    let start = scan.at;
    let hex = scan.byte() == b'0' && matches!(scan.byte_at(start + 1), b'x' | b'X');
    while !scan.is_done() {
        let byte = scan.byte();
        let next = scan.byte_at(scan.at + 1);
        let exponent = !hex && matches!(byte, b'e' | b'E') && matches!(next, b'+' | b'-');
        if exponent {
            scan.at += 2;
        } else if byte.is_ascii_alphanumeric()
            || byte == b'_'
            || (byte == b'\'' && grammar.is_c() && next.is_ascii_alphanumeric())
            || (byte == b'.'
                && next != b'.'
                && !(next.is_ascii_alphabetic() && grammar.style == Style::Rust))
        {
            scan.at += 1;
        } else {
            break;
        }
    }
    scan.token(Token::Number, start);
}

fn name(scan: &mut Scan<'_, '_>, grammar: &Grammar) {
    let start = scan.at;
    scan.skip_while(in_name);
    let word = &scan.text[start..scan.at];
    if prefixed_string(scan, grammar, word, start) {
        return;
    }
    let called = scan.byte() == b'('
        || (grammar.style == Style::Rust
            && scan.byte() == b'!'
            && scan.byte_at(scan.at + 1) != b'=');
    if let Some(token) = kind(word, grammar, called) {
        scan.token(token, start);
    }
}

/// A string with a prefix: `r"…"`, `f'…'`, `u8"…"`, `r#"…"#`.
fn prefixed_string(scan: &mut Scan<'_, '_>, grammar: &Grammar, word: &str, start: usize) -> bool {
    let next = scan.byte();
    if word.len() > 3 || !matches!(next, b'"' | b'\'' | b'#') {
        return false;
    }
    let known = match grammar.style {
        Style::Python => matches!(
            word.to_ascii_lowercase().as_str(),
            "r" | "u" | "b" | "f" | "t" | "br" | "rb" | "fr" | "rf"
        ),
        Style::Rust => matches!(word, "r" | "b" | "br" | "c" | "cr") && next != b'\'',
        Style::Cuda | Style::Cpp => {
            next != b'#' && matches!(word, "L" | "u" | "U" | "u8" | "R" | "LR" | "uR" | "UR")
        }
    };
    if !known || (next == b'#' && grammar.style != Style::Rust) {
        return false;
    }
    if grammar.style == Style::Rust && word.ends_with('r') {
        let hashes = scan.rest().bytes().take_while(|&byte| byte == b'#').count();
        if scan.byte_at(scan.at + hashes) != b'"' {
            return false;
        }
        scan.at += hashes + 1;
        let end = format!("\"{}", "#".repeat(hashes));
        scan.skip_past(&end);
        scan.token(Token::String, start);
        return true;
    }
    if next == b'#' {
        return false;
    }
    string(scan, grammar, start);
    true
}

/// What a name is.
fn kind(word: &str, grammar: &Grammar, called: bool) -> Option<Token> {
    if grammar.keywords.has(word) {
        return Some(Token::Keyword);
    }
    if grammar.types.has(word) || is_type(word, grammar) {
        return Some(Token::Type);
    }
    let reserved = grammar.is_cuda() && word.starts_with("__");
    if reserved || grammar.builtins.is_some_and(|words| words.has(word)) {
        return Some(Token::Builtin);
    }
    called.then_some(Token::Function)
}

/// Types by their shape: `size_t`, `float4`, and in Rust a capital letter.
fn is_type(word: &str, grammar: &Grammar) -> bool {
    match grammar.style {
        Style::Rust => {
            word.starts_with(|c: char| c.is_ascii_uppercase())
                && word.contains(|c: char| c.is_ascii_lowercase())
        }
        Style::Python => false,
        Style::Cpp => word.ends_with("_t"),
        Style::Cuda => word.ends_with("_t") || is_vector(word),
    }
}

/// CUDA's vector types: `float4`, `uchar3`, `longlong2`, `half2`, `dim3`.
fn is_vector(word: &str) -> bool {
    let Some(base) = word.strip_suffix(['1', '2', '3', '4']) else {
        return false;
    };
    let scalar = base.strip_prefix('u').unwrap_or(base);
    matches!(scalar, "char" | "short" | "int" | "long" | "longlong")
        || matches!(
            base,
            "float" | "double" | "half" | "__half" | "__nv_bfloat16" | "dim"
        )
}
