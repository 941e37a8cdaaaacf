//! The reserved words of each language.

/// Words, sorted by byte, with where those of each first byte begin: most names of a listing are none
/// of them, and are looked up for each.
pub(super) struct Words {
    list: &'static [&'static str],
    starts: [usize; ASCII + 1],
}

/// How many characters of ASCII there are.
const ASCII: usize = 128;

impl Words {
    const fn new(list: &'static [&'static str]) -> Self {
        let mut starts = [0; ASCII + 1];
        let (mut byte, mut at) = (0, 0);
        while byte <= ASCII {
            while at < list.len() && (list[at].as_bytes()[0] as usize) < byte {
                at += 1;
            }
            starts[byte] = at;
            byte += 1;
        }
        Self { list, starts }
    }

    /// Whether a word is one of them.
    pub(super) fn has(&self, word: &str) -> bool {
        let Some(byte) = word.bytes().next().map(usize::from) else {
            return false;
        };
        match (self.starts.get(byte), self.starts.get(byte + 1)) {
            (Some(&start), Some(&end)) => self.list[start..end].contains(&word),
            _ => false,
        }
    }
}

pub(super) static CPP_KEYWORDS: Words = Words::new(&[
    "alignas",
    "alignof",
    "asm",
    "auto",
    "break",
    "case",
    "catch",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "final",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "using",
    "virtual",
    "volatile",
    "while",
]);

pub(super) static CPP_TYPES: Words = Words::new(&[
    "FILE", "bool", "char", "double", "float", "half", "int", "long", "short", "signed", "string",
    "unsigned", "vector", "void",
]);

/// Variables of CUDA and of its wider libraries. Names that begin with two underscores are known
/// by that.
pub(super) static CUDA_BUILTINS: Words =
    Words::new(&["blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"]);

pub(super) static RUST_KEYWORDS: Words = Words::new(&[
    "Self", "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum",
    "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move",
    "mut", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "type",
    "unsafe", "use", "where", "while", "yield",
]);

pub(super) static RUST_TYPES: Words = Words::new(&[
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16",
    "u32", "u64", "u8", "usize",
]);

pub(super) static PYTHON_KEYWORDS: Words = Words::new(&[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class",
    "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if",
    "import", "in", "is", "lambda", "match", "nonlocal", "not", "or", "pass", "raise", "return",
    "try", "while", "with", "yield",
]);

pub(super) static PYTHON_TYPES: Words = Words::new(&[
    "bool",
    "bytes",
    "complex",
    "dict",
    "float",
    "frozenset",
    "int",
    "list",
    "object",
    "set",
    "str",
    "tuple",
    "type",
]);

pub(super) static PYTHON_BUILTINS: Words = Words::new(&[
    "abs",
    "all",
    "any",
    "enumerate",
    "filter",
    "getattr",
    "hasattr",
    "isinstance",
    "len",
    "map",
    "max",
    "min",
    "open",
    "print",
    "range",
    "repr",
    "reversed",
    "round",
    "self",
    "setattr",
    "sorted",
    "sum",
    "super",
    "zip",
]);

pub(super) static SHELL_KEYWORDS: Words = Words::new(&[
    "case", "do", "done", "elif", "else", "esac", "export", "fi", "for", "function", "if", "in",
    "local", "return", "set", "then", "until", "while",
]);

#[cfg(test)]
mod tests {
    #[test]
    fn every_list_has_its_words_and_no_others() {
        for list in [
            &super::CPP_KEYWORDS,
            &super::CPP_TYPES,
            &super::CUDA_BUILTINS,
            &super::RUST_KEYWORDS,
            &super::RUST_TYPES,
            &super::PYTHON_KEYWORDS,
            &super::PYTHON_TYPES,
            &super::PYTHON_BUILTINS,
            &super::SHELL_KEYWORDS,
        ] {
            let words = list.list;
            assert!(words.is_sorted(), "{words:?}");
            for word in words {
                assert!(list.has(word), "{word}");
                assert!(!list.has(&word.to_uppercase()) || *word == word.to_uppercase());
            }
            assert!(!list.has("") && !list.has("~") && !list.has("線"));
        }
    }
}
