//! `check-links` against a server of the test's own: what each answer counts as, how often and
//! how fast is asked, and what is remembered.

use super::shop::{Ran, Shop};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// A request as it came.
#[derive(Debug, Clone)]
struct Asked {
    method: String,
    path: String,
    at: Instant,
}

/// A server on loopback that answers by the path.
struct Server {
    address: SocketAddr,
    log: Arc<Mutex<Vec<Asked>>>,
    is_down: Arc<AtomicBool>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let server = Self {
            address: listener.local_addr().expect("an address"),
            log: Arc::default(),
            is_down: Arc::default(),
        };
        let (log, is_down) = (Arc::clone(&server.log), Arc::clone(&server.is_down));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, is_down) = (Arc::clone(&log), Arc::clone(&is_down));
                thread::spawn(move || {
                    if !is_down.load(Ordering::SeqCst) {
                        serve(stream, &log);
                    }
                });
            }
        });
        server
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The requests for a path, or all.
    fn asked(&self, path: Option<&str>) -> Vec<Asked> {
        let log = self.log.lock().expect("a log");
        let wanted = |asked: &&Asked| path.is_none_or(|path| asked.path == path);
        log.iter().filter(wanted).cloned().collect()
    }

    fn methods(&self, path: &str) -> String {
        let asked = self.asked(Some(path));
        let methods: Vec<_> = asked.into_iter().map(|asked| asked.method).collect();
        methods.join(" ")
    }
}

/// Answers the one request of a connection.
fn serve(mut stream: TcpStream, log: &Mutex<Vec<Asked>>) {
    let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
    let Some(Ok(first)) = lines.next() else {
        return;
    };
    while lines
        .next()
        .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
    {}
    let mut words = first.split(' ').map(str::to_owned);
    let method = words.next().expect("a method");
    let path = words.next().expect("a path");
    let count = {
        let mut log = log.lock().expect("a log");
        log.push(Asked {
            method: method.clone(),
            path: path.clone(),
            at: Instant::now(),
        });
        log.iter().filter(|asked| asked.path == path).count()
    };
    let head = match (path.as_str(), method.as_str()) {
        ("/moved", _) => "301 Moved Permanently\r\nLocation: /there",
        ("/away", _) => "302 Found\r\nLocation: /there",
        ("/out", _) => "301 Moved Permanently\r\nLocation: http://10.0.0.1/",
        ("/gone", _) => "404 Not Found",
        ("/headless", "HEAD") => "405 Method Not Allowed",
        ("/busy", _) if count == 1 => "429 Too Many Requests\r\nRetry-After: 1",
        ("/fault", _) => "500 Internal Server Error",
        ("/closed", _) => "403 Forbidden",
        ("/slow", _) => {
            thread::sleep(Duration::from_secs(4));
            "200 OK"
        }
        _ => "200 OK",
    };
    let answer = format!("HTTP/1.1 {head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all(answer.as_bytes());
}

/// A site whose one page links to these addresses, a line each, from line 4 on.
fn site(links: &[String]) -> Shop {
    let shop = Shop::empty();
    shop.write(
        "site.toml",
        "title = \"Course\"\nbase_url = \"https://example.org/course/\"\n",
    );
    let items: Vec<_> = links.iter().map(|url| format!("- [it]({url})\n")).collect();
    shop.write(
        "content/pages/reading.md",
        &format!("---\ntitle: Reading\n---\n{}", items.concat()),
    );
    shop
}

fn check(shop: &Shop, more: &[&str]) -> Ran {
    let mut arguments = vec!["check-links", "--allow-loopback", "--pause-ms", "10"];
    arguments.extend(more);
    shop.run(&arguments)
}

/// The JSON that was printed, and the link with this address in it.
fn link<'a>(report: &'a Value, url: &str) -> &'a Value {
    let links = report["links"].as_array().expect("links");
    let found = links.iter().find(|link| link["url"] == url);
    found.unwrap_or_else(|| panic!("no {url} in {report:#}"))
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).expect("JSON")
}

#[test]
fn each_answer_counts_as_one_result() {
    let server = Server::start();
    let expected = [
        ("/there", "ok", "HEAD HEAD HEAD"),
        ("/moved", "moved", "HEAD"),
        ("/away", "ok", "HEAD"),
        ("/gone", "broken", "HEAD GET"),
        ("/headless", "ok", "HEAD GET"),
        ("/busy", "ok", "HEAD HEAD"),
        ("/fault", "unknown", "HEAD GET GET GET"),
        ("/closed", "unknown", "HEAD GET"),
        ("/out", "unknown", "HEAD"),
        ("/slow", "unknown", "HEAD HEAD HEAD"),
    ];
    let links: Vec<_> = expected.iter().map(|(path, ..)| server.url(path)).collect();
    let shop = site(&links);
    let before = shop.read("content/pages/reading.md");
    let ran = check(&shop, &["--timeout", "1", "--format", "json"]).ended(1);
    let report = json(&ran);
    for (line, (path, result, methods)) in expected.iter().enumerate() {
        let link = link(&report, &server.url(path));
        assert_eq!(link["result"], *result, "{link:#}");
        assert_eq!(server.methods(path), *methods, "{path}");
        assert_eq!(link["uses"][0]["path"], "content/pages/reading.md");
        assert_eq!(link["uses"][0]["line"], line + 4);
        let learned = *result != "unknown" || link["status"].is_number();
        assert_eq!(link["checked"].is_string(), learned, "{link:#}");
    }
    assert_eq!(link(&report, &links[1])["to"], server.url("/there"));
    let busy = server.asked(Some("/busy"));
    assert!(busy[1].at - busy[0].at >= Duration::from_secs(1));
    assert_eq!(shop.read("content/pages/reading.md"), before);
}

