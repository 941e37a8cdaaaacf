//! What every command begins with: the site's folder, its files, the day.

use super::Failure;
use super::args::TodayArg;
use crate::compile::{self, Compiled, Memory, Observer, Options, Trusted, Unobserved};
use crate::diagnostic::{Diagnostics, nearest};
use crate::load::{self, Glance};
use crate::model::date::Date;
use crate::resolve::EntryIndex;
use crate::source::{FileId, Sources};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A site read from disk.
#[derive(Debug)]
pub(super) struct Session {
    /// Its folder.
    pub root: PathBuf,
    /// Its files.
    pub sources: Sources,
    /// Its `site.toml`.
    pub config_file: FileId,
    /// What was found while reading.
    pub loaded: Diagnostics,
}

impl Session {
    /// Finds the site and reads its files.
    pub(super) fn open(directory: Option<&Path>) -> Result<Self, Failure> {
        let root = find_root(directory)?;
        let mut glance = load::glance(&root).map_err(Failure::new)?;
        Self::of(root, &mut glance)
    }

    /// Reads the files of the site at `root`.
    pub(super) fn of(root: PathBuf, glance: &mut Glance) -> Result<Self, Failure> {
        let (sources, loaded) = glance.site();
        let config_file = sources
            .find(load::CONFIG_NAME)
            .ok_or_else(|| Failure::new("site.toml cannot be read"))?;
        Ok(Self {
            root,
            sources,
            config_file,
            loaded,
        })
    }

    /// Takes the site through the pipeline.
    pub(super) fn compile(&self, options: &Options) -> Compiled {
        self.compile_observed(options, &Memory::none(), &Unobserved)
    }

    /// The same, while somebody looks on.
    pub(super) fn compile_observed(
        &self,
        options: &Options,
        memory: &Memory,
        observer: &dyn Observer,
    ) -> Compiled {
        let whole = (&self.sources, self.config_file);
        let loaded = self.loaded.clone();
        compile::compile_observed(whole, options, memory, loaded, observer)
    }
}

/// The site's folder: `directory` or the current one, or the nearest above with a `site.toml`.
pub(super) fn find_root(directory: Option<&Path>) -> Result<PathBuf, Failure> {
    let start = directory.unwrap_or(Path::new("."));
    if !start.is_dir() {
        return Err(Failure::new(format!(
            "there is no folder {}",
            start.display()
        )));
    }
    load::find_root(start).ok_or_else(|| {
        Failure::new(format!(
            "no site.toml in {} or in any folder above it\n\
             help: name the site's folder with -C, or make a site with `countersign new site NAME`",
            start.display()
        ))
    })
}

/// The entry with an id; `None` for one that cannot be read.
pub(super) fn find_entry(compiled: &Compiled, id: &str) -> Result<Option<EntryIndex>, Failure> {
    let verdicts = &compiled.judgement.verdicts;
    let entries = &compiled.site.entries;
    if let Some(index) = entries.iter().position(|entry| entry.id.as_str() == id) {
        return Ok(Some(index));
    }
    if verdicts.iter().any(|verdict| verdict.id.as_str() == id) {
        return Ok(None);
    }
    let near = nearest(id, verdicts.iter().map(|verdict| verdict.id.as_str()));
    let help = near.map_or_else(
        || "\nhelp: `countersign list` shows every entry".to_owned(),
        |near| format!("\nhelp: did you mean `{near}`?"),
    );
    Err(Failure::new(format!("there is no entry `{id}`{help}")))
}

/// The options of a run on this day.
pub(super) fn options(
    today: &TodayArg,
    base_url: Option<&str>,
    trusted: Option<Trusted>,
) -> Result<Options, Failure> {
    let base_url = base_url
        .map(crate::parse::config::base_url)
        .transpose()
        .map_err(|why| Failure::new(format!("--base-url: {why}")))?;
    Ok(Options {
        today: day(today)?,
        base_url,
        trusted,
    })
}

/// The day to judge by: `--today`, else `SOURCE_DATE_EPOCH`, else the clock, in UTC.
pub(super) fn day(today: &TodayArg) -> Result<Date, Failure> {
    if let Some(text) = &today.today {
        return Date::parse(text).ok_or_else(|| {
            Failure::new(format!(
                "--today: `{text}` is no day of the calendar\nhelp: write it as YYYY-MM-DD"
            ))
        });
    }
    let seconds = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text.trim().parse::<i64>().map_err(|_| {
            Failure::new(format!(
                "SOURCE_DATE_EPOCH is `{text}`, which is no number of seconds"
            ))
        })?,
        Err(_) => SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| {
                i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
            }),
    };
    Date::from_epoch_seconds(seconds)
        .ok_or_else(|| Failure::new("the day of the run lies outside the calendar"))
}
