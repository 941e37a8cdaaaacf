//! The ready-made workflows: every command in them is run as it is written, in a copy of a site
//! in a git repository, with the program where an installed one would be.

use crate::repository::{GIT, PEOPLE, Repository, SITE, WARP, entry, git};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What stands in for `cargo` there: it takes the one command that the workflows give, and puts
/// the program where `cargo install` would.
const CARGO: &str = "#!/bin/sh\nset -eu\n[ \"$*\" = 'install --locked countersign' ]\n\
                     ln -sf \"$PROGRAM\" \"$INSTALLED/countersign\"\n";

fn file(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// A clone of a repository whose branch `change` goes to `main`.
struct Sandbox {
    clone: TempDir,
    tools: TempDir,
}

impl Sandbox {
    fn new(reviewer: &str) -> (Repository, Self) {
        let site = [("site.toml", SITE), ("content/people.yaml", PEOPLE)];
        let origin = Repository::new(".", &site);
        origin.git(&["checkout", "--quiet", "-b", "change"]);
        let people = format!("{PEOPLE}emmy: {{name: Emmy Noether}}\n");
        origin.write(&[(WARP, &entry(reviewer)), ("content/people.yaml", &people)]);
        origin.commit("Add a term");
        let clone = TempDir::new().unwrap();
        let url = origin.root().to_str().unwrap().to_owned();
        git(
            clone.path(),
            &["clone", "--quiet", "--branch", "change", &url, "."],
        );
        let tools = TempDir::new().unwrap();
        let cargo = tools.path().join("cargo");
        fs::write(&cargo, CARGO).unwrap();
        fs::set_permissions(cargo, fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir(tools.path().join("installed")).unwrap();
        (origin, Self { clone, tools })
    }

    fn installed(&self) -> PathBuf {
        self.tools.path().join("installed")
    }

    /// Runs one line of a workflow, which is to end with this exit status.
    fn run(&self, script: &str, variables: &[(&str, &str)], status: i32) {
        let (tools, installed) = (self.tools.path().display(), self.installed());
        let path = std::env::var("PATH").unwrap();
        let output = Command::new("sh")
            .args(["-e", "-c", script])
            .current_dir(self.clone.path())
            .env("PATH", format!("{}:{tools}:{path}", installed.display()))
            .env("PROGRAM", env!("CARGO_BIN_EXE_countersign"))
            .env("INSTALLED", &installed)
            .env("SOURCE_DATE_EPOCH", "1790812800")
            .envs(GIT)
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let told = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(output.status.code(), Some(status), "$ {script}\n{told}");
    }
}

#[derive(Deserialize)]
struct Actions {
    jobs: BTreeMap<String, Job>,
}

#[derive(Deserialize)]
struct Job {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    run: Option<String>,
    #[serde(rename = "if")]
    condition: Option<String>,
    with: Option<BTreeMap<String, serde_json::Value>>,
}

/// The commands of a job of the GitHub workflow on this event.
fn steps<'a>(job: &'a Job, event: &str) -> Vec<&'a str> {
    let applies = |step: &&Step| match step.condition.as_deref() {
        None => true,
        Some("github.event_name == 'pull_request'") => event == "pull_request",
        Some("github.event_name != 'pull_request'") => event != "pull_request",
        Some(other) => panic!("the test does not know the condition {other}"),
    };
    let steps = job.steps.iter().filter(applies);
    steps.filter_map(|step| step.run.as_deref()).collect()
}

#[test]
fn the_github_workflow_checks_a_change_by_its_base() {
    let workflow: Actions = serde_yaml::from_str(&file("docs/ci/github-actions.yml")).unwrap();
    let job = &workflow.jobs["check"];
    let depth = job.steps[0]
        .with
        .as_ref()
        .and_then(|with| with.get("fetch-depth"));
    assert_eq!(depth, Some(&0.into()), "the base is needed");
    let base = [("GITHUB_BASE_REF", "main")];
    for (reviewer, change, push) in [("grace", 0, 0), ("emmy", 1, 0), ("ada", 1, 1)] {
        let (_origin, sandbox) = Sandbox::new(reviewer);
        for (event, last) in [("pull_request", change), ("push", push)] {
            let commands = steps(job, event);
            assert_eq!(commands.len(), 2);
            sandbox.run(commands[0], &base, 0);
            sandbox.run(commands[1], &base, last);
        }
    }
}

#[test]
fn the_github_workflow_publishes() {
    let workflow: Actions = serde_yaml::from_str(&file("docs/ci/github-actions.yml")).unwrap();
    let (_origin, sandbox) = Sandbox::new("grace");
    for command in steps(&workflow.jobs["publish"], "push") {
        sandbox.run(command, &[], 0);
    }
    assert!(
        sandbox
            .clone
            .path()
            .join("public/terms/warp/index.html")
            .is_file()
    );
}

#[derive(Deserialize)]
struct GitLab {
    default: Scripts,
    #[serde(flatten)]
    jobs: BTreeMap<String, Scripts>,
}

#[derive(Deserialize)]
struct Scripts {
    #[serde(default)]
    before_script: Vec<String>,
    #[serde(default)]
    script: Vec<String>,
}

#[test]
fn the_gitlab_jobs_check_a_change_by_its_base_and_publish() {
    let pipeline: GitLab = serde_yaml::from_str(&file("docs/ci/gitlab-ci.yml")).unwrap();
    let target = [("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")];
    for (reviewer, change, branch) in [("grace", 0, 0), ("emmy", 1, 0), ("ada", 1, 1)] {
        let (_origin, sandbox) = Sandbox::new(reviewer);
        for (job, last) in [
            ("check change", change),
            ("check", branch),
            ("pages", branch),
        ] {
            let job = &pipeline.jobs[job];
            let before = pipeline.default.before_script.iter();
            let (end, first) = job.script.split_last().unwrap();
            for command in before.chain(first) {
                sandbox.run(command, &target, 0);
            }
            sandbox.run(end, &target, last);
        }
        let page = sandbox.clone.path().join("public/terms/warp/index.html");
        assert_eq!(page.is_file(), branch == 0);
    }
}

#[derive(Deserialize)]
struct Hook {
    id: String,
    entry: String,
    pass_filenames: bool,
}

#[test]
fn the_hook_checks_what_is_to_be_committed() {
    let hooks: Vec<Hook> = serde_yaml::from_str(&file(".pre-commit-hooks.yaml")).unwrap();
    let [hook] = hooks.as_slice() else {
        panic!("one hook")
    };
    assert_eq!(
        (hook.id.as_str(), hook.pass_filenames),
        ("countersign-check", false)
    );
    for (reviewer, status) in [("grace", 0), ("ada", 1)] {
        let (_origin, sandbox) = Sandbox::new(reviewer);
        let program = env!("CARGO_BIN_EXE_countersign");
        symlink(program, sandbox.installed().join("countersign")).unwrap();
        sandbox.run(&hook.entry, &[], status);
        // As git itself runs it, from below the root and with git's own variables set.
        let git_folder = sandbox.clone.path().join(".git");
        let folder = git_folder.to_str().unwrap();
        sandbox.run(&hook.entry, &[("GIT_DIR", folder)], status);
    }
}

#[test]
fn the_page_names_files_that_are_there() {
    let page = file("docs/ci.md");
    for path in ["docs/ci/github-actions.yml", "docs/ci/gitlab-ci.yml"] {
        assert!(page.contains(path.trim_start_matches("docs/")));
    }
    assert!(page.contains("countersign-check"));
}
