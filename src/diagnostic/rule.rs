//! Names, codes and default severities of every finding.
//!
//! A code is never used twice and never changes its meaning. The group is the hundred of the
//! code: 1 sign-off, 2 sources, 3 evidence, 4 figures, 5 links, 6 structure, 7 output.

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Not reported.
    Off,
    /// Reported; nothing fails.
    Warning,
    /// Reported; `check` and `build` fail.
    Error,
}

impl Severity {
    /// The word shown to people and machines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// People, dates and signatures: cannot be turned down.
    SignOff,
    /// Cited documents.
    Sources,
    /// Captures, claims and formulas.
    Evidence,
    /// Diagrams, models and their texts.
    Figures,
    /// Links between pages and out of the site.
    Links,
    /// Files, keys, ids, Markdown and templates.
    Structure,
    /// What the audit of the finished release finds.
    Output,
}

impl Group {
    /// Every group, in the order of codes.
    pub const ALL: [Self; 7] = [
        Self::SignOff,
        Self::Sources,
        Self::Evidence,
        Self::Figures,
        Self::Links,
        Self::Structure,
        Self::Output,
    ];

    /// The word for people and for machines.
    pub fn word(self) -> &'static str {
        match self {
            Self::SignOff => "sign-off",
            Self::Sources => "sources",
            Self::Evidence => "evidence",
            Self::Figures => "figures",
            Self::Links => "links",
            Self::Structure => "structure",
            Self::Output => "output",
        }
    }
}

/// The identity of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId {
    /// Kebab-case name; names the bad thing.
    pub name: &'static str,
    /// `CS` and three digits.
    pub code: &'static str,
    /// The severity where the site says nothing.
    pub severity: Severity,
    /// The group.
    pub group: Group,
    /// One sentence that says when it fires.
    pub summary: &'static str,
}

impl RuleId {
    /// Whether no site can lower its severity: it belongs to the sign-off or the output, or
    /// without it the other findings could not be relied on.
    pub fn is_fixed(&self) -> bool {
        matches!(self.group, Group::SignOff | Group::Output)
            || matches!(
                self.name,
                "bad-config"
                    | "bad-front-matter"
                    | "unknown-key"
                    | "missing-key"
                    | "bad-id"
                    | "duplicate-id"
                    | "output-collision"
                    | "unsafe-path"
                    | "template-error"
                    | "bad-encoding"
                    | "control-character"
                    | "too-large"
                    | "too-deep"
                    | "bad-date"
                    | "unreadable-file"
            )
    }
}

const fn rule(
    (name, code): (&'static str, &'static str),
    (severity, group): (Severity, Group),
    summary: &'static str,
) -> RuleId {
    RuleId {
        name,
        code,
        severity,
        group,
        summary,
    }
}

/// A byline names somebody whom the people registry does not know.
pub const UNKNOWN_PERSON: RuleId = rule(
    ("unknown-person", "CS101"),
    (Severity::Error, Group::SignOff),
    "A byline names somebody whom the people registry does not know.",
);

/// The author and the reviewer of an entry are one person.
pub const SAME_PERSON: RuleId = rule(
    ("same-person", "CS102"),
    (Severity::Error, Group::SignOff),
    "The author and the reviewer of an entry are one person.",
);

/// A byline names a group or a bot.
pub const NOT_A_PERSON: RuleId = rule(
    ("not-a-person", "CS103"),
    (Severity::Error, Group::SignOff),
    "A byline names a group or a bot.",
);

/// An entry that asks for publication lacks a date of its byline.
pub const MISSING_DATE: RuleId = rule(
    ("missing-date", "CS104"),
    (Severity::Error, Group::SignOff),
    "An entry that asks for publication lacks a date of its byline.",
);

/// The dates of a byline are not in order.
pub const DATE_ORDER: RuleId = rule(
    ("date-order", "CS105"),
    (Severity::Error, Group::SignOff),
    "The dates of a byline are not in order.",
);

/// A date lies after today.
pub const FUTURE_DATE: RuleId = rule(
    ("future-date", "CS106"),
    (Severity::Error, Group::SignOff),
    "A date lies after today.",
);

