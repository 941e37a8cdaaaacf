//! A small site in memory: one entry with everything that a person signs, in files that a test
//! can change, and the gate's word on it.

use countersign::diagnostic::{Diagnostics, Severity};
use countersign::gate::sign::{Composed, Refusal, compose, seal};
use countersign::gate::signature::SigningKey;
use countersign::gate::{
    Digests, Dossier, Judgement, Policy, Soundness, Submission, digests, judge,
};
use countersign::model::byline::Role;
use countersign::model::config::{Assurance, Config, RawHtml};
use countersign::model::date::Date;
use countersign::model::entry::Entry;
use countersign::model::person::People;
use countersign::parse::people;
use countersign::source::{Digest, FileId, SourceFile, Sources, Span};
use std::collections::BTreeMap;

pub(crate) const WARP: &str = "content/terms/warp.md";
pub(crate) const PEOPLE: &str = "content/people.yaml";

const ENTRY: &str = r#"---
title: What is a warp?
term: warp
aliases: [wavefront]
short: Thirty-two threads that issue together.
related: [lane]
measured:
  t4:
    device: Tesla T4
    driver: "595.84"
    toolkit: "12.6"
    build: nvcc -O3
    captured: 2026-09-01
    constants: {bytes: 201326592}
    columns: {label: {}, ms: {unit: ms}}
    rows:
      - [one, 0.785]
      - [four, 0.798]
  h200: {file: captures/h200.json}
diagrams:
  two-ways:
    preset: two-ways-to-64
    alt: Two processors side by side, one full of warps and one with eight.
    caption: Two ways to sixty-four.
models:
  loom: {kind: warp-scheduler, warps: 4, steps: 4, residents: [1, 2], latency: [4], alt: Four warps share one slot.}
sources:
  - id: guide
    title: Vendor guide
    sections: [Threads]
    supports: what a warp is
    url: https://docs.example/guide
    checked: 2026-08-30
  - {id: paper, title: A paper, url: "https://docs.example/paper", checked: 2026-08-31}
byline:
  written_by: Ada Lovelace
  reviewed_by: Grace Hopper
  written_on: 2026-09-02
  last_checked_on: 2026-09-03
---

A warp takes 96 cycles[^guide].

![A picture of lanes](lanes.svg)
"#;

const H200: &str = r#"{"device": "H200", "driver": "580.1", "toolkit": "12.8", "build": "nvcc", "captured": "2026-09-01",
 "columns": {"label": {}, "ms": {"unit": "ms"}}, "rows": [["one", "0.1"]]}
"#;

const PRESET: &str = "kind = \"occupancy-stepper\"\ntitle = \"Two ways\"\n[device]\nname = \"Tesla T4\"\nmax_warps = 32\n";

/// The registry that tests add.
pub(crate) const REGISTRY: &str = "ada: {name: Ada Lovelace, aliases: [Countess of Lovelace], email: ada@example.org}\n\
grace: {name: Grace Hopper, email: grace@example.org}\nalan: {name: Alan Turing}\n\
team: {name: Course team, kind: group}\nrobot: {name: Build robot, kind: bot}\n";

/// The files and settings of a site, to be changed by a test.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) base_url: &'static str,
    pub(crate) assurance: Assurance,
    pub(crate) today: &'static str,
    pub(crate) trace: &'static str,
    pub(crate) soundness: Soundness,
    /// Rules that `site.toml` turns off.
    pub(crate) rules_off: &'static [&'static str],
}

/// What the gate said of the entry.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) state: &'static str,
    pub(crate) waits_for: Vec<&'static str>,
    /// Names of the rules that found something, sorted, each once.
    pub(crate) rules: Vec<&'static str>,
    /// Every message, note and help.
    pub(crate) words: String,
    pub(crate) published: usize,
}

