//! `countersign preview`.

use super::args::PreviewArgs;
use super::session::{find_root, options};
use super::terminal::Stream;
use super::{Failure, Outcome};
use crate::assemble::{Assembly, Common, NoPictures, Rasters, Showing, is_of_search};
use crate::check;
use crate::compile::memo::{By, Found, Keeping, Memo};
use crate::compile::{self, Compiled, Memory, Options};
use crate::diagnostic::{Diagnostics, human};
use crate::gate::PreviewSet;
use crate::load::{self, Loader};
use crate::output::OutputPath;
use crate::preview::{self, Answer, Change, Server, Snapshot};
use crate::render::Templates;
use crate::source::{Sources, Stamp};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Serves every entry on loopback until it is stopped.
pub(super) fn run(directory: Option<&Path>, args: &PreviewArgs) -> Result<Outcome, Failure> {
    let root = find_root(directory)?;
    let options = options(&args.today, None, None)?;
    // The port first: nothing is compiled for a server that cannot start.
    let server = Server::bind(args.port).map_err(Failure::new)?;
    let address = server.address();
    let mut site = Desk::new(&root, options);
    let first = site.compile(&Change::Everything);
    let base = site.base_path();
    let page = site.page(args.id.as_deref())?;
    let url = format!("http://{address}{base}{page}");
    Stream::Output.write(&format!("{url}\n"));
    if args.open {
        open(&url);
    }
    let mut first = Some(first);
    let compile = |change: &Change| match (first.take(), change) {
        (Some(compiled), Change::Everything) => compiled,
        _ => site.compile(change),
    };
    let tell = |line: &str| Stream::Error.write(&format!("{line}\n"));
    preview::run(server, &root, compile, tell)
        .map(|never| match never {})
        .map_err(Failure::new)
}

/// A site that is compiled again and again.
struct Desk {
    loader: Loader,
    options: Options,
    memory: Memory,
    templates: Memo<Vec<Stamp>, Found<Option<Arc<Templates>>>>,
    last: Option<Arc<Shown>>,
    /// What the terminal was told last.
    told: String,
}

/// A compiled site, ready to be looked at.
struct Shown {
    sources: Sources,
    compiled: Compiled,
    templates: Arc<Templates>,
    /// What all pages share, once one has been asked for.
    common: OnceLock<Arc<Common>>,
    /// The search index, once somebody searches.
    search: OnceLock<BTreeMap<OutputPath, Arc<[u8]>>>,
}

impl Desk {
    fn new(root: &Path, options: Options) -> Self {
        Self {
            loader: Loader::new(root),
            options,
            memory: Memory::keeping(),
            templates: Memo::new(Keeping::Last),
            last: None,
            told: String::new(),
        }
    }

    /// Compiles what changed; tells the terminal what was found.
    fn compile(&mut self, change: &Change) -> preview::Compiled {
        let loaded = match change {
            Change::Everything => self.loader.load(),
            Change::Paths(paths) => self.loader.reload(paths),
        };
        match loaded {
            Ok((sources, findings)) => self.show(&sources, findings),
            Err(error) => {
                let text = format!("error: {error}\n");
                Stream::Error.write(&text);
                preview::Compiled {
                    site: None,
                    panel: Some(text),
                }
            }
        }
    }

    fn show(&mut self, sources: &Sources, loaded: Diagnostics) -> preview::Compiled {
        let Some(config_file) = sources.find(load::CONFIG_NAME) else {
            return preview::Compiled {
                site: None,
                panel: Some("error: site.toml is gone\n".to_owned()),
            };
        };
        let compiled = compile::compile(sources, config_file, &self.options, &self.memory, loaded);
        let mut findings = compiled.findings.clone();
        let templates = self.templates(sources);
        if !templates.findings.is_empty() {
            findings.append(templates.findings);
            check::apply_severities(&compiled.site.config, &mut findings);
            check::sort(sources, &mut findings);
        }
        let shown = Option::clone(&templates.value).map(|templates| {
            Arc::new(Shown {
                sources: sources.clone(),
                compiled,
                templates,
                common: OnceLock::new(),
                search: OnceLock::new(),
            })
        });
        self.tell(human::render(&findings, sources, Stream::Error.colour()));
        if let Some(shown) = &shown {
            self.last = Some(Arc::clone(shown));
        }
        let panel = findings
            .has_errors()
            .then(|| human::render(&findings, sources, human::Colour::Never));
        preview::Compiled {
            site: shown.map(|shown| shown as Arc<dyn Snapshot>),
            panel,
        }
    }

