//! Which files of a site's folders are the site's, by name alone.

/// The folders that a site consists of, beside `site.toml`.
pub const FOLDERS: [&str; 3] = ["content", "static", "templates"];

/// The site's configuration file, which marks its folder.
pub const CONFIG_NAME: &str = "site.toml";

/// Hidden files that a web server or host looks for; all other hidden files stay where they are.
const SHOWN_IN_STATIC: &[&str] = &[".domains", ".htaccess", ".nojekyll", ".well-known"];

/// What operating systems and editors leave behind under fixed names. `4913` is the file by which
/// Vim tries whether a folder can be written.
const DROPPINGS: &[&str] = &["4913", "desktop.ini", "ehthumbs.db", "thumbs.db"];

/// Endings of an editor's own files: swap files, backups, and copies about to be renamed.
const DROPPING_ENDINGS: &[&str] = &[
    "~",
    ".crswap",
    ".kate-swp",
    ".swo",
    ".swp",
    ".swx",
    "___jb_old___",
    "___jb_tmp___",
];

/// Endings of what editors and merges leave beside a text; a static file may be meant to have one.
const LEFTOVERS: &[&str] = &["bak", "orig", "rej", "tmp"];

/// Whether a file or folder of this name is no part of a site, at any depth: hidden (`.git`,
/// `.DS_Store`, `.#lock`), or an editor's.
pub fn is_ignored(name: &str, in_static: InStatic) -> bool {
    let lower = name.to_ascii_lowercase();
    if lower.starts_with('.') {
        return in_static == InStatic::No || !SHOWN_IN_STATIC.contains(&lower.as_str());
    }
    let between_hashes = lower.len() > 1 && lower.starts_with('#') && lower.ends_with('#');
    between_hashes
        || DROPPINGS.contains(&lower.as_str())
        || DROPPING_ENDINGS
            .iter()
            .any(|ending| lower.ends_with(ending))
        || (in_static == InStatic::No
            && lower
                .rsplit_once('.')
                .is_some_and(|(_, end)| LEFTOVERS.contains(&end)))
}

/// Whether a file lies in the folder that is copied as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InStatic {
    /// It does: what a web host looks for is kept, hidden or not.
    Yes,
    /// It does not.
    No,
}

/// How a file is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// As text: an entry, data, a template, a signature.
    Text,
    /// As bytes, copied as they are.
    Bytes,
}

/// How the file at a path of the site is taken.
pub fn kind_of(path: &str) -> Kind {
    if path == CONFIG_NAME || path.starts_with("templates/") {
        return Kind::Text;
    }
    if path.starts_with("static/") {
        return Kind::Bytes;
    }
    let ending = path
        .rsplit('/')
        .next()
        .and_then(|name| name.rsplit_once('.'));
    match ending {
        Some((_, "md" | "yaml" | "yml" | "toml" | "json" | "csv" | "sig")) => Kind::Text,
        _ => Kind::Bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editors_files_are_ignored_and_web_hosts_files_are_not() {
        for name in [
            ".git",
            ".DS_Store",
            ".#warp.md",
            "warp.md~",
            ".warp.md.swp",
            "4913",
            "#warp.md#",
        ] {
            assert!(is_ignored(name, InStatic::No), "{name}");
            assert!(is_ignored(name, InStatic::Yes), "{name}");
        }
        assert!(is_ignored(".nojekyll", InStatic::No));
        for name in ["warp.md.tmp", "warp.md.orig", "index.md.bak", "a.rej"] {
            assert!(is_ignored(name, InStatic::No), "{name}");
        }
        for name in [".nojekyll", ".well-known", "CNAME", "a.tmp", "#"] {
            assert!(!is_ignored(name, InStatic::Yes), "{name}");
        }
        assert!(!is_ignored("warp.md", InStatic::No));
    }

    #[test]
    fn kinds_follow_the_folder_and_the_ending() {
        for text in [
            "site.toml",
            "templates/a.svg",
            "content/terms/warp.md",
            "content/terms/warp.author.toml.sig",
        ] {
            assert_eq!(kind_of(text), Kind::Text, "{text}");
        }
        for bytes in [
            "static/a.md",
            "content/terms/warp/photo.jpg",
            "content/terms/x.md/noending",
        ] {
            assert_eq!(kind_of(bytes), Kind::Bytes, "{bytes}");
        }
    }
}