impl Site {
    pub(crate) fn new() -> Self {
        let files = [
            (WARP, ENTRY),
            ("content/captures/h200.json", H200),
            ("content/presets/two-ways-to-64.toml", PRESET),
            ("content/terms/lanes.svg", "<svg/>\n"),
        ];
        let own = |(path, text): (&str, &str)| (path.to_owned(), text.to_owned());
        Self {
            files: files.into_iter().map(own).collect(),
            base_url: "https://example.org/course/",
            assurance: Assurance::Named,
            today: "2026-10-01",
            trace: "trace",
            soundness: Soundness::Sound,
            rules_off: &[],
        }
    }

    /// Replaces text that must be there.
    pub(crate) fn edit(mut self, path: &str, from: &str, to: &str) -> Self {
        let text = self.files.get_mut(path).expect("a file");
        assert!(text.contains(from), "{from:?} is not in {path}");
        *text = text.replace(from, to);
        self
    }

    pub(crate) fn with(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.to_owned(), text.to_owned());
        self
    }

    pub(crate) fn without(mut self, path: &str) -> Self {
        self.files.remove(path).expect("a file");
        self
    }

    pub(crate) fn asking(mut self, assurance: Assurance) -> Self {
        self.assurance = assurance;
        self
    }

    pub(crate) fn authored_by(self, name: &str) -> Self {
        self.edit(
            WARP,
            "written_by: Ada Lovelace",
            &format!("written_by: {name}"),
        )
    }

    pub(crate) fn reviewed_by(self, name: &str) -> Self {
        self.edit(
            WARP,
            "reviewed_by: Grace Hopper",
            &format!("reviewed_by: {name}"),
        )
    }

    /// Both people sign the entry as it is, under their names.
    pub(crate) fn attested(self) -> Self {
        self.asking(Assurance::Attested)
            .signed(Role::Author, "Ada Lovelace")
            .signed(Role::Reviewer, "Grace Hopper")
    }

    /// One person signs the entry as it is.
    pub(crate) fn signed(mut self, role: Role, person: &str) -> Self {
        let composed = self.compose(role, person).expect("may sign");
        self.files.insert(composed.path, composed.text);
        self
    }

    /// One person signs with a key of the fixtures.
    pub(crate) fn sealed(mut self, role: Role, person: &str, key: &str) -> Self {
        let (composed, seal) = self.seal(role, person, key).expect("may sign");
        self.files.insert(format!("{}.sig", composed.path), seal);
        self.files.insert(composed.path, composed.text);
        self
    }

    pub(crate) fn compose(&self, role: Role, person: &str) -> Result<Composed, Refusal> {
        self.examine(|policy, dossier| compose(policy, dossier, role, person))
    }

    pub(crate) fn seal(
        &self,
        role: Role,
        person: &str,
        key: &str,
    ) -> Result<(Composed, String), Refusal> {
        self.examine(|policy, dossier| {
            let composed = compose(policy, dossier, role, person)?;
            let key = SigningKey::open(&fixture(key), None).expect("opens");
            let seal = seal(policy, &composed, &key)?;
            Ok((composed, seal))
        })
    }

    pub(crate) fn digests(&self) -> Digests {
        self.examine(|_, dossier| dossier.digests)
    }

    pub(crate) fn judge(&self) -> Outcome {
        self.judge_by(None)
    }

    /// Judges with the people of another site, as of a base revision.
    pub(crate) fn judge_by(&self, base: Option<&Self>) -> Outcome {
        let (sources, entry) = self.read();
        let (mut config, mut people) = self.policy(&sources);
        if let Some(base) = base {
            let (base_sources, _) = base.read();
            let (base_config, base_people) = base.policy(&base_sources);
            config = countersign::gate::trust::stricter(&base_config, &config);
            people = countersign::gate::trust::people(base_people, &people);
        }
        let policy = Policy {
            sources: &sources,
            config: &config,
            people: &people,
            today: Date::parse(self.today).expect("a day"),
        };
        let dossier = Dossier {
            entry: &entry,
            digests: self.digests_of(&entry, &sources),
            soundness: self.soundness,
        };
        Outcome::of(&judge(&policy, &[Submission::Entry(dossier)]))
    }

    /// Runs something on the entry as it stands.
    pub(crate) fn examine<T>(&self, run: impl FnOnce(&Policy<'_>, &Dossier<'_>) -> T) -> T {
        let (sources, entry) = self.read();
        let (config, people) = self.policy(&sources);
        let policy = Policy {
            sources: &sources,
            config: &config,
            people: &people,
            today: Date::parse(self.today).expect("a day"),
        };
        let dossier = Dossier {
            entry: &entry,
            digests: self.digests_of(&entry, &sources),
            soundness: self.soundness,
        };
        run(&policy, &dossier)
    }

    fn digests_of(&self, entry: &Entry, sources: &Sources) -> Digests {
        let traces = BTreeMap::from([("loom".to_owned(), Digest::of(self.trace))]);
        digests(entry, sources, &traces)
    }

    /// The files as the loader gives them: without a mark, with plain line ends.
    pub(crate) fn read(&self) -> (Sources, Entry) {
        let mut sources = Sources::new();
        for (path, text) in &self.files {
            let plain = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
            sources.add(SourceFile::new(path.as_str(), plain, Digest::of(text)));
        }
        let file = self.entry_file(&sources);
        let entry = super::entry::read(&sources, file);
        (sources, entry)
    }

    fn entry_file(&self, sources: &Sources) -> FileId {
        let mut paths = self.files.keys().rev();
        let path = paths.find(|path| path.rsplit_once('.').is_some_and(|(_, end)| end == "md"));
        let path = path.expect("an entry");
        sources.find(path).expect("a file")
    }

    pub(crate) fn policy(&self, sources: &Sources) -> (Config, People) {
        let span = Span::file(FileId::new(0));
        let config = Config {
            file: FileId::new(0),
            title: "Course".to_owned(),
            base_url: self.base_url.to_owned(),
            own_url: self.base_url.to_owned(),
            base_url_span: span,
            language: "en".to_owned(),
            description: String::new(),
            out: "public".to_owned(),
            out_span: span,
            assurance: self.assurance,
            source_max_age_days: 0,
            severities: self
                .rules_off
                .iter()
                .map(|rule| (*rule, Severity::Off))
                .collect(),
            raw_html: RawHtml::Sanitize,
        };
        (config, people::read(sources, &mut Diagnostics::new()))
    }
}

