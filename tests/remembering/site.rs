//! A small site that can be changed in every way that a writer has.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One edit. Numbers are taken modulo what there is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    /// Turns a trait of an entry on or off.
    Entry(u8, u8),
    /// Moves an entry between a file and a folder of its own.
    Move(u8),
    /// Gives an entry another id.
    Rename(u8, u8),
    Delete(u8),
    Add(u8),
    /// Turns a trait of a file that is no entry on or off.
    Other(u8),
    /// Puts statements of both people beside an entry.
    Sign(u8),
    /// Takes the last statement away.
    Unsign,
}

/// Any edit.
pub(crate) fn step() -> impl Strategy<Value = Step> {
    let any = any::<u8>;
    prop_oneof![
        6 => (any(), any()).prop_map(|(entry, which)| Step::Entry(entry, which)),
        1 => any().prop_map(Step::Move),
        1 => (any(), any()).prop_map(|(entry, to)| Step::Rename(entry, to)),
        1 => any().prop_map(Step::Delete),
        1 => any().prop_map(Step::Add),
        4 => any().prop_map(Step::Other),
        2 => any().prop_map(Step::Sign),
        1 => Just(Step::Unsign),
    ]
}

impl Step {
    /// A fixed day with every kind of edit, each undone again or met by another.
    pub(crate) fn each() -> Vec<Self> {
        let signed = [
            // Both statements asked for and there; what was signed changes, and changes back.
            Self::Other(7),
            Self::Sign(0),
            Self::Entry(0, 2),
            Self::Entry(0, 2),
            Self::Entry(0, 10),
            Self::Unsign,
            Self::Other(7),
        ];
        // Captures, presets, links and claims meet on one entry.
        let traits = (0..ENTRY_TRAITS).map(|which| match which {
            6..=9 | 13 | 14 => Self::Entry(0, which),
            _ => Self::Entry(which % 3, which),
        });
        let healed = [Self::Entry(15 % 3, 15), Self::Entry(2, 12)];
        let others = (0..OTHER_TRAITS).map(Self::Other);
        let moved = [
            Self::Move(0),
            Self::Rename(1, 5),
            Self::Delete(2),
            Self::Add(2),
            Self::Entry(1, 1),
            Self::Entry(2, 1),
        ];
        // A term that nothing but the lists of others leads to.
        let listed = (0..5).flat_map(|entry| [Self::Entry(entry, 4), Self::Entry(entry, 4)]);
        let listed = [Self::Add(7)].into_iter().chain(listed);
        let undone = (0..OTHER_TRAITS).rev().step_by(2).map(Self::Other);
        let steps = signed.into_iter().chain(traits).chain(healed);
        let steps = steps.chain(others).chain(moved);
        steps.chain(listed).chain(undone).collect()
    }
}

/// The head of a capture's file.
const PROVENANCE: &str = "# device: Tesla T4\n# compute_capability: \"7.5\"\n# driver: \"595.84\"\n\
    # toolkit: CUDA 12.6\n# build: nvcc -O3\n# captured: 2026-09-01\n# columns: {label: {}, ms: {unit: ms}}\n";

const ENTRY_TRAITS: u8 = 16;
const OTHER_TRAITS: u8 = 16;
const IDS: [&str; 8] = [
    "warp", "weft", "loom", "heddle", "shuttle", "selvage", "bobbin", "reed",
];

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    traits: u32,
    in_folder: bool,
}

impl Entry {
    fn has(self, which: u8) -> bool {
        self.traits & (1 << which) != 0
    }
}

pub(crate) struct Site {
    terms: BTreeMap<&'static str, Entry>,
    others: u32,
    pub(crate) statements: BTreeMap<String, String>,
}

impl Site {
    pub(crate) fn new() -> Self {
        let terms = IDS.iter().take(4).map(|id| (*id, Entry::default()));
        Self {
            terms: terms.collect(),
            others: 0,
            statements: BTreeMap::new(),
        }
    }

