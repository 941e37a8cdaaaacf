//! The preview over real sockets and real files: what is answered, to whom, and how soon.
#![expect(clippy::unwrap_used, reason = "a failing helper fails its test")]

use countersign::load::Loader;
use countersign::output::OutputPath;
use countersign::preview::{Change, Compiled, Files, Method, Preview, Server, State, Watch};
use countersign::source::Sources;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(10);

fn write(root: &Path, path: &str, text: &str) {
    let full = root.join(path);
    fs::create_dir_all(full.parent().unwrap()).unwrap();
    fs::write(full, text).unwrap();
}

fn site() -> TempDir {
    let folder = TempDir::new().unwrap();
    write(folder.path(), "site.toml", "/");
    write(folder.path(), "content/terms/latency.md", "one");
    write(folder.path(), "static/two words.png", "png");
    write(folder.path(), "templates/term.html", "<body>TEXT</body>");
    folder
}

/// A stand-in for the compiler: each term becomes a page, whose text `!` is a fault; `site.toml`
/// holds the base path.
fn compile(sources: &Sources) -> Compiled {
    let text = |path: &str| {
        sources
            .find(path)
            .map(|id| sources.file(id).text.to_string())
    };
    let template = text("templates/term.html").unwrap_or_default();
    let mut files = Files {
        base_path: text("site.toml").unwrap(),
        ..Files::default()
    };
    for (_, file) in sources.below("content/terms/") {
        if &*file.text == "!" {
            return Compiled {
                site: None,
                panel: Some(format!("error: {} is <broken>", file.path)),
            };
        }
        let id = file
            .path
            .rsplit('/')
            .next()
            .unwrap()
            .trim_end_matches(".md");
        let page = template.replace("TEXT", &file.text);
        let path = OutputPath::new(&format!("terms/{id}/index.html")).unwrap();
        files.files.insert(path, page.into_bytes().into());
    }
    for (path, file) in sources.binaries() {
        let path = OutputPath::new(path.strip_prefix("static/").unwrap()).unwrap();
        files.files.insert(path, Arc::clone(&file.bytes));
    }
    let home = OutputPath::new("index.html").unwrap();
    files.files.insert(home, b"<body>home</body>"[..].into());
    Compiled {
        site: Some(Arc::new(files)),
        panel: None,
    }
}

/// The loop over the files of a folder, as the program runs it.
fn preview(root: &Path) -> Preview<impl FnMut(&Change) -> Compiled + use<>> {
    let mut loader = Loader::new(root);
    Preview::new(move |change: &Change| {
        let found = match change {
            Change::Everything => loader.load(),
            Change::Paths(paths) => loader.reload(paths),
        };
        compile(&found.unwrap().0)
    })
}

fn serve(state: Arc<State>) -> countersign::preview::Running {
    Server::bind(0).unwrap().start(state).unwrap()
}

/// Sends a request as it stands and returns the whole answer.
fn send(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let request = request.replace("PORT", &address.port().to_string());
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(address: SocketAddr, target: &str) -> String {
    send(
        address,
        &format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n"),
    )
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).unwrap_or("0").parse().unwrap()
}

