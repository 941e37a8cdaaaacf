//! What the preview shows at this moment.

use crate::output::OutputPath;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use tokio::sync::watch;

/// A site as it was at one moment, from which pages are taken.
pub trait Snapshot: Send + Sync {
    /// The path of the site's `base_url`: begins and ends with a slash.
    fn base_path(&self) -> &str;

    /// The file at this address. It may be made now: a preview of ten thousand entries makes
    /// those that are looked at.
    fn get(&self, path: &OutputPath) -> Answer;
}

/// What a site has at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A file with these bytes.
    File(Arc<[u8]>),
    /// A page that cannot be made, because of a fault that the findings tell.
    Broken,
    /// Nothing.
    Absent,
}

/// A site whose files lie in memory.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// The path of `base_url`.
    pub base_path: String,
    /// The bytes at each address.
    pub files: BTreeMap<OutputPath, Arc<[u8]>>,
}

impl Snapshot for Files {
    fn base_path(&self) -> &str {
        &self.base_path
    }

    fn get(&self, path: &OutputPath) -> Answer {
        let file = self.files.get(path);
        file.map_or(Answer::Absent, |bytes| Answer::File(Arc::clone(bytes)))
    }
}

/// What came of compiling the site once.
#[derive(Clone, Default)]
pub struct Compiled {
    /// The site; `None` if none could be made, and then the last one stays.
    pub site: Option<Arc<dyn Snapshot>>,
    /// The findings as a terminal shows them, without colours, if the writer has to see them; a
    /// site that is shown beside them is as good as it can be made.
    pub panel: Option<String>,
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled")
            .field("site", &self.site.is_some())
            .field("panel", &self.panel)
            .finish()
    }
}

/// What browsers are told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Update {
    /// Differs from that of every other site shown, by this process or one before.
    pub(super) version: u64,
    /// The findings to show.
    pub(super) panel: Option<Arc<str>>,
}

/// The site that is shown, the last one without a fault, and the findings.
pub struct State {
    shown: RwLock<Shown>,
    updates: watch::Sender<Update>,
}

#[derive(Default)]
struct Shown {
    site: Option<Arc<dyn Snapshot>>,
    faultless: Option<Arc<dyn Snapshot>>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("update", &self.update())
            .finish_non_exhaustive()
    }
}

impl State {
    /// Nothing to show yet. Versions count from `first_version`, which must differ between runs
    /// of the program, so that a page left open reloads when the preview is started again.
    pub fn new(first_version: u64) -> Self {
        let first = Update {
            version: first_version,
            panel: None,
        };
        Self {
            shown: RwLock::default(),
            updates: watch::Sender::new(first),
        }
    }

    /// Shows a site, or findings over the last one, and tells the browsers.
    pub fn show(&self, compiled: Compiled) {
        let panel: Option<Arc<str>> = compiled.panel.map(Into::into);
        let has_site = compiled.site.is_some();
        // What was shown before ends after the browsers are told: a large site takes a while to end.
        let mut before = [None, None];
        if let Some(site) = compiled.site {
            let mut shown = self.shown.write().unwrap_or_else(PoisonError::into_inner);
            if panel.is_none() {
                before[0] = shown.faultless.replace(Arc::clone(&site));
            }
            before[1] = shown.site.replace(site);
        }
        self.updates.send_modify(|update| {
            update.version += u64::from(has_site);
            update.panel = panel;
        });
        drop(before);
    }

    /// The site to answer from, if there is one.
    pub(super) fn site(&self) -> Option<Arc<dyn Snapshot>> {
        self.read().site.clone()
    }

    /// The file at an address: of the site shown, or where that cannot make it, of the last one
    /// without a fault.
    pub(super) fn get(&self, path: &OutputPath) -> Answer {
        let (site, faultless) = {
            let shown = self.read();
            (shown.site.clone(), shown.faultless.clone())
        };
        match site.map_or(Answer::Broken, |site| site.get(path)) {
            Answer::Broken => match faultless.map(|site| site.get(path)) {
                Some(Answer::File(bytes)) => Answer::File(bytes),
                _ => Answer::Broken,
            },
            answer => answer,
        }
    }

    /// What browsers were told last.
    pub(super) fn update(&self) -> Update {
        self.updates.borrow().clone()
    }

    /// Hears of every change from now on.
    pub(super) fn subscribe(&self) -> watch::Receiver<Update> {
        self.updates.subscribe()
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Shown> {
        self.shown.read().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Broken;

    impl Snapshot for Broken {
        fn base_path(&self) -> &'static str {
            "/"
        }
        fn get(&self, _: &OutputPath) -> Answer {
            Answer::Broken
        }
    }

    fn site(text: &str) -> Arc<dyn Snapshot> {
        let files = [(OutputPath::new("a").unwrap(), text.as_bytes().into())];
        Arc::new(Files {
            base_path: "/".to_owned(),
            files: files.into(),
        })
    }

    fn shown(state: &State) -> Answer {
        state.get(&OutputPath::new("a").unwrap())
    }

    #[test]
    fn the_last_good_page_stays_over_a_fault() {
        let state = State::new(7);
        assert_eq!(shown(&state), Answer::Broken);
        let good = Answer::File(b"good"[..].into());
        state.show(Compiled {
            site: Some(site("good")),
            panel: None,
        });
        assert_eq!((shown(&state), state.update().version), (good.clone(), 8));

        state.show(Compiled {
            site: None,
            panel: Some("fault".to_owned()),
        });
        assert_eq!((shown(&state), state.update().version), (good.clone(), 8));
        assert_eq!(state.update().panel.as_deref(), Some("fault"));

        state.show(Compiled {
            site: Some(Arc::new(Broken)),
            panel: Some("fault".to_owned()),
        });
        assert_eq!((shown(&state), state.update().version), (good, 9));

        state.show(Compiled {
            site: Some(site("mended")),
            panel: None,
        });
        assert_eq!(shown(&state), Answer::File(b"mended"[..].into()));
        assert_eq!(
            state.update(),
            Update {
                version: 10,
                panel: None
            }
        );
    }
}
