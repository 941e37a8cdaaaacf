//! `schema`: the schemas and the parser know the same keys, and judge examples alike.

use super::shop::Shop;
use boon::{Compiler, SchemaIndex, Schemas};
use countersign::compile::{Memory, Options, compile};
use countersign::diagnostic::{Diagnostics, Severity, rule};
use countersign::model::date::Date;
use countersign::schema::{self, Kind};
use countersign::source::{Digest, SourceFile, Sources};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A schema that is ready to judge.
pub(crate) struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

/// The schema of a kind. That it is one by the rules of JSON Schema is checked on the way.
pub(crate) fn validator(kind: Kind) -> Validator {
    let mut schemas = Schemas::new();
    let mut compiler = Compiler::new();
    let url = format!("https://example.org/{}.json", kind.word());
    compiler
        .add_resource(&url, schema::of(kind))
        .expect("a resource");
    let index = compiler.compile(&url, &mut schemas).expect("a schema");
    Validator { schemas, index }
}

impl Validator {
    fn judges(&self, value: &Value) -> Result<(), String> {
        let judged = self.schemas.validate(value, self.index);
        judged.map_err(|why| format!("{why:#}"))
    }

    #[track_caller]
    pub(crate) fn accepts(&self, value: &Value) {
        if let Err(why) = self.judges(value) {
            panic!("{why}\n{value:#}");
        }
    }
}

fn yaml(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

fn front_matter(text: &str) -> Value {
    let inner = text.strip_prefix("---\n").expect("front matter");
    yaml(inner.split_once("\n---\n").expect("front matter").0)
}

fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files_below(&path, ending));
        } else if path.extension().is_some_and(|end| end == ending) {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_program_prints_them() {
    let shop = Shop::empty();
    for kind in Kind::ALL {
        let ran = shop.run(&["schema", kind.word()]).ended(0);
        assert_eq!(ran.out, schema::text(kind));
        let printed: Value = serde_json::from_str(&ran.out).expect("JSON");
        every_key_has_words(&printed, kind.word());
    }
}

/// Each key of each closed object is described.
fn every_key_has_words(schema: &Value, place: &str) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (key, value) in properties {
            let told = value["description"].as_str().is_some_and(|d| d.len() > 5);
            let absent = value["type"] == "null" || value.get("not").is_some();
            assert!(told || absent, "{place}.{key} has no description");
        }
    }
    match schema {
        Value::Object(map) => map
            .iter()
            .for_each(|(key, value)| every_key_has_words(value, &format!("{place}.{key}"))),
        Value::Array(items) => items.iter().for_each(|i| every_key_has_words(i, place)),
        _ => {}
    }
}

#[test]
fn the_course_is_accepted() {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
    let read = |path: &Path| fs::read_to_string(path).expect("reads");
    let mut seen = 0;
    for (kind, folder) in [(Kind::Term, "terms"), (Kind::Lesson, "lessons")] {
        let validator = validator(kind);
        for path in files_below(&content.join(folder), "md") {
            validator.accepts(&front_matter(&read(&path)));
            seen += 1;
        }
    }
    let captures = validator(Kind::Capture);
    for path in files_below(&content.join("captures"), "json") {
        captures.accepts(&serde_json::from_str(&read(&path)).expect("JSON"));
        seen += 1;
    }
    let presets = validator(Kind::Preset);
    for path in files_below(&content.join("presets"), "toml") {
        presets.accepts(&toml::from_str(&read(&path)).expect("TOML"));
        seen += 1;
    }
    let settings = Path::new(env!("CARGO_MANIFEST_DIR")).join("site.toml");
    validator(Kind::Site).accepts(&toml::from_str(&read(&settings)).expect("TOML"));
    assert!(seen > 20, "{seen}");
}

/// What the pipeline finds in a site of these files.
fn findings(files: &[(&str, &str)]) -> Diagnostics {
    let mut sources = Sources::new();
    let settings = "title = \"Course\"\nbase_url = \"https://example.org/\"\n";
    let all = [("site.toml", settings)].into_iter();
    for (path, text) in all.chain(files.iter().copied()) {
        sources.add(SourceFile::new(path, text, Digest::of(text)));
    }
    let config = sources.find("site.toml").expect("a file");
    let options = Options {
        today: Date::parse("2026-10-01").expect("a day"),
        base_url: None,
        trusted: None,
    };
    let compiled = compile(
        &sources,
        config,
        &options,
        &Memory::none(),
        Diagnostics::new(),
    );
    compiled.findings
}