#[test]
fn people_are_told_the_place_and_what_to_do() {
    let server = Server::start();
    let shop = Shop::new();
    let gone = server.url("/gone");
    shop.edit(
        "content/terms/warp.md",
        "https://docs.nvidia.com/cuda/",
        &gone,
    );
    let mail = "[Ada](mailto:ada@example.org), [all](https://example.org/course/terms/)";
    let body = format!(
        "A warp is [moved]({}), {mail}, [here]({gone}#part) and",
        server.url("/moved")
    );
    shop.edit("content/terms/warp.md", "A warp is", &body);
    let ran = check(&shop, &[]).ended(1);
    for part in [
        format!("error: `{gone}` is broken: the server answered 404 Not Found\n"),
        format!(
            "warning: `{}` has moved to `{}`\n",
            server.url("/moved"),
            server.url("/there")
        ),
        "--> content/terms/warp.md:19:10\n".to_owned(),
        "help: Read what stands there now, and give the new address.".to_owned(),
        "2 links: 0 ok, 1 moved, 1 broken, 0 unknown\n".to_owned(),
    ] {
        assert!(ran.out.contains(&part), "{part}\nis not in\n{}", ran.out);
    }
    assert_eq!(ran.err, "");
    // Both uses stand under one headline.
    assert_eq!(ran.out.matches("is broken").count(), 1);
    assert_eq!(ran.out.matches("/gone#part").count(), 1, "{}", ran.out);
}

#[test]
fn answers_are_remembered_with_their_day() {
    let server = Server::start();
    let links = [server.url("/there"), server.url("/gone")];
    let shop = site(&links);
    check(&shop, &[]).ended(1);
    let stored = shop.read(".countersign-cache/links.json");
    assert!(stored.contains("\"checked\": \"2026-10-01\""), "{stored}");
    let again = json(&check(&shop, &["--format", "json", "--today", "2026-10-08"]).ended(1));
    // What was there is not asked again; what was not there may have come back.
    assert_eq!(server.methods("/there"), "HEAD");
    assert_eq!(server.methods("/gone"), "HEAD GET HEAD GET");
    assert_eq!(link(&again, &links[0])["cached"], true);
    assert_eq!(link(&again, &links[0])["checked"], "2026-10-01");
    check(&shop, &["--today", "2026-10-09"]).ended(1);
    assert_eq!(server.methods("/there"), "HEAD HEAD");
    // Nothing is learned from a server that is down, so nothing is forgotten.
    server.is_down.store(true, Ordering::SeqCst);
    let ran = check(&shop, &["--today", "2026-12-01"]).ended(0);
    let note = "the last answer, on 2026-10-09, was: ok";
    assert!(ran.out.contains(note), "{}", ran.out);
    assert!(ran.out.contains("0 broken, 2 unknown"), "{}", ran.out);
    let kept = shop.read(".countersign-cache/links.json");
    assert!(
        kept.contains("2026-10-09") && !kept.contains("2026-12-01"),
        "{kept}"
    );
}

#[test]
fn a_host_has_a_pause_between_two_requests() {
    let server = Server::start();
    let links: Vec<_> = (0..4).map(|at| server.url(&format!("/{at}"))).collect();
    let shop = site(&links);
    shop.run(&["check-links", "--allow-loopback", "--pause-ms", "150"])
        .ended(0);
    let asked = server.asked(None);
    assert_eq!(asked.len(), 4);
    let gaps = asked.windows(2).map(|pair| pair[1].at - pair[0].at);
    // A request may start late and the next one in time.
    let total: Duration = gaps.sum();
    assert!(total >= Duration::from_millis(400), "{total:?}");
}

#[test]
fn this_machine_is_not_asked_and_builds_ask_nobody() {
    let server = Server::start();
    let shop = site(&[server.url("/there")]);
    let ran = shop.run(&["check-links", "--pause-ms", "0"]).ended(0);
    assert!(ran.out.contains("it was not asked"), "{}", ran.out);
    shop.run(&["check"]);
    shop.run(&["build"]);
    assert_eq!(server.asked(None).len(), 0);
}

#[test]
fn another_file_is_not_written_over() {
    let server = Server::start();
    let shop = site(&[server.url("/there")]);
    shop.write("notes.json", "{\"mine\": true}\n");
    let refused = check(&shop, &["--cache", "notes.json"]).ended(2);
    assert!(
        refused.err.contains("would be written over"),
        "{}",
        refused.err
    );
    assert_eq!(shop.read("notes.json"), "{\"mine\": true}\n");
    assert_eq!(server.asked(None).len(), 0);
    check(&shop, &["--cache", "found/links.json"]).ended(0);
    assert!(shop.has("found/links.json") && !shop.has(".countersign-cache"));
}

#[cfg(unix)]
#[test]
fn answers_are_not_written_through_a_link() {
    let server = Server::start();
    let shop = site(&[server.url("/there")]);
    shop.write("elsewhere/kept", "");
    std::os::unix::fs::symlink("elsewhere", shop.path(".countersign-cache")).unwrap();
    let refused = check(&shop, &[]).ended(2);
    assert!(refused.err.contains("is a link"), "{}", refused.err);
    assert!(!shop.has("elsewhere/links.json"));
    assert_eq!(server.asked(None).len(), 0);
    check(&shop, &["--cache", "found/links.json"]).ended(0);
}
