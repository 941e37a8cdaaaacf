//! `bad-source-url`.

use super::{CheckContext, Rule, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};

pub(super) const RULE: Rule = Rule {
    id: rule::BAD_SOURCE_URL,
    scope: Scope::Entry(check),
    explain: include_str!("bad-source-url.md"),
};

fn check(cx: &CheckContext<'_>, out: &mut Diagnostics) {
    let entry = cx.entry;
    for url in entry.sources.iter().filter_map(|s| s.url.as_ref()) {
        let Some(why) = fault(&url.value) else {
            continue;
        };
        out.push(
            Diagnostic::new(
                rule::BAD_SOURCE_URL,
                url.span,
                "this address cannot be opened by a reader",
            )
            .label(why)
            .help("Give the full public address: `https://host/path`."),
        );
    }
}

/// What is wrong with an address, if anything is.
fn fault(url: &str) -> Option<&'static str> {
    let Some(rest) = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
    else {
        return Some("it does not begin with `https://` or `http://`");
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or("");
    let name = host.split(':').next().unwrap_or("");
    if url
        .chars()
        .any(|c| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`'))
    {
        return Some("it holds spaces, quotes or angle brackets");
    }
    if host.contains('@') {
        return Some("it holds a user name");
    }
    if !name.contains('.') || name.starts_with('.') || name.ends_with('.') || name.contains("..") {
        return Some("its host is not a public name");
    }
    let last = name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    let local = name.starts_with("127.") || matches!(last.as_str(), "local" | "localhost");
    local.then_some("it leads to a machine that readers cannot reach")
}
