//! One page: what a reader can do with it, and what it shows.

use crate::chromium::{Chromium, PATIENCE};
use serde_json::{Value, json};
use std::fmt;
use std::path::Path;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// A window of its own, with storage of its own. Dropping it closes it.
pub(crate) struct Page<'b> {
    browser: &'b Chromium,
    context: String,
    session: String,
    events: Receiver<Value>,
}

impl<'b> Page<'b> {
    /// An empty page of 1280 × 900 pixels.
    pub(crate) fn new(browser: &'b Chromium) -> Self {
        let made = browser.call(None, "Target.createBrowserContext", &json!({}));
        let context = text(&made["browserContextId"]);
        let made = browser.call(
            None,
            "Target.createTarget",
            &json!({"url": "about:blank", "browserContextId": context}),
        );
        let attached = browser.call(
            None,
            "Target.attachToTarget",
            &json!({"targetId": made["targetId"], "flatten": true}),
        );
        let session = text(&attached["sessionId"]);
        let events = browser.events(&session);
        let page = Self {
            browser,
            context,
            session,
            events,
        };
        for domain in ["Page", "Runtime", "Log"] {
            page.call(&format!("{domain}.enable"), &json!({}));
        }
        page.window(1280, 900);
        page
    }

    /// Any command of the protocol.
    pub(crate) fn call(&self, method: &str, parameters: &Value) -> Value {
        self.browser.call(Some(&self.session), method, parameters)
    }

