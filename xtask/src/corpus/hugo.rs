//! The same corpus as a site of Hugo, with a theme of its own that shows what countersign's pages
//! show.

use super::entry::{Entry, PEOPLE};
use super::put;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// Files of the site that do not depend on the entries.
const FILES: [(&str, &str); 7] = [
    ("hugo.toml", include_str!("hugo/hugo.toml")),
    ("layouts/baseof.html", include_str!("hugo/baseof.html")),
    ("layouts/home.html", include_str!("hugo/home.html")),
    ("layouts/section.html", include_str!("hugo/section.html")),
    ("layouts/page.html", include_str!("hugo/page.html")),
    ("layouts/404.html", include_str!("hugo/404.html")),
    ("static/site.css", include_str!("hugo/site.css")),
];

/// Writes it. The drawings, `assets/pair-00.svg` and so on, come from a build by countersign.
pub(super) fn write(folder: &Path, entries: &[Entry]) -> io::Result<()> {
    for (path, text) in FILES {
        put(folder, path, text)?;
    }
    put(
        folder,
        "content/_index.md",
        "---\ntitle: A made-up glossary\n---\n",
    )?;
    put(
        folder,
        "content/terms/_index.md",
        "---\ntitle: Glossary\n---\n",
    )?;
    for entry in entries {
        let path = format!("content/terms/{}.md", entry.id);
        put(folder, &path, &entry_file(entry))?;
    }
    Ok(())
}

fn entry_file(entry: &Entry) -> String {
    let date = entry.date();
    let related: Vec<_> = entry.related.iter().map(|name| id(name)).collect();
    let (author, reviewer) = (PEOPLE[entry.people.0].1, PEOPLE[entry.people.1].1);
    let mut text = format!(
        "---\ntitle: What is a {name}?\nterm: {name}\ndescription: {short}\ndate: {date}\nlastmod: {date}\n\
         preset: pair-{preset:02}.svg\n\
         device: Tesla T4, compute capability 7.5, driver 595.84, CUDA 12.6 (V12.6.85), captured 2026-07-01\n\
         command: nvcc -std=c++17 -O3 -arch=sm_75\n\
         related: [{related}]\nwritten_by: {author}\nreviewed_by: {reviewer}\n---\n\n",
        name = entry.name,
        short = entry.short,
        preset = entry.preset,
        related = related.join(", "),
    );
    let claims: Vec<_> = entry
        .claims
        .iter()
        .map(|claim| claim.text.clone())
        .collect();
    let links: Vec<_> = entry
        .related
        .iter()
        .map(|name| format!("[{name}](../{}/)", id(name)))
        .collect();
    let listing = format!("```cpp\n{}```", entry.listing);
    super::prose::body(entry, (&claims, &links), &listing, &table(entry), &mut text);
    let _ = write!(
        text,
        "\n[^guide]: [CUDA Programming Guide](https://docs.nvidia.com/cuda/cuda-c-programming-guide/): Hardware \
         Multithreading. How a {name} comes about. Checked {date}.\n\
         [^tuning]: [CUDA Best Practices Guide](https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/): Memory \
         Optimizations. What a {name} costs. Checked {date}.\n",
        name = entry.name
    );
    text
}

fn table(entry: &Entry) -> String {
    let mut text = String::from(
        "| label | occupancy (%) | loads per thread | loads in flight | ms | GB/s |\n|---|--:|--:|--:|--:|--:|\n",
    );
    for row in &entry.rows {
        let _ = writeln!(text, "| {} |", row.cells().join(" | "));
    }
    text.truncate(text.trim_end().len());
    text
}

fn id(name: &str) -> String {
    name.replace(' ', "-")
}