    /// Tells the terminal what was found, unless that stands there already.
    fn tell(&mut self, text: String) {
        if text.is_empty() && !self.told.is_empty() {
            Stream::Error.write("mended: nothing is found any more\n");
        } else if text != self.told {
            Stream::Error.write(&text);
        }
        self.told = text;
    }

    /// The templates, compiled anew where one of them changed.
    fn templates(&self, sources: &Sources) -> Found<Option<Arc<Templates>>> {
        let files = sources.below("templates/");
        let key: Vec<_> = files.map(|(file, _)| sources.stamp(file)).collect();
        self.templates.one(By(key), |_| {
            Found::by(|out| Templates::new(sources, out).map(Arc::new))
        })
    }

    /// The path of `base_url`.
    fn base_path(&self) -> String {
        let last = self.last.as_ref();
        last.map_or_else(|| "/".to_owned(), |shown| shown.base_path().to_owned())
    }

    /// The address of the entry asked for.
    fn page(&self, id: Option<&str>) -> Result<String, Failure> {
        let (Some(id), Some(shown)) = (id, &self.last) else {
            return Ok(String::new());
        };
        let site = &shown.compiled.site;
        if let Some(index) = site.names.find(id) {
            return Ok(site.entry(index).address());
        }
        // An entry that cannot be read yet has a page as soon as it is mended.
        if let Some(entry) = site.unreadable.iter().find(|entry| entry.id.as_str() == id) {
            return Ok(format!("{}/{}/", entry.kind.folder(), entry.id));
        }
        let near = crate::diagnostic::nearest(id, site.names.all());
        let help = near.map_or_else(String::new, |near| {
            format!("\nhelp: did you mean `{near}`?")
        });
        Err(Failure::new(format!("there is no entry `{id}`{help}")))
    }
}

impl Snapshot for Shown {
    fn base_path(&self) -> &str {
        self.compiled.site.config.base_path()
    }

    fn get(&self, path: &OutputPath) -> Answer {
        let showing = Showing::<PreviewSet>::new(&self.compiled, &self.sources);
        let assembly = Assembly::prepared(
            (&self.compiled, &self.sources, &showing),
            &self.templates,
            (&NoPictures, Rasters::All),
            &self.common,
        );
        if is_of_search(path) {
            let index = self.search.get_or_init(|| assembly.search_index());
            let file = index.get(path);
            return file.map_or(Answer::Absent, |bytes| Answer::File(Arc::clone(bytes)));
        }
        match assembly.file(path) {
            Ok(Some(bytes)) => Answer::File(bytes.into()),
            Ok(None) if self.is_unreadable(path) => Answer::Broken,
            Ok(None) => Answer::Absent,
            Err(findings) => {
                let colour = Stream::Error.colour();
                Stream::Error.write(&human::render(&findings, &self.sources, colour));
                Answer::Broken
            }
        }
    }
}

impl Shown {
    /// Whether a path belongs to an entry that cannot be read now, and has a page once it can.
    fn is_unreadable(&self, path: &OutputPath) -> bool {
        let mut entries = self.compiled.site.unreadable.iter();
        entries.any(|entry| {
            let inner = path.as_str().strip_prefix(entry.kind.folder());
            let inner = inner.and_then(|inner| inner.strip_prefix('/'));
            inner.and_then(|inner| inner.split('/').next()) == Some(entry.id.as_str())
        })
    }
}

/// Opens a page in the browser of the desktop. Where there is none, the address has been printed.
fn open(url: &str) {
    if let Err(error) = opener::open_browser(url) {
        Stream::Error.write(&format!(
            "no browser could be opened ({error}): open the address above yourself\n"
        ));
    }
}
