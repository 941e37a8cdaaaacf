//! The texts that are in a file, however they are packed.

use super::normal::{Escapes, Normal, unescape, without_tags};
use memchr::memmem;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::io::Read as _;
use std::ops::ControlFlow;

/// Most bytes that a packed text may unpack to.
const UNPACKED_MAX: u64 = 64 << 20;

/// The texts of one file, or of a part of it.
pub(super) struct Haystack<'a> {
    path: &'a str,
    /// As they are, packed ones unpacked.
    plain: Vec<Cow<'a, [u8]>>,
    /// Path and texts with escapes undone, in lower case: for addresses.
    lower: OnceCell<Vec<String>>,
}

impl<'a> Haystack<'a> {
    /// Opens a file: its bytes, what is packed in it, and a picture's text records.
    pub(super) fn new(path: &'a str, bytes: &'a [u8]) -> Self {
        let mut plain = vec![Cow::Borrowed(bytes)];
        plain.extend(gunzip(bytes).map(Cow::Owned));
        plain.extend(png_texts(bytes).into_iter().map(Cow::Owned));
        plain.extend(zip_texts(bytes).into_iter().map(Cow::Owned));
        Self {
            path,
            plain,
            lower: OnceCell::new(),
        }
    }

    /// Whether an address (`terms/warp/`) stands in the file as one, with its slash between: the
    /// form for comparison would take "of terms, warp" for it.
    pub(super) fn holds_address(&self, address: &str) -> bool {
        let address = address.trim_end_matches('/');
        let lower = |text: &str| unescape(text).to_lowercase();
        let texts = self.lower.get_or_init(|| {
            let texts = self.plain.iter();
            let texts = texts.map(|bytes| lower(&String::from_utf8_lossy(bytes)));
            [lower(self.path)].into_iter().chain(texts).collect()
        });
        texts.iter().any(|text| text.contains(address))
    }

    /// Gives each text in the form for comparison, with its place among them: the file's name, its
    /// bytes with and without markup, and the same of what was packed. A text without its tags that
    /// had none is not given twice; its place stays empty. `Break` says that no other is wanted.
    pub(super) fn each_text(&self, mut give: impl FnMut(usize, &[u8]) -> ControlFlow<()>) {
        let mut desk = DESK.take();
        // Whoever gave it wants no other, or has seen them all.
        let _ = self.read(&mut desk, &mut give);
        desk.clear();
        DESK.set(desk);
    }

    fn read(
        &self,
        desk: &mut Desk,
        give: &mut impl FnMut(usize, &[u8]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        give(0, desk.normal.read(self.path, Escapes::Kept))?;
        let mut place = 1;
        for bytes in &self.plain {
            desk.read(bytes, place, give)?;
            place += 2;
            for wide in wide_texts(bytes) {
                desk.read(wide.as_bytes(), place, give)?;
                place += 2;
            }
        }
        ControlFlow::Continue(())
    }
}

thread_local! {
    static DESK: Cell<Desk> = Cell::default();
}

/// Most bytes that a desk keeps of each kind from one file to the next.
const DESK_MAX_BYTES: usize = 1 << 20;

/// Memory for one text after the other.
#[derive(Default)]
struct Desk {
    normal: Normal,
    untagged: String,
}

impl Desk {
    /// Gives a text as it is, unescaped, and without its tags where it has any.
    fn read(
        &mut self,
        bytes: &[u8],
        place: usize,
        give: &mut impl FnMut(usize, &[u8]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let text = text_of(bytes);
        give(place, self.normal.read(&text, Escapes::Undone))?;
        if without_tags(&text, &mut self.untagged) {
            let text = self.normal.read(&self.untagged, Escapes::Undone);
            give(place + 1, text)?;
        }
        ControlFlow::Continue(())
    }

    fn clear(&mut self) {
        self.normal.shrink(DESK_MAX_BYTES);
        if self.untagged.capacity() > DESK_MAX_BYTES {
            self.untagged = String::new();
        }
    }
}

/// Bytes as text, with a sign in the place of those that are none. Most are text, which is quickly
/// seen.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// The text of a file in UTF-16, in both orders of bytes, if its bytes look like that.
fn wide_texts(bytes: &[u8]) -> Vec<String> {
    let zeros = bytes.iter().take(512).filter(|byte| **byte == 0).count();
    let marked = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if !marked && zeros * 4 < bytes.len().min(512) {
        return Vec::new();
    }
    let read = |unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        String::from_utf16_lossy(&units.collect::<Vec<_>>())
    };
    vec![read(u16::from_le_bytes), read(u16::from_be_bytes)]
}

fn gunzip(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return None;
    }
    let mut unpacked = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes)
        .take(UNPACKED_MAX)
        .read_to_end(&mut unpacked)
        .ok()?;
    Some(unpacked)
}

/// What the signature of a file in a ZIP archive is followed by up to its name: 26 bytes, of which two say
/// how it is packed, and the last four how long its name and its further fields are.
/// Source: APPNOTE.TXT 6.3.10, section 4.3.7.
const ZIP_FILE: &[u8] = b"PK\x03\x04";