/// What was signed has changed since.
pub const STALE_SIGNOFF: RuleId = rule(
    ("stale-signoff", "CS107"),
    (Severity::Error, Group::SignOff),
    "What was signed has changed since.",
);

/// The site asks for statements, and one is missing.
pub const MISSING_STATEMENT: RuleId = rule(
    ("missing-statement", "CS108"),
    (Severity::Error, Group::SignOff),
    "The site asks for statements, and one is missing.",
);

/// A statement's signature does not hold.
pub const BAD_SIGNATURE: RuleId = rule(
    ("bad-signature", "CS109"),
    (Severity::Error, Group::SignOff),
    "A statement's signature does not hold.",
);

/// An entry that asks for publication cites no source.
pub const NO_SOURCES: RuleId = rule(
    ("no-sources", "CS110"),
    (Severity::Error, Group::SignOff),
    "An entry that asks for publication cites no source.",
);

/// A source of an entry that asks for publication has no check date.
pub const MISSING_CHECK_DATE: RuleId = rule(
    ("missing-check-date", "CS111"),
    (Severity::Error, Group::SignOff),
    "A source of an entry that asks for publication has no check date.",
);

/// An entry is not published, and the run was asked to have no drafts.
pub const UNPUBLISHED: RuleId = rule(
    ("unpublished", "CS112"),
    (Severity::Error, Group::SignOff),
    "An entry is not published, and the run was asked to have no drafts.",
);

/// The people registry cannot be used.
pub const BAD_PEOPLE: RuleId = rule(
    ("bad-people", "CS113"),
    (Severity::Error, Group::SignOff),
    "The people registry cannot be used.",
);

/// An entry that asks for publication still has a sentence that holds the place of its own.
pub const PLACEHOLDER_TEXT: RuleId = rule(
    ("placeholder-text", "CS114"),
    (Severity::Error, Group::SignOff),
    "An entry that asks for publication still has a sentence that holds the place of its own.",
);

/// A source's address is not one that a reader can open.
pub const BAD_SOURCE_URL: RuleId = rule(
    ("bad-source-url", "CS201"),
    (Severity::Error, Group::Sources),
    "A source's address is not one that a reader can open.",
);

/// A source was checked longer ago than the site allows.
pub const STALE_SOURCE: RuleId = rule(
    ("stale-source", "CS202"),
    (Severity::Warning, Group::Sources),
    "A source was checked longer ago than the site allows.",
);

/// Two sources of an entry are the same document or share an id.
pub const DUPLICATE_SOURCE: RuleId = rule(
    ("duplicate-source", "CS203"),
    (Severity::Error, Group::Sources),
    "Two sources of an entry are the same document or share an id.",
);

/// A citation names no source of its entry.
pub const UNKNOWN_CITATION: RuleId = rule(
    ("unknown-citation", "CS204"),
    (Severity::Error, Group::Sources),
    "A citation names no source of its entry.",
);

/// A source is cited nowhere in its entry.
pub const UNCITED_SOURCE: RuleId = rule(
    ("uncited-source", "CS205"),
    (Severity::Off, Group::Sources),
    "A source is cited nowhere in its entry.",
);

/// A capture does not say where it was measured.
pub const MISSING_PROVENANCE: RuleId = rule(
    ("missing-provenance", "CS301"),
    (Severity::Error, Group::Evidence),
    "A capture does not say where it was measured.",
);

/// A capture's rows and columns do not fit.
pub const BAD_TABLE: RuleId = rule(
    ("bad-table", "CS302"),
    (Severity::Error, Group::Evidence),
    "A capture's rows and columns do not fit.",
);

/// A derived column does not follow from the others.
pub const INCONSISTENT_COLUMN: RuleId = rule(
    ("inconsistent-column", "CS303"),
    (Severity::Error, Group::Evidence),
    "A derived column does not follow from the others.",
);

/// A number in prose is not what its formula gives.
pub const CLAIM_MISMATCH: RuleId = rule(
    ("claim-mismatch", "CS304"),
    (Severity::Error, Group::Evidence),
    "A number in prose is not what its formula gives.",
);

