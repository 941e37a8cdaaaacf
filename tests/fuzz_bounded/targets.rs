//! What is done with bytes that anybody may have written. Each function takes any bytes and
//! panics only where the tool is wrong. They are called by the bounded tests beside this file, and
//! by the fuzzer in `fuzz/`.

use countersign::assemble::{Assembly, NoPictures, Rasters, Showing, dry_run};
use countersign::compile::{Compiled, Memory, Options, compile};
use countersign::diagnostic::human::{self, Colour};
use countersign::diagnostic::{Diagnostics, github, json};
use countersign::gate::PublishedSet;
use countersign::gate::signature::SigningKey;
use countersign::load;
use countersign::model::date::Date;
use countersign::model::key::PublicKey;
use countersign::output::{Output, OutputPath, Release};
use countersign::preview;
use countersign::render::Templates;
use countersign::source::{Digest, FileId, SourceFile, Sources};
use std::sync::LazyLock;

/// A function that is fuzzed, by the name of its target.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// Every target. `fuzz/fuzz_targets` has a file for each.
pub(crate) const ALL: [Target; 13] = [
    ("front_matter", front_matter),
    ("markdown", markdown),
    ("formulas", formulas),
    ("presets", presets),
    ("models", models),
    ("captures", captures),
    ("statements", statements),
    ("signatures", signatures),
    ("request_paths", request_paths),
    ("settings", settings),
    ("people", people),
    ("templates", templates),
    ("release", release),
];

const SETTINGS: &str = "title = \"T\"\nbase_url = \"https://example.org/course/\"\n";

