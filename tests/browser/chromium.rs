//! A running Chromium.
//!
//! It reads commands and writes replies on a pair of pipes (`--remote-debugging-pipe`), each message
//! JSON with a zero byte at its end: no port, no handshake, and it ends when we do.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tempfile::TempDir;

/// How long a reply may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

const FLAGS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--remote-debugging-pipe",
];

/// A browser with a profile of its own. Dropping it ends it.
pub(crate) struct Chromium {
    child: Child,
    commands: Mutex<(ChildStdin, u64)>,
    waiting: Waiting,
    /// Its profile; removed with it.
    _profile: TempDir,
}

/// Who waits for a reply, and who wants the events of a session.
#[derive(Default)]
struct Desk {
    replies: BTreeMap<u64, Sender<Value>>,
    events: BTreeMap<String, Sender<Value>>,
}

type Waiting = Arc<Mutex<Desk>>;

impl Chromium {
    /// Starts a browser; `None` where the tests are to be skipped.
    pub(crate) fn start() -> Option<Self> {
        if std::env::var_os("COUNTERSIGN_SKIP_BROWSER").is_some_and(|value| value == "1") {
            return None;
        }
        let binary =
            std::env::var("COUNTERSIGN_CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        let profile = TempDir::new().unwrap();
        // The shell gives our pipes the numbers that Chromium reads and writes: 3 and 4.
        let mut child = Command::new("/bin/sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
            .arg(&binary)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let commands = child.stdin.take().unwrap();
        let replies = child.stdout.take().unwrap();
        let waiting = Waiting::default();
        let desk = Arc::clone(&waiting);
        std::thread::spawn(move || sort(replies, &desk));
        let browser = Self {
            child,
            commands: Mutex::new((commands, 0)),
            waiting,
            _profile: profile,
        };
        let version = browser.call(None, "Browser.getVersion", &json!({}));
        assert!(
            version["product"].is_string(),
            "no reply from {binary}: these tests need Chromium (COUNTERSIGN_SKIP_BROWSER=1 skips them)"
        );
        Some(browser)
    }

    /// Sends one command and waits for its result.
    pub(crate) fn call(&self, session: Option<&str>, method: &str, parameters: &Value) -> Value {
        let (sender, receiver) = channel();
        {
            let mut commands = lock(&self.commands);
            commands.1 += 1;
            let id = commands.1;
            lock(&self.waiting).replies.insert(id, sender);
            let mut message = json!({"id": id, "method": method, "params": parameters});
            if let Some(session) = session {
                message["sessionId"] = json!(session);
            }
            let mut bytes = message.to_string().into_bytes();
            bytes.push(0);
            commands.0.write_all(&bytes).unwrap();
            commands.0.flush().unwrap();
        }
        let mut reply =
            receive(&receiver).unwrap_or_else(|| panic!("no reply to {method} after {PATIENCE:?}"));
        assert!(
            reply["error"].is_null(),
            "{method}: {}",
            reply["error"]["message"]
        );
        reply["result"].take()
    }

    /// The events of a session from now on.
    pub(crate) fn events(&self, session: &str) -> Receiver<Value> {
        let (sender, receiver) = channel();
        lock(&self.waiting)
            .events
            .insert(session.to_owned(), sender);
        receiver
    }
}

/// The browser that the tests share and how many use it now: it ends with the last of them, since a
/// browser must not outlive its tests and statics are never dropped.
static SHARED: Mutex<(usize, Option<Arc<Chromium>>)> = Mutex::new((0, None));

/// Runs a test with the browser; skips it where there is to be none.
pub(crate) fn with_browser(test: impl FnOnce(&Chromium)) {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            let mut shared = lock(&SHARED);
            shared.0 -= 1;
            if shared.0 == 0 {
                shared.1 = None;
            }
        }
    }
    let browser = {
        let mut shared = lock(&SHARED);
        if shared.1.is_none() {
            shared.1 = Chromium::start().map(Arc::new);
        }
        shared.0 += 1;
        shared.1.clone()
    };
    let leave = Leave;
    if let Some(browser) = &browser {
        test(browser);
    }
    drop(browser);
    drop(leave);
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let close = b"{\"id\":0,\"method\":\"Browser.close\"}\0";
        let told = lock(&self.commands).0.write_all(close).is_ok();
        for _ in 0..50 {
            if !told || matches!(self.child.try_wait(), Ok(Some(_))) {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands each message to whoever waits for it, until the browser ends.
fn sort(replies: impl Read, desk: &Mutex<Desk>) {
    let mut replies = BufReader::new(replies);
    let mut bytes = Vec::new();
    while replies.read_until(0, &mut bytes).is_ok_and(|read| read > 0) {
        bytes.pop();
        let message: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        bytes.clear();
        let mut desk = lock(desk);
        if let Some(id) = message["id"].as_u64() {
            if let Some(sender) = desk.replies.remove(&id) {
                let _ = sender.send(message);
            }
        } else if let Some(sender) = message["sessionId"]
            .as_str()
            .and_then(|session| desk.events.get(session))
        {
            let _ = sender.send(message);
        }
    }
    // Nobody is left to answer: whoever still waits learns it at once.
    lock(desk).replies.clear();
}

fn receive(receiver: &Receiver<Value>) -> Option<Value> {
    receiver.recv_timeout(PATIENCE).ok()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
