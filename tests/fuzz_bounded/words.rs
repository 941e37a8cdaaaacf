//! The words of each language that is read, and sound texts in it.

/// What inputs of a target are made of.
pub(crate) struct Language {
    pub(crate) words: &'static [&'static str],
    pub(crate) sound: &'static [&'static str],
}

/// The language of a target.
pub(crate) fn of(target: &str) -> Language {
    let (words, sound): (_, &[_]) = match target {
        "front_matter" => (YAML, &[TERM, LESSON]),
        "markdown" | "release" => (MARKDOWN, &[BODY]),
        "formulas" => (
            FORMULA,
            &[
                "t4.ilp4-b1.ms / t4.tlp1.ms",
                "loom(residents: 1, latency: 4).cycles",
                "dot(a[0,*], a[*,1])",
                "max(t4.*.ms) - min(t4.*.ms)",
            ],
        ),
        "presets" => (TOML, &[PRESET]),
        "models" => (
            YAML,
            &[
                LOOM,
                "kind: tile-reuse\na: a\nb: a\nalt: A tile is read once.\ncaption: Tiles.\n",
                "kind: systolic-array\nedge: 2\noperands: {a: a, b: a}\nalt: Cells pass values on.\n",
            ],
        ),
        "captures" => (JSON, &[CAPTURE, "label,ms\ntlp1,0.785\nilp4,0.798\n"]),
        "statements" => (TOML, &[STATEMENT]),
        "signatures" => (
            SIGNATURE,
            &[
                "-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg\n-----END SSH SIGNATURE-----\n",
                "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFhmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm x",
            ],
        ),
        "request_paths" => (
            PATH,
            &[
                "/course/terms/warp/index.html?a=b",
                "/terms/%E6%B8%AC.png",
                "terms/a/index.html",
            ],
        ),
        "settings" => (TOML, &[SETTINGS]),
        "people" => (YAML, &[PEOPLE]),
        "templates" => (
            TEMPLATE,
            &[
                "{% extends \"base.html\" %}\n{% block main %}{{ entry.title }}{% for s in entry.sources %}{{ s.title }}{% endfor %}{% endblock %}\n",
            ],
        ),
        other => panic!("no words for {other}"),
    };
    Language { words, sound }
}

const YAML: &[&str] = &[
    "title: ",
    "short: ",
    "byline:\n",
    "written_by: ",
    "measured:\n",
    "sources:\n",
    "aliases: ",
    "keys: ",
    "name: ",
    "kind: ",
    "- ",
    "  ",
    "    ",
    "\n",
    "\n",
    ": ",
    "{",
    "}",
    "[",
    "]",
    ", ",
    "\"",
    "'",
    "|\n",
    ">-\n",
    "# ",
    "&a ",
    "*a",
    "<<: ",
    "!!str ",
    "---\n",
    "...\n",
    "? ",
    "null",
    "~",
    "pending",
    "Ada Lovelace",
    "2026-09-01",
    "2026-13-45",
    "0.70",
    "1e999",
    "0x1F",
    "no",
    "\u{feff}",
    "\u{202e}",
    "\u{0}",
    "\t",
    "\r\n",
    "é",
    "測",
    "https://example.org/",
    "javascript:x",
    "%41",
    "..",
    "/",
];

const MARKDOWN: &[&str] = &[
    "# ",
    "## ",
    "###### ",
    "{#id kicker=\"K\"}",
    "> ",
    "> [!NOTE]\n",
    "- ",
    "1. ",
    "- [ ] ",
    "\n",
    "\n\n",
    "    ",
    "`",
    "``",
    "```cuda\n",
    "```math\n",
    "```\n",
    "$`x^2`$",
    "$`\\frac{",
    "}`$",
    "*",
    "**",
    "_",
    "__shared__",
    "~~",
    "<",
    ">",
    "<int>",
    "</p>",
    "<script>",
    "<!--",
    "-->",
    "<a href=\"javascript:x\">",
    "&amp;",
    "&#0;",
    "&lt;",
    "[",
    "]",
    "(",
    ")",
    "[[warp]]",
    "[[",
    "]]",
    "[^guide]",
    "[^x]",
    "[^x]: ",
    "[a]: /b",
    "![caption](measured:t4)",
    "![](diagram:two)",
    "![](model:loom)",
    "![](matrix:a)",
    "[1.02](<= t4.ilp4-b1.ms / t4.tlp1.ms>)",
    "[25%](= ",
    "|",
    "|-|-|\n",
    "|a|b|\n",
    ":-:",
    "\\",
    "\\|",
    "{{ x }}",
    "{% raw %}",
    "<<<1, 2>>>",
    "\u{202e}",
    "\u{0}",
    "\t",
    "\r\n",
    "é",
    "測試",
    "👩‍🚀",
    "a",
    " ",
    "1.5",
    "https://example.org/course/",
    "http://localhost/",
    "../a.png",
    "terms/a.md#x",
];