/// A number in prose has more digits than the data bears.
pub const CLAIM_PRECISION: RuleId = rule(
    ("claim-precision", "CS305"),
    (Severity::Error, Group::Evidence),
    "A number in prose has more digits than the data bears.",
);

/// A formula cannot be read or names something unknown.
pub const BAD_FORMULA: RuleId = rule(
    ("bad-formula", "CS306"),
    (Severity::Error, Group::Evidence),
    "A formula cannot be read or names something unknown.",
);

/// A preset's totals are not what they come to, or not what was measured.
pub const PRESET_MISMATCH: RuleId = rule(
    ("preset-mismatch", "CS307"),
    (Severity::Error, Group::Evidence),
    "A preset's totals are not what they come to, or not what was measured.",
);

/// A number in a measured passage is tied to no data.
pub const UNCLAIMED_NUMBER: RuleId = rule(
    ("unclaimed-number", "CS308"),
    (Severity::Off, Group::Evidence),
    "A number in a measured passage is tied to no data.",
);

/// A figure has no alternative text.
pub const MISSING_ALT: RuleId = rule(
    ("missing-alt", "CS401"),
    (Severity::Error, Group::Figures),
    "A figure has no alternative text.",
);

/// An alternative text says nothing that helps.
pub const WEAK_ALT: RuleId = rule(
    ("weak-alt", "CS402"),
    (Severity::Warning, Group::Figures),
    "An alternative text says nothing that helps.",
);

/// A diagram names a preset that does not exist or cannot be read.
pub const UNKNOWN_PRESET: RuleId = rule(
    ("unknown-preset", "CS403"),
    (Severity::Error, Group::Figures),
    "A diagram names a preset that does not exist or cannot be read.",
);

/// An embed names no capture, diagram, model or matrix of its entry.
pub const UNKNOWN_EMBED: RuleId = rule(
    ("unknown-embed", "CS404"),
    (Severity::Error, Group::Figures),
    "An embed names no capture, diagram, model or matrix of its entry.",
);

/// A drawing would not be legible.
pub const BAD_DRAWING: RuleId = rule(
    ("bad-drawing", "CS405"),
    (Severity::Error, Group::Figures),
    "A drawing would not be legible.",
);

/// A model or a matrix has values that cannot be simulated.
pub const BAD_MODEL: RuleId = rule(
    ("bad-model", "CS406"),
    (Severity::Error, Group::Figures),
    "A model or a matrix has values that cannot be simulated.",
);

/// A link leads to no file of the site.
pub const BROKEN_LINK: RuleId = rule(
    ("broken-link", "CS501"),
    (Severity::Error, Group::Links),
    "A link leads to no file of the site.",
);

/// A link leads to no heading of its page.
pub const BROKEN_FRAGMENT: RuleId = rule(
    ("broken-fragment", "CS502"),
    (Severity::Error, Group::Links),
    "A link leads to no heading of its page.",
);

/// A name of an entry is unknown.
pub const UNKNOWN_ENTRY: RuleId = rule(
    ("unknown-entry", "CS503"),
    (Severity::Error, Group::Links),
    "A name of an entry is unknown.",
);

/// A published page links to an entry that is not published.
pub const LINK_TO_DRAFT: RuleId = rule(
    ("link-to-draft", "CS504"),
    (Severity::Warning, Group::Links),
    "A published page links to an entry that is not published.",
);

/// A link has a scheme that a page may not use.
pub const BAD_SCHEME: RuleId = rule(
    ("bad-scheme", "CS505"),
    (Severity::Error, Group::Links),
    "A link has a scheme that a page may not use.",
);

/// A link gives the site's own or a local address in full.
pub const OWN_HOST_LINK: RuleId = rule(
    ("own-host-link", "CS506"),
    (Severity::Warning, Group::Links),
    "A link gives the site's own or a local address in full.",
);

/// Two lessons own one term.
pub const TWO_OWNERS: RuleId = rule(
    ("two-owners", "CS507"),
    (Severity::Error, Group::Links),
    "Two lessons own one term.",
);

/// A term is met in no lesson and linked from nowhere.
pub const ORPHAN_TERM: RuleId = rule(
    ("orphan-term", "CS508"),
    (Severity::Off, Group::Links),
    "A term is met in no lesson and linked from nowhere.",
);

