//! From a request to its reply, without a socket.

use super::address::{self, Asked};
use super::guard::{self, Head, Refusal};
use super::state::{Answer, State};
use super::{inject, media};
use crate::output::OutputPath;
use std::borrow::Cow;
use std::sync::Arc;

/// A reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) content_type: &'static str,
    /// Where the thing asked for is instead.
    pub(super) location: Option<String>,
    pub(super) body: Body,
}

/// What is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    /// Fixed bytes.
    Bytes(Arc<[u8]>),
    /// Updates, as they come.
    Events,
}

/// The headers that every reply has. A page of another origin can neither read a reply nor use it
/// as a picture, a script or a frame; and nothing is kept by a browser after the preview ends.
pub(super) const HEADERS: &[(&str, &str)] = &[
    ("x-content-type-options", "nosniff"),
    ("cache-control", "no-store"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("x-frame-options", "SAMEORIGIN"),
    ("referrer-policy", "same-origin"),
];

const HTML: &str = "text/html; charset=utf-8";

/// Answers a request to the server on `port`.
pub(super) fn reply(state: &State, head: &Head<'_>, port: u16) -> Reply {
    match guard::check(head, port) {
        Ok(()) => {}
        Err(Refusal::Misdirected) => {
            return plain(421, "This server answers for 127.0.0.1 only.\n");
        }
        Err(Refusal::CrossOrigin) => return plain(403, "Requests from other sites are refused.\n"),
        Err(Refusal::Method) => return plain(405, "Only GET and HEAD are answered.\n"),
    }
    let path = head.target.split('?').next().unwrap_or_default();
    if path.starts_with(inject::OWN_PREFIX) {
        return own(path);
    }
    let site = state.site();
    let base = site.as_ref().map_or("/", |site| site.base_path());
    match address::resolve(head.target, base) {
        Asked::Malformed => plain(400, "This is not the path of a page.\n"),
        Asked::Moved(to) => moved(to),
        Asked::Nothing if site.is_some() => missing(state),
        // A base path is not known yet, so every address may be one of the site.
        Asked::Nothing => broken(state),
        Asked::File { path, folder } => file(state, &path, folder),
    }
}

/// The script and the style of the preview itself.
fn own(path: &str) -> Reply {
    let (content_type, text) = match path {
        inject::CLIENT => ("text/javascript; charset=utf-8", include_str!("client.js")),
        inject::STYLE => ("text/css; charset=utf-8", include_str!("panel.css")),
        inject::EVENTS => {
            return Reply {
                body: Body::Events,
                ..ok("text/event-stream", Arc::default())
            };
        }
        _ => return plain(404, "There is nothing here.\n"),
    };
    ok(content_type, text.as_bytes().into())
}

fn file(state: &State, path: &OutputPath, folder: Option<(OutputPath, String)>) -> Reply {
    match state.get(path) {
        Answer::File(bytes) => {
            let content_type = media::content_type(path.as_str());
            if media::is_page(content_type) {
                return ok(content_type, inject::page(&bytes, &state.update()).into());
            }
            ok(content_type, bytes)
        }
        Answer::Broken => broken(state),
        Answer::Absent => match folder {
            Some((index, to)) if state.get(&index) != Answer::Absent => moved(to),
            _ => missing(state),
        },
    }
}

/// The site's own page for what is not there, with the script, so that it goes once it is.
fn missing(state: &State) -> Reply {
    let own = OutputPath::new("404.html").map(|path| state.get(&path));
    let update = state.update();
    let html: Cow<[u8]> = match &own {
        Ok(Answer::File(bytes)) => inject::page(bytes, &update).into(),
        _ => inject::notice("Not found", "The site has no page here.", &update).into(),
    };
    Reply {
        status: 404,
        ..ok(HTML, html.as_ref().into())
    }
}

fn broken(state: &State) -> Reply {
    let text = "It appears once the faults below are mended.";
    let html = inject::notice("This page cannot be made yet", text, &state.update());
    Reply {
        status: 503,
        ..ok(HTML, html.into())
    }
}

fn moved(to: String) -> Reply {
    Reply {
        // Temporary, since browsers remember the other kind, and sites change.
        status: 307,
        location: Some(to),
        ..plain(307, "")
    }
}

fn plain(status: u16, text: &str) -> Reply {
    Reply {
        status,
        ..ok("text/plain; charset=utf-8", text.as_bytes().into())
    }
}

fn ok(content_type: &'static str, bytes: Arc<[u8]>) -> Reply {
    Reply {
        status: 200,
        content_type,
        location: None,
        body: Body::Bytes(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::{Compiled, Files};
    use super::*;
    use proptest::prelude::*;

    const SECRET: &str = "OUTSIDE-SECRET";

    fn state(base_path: &str) -> State {
        let files = [
            ("index.html", "<body>home</body>"),
            ("terms/latency/index.html", "<body>latency</body>"),
            ("two words.png", "png"),
            ("測試.png", "png"),
            ("glossary.json", "{}"),
        ];
        let files = files
            .iter()
            .map(|(path, text)| (OutputPath::new(path).unwrap(), text.as_bytes().into()));
        let site = Files {
            base_path: base_path.to_owned(),
            files: files.collect(),
        };
        let state = State::new(0);
        state.show(Compiled {
            site: Some(Arc::new(site)),
            panel: None,
        });
        state
    }

    fn get(state: &State, target: &str) -> Reply {
        let head = Head {
            method: "GET",
            target,
            host: Some("127.0.0.1:4040"),
            ..Head::default()
        };
        reply(state, &head, 4040)
    }

    fn text(reply: &Reply) -> String {
        match &reply.body {
            Body::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Body::Events => String::new(),
        }
    }

    #[test]
    fn pages_and_files_are_served_with_their_types() {
        let state = state("/");
        for (target, status, content_type) in [
            ("/", 200, "text/html; charset=utf-8"),
            (
                "/terms/latency/?utm=1&x=%20",
                200,
                "text/html; charset=utf-8",
            ),
            ("/terms/latency/index.html", 200, "text/html; charset=utf-8"),
            ("/two%20words.png?v=2", 200, "image/png"),
            ("/%E6%B8%AC%E8%A9%A6.png", 200, "image/png"),
            ("/glossary.json", 200, "application/json; charset=utf-8"),
            (
                "/nothing-here?x=/terms/latency/",
                404,
                "text/html; charset=utf-8",
            ),
            (
                "/.countersign/client.js?v=1",
                200,
                "text/javascript; charset=utf-8",
            ),
            ("/.countersign/events", 200, "text/event-stream"),
            ("/.countersign/other", 404, "text/plain; charset=utf-8"),
            ("/../secret.txt", 400, "text/plain; charset=utf-8"),
            ("//secret.txt", 404, "text/html; charset=utf-8"),
        ] {
            let reply = get(&state, target);
            assert_eq!(
                (reply.status, reply.content_type),
                (status, content_type),
                "{target}"
            );
        }
    }

    #[test]
    fn folders_redirect_to_their_page_with_the_query() {
        let reply = get(&state("/"), "/terms/latency?utm=1");
        assert_eq!(
            (reply.status, reply.location.as_deref()),
            (307, Some("/terms/latency/?utm=1"))
        );
        let under_base = state("/gloss/");
        let reply = get(&under_base, "/");
        assert_eq!(
            (reply.status, reply.location.as_deref()),
            (307, Some("/gloss/"))
        );
        assert_eq!(get(&under_base, "/gloss/terms/latency/").status, 200);
        assert_eq!(get(&under_base, "/terms/latency/").status, 404);
    }

    #[test]
    fn only_pages_have_the_script() {
        let state = state("/");
        assert!(text(&get(&state, "/")).contains("client.js"));
        assert!(text(&get(&state, "/missing")).contains("client.js"));
        assert_eq!(text(&get(&state, "/glossary.json")), "{}");
    }

    #[test]
    fn before_the_first_site_the_findings_are_shown_everywhere() {
        let state = State::new(0);
        state.show(Compiled {
            site: None,
            panel: Some("error: no `title`".to_owned()),
        });
        for target in ["/", "/gloss/terms/latency/", "//x"] {
            let reply = get(&state, target);
            assert_eq!(reply.status, 503, "{target}");
            assert!(text(&reply).contains("error: no `title`"));
        }
    }

    #[test]
    fn a_refusal_says_nothing_of_the_site() {
        let state = state("/");
        for (host, origin, status) in [
            ("evil.example:4040", None, 421),
            ("127.0.0.1:4040", Some("https://evil.example"), 403),
        ] {
            let head = Head {
                method: "GET",
                target: "/",
                host: Some(host),
                origin,
                ..Head::default()
            };
            let reply = reply(&state, &head, 4040);
            assert_eq!(reply.status, status);
            assert!(!text(&reply).contains("home"));
        }
        assert!(
            HEADERS
                .iter()
                .all(|(name, _)| !name.starts_with("access-control"))
        );
    }

    proptest! {
        #[test]
        fn no_request_reads_what_the_site_did_not_make(
            target in "\\PC{0,40}|(/|\\.\\.|%2e|%2f|%5c|%25|%00|secret\\.txt|etc|passwd|terms|\\?|#|:){0,12}",
            base in "/|/gloss/",
        ) {
            // What lies beside the site, where this test runs, is never in an answer.
            let _ = SECRET;
            let reply = get(&state(&base), &target);
            prop_assert!(matches!(reply.status, 200 | 307 | 400 | 404));
            if reply.status == 200 && reply.content_type == HTML {
                let text = text(&reply);
                prop_assert!(text.starts_with("<body>home") || text.starts_with("<body>latency"));
            }
            if let Some(location) = reply.location {
                prop_assert!(location.starts_with('/') && !location.starts_with("//"));
                prop_assert!(location.bytes().all(|byte| byte.is_ascii_graphic() || target.contains('?')));
            }
        }
    }
}