/// The path at which the parser reads a file of a kind, and the file.
fn file_of(kind: Kind, text: &str) -> (&'static str, String) {
    let body = format!("---\n{text}\n---\n\nBody.\n");
    match kind {
        Kind::Site => ("site.toml", text.to_owned()),
        Kind::Term => ("content/terms/warp.md", body),
        Kind::Lesson => ("content/lessons/warp.md", body),
        Kind::People => ("content/people.yaml", text.to_owned()),
        Kind::Preset => ("content/presets/ways.toml", text.to_owned()),
        Kind::Capture => ("content/captures/t4.json", text.to_owned()),
    }
}

const TERM: &str = "title: What?\nshort: That.\n";
const TABLE: &str = "device: T4, driver: d, toolkit: t, build: b, captured: 2026-09-01";
const PRESET: &str = "kind = \"occupancy-stepper\"\ntitle = \"Ways\"\n";

/// A place with a key that nobody knows, and where the schema has the keys of that place.
type Place = (Kind, String, &'static str);

fn term(text: &str) -> String {
    format!("{TERM}{text}")
}

fn places() -> Vec<Place> {
    let all = [places_of_entries(), places_of_figures(), places_of_files()];
    all.into_iter().flatten().collect()
}

fn places_of_entries() -> Vec<Place> {
    use Kind::{Lesson, Term};
    let table = |columns: &str, more: &str| {
        term(&format!(
            "measured:\n  t4: {{{TABLE}, columns: {{label: {columns}}}, rows: [[a]]{more}}}"
        ))
    };
    let lesson = |text: &str| format!("title: T\n{text}");
    vec![
        (Term, term("qqzzxx: 1"), "/properties"),
        (Lesson, lesson("qqzzxx: 1"), "/properties"),
        (
            Lesson,
            lesson("arc: {name: n, qqzzxx: 1}"),
            "/properties/arc/properties",
        ),
        (
            Term,
            term("meets: [{lesson: l, qqzzxx: 1}]"),
            "/properties/meets/items/anyOf/1/properties",
        ),
        (
            Term,
            term("sources: [{id: s, title: t, qqzzxx: 1}]"),
            "/properties/sources/items/properties",
        ),
        (
            Term,
            term("byline: {qqzzxx: 1}"),
            "/properties/byline/properties",
        ),
        (
            Term,
            table("{}", ", qqzzxx: 1"),
            "/properties/measured/additionalProperties/else/properties",
        ),
        (
            Term,
            term("measured:\n  t4: {file: none.json, qqzzxx: 1}"),
            "/properties/measured/additionalProperties/then/properties",
        ),
        (
            Term,
            table("{qqzzxx: 1}", ""),
            "/properties/measured/additionalProperties/else/properties/columns/additionalProperties/properties",
        ),
    ]
}

fn places_of_figures() -> Vec<Place> {
    let model = |text: &str| term(&format!("models:\n  m: {{alt: a, kind: {text}}}"));
    let matrix = |text: &str| term(&format!("matrices:\n  a: {{rows: [[1]], {text}}}"));
    [
        (
            term("diagrams:\n  d: {preset: p, alt: a, qqzzxx: 1}"),
            "/properties/diagrams/additionalProperties/properties",
        ),
        (
            matrix("qqzzxx: 1"),
            "/properties/matrices/additionalProperties/properties",
        ),
        (
            matrix("highlight: {qqzzxx: 1}"),
            "/properties/matrices/additionalProperties/properties/highlight/properties",
        ),
        (
            model("warp-scheduler, qqzzxx: 1"),
            "/properties/models/additionalProperties/oneOf/0/properties",
        ),
        (
            model("warp-scheduler, start: {qqzzxx: 1}"),
            "/properties/models/additionalProperties/oneOf/0/properties/start/properties",
        ),
        (
            model("warp-scheduler, operands: {qqzzxx: 1}"),
            "/properties/models/additionalProperties/oneOf/0/properties/operands/properties",
        ),
        (
            model("tile-reuse, qqzzxx: 1"),
            "/properties/models/additionalProperties/oneOf/1/properties",
        ),
        (
            model("tile-reuse, start: {qqzzxx: 1}"),
            "/properties/models/additionalProperties/oneOf/1/properties/start/properties",
        ),
        (
            model("systolic-array, qqzzxx: 1"),
            "/properties/models/additionalProperties/oneOf/2/properties",
        ),
    ]
    .map(|(text, pointer)| (Kind::Term, text, pointer))
    .into()
}

fn places_of_files() -> Vec<Place> {
    use Kind::{Capture, People, Preset, Site};
    let site = |text: &str| format!("title = \"C\"\nbase_url = \"https://example.org\"\n{text}");
    let device = "[device]\nname = \"d\"\nmax_warps = 1\n";
    vec![
        (
            Preset,
            format!("{PRESET}qqzzxx = 1\n{device}"),
            "/properties",
        ),
        (
            Preset,
            format!("{PRESET}{device}qqzzxx = 1\n"),
            "/properties/device/properties",
        ),
        (
            Preset,
            format!("{PRESET}{device}[[configuration]]\nqqzzxx = 1\n"),
            "/properties/configuration/items/properties",
        ),
        (Capture, "{\"qqzzxx\": 1}".to_owned(), "/properties"),
        (
            People,
            "ada: {name: Ada Lovelace, qqzzxx: 1}".to_owned(),
            "/additionalProperties/properties",
        ),
        (Site, site("qqzzxx = 1\n"), "/properties"),
        (
            Site,
            site("[build]\nqqzzxx = 1\n"),
            "/properties/build/properties",
        ),
        (
            Site,
            site("[gate]\nqqzzxx = 1\n"),
            "/properties/gate/properties",
        ),
        (
            Site,
            site("[html]\nqqzzxx = 1\n"),
            "/properties/html/properties",
        ),
    ]
}

#[test]
fn schema_and_parser_know_the_same_keys() {
    for (kind, text, pointer) in places() {
        let (path, text) = file_of(kind, &text);
        let entry = format!("---\n{TERM}measured:\n  t4: {{file: captures/t4.json}}\n---\n");
        let mut files = vec![(path, text.as_str())];
        if kind == Kind::Capture {
            files.push(("content/terms/warp.md", &entry));
        }
        let findings = findings(&files);
        let finding = findings
            .iter()
            .find(|finding| finding.rule == rule::UNKNOWN_KEY && finding.message.contains("qqzzxx"))
            .unwrap_or_else(|| panic!("{text}\n{findings:#?}"));
        let help = finding.help.as_deref().expect("help");
        let known = help.strip_prefix("Known here: ").expect("a list");
        let known = known.trim_end_matches('.').split(", ");
        let mut known: BTreeSet<&str> = known.collect();
        // A model's and a preset's common keys are taken before its kind is known.
        if pointer.contains("/oneOf/")
            && pointer.ends_with("/properties")
            && pointer.matches("/properties").count() == 2
        {
            known.extend(["kind", "alt", "caption"]);
        }
        if kind == Kind::Preset && pointer == "/properties" {
            known.extend(["kind", "title"]);
        }
        let schema = schema::of(kind);
        let keys = schema.pointer(pointer).and_then(Value::as_object);
        let keys = keys.unwrap_or_else(|| panic!("{pointer}"));
        let keys = keys.iter().filter(|(_, value)| value["type"] != "null");
        let keys: BTreeSet<&str> = keys.map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, known, "{kind:?} {pointer}");
    }
}