#[test]
fn every_request_gets_its_status_and_no_secret() {
    let folder = site();
    write(folder.path(), "secret.txt", "OUTSIDE-SECRET");
    let mut preview = preview(folder.path());
    preview.handle(&Change::Everything);
    let server = serve(preview.state());
    let own = "Host: 127.0.0.1:PORT";
    let evil = "Host: 127.0.0.1:PORT\r\nOrigin: https://evil.example";
    for (method, target, headers, allowed) in [
        ("GET", "/", own, &[200][..]),
        ("HEAD", "/terms/latency/", own, &[200]),
        ("GET", "/terms/latency?utm=1", own, &[307]),
        ("GET", "/two%20words.png?v=2", own, &[200]),
        ("GET", "/../secret.txt", own, &[400, 404]),
        ("GET", "/../../../../../../etc/hostname", own, &[400, 404]),
        (
            "GET",
            "/terms/latency/../../../secret.txt",
            own,
            &[400, 404],
        ),
        ("GET", "/%2e%2e/secret.txt", own, &[400, 404]),
        ("GET", "//secret.txt", own, &[400, 404]),
        ("GET", "http://evil.example/", own, &[421]),
        ("GET", "/nothing-here?x=/terms/latency/", own, &[404]),
        ("GET", "/", "Host: evil.example:PORT", &[421]),
        ("GET", "/", "Host: 127.0.0.1.evil.example:PORT", &[421]),
        ("GET", "/", "X: y", &[400, 421]),
        (
            "GET",
            "/",
            "Host: localhost:PORT\r\nHost: evil.example",
            &[400, 421],
        ),
        ("GET", "/", "Host: localhost:PORT", &[200]),
        ("GET", "/", evil, &[403]),
        ("OPTIONS", "/", evil, &[403, 405]),
        ("POST", "/", own, &[405]),
        ("DELETE", "/terms/latency/", own, &[405]),
    ] {
        let request =
            format!("{method} {target} HTTP/1.1\r\n{headers}\r\nConnection: close\r\n\r\n");
        let answer = send(server.address(), &request);
        assert!(allowed.contains(&status(&answer)), "{request}{answer}");
        assert!(!answer.contains("OUTSIDE-SECRET"));
        let lower = answer.to_ascii_lowercase();
        assert!(!lower.contains("access-control-allow-origin"));
        if status(&answer) == 421 {
            assert!(!answer.contains("home"));
        } else if status(&answer) == 200 {
            assert!(lower.contains("x-content-type-options: nosniff"));
        }
        if method == "HEAD" {
            assert!(!answer.contains("one"));
        }
    }
    let png = get(server.address(), "/two%20words.png");
    assert!(png.contains("content-type: image/png") && png.ends_with("\r\n\r\npng"));
}

#[test]
fn only_this_machine_can_reach_it() {
    let server = Server::bind(0).unwrap();
    assert!(server.address().ip().is_loopback());
}

#[test]
fn a_taken_port_is_one_line_that_names_it_and_the_way_out() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = other.local_addr().unwrap();
    let error = Server::bind(taken.port()).unwrap_err().to_string();
    assert!(
        error.contains(&taken.to_string()) && error.contains("--port"),
        "{error}"
    );
    assert!(!error.contains('\n'));
}

/// Reads updates as a browser does.
struct Updates(BufReader<TcpStream>);

impl Updates {
    fn open(address: SocketAddr) -> Self {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(
            stream,
            "GET /.countersign/events HTTP/1.1\r\nHost: {address}\r\n\r\n"
        )
        .unwrap();
        Self(BufReader::new(stream))
    }

    fn next(&mut self) -> serde_json::Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.0.read_line(&mut line).unwrap(), 0, "the stream ended");
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data).unwrap();
            }
        }
    }
}

fn saved(path: &str) -> Change {
    Change::Paths(BTreeSet::from([path.to_owned()]))
}

#[test]
fn a_fault_is_shown_over_the_last_good_page_and_goes() {
    let folder = site();
    let term = "content/terms/latency.md";
    let mut preview = preview(folder.path());
    preview.handle(&Change::Everything);
    let server = serve(preview.state());
    let page = || get(server.address(), "/terms/latency/");
    let mut updates = Updates::open(server.address());
    let first = updates.next();
    assert!(first["panel"].is_null());
    assert!(page().contains(&format!("data-version={}", first["version"])));

    write(folder.path(), term, "!");
    preview.handle(&saved(term));
    let broken = updates.next();
    assert_eq!(
        broken["panel"],
        "error: content/terms/latency.md is <broken>"
    );
    assert_eq!(broken["version"], first["version"]);
    let shown = page();
    assert_eq!(status(&shown), 200);
    assert!(shown.contains("one") && shown.contains("is &lt;broken&gt;"));

    write(folder.path(), term, "two");
    preview.handle(&saved(term));
    let mended = updates.next();
    assert!(mended["panel"].is_null());
    assert_ne!(mended["version"], first["version"]);
    assert!(page().contains("two"));
}