/// The files of a ZIP archive that are packed by Deflate; a stored one stands in the archive as it is.
fn zip_texts(bytes: &[u8]) -> Vec<Vec<u8>> {
    const DEFLATE: &[u8] = &[8, 0];
    let mut texts = Vec::new();
    if !bytes.starts_with(b"PK") {
        return texts;
    }
    let mut room = UNPACKED_MAX;
    for at in memmem::find_iter(bytes, ZIP_FILE) {
        let Some(header) = bytes.get(at + 4..at + 30) else {
            break;
        };
        let length = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]));
        let start = at + 30 + length(22) + length(24);
        if header[4..6] != *DEFLATE || room == 0 {
            continue;
        }
        let packed = bytes.get(start..).unwrap_or_default();
        let mut unpacked = Vec::new();
        // What was unpacked before a fault counts too.
        let _ = flate2::read::DeflateDecoder::new(packed)
            .take(room)
            .read_to_end(&mut unpacked);
        room -= unpacked.len() as u64;
        texts.push(unpacked);
    }
    texts
}

/// The text records of a PNG: `tEXt`, `zTXt`, `iTXt`, and Exif data, unpacked.
fn png_texts(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    let Some(mut rest) = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n") else {
        return texts;
    };
    while let Some((header, after)) = rest.split_at_checked(8) {
        let length = header[..4]
            .iter()
            .fold(0, |n, byte| n << 8 | usize::from(*byte));
        let Some((data, next)) = after.split_at_checked(length) else {
            break;
        };
        if matches!(&header[4..], b"tEXt" | b"zTXt" | b"iTXt" | b"eXIf") {
            texts.push(data.to_vec());
            // A packed text begins after the keyword's NUL and a few flags.
            let starts = data
                .iter()
                .enumerate()
                .filter(|(_, byte)| **byte == 0)
                .take(4);
            for (at, _) in starts {
                for skip in 1..=3 {
                    let packed = data.get(at + skip..).unwrap_or(&[]);
                    let mut unpacked = Vec::new();
                    let read = flate2::read::ZlibDecoder::new(packed)
                        .take(UNPACKED_MAX)
                        .read_to_end(&mut unpacked);
                    if read.is_ok() && !unpacked.is_empty() {
                        texts.push(unpacked);
                    }
                }
            }
        }
        rest = next.get(4..).unwrap_or(&[]);
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::super::normal::normalised;
    use super::*;

    /// Whether any text of a file has these words.
    fn holds(haystack: &Haystack<'_>, words: &str) -> bool {
        let mut found = false;
        haystack.each_text(|_, text| {
            found |= memmem::find(text, words.as_bytes()).is_some();
            ControlFlow::Continue(())
        });
        found
    }

    #[test]
    fn markup_and_escapes_hide_nothing() {
        let page = b"<p>The <strong>canary</strong> &amp; its <code>s&#111;ng</code></p>";
        let haystack = Haystack::new("terms/x/index.html", page);
        let wanted = normalised("canary & its song");
        assert!(holds(&haystack, &wanted));
        let json = br#"{"t": "Can\u0061ry \"song\""}"#;
        let haystack = Haystack::new("a.json", json);
        assert!(holds(&haystack, " canary song "));
        let address = Haystack::new("a.html", b"<a href='/C%C3%A4nary'>x</a>");
        assert!(holds(&address, "cänary"));
    }

    #[test]
    fn an_address_has_its_slash() {
        let told = Haystack::new("a.css", b"/* in lessons, threads are rows */");
        assert!(holds(&told, " lessons threads "));
        assert!(!told.holds_address("lessons/threads/"));
        for leak in [
            &b"<a href='lessons/threads'>"[..],
            b"{\"at\": \"lessons\\/threads\\/\"}",
            b"Lessons%2Fthreads",
        ] {
            assert!(Haystack::new("a", leak).holds_address("lessons/threads/"));
        }
        assert!(Haystack::new("lessons/threads/index.html", b"").holds_address("lessons/threads/"));
    }

    #[test]
    fn packed_texts_are_read() {
        use std::io::Write as _;
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(b"the canary sings").unwrap();
        let file = packer.finish().unwrap();
        let haystack = Haystack::new("search/index", &file);
        assert!(holds(&haystack, " canary "));
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        let data = b"Title\0the canary";
        png.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        png.extend(b"tEXt");
        png.extend(data);
        png.extend([0; 4]);
        let haystack = Haystack::new("a.png", &png);
        assert!(holds(&haystack, " canary "));
    }

    #[test]
    fn files_of_archives_are_read() {
        use std::io::Write as _;
        let mut archive = Vec::new();
        for text in ["nothing", "the canary sings"] {
            let level = flate2::Compression::default();
            let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), level);
            packer.write_all(text.as_bytes()).unwrap();
            archive.extend(ZIP_FILE);
            // Version, flags, Deflate, time and date; checksum and lengths, which may stand behind.
            archive.extend([20, 0, 8, 0, 8, 0, 0, 0, 0, 0]);
            archive.extend([0; 12]);
            archive.extend([5, 0, 2, 0]);
            archive.extend(b"a.txt??");
            archive.extend(packer.finish().unwrap());
        }
        let haystack = Haystack::new("static/texts.docx", &archive);
        assert!(holds(&haystack, " canary sings "));
    }
}
