//! What a preview adds to a page: the script that reloads it and the panel of findings.
//!
//! It is added when the page is served, and to nothing that is kept, so that no release can have
//! it.

use super::state::Update;

/// Where the preview's own files are. No address of a site begins so: hidden folders are never
/// part of one, but for `.well-known`.
pub(super) const OWN_PREFIX: &str = "/.countersign/";

/// The stream of updates.
pub(super) const EVENTS: &str = "/.countersign/events";

/// The script.
pub(super) const CLIENT: &str = "/.countersign/client.js";

/// The panel's style.
pub(super) const STYLE: &str = "/.countersign/panel.css";

/// A page with the script and the panel.
pub(super) fn page(html: &[u8], update: &Update) -> Vec<u8> {
    let added = added(update);
    let at = find_body_end(html).unwrap_or(html.len());
    let (before, after) = html.split_at_checked(at).unwrap_or((html, b""));
    [before, added.as_bytes(), after].concat()
}

/// A page that stands in where there is none to show.
pub(super) fn notice(title: &str, text: &str, update: &Update) -> Vec<u8> {
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<title>{title}</title>\n\
         <body>\n<h1>{title}</h1>\n<p>{text}</p>\n</body>\n</html>\n",
        title = escape(title),
        text = escape(text),
    );
    page(html.as_bytes(), update)
}

/// The data of the event that tells an update.
pub(super) fn event(update: &Update) -> String {
    let data = serde_json::json!({
        // As text: a number of this length would lose digits in a browser.
        "version": update.version.to_string(),
        "panel": update.panel.as_deref(),
    });
    format!("data: {data}\n\n")
}

fn added(update: &Update) -> String {
    let hidden = if update.panel.is_some() {
        ""
    } else {
        " hidden"
    };
    let text = escape(update.panel.as_deref().unwrap_or_default());
    format!(
        "<link rel=\"stylesheet\" href=\"{STYLE}\">\n\
         <section id=\"countersign-panel\" role=\"alert\" aria-label=\"Findings\"{hidden}>\
         <header>The site has faults<button type=\"button\">Hide</button></header>\
         <pre tabindex=\"0\">\n{text}</pre></section>\n\
         <script src=\"{CLIENT}\" data-version=\"{}\" data-events=\"{EVENTS}\"></script>\n",
        update.version
    )
}

/// Where the last `</body` begins, in any case of letters.
fn find_body_end(html: &[u8]) -> Option<usize> {
    const END: &[u8] = b"</body";
    let windows = html.windows(END.len());
    windows
        .rev()
        .position(|window| window.eq_ignore_ascii_case(END))
        .map(|from_end| html.len() - END.len() - from_end)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(panel: Option<&str>) -> Update {
        Update {
            version: 12,
            panel: panel.map(Into::into),
        }
    }

    #[test]
    fn the_script_goes_before_the_end_of_the_body() {
        let html = b"<html><body><pre>&lt;/body></pre></BODY></html>";
        let page = String::from_utf8(page(html, &update(None))).unwrap();
        assert!(page.starts_with("<html><body><pre>&lt;/body></pre><link"));
        assert!(page.ends_with("</script>\n</BODY></html>"));
        assert!(page.contains("hidden>") && page.contains("data-version=\"12\""));
        let page = super::page(b"", &update(None));
        assert!(page.ends_with(b"</script>\n"));
    }

    #[test]
    fn findings_are_text() {
        let page = notice("<t>", "x", &update(Some("</pre><script>alert(1)</script>")));
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("&lt;/pre&gt;&lt;script&gt;alert(1)"));
        assert!(!page.contains("<script>"));
    }

    #[test]
    fn an_event_is_one_line_of_data() {
        let event = event(&update(Some("a\nb")));
        assert_eq!(event, "data: {\"version\":\"12\",\"panel\":\"a\\nb\"}\n\n");
        assert!(super::event(&update(None)).contains("\"panel\":null"));
    }
}