#[test]
fn a_site_that_moves_is_followed() {
    let folder = site();
    let mut preview = preview(folder.path());
    preview.handle(&Change::Everything);
    let server = serve(preview.state());
    assert_eq!(status(&get(server.address(), "/terms/latency/")), 200);
    write(folder.path(), "site.toml", "/gloss/");
    preview.handle(&saved("site.toml"));
    assert_eq!(status(&get(server.address(), "/terms/latency/")), 404);
    let home = get(server.address(), "/?q=1");
    assert_eq!(status(&home), 307);
    assert!(home.contains("location: /gloss/?q=1"));
    assert_eq!(status(&get(server.address(), "/gloss/terms/latency/")), 200);
}

/// Saves as several editors do, and expects each to be told.
fn watched(method: Method) {
    let folder = site();
    let root = folder.path();
    let mut watch = Watch::new(root, method).unwrap();
    let mut preview = preview(root);
    preview.handle(&Change::Everything);
    let state = preview.state();
    let server = serve(state);
    let page = |target: &str| get(server.address(), target);
    let term = "content/terms/latency.md";
    let mut shows = |target: &str, is_right: &dyn Fn(&str) -> bool| {
        while !is_right(&page(target)) {
            let change = watch
                .next(Some(PATIENCE))
                .unwrap_or_else(|| panic!("{target}: no change was told"));
            preview.handle(&change);
        }
    };
    for round in 0..3 {
        let text = format!("marker {round}");
        write(root, "content/terms/latency.md.tmp", &text);
        fs::rename(root.join("content/terms/latency.md.tmp"), root.join(term)).unwrap();
        shows("/terms/latency/", &|page| page.contains(&text));
    }
    write(root, term, "a plain write");
    shows("/terms/latency/", &|page| page.contains("a plain write"));
    write(root, "templates/term.html", "<body>new: TEXT</body>");
    shows("/terms/latency/", &|page| {
        page.contains("new: a plain write")
    });
    write(root, "content/terms/spare.md", "spare");
    shows("/terms/spare/", &|page| status(page) == 200);
    fs::remove_file(root.join("content/terms/spare.md")).unwrap();
    shows("/terms/spare/", &|page| status(page) == 404);
    write(root, "content/terms/deep/er/spare.md", "in new folders");
    shows("/terms/spare/", &|page| page.contains("in new folders"));
    write(
        root,
        "content/terms/deep/er/spare.md",
        "in a watched folder",
    );
    shows("/terms/spare/", &|page| {
        page.contains("in a watched folder")
    });
    fs::rename(root.join("content"), root.join("elsewhere")).unwrap();
    shows("/terms/spare/", &|page| status(page) == 404);
    fs::rename(root.join("elsewhere"), root.join("content")).unwrap();
    shows("/terms/spare/", &|page| status(page) == 200);
    write(root, term, "after all that");
    shows("/terms/latency/", &|page| page.contains("after all that"));
    write(root, "site.toml.new", "/gloss/");
    fs::rename(root.join("site.toml.new"), root.join("site.toml")).unwrap();
    shows("/gloss/terms/latency/", &|page| status(page) == 200);
}

#[test]
fn every_way_of_saving_is_noticed() {
    watched(Method::Told);
}

#[test]
fn every_way_of_saving_is_noticed_without_the_systems_help() {
    watched(Method::Polled(Duration::from_millis(20)));
}

#[test]
fn a_build_and_a_look_are_no_change() {
    let folder = site();
    let root = folder.path();
    let mut watch = Watch::new(root, Method::Told).unwrap();
    countersign::load::site(root).unwrap();
    write(root, "public/index.html", "x");
    write(root, ".countersign-cache/aa/bb", "x");
    write(root, "content/terms/.latency.md.swp", "x");
    write(root, "content/terms/latency.md~", "x");
    // What comes last tells that all before it was looked at.
    write(root, "content/terms/latency.md", "end");
    let mut seen = BTreeSet::new();
    while let Some(Change::Paths(paths)) = watch.next(Some(Duration::from_millis(300))) {
        seen.extend(paths);
    }
    assert_eq!(
        seen,
        BTreeSet::from(["content/terms/latency.md".to_owned()])
    );
}
