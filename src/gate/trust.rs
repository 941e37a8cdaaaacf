//! Trusting a base revision: a change is judged by the people and the policy that stood before
//! it, so that it cannot bring its own reviewer, key or leniency.
//!
//! Reading the base revision from git is the command's work; it adds the old `site.toml` and
//! `content/people.yaml` to the sources under other paths and reads them as any other.

use crate::model::config::Config;
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
    // Each rule keeps the higher of the two severities; one that neither sets keeps its own.
    for rule in crate::diagnostic::rule::ALL {
        let severity = base.severity(*rule).max(change.severity(*rule));
        config.severities.insert(rule.name, severity);
    }
    config
}

/// The people who may sign a change: those of the base revision. A registry that the change
/// brings where there was none narrows who may stand in a byline, but gives nobody a key. Faults in
/// either registry count.
#[must_use]
pub fn people(base: People, change: &People) -> People {
    let broken = matches!(change, People::Faulty(_));
    match base {
        People::Absent => match change {
            People::Absent => People::Absent,
            People::Known(registry) => People::Known(without_keys(registry)),
            People::Faulty(registry) => People::Faulty(without_keys(registry)),
        },
        People::Known(registry) if broken => People::Faulty(registry),
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