const FORMULA: &[&str] = &[
    "t4",
    ".",
    "tlp1",
    "ilp4-b1",
    "ms",
    "gbps",
    "*",
    "t4.*.ms",
    "max(",
    "min(",
    "sum(",
    "mean(",
    "count(",
    "abs(",
    "round(",
    "dot(",
    ")",
    "(",
    "[",
    "]",
    ",",
    " ",
    " + ",
    " - ",
    " * ",
    " / ",
    "-",
    "+",
    "/",
    "0",
    "1",
    "00.10",
    "1e60",
    "99999999999999999999",
    "loom(residents: 1, latency: 4).cycles",
    "loom",
    "residents: ",
    "latency: ",
    ".acc.w0.k1.lane3",
    ".finish.w1",
    "a[0,1]",
    "a[0,*]",
    "a[*,9]",
    "bytes",
    "max_warps",
    "%",
    "é",
    "\u{0}",
    "×",
    "²",
];

const TOML: &[&str] = &[
    "title = ",
    "base_url = ",
    "kind = ",
    "\"occupancy-stepper\"",
    "[device]\n",
    "[gate]\n",
    "[rules]\n",
    "[html]\n",
    "[build]\n",
    "[[configuration]]\n",
    "[",
    "]",
    "{",
    "}",
    "=",
    ", ",
    ".",
    "\n",
    "\"",
    "\"\"\"",
    "'",
    "# ",
    "out = ",
    "\"../x\"",
    "\"https://example.org/\"",
    "\"http://[::1]:/\"",
    "assurance = ",
    "\"signed\"",
    "id = ",
    "max_warps = ",
    "resident_warps = ",
    "items_per_thread = ",
    "loads_per_item = ",
    "loads_in_flight = ",
    "site = ",
    "entry = ",
    "role = ",
    "person = ",
    "claims = ",
    "\"sha256:",
    "signed_on = ",
    "0",
    "1",
    "32",
    "-1",
    "4294967296",
    "1e400",
    "nan",
    "inf",
    "0x_",
    "2026-09-01",
    "2026-02-30T25:00",
    "true",
    "\\u0000",
    "\u{202e}",
    "\u{0}",
    "\r",
    "é",
    "測",
];

const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\"columns\"",
    "\"rows\"",
    "\"label\"",
    "\"ms\"",
    "\"unit\"",
    "\"derived\"",
    "\"exact\"",
    "\"constants\"",
    "\"captured\"",
    "\"2026-09-01\"",
    "\"device\"",
    "true",
    "null",
    "0.785",
    "-0",
    "1e999",
    "00",
    "1.",
    "NaN",
    "\\u0000",
    "\\ud800",
    "\\",
    "\n",
    " ",
    "label,ms\n",
    ";",
    "é",
    "\u{feff}",
    "\u{0}",
    "//",
    "/*",
];

const SIGNATURE: &[&str] = &[
    "-----BEGIN SSH SIGNATURE-----\n",
    "-----END SSH SIGNATURE-----\n",
    "-----BEGIN OPENSSH PRIVATE KEY-----\n",
    "-----END OPENSSH PRIVATE KEY-----\n",
    "U1NIU0lH",
    "AAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg",
    "AAAA",
    "////",
    "=",
    "==",
    "\n",
    " ",
    "ssh-ed25519 ",
    "ssh-rsa ",
    "ecdsa-sha2-nistp256 ",
    "sk-ssh-ed25519@openssh.com ",
    "AAAAC3NzaC1lZDI1NTE5AAAAI",
    "b3BlbnNzaC1rZXktdjEA",
    "x",
    "\u{0}",
    "é",
];

const PATH: &[&str] = &[
    "/",
    "//",
    ".",
    "..",
    "/../",
    "\\",
    "%2e",
    "%2E%2e",
    "%2f",
    "%5c",
    "%252e",
    "%00",
    "%",
    "%zz",
    "?",
    "#",
    "course",
    "terms",
    "index.html",
    "con",
    "aux.txt",
    "a",
    "A",
    " ",
    ":",
    "é",
    "e\u{301}",
    "測",
    "\u{0}",
    "\u{202e}",
    "~",
    "-",
];

