//! Trusting a base revision: a change is judged by the people and the policy that stood before
//! it, so that it cannot bring its own reviewer, key or leniency.
//!
//! Reading the base revision from git is the command's work; it adds the old `site.toml` and
//! `content/people.yaml` to the sources under other paths and reads them as any other.

use crate::diagnostic::rule::ALL;
use crate::model::config::{Config, RawHtml};
use crate::model::person::{People, Person, Registry};

/// The settings that hold for a change: each of the gate's the stricter of the two. What is not
/// a matter of strictness (title, address, language) is the change's own; statements name the
/// site that they are for, so a new address needs new ones.
#[must_use]
pub fn stricter(base: &Config, change: &Config) -> Config {
    let mut config = change.clone();
    config.assurance = base.assurance.max(change.assurance);
    config.source_max_age_days = match (base.source_max_age_days, change.source_max_age_days) {
        (0, days) | (days, 0) => days,
        (one, two) => one.min(two),
    };
    config.raw_html = match (base.raw_html, change.raw_html) {
        (RawHtml::Deny, _) | (_, RawHtml::Deny) => RawHtml::Deny,
        (RawHtml::Sanitize, _) | (_, RawHtml::Sanitize) => RawHtml::Sanitize,
        (RawHtml::Allow, RawHtml::Allow) => RawHtml::Allow,
    };
    // A rule that a side does not set has its own severity there, and the higher one counts.
    config.severities.clear();
    for rule in ALL {
        let set = [base, change].map(|side| side.severities.get(rule.name).copied());
        let unset = set.contains(&None).then_some(rule.severity);
        let highest = set.into_iter().flatten().max();
        if let Some(severity) = highest.filter(|&severity| Some(severity) > unset) {
            config.severities.insert(rule.name, severity);
        }
    }
    config
}

/// The people who may sign a change: those of the base revision. A registry that the change
/// brings where there was none narrows who may stand in a byline, but gives nobody a key. Faults in
/// either registry count.
#[must_use]
pub fn people(base: People, change: &People) -> People {
    match base {
        People::Absent => match change {
            People::Absent => People::Absent,
            People::Known(registry) => People::Known(without_keys(registry)),
            People::Faulty(registry) => People::Faulty(without_keys(registry)),
            People::Unread => People::Unread,
        },
        People::Known(registry) if change.is_faulty() => People::Faulty(registry),
        base => base,
    }
}

fn without_keys(registry: &Registry) -> Registry {
    let strip = |person: &Person| Person {
        keys: Vec::new(),
        ..person.clone()
    };
    Registry::new(registry.people().iter().map(strip).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity::{self, Error, Off, Warning};
    use crate::diagnostic::{Diagnostics, rule};
    use crate::parse::config;
    use crate::source::{Digest, SourceFile, Sources};

    fn settings(severity: Option<Severity>) -> Config {
        let text = "title = \"T\"\nbase_url = \"https://example.org/\"\n";
        let mut sources = Sources::new();
        let file = sources.add(SourceFile::new("site.toml", text, Digest::of(text)));
        let mut config = config::read(&sources, file, &mut Diagnostics::new());
        let set = severity.map(|severity| (rule::WEAK_ALT.name, severity));
        config.severities.extend(set);
        config
    }

    #[test]
    fn the_higher_severity_counts() {
        assert_eq!(rule::WEAK_ALT.severity, Warning);
        for (base, change, both) in [
            (None, None, None),
            (None, Some(Off), None),
            (None, Some(Error), Some(Error)),
            (Some(Error), Some(Off), Some(Error)),
            (Some(Error), None, Some(Error)),
            (Some(Off), None, None),
            (Some(Off), Some(Off), Some(Off)),
            (Some(Off), Some(Warning), Some(Warning)),
        ] {
            let found = stricter(&settings(base), &settings(change));
            let found = found.severities.get(rule::WEAK_ALT.name).copied();
            assert_eq!(found, both, "{base:?} {change:?}");
        }
    }

    #[test]
    fn the_shorter_age_counts() {
        let age = |days| Config {
            source_max_age_days: days,
            ..settings(None)
        };
        for (base, change, both) in [(0, 0, 0), (90, 0, 90), (0, 90, 90), (30, 90, 30)] {
            assert_eq!(stricter(&age(base), &age(change)).source_max_age_days, both);
        }
    }
}