impl Outcome {
    fn of(judgement: &Judgement) -> Self {
        let verdict = &judgement.verdicts[0];
        let mut rules: Vec<_> = judgement.findings.iter().map(|d| d.rule.name).collect();
        rules.sort_unstable();
        rules.dedup();
        let words = judgement.findings.iter().map(|d| {
            let help = d.help.clone().unwrap_or_default();
            format!("{}\n{}\n{help}\n", d.message, d.notes.join("\n"))
        });
        Self {
            state: verdict.state.word(),
            waits_for: verdict.waits_for.iter().map(|role| role.word()).collect(),
            rules,
            words: words.collect(),
            published: countersign::gate::EntrySet::shown(judgement.published()).len(),
        }
    }
}

pub(crate) fn fixture(name: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join("tests/fixtures/keys").join(name)).expect("a key")
}

/// The registry of the tests in which Ada and Grace have keys.
pub(crate) fn registry_with_keys() -> String {
    let line = |name: &str| fixture(&format!("{name}.pub")).trim().to_owned();
    format!(
        "ada: {{name: Ada Lovelace, keys: [\"{}\", \"{}\"]}}\ngrace: {{name: Grace Hopper, keys: [\"{}\"]}}\nalan: {{name: Alan Turing}}\n",
        line("ada"),
        line("ada-rsa"),
        line("grace"),
    )
}
