//! What tells a changed file from an unchanged one without reading it.

use std::fs::Metadata;
use std::time::{SystemTime, UNIX_EPOCH};

/// A change within this time of another may get the same time: some file systems count whole
/// seconds, FAT pairs of them.
const SETTLED_NS: i128 = 2_000_000_000;

/// Place on disk, length and times of one file. An edit that keeps the length and puts back the
/// time of modification still changes the time of change, which no program can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(super) length_bytes: u64,
    device: u64,
    inode: u64,
    /// Time of the last write of its bytes, in nanoseconds since 1970.
    modified_ns: Option<i128>,
    /// Time of the last change of anything about the file; `None` on systems that do not tell it.
    changed_ns: Option<i128>,
}

impl Stamp {
    /// The length of [`Self::to_bytes`].
    pub(super) const BYTES: usize = 56;

    #[cfg(unix)]
    pub(super) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let ns = |seconds, ns| i128::from(seconds) * 1_000_000_000 + i128::from(ns);
        Self {
            length_bytes: metadata.len(),
            device: metadata.dev(),
            inode: metadata.ino(),
            modified_ns: Some(ns(metadata.mtime(), metadata.mtime_nsec())),
            changed_ns: Some(ns(metadata.ctime(), metadata.ctime_nsec())),
        }
    }

    #[cfg(not(unix))]
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self {
            length_bytes: metadata.len(),
            device: 0,
            inode: 0,
            modified_ns: metadata.modified().ok().map(since_1970_ns),
            changed_ns: None,
        }
    }

    /// Whether the file was last changed so long before `moment` that no later change can leave
    /// this stamp. Never where the system tells no time of change, nor for times to come.
    pub(super) fn is_settled(&self, moment: SystemTime) -> bool {
        let moment_ns = since_1970_ns(moment);
        [self.modified_ns, self.changed_ns]
            .iter()
            .all(|time| time.is_some_and(|ns| ns + SETTLED_NS < moment_ns))
    }

    /// The stamp as bytes; `None` where the system does not tell all of it.
    pub(super) fn to_bytes(self) -> Option<[u8; Self::BYTES]> {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.length_bytes.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.device.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.inode.to_le_bytes());
        bytes[24..40].copy_from_slice(&self.modified_ns?.to_le_bytes());
        bytes[40..].copy_from_slice(&self.changed_ns?.to_le_bytes());
        Some(bytes)
    }

    /// Reads [`Self::to_bytes`] back; `None` for another number of bytes.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (numbers, times) = bytes.split_at_checked(24)?;
        let (modified, changed) = times.split_at_checked(16)?;
        let number = |at: usize| Some(u64::from_le_bytes(numbers[at..at + 8].try_into().ok()?));
        Some(Self {
            length_bytes: number(0)?,
            device: number(8)?,
            inode: number(16)?,
            modified_ns: Some(i128::from_le_bytes(modified.try_into().ok()?)),
            changed_ns: Some(i128::from_le_bytes(changed.try_into().ok()?)),
        })
    }
}

fn since_1970_ns(time: SystemTime) -> i128 {
    let ns = |time: std::time::Duration| i128::try_from(time.as_nanos()).unwrap_or(i128::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => ns(since),
        Err(before) => -ns(before.duration()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const SECOND_NS: i128 = 1_000_000_000;

    fn stamp(modified_s: i128, changed_s: Option<i128>) -> Stamp {
        Stamp {
            length_bytes: 1,
            device: 2,
            inode: 3,
            modified_ns: Some(modified_s * SECOND_NS),
            changed_ns: changed_s.map(|changed_s| changed_s * SECOND_NS),
        }
    }

    #[test]
    fn only_what_changed_long_ago_is_settled() {
        let moment = UNIX_EPOCH + Duration::from_secs(100);
        assert!(stamp(97, Some(97)).is_settled(moment));
        assert!(stamp(-5, Some(0)).is_settled(moment));
        for (modified, changed) in [
            (97, Some(98)),
            (98, Some(97)),
            (97, Some(100)),
            (97, Some(200)),
            (200, Some(97)),
            (97, None),
        ] {
            let stamp = stamp(modified, changed);
            assert!(!stamp.is_settled(moment), "{stamp:?}");
        }
    }

    #[test]
    fn bytes_are_read_back() {
        let whole = stamp(-5, Some(7));
        let bytes = whole.to_bytes().unwrap();
        assert_eq!(Stamp::from_bytes(&bytes), Some(whole));
        assert_eq!(Stamp::from_bytes(&bytes[1..]), None);
        assert_eq!(Stamp::from_bytes(&bytes[..20]), None);
        assert_eq!(stamp(1, None).to_bytes(), None);
    }
}
