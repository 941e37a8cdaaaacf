//! Public keys in the form of OpenSSH: `ssh-ed25519 AAAA… comment`.

use std::fmt;

/// A public key. Two keys are equal if their decoded bytes are; how the line was written and its
/// comment do not matter.
#[derive(Clone)]
pub struct PublicKey {
    key: ssh_key::PublicKey,
    bytes: Vec<u8>,
}

/// Shortest RSA key that is taken, in bits (NIST SP 800-131A Rev. 2, table 2).
const SMALLEST_RSA_BITS: usize = 2048;

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
        let modulus = key
            .key_data()
            .rsa()
            .and_then(|rsa| rsa.n.as_positive_bytes());
        if modulus.is_some_and(|modulus| modulus.len() * 8 < SMALLEST_RSA_BITS) {
            return Err(format!(
                "RSA keys of fewer than {SMALLEST_RSA_BITS} bits are too weak"
            ));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_key_say_why() {
        let why = |line: &str| PublicKey::parse(line).expect_err("no key");
        assert!(why("-----BEGIN OPENSSH PRIVATE KEY-----").contains("private key"));
        assert!(why("ssh-dss AAAAB3NzaC1kc3MAAAAA").contains("cannot be read"));
        assert!(why(include_str!("../../tests/fixtures/keys/weak-rsa.pub")).contains("2048 bits"));
        let good = include_str!("../../tests/fixtures/keys/ada.pub");
        assert!(why(&format!("{good}{good}")).contains("one line"));
        let fingerprint = PublicKey::parse(good).expect("a key").fingerprint();
        assert!(
            fingerprint.starts_with("SHA256:") && fingerprint.len() == 50,
            "{fingerprint}"
        );
    }
}
