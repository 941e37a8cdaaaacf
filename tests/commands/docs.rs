//! The pages about commands and writing say what the program knows.

use super::schemas::validator;
use super::shop::{Shop, key};
use clap::CommandFactory as _;
use countersign::cli::args::Cli;
use countersign::schema::{self, Kind};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs")
        .join(name);
    fs::read_to_string(path).expect("a page")
}

/// Every `--option` of a text.
fn options_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let options = words.filter_map(|word| word.strip_prefix("--"));
    let options = options.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
    options.map(str::to_owned).collect()
}

/// Every long option of a command and those below it.
fn options_of(command: &clap::Command, found: &mut BTreeSet<String>) {
    let shown = command
        .get_arguments()
        .filter(|option| !option.is_hide_set());
    let options = shown.filter_map(clap::Arg::get_long);
    found.extend(options.map(str::to_owned));
    for inner in command.get_subcommands() {
        options_of(inner, found);
    }
}

#[test]
fn every_command_and_option_is_described_and_no_other() {
    let text = page("commands.md");
    let program = Cli::command();
    for command in program.get_subcommands() {
        let name = command.get_name();
        let heading = format!("\n## {name}\n");
        let told = text.contains(&heading) || text.contains(&format!("`countersign {name}"));
        assert!(told, "{name}");
    }
    let mut known = BTreeSet::new();
    options_of(&program, &mut known);
    let mut told = options_in(&text);
    told.remove("help");
    assert_eq!(told, known);
}

#[test]
fn every_key_is_described_and_the_example_is_sound() {
    let text = page("writing.md");
    for kind in [Kind::Term, Kind::Lesson, Kind::Capture] {
        let schema = schema::of(kind);
        let keys = schema["properties"].as_object().expect("keys");
        for key in keys.keys() {
            assert!(text.contains(&format!("`{key}`")), "{key}");
        }
    }
    let (_, rest) = text.split_once("```yaml\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("an end");
    let value = serde_yaml::from_str(example).expect("YAML");
    validator(Kind::Term).accepts(&value);
    let shop = Shop::new();
    let related = example.replace("related: [occupancy, warp]", "related: [warp]");
    let alone = related.replace(
        "meets:\n  - {lesson: occupancy-day-45, note: produced the table above}\n",
        "",
    );
    shop.write(
        "content/terms/example.md",
        &format!("---\n{alone}---\n\nIt is so.[^guide]\n"),
    );
    shop.run(&["check", "example"]).ended(0);
}

/// The code of a language in a page.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let code = |block: &'p str| block.split("```").next().expect("an end");
    let blocks = page.split(&fence).skip(1);
    let lines = blocks.map(|block| code(block).lines().map(str::trim_end).collect::<Vec<_>>());
    lines.map(|lines| lines.join("\n") + "\n").collect()
}

#[test]
fn the_way_from_names_to_signatures_leads_there() {
    let text = page("sign-off.md");
    let shop = Shop::new();
    shop.edit("site.toml", "attested", "named");
    shop.run(&["check", "--no-drafts"]).ended(0);
    let people = blocks(&text, "yaml").remove(0);
    for key in schema::of(Kind::People)["additionalProperties"]["properties"]
        .as_object()
        .expect("keys")
        .keys()
    {
        assert!(people.contains(&format!("{key}:")), "{key}");
    }
    shop.write("content/people.yaml", &people);
    let shells = blocks(&text, "sh").concat();
    let commands = shells.lines().map(str::trim);
    let signing: Vec<_> = commands
        .filter_map(|line| line.strip_prefix("countersign "))
        .collect();
    assert_eq!(signing.len(), 2);
    for command in signing {
        shop.run(&["check", "--no-drafts"]).ended(0);
        let person = if command.contains("ada") {
            "ada"
        } else {
            "grace"
        };
        let key = key(person);
        let words = command.split(' ');
        let words = words.map(|word| if word.starts_with('~') { &key } else { word });
        shop.run(&words.collect::<Vec<_>>()).ended(0);
    }
    for file in shells
        .split_whitespace()
        .filter(|word| word.starts_with("content/terms/"))
    {
        assert!(shop.has(file), "{file}");
    }
    shop.edit("site.toml", "\"named\"", "\"signed\"");
    assert!(
        shop.read("site.toml").contains(
            blocks(&text, "toml")[0]
                .trim()
                .lines()
                .last()
                .expect("a line")
                .trim()
        )
    );
    shop.run(&["check", "--no-drafts"]).ended(0);
}

#[test]
fn completions_manuals_and_timings_come_out() {
    let shop = Shop::new();
    let script = shop.run(&["completions", "bash"]).ended(0).out;
    assert!(script.contains("check") && script.contains("--trust-from"));
    shop.run(&["man", "--out", "man"]).ended(0);
    assert!(shop.read("man/countersign-sign.1").contains("registry"));
    let checked = shop.run(&["check", "--timings"]).ended(1);
    for part in [
        "load",
        "parse",
        "resolve",
        "simulate",
        "evaluate",
        "check",
        "gate",
        "render and audit",
        "  of it pages, ",
    ] {
        assert!(
            checked.err.contains(&format!(" ms  {part}")),
            "{}",
            checked.err
        );
    }
    // Nobody looks on at a pipe.
    assert!(!checked.err.contains('\r'), "{}", checked.err);
    let built = shop.run(&["build", "--timings"]).ended(1);
    assert!(
        built.err.contains(" ms  render, audit and write"),
        "{}",
        built.err
    );
    shop.run(&["new", "site", "Loom"]).ended(0);
    let drafts = [
        "-C",
        "loom",
        "build",
        "--drafts",
        "--out",
        "staging",
        "--timings",
    ];
    let built = shop.run(&drafts).ended(0);
    for part in ["pages", "drawings", "PNGs", "search", "surfaces", "write"] {
        assert!(
            built.err.contains(&format!("of it {part},")),
            "{}",
            built.err
        );
    }
    let listed = shop.run(&["list"]).ended(0);
    assert!(
        listed
            .out
            .contains("warp   term  refused  author, reviewer  2026-08-30"),
        "{}",
        listed.out
    );
}
