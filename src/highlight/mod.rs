//! Code to HTML with a class on each token, by lexers that read every byte once.
//!
//! Takes a listing and its language; appends HTML. The text comes out letter for letter, whatever
//! it is: a lexer that meets the unexpected leaves it plain. Classes: `hl-k` keyword, `hl-t` type,
//! `hl-f` function, `hl-s` string, `hl-c` comment, `hl-n` number, `hl-p` preprocessor, `hl-b`
//! built-in, `hl-o` launch brackets.

mod assembly;
mod data;
mod general;
mod markup;
mod scan;
mod shell;
mod words;

use scan::Scan;

/// A language that can be highlighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// CUDA C++.
    Cuda,
    /// C++ and C.
    Cpp,
    /// Rust.
    Rust,
    /// Python.
    Python,
    /// A shell script.
    Shell,
    /// A terminal: lines after a prompt are commands, the others are output.
    Console,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
    /// JSON.
    Json,
    /// PTX, the virtual instruction set of NVIDIA.
    Ptx,
    /// SASS, what a GPU of NVIDIA executes.
    Sass,
    /// HTML, XML and SVG.
    Html,
}

impl Language {
    /// The language that a fence names; `None` for one that is not known and is shown plain.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "cuda" | "cu" | "cuh" | "cuda-cpp" => Self::Cuda,
            "cpp" | "c++" | "cc" | "cxx" | "hpp" | "c" | "h" => Self::Cpp,
            "rust" | "rs" => Self::Rust,
            "python" | "py" => Self::Python,
            "bash" | "sh" | "shell" | "zsh" => Self::Shell,
            "console" | "shell-session" | "terminal" => Self::Console,
            "toml" => Self::Toml,
            "yaml" | "yml" => Self::Yaml,
            "json" | "jsonc" => Self::Json,
            "ptx" => Self::Ptx,
            "sass" => Self::Sass,
            "html" | "xml" | "svg" => Self::Html,
            _ => return None,
        })
    }

    /// Its name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Cuda => "CUDA",
            Self::Cpp => "C++",
            Self::Rust => "Rust",
            Self::Python => "Python",
            Self::Shell => "Shell",
            Self::Console => "Terminal",
            Self::Toml => "TOML",
            Self::Yaml => "YAML",
            Self::Json => "JSON",
            Self::Ptx => "PTX",
            Self::Sass => "SASS",
            Self::Html => "HTML",
        }
    }
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Keyword,
    Type,
    Function,
    String,
    Comment,
    Number,
    Preprocessor,
    Builtin,
    Operator,
}

impl Token {
    /// The start tag of its span.
    fn tag(self) -> &'static str {
        match self {
            Self::Keyword => "<span class=\"hl-k\">",
            Self::Type => "<span class=\"hl-t\">",
            Self::Function => "<span class=\"hl-f\">",
            Self::String => "<span class=\"hl-s\">",
            Self::Comment => "<span class=\"hl-c\">",
            Self::Number => "<span class=\"hl-n\">",
            Self::Preprocessor => "<span class=\"hl-p\">",
            Self::Builtin => "<span class=\"hl-b\">",
            Self::Operator => "<span class=\"hl-o\">",
        }
    }
}

/// Appends a listing as HTML; one in no language or in one that is not known stands plain.
pub fn listing(language: &str, code: &str, html: &mut String) {
    match Language::named(language) {
        Some(language) => highlight(code, language, html),
        None => Scan::new(code, html).finish(),
    }
}

/// Appends a listing as HTML.
pub fn highlight(code: &str, language: Language, html: &mut String) {
    let mut scan = Scan::new(code, html);
    match language {
        Language::Cuda => general::run(&mut scan, &general::CUDA),
        Language::Cpp => general::run(&mut scan, &general::CPP),
        Language::Rust => general::run(&mut scan, &general::RUST),
        Language::Python => general::run(&mut scan, &general::PYTHON),
        Language::Shell => shell::script(&mut scan),
        Language::Console => shell::session(&mut scan),
        Language::Toml => data::toml(&mut scan),
        Language::Yaml => data::yaml(&mut scan),
        Language::Json => data::json(&mut scan),
        Language::Ptx => assembly::run(&mut scan, assembly::Kind::Ptx),
        Language::Sass => assembly::run(&mut scan, assembly::Kind::Sass),
        Language::Html => markup::run(&mut scan),
    }
    scan.finish();
}

#[cfg(test)]
mod tests;