/// A capture, a model and a matrix, so that names in a formula can mean something.
const HEAD: &str = "---
title: A lesson
short: It has everything.
measured:
  t4:
    device: Tesla T4
    driver: \"595.84\"
    toolkit: CUDA 12.6
    build: nvcc -O3
    captured: 2026-09-01
    constants: {max_warps: 32, bytes: 201326592}
    columns:
      label: {}
      occupancy: {unit: \"%\", exact: true}
      ms: {unit: ms}
      gbps: {unit: GB/s, derived: bytes / ms / 1000000}
    rows:
      - [tlp1, 100, 0.785, 256.5]
      - [ilp4-b1, 25, 0.798, 252.2]
matrices:
  a: {rows: [[1, 2], [3, 4]], caption: Left.}
models:
  loom:
    kind: warp-scheduler
    warps: 2
    steps: 2
    residents: [1, 2]
    latency: [4]
    alt: Two warps take turns on one issue slot.
    caption: Two warps.
sources:
  - {id: guide, title: A guide, supports: all of it, url: \"https://example.com/\", checked: 2026-08-30}
";

/// A published entry.
const SIGNED: &str = "byline:
  written_by: Ada Lovelace
  reviewed_by: Grace Hopper
  written_on: 2026-09-01
  last_checked_on: 2026-09-02
---
";

/// The front matter of an entry.
pub(crate) fn front_matter(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut site = Site::new(SETTINGS);
    site.add(
        "content/terms/a.md",
        &format!("---\n{text}\n---\n\nText.\n"),
    );
    site.add("content/lessons/b.md", &text);
    site.check();
}

/// A body, between front matter that it can refer to and a render.
pub(crate) fn markdown(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut site = Site::new(SETTINGS);
    site.add("content/lessons/a.md", &format!("{HEAD}{SIGNED}\n{text}"));
    site.add(
        "content/pages/p/index.md",
        &format!("---\ntitle: P\n---\n{text}"),
    );
    site.render();
}

/// A formula of a claim and of a derived column.
pub(crate) fn formulas(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let line = text.replace(['\n', '\r'], " ");
    let mut site = Site::new(SETTINGS);
    let claim = line.replace(['<', '>'], " ");
    site.add(
        "content/lessons/a.md",
        &format!("{HEAD}---\n\n[1.02](<= {claim}>) and [1](={claim})\n"),
    );
    let derived = serde_json::to_string(&line).unwrap_or_default();
    let head = HEAD.replace("bytes / ms / 1000000", &derived);
    site.add("content/lessons/b.md", &format!("{head}---\n"));
    site.check();
}

/// A preset and the picture of it.
pub(crate) fn presets(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut site = Site::new(SETTINGS);
    site.add("content/presets/p.toml", &text);
    let diagram = "---\ntitle: A\nshort: One.\ndiagrams:\n  d: {preset: p, alt: Slots of a multiprocessor.}\n---\n\n![](diagram:d)\n";
    site.add("content/terms/a.md", diagram);
    site.render();
}

/// The settings of a model, and the player of it.
pub(crate) fn models(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut indented = String::new();
    for line in text.lines() {
        indented.push_str("    ");
        indented.push_str(line);
        indented.push('\n');
    }
    let mut site = Site::new(SETTINGS);
    let head = HEAD.split("models:").next().unwrap_or_default();
    site.add(
        "content/lessons/a.md",
        &format!("{head}models:\n  loom:\n{indented}---\n\n![](model:loom)\n"),
    );
    site.render();
}

/// A capture in a file of its own, as JSON and as CSV.
pub(crate) fn captures(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    for (ending, more) in [
        ("json", ""),
        ("csv", ", columns: {label: {}, ms: {unit: ms}}"),
    ] {
        let mut site = Site::new(SETTINGS);
        site.add(&format!("content/captures/c.{ending}"), &text);
        site.add(
            "content/terms/a.md",
            &format!("---\ntitle: A\nshort: One.\nmeasured:\n  c: {{file: captures/c.{ending}{more}}}\n---\n"),
        );
        site.check();
    }
}

/// What two people say they signed.
pub(crate) fn statements(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut site = Site::new(&format!("{SETTINGS}[gate]\nassurance = \"attested\"\n"));
    site.add("content/lessons/a.md", &format!("{HEAD}{SIGNED}"));
    site.add("content/lessons/a.author.toml", &text);
    site.add("content/lessons/a.reviewer.toml", &text);
    let compiled = site.check();
    assert_no_publication(&compiled);
}

/// A key, and a signature beside a statement that holds in all else.
pub(crate) fn signatures(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let _ = SigningKey::open(&text, None);
    if let Ok(key) = PublicKey::parse(&text) {
        let _ = key.fingerprint();
    }
    let compiled = signed(Some(&text)).check();
    assert_no_publication(&compiled);
}

/// A key whose other half nobody keeps: of no people, by nobody.
const KEY: &str =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFhmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm test";

/// An entry with both statements, and with this signature on them.
fn signed(signature: Option<&str>) -> Site {
    static DIGESTS: LazyLock<Option<(String, String)>> = LazyLock::new(|| {
        let compiled = unsigned().compile();
        let digests = compiled.verdict(0).digests?;
        Some((digests.claims.to_string(), digests.freshness.to_string()))
    });
    let mut site = unsigned();
    let Some((claims, freshness)) = DIGESTS.as_ref() else {
        unreachable!("the entry can be read");
    };
    for (role, person) in [("author", "ada"), ("reviewer", "grace")] {
        let path = format!("content/lessons/a.{role}.toml");
        let statement = format!(
            "site = \"example.org/course/\"\nentry = \"a\"\nrole = \"{role}\"\nperson = \"{person}\"\n\
             signed_on = 2026-09-02\nclaims = \"{claims}\"\nfreshness = \"{freshness}\"\n"
        );
        site.add(&path, &statement);
        if let Some(signature) = signature {
            site.add(&format!("{path}.sig"), signature);
        }
    }
    site
}

fn unsigned() -> Site {
    let mut site = Site::new(&format!("{SETTINGS}[gate]\nassurance = \"signed\"\n"));
    let other = KEY.replace("FhmZ", "FlmZ");
    site.add(
        "content/people.yaml",
        &format!("ada:\n  name: Ada Lovelace\n  keys: [{KEY}]\ngrace:\n  name: Grace Hopper\n  keys: [{other}]\n"),
    );
    site.add("content/lessons/a.md", &format!("{HEAD}{SIGNED}"));
    site
}

/// The target of a request to the preview, and every other address.
pub(crate) fn request_paths(bytes: &[u8]) {
    let Ok(target) = str::from_utf8(bytes) else {
        return;
    };
    for base in ["/", "/course/"] {
        if let Some(path) = preview::address_of(target, base) {
            assert_plain(&path);
        }
    }
    if let Ok(path) = OutputPath::new(target) {
        assert_plain(&path);
        if let Ok(joined) = path.join(target) {
            assert_plain(&joined);
        }
    }
}

/// `site.toml`.
pub(crate) fn settings(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut site = Site::new(&text);
    site.add("content/lessons/a.md", &format!("{HEAD}{SIGNED}"));
    site.check();
    let mut site = Site::new(&format!("{SETTINGS}{text}"));
    site.add("content/lessons/a.md", &format!("{HEAD}{SIGNED}"));
    site.check();
}

/// The registry.
pub(crate) fn people(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut site = Site::new(SETTINGS);
    site.add("content/people.yaml", &text);
    site.add("content/lessons/a.md", &format!("{HEAD}{SIGNED}"));
    site.check();
}

/// A template of the site's own.
pub(crate) fn templates(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut site = Site::new(SETTINGS);
    site.add("templates/lesson.html", &text);
    site.add("content/lessons/a.md", &format!("{HEAD}{SIGNED}"));
    site.render();
}

/// Words that only a draft has.
const CANARY: &str = "Quetzalcoatlus";

/// A release whose published entry says whatever the bytes say, beside a draft that says it too.
pub(crate) fn release(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut site = Site::new(SETTINGS);
    if text.to_lowercase().contains(&CANARY.to_lowercase()) {
        return;
    }
    site.add(
        "content/lessons/a.md",
        &format!("{HEAD}{SIGNED}\nSee [[hidden]] and [it](/terms/hidden/).\n\n{text}"),
    );
    site.add(
        "content/terms/hidden.md",
        &format!("---\ntitle: {CANARY} northropi\nshort: {CANARY} flew.\naliases: [{CANARY}]\n---\n\nThe {CANARY} flew.\n\n{text}"),
    );
    let compiled = site.compile();
    if compiled.findings.has_errors() {
        assert!(
            !text.is_empty(),
            "the entry is refused whatever is added to it"
        );
        return;
    }
    let Some(templates) = site.templates() else {
        unreachable!("the built-in templates are sound");
    };
    let showing = Showing::<PublishedSet>::new(&compiled, &site.sources);
    let assembly = Assembly::new(
        &compiled,
        &site.sources,
        &showing,
        &templates,
        &NoPictures,
        Rasters::None,
    );
    let output = Output::<Release>::new();
    let assembled = assembly.all(&output);
    site.assert_sound(&assembled.findings);
    for (path, bytes) in output.into_files() {
        assert_plain(&path);
        let bytes = String::from_utf8_lossy(&bytes).to_lowercase();
        assert!(
            !bytes.contains(&CANARY.to_lowercase()),
            "{path} tells of the draft"
        );
    }
}

/// Text as a loader takes it.
fn text(bytes: &[u8]) -> Option<String> {
    load::decode(bytes.to_vec())
}

/// A site in memory.
struct Site {
    sources: Sources,
    settings: FileId,
}

impl Site {
    fn new(settings: &str) -> Self {
        let mut sources = Sources::new();
        let settings = add(&mut sources, "site.toml", settings);
        Self { sources, settings }
    }

    fn add(&mut self, path: &str, text: &str) {
        add(&mut self.sources, path, text);
    }

    fn compile(&self) -> Compiled {
        let options = Options {
            today: Date::from_epoch_seconds(1_790_000_000)
                .unwrap_or_else(|| unreachable!("a day of 2026")),
            base_url: None,
            trusted: None,
        };
        compile(
            &self.sources,
            self.settings,
            &options,
            &Memory::none(),
            Diagnostics::new(),
        )
    }

    fn check(&self) -> Compiled {
        let compiled = self.compile();
        self.assert_sound(&compiled.findings);
        compiled
    }

    fn render(&self) {
        let compiled = self.check();
        if let Some(templates) = self.templates() {
            self.assert_sound(&dry_run(&compiled, &self.sources, &templates));
        }
    }

    fn templates(&self) -> Option<Templates> {
        let mut found = Diagnostics::new();
        let templates = Templates::new(&self.sources, &mut found);
        self.assert_sound(&found);
        templates
    }

    /// Every finding has a place in its file, and can be shown in all forms.
    fn assert_sound(&self, findings: &Diagnostics) {
        for finding in findings {
            let places = finding.related.iter().map(|related| related.span);
            for span in places.chain([finding.span]) {
                let text = &self.sources.file(span.file).text;
                let range = span.range();
                assert!(
                    text.get(range.clone()).is_some(),
                    "{}: {range:?} is no place",
                    finding.message
                );
            }
            assert!(!finding.message.trim().is_empty());
            let _ = json::finding(finding, &self.sources);
        }
        let _ = human::render(findings, &self.sources, Colour::Always);
        let _ = github::render(findings, &self.sources, "", "");
    }
}

fn add(sources: &mut Sources, path: &str, text: &str) -> FileId {
    sources.add(SourceFile::new(
        path,
        text.to_owned(),
        Digest::of(text.as_bytes()),
    ))
}

fn assert_plain(path: &OutputPath) {
    let path = path.as_str();
    assert!(
        !path.is_empty() && !path.starts_with('/') && !path.contains('\\'),
        "{path}"
    );
    let climbs = path.split('/').any(|name| matches!(name, "" | "." | ".."));
    assert!(!climbs && !path.contains(char::is_control), "{path}");
    assert!(
        OutputPath::new(path).is_ok(),
        "{path} is no address the second time"
    );
}

fn assert_no_publication(compiled: &Compiled) {
    let published = (0..compiled.site.entries.len()).any(|index| compiled.is_published(index));
    assert!(!published, "published without two people's word");
}
