//! SHA-256, the one digest used for content, memo keys and manifests.

use sha2::Digest as _;
use std::fmt;

/// A SHA-256 digest. Shown as `sha256:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(sha2::Sha256::digest(bytes.as_ref()).into())
    }

    /// The first eight hexadecimal digits, for people.
    pub fn short(&self) -> String {
        hex(&self.0[..4])
    }

    /// All 64 hexadecimal digits, without the name of the algorithm.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }

    /// Reads the shown form back; `None` if it is anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.strip_prefix("sha256:")?;
        if hex.len() != 64 || !hex.is_ascii() {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(hex.as_bytes().chunks_exact(2)) {
            *byte = nibble(digits[0])? << 4 | nibble(digits[1])?;
        }
        Some(Self(bytes))
    }

    /// The digest with these bytes; `None` unless there are 32.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The raw 32 bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The value of a hexadecimal digit in lower case.
fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        for value in [byte >> 4, byte & 15] {
            text.push(char::from(DIGITS[usize::from(value)]));
        }
    }
    text
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        f.write_str(&self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The digest of bytes that come in parts: the same as [`Digest::of`] of all of them together.
#[derive(Debug, Clone, Default)]
pub struct Digester(sha2::Sha256);

impl Digester {
    /// No bytes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of the bytes so far.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

impl std::io::Write for Digester {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A digest over several fields. Each field is written with its length, so that no two
/// different lists of fields give the same bytes.
#[derive(Debug, Clone, Default)]
pub struct Hasher(sha2::Sha256);

/// Two hashers are equal if they were given the same fields.
impl PartialEq for Hasher {
    fn eq(&self, other: &Self) -> bool {
        self.finish() == other.finish()
    }
}

impl Eq for Hasher {}

impl Hasher {
    /// An empty hasher.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one field.
    pub fn field(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        let bytes = bytes.as_ref();
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// The digest of the fields so far.
    pub fn finish(&self) -> Digest {
        Digest(self.0.clone().finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_form_reads_back() {
        let digest = Digest::of("abc");
        assert_eq!(
            digest.to_string(),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert_eq!(Digest::parse("sha256:00"), None);
        assert_eq!(Digest::parse(&format!("sha256:{}", "+0".repeat(32))), None);
    }

    #[test]
    fn fields_do_not_run_together() {
        let digest = |fields: &[&str]| {
            let mut hasher = Hasher::new();
            for field in fields {
                hasher.field(field);
            }
            hasher.finish()
        };
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
    }
}
