//! What rendering and the audit would find, without keeping a byte.

use super::{Assembly, NoPictures, Rasters, Showing};
use crate::compile::{Compiled, Observer, Stage, Unobserved, observed};
use crate::diagnostic::Diagnostics;
use crate::gate::{EntrySet, PreviewSet, PublishedSet};
use crate::output::{OutputPath, Purpose, Sink};
use crate::render::{PageKey, Templates};
use crate::source::Sources;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// Takes files and keeps none.
struct Nowhere;

impl<P: Purpose> Sink<P> for Nowhere {
    fn put(&self, _: &OutputPath, _: Vec<u8>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn put_parts(
        &self,
        _: &OutputPath,
        parts: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> ControlFlow<()> {
        parts.for_each(drop);
        ControlFlow::Continue(())
    }
}

/// Renders the release and audits it; renders the entries that are withheld, whose drawings and
/// templates may be at fault too. Nothing is written.
pub fn dry_run(compiled: &Compiled, sources: &Sources, templates: &Templates) -> Diagnostics {
    dry_run_observed(compiled, sources, templates, &Unobserved)
}

/// The same, while somebody looks on.
pub fn dry_run_observed(
    compiled: &Compiled,
    sources: &Sources,
    templates: &Templates,
    observer: &dyn Observer,
) -> Diagnostics {
    let release = Showing::<PublishedSet>::new(compiled, sources);
    let assembly = assembly(compiled, sources, &release, templates).observed_by(observer);
    // With an error there is no release to audit: what it would hold is not settled yet.
    let mut findings = if compiled.findings.has_errors() {
        assembly.files(&Nowhere)
    } else {
        assembly.all(&Nowhere).findings
    };
    findings.append(withheld(compiled, sources, templates, observer));
    super::once(findings)
}

/// Renders the entries that are withheld and draws their figures: what would be wrong with them in a
/// release is wrong today.
pub fn withheld(
    compiled: &Compiled,
    sources: &Sources,
    templates: &Templates,
    observer: &dyn Observer,
) -> Diagnostics {
    let preview = Showing::<PreviewSet>::new(compiled, sources);
    let assembly = assembly(compiled, sources, &preview, templates).observed_by(observer);
    let withheld: Vec<_> = assembly
        .pages()
        .into_iter()
        .filter(|page| matches!(page, PageKey::Entry(index) if !compiled.is_published(*index)))
        .collect();
    observer.expect(Stage::Pages, withheld.len());
    let found = Mutex::new(Diagnostics::new());
    withheld.into_par_iter().for_each(|page| {
        let mut out = Diagnostics::new();
        if let Err(faults) = observed(observer, Stage::Pages, || assembly.page(page)) {
            out.append(faults);
        }
        assembly.drawings(page, Vec::new(), &mut out);
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        found.append(out);
    });
    super::once(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn assembly<'a, S: EntrySet>(
    compiled: &'a Compiled,
    sources: &'a Sources,
    showing: &'a Showing<'a, S>,
    templates: &'a Templates,
) -> Assembly<'a, S> {
    Assembly::new(
        compiled,
        sources,
        showing,
        templates,
        &NoPictures,
        Rasters::None,
    )
}
