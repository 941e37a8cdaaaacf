//! The preview as a writer sees it: a page that is there again after each save, as it was left, with
//! what is wrong over it for as long as it is wrong.

use crate::chromium::with_browser;
use crate::page::Page;
use serde_json::json;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

const SITE: &str = "title = \"Loom\"\nbase_url = \"https://loom.example/words/\"\n";

/// A term with a model to step through, and more text than a window shows.
fn term(body: &str) -> String {
    let filler = "Threads are held apart so that others can pass between them.\n\n".repeat(60);
    format!(
        "---\ntitle: What is a shed?\nterm: shed\nshort: The gap between threads.\nmodels:\n  \
         loom: {{kind: warp-scheduler, warps: 2, steps: 2, residents: [1, 2], latency: [3], \
         start: {{residents: 1}}, alt: A timeline of two warps, caption: Two warps.}}\n\
         byline:\n  written_by: Ada Lovelace\n  reviewed_by: pending\n---\n\n\
         {filler}\n\n![](model:loom)\n\n{body}\n\n{filler}"
    )
}

/// The real program, previewing a site.
struct Desk {
    folder: TempDir,
    program: Child,
    address: String,
}

impl Desk {
    fn start() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir_all(folder.path().join("content/terms")).unwrap();
        fs::write(folder.path().join("site.toml"), SITE).unwrap();
        let desk = folder.path().join("content/terms/shed.md");
        fs::write(desk, term("The first text.")).unwrap();
        let (program, address) = preview(folder.path());
        Self {
            folder,
            program,
            address,
        }
    }

    /// Saves as editors do: written aside, then renamed.
    fn save(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        let aside = path.with_extension("tmp");
        fs::write(&aside, text).unwrap();
        fs::rename(aside, path).unwrap();
    }

    /// Ends the program; gives all that it told the terminal.
    fn end(mut self) -> String {
        self.program.kill().unwrap();
        let mut told = String::new();
        let mut errors = self.program.stderr.take().unwrap();
        errors.read_to_string(&mut told).unwrap();
        told
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

fn preview(site: &Path) -> (Child, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .arg("-C")
        .arg(site)
        .args(["preview", "shed", "--port=0", "--today=2026-10-01"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut address = String::new();
    let output = program.stdout.take().unwrap();
    BufReader::new(output).read_line(&mut address).unwrap();
    (program, address.trim().to_owned())
}

const TERM: &str = "content/terms/shed.md";

#[test]
fn a_saved_page_is_there_again_as_it_was_left() {
    with_browser(|browser| {
        let desk = Desk::start();
        let page = Page::new(browser);
        page.open(&desk.address);
        // The player's script comes when its figure does.
        page.evaluate("document.getElementById('figure-loom').scrollIntoView()");
        page.wait("'open' in document.querySelector('[data-model=loom]').dataset");
        page.click("#figure-loom [value='2']");
        page.click("#figure-loom [data-do=back]");
        page.click("#figure-loom [data-do=back]");
        page.wait("/step-\\d/.test(location.hash)");
        let state = "[document.querySelector('#figure-loom [type=range]').value,
            document.querySelector('#figure-loom :checked').value,
            document.querySelector('#figure-loom .player-line').textContent, Math.round(scrollY)]";
        page.evaluate("scrollBy({ top: 137, behavior: 'instant' })");
        let before = page.evaluate(state);
        assert!(before[3].as_u64().unwrap() > 500, "{before}");
        for text in ["A second text.", "A third text, and a longer one."] {
            desk.save(TERM, &term(text));
            page.wait(&format!(
                "document.readyState === 'complete' && document.body?.textContent.includes({})",
                json!(text)
            ));
            page.wait(&format!(
                "JSON.stringify({state}) === JSON.stringify({before})"
            ));
        }
        assert_eq!(page.problems(), Vec::<String>::new());
        // The list shows the new words as well.
        desk.save(TERM, &term("x").replace("The gap between", "A gap between"));
        page.wait("document.readyState === 'complete' && document.body?.textContent.includes('A third text') === false");
        page.open(&desk.address.replace("shed/", ""));
        page.wait("document.body?.textContent.includes('A gap between threads.')");
    });
}

#[test]
fn a_finding_lies_over_the_last_good_page_until_it_is_mended() {
    with_browser(|browser| {
        let desk = Desk::start();
        let page = Page::new(browser);
        page.open(&desk.address);
        // A page that is being loaded has none for a moment.
        let panel = "document.getElementById('countersign-panel')";
        let (hidden, shown) = ("?.hidden === true", "?.hidden === false");
        page.wait(&format!("{panel}{hidden}"));

        // A link that leads nowhere: the page can be made, and says what is wrong with it.
        desk.save(TERM, &term("See [[shedd]]."));
        page.wait(&format!("{panel}{shown}"));
        let told = page.evaluate(&format!("{panel}.querySelector('pre').textContent"));
        let finding = told.as_str().unwrap().to_owned();
        assert!(
            finding.contains("unknown-entry") && finding.contains("[[shed]]"),
            "{finding}"
        );

        // Front matter that cannot be read: there is no page now, and the last good one stays.
        desk.save(TERM, &term("Lost.").replacen("short:", "short: [", 1));
        page.wait(&format!(
            "{panel}?.textContent.includes('bad-front-matter')"
        ));
        page.wait("document.body?.textContent.includes('The first text.')");
        assert_eq!(
            page.evaluate("document.body?.textContent.includes('Lost.')"),
            json!(false)
        );

        desk.save(TERM, &term("A mended text."));
        page.wait(&format!(
            "{panel}{hidden} && document.body?.textContent.includes('A mended text.')"
        ));
        let told = desk.end();
        assert!(told.contains(finding.trim()), "{told}\n---\n{finding}");
        assert!(
            told.ends_with("mended: nothing is found any more\n"),
            "{told}"
        );
    });
}

#[test]
fn a_draft_says_what_it_waits_for_and_where() {
    with_browser(|browser| {
        let desk = Desk::start();
        let page = Page::new(browser);
        page.open(&desk.address);
        let banner = || {
            let text = page.evaluate("document.querySelector('.banner').innerText");
            text.as_str().unwrap().to_owned()
        };
        let line = |wanted: &str| {
            let text = fs::read_to_string(desk.folder.path().join(TERM)).unwrap();
            let at = text.lines().position(|line| line.contains(wanted)).unwrap();
            format!("{TERM}:{}: ", at + 1)
        };
        let waits = format!("{}waits for its reviewer.", line("reviewed_by"));
        assert!(
            banner().contains("Draft.") && banner().contains(&waits),
            "{}",
            banner()
        );
        // What is wrong with it stands there too.
        desk.save(TERM, &term("See [[shedd]]."));
        page.wait("document.querySelectorAll('.banner li').length === 2");
        assert!(banner().contains(&line("[[shedd]]")), "{}", banner());
        assert!(banner().contains(&waits), "{}", banner());
    });
}
