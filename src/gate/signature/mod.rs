//! OpenSSH signatures (SSHSIG) of statements: those of `ssh-keygen -Y sign` are verified here,
//! and those made here are verified by `ssh-keygen -Y verify`. This file and
//! [`crate::model::key`] alone name the package.

use crate::model::key::PublicKey;
use crate::model::person::Person;
use rsa::signature::{SignatureEncoding as _, Signer as _};
use rsa::{BigUint, RsaPrivateKey};
use ssh_key::private::RsaKeypair;
use ssh_key::{Algorithm, HashAlg, LineEnding, PrivateKey, SshSig};
use std::fmt;

/// Why a signature does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureFault {
    /// The file is no signature; the reader's words.
    Unreadable(String),
    /// It was made in another namespace: for another role or host, or for another purpose.
    Namespace {
        /// The namespace of the signature.
        found: String,
        /// The namespace that it must have.
        wanted: String,
    },
    /// The registry gives the person no key.
    NoKeys,
    /// It was made by a key that the registry does not give to the person.
    OtherKey(String),
    /// It was made by a key of the person, of another text than this.
    OtherText,
}

impl fmt::Display for SignatureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(f, "it cannot be read as an OpenSSH signature: {why}"),
            Self::Namespace { found, wanted } => {
                let found: String = found.chars().flat_map(char::escape_debug).collect();
                write!(f, "it was made for `{found}`, not for `{wanted}`")
            }
            Self::NoKeys => write!(f, "the registry gives this person no key"),
            Self::OtherKey(key) => {
                write!(
                    f,
                    "it was made with the key {key}, which the registry does not give to this person"
                )
            }
            Self::OtherText => write!(
                f,
                "it is not of this text: the statement has changed since, or the signature belongs to another"
            ),
        }
    }
}

/// Verifies a signature of a statement's text by one of a person's keys.
pub fn verify(
    text: &str,
    signature: &str,
    namespace: &str,
    person: &Person,
) -> Result<(), SignatureFault> {
    let signature = read(signature)?;
    if signature.namespace() != namespace {
        return Err(SignatureFault::Namespace {
            found: signature.namespace().to_owned(),
            wanted: namespace.to_owned(),
        });
    }
    if person.keys.is_empty() {
        return Err(SignatureFault::NoKeys);
    }
    let key = person
        .keys
        .iter()
        .find(|key| key.value.openssh().key_data() == signature.public_key());
    let Some(key) = key else {
        let key = signature.public_key().fingerprint(HashAlg::Sha256);
        return Err(SignatureFault::OtherKey(key.to_string()));
    };
    key.value
        .openssh()
        .verify(namespace, text.as_bytes(), &signature)
        .map_err(|_| SignatureFault::OtherText)
}

/// Reads a signature, and refuses one that is not written in its one form: the reader does not
/// look at every length.
fn read(text: &str) -> Result<SshSig, SignatureFault> {
    let unreadable = |error: ssh_key::Error| SignatureFault::Unreadable(error.to_string());
    let signature = SshSig::from_pem(text).map_err(unreadable)?;
    // The version is not part of what is signed, and the reader takes any up to its own.
    if signature.version() != 1 {
        let why = format!(
            "it is of version {}, and only 1 is known",
            signature.version()
        );
        return Err(SignatureFault::Unreadable(why));
    }
    let again = signature.to_pem(LineEnding::LF).map_err(unreadable)?;
    let solid = |text: &str| text.split_whitespace().collect::<String>();
    if solid(text) != solid(&again) {
        let why = "its lengths or its armour are not those of a signature";
        return Err(SignatureFault::Unreadable(why.to_owned()));
    }
    Ok(signature)
}

/// Why a key cannot sign here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyFault {
    /// It is locked with a passphrase, and none was given.
    Locked,
    /// The passphrase does not open it.
    WrongPassphrase,
    /// It lives in a device; only OpenSSH can ask the device to sign.
    InDevice,
    /// It cannot be read; why.
    Unreadable(String),
}

impl fmt::Display for KeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Locked => write!(f, "the key is locked with a passphrase"),
            Self::WrongPassphrase => write!(f, "the passphrase does not open the key"),
            Self::InDevice => write!(
                f,
                "the key lives in a security device: sign the statement with `ssh-keygen -Y sign`"
            ),
            Self::Unreadable(why) => write!(f, "the key cannot be read: {why}"),
        }
    }
}

/// A private key that can sign.
pub struct SigningKey {
    key: PrivateKey,
    public: PublicKey,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "private key of {:?}", self.public)
    }
}

impl SigningKey {
    /// Opens a private key in the form of OpenSSH.
    pub fn open(text: &str, passphrase: Option<&str>) -> Result<Self, KeyFault> {
        let unreadable = |why: String| KeyFault::Unreadable(why);
        if text.contains("BEGIN") && !text.contains("BEGIN OPENSSH PRIVATE KEY") {
            let why = "it is not in the form of OpenSSH; `ssh-keygen -p -f KEY` turns it into that";
            return Err(unreadable(why.to_owned()));
        }
        let key = PrivateKey::from_openssh(text).map_err(|error| unreadable(error.to_string()))?;
        let line = key.public_key().to_openssh();
        let line = line.map_err(|error| unreadable(error.to_string()))?;
        let public = PublicKey::parse(&line).map_err(unreadable)?;
        if line.starts_with("sk-") {
            return Err(KeyFault::InDevice);
        }
        let key = match (key.is_encrypted(), passphrase) {
            (false, _) => key,
            (true, None) => return Err(KeyFault::Locked),
            (true, Some(word)) => key.decrypt(word).map_err(|_| KeyFault::WrongPassphrase)?,
        };
        Ok(Self { key, public })
    }

    /// The public key.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Signs a text; the result is the content of a `.sig` file.
    pub fn sign(&self, text: &str, namespace: &str) -> Result<String, KeyFault> {
        let text = text.as_bytes();
        let signature = match self.key.key_data().rsa() {
            Some(pair) => rsa_signature(pair, namespace, text),
            None => self.key.sign(namespace, HashAlg::Sha512, text),
        };
        signature
            .and_then(|signature| signature.to_pem(LineEnding::LF))
            .map_err(|error| KeyFault::Unreadable(error.to_string()))
    }
}

/// Signs with an RSA key. The package, up to 0.6.7, gives one prime twice where the key is made,
/// so that no key works; that is put right here.
fn rsa_signature(pair: &RsaKeypair, namespace: &str, text: &[u8]) -> ssh_key::Result<SshSig> {
    let number = |number: &ssh_key::Mpint| BigUint::try_from(number);
    let (public, private) = (&pair.public, &pair.private);
    let primes = vec![number(&private.p)?, number(&private.q)?];
    let key = RsaPrivateKey::from_components(
        number(&public.n)?,
        number(&public.e)?,
        number(&private.d)?,
        primes,
    )
    .map_err(|_| ssh_key::Error::Crypto)?;
    let data = SshSig::signed_data(namespace, HashAlg::Sha512, text)?;
    let signature = rsa::pkcs1v15::SigningKey::<rsa::sha2::Sha512>::new(key).try_sign(&data);
    let signature = signature.map_err(|_| ssh_key::Error::Crypto)?;
    let hash = Some(HashAlg::Sha512);
    let signature = ssh_key::Signature::new(Algorithm::Rsa { hash }, signature.to_vec())?;
    SshSig::new(public.clone().into(), namespace, HashAlg::Sha512, signature)
}

#[cfg(test)]
mod tests;
