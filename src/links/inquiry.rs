//! What to ask about one address, answer by answer, and what the last answer means.

use super::address::{Address, Reach};
use std::time::Duration;

/// Most redirects that are followed, as browsers have it (they give up at 20).
const HOPS_MAX: u32 = 10;

/// Most requests to one address that end in a fault that may pass.
const TRIES_MAX: u32 = 3;

/// The longest wait that a server can ask for; a longer one is left for another day.
const RETRY_AFTER_MAX_SECONDS: u64 = 60;

/// How to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// For the head alone.
    Head,
    /// For the page, of which only the head is read.
    Get,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// An answer.
    Reply {
        /// The status code.
        status: u16,
        /// The `Location` header.
        location: Option<String>,
        /// The `Retry-After` header, in seconds; a date counts as absent.
        retry_after_seconds: Option<u64>,
    },
    /// The name of the host does not exist.
    NoSuchName,
    /// The name leads to a private address.
    PrivateHost,
    /// No answer, and why.
    Failed(String),
}

/// What is known of an address in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is there.
    Ok {
        /// The status code.
        status: u16,
    },
    /// It is there, and its server says that it has another address for good.
    Moved {
        /// The status code at the end of the way.
        status: u16,
        /// The address that takes its place.
        to: String,
    },
    /// It is not there.
    Broken {
        /// The status code, if a server answered.
        status: Option<u16>,
        /// What was found.
        why: String,
    },
    /// It may be there: nothing was learned.
    Unknown {
        /// The status code, if a server answered.
        status: Option<u16>,
        /// What stood in the way.
        why: String,
    },
}

impl Outcome {
    /// The word for people and for machines.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Ok { .. } => "ok",
            Self::Moved { .. } => "moved",
            Self::Broken { .. } => "broken",
            Self::Unknown { .. } => "unknown",
        }
    }

    /// An address that was not asked about.
    pub fn not_asked(why: &str) -> Self {
        Self::Unknown {
            status: None,
            why: why.to_owned(),
        }
    }
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Ask for [`Inquiry::address`] by [`Inquiry::method`].
    Ask,
    /// Wait as long as the server said, then ask.
    AskAfter(Duration),
    /// Wait for the `n`th time (from 1), then ask.
    AskAgain(u32),
    /// Enough is known.
    Done(Outcome),
}

/// The conversation about one address.
#[derive(Debug, Clone)]
pub struct Inquiry {
    address: Address,
    method: Method,
    reach: Reach,
    hops: u32,
    tries: u32,
    /// The end of the permanent redirects at the beginning of the way.
    moved_to: Option<Address>,
    all_permanent: bool,
}

impl Inquiry {
    /// Begins, with what to do first.
    pub fn begin(address: Address, reach: Reach) -> (Self, Next) {
        let first = if address.is_within(reach) {
            Next::Ask
        } else {
            Next::Done(private())
        };
        let inquiry = Self {
            address,
            method: Method::Head,
            reach,
            hops: 0,
            tries: 0,
            moved_to: None,
            all_permanent: true,
        };
        (inquiry, first)
    }

    /// What to ask for.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// How to ask.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Takes what came back.
    pub fn hear(&mut self, heard: Heard) -> Next {
        match heard {
            Heard::NoSuchName => Next::Done(Outcome::Broken {
                status: None,
                why: NO_SUCH_NAME.to_owned(),
            }),
            Heard::PrivateHost => Next::Done(private()),
            Heard::Failed(why) => self.again(None, None, why),
            Heard::Reply {
                status: status @ (301 | 302 | 303 | 307 | 308),
                location: Some(location),
                ..
            } => self.follow(status, &location),
            Heard::Reply {
                status,
                retry_after_seconds,
                ..
            } => self.judge(status, retry_after_seconds),
        }
    }