/// The site's configuration cannot be used.
pub const BAD_CONFIG: RuleId = rule(
    ("bad-config", "CS601"),
    (Severity::Error, Group::Structure),
    "The site's configuration cannot be used.",
);

/// Front matter cannot be read.
pub const BAD_FRONT_MATTER: RuleId = rule(
    ("bad-front-matter", "CS602"),
    (Severity::Error, Group::Structure),
    "Front matter cannot be read.",
);

/// A key is not one that is known here.
pub const UNKNOWN_KEY: RuleId = rule(
    ("unknown-key", "CS603"),
    (Severity::Error, Group::Structure),
    "A key is not one that is known here.",
);

/// A required key is missing.
pub const MISSING_KEY: RuleId = rule(
    ("missing-key", "CS604"),
    (Severity::Error, Group::Structure),
    "A required key is missing.",
);

/// A date is not a day of the calendar in the form YYYY-MM-DD.
pub const BAD_DATE: RuleId = rule(
    ("bad-date", "CS605"),
    (Severity::Error, Group::Structure),
    "A date is not a day of the calendar in the form YYYY-MM-DD.",
);

/// An id is not made of lower-case letters, digits and single hyphens.
pub const BAD_ID: RuleId = rule(
    ("bad-id", "CS606"),
    (Severity::Error, Group::Structure),
    "An id is not made of lower-case letters, digits and single hyphens.",
);

/// Two entries have one id.
pub const DUPLICATE_ID: RuleId = rule(
    ("duplicate-id", "CS607"),
    (Severity::Error, Group::Structure),
    "Two entries have one id.",
);

/// Two entries have one name or alias.
pub const DUPLICATE_NAME: RuleId = rule(
    ("duplicate-name", "CS608"),
    (Severity::Error, Group::Structure),
    "Two entries have one name or alias.",
);

/// An author wrote one heading id twice.
pub const DUPLICATE_ANCHOR: RuleId = rule(
    ("duplicate-anchor", "CS609"),
    (Severity::Error, Group::Structure),
    "An author wrote one heading id twice.",
);

/// A heading is more than one level below the one before.
pub const HEADING_SKIP: RuleId = rule(
    ("heading-skip", "CS610"),
    (Severity::Warning, Group::Structure),
    "A heading is more than one level below the one before.",
);

/// Raw HTML is removed or forbidden.
pub const RAW_HTML: RuleId = rule(
    ("raw-html", "CS611"),
    (Severity::Warning, Group::Structure),
    "Raw HTML is removed or forbidden.",
);

/// Text would be lost without a word.
pub const LOST_TEXT: RuleId = rule(
    ("lost-text", "CS612"),
    (Severity::Warning, Group::Structure),
    "Text would be lost without a word.",
);

/// A footnote is undefined, unused or defined twice.
pub const UNKNOWN_FOOTNOTE: RuleId = rule(
    ("unknown-footnote", "CS613"),
    (Severity::Error, Group::Structure),
    "A footnote is undefined, unused or defined twice.",
);

/// Two things would be written to one address.
pub const OUTPUT_COLLISION: RuleId = rule(
    ("output-collision", "CS614"),
    (Severity::Error, Group::Structure),
    "Two things would be written to one address.",
);

/// A path or link leads out of the site.
pub const UNSAFE_PATH: RuleId = rule(
    ("unsafe-path", "CS615"),
    (Severity::Error, Group::Structure),
    "A path or link leads out of the site.",
);

/// A template cannot be read or rendered.
pub const TEMPLATE_ERROR: RuleId = rule(
    ("template-error", "CS616"),
    (Severity::Error, Group::Structure),
    "A template cannot be read or rendered.",
);

/// A file is not UTF-8 text.
pub const BAD_ENCODING: RuleId = rule(
    ("bad-encoding", "CS617"),
    (Severity::Error, Group::Structure),
    "A file is not UTF-8 text.",
);

/// A text holds a control or bidirectional-override character.
pub const CONTROL_CHARACTER: RuleId = rule(
    ("control-character", "CS618"),
    (Severity::Error, Group::Structure),
    "A text holds a control or bidirectional-override character.",
);

