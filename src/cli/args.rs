//! The command line, as data: parsing, help, completions and man pages all come from here.

use crate::model::byline::Role;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// A static-site generator whose every number is proved and whose every published page carries
/// two names.
#[derive(Debug, Parser)]
#[command(
    name = "countersign",
    version,
    propagate_version = true,
    max_term_width = 100
)]
pub struct Cli {
    /// The site's folder; by default the nearest one upward that has a site.toml. Paths of options,
    /// such as that of --out, count from where you are all the same.
    #[arg(short = 'C', long = "directory", value_name = "DIR", global = true)]
    pub directory: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check, render and audit the site, and swap the release in as one step.
    Build(BuildArgs),
    /// Check the site and write nothing.
    Check(CheckArgs),
    /// Serve every entry on this machine alone, and show each change as it is saved.
    Preview(PreviewArgs),
    /// List every entry, its state, who it waits for and its oldest source check.
    List(ListArgs),
    /// Say what a rule means and why it is there, or list every rule.
    Explain(ExplainArgs),
    /// Sign an entry as its author or reviewer: show what is signed, and write the statement.
    Sign(SignArgs),
    /// Show what has changed in an entry since it was last signed.
    Review(ReviewArgs),
    /// Ask whether the links that lead out of the site still lead somewhere.
    CheckLinks(CheckLinksArgs),
    /// Start a site, a term or a lesson, ready to preview.
    New(NewArgs),
    /// Print the JSON Schema of a kind of file, for editors.
    Schema(SchemaArgs),
    /// Print completions for a shell.
    #[command(hide = true)]
    Completions(CompletionsArgs),
    /// Write manual pages.
    #[command(hide = true)]
    Man(ManArgs),
}

/// The day that findings are judged by. It decides no byte of the output.
#[derive(Debug, Args)]
pub struct TodayArg {
    /// The day to judge by, as YYYY-MM-DD; by default `SOURCE_DATE_EPOCH` or the clock.
    #[arg(long, value_name = "DATE")]
    pub today: Option<String>,
}

/// `build`.
#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The release's folder, in place of `out` of site.toml.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The address to build for, in place of `base_url` of site.toml.
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// Build every entry, drafts under a banner, for reviewers. Needs --out.
    #[arg(long, requires = "out")]
    pub drafts: bool,
    /// Which PNGs to draw: of every diagram, which is there as SVG too, and a social card for
    /// each page; or none, which is faster.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = PngArg::All)]
    pub png: PngArg,
    /// Print what was built as JSON.
    #[arg(long)]
    pub json: bool,
    /// Print how long each stage took.
    #[arg(long)]
    pub timings: bool,
    /// Read the people and the policy from this revision.
    #[arg(long, value_name = "REV")]
    pub trust_from: Option<String>,
    /// See [`TodayArg`].
    #[command(flatten)]
    pub today: TodayArg,
}

/// Which PNGs a build draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PngArg {
    /// Those of diagrams and the social cards.
    All,
    /// None, and no page links to one.
    None,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FindingFormat {
    /// For people, with the lines in question.
    Human,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// GitHub workflow commands.
    Github,
}

/// `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Report only on these entries (ids) or files (paths); all are read.
    #[arg(value_name = "ID|PATH")]
    pub only: Vec<String>,
    /// How to print the findings.
    #[arg(long, value_enum, default_value_t = FindingFormat::Human)]
    pub format: FindingFormat,
    /// Make an unpublished entry an error.
    #[arg(long)]
    pub no_drafts: bool,
    /// Read the people and the policy from this revision, so that a change cannot bring its own
    /// reviewer.
    #[arg(long, value_name = "REV")]
    pub trust_from: Option<String>,
    /// Print how long each stage took.
    #[arg(long)]
    pub timings: bool,
    /// See [`TodayArg`].
    #[command(flatten)]
    pub today: TodayArg,
}

/// How the state of links is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LinkFormat {
    /// For people, with the lines in question.
    Human,
    /// One JSON object.
    Json,
}

/// `check-links`.
#[derive(Debug, Args)]
pub struct CheckLinksArgs {
    /// Where answers are remembered, with their days; by default in the site's cache folder.
    #[arg(long, value_name = "FILE")]
    pub cache: Option<PathBuf>,
    /// How many days a good answer counts before its link is asked again.
    #[arg(long, value_name = "DAYS", default_value_t = 7)]
    pub max_age: u32,
    /// The least time between two requests to one host, in milliseconds.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub pause_ms: u64,
    /// How long to wait for one answer, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,
    /// How to print what was found.
    #[arg(long, value_enum, default_value_t = LinkFormat::Human)]
    pub format: LinkFormat,
    /// Ask this machine too, for tests.
    #[arg(long, hide = true)]
    pub allow_loopback: bool,
    /// See [`TodayArg`].
    #[command(flatten)]
    pub today: TodayArg,
}

