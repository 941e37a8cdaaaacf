//! What can stand in the way of a command from outside of the site: one clear line each.

use super::shop::{Ran, Shop};
use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};

/// The one line of an error.
#[track_caller]
fn line(ran: &Ran) -> &str {
    let mut lines = ran.err.lines();
    let (first, second) = (lines.next(), lines.next());
    assert!(
        second.is_none_or(|line| line.starts_with("help: ")),
        "{}",
        ran.err
    );
    assert!(lines.next().is_none(), "{}", ran.err);
    first.expect("a line")
}

#[test]
fn a_port_that_is_taken_is_named_with_a_way_out() {
    let shop = Shop::new();
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = taken.local_addr().expect("its number").port().to_string();
    let ran = shop.run(&["preview", "--port", &port]).ended(2);
    let wanted = format!(
        "error: cannot serve on 127.0.0.1:{port}: another program uses this port; \
         choose another with --port N, or let --port 0 find a free one"
    );
    assert_eq!(line(&ran), wanted);
}

#[test]
fn a_number_that_no_port_has_is_refused() {
    let shop = Shop::new();
    for port in ["99999", "-1", "http", "65536"] {
        let ran = shop.run(&["preview", &format!("--port={port}")]).ended(2);
        assert!(ran.err.contains("from 1 to 65535"), "{}", ran.err);
        assert!(ran.err.contains(port), "{}", ran.err);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let shop = Shop::empty();
    shop.run(&["new", "site", "Course"]).ended(0);
    // A file where a folder has to be: it stops whoever runs the tests, root too.
    shop.write("taken", "a file");
    let build = ["-C", "course", "build", "--out", "taken/public"];
    let ran = shop.run(&build).ended(2);
    let last = ran.err.lines().last().expect("a line");
    assert!(last.starts_with("error: cannot "), "{}", ran.err);
    assert!(last.contains("taken/public"), "{}", ran.err);
    let ran = shop.run(&["new", "site", "taken/Course"]).ended(2);
    assert!(line(&ran).contains("taken/Course"), "{}", ran.err);
    assert_eq!(shop.read("taken"), "a file");
}

#[test]
fn without_a_browser_the_address_is_enough() {
    let shop = Shop::new();
    let mut program = Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["preview", "--open", "--port=0"])
        .current_dir(shop.root())
        .env("PATH", "")
        .env_remove("BROWSER")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    let errors = BufReader::new(program.stderr.take().expect("a pipe"));
    let told = errors.lines().map_while(Result::ok);
    let told = told.into_iter().find(|line| line.contains("browser"));
    program.kill().expect("it still runs");
    program.wait().expect("it ended");
    let told = told.expect("it says so");
    assert!(told.starts_with("no browser could be opened"), "{told}");
    assert!(told.ends_with("open the address above yourself"), "{told}");
}

#[test]
fn relative_paths_count_from_where_the_command_runs() {
    let shop = Shop::empty();
    shop.run(&["-C", ".", "new", "site", "Course"]).ended(0);
    let build = |more: &[&str]| {
        let build = ["-C", "course", "build", "--png", "none"];
        shop.run(&[&build[..], more].concat()).ended(0);
    };
    build(&["--out", "release"]);
    assert!(shop.has("release/index.html") && !shop.has("course/release"));
    build(&[]);
    assert!(shop.has("course/public/index.html") && !shop.has("public"));
    shop.write("course/content/notes.txt", "Nothing is made of this.");
    for path in ["course/content", "content"] {
        let ran = shop.run(&["-C", "course", "check", path]).ended(0);
        assert!(ran.out.contains("content/notes.txt"), "{path}: {}", ran.out);
    }
    let links = ["-C", "course", "check-links", "--cache", "answers.json"];
    shop.run(&links).ended(0);
    assert!(shop.has("answers.json"));
    std::fs::create_dir(shop.path("more")).expect("a folder");
    shop.run(&["-C", "more", "new", "site", "Other"]).ended(0);
    assert!(shop.has("more/other/site.toml"));
}

#[test]
fn a_build_with_drafts_shows_their_files_where_a_release_could_not() {
    let shop = Shop::new();
    shop.write(
        "content/terms/lane/index.md",
        "---\ntitle: What is a lane?\nshort: One thread.\n---\n",
    );
    shop.write(
        "content/terms/lane/lane.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
    );
    shop.write(
        "content/index.md",
        "![A lane among the lanes of a warp](terms/lane/lane.svg)\n",
    );
    let ran = shop.run(&["build", "--png", "none"]).ended(1);
    assert!(
        ran.err.contains("error[CS504 link-to-draft]"),
        "{}",
        ran.err
    );
    shop.run(&["build", "--png", "none", "--drafts", "--out", "review"])
        .ended(0);
    assert!(shop.has("review/terms/lane/lane.svg"));
}

#[test]
fn a_build_counts_as_refused_what_it_finds_at_fault_itself() {
    let shop = Shop::new();
    shop.edit("site.toml", "attested", "named");
    shop.write(
        "templates/term.html",
        "<!doctype html><title>{{ entry.title }}</title>\n",
    );
    let ran = shop.run(&["build", "--png", "none"]).ended(1);
    for told in ["1 entry: 1 refused", "withheld: term `warp` is refused"] {
        assert!(ran.err.contains(told), "{}", ran.err);
    }
}