    fn follow(&mut self, status: u16, location: &str) -> Next {
        let unknown = |why: String| {
            Next::Done(Outcome::Unknown {
                status: Some(status),
                why,
            })
        };
        self.hops += 1;
        if self.hops > HOPS_MAX {
            return unknown(format!("it redirects more than {HOPS_MAX} times"));
        }
        let to = match self.address.join(location) {
            Ok(to) => to,
            Err(why) => return unknown(format!("it redirects to `{location}`: {why}")),
        };
        if !to.is_within(self.reach) {
            return unknown(format!(
                "it redirects to `{to}`, which is not public",
                to = to.as_str()
            ));
        }
        self.all_permanent &= matches!(status, 301 | 308);
        if self.all_permanent {
            self.moved_to = Some(to.clone());
        }
        self.address = to;
        self.tries = 0;
        Next::Ask
    }

    fn judge(&mut self, status: u16, retry_after_seconds: Option<u64>) -> Next {
        if (200..300).contains(&status) || status == 304 {
            return Next::Done(match self.moved_to.take() {
                Some(to) => Outcome::Moved {
                    status,
                    to: to.as_str().to_owned(),
                },
                None => Outcome::Ok { status },
            });
        }
        let why = format!("the server answered {}", describe(status));
        if matches!(status, 429 | 503) {
            return self.again(Some(status), retry_after_seconds, why);
        }
        // Many servers answer a request for the head alone as if the page were not there, or not
        // allowed; only what they say to a reader's browser counts.
        if self.method == Method::Head {
            self.method = Method::Get;
            return Next::Ask;
        }
        match status {
            404 | 410 => Next::Done(Outcome::Broken {
                status: Some(status),
                why,
            }),
            500.. => self.again(Some(status), retry_after_seconds, why),
            _ => Next::Done(Outcome::Unknown {
                status: Some(status),
                why,
            }),
        }
    }

    /// Asks once more, if that can help.
    fn again(&mut self, status: Option<u16>, after_seconds: Option<u64>, why: String) -> Next {
        self.tries += 1;
        let is_too_long = after_seconds.is_some_and(|seconds| seconds > RETRY_AFTER_MAX_SECONDS);
        if self.tries >= TRIES_MAX || is_too_long {
            return Next::Done(Outcome::Unknown { status, why });
        }
        match after_seconds {
            Some(seconds) => Next::AskAfter(Duration::from_secs(seconds)),
            None => Next::AskAgain(self.tries),
        }
    }
}

const NO_SUCH_NAME: &str = "the name of its host does not exist";

fn private() -> Outcome {
    Outcome::not_asked("it was not asked: it leads to a machine or network that is not public")
}

/// How long to wait before trying for the `n`th time again: the pause, doubled each time.
pub fn waits(pause: Duration, n: u32) -> Duration {
    pause.saturating_mul(1 << n.min(6))
}

/// Where no server answered at all, a name that was not found proves nothing: the network may be
/// down. Such outcomes become unknown.
pub fn doubt_names<'a>(outcomes: impl Iterator<Item = &'a mut Outcome>) {
    let outcomes: Vec<_> = outcomes.collect();
    let is_answered = |outcome: &Outcome| match outcome {
        Outcome::Ok { .. } | Outcome::Moved { .. } => true,
        Outcome::Broken { status, .. } | Outcome::Unknown { status, .. } => status.is_some(),
    };
    if outcomes.iter().any(|outcome| is_answered(outcome)) {
        return;
    }
    for outcome in outcomes {
        if matches!(outcome, Outcome::Broken { why, .. } if why == NO_SUCH_NAME) {
            *outcome = Outcome::Unknown {
                status: None,
                why: "the name of its host was not found, nor did any other host answer".to_owned(),
            };
        }
    }
}

