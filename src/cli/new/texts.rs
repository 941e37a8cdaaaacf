//! The texts that `new` writes. Tests check that each makes a site without a finding.

use crate::model::scaffold;

/// What git leaves alone: what a build makes again.
pub(super) const IGNORED: &str = "/public/\n/staging/\n/.countersign-cache/\n";

/// Which schema belongs to which file, for Visual Studio Code with its usual extensions for YAML
/// and TOML.
pub(super) const EDITOR: &str = r#"{
  "yaml.schemas": {
    "./schemas/people.json": "content/people.yaml"
  },
  "json.schemas": [
    {"fileMatch": ["content/captures/*.json"], "url": "./schemas/capture.json"}
  ],
  "evenBetterToml.schema.associations": {
    "content/presets/.*\\.toml$": "./schemas/preset.json"
  }
}
"#;

/// The home page.
pub(super) fn home() -> String {
    let say = scaffold::HOME;
    format!("{say}\n\nBegin with [[issue-slot|a term]]: it shows what an entry can hold.\n")
}

/// `site.toml`.
pub(super) fn settings(title: &str, base_url: &str) -> String {
    let (title, base_url) = (quote(title), quote(base_url));
    format!(
        "#:schema schemas/site.json\n\
         title = {title}\n\
         base_url = {base_url}\n\
         language = \"en\"\n\
         description = \"\"\n\n\
         [gate]\n\
         # named: the byline names two people. attested: each has written a statement with\n\
         # `countersign sign`. signed: each statement carries a signature.\n\
         assurance = \"named\"\n"
    )
}

/// The example: its numbers come from a simulated machine, so that nothing had to be measured.
pub(super) const EXAMPLE: &str = "\
---
title: What is an issue slot?
term: issue slot
short: One opportunity, in one cycle, for a scheduler to issue an instruction.
models:
  loom:
    kind: warp-scheduler
    warps: 2
    steps: 2
    residents: [1, 2]
    latency: [4]
    start: {residents: 2, latency: 4}
    alt: \"Two warps share one issue slot a cycle. One after the other they take [24 cycles](<= loom(residents: 1, latency: 4).cycles>), together [16 cycles](<= loom(residents: 2, latency: 4).cycles>).\"
    caption: \"Step through it: an idle slot is a cycle in which no warp was ready.\"
byline:
  written_by: pending
  reviewed_by: pending
  written_on: pending
  last_checked_on: pending
---

This entry is an example. Change it, or delete it together with the link to it on the home page.

A scheduler has one slot a cycle. In the model below each warp waits four cycles for what it loads. One warp at a time leaves
[12](<= loom(residents: 1, latency: 4).idle>) slots idle; two warps at once leave [4](<= loom(residents: 2, latency: 4).idle>).

![](model:loom)

Each of these numbers is tied to the model by a formula. Change one and `countersign check` says what it should be.
";

/// The front matter of every draft ends so.
const BYLINE: &str = "\
byline:
  written_by: pending
  reviewed_by: pending
  written_on: pending
  last_checked_on: pending
---
";

/// A new term.
pub(super) fn term(name: &str) -> String {
    let title = scalar(&format!("What is {name}?"));
    format!(
        "---\ntitle: {title}\nterm: {}\nshort: {}\naliases: []\nrelated: []\nsources: []\n{BYLINE}\n\
         {}\n\n\
         ## The common mistake\n\n\
         {}\n",
        scalar(name),
        scaffold::TERM_SHORT,
        scaffold::TERM_BODY,
        scaffold::TERM_MISTAKE
    )
}

/// A new lesson.
pub(super) fn lesson(name: &str) -> String {
    format!(
        "---\ntitle: {}\nshort: {}\nprerequisites: []\nteaches: []\nsources: []\n{BYLINE}\n\
         {}\n\n\
         ## The first step {{#first kicker=\"The question\"}}\n\n\
         {}\n\n\
         ## What you have learned {{#learned kicker=\"The answer\"}}\n\n\
         {}\n",
        scalar(name),
        scaffold::LESSON_SHORT,
        scaffold::LESSON_BODY,
        scaffold::LESSON_FIRST,
        scaffold::LESSON_END
    )
}

/// Text as a YAML scalar: bare where nothing could be taken for something else.
fn scalar(text: &str) -> String {
    let words = text
        .chars()
        .all(|c| c.is_alphanumeric() || " -'’?".contains(c));
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let taken = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    let plain = words && starts && !taken.contains(&text.to_lowercase().as_str());
    if plain { text.to_owned() } else { quote(text) }
}

/// Text in double quotes, which YAML and TOML read alike.
fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}
