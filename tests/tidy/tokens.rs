//! Rust text as a flat list of tokens, without comments and without code that only tests have.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A token that the rules look at; literals are of no interest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Word(String),
    Mark(char),
    Other,
}

/// A token and its lines, counted from one.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) line: usize,
    pub(crate) last_line: usize,
}

/// A path such as `crate::model::slug`, as far as the rules need it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Use {
    /// What the path begins with: `crate`, `super`, or a package.
    pub(crate) from: String,
    /// How often `super` stands there.
    pub(crate) up: usize,
    /// The first name after that; each one in `crate::{a, b}` is a `Use` of its own.
    pub(crate) name: String,
    pub(crate) line: usize,
}

/// Reads a file.
pub(crate) fn read(path: &str, text: &str) -> Vec<Token> {
    let stream: TokenStream = text
        .parse()
        .unwrap_or_else(|error| panic!("{path} is no Rust: {error}"));
    let mut tokens = Vec::new();
    flatten(stream, &mut tokens);
    tokens
}

fn flatten(stream: TokenStream, out: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        if is_mark(&tree, '#') {
            if trees.peek().is_some_and(|next| is_mark(next, '!')) {
                trees.next();
            }
            let attribute = trees.next().map(|group| group.to_string());
            let attribute = attribute.unwrap_or_default().replace(' ', "");
            if attribute == "[cfg(test)]" {
                skip_item(&mut trees);
            } else if !attribute.starts_with("[doc=") {
                push(&tree, Kind::Other, out);
            }
            continue;
        }
        match tree {
            TokenTree::Ident(ref word) => push(&tree, Kind::Word(word.to_string()), out),
            TokenTree::Punct(ref mark) => push(&tree, Kind::Mark(mark.as_char()), out),
            TokenTree::Literal(_) => push(&tree, Kind::Other, out),
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::Parenthesis | Delimiter::None => ('(', ')'),
                };
                let mark = |kind, line| Token {
                    kind: Kind::Mark(kind),
                    line,
                    last_line: line,
                };
                out.push(mark(open, group.span_open().start().line));
                flatten(group.stream(), out);
                out.push(mark(close, group.span_close().end().line));
            }
        }
    }
}

fn is_mark(tree: &TokenTree, mark: char) -> bool {
    matches!(tree, TokenTree::Punct(found) if found.as_char() == mark)
}

/// Leaves out an item: up to its body or its semicolon.
fn skip_item(trees: &mut impl Iterator<Item = TokenTree>) {
    for tree in trees {
        let is_body = matches!(&tree, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
        if is_body || is_mark(&tree, ';') {
            return;
        }
    }
}

fn push(tree: &TokenTree, kind: Kind, out: &mut Vec<Token>) {
    let span = tree.span();
    out.push(Token {
        kind,
        line: span.start().line,
        last_line: span.end().line,
    });
}

/// The paths in a file: those that begin with `crate` or `super`, and those of packages.
pub(crate) fn uses(tokens: &[Token]) -> Vec<Use> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let begins = at == 0 || tokens[at - 1].kind != Kind::Mark(':');
        let Kind::Word(word) = &tokens[at].kind else {
            at += 1;
            continue;
        };
        let line = tokens[at].line;
        let mut next = at + 1;
        let mut up = usize::from(word == "super");
        while begins
            && word == "super"
            && is_path(tokens, next)
            && is_word(tokens, next + 2, "super")
        {
            up += 1;
            next += 3;
        }
        if begins && is_path(tokens, next) {
            for name in names_after(&tokens[next + 2..]) {
                found.push(Use {
                    from: word.clone(),
                    up,
                    name,
                    line,
                });
            }
        }
        at = next;
    }
    found
}

/// Whether a file has or imports a module of ours under this name.
pub(crate) fn is_own_module(tokens: &[Token], name: &str) -> bool {
    (0..tokens.len())
        .filter(|at| is_word(tokens, *at, name))
        .any(|at| {
            let before = at.checked_sub(1).map(|at| &tokens[at]);
            let is_declared = at > 0 && is_word(tokens, at - 1, "mod");
            let is_inner = before.is_some_and(|token| token.kind == Kind::Mark(':'));
            let is_absolute = at == 2 || at > 2 && !matches!(tokens[at - 3].kind, Kind::Word(_));
            is_declared || is_inner && !is_absolute
        })
}

fn is_path(tokens: &[Token], at: usize) -> bool {
    let colon = Some(&Kind::Mark(':'));
    let kind = |at: usize| tokens.get(at).map(|token| &token.kind);
    kind(at) == colon && kind(at + 1) == colon
}

fn is_word(tokens: &[Token], at: usize, word: &str) -> bool {
    matches!(tokens.get(at), Some(Token { kind: Kind::Word(found), .. }) if found == word)
}

/// The first name of a path's rest, or of each branch where it opens a brace.
fn names_after(tokens: &[Token]) -> Vec<String> {
    match tokens.first().map(|token| &token.kind) {
        Some(Kind::Word(word)) => return vec![word.clone()],
        Some(Kind::Mark('{')) => {}
        _ => return vec![String::new()],
    }
    let mut names = Vec::new();
    let mut depth = 0;
    let mut is_first = false;
    for token in tokens {
        match &token.kind {
            Kind::Mark('{') => {
                depth += 1;
                is_first = depth == 1;
            }
            Kind::Mark('}') => depth -= 1,
            Kind::Mark(',') => is_first = depth == 1,
            Kind::Word(word) if is_first => {
                names.push(word.clone());
                is_first = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

#[test]
fn paths_are_found_in_all_their_forms() {
    let text = "
        //! [`crate::gate`] in a comment
        use crate::{model::{date::Date, slug}, source};
        use super::super::output::Sink;
        #[cfg(test)]
        mod tests { use crate::cli; }
        fn f() { let _ = (\"crate::audit\", tera::Tera::new(), a::tera::b); }
    ";
    let found: Vec<_> = uses(&read("a text", text))
        .into_iter()
        .map(|path| (path.from, path.up, path.name, path.line))
        .collect();
    let wanted = [
        ("crate", 0, "model", 3),
        ("crate", 0, "source", 3),
        ("super", 2, "output", 4),
        ("tera", 0, "Tera", 7),
        ("a", 0, "tera", 7),
    ];
    let wanted = wanted.map(|(from, up, name, line)| (from.to_owned(), up, name.to_owned(), line));
    // `date::Date` inside the braces begins a path of its own, which names no package.
    let found: Vec<_> = found
        .into_iter()
        .filter(|path| path.0 != "date" && path.0 != "model")
        .collect();
    assert_eq!(found, wanted);
}
