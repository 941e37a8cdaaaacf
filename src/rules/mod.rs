//! Every rule: its page, and how it is run.
//!
//! A rule that looks at a resolved site stands in a file of its own beside its page. A finding
//! that a stage makes itself (reading, resolving, simulating, evaluating, the gate, rendering,
//! the audit) has its page here too and names its stage. A rule pushes findings with its own
//! default severity; [`crate::check`] applies the site's settings. The page is at once what
//! `countersign explain` prints, the rule's part of `docs/rules.md`, and its test.

mod bad_source_url;
mod duplicate_source;
pub(crate) mod link_to_draft;
mod missing_alt;
mod orphan_term;
pub(crate) mod placeholder_text;
mod stale_source;
mod uncited_source;
mod unknown_embed;
mod weak_alt;

use crate::diagnostic::{Diagnostics, RuleId, rule};
use crate::model::date::Date;
use crate::model::entry::Entry;
use crate::resolve::References;

/// What a rule may look at: an entry, what it refers to, and nothing else that could change.
#[derive(Debug, Clone, Copy)]
pub struct CheckContext<'a> {
    /// The entry.
    pub entry: &'a Entry,
    /// What its references point at.
    pub references: &'a References,
    /// Whether another entry refers to it.
    pub is_linked: bool,
    /// Today, as given.
    pub today: Date,
    /// How old the check of a source may be, in days; 0 for any age.
    pub source_max_age_days: u64,
}

