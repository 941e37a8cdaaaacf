//! `--trust-from REV`: the people and the policy as the base revision has them, so that a change
//! cannot bring its own reviewer.

use super::Failure;
use super::git::Revision;
use super::session::Session;
use crate::compile::Trusted;
use crate::diagnostic::Diagnostics;
use crate::gate::trust;
use crate::load::{CONFIG_NAME, FILE_MAX_BYTES, decode};
use crate::model::person::People;
use crate::parse::{config, people};
use crate::source::{Digest, FileId, SourceFile};

impl Session {
    /// Reads what is trusted of a revision, where one is named. Its files join the sources under
    /// git's own name for them, so that findings can point into them.
    pub(super) fn trust(&mut self, revision: Option<&str>) -> Result<Option<Trusted>, Failure> {
        let Some(name) = revision else {
            return Ok(None);
        };
        let root = self.root.clone();
        let revision = Revision::find(&root, name)?;
        let Some(settings) = self.take(&revision, name, CONFIG_NAME)? else {
            return Err(Failure::new(format!(
                "--trust-from {name}: that revision has no {CONFIG_NAME} in this folder, so that \
                 nothing there says who may sign\n\
                 help: add the site's configuration and its people first, in a change of their own"
            )));
        };
        let registry = self.take(&revision, name, people::PATH)?;
        // Faults of the base's own settings are none of this change; those of its registry are,
        // since nothing can be published with it.
        let mut unreported = Diagnostics::new();
        let base = config::read(&self.sources, settings, &mut unreported);
        let change = config::read(&self.sources, self.config_file, &mut unreported);
        let own_people = people::read(&self.sources, &mut unreported);
        let base_people = match registry {
            Some(file) => {
                if self.sources.file(file).is_refused() {
                    self.loaded.push(people::unread(file));
                }
                people::read_file(&self.sources, file, &mut self.loaded)
            }
            None => People::Absent,
        };
        Ok(Some(Trusted {
            people: trust::people(base_people, &own_people).into(),
            config: trust::stricter(&base, &change),
        }))
    }

    /// Adds a file of the revision to the sources.
    fn take(
        &mut self,
        revision: &Revision<'_>,
        name: &str,
        path: &str,
    ) -> Result<Option<FileId>, Failure> {
        let Some(bytes) = revision.file(path)? else {
            return Ok(None);
        };
        let shown = format!("{name}:{path}");
        let raw = Digest::of(&bytes);
        let text = (bytes.len() as u64 <= FILE_MAX_BYTES)
            .then(|| decode(bytes))
            .flatten();
        let file = match text {
            Some(text) => SourceFile::new(shown, text, raw),
            None => SourceFile::refused(shown),
        };
        Ok(Some(self.sources.add(file)))
    }
}