    /// The size of the window in CSS pixels.
    pub(crate) fn window(&self, width: u32, height: u32) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}),
        );
    }

    /// What media queries see: a type (empty for none) and features, such as
    /// `("prefers-color-scheme", "dark")`.
    pub(crate) fn media(&self, media: &str, features: &[(&str, &str)]) {
        let features: Vec<_> = features
            .iter()
            .map(|(name, value)| json!({"name": name, "value": value}))
            .collect();
        self.call(
            "Emulation.setEmulatedMedia",
            &json!({"media": media, "features": features}),
        );
    }

    /// From the next page on, scripts of pages do not run; [`Page::evaluate`] still works.
    pub(crate) fn without_scripts(&self) {
        self.call(
            "Emulation.setScriptExecutionDisabled",
            &json!({"value": true}),
        );
    }

    /// Opens an address and waits until the page has loaded.
    pub(crate) fn open(&self, address: &str) {
        // An address that differs by its fragment alone is the same page: nothing would load.
        self.call("Page.navigate", &json!({"url": "about:blank"}));
        self.call("Page.navigate", &json!({"url": address}));
        self.loaded(address);
    }

    /// Loads the page once more.
    pub(crate) fn reload(&self) {
        let address = text(&self.evaluate("window.left = true, location.href"));
        self.call("Page.reload", &json!({}));
        self.wait("!window.left");
        self.loaded(&address);
    }

    fn loaded(&self, address: &str) {
        let address = json!(address);
        self.wait(&format!(
            "location.href === new URL({address}).href && document.readyState === 'complete'"
        ));
    }

    /// The value of an expression; a promise is waited for.
    pub(crate) fn evaluate(&self, expression: &str) -> Value {
        let mut reply = self.call(
            "Runtime.evaluate",
            &json!({"expression": expression, "awaitPromise": true, "returnByValue": true}),
        );
        let fault = &reply["exceptionDetails"];
        assert!(
            fault.is_null(),
            "{expression}\n{} {}",
            fault["text"],
            fault["exception"]["description"]
        );
        reply["result"]["value"].take()
    }

    /// Waits until an expression holds.
    pub(crate) fn wait(&self, expression: &str) {
        let since = Instant::now();
        while self.evaluate(&format!("!!({expression})")) != json!(true) {
            assert!(since.elapsed() < PATIENCE, "it never held: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Scrolls an element into the window and clicks its middle with the mouse.
    pub(crate) fn click(&self, selector: &str) {
        let (x, y) = self.middle(selector);
        for (kind, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
            self.call(
                "Input.dispatchMouseEvent",
                &json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1}),
            );
        }
    }

    /// Touches the middle of an element.
    pub(crate) fn tap(&self, selector: &str) {
        let (x, y) = self.middle(selector);
        let points = json!([{"x": x, "y": y}]);
        for (kind, points) in [("touchStart", points), ("touchEnd", json!([]))] {
            self.call(
                "Input.dispatchTouchEvent",
                &json!({"type": kind, "touchPoints": points}),
            );
        }
    }

    fn middle(&self, selector: &str) -> (f64, f64) {
        let selector = json!(selector);
        let at = self.evaluate(&format!(
            "(() => {{ const element = document.querySelector({selector});
              element.scrollIntoView({{ block: 'center', behavior: 'instant' }});
              const {{ x, y, width, height }} = element.getBoundingClientRect();
              return [x + width / 2, y + height / 2]; }})()"
        ));
        (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
    }

    /// Presses a key: `Tab`, `Enter`, `Space`, `ArrowLeft`, …
    pub(crate) fn press(&self, key: Key) {
        let (name, code, number, typed) = key.parts();
        let mut down =
            json!({"type": "keyDown", "key": name, "code": code, "windowsVirtualKeyCode": number});
        if let Some(typed) = typed {
            down["text"] = json!(typed);
        }
        self.call("Input.dispatchKeyEvent", &down);
        self.call(
            "Input.dispatchKeyEvent",
            &json!({"type": "keyUp", "key": name, "code": code, "windowsVirtualKeyCode": number}),
        );
    }

    /// Writes what the window shows as a PNG, for a person to look at.
    #[expect(dead_code, reason = "for looking at a page while working on it")]
    pub(crate) fn screenshot(&self, path: &Path) {
        let shot = self.call("Page.captureScreenshot", &json!({"format": "png"}));
        std::fs::write(path, decode_base64(&text(&shot["data"]))).unwrap();
    }

    /// What went wrong in the page so far: errors on the console, exceptions that nobody caught,
    /// files that are not there, and everything that the content security policy forbids.
    pub(crate) fn problems(&self) -> Vec<String> {
        let events: Vec<_> = self.events.try_iter().collect();
        let told = events.iter().filter_map(|event| {
            let parameters = &event["params"];
            match event["method"].as_str()? {
                "Runtime.exceptionThrown" => Some(parameters["exceptionDetails"].to_string()),
                "Runtime.consoleAPICalled" if parameters["type"] == "error" => {
                    Some(parameters["args"].to_string())
                }
                "Log.entryAdded" if parameters["entry"]["level"] == "error" => {
                    let entry = &parameters["entry"];
                    Some(format!("{} {}", entry["text"], entry["url"]))
                }
                _ => None,
            }
        });
        told.collect()
    }
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        // After a failure the browser may be gone; a second panic would hide the first.
        if !std::thread::panicking() {
            self.browser.call(
                None,
                "Target.disposeBrowserContext",
                &json!({"browserContextId": self.context}),
            );
        }
    }
}

impl fmt::Debug for Page<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Page")
            .field("session", &self.session)
            .finish_non_exhaustive()
    }
}

/// A key of the keyboard.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Key {
    /// To the next element.
    Tab,
    /// Follows a link, presses a button.
    Enter,
    /// Presses a button.
    Space,
    /// One back.
    Left,
    /// One on.
    Right,
    /// To the start.
    Home,
    /// To the end.
    End,
}

impl Key {
    /// Name, code, number, and what it types.
    fn parts(self) -> (&'static str, &'static str, u32, Option<&'static str>) {
        match self {
            Self::Tab => ("Tab", "Tab", 9, None),
            Self::Enter => ("Enter", "Enter", 13, Some("\r")),
            Self::Space => (" ", "Space", 32, Some(" ")),
            Self::Left => ("ArrowLeft", "ArrowLeft", 37, None),
            Self::Right => ("ArrowRight", "ArrowRight", 39, None),
            Self::Home => ("Home", "Home", 36, None),
            Self::End => ("End", "End", 35, None),
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn decode_base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for value in text
        .bytes()
        .filter_map(|letter| LETTERS.iter().position(|known| *known == letter))
    {
        bits = bits << 6 | u32::try_from(value).unwrap();
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).unwrap());
        }
    }
    bytes
}
