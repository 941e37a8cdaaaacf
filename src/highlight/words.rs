//! The reserved words of each language, sorted by byte so that a search can halve them.

pub(super) const CPP_KEYWORDS: &[&str] = &[
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
];

pub(super) const CPP_TYPES: &[&str] = &[
    "FILE", "bool", "char", "double", "float", "half", "int", "long", "short", "signed", "string",
    "unsigned", "vector", "void",
];

/// Variables of CUDA and of its wider libraries. Names that begin with two underscores are known
/// by that.
pub(super) const CUDA_BUILTINS: &[&str] =
    &["blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"];

pub(super) const RUST_KEYWORDS: &[&str] = &[
    "Self", "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum",
    "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move",
    "mut", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "type",
    "unsafe", "use", "where", "while", "yield",
];

pub(super) const RUST_TYPES: &[&str] = &[
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16",
    "u32", "u64", "u8", "usize",
];

pub(super) const PYTHON_KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class",
    "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if",
    "import", "in", "is", "lambda", "match", "nonlocal", "not", "or", "pass", "raise", "return",
    "try", "while", "with", "yield",
];

pub(super) const PYTHON_TYPES: &[&str] = &[
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
];

pub(super) const PYTHON_BUILTINS: &[&str] = &[
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
];

pub(super) const SHELL_KEYWORDS: &[&str] = &[
    "case", "do", "done", "elif", "else", "esac", "export", "fi", "for", "function", "if", "in",
    "local", "return", "set", "then", "until", "while",
];

#[cfg(test)]
mod tests {
    #[test]
    fn every_list_is_sorted() {
        for list in [
            super::CPP_KEYWORDS,
            super::CPP_TYPES,
            super::CUDA_BUILTINS,
            super::RUST_KEYWORDS,
            super::RUST_TYPES,
            super::PYTHON_KEYWORDS,
            super::PYTHON_TYPES,
            super::PYTHON_BUILTINS,
            super::SHELL_KEYWORDS,
        ] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }
}
