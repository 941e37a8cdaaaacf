//! A sink that proves each file before it passes it on.

use crate::audit::{Auditor, Leak};
use crate::compile::{Observer, Stage, observed};
use crate::diagnostic::Diagnostics;
use crate::output::{MadeFrom, OutputPath, Proof, Purpose, Sink};
use crate::source::{Digest, Sources, Span};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// Passes files on to another sink and keeps what the audit found.
pub(super) struct Audited<'a, P: Purpose> {
    inner: &'a dyn Sink<P>,
    auditor: Auditor<'a>,
    observer: &'a dyn Observer,
    /// Where a copied file comes from, by its path in the release.
    places: BTreeMap<String, Span>,
    found: Mutex<(Vec<Leak>, Diagnostics)>,
}

impl<'a, P: Purpose> Audited<'a, P> {
    pub(super) fn new(
        inner: &'a dyn Sink<P>,
        (auditor, observer): (Auditor<'a>, &'a dyn Observer),
        places: BTreeMap<String, Span>,
    ) -> Self {
        Self {
            inner,
            auditor,
            observer,
            places,
            found: Mutex::default(),
        }
    }

    /// Whether anything was found so far.
    fn has_found(&self) -> bool {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let (leaks, findings) = &*found;
        !leaks.is_empty() || !findings.is_empty()
    }

    fn note(&self, leaks: Vec<Leak>, findings: Diagnostics) {
        if !leaks.is_empty() || !findings.is_empty() {
            let mut all = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            all.0.extend(leaks);
            all.1.append(findings);
        }
    }

    /// What the audit found.
    pub(super) fn into_findings(self, sources: &Sources) -> Diagnostics {
        let found = self.found.into_inner();
        let (leaks, mut findings) = found.unwrap_or_else(PoisonError::into_inner);
        findings.append(self.auditor.report(leaks, sources));
        findings
    }
}

impl<P: Purpose> Sink<P> for Audited<'_, P> {
    fn put(&self, path: &OutputPath, bytes: Vec<u8>) -> ControlFlow<()> {
        let place = self.places.get(path.as_str()).copied();
        let (leaks, findings) = observed(self.observer, Stage::Audit, || {
            self.auditor.file(path.as_str(), &bytes, place)
        });
        self.note(leaks, findings);
        self.inner.put(path, bytes)
    }

    fn put_parts(
        &self,
        path: &OutputPath,
        parts: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> ControlFlow<()> {
        if !self.auditor.looks_at(path.as_str()) {
            return self.inner.put_parts(path, parts);
        }
        if self.auditor.is_signed(path.as_str()) {
            return self.put(path, parts.flatten().collect());
        }
        let place = self.places.get(path.as_str()).copied();
        let mut leaks = self.auditor.in_parts(path.as_str(), place);
        let mut audited = parts.inspect(|part| {
            observed(self.observer, Stage::Audit, || leaks.part(part));
        });
        let flow = self.inner.put_parts(path, &mut audited);
        self.note(leaks.finish(), Diagnostics::new());
        flow
    }

    fn keep(&self, page: &str, key: &Digest, proof: &dyn Proof) -> bool {
        self.inner.keep(page, key, proof)
    }

    fn made(&self, page: Arc<str>, from: MadeFrom) {
        // What was found in these files was found when they were put.
        if !self.has_found() {
            self.inner.made(page, from);
        }
    }
}

/// A kept file is proved again where other words are looked for than when it was made. One that does
/// not pass is made again, and what is wrong with it found there.
impl<P: Purpose> Proof for Audited<'_, P> {
    fn digest(&self) -> Digest {
        self.auditor.words()
    }

    fn holds(&self, path: &OutputPath, bytes: &[u8]) -> bool {
        let (leaks, findings) = observed(self.observer, Stage::Audit, || {
            self.auditor.file(path.as_str(), bytes, None)
        });
        leaks.is_empty() && findings.is_empty()
    }
}

/// Passes files on while somebody looks on.
pub(super) struct Observed<'a, P: Purpose> {
    pub(super) inner: &'a dyn Sink<P>,
    pub(super) observer: &'a dyn Observer,
}