/// A file or a table is over its limit.
pub const TOO_LARGE: RuleId = rule(
    ("too-large", "CS619"),
    (Severity::Error, Group::Structure),
    "A file or a table is over its limit.",
);

/// Something is nested deeper than its limit.
pub const TOO_DEEP: RuleId = rule(
    ("too-deep", "CS620"),
    (Severity::Error, Group::Structure),
    "Something is nested deeper than its limit.",
);

/// A formula of mathematics cannot be read.
pub const BAD_MATH: RuleId = rule(
    ("bad-math", "CS621"),
    (Severity::Error, Group::Structure),
    "A formula of mathematics cannot be read.",
);

/// A file or folder of the site cannot be read.
pub const UNREADABLE_FILE: RuleId = rule(
    ("unreadable-file", "CS622"),
    (Severity::Error, Group::Structure),
    "A file or folder of the site cannot be read.",
);

/// A word of an unpublished entry stands in the release.
pub const DRAFT_LEAK: RuleId = rule(
    ("draft-leak", "CS701"),
    (Severity::Error, Group::Output),
    "A word of an unpublished entry stands in the release.",
);

/// A published page does not show who signed it.
pub const PAGE_WITHOUT_BYLINE: RuleId = rule(
    ("page-without-byline", "CS702"),
    (Severity::Error, Group::Output),
    "A published page does not show who signed it.",
);

/// Every rule, in the order of codes.
pub const ALL: &[RuleId] = &[
    UNKNOWN_PERSON,
    SAME_PERSON,
    NOT_A_PERSON,
    MISSING_DATE,
    DATE_ORDER,
    FUTURE_DATE,
    STALE_SIGNOFF,
    MISSING_STATEMENT,
    BAD_SIGNATURE,
    NO_SOURCES,
    MISSING_CHECK_DATE,
    UNPUBLISHED,
    BAD_PEOPLE,
    PLACEHOLDER_TEXT,
    BAD_SOURCE_URL,
    STALE_SOURCE,
    DUPLICATE_SOURCE,
    UNKNOWN_CITATION,
    UNCITED_SOURCE,
    MISSING_PROVENANCE,
    BAD_TABLE,
    INCONSISTENT_COLUMN,
    CLAIM_MISMATCH,
    CLAIM_PRECISION,
    BAD_FORMULA,
    PRESET_MISMATCH,
    UNCLAIMED_NUMBER,
    MISSING_ALT,
    WEAK_ALT,
    UNKNOWN_PRESET,
    UNKNOWN_EMBED,
    BAD_DRAWING,
    BAD_MODEL,
    BROKEN_LINK,
    BROKEN_FRAGMENT,
    UNKNOWN_ENTRY,
    LINK_TO_DRAFT,
    BAD_SCHEME,
    OWN_HOST_LINK,
    TWO_OWNERS,
    ORPHAN_TERM,
    BAD_CONFIG,
    BAD_FRONT_MATTER,
    UNKNOWN_KEY,
    MISSING_KEY,
    BAD_DATE,
    BAD_ID,
    DUPLICATE_ID,
    DUPLICATE_NAME,
    DUPLICATE_ANCHOR,
    HEADING_SKIP,
    RAW_HTML,
    LOST_TEXT,
    UNKNOWN_FOOTNOTE,
    OUTPUT_COLLISION,
    UNSAFE_PATH,
    TEMPLATE_ERROR,
    BAD_ENCODING,
    CONTROL_CHARACTER,
    TOO_LARGE,
    TOO_DEEP,
    BAD_MATH,
    UNREADABLE_FILE,
    DRAFT_LEAK,
    PAGE_WITHOUT_BYLINE,
];

/// The rule with this name or code.
pub fn find(name: &str) -> Option<RuleId> {
    ALL.iter()
        .copied()
        .find(|rule| rule.name == name || rule.code.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(ALL.windows(2).all(|pair| pair[0].code < pair[1].code));
    }

    #[test]
    fn the_code_of_same_person_is_fixed() {
        assert_eq!(SAME_PERSON.code, "CS102");
    }
}