#[test]
fn every_rule_has_its_severities() {
    let schema = schema::of(Kind::Site);
    let rules = schema["properties"]["rules"]["properties"]
        .as_object()
        .expect("rules");
    assert_eq!(rules.len(), rule::ALL.len());
    assert_eq!(rules["same-person"]["enum"], serde_json::json!(["error"]));
    assert_eq!(
        rules["stale-source"]["enum"],
        serde_json::json!(["off", "warn", "error"])
    );
}

/// Files with one fault each, which schema and parser both see.
const FAULTY: &[(Kind, &str)] = &[
    (Kind::Term, "title: What?"),
    (Kind::Term, "title: What?\nshort: \"\""),
    (Kind::Term, "title: [What?]\nshort: That."),
    (Kind::Term, "title: What?\nshort: That.\nday: 4"),
    (Kind::Term, "title: What?\nshort: That.\nmeasured: [t4]"),
    (
        Kind::Term,
        "title: What?\nshort: That.\nmeasured: {T4: {file: a.json}}",
    ),
    (
        Kind::Term,
        "title: What?\nshort: That.\nmeasured:\n  t4: {device: T4, columns: {label: {}}, rows: [[a]]}",
    ),
    (
        Kind::Term,
        "title: What?\nshort: That.\nsources: [{id: A b, title: t}]",
    ),
    (
        Kind::Term,
        "title: What?\nshort: That.\nsources: [{id: a, title: t, checked: 2026-9-1}]",
    ),
    (
        Kind::Term,
        "title: What?\nshort: That.\nbyline: {written_on: 2026}",
    ),
    (
        Kind::Term,
        "title: What?\nshort: That.\nmatrices: {a: {rows: []}}",
    ),
    (
        Kind::Term,
        "title: What?\nshort: That.\nmatrices: {a: {rows: [[1]], highlight: {row: 0, column: 0}}}",
    ),
    (
        Kind::Term,
        "title: What?\nshort: That.\nmodels: {m: {kind: loom, alt: a}}",
    ),
    (
        Kind::Term,
        "title: What?\nshort: That.\nmodels: {m: {kind: warp-scheduler, alt: words, steps: 1, residents: 1, latency: 4}}",
    ),
    (
        Kind::Term,
        "title: What?\nshort: That.\nmodels: {m: {kind: warp-scheduler, alt: words, warps: 0, steps: 1, residents: 1, latency: 4}}",
    ),
    (
        Kind::Term,
        "title: What?\nshort: That.\nmodels: {m: {kind: occupancy-stepper, alt: words}}",
    ),
    (Kind::Lesson, "title: T\nday: -1"),
    (Kind::Lesson, "title: T\narc: {part: 1}"),
    (Kind::Lesson, "title: T\naliases: [a]"),
    (Kind::Site, "title = \"C\"\nbase_url = \"example.org\"\n"),
    (
        Kind::Site,
        "title = \"C\"\nbase_url = \"https://example.org\"\nlanguage = \"english!\"\n",
    ),
    (
        Kind::Site,
        "title = \"C\"\nbase_url = \"https://example.org\"\n[gate]\nassurance = \"sworn\"\n",
    ),
    (
        Kind::Site,
        "title = \"C\"\nbase_url = \"https://example.org\"\n[rules]\nsame-person = \"off\"\n",
    ),
    (
        Kind::Site,
        "title = \"C\"\nbase_url = \"https://example.org\"\n[rules]\nno-such-rule = \"off\"\n",
    ),
    (Kind::People, "ada: {}"),
    (Kind::People, "ada: {name: Ada Lovelace, kind: robot}"),
    (Kind::People, "ada: {name: Ada Lovelace, email: ada}"),
    (Kind::People, "Ada L: {name: Ada Lovelace}"),
    (Kind::People, "{}"),
    (
        Kind::Preset,
        "kind = \"occupancy-stepper\"\n[device]\nname = \"d\"\nmax_warps = 32\n",
    ),
    (Kind::Preset, "kind = \"tile-reuse\"\ntitle = \"t\"\n"),
];

