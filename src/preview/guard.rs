//! Who may ask: the writer's own browser, for a page of this server.
//!
//! A preview shows what nobody has signed. A page in another tab, or a name that was made to point
//! at this machine, must not read it; so the name that was asked for is checked, and where a
//! request comes from.

/// Why a request is refused before anything is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It asks for a host that this server is not.
    Misdirected,
    /// It comes from a page of another origin.
    CrossOrigin,
    /// It is neither GET nor HEAD.
    Method,
}

/// What a request says of itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Head<'a> {
    /// GET, HEAD …
    pub(super) method: &'a str,
    /// The target, as it came over the wire.
    pub(super) target: &'a str,
    /// The `Host` header.
    pub(super) host: Option<&'a str>,
    /// The host of a target in absolute form.
    pub(super) authority: Option<&'a str>,
    /// The `Origin` header.
    pub(super) origin: Option<&'a str>,
    /// The `Sec-Fetch-Site` header, by which a browser says where a request comes from.
    pub(super) fetch_site: Option<&'a str>,
    /// The `Sec-Fetch-Mode` header: `navigate` for a link that was followed.
    pub(super) fetch_mode: Option<&'a str>,
}

/// Checks a request against the port on which this server listens.
pub(super) fn check(head: &Head<'_>, port: u16) -> Result<(), Refusal> {
    let is_own = |host: &str| is_loopback(host, port);
    if !head.host.is_some_and(is_own) || !head.authority.is_none_or(is_own) {
        return Err(Refusal::Misdirected);
    }
    let own_origin = |origin: &str| origin.strip_prefix("http://").is_some_and(is_own);
    if !head.origin.is_none_or(own_origin) {
        return Err(Refusal::CrossOrigin);
    }
    // A link from elsewhere may be followed; a picture or a script may not be taken from here.
    let foreign = matches!(head.fetch_site, Some("cross-site" | "same-site"));
    if foreign && head.fetch_mode != Some("navigate") {
        return Err(Refusal::CrossOrigin);
    }
    if !matches!(head.method, "GET" | "HEAD") {
        return Err(Refusal::Method);
    }
    Ok(())
}

/// Whether a host with or without a port names this server.
fn is_loopback(host: &str, port: u16) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        Some((name, given)) if !given.ends_with(']') => (name, Some(given)),
        _ => (host, None),
    };
    let is_name = matches!(name, "127.0.0.1" | "[::1]") || name.eq_ignore_ascii_case("localhost");
    is_name && given.is_none_or(|given| given == port.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(host: &str) -> Head<'_> {
        Head {
            method: "GET",
            target: "/",
            host: Some(host),
            ..Head::default()
        }
    }

    #[test]
    fn only_this_server_is_answered_for() {
        for host in [
            "127.0.0.1:4040",
            "[::1]:4040",
            "localhost:4040",
            "LOCALHOST",
            "127.0.0.1",
            "[::1]",
        ] {
            assert_eq!(check(&head(host), 4040), Ok(()), "{host}");
        }
        for host in [
            "evil.example:4040",
            "evil.example",
            "127.0.0.1.evil.example:4040",
            "localhost.evil.example",
            "localhost.",
            "127.0.0.1:4041",
            "127.0.0.1:",
            "127.0.0.2",
            "user@127.0.0.1:4040",
            "::1",
            "",
        ] {
            assert_eq!(
                check(&head(host), 4040),
                Err(Refusal::Misdirected),
                "{host}"
            );
        }
        let none = Head {
            host: None,
            ..head("")
        };
        assert_eq!(check(&none, 4040), Err(Refusal::Misdirected));
        let absolute = Head {
            authority: Some("evil.example"),
            ..head("127.0.0.1")
        };
        assert_eq!(check(&absolute, 4040), Err(Refusal::Misdirected));
    }

    #[test]
    fn other_origins_and_methods_are_refused() {
        let from = |origin| Head {
            origin: Some(origin),
            ..head("127.0.0.1:4040")
        };
        assert_eq!(check(&from("http://127.0.0.1:4040"), 4040), Ok(()));
        for origin in ["https://evil.example", "null", "http://127.0.0.1:5050", ""] {
            assert_eq!(
                check(&from(origin), 4040),
                Err(Refusal::CrossOrigin),
                "{origin}"
            );
        }
        let fetched = |mode| Head {
            fetch_site: Some("cross-site"),
            fetch_mode: Some(mode),
            ..head("127.0.0.1:4040")
        };
        assert_eq!(check(&fetched("navigate"), 4040), Ok(()));
        assert_eq!(check(&fetched("no-cors"), 4040), Err(Refusal::CrossOrigin));
        for method in ["POST", "DELETE", "OPTIONS", "CONNECT", "get"] {
            let head = Head {
                method,
                ..head("localhost")
            };
            assert_eq!(check(&head, 4040), Err(Refusal::Method), "{method}");
        }
    }
}