/// How a rule is run.
#[derive(Debug, Clone, Copy)]
pub enum Scope {
    /// Once for each entry.
    Entry(fn(&CheckContext<'_>, &mut Diagnostics)),
    /// By the named stage itself.
    Stage(&'static str),
}

/// A rule with its page.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Name, code, severity.
    pub id: RuleId,
    /// How it is run.
    pub scope: Scope,
    /// Its page, in Markdown: why it is there, a site that fails and one that passes.
    pub explain: &'static str,
}

impl Rule {
    /// A rule whose findings the named stage makes itself.
    const fn stage(id: RuleId, stage: &'static str, explain: &'static str) -> Self {
        Self {
            id,
            scope: Scope::Stage(stage),
            explain,
        }
    }
}

/// The rule with this name or code.
pub fn find(name: &str) -> Option<&'static Rule> {
    let id = rule::find(name)?;
    ALL.iter().find(|rule| rule.id == id)
}

/// Every rule, in the order of codes.
pub const ALL: &[Rule] = &[
    Rule::stage(
        rule::UNKNOWN_PERSON,
        "gate",
        include_str!("unknown-person.md"),
    ),
    Rule::stage(rule::SAME_PERSON, "gate", include_str!("same-person.md")),
    Rule::stage(rule::NOT_A_PERSON, "gate", include_str!("not-a-person.md")),
    Rule::stage(rule::MISSING_DATE, "gate", include_str!("missing-date.md")),
    Rule::stage(rule::DATE_ORDER, "gate", include_str!("date-order.md")),
    Rule::stage(rule::FUTURE_DATE, "gate", include_str!("future-date.md")),
    Rule::stage(
        rule::STALE_SIGNOFF,
        "gate",
        include_str!("stale-signoff.md"),
    ),
    Rule::stage(
        rule::MISSING_STATEMENT,
        "gate",
        include_str!("missing-statement.md"),
    ),
    Rule::stage(
        rule::BAD_SIGNATURE,
        "gate",
        include_str!("bad-signature.md"),
    ),
    Rule::stage(rule::NO_SOURCES, "gate", include_str!("no-sources.md")),
    Rule::stage(
        rule::MISSING_CHECK_DATE,
        "gate",
        include_str!("missing-check-date.md"),
    ),
    Rule::stage(rule::UNPUBLISHED, "gate", include_str!("unpublished.md")),
    Rule::stage(rule::BAD_PEOPLE, "parse", include_str!("bad-people.md")),
    Rule::stage(
        rule::PLACEHOLDER_TEXT,
        "gate",
        include_str!("placeholder-text.md"),
    ),
    bad_source_url::RULE,
    stale_source::RULE,
    duplicate_source::RULE,
    Rule::stage(
        rule::UNKNOWN_CITATION,
        "parse",
        include_str!("unknown-citation.md"),
    ),
    uncited_source::RULE,
    Rule::stage(
        rule::MISSING_PROVENANCE,
        "parse",
        include_str!("missing-provenance.md"),
    ),
    Rule::stage(rule::BAD_TABLE, "parse", include_str!("bad-table.md")),
    Rule::stage(
        rule::INCONSISTENT_COLUMN,
        "evaluate",
        include_str!("inconsistent-column.md"),
    ),
    Rule::stage(
        rule::CLAIM_MISMATCH,
        "evaluate",
        include_str!("claim-mismatch.md"),
    ),
    Rule::stage(
        rule::CLAIM_PRECISION,
        "evaluate",
        include_str!("claim-precision.md"),
    ),
    Rule::stage(
        rule::BAD_FORMULA,
        "evaluate",
        include_str!("bad-formula.md"),
    ),
    Rule::stage(
        rule::PRESET_MISMATCH,
        "simulate",
        include_str!("preset-mismatch.md"),
    ),
    Rule::stage(
        rule::UNCLAIMED_NUMBER,
        "evaluate",
        include_str!("unclaimed-number.md"),
    ),
    missing_alt::RULE,
    weak_alt::RULE,
    Rule::stage(
        rule::UNKNOWN_PRESET,
        "simulate",
        include_str!("unknown-preset.md"),
    ),
    unknown_embed::RULE,
    Rule::stage(rule::BAD_DRAWING, "draw", include_str!("bad-drawing.md")),
    Rule::stage(rule::BAD_MODEL, "simulate", include_str!("bad-model.md")),
    Rule::stage(rule::BROKEN_LINK, "resolve", include_str!("broken-link.md")),
    Rule::stage(
        rule::BROKEN_FRAGMENT,
        "resolve",
        include_str!("broken-fragment.md"),
    ),
    Rule::stage(
        rule::UNKNOWN_ENTRY,
        "resolve",
        include_str!("unknown-entry.md"),
    ),
    link_to_draft::RULE,
    Rule::stage(rule::BAD_SCHEME, "resolve", include_str!("bad-scheme.md")),
    Rule::stage(
        rule::OWN_HOST_LINK,
        "resolve",
        include_str!("own-host-link.md"),
    ),
    Rule::stage(rule::TWO_OWNERS, "resolve", include_str!("two-owners.md")),
    orphan_term::RULE,
    Rule::stage(rule::BAD_CONFIG, "parse", include_str!("bad-config.md")),
    Rule::stage(
        rule::BAD_FRONT_MATTER,
        "parse",
        include_str!("bad-front-matter.md"),
    ),
    Rule::stage(rule::UNKNOWN_KEY, "parse", include_str!("unknown-key.md")),
    Rule::stage(rule::MISSING_KEY, "parse", include_str!("missing-key.md")),
    Rule::stage(rule::BAD_DATE, "parse", include_str!("bad-date.md")),
    Rule::stage(rule::BAD_ID, "parse", include_str!("bad-id.md")),
    Rule::stage(
        rule::DUPLICATE_ID,
        "resolve",
        include_str!("duplicate-id.md"),
    ),
    Rule::stage(
        rule::DUPLICATE_NAME,
        "resolve",
        include_str!("duplicate-name.md"),
    ),
    Rule::stage(
        rule::DUPLICATE_ANCHOR,
        "parse",
        include_str!("duplicate-anchor.md"),
    ),
    Rule::stage(rule::HEADING_SKIP, "parse", include_str!("heading-skip.md")),
    Rule::stage(rule::RAW_HTML, "parse", include_str!("raw-html.md")),
    Rule::stage(rule::LOST_TEXT, "parse", include_str!("lost-text.md")),
    Rule::stage(
        rule::UNKNOWN_FOOTNOTE,
        "parse",
        include_str!("unknown-footnote.md"),
    ),
    Rule::stage(
        rule::OUTPUT_COLLISION,
        "load",
        include_str!("output-collision.md"),
    ),
    Rule::stage(rule::UNSAFE_PATH, "load", include_str!("unsafe-path.md")),
    Rule::stage(
        rule::TEMPLATE_ERROR,
        "render",
        include_str!("template-error.md"),
    ),
    Rule::stage(rule::BAD_ENCODING, "load", include_str!("bad-encoding.md")),
    Rule::stage(
        rule::CONTROL_CHARACTER,
        "parse",
        include_str!("control-character.md"),
    ),
    Rule::stage(rule::TOO_LARGE, "load", include_str!("too-large.md")),
    Rule::stage(rule::TOO_DEEP, "parse", include_str!("too-deep.md")),
    Rule::stage(rule::BAD_MATH, "parse", include_str!("bad-math.md")),
    Rule::stage(
        rule::UNREADABLE_FILE,
        "load",
        include_str!("unreadable-file.md"),
    ),
    Rule::stage(rule::DRAFT_LEAK, "audit", include_str!("draft-leak.md")),
    Rule::stage(
        rule::PAGE_WITHOUT_BYLINE,
        "audit",
        include_str!("page-without-byline.md"),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_here_in_the_order_of_codes() {
        let here: Vec<_> = ALL.iter().map(|rule| rule.id).collect();
        assert_eq!(here, rule::ALL);
    }

    #[test]
    fn every_page_begins_with_the_name_of_its_rule() {
        for rule in ALL {
            let title = rule.explain.lines().next().unwrap();
            assert_eq!(title, format!("# {}", rule.id.name));
        }
    }
}