#[test]
fn schema_and_parser_refuse_the_same_examples() {
    for (kind, text) in FAULTY {
        let value = match kind {
            Kind::Site | Kind::Preset => toml::from_str(text).expect("TOML"),
            _ => yaml(text),
        };
        assert!(validator(*kind).judges(&value).is_err(), "schema: {text}");
        let (path, text) = file_of(*kind, text);
        let found = findings(&[(path, &text)]);
        let errors = found.iter().filter(|f| f.severity == Severity::Error);
        assert!(errors.count() > 0, "parser: {text}");
    }
}

/// Ways of writing that both take.
const SOUND: &[(Kind, &str)] = &[
    (
        Kind::Term,
        "title: 0.70\nshort: yes\naliases: one\nowner:\nsources:\nbyline:",
    ),
    (
        Kind::Term,
        "title: What?\nshort: That.\nbyline: {written_by: pending, written_on: TBD, last_checked_on: 2026-09-01}",
    ),
    (
        Kind::Term,
        "title: What?\nshort: That.\nmodels: {m: {kind: warp-scheduler, alt: Two warps share one issue slot a cycle., warps: 2, steps: \"1\", residents: 1, latency: [4, 8]}}",
    ),
    (
        Kind::Lesson,
        "title: T\nday: 45\narc: {name: n, part: 2}\nprerequisites: []",
    ),
    (
        Kind::Site,
        "title = \"C\"\nbase_url = \"http://localhost:8000/a/b\"\n[rules]\nweak-alt = \"error\"\n",
    ),
    (
        Kind::People,
        "ada: {name: Ada Lovelace, email: [a@example.org, b@example.org], url: \"https://example.org\"}",
    ),
];

#[test]
fn schema_and_parser_take_the_same_examples() {
    for (kind, text) in SOUND {
        let value = match kind {
            Kind::Site | Kind::Preset => toml::from_str(text).expect("TOML"),
            _ => yaml(text),
        };
        validator(*kind).accepts(&value);
        let (path, file) = file_of(*kind, text);
        let found = findings(&[(path, &file)]);
        assert!(!found.has_errors(), "{text}\n{found:#?}");
    }
}
