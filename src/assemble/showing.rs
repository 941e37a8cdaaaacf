//! One of the gate's sets, as the renderer asks for it.

use crate::compile::Compiled;
use crate::diagnostic::Diagnostic;
use crate::gate::{EntrySet, EntryState, Purpose, Signatory, Verdict};
use crate::model::byline::Role;
use crate::model::name::is_placeholder;
use crate::render::{Audience, Named, Shown, Standing};
use crate::resolve::EntryIndex;
use crate::source::{Sources, Span};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A set together with the site that it is a set of.
#[derive(Debug)]
pub struct Showing<'a, S> {
    compiled: &'a Compiled,
    sources: &'a Sources,
    set: S,
    /// The findings about each entry, once somebody has asked for one.
    findings: OnceLock<BTreeMap<&'a str, Vec<&'a Diagnostic>>>,
}

impl<'a, S: EntrySet> Showing<'a, S> {
    /// Takes the set that `S` may have from a compiled site.
    pub fn new(compiled: &'a Compiled, sources: &'a Sources) -> Self {
        Self {
            compiled,
            sources,
            set: S::select(&compiled.judgement),
            findings: OnceLock::new(),
        }
    }

    /// The set.
    pub fn set(&self) -> &S {
        &self.set
    }

    /// The verdict on a shown entry.
    pub(super) fn verdict(&self, index: EntryIndex) -> Option<&Verdict> {
        // Verdicts stand beside the site's entries.
        self.set.at(index)
    }

    pub(super) fn author(&self, index: EntryIndex) -> Option<Named> {
        self.named(index, Role::Author)
    }

    pub(super) fn reviewer(&self, index: EntryIndex) -> Option<Named> {
        self.named(index, Role::Reviewer)
    }

    /// The findings about an entry, in the order in which they are shown.
    fn findings(&self, id: &str) -> &[&'a Diagnostic] {
        let by_entry = self.findings.get_or_init(|| {
            let mut by_entry: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
            for finding in &self.compiled.findings {
                for entry in finding.all_entries() {
                    by_entry.entry(entry).or_default().push(finding);
                }
            }
            by_entry
        });
        by_entry.get(id).map_or(&[], Vec::as_slice)
    }

    /// The person in a role: as the gate knows them, else as the byline names them.
    fn named(&self, index: EntryIndex, role: Role) -> Option<Named> {
        let sign_off = self.verdict(index)?.sign_off.as_ref();
        if let Some(sign_off) = sign_off {
            let signatory: &Signatory = match role {
                Role::Author => &sign_off.author,
                Role::Reviewer => &sign_off.reviewer,
            };
            return Some(Named {
                name: signatory.name.to_string(),
                url: signatory.url.as_deref().map(str::to_owned),
            });
        }
        let name = self.compiled.site.entry(index).byline.name(role)?;
        (!is_placeholder(&name.value)).then(|| Named {
            name: name.value.clone(),
            url: None,
        })
    }
}

impl<S: EntrySet> Shown for Showing<'_, S> {
    fn audience(&self) -> Audience {
        match S::PURPOSE {
            Purpose::Release => Audience::Readers,
            Purpose::Preview => Audience::Writers,
        }
    }

    fn state(&self, entry: EntryIndex) -> Option<&'static str> {
        self.verdict(entry).map(|verdict| verdict.state.word())
    }

    fn standing(&self, entry: EntryIndex) -> Standing {
        let verdict = self.verdict(entry);
        let sign_off = verdict.and_then(|verdict| verdict.sign_off.as_ref());
        Standing {
            state: verdict.map_or("draft", |verdict| verdict.state.word()),
            waits_for: verdict.map_or_else(Vec::new, |verdict| {
                verdict.waits_for.iter().map(|role| role.word()).collect()
            }),
            author: self.author(entry),
            reviewer: self.reviewer(entry),
            assurance: sign_off.map(|sign_off| sign_off.assurance),
            claims: verdict.and_then(|verdict| Some(verdict.digests?.claims)),
        }
    }
    /// Whose turn it is, and what was found, each with its place.
    fn reasons(&self, entry: EntryIndex) -> Vec<String> {
        let verdict = self.verdict(entry);
        let Some(verdict) = verdict.filter(|v| v.state != EntryState::Published) else {
            return Vec::new();
        };
        let at = |span: Span, what: &str| {
            let (start, _) = self.sources.position(span);
            let path = &self.sources.file(span.file).path;
            format!("{path}:{}: {}.", start.line, what.trim_end_matches('.'))
        };
        let byline = &self.compiled.site.entry(entry).byline;
        let waits = verdict.waits_for.iter().map(|role| {
            let place = byline.name(*role).map_or(byline.span, |name| name.span);
            at(place, &format!("waits for its {}", role.word()))
        });
        let own = self.findings(verdict.id.as_str()).iter();
        waits
            .chain(own.map(|finding| at(finding.span, &finding.message)))
            .collect()
    }
}