impl<P: Purpose> Sink<P> for Observed<'_, P> {
    fn put(&self, path: &OutputPath, bytes: Vec<u8>) -> ControlFlow<()> {
        observed(self.observer, Stage::Write, || self.inner.put(path, bytes))
    }

    fn put_parts(
        &self,
        path: &OutputPath,
        parts: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> ControlFlow<()> {
        let now = || self.observer.begin(Stage::Write);
        let began = Cell::new(now());
        // While a part is made, nothing is written.
        let mut parts = std::iter::from_fn(|| {
            self.observer.end(Stage::Write, began.get());
            let part = parts.next();
            began.set(now());
            part
        });
        let flow = self.inner.put_parts(path, &mut parts);
        self.observer.end(Stage::Write, began.get());
        flow
    }

    fn keep(&self, page: &str, key: &Digest, proof: &dyn Proof) -> bool {
        self.inner.keep(page, key, proof)
    }

    fn made(&self, page: Arc<str>, from: MadeFrom) {
        self.inner.made(page, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Memory, Options, Unobserved, compile};
    use crate::model::date::Date;
    use crate::output::Release;
    use crate::source::SourceFile;

    /// Notes how long each part was.
    struct Lengths(Mutex<Vec<usize>>);

    impl Sink<Release> for Lengths {
        fn put(&self, _: &OutputPath, bytes: Vec<u8>) -> ControlFlow<()> {
            self.0.lock().unwrap().push(bytes.len());
            ControlFlow::Continue(())
        }

        fn put_parts(
            &self,
            path: &OutputPath,
            parts: &mut dyn Iterator<Item = Vec<u8>>,
        ) -> ControlFlow<()> {
            for part in parts {
                self.put(path, part)?;
            }
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn a_long_file_is_passed_on_part_by_part() {
        let lengths = Lengths(Mutex::default());
        let observed: &dyn Sink<Release> = &Observed {
            inner: &lengths,
            observer: &Unobserved,
        };
        let path = OutputPath::new("glossary.json").unwrap();
        let mut parts = [3, 1, 2].into_iter().map(|length| vec![b'x'; length]);
        assert!(observed.put_parts(&path, &mut parts).is_continue());
        assert_eq!(lengths.0.into_inner().unwrap(), [3, 1, 2]);
    }

    /// What the audit says of a file in parts, beside a draft.
    fn findings(parts: &[&str]) -> Vec<String> {
        let mut sources = Sources::new();
        let mut add =
            |path: &str, text: &str| sources.add(SourceFile::new(path, text, Digest::of(text)));
        let draft = "---\ntitle: A hidden thing\nshort: It <b>is</b> not to be seen yet.\n---\n\n\
                     Nobody knows this sentence of it.\n";
        add("content/terms/hidden.md", draft);
        let config = add(
            "site.toml",
            "title = \"T\"\nbase_url = \"https://example.org/\"\n",
        );
        let options = Options {
            today: Date::parse("2026-10-01").unwrap(),
            base_url: None,
            trusted: None,
        };
        let (loaded, memory) = (Diagnostics::new(), Memory::none());
        let compiled = compile(&sources, config, &options, &memory, loaded);
        let auditor = Auditor::new(&compiled.site, &sources, Vec::new(), || &[]);
        let lengths = Lengths(Mutex::default());
        let audited = Audited::new(&lengths, (auditor, &Unobserved), BTreeMap::new());
        let path = OutputPath::new("glossary.json").unwrap();
        let mut given = parts.iter().map(|part| part.as_bytes().to_vec());
        assert!(audited.put_parts(&path, &mut given).is_continue());
        let findings = audited.into_findings(&sources);
        let passed_on: Vec<_> = parts.iter().map(|part| part.len()).collect();
        assert_eq!(lengths.0.into_inner().unwrap(), passed_on);
        findings.iter().map(|found| found.message.clone()).collect()
    }

    #[test]
    fn a_leak_in_a_later_part_is_told_once() {
        let title = "the title of the unpublished entry `hidden` stands in `glossary.json`";
        let sentence = "a sentence of the unpublished entry `hidden` stands in `glossary.json`";
        assert!(findings(&["{\"terms\": [", "{},", "{}", "]}"]).is_empty());
        let known = "nobody knows \\u0074his sentence of it,";
        let hidden = "{\"a\": \"A hidden thing\"},";
        assert_eq!(findings(&["[", "{},", hidden, "]"]), [title]);
        assert_eq!(findings(&["[", hidden, hidden, known, "]"]), [title]);
        assert_eq!(findings(&["[", known, hidden, "]"]), [sentence]);
        // Words as they stand come before words whose tags were taken out, wherever either are.
        let tagged = "{\"a\": \"A hid<b>den</b> thing\"},";
        assert_eq!(findings(&["[", tagged, "]"]), [title]);
        assert_eq!(findings(&["[", tagged, known, "]"]), [sentence]);
    }
}
