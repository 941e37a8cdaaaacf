//! `stale-source`.

use super::{CheckContext, Rule, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics, rule};

pub(super) const RULE: Rule = Rule {
    id: rule::STALE_SOURCE,
    scope: Scope::Entry(check),
    explain: include_str!("stale-source.md"),
};

fn check(cx: &CheckContext<'_>, out: &mut Diagnostics) {
    let limit = i64::try_from(cx.source_max_age_days).unwrap_or(i64::MAX);
    if limit == 0 {
        return;
    }
    let entry = cx.entry;
    for source in &entry.sources {
        let Some(checked) = source.checked.date() else {
            continue;
        };
        let age = cx.today.days_since(checked.value);
        if age > limit {
            out.push(
                Diagnostic::new(
                    rule::STALE_SOURCE,
                    checked.span,
                    format!("“{}” was checked {age} days ago", source.title.value),
                )
                .label(format!("the site allows {limit} days"))
                .help("Open the source, compare it with the text, and write the new date."),
            );
        }
    }
}
