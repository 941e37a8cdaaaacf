//! Addresses as text: which host they name, and where a path in them leads.

use crate::model::config::Config;

/// The rest of an address of this very site after its base; `None` for other hosts.
pub(super) fn own_host<'a>(url: &'a str, config: &Config) -> Option<&'a str> {
    let after = url.find("://")? + 3;
    let (host, path) = match url[after..].find(['/', '#', '?']) {
        Some(at) => url[after..].split_at(at),
        None => (&url[after..], ""),
    };
    if !host.eq_ignore_ascii_case(config.host()) {
        return None;
    }
    let base = config.base_path().trim_end_matches('/');
    let rest = path.strip_prefix(base)?;
    // `/courses` is no place below `/course`.
    let is_below = rest.is_empty() || rest.starts_with(['/', '#', '?']);
    is_below.then(|| rest.strip_prefix('/').unwrap_or(rest))
}

/// Whether an address names the reader's own machine.
pub(super) fn is_local(url: &str) -> bool {
    let Some(after) = url.find("://") else {
        return false;
    };
    let host = url[after + 3..].split(['/', '?', '#']).next().unwrap_or("");
    let host = host.rsplit('@').next().unwrap_or(host).to_ascii_lowercase();
    let name = host.rsplit_once(':').map_or(host.as_str(), |(name, port)| {
        if port.bytes().all(|byte| byte.is_ascii_digit()) {
            name
        } else {
            &host
        }
    });
    name == "localhost"
        || name.ends_with(".localhost")
        || name.starts_with("127.")
        || name == "[::1]"
        || name == "0.0.0.0"
}

/// Joins a folder and a relative path; `None` if the result lies above the root.
pub(super) fn join(folder: &str, path: &str) -> Option<String> {
    let joined = crate::source::path::join(folder, path)?;
    let slash = if path.ends_with('/') && !joined.is_empty() {
        "/"
    } else {
        ""
    };
    Some(joined + slash)
}

/// Percent-decodes; bytes that are no text stay as they were written.
pub(super) fn decode(text: &str) -> String {
    percent_encoding::percent_decode_str(text)
        .decode_utf8()
        .map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}
