//! Public keys in the form of OpenSSH: `ssh-ed25519 AAAA… comment`.

use std::fmt;

/// A public key. Two keys are equal if their decoded bytes are; how the line was written and its
/// comment do not matter.
#[derive(Clone)]
pub struct PublicKey {
    key: ssh_key::PublicKey,
    bytes: Vec<u8>,
}

impl PublicKey {
    /// Reads one line of a `.pub` file; the sentence of the error says what is wrong with it.
    pub fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim();
        if line.contains('\n') {
            return Err("a public key stands on one line".to_owned());
        }
        if line.starts_with("-----BEGIN") || line.contains("PRIVATE KEY") {
            return Err("this is a private key, or another file than the `.pub` one".to_owned());
        }
        let key = ssh_key::PublicKey::from_openssh(line)
            .map_err(|error| format!("this cannot be read as an OpenSSH public key: {error}"))?;
        if matches!(key.algorithm(), ssh_key::Algorithm::Other(_)) {
            return Err(format!(
                "keys of the kind `{}` are not known",
                key.algorithm()
            ));
        }
        if key.algorithm().is_dsa() {
            return Err("DSA keys are too weak to sign with".to_owned());
        }
        let bytes = key.to_bytes().map_err(|error| error.to_string())?;
        Ok(Self { key, bytes })
    }

    /// The decoded bytes, which identify the key.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The fingerprint as OpenSSH shows it: `SHA256:…`.
    pub fn fingerprint(&self) -> String {
        self.key.fingerprint(ssh_key::HashAlg::Sha256).to_string()
    }

    /// The key for the signature package.
    pub(crate) fn openssh(&self) -> &ssh_key::PublicKey {
        &self.key
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for PublicKey {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.key.algorithm(), self.fingerprint())
    }
}
