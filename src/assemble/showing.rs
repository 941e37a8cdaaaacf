//! One of the gate's sets, as the renderer asks for it.

use crate::compile::Compiled;
use crate::gate::{EntrySet, Purpose, Signatory, Verdict};
use crate::model::byline::Role;
use crate::model::name::is_placeholder;
use crate::render::{Audience, Named, Shown, Standing};
use crate::resolve::EntryIndex;

/// A set together with the site that it is a set of.
#[derive(Debug)]
pub struct Showing<'a, S> {
    compiled: &'a Compiled,
    set: S,
    /// What a writer must know about an unpublished entry, beside the site's entries.
    reasons: Vec<Vec<String>>,
}

impl<'a, S: EntrySet> Showing<'a, S> {
    /// Takes the set that `S` may have from a compiled site. `reasons` gives, for each entry of
    /// the site, what it waits for, a sentence each; empty for a release.
    pub fn new(compiled: &'a Compiled, reasons: Vec<Vec<String>>) -> Self {
        Self {
            compiled,
            set: S::select(&compiled.judgement),
            reasons,
        }
    }

    /// The set.
    pub fn set(&self) -> &S {
        &self.set
    }

    /// The verdict on a shown entry.
    pub(super) fn verdict(&self, index: EntryIndex) -> Option<&Verdict> {
        let id = &self.compiled.site.entries.get(index)?.id;
        self.set.find(id.as_str())
    }

    pub(super) fn author(&self, index: EntryIndex) -> Option<Named> {
        self.named(index, Role::Author)
    }

    pub(super) fn reviewer(&self, index: EntryIndex) -> Option<Named> {
        self.named(index, Role::Reviewer)
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

    fn is_shown(&self, entry: EntryIndex) -> bool {
        self.verdict(entry).is_some()
    }

    fn standing(&self, entry: EntryIndex) -> Standing {
        let verdict = self.verdict(entry);
        let sign_off = verdict.and_then(|verdict| verdict.sign_off.as_ref());
        Standing {
            state: verdict.map_or("draft", |verdict| verdict.state.word()),
            waits_for: verdict.map_or_else(Vec::new, |verdict| {
                verdict.waits_for.iter().map(|role| role.word()).collect()
            }),
            reasons: self.reasons.get(entry).cloned().unwrap_or_default(),
            author: self.author(entry),
            reviewer: self.reviewer(entry),
            assurance: sign_off.map(|sign_off| sign_off.assurance),
            claims: verdict.and_then(|verdict| Some(verdict.digests?.claims)),
        }
    }
}
