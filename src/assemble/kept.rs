//! Pages that need not be made again: what each depends on, and which files it came to.

use super::Assembly;
use crate::compile::{Stage, observed};
use crate::diagnostic::Diagnostics;
use crate::gate::EntrySet;
use crate::output::{MadeFrom, OutputPath, Proof, Purpose, Sink};
use crate::render::{Dependence, PageKey, address};
use crate::resolve::EntryIndex;
use crate::source::{Digest, Hasher};
use std::ops::ControlFlow;

/// The digest of all that the pages of each entry depend on; `None` for one that is not remembered.
#[derive(Debug)]
pub(super) struct Keys(Vec<Option<Digest>>);

impl Keys {
    /// Puts together what all pages depend on and what the page of each entry does.
    pub(super) fn new(all: &Digest, own: &[Option<Dependence>]) -> Self {
        let whole = |on: &Dependence| {
            let mut hasher = Hasher::new();
            hasher.field(all.bytes()).field(on.key.bytes()).finish()
        };
        Self(own.iter().map(|on| on.as_ref().map(whole)).collect())
    }

    pub(super) fn of(&self, index: EntryIndex) -> Option<Digest> {
        self.0.get(index).copied().flatten()
    }
}

/// What a page must be made from, and what its files must pass, to be kept.
pub(super) struct Keeping<'k> {
    pub(super) keys: Keys,
    pub(super) proof: &'k dyn Proof,
}

/// Gives the files of one page to a sink, and notes which they were.
pub(super) struct Putting<'s, P: Purpose> {
    sink: &'s dyn Sink<P>,
    files: Vec<OutputPath>,
}

impl<'s, P: Purpose> Putting<'s, P> {
    pub(super) fn new(sink: &'s dyn Sink<P>) -> Self {
        Self {
            sink,
            files: Vec::new(),
        }
    }

    pub(super) fn put(&mut self, path: OutputPath, bytes: Vec<u8>) -> ControlFlow<()> {
        self.sink.put(&path, bytes)?;
        self.files.push(path);
        ControlFlow::Continue(())
    }

    /// The same for a file of ours. Its path is made of ids, which are safe.
    pub(super) fn put_at(&mut self, path: &str, bytes: Vec<u8>) -> ControlFlow<()> {
        match OutputPath::new(path) {
            Ok(path) => self.put(path, bytes),
            // A path that is not safe was reported when its source was loaded; it is not written.
            Err(_) => ControlFlow::Continue(()),
        }
    }

    /// What the page was made from, and all that was put.
    pub(super) fn made_from(self, key: Digest, proof: Digest) -> MadeFrom {
        MadeFrom {
            key,
            proof,
            files: self.files,
        }
    }
}

impl<S: EntrySet> Assembly<'_, S> {
    /// A page with all that belongs to it, kept if it would be made from the same.
    pub(super) fn remembered(
        &self,
        page: PageKey,
        keeping: Option<&Keeping<'_>>,
        sink: &dyn Sink<S::Output>,
        report: &(dyn Fn(Diagnostics) + Sync),
    ) -> ControlFlow<()> {
        let PageKey::Entry(index) = page else {
            report(self.around(page, &mut Putting::new(sink))?);
            return ControlFlow::Continue(());
        };
        let id = &self.compiled.site.entry(index).id;
        let key = keeping.and_then(|keeping| Some((keeping.keys.of(index)?, keeping.proof)));
        if key.is_some_and(|(key, proof)| sink.keep(id.as_str(), &key, proof)) {
            return ControlFlow::Continue(());
        }
        let mut putting = Putting::new(sink);
        let findings = self.around(page, &mut putting)?;
        match key {
            // What was found must be found again.
            Some((key, proof)) if findings.is_empty() => {
                sink.made(id.shared(), putting.made_from(key, proof.digest()));
            }
            _ => report(findings),
        }
        ControlFlow::Continue(())
    }

    /// Makes a page with all that belongs to it; gives what was found.
    pub(super) fn around(
        &self,
        page: PageKey,
        putting: &mut Putting<'_, S::Output>,
    ) -> ControlFlow<(), Diagnostics> {
        let mut drawn = Vec::new();
        let (rendered, twin) = observed(self.observer, Stage::Pages, || {
            let rendered = self.renderer.render_with(page, &mut drawn);
            (rendered, self.twin(page))
        });
        let mut findings = Diagnostics::new();
        match rendered {
            Ok(files) => {
                for file in files {
                    putting.put(file.path, file.bytes)?;
                }
            }
            Err(found) => findings = found,
        }
        if let Some(twin) = twin {
            putting.put_at(&address::twin(&self.address(page)), twin)?;
        }
        for (path, bytes) in self.drawings(page, drawn, &mut findings) {
            putting.put_at(&path, bytes)?;
        }
        if let Some((path, bytes)) = self.card(page) {
            putting.put_at(&path, bytes)?;
        }
        ControlFlow::Continue(findings)
    }
}
