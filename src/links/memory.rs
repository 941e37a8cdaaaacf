//! What is remembered of addresses from one run to the next.
//!
//! Only what was learned is kept: an unknown outcome leaves an earlier answer as it is. A broken
//! address is asked again each time.

use super::Outcome;
use crate::model::date::Date;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the file's format.
const VERSION: u32 = 1;

/// What the file says it is, so that no other file is taken for one and written over.
const FORMAT: &str = "countersign links";

/// The last answer about an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remembered {
    /// `ok`, `moved` or `broken`.
    result: String,
    /// The status code, if a server answered.
    status: Option<u16>,
    /// Where it has moved to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    /// Why it is broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// The day of the answer, as `YYYY-MM-DD`.
    checked: String,
}

impl Remembered {
    /// The day of the answer; `None` if what was stored is no day.
    pub fn checked(&self) -> Option<Date> {
        Date::parse(&self.checked)
    }

    /// The word of the outcome.
    pub fn word(&self) -> &str {
        &self.result
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    version: u32,
    links: BTreeMap<String, Remembered>,
}

/// The last answers, by address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    links: BTreeMap<String, Remembered>,
}

impl Memory {
    /// Reads the file's text; `None` if it is not such a file.
    pub fn read(text: &str) -> Option<Self> {
        let file: File = serde_json::from_str(text).ok()?;
        (file.format == FORMAT && file.version == VERSION).then_some(Self { links: file.links })
    }

    /// The file's text.
    pub fn text(&self) -> String {
        let file = File {
            format: FORMAT.to_owned(),
            version: VERSION,
            links: self.links.clone(),
        };
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The last answer about an address.
    pub fn last(&self, url: &str) -> Option<&Remembered> {
        self.links.get(url)
    }

    /// The outcome of an earlier run that need not be asked for again: a good one, at most
    /// `age_max_days` old. A day in the future counts for nothing.
    pub fn fresh(&self, url: &str, today: Date, age_max_days: u32) -> Option<Outcome> {
        let last = self.links.get(url)?;
        let age = today.days_since(last.checked()?);
        if !(0..=i64::from(age_max_days)).contains(&age) {
            return None;
        }
        let status = last.status?;
        match (last.result.as_str(), &last.to) {
            ("ok", None) => Some(Outcome::Ok { status }),
            ("moved", Some(to)) => Some(Outcome::Moved {
                status,
                to: to.clone(),
            }),
            _ => None,
        }
    }

    /// Takes what a run learned on a day.
    pub fn learn(&mut self, url: &str, outcome: &Outcome, today: Date) {
        let (status, to, why) = match outcome {
            Outcome::Ok { status } => (Some(*status), None, None),
            Outcome::Moved { status, to } => (Some(*status), Some(to.clone()), None),
            Outcome::Broken { status, why } => (*status, None, Some(why.clone())),
            Outcome::Unknown { .. } => return,
        };
        let remembered = Remembered {
            result: outcome.word().to_owned(),
            status,
            to,
            why,
            checked: today.to_string(),
        };
        self.links.insert(url.to_owned(), remembered);
    }

    /// Forgets the addresses that fail the test.
    pub fn keep(&mut self, test: impl Fn(&str) -> bool) {
        self.links.retain(|url, _| test(url));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://example.org/";

    fn day(text: &str) -> Date {
        Date::parse(text).unwrap()
    }

    #[test]
    fn what_was_learned_comes_back() {
        let mut memory = Memory::default();
        let moved = Outcome::Moved {
            status: 200,
            to: "https://example.org/new".to_owned(),
        };
        memory.learn(URL, &moved, day("2026-09-01"));
        let unknown = Outcome::not_asked("the network is down");
        memory.learn(URL, &unknown, day("2026-09-05"));
        let memory = Memory::read(&memory.text()).unwrap();
        assert_eq!(memory.fresh(URL, day("2026-09-08"), 7), Some(moved));
        assert_eq!(memory.fresh(URL, day("2026-09-09"), 7), None);
        assert_eq!(memory.fresh(URL, day("2026-08-31"), 7), None);
    }

    #[test]
    fn a_broken_address_is_never_fresh() {
        let mut memory = Memory::default();
        let broken = Outcome::Broken {
            status: Some(404),
            why: "the server answered 404 Not Found".to_owned(),
        };
        memory.learn(URL, &broken, day("2026-09-01"));
        assert_eq!(memory.fresh(URL, day("2026-09-01"), 7), None);
        assert_eq!(memory.last(URL).unwrap().word(), "broken");
        memory.keep(|_| false);
        assert_eq!(memory, Memory::default());
    }

    #[test]
    fn other_files_are_told_apart() {
        for other in [
            "",
            "{}",
            "[]",
            "{\"format\":\"x\",\"version\":1,\"links\":{}}",
        ] {
            assert_eq!(Memory::read(other), None, "{other}");
        }
        assert!(Memory::read(&Memory::default().text()).is_some());
    }
}