const TEMPLATE: &[&str] = &[
    "{{ ",
    " }}",
    "{% ",
    " %}",
    "{# ",
    " #}",
    "extends \"base.html\"",
    "block main",
    "endblock",
    "for x in ",
    "endfor",
    "if ",
    "else",
    "endif",
    "entry",
    ".title",
    ".nothing",
    "[0]",
    "[999]",
    " | safe",
    " | length",
    " | nothing",
    "include \"partials/head.html\"",
    "include \"lesson.html\"",
    "include \"../../etc/passwd\"",
    "set x = ",
    "1",
    " + ",
    " / 0",
    "\"",
    "(",
    ")",
    "range(end=",
    "99999999999",
    "~",
    "\n",
    "<p>",
    "é",
    "\u{0}",
    "macro m()",
    "endmacro",
    "raw",
    "endraw",
];

const TERM: &str = "title: What is a warp?
term: warp
aliases: [wavefront]
short: Thirty-two threads that step together.
measured:
  t4:
    device: Tesla T4
    driver: \"595.84\"
    toolkit: CUDA 12.6
    build: nvcc -O3
    captured: 2026-09-01
    constants: {bytes: 201326592}
    columns: {label: {}, ms: {unit: ms}, gbps: {unit: GB/s, derived: bytes / ms / 1000000}}
    rows:
      - [tlp1, 0.785, 256.5]
sources:
  - {id: guide, title: A guide, supports: all, url: \"https://example.com/\", checked: 2026-08-30}
byline:
  written_by: Ada Lovelace
  reviewed_by: Grace Hopper
  written_on: 2026-09-01
  last_checked_on: 2026-09-02
";

const LESSON: &str = "---
title: Occupancy
day: 45
arc: {name: Latency, part: 2}
short: A lesson.
prerequisites: [warp]
teaches: [warp]
matrices:
  a: {rows: [[1, 2], [3, 4]], highlight: {row: 0}, caption: Left.}
models:
  loom: {kind: warp-scheduler, warps: 4, steps: 4, residents: [1, 2], latency: [4, 12], start: {residents: 1, latency: 4}, alt: A loom., caption: C.}
byline: {written_by: pending, reviewed_by: pending}
---
## The job {#job kicker=\"The job\"}

Text.
";

const BODY: &str = "## First {#first}

A claim of [1.02](<= t4.ilp4-b1.ms / t4.tlp1.ms>), a link to [[a]], a [file](pic.png) and a note.[^n] It is cited.[^guide]

[^n]: A note with `code` and $`x^2`$.

![The runs](measured:t4)

![](model:loom)

![](matrix:a)

> [!NOTE]
> A quotation.

| a | b |
|---|--:|
| 1 | `2` |

- [x] done
- ~~gone~~

```cuda
__global__ void k(float *x) { x[threadIdx.x] += 1.0f; }
```
";

const PRESET: &str = "kind = \"occupancy-stepper\"
title = \"Two ways\"
[device]
name = \"Tesla T4\"
compute_capability = \"7.5\"
max_warps = 32
[[configuration]]
id = \"many\"
label = \"many warps\"
resident_warps = 32
items_per_thread = 1
loads_per_item = 2
loads_in_flight = 64
";

const LOOM: &str = "kind: warp-scheduler
warps: 4
steps: 4
residents: [1, 2, 3, 4]
latency: [4, 12]
start: {residents: 1, latency: 4}
operands: {a: a, b: a}
alt: Warps take turns on one issue slot.
caption: The loom.
";

const CAPTURE: &str = r#"{"device": "Tesla T4", "driver": "595.84", "toolkit": "CUDA 12.6", "build": "nvcc -O3", "captured": "2026-09-01",
"constants": {"bytes": 201326592}, "columns": {"label": {}, "ms": {"unit": "ms"}, "gbps": {"derived": "bytes / ms / 1000000"}},
"rows": [["tlp1", 0.785, 256.5], ["ilp4", 0.798, 252.2]]}
"#;

const STATEMENT: &str = "site = \"example.org/course/\"
entry = \"a\"
role = \"author\"
person = \"Ada Lovelace\"
signed_on = 2026-09-02
claims = \"sha256:0000000000000000000000000000000000000000000000000000000000000000\"
freshness = \"sha256:0000000000000000000000000000000000000000000000000000000000000000\"
";

const SETTINGS: &str = "title = \"A course\"
base_url = \"https://example.org/course/\"
language = \"en\"
[build]
out = \"public\"
[gate]
assurance = \"named\"
source_max_age_days = 90
[rules]
weak-alt = \"off\"
[html]
raw = \"allow\"
";

const PEOPLE: &str = "ada:
  name: Ada Lovelace
  aliases: [Augusta Ada King]
  email: ada@example.org
  keys:
    - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFhmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm ada
grace: {name: Grace Hopper, kind: human, url: \"https://example.org/grace\"}
";
