//! Programs that the tests use besides the Rust toolchain, installed from Debian's packages where
//! they are missing.

use std::path::Path;
use std::process::Command;

/// A program, and the package that brings it.
const NEEDED: [(&str, &str); 3] = [
    ("chromium", "chromium"),
    ("ssh-keygen", "openssh-client"),
    ("git", "git"),
];

/// Installs what is missing. Says what could not be installed; the tests that need it then fail
/// with the same words.
pub(crate) fn install() -> Result<(), String> {
    let missing: Vec<_> = NEEDED
        .iter()
        .filter(|(program, _)| !found(program))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<_> = missing.iter().map(|(_, package)| *package).collect();
    println!("installing {}", packages.join(", "));
    let install = format!(
        "DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends {}",
        packages.join(" ")
    );
    for command in ["apt-get update -q", &install] {
        if !run_as_root(command) {
            return Err(format!(
                "could not run `{command}`; install {} yourself and start again",
                packages.join(", ")
            ));
        }
    }
    Ok(())
}

/// Whether a program is on the path.
pub(crate) fn found(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| Path::new(&folder).join(program).is_file())
}

fn run_as_root(command: &str) -> bool {
    let root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let mut shell = if root {
        Command::new("sh")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["-n", "sh"]);
        sudo
    };
    shell
        .args(["-c", command])
        .status()
        .is_ok_and(|status| status.success())
}
