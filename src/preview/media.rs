//! Content types, by the ending of a file's name.

/// The content type of the file at this path. What is unknown is bytes, which browsers save.
pub(super) fn content_type(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending.to_ascii_lowercase().as_str() {
        "html" | "htm" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json; charset=utf-8",
        "jsonld" => "application/ld+json; charset=utf-8",
        "webmanifest" => "application/manifest+json; charset=utf-8",
        "xml" => "application/xml; charset=utf-8",
        "atom" => "application/atom+xml; charset=utf-8",
        "svg" => "image/svg+xml; charset=utf-8",
        "txt" | "toml" | "yaml" | "yml" | "sig" => "text/plain; charset=utf-8",
        "md" => "text/markdown; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "ttf" => "font/ttf",
        "otf" => "font/otf",
        "wasm" => "application/wasm",
        "pdf" => "application/pdf",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "mp3" => "audio/mpeg",
        _ => "application/octet-stream",
    }
}

/// Whether a page of this type can carry the reload script.
pub(super) fn is_page(content_type: &str) -> bool {
    content_type.starts_with("text/html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_site_links_to_has_its_type() {
        for (path, expected) in [
            ("index.html", "text/html; charset=utf-8"),
            ("a/feed.xml", "application/xml; charset=utf-8"),
            ("x.PNG", "image/png"),
            ("search/index.pf_meta", "application/octet-stream"),
            (".nojekyll", "application/octet-stream"),
            ("CNAME", "application/octet-stream"),
            ("dir.css/file", "application/octet-stream"),
        ] {
            assert_eq!(content_type(path), expected, "{path}");
        }
    }
}
