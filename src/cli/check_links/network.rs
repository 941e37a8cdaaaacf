//! The requests themselves: one at a time to a host, with a pause between.

use crate::links::{Address, Heard, Inquiry, Method, Next, Outcome, Reach, is_public, waits};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

/// How requests name themselves to servers.
const USER_AGENT: &str = concat!("countersign/", env!("CARGO_PKG_VERSION"), " (link check)");

/// What the systems say of a name that does not exist: glibc (two ways), musl, macOS, Windows.
/// They have no code for it that the standard library hands on. Any other failure of a look-up,
/// such as "temporary failure in name resolution", says nothing about the name.
const NO_SUCH_NAME: [&str; 5] = [
    "Name or service not known",
    "No address associated with hostname",
    "Name does not resolve",
    "nodename nor servname provided",
    "No such host is known",
];

/// A way to ask servers.
pub(super) struct Network {
    agent: Agent,
    reach: Reach,
    pause: Duration,
    timeout: Duration,
    /// When each host may be asked next.
    free_at: Mutex<BTreeMap<String, Instant>>,
}

impl Network {
    /// A network of public hosts, and loopback if `reach` has it. `pause` lies between two
    /// requests to a host; `timeout` is for one answer.
    pub(super) fn new(reach: Reach, pause: Duration, timeout: Duration) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(timeout))
            .user_agent(USER_AGENT)
            .build();
        let resolver = PublicNames {
            reach,
            inner: DefaultResolver::default(),
        };
        Self {
            agent: Agent::with_parts(config, DefaultConnector::default(), resolver),
            reach,
            pause,
            timeout,
            free_at: Mutex::default(),
        }
    }

    /// Asks about an address until enough is known.
    pub(super) fn settle(&self, address: &Address) -> Outcome {
        let (mut inquiry, mut next) = Inquiry::begin(address.clone(), self.reach);
        loop {
            match next {
                Next::Ask => {}
                Next::AskAfter(wait) => thread::sleep(wait),
                Next::AskAgain(n) => thread::sleep(waits(self.pause, n)),
                Next::Done(outcome) => return outcome,
            }
            self.wait_for(&inquiry.address().place());
            let heard = self.ask(inquiry.address(), inquiry.method());
            next = inquiry.hear(heard);
        }
    }

    /// Waits until the host may be asked, and takes that turn.
    fn wait_for(&self, place: &str) {
        let now = Instant::now();
        let turn = {
            let mut free_at = self.free_at.lock().unwrap_or_else(PoisonError::into_inner);
            let turn = free_at.get(place).map_or(now, |free| (*free).max(now));
            free_at.insert(place.to_owned(), turn + self.pause);
            turn
        };
        thread::sleep(turn.saturating_duration_since(now));
    }

    fn ask(&self, address: &Address, method: Method) -> Heard {
        let request = match method {
            Method::Head => self.agent.head(address.as_str()),
            Method::Get => self.agent.get(address.as_str()),
        };
        let response = match request.call() {
            Ok(response) => response,
            Err(error) => return self.fault(&error),
        };
        let header = |name| {
            let value = response.headers().get(name)?;
            Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        Heard::Reply {
            status: response.status().as_u16(),
            location: header("location"),
            retry_after_seconds: header("retry-after").and_then(|text| text.trim().parse().ok()),
        }
    }

    fn fault(&self, error: &Error) -> Heard {
        match error {
            Error::HostNotFound => Heard::NoSuchName,
            Error::Io(error) if is_no_such_name(&error.to_string()) => Heard::NoSuchName,
            Error::Other(error) if error.is::<PrivateHost>() => Heard::PrivateHost,
            Error::Timeout(_) => {
                let seconds = self.timeout.as_secs();
                Heard::Failed(format!("no answer came within {seconds} s"))
            }
            error => Heard::Failed(format!("no answer came: {error}")),
        }
    }
}

fn is_no_such_name(message: &str) -> bool {
    NO_SUCH_NAME.iter().any(|words| message.contains(words))
}

/// Looks names up, and keeps their private addresses from being asked.
#[derive(Debug)]
struct PublicNames {
    reach: Reach,
    inner: DefaultResolver,
}

/// A name that leads to private addresses alone.
#[derive(Debug, Clone, Copy)]
struct PrivateHost;

impl std::fmt::Display for PrivateHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the name leads to an address that is not public")
    }
}

impl std::error::Error for PrivateHost {}

impl Resolver for PublicNames {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        let mut public = self.empty();
        for address in &found {
            let own = self.reach == Reach::Loopback && address.ip().is_loopback();
            if own || is_public(address.ip()) {
                public.push(*address);
            }
        }
        if public.is_empty() {
            return Err(Error::Other(Box::new(PrivateHost)));
        }
        Ok(public)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_that_is_not_there_counts_as_missing() {
        let missing = "failed to lookup address information: Name or service not known";
        assert!(is_no_such_name(missing));
        let passing = "failed to lookup address information: Temporary failure in name resolution";
        assert!(!is_no_such_name(passing));
    }
}