    /// Changes the site; gives the file of an entry that is to be signed as it is now.
    pub(crate) fn apply(&mut self, step: Step) -> Option<String> {
        let count = self.terms.len().max(1);
        let id = |at: u8| self.terms.keys().nth(usize::from(at) % count).copied();
        match step {
            Step::Entry(entry, which) => {
                let id = id(entry)?;
                self.terms.get_mut(id)?.traits ^= 1 << (which % ENTRY_TRAITS);
            }
            Step::Move(entry) => {
                let id = id(entry)?;
                let entry = self.terms.get_mut(id)?;
                entry.in_folder = !entry.in_folder;
            }
            Step::Rename(entry, to) => {
                let old = id(entry)?;
                let to = IDS[usize::from(to) % IDS.len()];
                let entry = self.terms.remove(old)?;
                self.terms.insert(to, entry);
            }
            Step::Delete(entry) => {
                let id = id(entry)?;
                self.terms.remove(id);
            }
            Step::Add(to) => {
                self.terms
                    .entry(IDS[usize::from(to) % IDS.len()])
                    .or_default();
            }
            Step::Other(which) => self.others ^= 1 << (which % OTHER_TRAITS),
            Step::Sign(entry) => {
                let id = id(entry)?;
                return Some(path(id, *self.terms.get(id)?));
            }
            Step::Unsign => {
                self.statements.pop_last();
            }
        }
        None
    }

    fn has(&self, which: u8) -> bool {
        self.others & (1 << which) != 0
    }

    /// Every file, by its path.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut put = |path: &str, text: String| {
            files.insert(path.to_owned(), text.into_bytes());
        };
        for (id, entry) in &self.terms {
            put(&path(id, *entry), term(id, *entry));
        }
        put("content/lessons/weaving.md", self.lesson());
        put("site.toml", self.config());
        put("content/presets/pair.toml", self.preset());
        put("content/captures/run.csv", self.capture());
        if self.has(0) {
            put("content/people.yaml", self.people());
        }
        if self.has(1) {
            put("content/pages/about.md", self.page());
        }
        if self.has(2) {
            put(
                "templates/partials/foot.html",
                "<footer>made here</footer>".to_owned(),
            );
        }
        if self.has(3) {
            put(
                "static/pattern.svg",
                "<svg xmlns='http://www.w3.org/2000/svg'/>".to_owned(),
            );
        }
        if self.has(4) {
            // In the way of a term's page.
            put("static/terms/loom", "in the way".to_owned());
        }
        if self.has(5) {
            // Looked for before the one of the same name under `content`.
            put(
                "content/terms/captures/run.csv",
                format!("{PROVENANCE}label,ms\none,4.5\n"),
            );
        }
        for (path, text) in &self.statements {
            put(path, text.clone());
        }
        files
    }

    fn config(&self) -> String {
        let mut text = String::from(
            "title = \"A loom\"\ndescription = \"Words of weaving.\"\nlanguage = \"en\"\n",
        );
        let path = if self.has(6) { "cloth/" } else { "" };
        let _ = writeln!(text, "base_url = \"https://loom.example/{path}\"");
        text.push_str("[gate]\n");
        if self.has(7) {
            text.push_str("assurance = \"attested\"\n");
        }
        if self.has(8) {
            text.push_str("source_max_age_days = 30\n");
        }
        if self.has(9) {
            text.push_str("[rules]\nuncited-source = \"error\"\norphan-term = \"warn\"\n");
        }
        text
    }

    fn people(&self) -> String {
        let mut text = String::from("ada:\n  name: Ada Lovelace\n");
        if self.has(10) {
            text.push_str("grace:\n  name: Grace Hopper\n");
        }
        text
    }

    fn page(&self) -> String {
        let place = if self.has(11) { "#threads" } else { "" };
        format!("---\ntitle: About\n---\n\nOf [[warp{place}]] and [cloth](/terms/weft/).\n")
    }

    fn preset(&self) -> String {
        let warps = if self.has(12) { 16 } else { 32 };
        format!(
            "kind = \"occupancy-stepper\"\ntitle = \"Pair\"\n[device]\nname = \"Tesla T4\"\n\
             compute_capability = \"7.5\"\nmax_warps = 32\n[[configuration]]\nid = \"many\"\n\
             label = \"many\"\nresident_warps = {warps}\nitems_per_thread = 1\nloads_per_item = 2\n"
        )
    }

    fn capture(&self) -> String {
        let value = if self.has(13) { "2.50" } else { "1.25" };
        format!("{PROVENANCE}label,ms\none,{value}\n")
    }

    fn lesson(&self) -> String {
        let teaches = if self.has(14) {
            "[warp, weft]"
        } else {
            "[warp]"
        };
        let day = if self.has(15) { "3" } else { "4" };
        format!(
            "---\ntitle: Weaving\nday: {day}\nteaches: {teaches}\nsources: []\n\
             byline: {{written_by: pending, reviewed_by: pending}}\n---\n\nThe [[warp]] stands still.\n"
        )
    }
}