/// `preview`.
#[derive(Debug, Args)]
pub struct PreviewArgs {
    /// The entry to look at.
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// The port on loopback; 0 takes a free one.
    #[arg(long, value_name = "N", default_value_t = crate::preview::DEFAULT_PORT, value_parser = port)]
    pub port: u16,
    /// Open the page in a browser.
    #[arg(long)]
    pub open: bool,
    /// See [`TodayArg`].
    #[command(flatten)]
    pub today: TodayArg,
}

/// The number of a port.
fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| {
        "a port is a whole number from 1 to 65535; those below 1024 need special rights, and 0 takes a \
         free one"
            .to_owned()
    })
}

/// How a list is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For people.
    Table,
    /// The array of entries.
    Json,
}

/// A state to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StateArg {
    /// Not asked to be published.
    Draft,
    /// Asked, and something is missing or wrong.
    Refused,
    /// Signed, and changed since.
    Stale,
    /// Held back by its author.
    Held,
    /// Published.
    Published,
}

/// `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only entries in this state.
    #[arg(long, value_enum)]
    pub state: Option<StateArg>,
    /// How to print the list.
    #[arg(long, value_enum, default_value_t = ListFormat::Table)]
    pub format: ListFormat,
    /// See [`TodayArg`].
    #[command(flatten)]
    pub today: TodayArg,
}

/// `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A rule's name or code, such as same-person or CS102; without it, every rule is listed.
    pub rule: Option<String>,
}

/// A role of a byline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RoleArg {
    /// Who wrote the entry.
    Author,
    /// Who read and checked it.
    Reviewer,
}

impl RoleArg {
    /// The role.
    pub fn role(self) -> Role {
        match self {
            Self::Author => Role::Author,
            Self::Reviewer => Role::Reviewer,
        }
    }
}

/// `sign`.
#[derive(Debug, Args)]
pub struct SignArgs {
    /// The entry.
    #[arg(value_name = "ID")]
    pub entry: String,
    /// The role in which the byline names the person.
    #[arg(long = "as", value_name = "ROLE", value_enum)]
    pub role: RoleArg,
    /// Who signs: an id or name of the people registry, or the name as the byline has it.
    #[arg(long, value_name = "PERSON")]
    pub person: String,
    /// Sign the statement with this OpenSSH private key, which the registry gives to the person.
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// Do not ask before writing.
    #[arg(long)]
    pub yes: bool,
    /// See [`TodayArg`].
    #[command(flatten)]
    pub today: TodayArg,
}

/// How a review is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReviewFormat {
    /// For the terminal.
    Text,
    /// A page of its own, with pictures side by side.
    Html,
}

/// `review`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// The entry.
    #[arg(value_name = "ID")]
    pub entry: String,
    /// Compare with what this role signed; by default with the latest signature that no longer
    /// holds.
    #[arg(long = "as", value_name = "ROLE", value_enum)]
    pub role: Option<RoleArg>,
    /// How to show it.
    #[arg(long, value_enum, default_value_t = ReviewFormat::Text)]
    pub format: ReviewFormat,
    /// Write it to this file instead of printing it.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// See [`TodayArg`].
    #[command(flatten)]
    pub today: TodayArg,
}

/// `new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// What to start.
    #[command(subcommand)]
    pub what: NewWhat,
}

/// What to start.
#[derive(Debug, Subcommand)]
pub enum NewWhat {
    /// A site in a new folder, with a term that shows what an entry can hold.
    Site(NewSiteArgs),
    /// A term of the glossary.
    Term(NewEntryArgs),
    /// A lesson.
    Lesson(NewEntryArgs),
}

/// `new site`.
#[derive(Debug, Args)]
pub struct NewSiteArgs {
    /// The site's title, after which its folder is named; or the path of the folder, after which
    /// the site is titled.
    #[arg(value_name = "NAME|PATH")]
    pub name: String,
    /// The address at which the site will stand.
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
}

/// `new term` and `new lesson`.
#[derive(Debug, Args)]
pub struct NewEntryArgs {
    /// The term itself, such as "latency hiding", or the lesson's title.
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The entry's id, in place of one made from the name.
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// Make a folder for the entry, so that pictures and data can stand beside it.
    #[arg(long)]
    pub folder: bool,
}

/// A kind of file that has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaKind {
    /// site.toml.
    Site,
    /// The front matter of a term.
    Term,
    /// The front matter of a lesson.
    Lesson,
    /// content/people.yaml.
    People,
    /// A file of content/presets.
    Preset,
    /// A capture's JSON file.
    Capture,
}

/// `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// The kind of file.
    #[arg(value_enum)]
    pub kind: SchemaKind,
}

/// `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The folder that the pages go to.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}
