//! A build that keeps pages of the one before leaves what one in a fresh folder would.

use crate::site::{Site, Step};
use crate::warm::{Built, DAY, same};
use crate::{Files, sign, write};
use tempfile::TempDir;

/// A capture, a preset, a heading and a file that others link to, and a name that another's text has.
const SOUND: [Step; 6] = [
    Step::Entry(0, 6),
    Step::Entry(0, 8),
    Step::Entry(2, 12),
    Step::Entry(3, 1),
    Step::Entry(1, 13),
    Step::Other(3),
];

/// Builds a sound site with each of these edits made to it, one after the other in one folder: between
/// two builds one edit is undone and another is made.
fn each(steps: &[Step]) -> Vec<Built> {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    let mut files = Files::new();
    let mut builds = Vec::new();
    let arguments = ["--png", "none", "--today", DAY];
    for step in steps {
        let mut site = Site::new();
        for step in SOUND.iter().chain([step]) {
            if let Some(entry) = site.apply(*step)
                && let Some(statements) = sign(root, &entry)
            {
                site.statements.extend(statements);
            }
        }
        let next = site.files();
        write(root, &files, &next);
        files = next;
        builds.push(same(root, &arguments, &format!("{step:?}")));
    }
    builds
}

#[test]
fn every_edit_is_in_the_next_build() {
    let builds = each(&Step::each());
    let sound: Vec<_> = builds.iter().filter(|built| built.is_success).collect();
    // Home, two lists, and the page for no page are made each time.
    let keeping = sound.iter().filter(|built| built.pages < 4 + 4).count();
    assert!(
        sound.len() > 20 && keeping > 5,
        "{} sound, {keeping} keeping, first: {}",
        sound.len(),
        builds[0].words
    );
}
