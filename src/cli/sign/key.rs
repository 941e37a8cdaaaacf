//! The private key of the person who signs, and the question for its passphrase.

use crate::cli::Failure;
use crate::cli::terminal;
use crate::gate::signature::{KeyFault, SigningKey};
use std::fs;
use std::path::Path;

/// Why there is no key to sign with.
pub(super) enum KeyProblem {
    /// The file cannot be read.
    File(Failure),
    /// What is in it does not sign.
    Fault(String),
}

/// Opens the private key; asks for its passphrase where somebody can be asked.
pub(super) fn open(path: &Path) -> Result<SigningKey, KeyProblem> {
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(|error| {
        KeyProblem::File(Failure::new(format!(
            "cannot read the key {shown}: {error}"
        )))
    })?;
    let fault = |fault: &KeyFault| KeyProblem::Fault(format!("{shown}: {fault}"));
    let first = text.split_whitespace().next().unwrap_or("");
    if ["ssh-", "ecdsa-", "sk-"]
        .iter()
        .any(|start| first.starts_with(start))
    {
        return Err(KeyProblem::Fault(format!(
            "{shown} is the public half of a key; name the private one, whose file has no `.pub`"
        )));
    }
    match SigningKey::open(&text, None) {
        Err(KeyFault::Locked) if terminal::can_ask() => {
            let asked = terminal::secret(&format!("Passphrase of {shown}:"));
            let passphrase = asked.map_err(|error| {
                KeyProblem::File(Failure::new(format!(
                    "cannot ask for the passphrase: {error}"
                )))
            })?;
            SigningKey::open(&text, Some(&passphrase)).map_err(|why| fault(&why))
        }
        Err(KeyFault::Locked) => Err(KeyProblem::Fault(format!(
            "{shown} is locked with a passphrase, and there is no terminal to ask for it; \
             without --key the statement is written, and `ssh-keygen -Y sign` can sign it with \
             the help of ssh-agent"
        ))),
        opened => opened.map_err(|why| fault(&why)),
    }
}
