//! `countersign check-links`.

mod network;
mod show;
mod store;

use super::args::{CheckLinksArgs, LinkFormat};
use super::session::{Session, options};
use super::terminal::Stream;
use super::{Failure, Outcome};
use crate::links::{self, Address, External, Memory, Reach};
use crate::model::date::Date;
use network::Network;
use show::Shown;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;
use store::Store;

/// How many hosts are asked at a time.
const HOSTS_AT_A_TIME: usize = 4;

/// After how many answers the cache is written, so that a run that is stopped has not asked in
/// vain.
const ANSWERS_PER_SAVE: usize = 25;

/// A link with what is known of it.
struct Known<'a> {
    url: &'a str,
    external: &'a External,
    outcome: links::Outcome,
    from: Origin,
}

/// Where an outcome comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// This run.
    Asked,
    /// The cache.
    Remembered,
}

/// Asks about every link that leads out of the site.
pub(super) fn run(directory: Option<&Path>, args: &CheckLinksArgs) -> Result<Outcome, Failure> {
    let session = Session::open(directory)?;
    let options = options(&args.today, None, None)?;
    let today = options.today;
    let mut store = Store::open(args.cache.as_deref(), &session.root)?;
    let compiled = session.compile(&options);
    let externals = links::collect(&compiled.site);
    let known = know(&externals, &mut store, args, today)?;
    let shown = Shown {
        known: &known,
        memory: &store.memory,
        sources: &session.sources,
        today,
    };
    match args.format {
        LinkFormat::Human => Stream::Output.write(&shown.text(Stream::Output.colour())),
        LinkFormat::Json => Stream::Output.write(&shown.json()),
    }
    let unread = compiled.site.unreadable.len();
    if unread > 0 {
        Stream::Error.write(&format!(
            "warning: entries that cannot be read, whose links were not looked at: {unread}\n\
             help: `countersign check` says what is wrong with them\n"
        ));
    }
    let broken = |known: &Known<'_>| matches!(known.outcome, links::Outcome::Broken { .. });
    Ok(if known.iter().any(broken) {
        Outcome::Findings
    } else {
        Outcome::Clean
    })
}

/// What is known of each link after what had to be asked was asked; the cache is up to date.
fn know<'a>(
    externals: &'a BTreeMap<String, External>,
    store: &mut Store,
    args: &CheckLinksArgs,
    today: Date,
) -> Result<Vec<Known<'a>>, Failure> {
    let mut known = Vec::new();
    let mut wanted: BTreeMap<String, Vec<Question<'a>>> = BTreeMap::new();
    for (url, external) in externals {
        let fresh = store.memory.fresh(url, today, args.max_age);
        let (outcome, from) = match (&external.address, fresh) {
            (Err(why), _) => {
                let why = (*why).to_owned();
                let status = None;
                (links::Outcome::Broken { status, why }, Origin::Asked)
            }
            (Ok(_), Some(outcome)) => (outcome, Origin::Remembered),
            (Ok(address), None) => {
                let question = Question {
                    url,
                    external,
                    address,
                };
                wanted.entry(address.place()).or_default().push(question);
                continue;
            }
        };
        known.push(Known {
            url,
            external,
            outcome,
            from,
        });
    }
    let mut asked = ask_all(
        wanted.into_values().collect(),
        args,
        |url, outcome, count| {
            if is_answered(outcome) {
                store.memory.learn(url, outcome, today);
            }
            if count % ANSWERS_PER_SAVE == 0 {
                store.save()?;
            }
            Ok(())
        },
    )?;
    links::doubt_names(asked.iter_mut().map(|known| &mut known.outcome));
    for known in &asked {
        store.memory.learn(known.url, &known.outcome, today);
    }
    store.memory.keep(|url| externals.contains_key(url));
    store.save()?;
    known.append(&mut asked);
    known.sort_by_key(|known| known.url);
    Ok(known)
}

fn is_answered(outcome: &links::Outcome) -> bool {
    match outcome {
        links::Outcome::Ok { .. } | links::Outcome::Moved { .. } => true,
        links::Outcome::Broken { status, .. } | links::Outcome::Unknown { status, .. } => {
            status.is_some()
        }
    }
}

/// A link to ask about.
struct Question<'a> {
    url: &'a str,
    external: &'a External,
    address: &'a Address,
}

/// Asks the questions, which are grouped by host; each outcome is told as it comes, with how
/// many have come.
fn ask_all<'a>(
    mut hosts: Vec<Vec<Question<'a>>>,
    args: &CheckLinksArgs,
    mut tell: impl FnMut(&str, &links::Outcome, usize) -> Result<(), Failure>,
) -> Result<Vec<Known<'a>>, Failure> {
    let total: usize = hosts.iter().map(Vec::len).sum();
    // The longest first: it decides when the run ends.
    hosts.sort_by_key(Vec::len);
    let reach = if args.allow_loopback {
        Reach::Loopback
    } else {
        Reach::Public
    };
    let pause = Duration::from_millis(args.pause_ms);
    let network = Network::new(reach, pause, Duration::from_secs(args.timeout));
    let queue = Mutex::new(hosts);
    let (sender, answers) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..HOSTS_AT_A_TIME {
            let sender = sender.clone();
            let (queue, network) = (&queue, &network);
            scope.spawn(move || {
                while let Some(host) = take(queue) {
                    for question in host {
                        let outcome = network.settle(question.address);
                        // Nobody listens any more: the cache could not be written.
                        if sender.send((question, outcome)).is_err() {
                            return;
                        }
                    }
                }
            });
        }
        drop(sender);
        let mut known = Vec::new();
        for (question, outcome) in answers {
            let Question { url, external, .. } = question;
            progress(known.len() + 1, total);
            tell(url, &outcome, known.len() + 1)?;
            known.push(Known {
                url,
                external,
                outcome,
                from: Origin::Asked,
            });
        }
        Ok(known)
    })
}

fn take<'a>(queue: &Mutex<Vec<Vec<Question<'a>>>>) -> Option<Vec<Question<'a>>> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.pop()
}

/// One line that is written over again and again, and gone at the end.
fn progress(done: usize, total: usize) {
    if !Stream::Error.is_terminal() {
        return;
    }
    let line = if done < total {
        format!("\r{done} of {total} links answered")
    } else {
        "\r\u{1b}[K".to_owned()
    };
    Stream::Error.write(&line);
}

impl Known<'_> {
    /// The day of the answer.
    fn checked(&self, memory: &Memory, today: Date) -> Option<Date> {
        match self.from {
            Origin::Asked => is_answered(&self.outcome).then_some(today),
            Origin::Remembered => memory.last(self.url)?.checked(),
        }
    }
}
