//! A made-up site of any size, to measure builds with.
//!
//! Takes a number of entries and a generator; writes the same entries as that generator wants
//! them. Invariant: the same number gives the same bytes, on every machine. The figures in it are
//! invented for measuring a program; they are true of no device.

mod countersign;
mod entry;
mod hugo;
mod prose;
mod random;

use entry::Entry;
use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Most entries: the names give no more that differ.
const ENTRIES_MAX: usize = 20_000;

/// Which generator a corpus is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Generator {
    Countersign,
    Hugo,
}

/// `cargo xtask corpus N DIR [--for countersign|hugo]`.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let Some((count, folder, generator)) = parse(arguments) else {
        eprintln!(
            "usage: cargo xtask corpus N DIR [--for countersign|hugo], with N from 8 to {ENTRIES_MAX}"
        );
        return ExitCode::from(2);
    };
    let entries: Vec<_> = (0..count).map(|place| Entry::new(place, count)).collect();
    let done = match generator {
        Generator::Countersign => countersign::write(Path::new(folder), &entries),
        Generator::Hugo => hugo::write(Path::new(folder), &entries),
    };
    match done {
        Ok(()) => {
            println!("{count} entries in {folder}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("xtask: cannot write the corpus to {folder}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(arguments: &[String]) -> Option<(usize, &str, Generator)> {
    let (count, folder, generator) = match arguments {
        [count, folder] => (count, folder, "countersign"),
        [count, folder, flag, generator] if flag == "--for" => (count, folder, generator.as_str()),
        _ => return None,
    };
    let generator = match generator {
        "countersign" => Generator::Countersign,
        "hugo" => Generator::Hugo,
        _ => return None,
    };
    let count = count.parse().ok()?;
    // Each entry has four related ones besides itself.
    (8..=ENTRIES_MAX)
        .contains(&count)
        .then_some((count, folder, generator))
}

/// Writes a file, and the folders above it.
fn put(folder: &Path, path: &str, text: &str) -> io::Result<()> {
    let path = folder.join(path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)
}
