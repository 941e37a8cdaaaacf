//! `site.toml` and the people registry.

use super::shape::{Names, named, needed, object, optional, optional_word, text, texts, whole};
use crate::diagnostic::{RuleId, Severity, rule};
use serde_json::{Value, json};

/// `site.toml`.
pub(super) fn settings() -> Value {
    let mut base_url = needed("Where the site will stand: scheme, host and perhaps a path.");
    base_url["pattern"] = json!("^https?://[A-Za-z0-9.:\\[\\]-]+(/[A-Za-z0-9._~-]+)*/?$");
    let mut language = text("Language of the site as a BCP 47 tag; `en` by default.");
    language["pattern"] = json!("^[A-Za-z0-9]{2,3}(-[A-Za-z0-9]{1,8})*$");
    let build = object(
        "Where the release goes.",
        &[],
        &[(
            "out",
            text("Folder of the release, relative to the site; `public` by default."),
        )],
    );
    let html = object(
        "Raw HTML in Markdown.",
        &[],
        &[(
            "raw",
            optional_word(
                "`sanitize` keeps what is harmless, `deny` makes it an error, `allow` keeps all.",
                &["sanitize", "deny", "allow"],
            ),
        )],
    );
    object(
        "Settings of a site made by countersign.",
        &["title", "base_url"],
        &[
            ("title", needed("Title of the site.")),
            ("base_url", base_url),
            ("language", language),
            ("description", text("One sentence about the site.")),
            ("build", build),
            ("gate", gate()),
            ("rules", rules()),
            ("html", html),
        ],
    )
}

fn gate() -> Value {
    let assurance = optional_word(
        "What publication takes: names in the byline, statements beside the entry, or signed statements.",
        &["named", "attested", "signed"],
    );
    let age = whole(
        "A source checked longer ago than this many days is stale; 0 means no limit.",
        (0, 36_500),
    );
    object(
        "What the gate asks for.",
        &[],
        &[
            ("assurance", assurance),
            ("source_max_age_days", optional(age)),
        ],
    )
}

fn rules() -> Value {
    let severities = |rule: &RuleId| -> Vec<&'static str> {
        let all = [
            ("off", Severity::Off),
            ("warn", Severity::Warning),
            ("error", Severity::Error),
        ];
        let allowed = all
            .into_iter()
            .filter(|(_, severity)| !rule.is_fixed() || *severity >= rule.severity);
        allowed.map(|(word, _)| word).collect()
    };
    let properties: Vec<_> = rule::ALL
        .iter()
        .map(|rule| {
            let words = severities(rule);
            let description = format!("{}: {}", rule.code, rule.summary);
            (
                rule.name,
                json!({"description": description, "enum": words}),
            )
        })
        .collect();
    object(
        "Severities that differ from a rule's own.",
        &[],
        &properties,
    )
}

/// `content/people.yaml`.
pub(super) fn people() -> Value {
    let mut url = text("A page about the person.");
    url["pattern"] = json!("^https?://\\S+$");
    let mut email = texts("E-mail addresses, by which two rows of one person are found.");
    let address = "^[^\\s<>@]+@[^\\s<>@.][^\\s<>@]*\\.[^\\s<>@]*$";
    email["pattern"] = json!(address);
    email["items"]["pattern"] = json!(address);
    let person = object(
        "A person.",
        &["name"],
        &[
            ("name", needed("The name that pages show.")),
            (
                "aliases",
                texts("Other names and spellings of the same person."),
            ),
            ("email", email),
            ("url", url),
            (
                "kind",
                optional_word(
                    "`human` by default. A group or a bot cannot sign.",
                    &["human", "group", "bot"],
                ),
            ),
            (
                "keys",
                texts("OpenSSH public keys: the line of a `.pub` file each."),
            ),
        ],
    );
    let mut registry = named(
        "Everybody who may write or review, by an id.",
        Names::People,
        &person,
    );
    registry["type"] = json!("object");
    registry["minProperties"] = json!(1);
    registry
}