/// A status code with its name, as far as links meet it (RFC 9110, RFC 6585).
fn describe(status: u16) -> String {
    let name = match status {
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => return status.to_string(),
    };
    format!("{status} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: u16) -> Heard {
        Heard::Reply {
            status,
            location: None,
            retry_after_seconds: None,
        }
    }

    fn to(status: u16, location: &str) -> Heard {
        Heard::Reply {
            status,
            location: Some(location.to_owned()),
            retry_after_seconds: None,
        }
    }

    /// The outcome after these answers; all but the last must ask for more.
    fn after(answers: Vec<Heard>) -> Outcome {
        let address = Address::parse("https://example.org/a").unwrap();
        let (mut inquiry, mut next) = Inquiry::begin(address, Reach::Public);
        for heard in answers {
            assert!(!matches!(next, Next::Done(_)), "{next:?} before {heard:?}");
            next = inquiry.hear(heard);
        }
        match next {
            Next::Done(outcome) => outcome,
            next => panic!("not done: {next:?}"),
        }
    }

    #[test]
    fn each_answer_means_one_thing() {
        let failed = || Heard::Failed("reset".to_owned());
        for (answers, word) in [
            (vec![reply(200)], "ok"),
            (vec![reply(405), reply(200)], "ok"),
            (vec![reply(404), reply(200)], "ok"),
            (vec![reply(404), reply(404)], "broken"),
            (vec![reply(410), reply(410)], "broken"),
            (vec![reply(403), reply(403)], "unknown"),
            (vec![reply(401), reply(401)], "unknown"),
            (
                vec![reply(500), reply(500), reply(500), reply(500)],
                "unknown",
            ),
            (vec![reply(429), reply(429), reply(200)], "ok"),
            (vec![reply(429), reply(429), reply(429)], "unknown"),
            (vec![failed(), failed(), failed()], "unknown"),
            (vec![failed(), reply(204)], "ok"),
            (vec![Heard::NoSuchName], "broken"),
            (vec![Heard::PrivateHost], "unknown"),
            (vec![reply(302), reply(302)], "unknown"),
        ] {
            let told = format!("{answers:?}");
            assert_eq!(after(answers).word(), word, "{told}");
        }
    }

    #[test]
    fn only_what_is_permanent_has_moved() {
        let end = |answers| match after(answers) {
            Outcome::Moved { to, .. } => Some(to),
            Outcome::Ok { .. } => None,
            other => panic!("{other:?}"),
        };
        let moved = end(vec![to(301, "/b"), to(308, "/c"), reply(200)]);
        assert_eq!(moved.as_deref(), Some("https://example.org/c"));
        assert_eq!(end(vec![to(302, "/b"), to(301, "/c"), reply(200)]), None);
        let partly = end(vec![to(301, "/b"), to(302, "/c"), reply(200)]);
        assert_eq!(partly.as_deref(), Some("https://example.org/b"));
    }

    #[test]
    fn redirects_end() {
        let ring = (0..11).map(|_| to(302, "/a")).collect();
        assert_eq!(after(ring).word(), "unknown");
        for bad in ["http://127.0.0.1/", "file:///a", "http://"] {
            assert_eq!(after(vec![to(301, bad)]).word(), "unknown", "{bad}");
        }
        assert_eq!(
            after(vec![to(301, "/b"), reply(404), reply(404)]).word(),
            "broken"
        );
    }

    #[test]
    fn servers_say_how_long_to_wait_within_reason() {
        let address = Address::parse("https://example.org/a").unwrap();
        let (mut inquiry, _) = Inquiry::begin(address, Reach::Public);
        let busy = |seconds| Heard::Reply {
            status: 429,
            location: None,
            retry_after_seconds: Some(seconds),
        };
        let next = inquiry.hear(busy(7));
        assert_eq!(next, Next::AskAfter(Duration::from_secs(7)));
        assert!(matches!(
            inquiry.hear(busy(3600)),
            Next::Done(Outcome::Unknown { .. })
        ));
        assert_eq!(waits(Duration::from_secs(1), 2), Duration::from_secs(4));
    }

    #[test]
    fn a_network_that_is_down_breaks_no_link() {
        let gone = || after(vec![Heard::NoSuchName]);
        let mut alone = [gone(), gone()];
        doubt_names(alone.iter_mut());
        assert!(alone.iter().all(|outcome| outcome.word() == "unknown"));
        let mut among = [gone(), Outcome::Ok { status: 200 }];
        doubt_names(among.iter_mut());
        assert_eq!(among[0].word(), "broken");
    }
}