fn path(id: &str, entry: Entry) -> String {
    if entry.in_folder {
        format!("content/terms/{id}/index.md")
    } else {
        format!("content/terms/{id}.md")
    }
}

/// The text of a term; each trait is one thing that a writer may have changed.
fn term(id: &str, entry: Entry) -> String {
    let has = |which| entry.has(which);
    let mut text = String::from("---\n");
    let _ = writeln!(
        text,
        "title: What is a {id}{}?",
        if has(0) { " of cloth" } else { "" }
    );
    let _ = writeln!(text, "term: {}", if has(1) { "thread" } else { id });
    let _ = writeln!(
        text,
        "short: A part{} of a loom.",
        if has(2) { ", and an old one," } else { "" }
    );
    if has(3) {
        let _ = writeln!(text, "aliases: [the {id}, yarn]");
    }
    if has(4) {
        text.push_str("related: [weft, reed]\nowner: weaving\n");
    }
    if has(5) {
        text.push_str("hold: The picture is still to come.\n");
    }
    if has(6) {
        let file = if has(7) {
            "run.csv"
        } else {
            "captures/run.csv"
        };
        let _ = writeln!(text, "measured: {{loom: {{file: {file}}}}}");
    }
    if has(8) {
        let preset = if has(9) { "pairs" } else { "pair" };
        let _ = write!(
            text,
            "diagrams:\n  two:\n    preset: {preset}\n    alt: \"All [32](<= pair.many.resident_warps>) places are taken by warps.\"\n"
        );
    }
    text.push_str(
        "sources:\n  - id: book\n    title: A book of looms\n    sections: [Parts]\n    \
         supports: all of it\n    url: https://looms.example/book\n",
    );
    let _ = writeln!(
        text,
        "    checked: {}",
        if has(10) { "2026-08-01" } else { "2026-09-10" }
    );
    let author = if has(11) { "pending" } else { "Ada Lovelace" };
    let _ = write!(
        text,
        "byline: {{written_by: {author}, reviewed_by: Grace Hopper, written_on: 2026-09-01, last_checked_on: 2026-09-12}}\n---\n\n"
    );
    if has(12) {
        text.push_str("## Threads\n\n");
    }
    text.push_str("It is a part of a loom.[^book] See [[loom]].\n");
    if has(13) {
        text.push_str(
            "\nMore of it: [[warp#threads]], [the pattern](/pattern.svg) and [[thread]].\n",
        );
    }
    if has(14) {
        text.push_str(
            "\nIt took [1.25 ms](<= loom.one.ms>), and <script>that()</script> that is 7.3 % of it.\n",
        );
    }
    if has(15) {
        // Front matter that cannot be read.
        return text.replacen("short:", "short: [", 1);
    }
    text
}
