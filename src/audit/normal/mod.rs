//! The form in which words are compared: letters and digits in lower case, everything between them
//! one space, a space at both ends. So markup, escapes and line breaks do not hide a sentence.
//!
//! Every byte of a release passes through here once a site has drafts. So ASCII is read many
//! bytes at once and copied word by word, and the memory for the result is used again.

use memchr::memchr;
use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::char::compose;

/// Whether escapes are undone while a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// They are words like all others.
    Kept,
    /// Those of HTML, XML, JSON and addresses stand for what they mean.
    Undone,
}

/// Bytes for which there is one mask, a bit for each.
const BLOCK: usize = u64::BITS as usize;

/// Bytes that are looked at before any of them is copied. A byte that is copied as soon as it was
/// made would have to be waited for.
const BATCH: usize = 64 * BLOCK;

/// Bytes of a word that are copied at once.
const COPIED: usize = 16;

impl Escapes {
    /// Whether a byte is part of a longer character, or begins an escape that is to be undone.
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches it is done for many bytes at once"
    )]
    #[inline]
    fn is_unsettled(self, byte: u8) -> bool {
        let begins = (byte == b'&') | (byte == b'\\') | (byte == b'%');
        !byte.is_ascii() | (begins & (self == Self::Undone))
    }
}

/// What the bytes of a block are.
#[derive(Debug, Clone, Copy)]
struct Masks {
    /// Letters and digits of ASCII.
    words: u64,
    /// Those that say nothing by themselves: parts of longer characters, beginnings of escapes.
    unsettled: u64,
}

/// Bytes of a text, made ready to be copied: with compares alone, no branches and no look-ups, which
/// compilers do for many bytes at once.
#[derive(Debug, Default)]
struct Batch {
    /// Letters and digits in lower case, spaces for all others. Longer than the bytes, so that the last
    /// word can be copied like the others.
    lower: Vec<u8>,
    /// An item for each block.
    masks: Vec<Masks>,
}

impl Batch {
    fn read(&mut self, bytes: &[u8], escapes: Escapes) {
        self.lower.clear();
        self.lower.extend(bytes.iter().map(|byte| {
            if is_word(*byte) {
                byte.to_ascii_lowercase()
            } else {
                b' '
            }
        }));
        self.lower.extend([0; COPIED]);
        self.masks.clear();
        let (blocks, rest) = bytes.as_chunks();
        let whole = blocks.iter().map(|block| masks(block, escapes));
        self.masks.extend(whole);
        if !rest.is_empty() {
            let mut block = [0; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            self.masks.push(masks(&block, escapes));
        }
    }
}

/// Whether a byte is a letter or a digit of ASCII.
#[inline]
fn is_word(byte: u8) -> bool {
    let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let is_digit = byte.wrapping_sub(b'0') < 10;
    is_letter | is_digit
}

#[inline]
fn masks(block: &[u8; BLOCK], escapes: Escapes) -> Masks {
    let (mut words, mut unsettled) = ([0; BLOCK], [0; BLOCK]);
    for (at, byte) in block.iter().enumerate() {
        words[at] = u8::from(is_word(*byte));
        unsettled[at] = u8::from(escapes.is_unsettled(*byte));
    }
    Masks {
        words: gathered(&words),
        unsettled: gathered(&unsettled),
    }
}

/// The lowest bits of some bytes as a mask.
#[inline]
fn gathered(bytes: &[u8; BLOCK]) -> u64 {
    let (eights, _) = bytes.as_chunks::<8>();
    eights.iter().rev().fold(0, |mask, eight| {
        // Moves the lowest bit of each byte into the highest byte.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask << 8 | bits
    })
}

/// A text in the form for comparison, in memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Normal {
    /// Longer than the text: room to write to.
    room: Vec<u8>,
    /// Length of the text. Once something was read it begins with a space.
    len: usize,
    batch: Batch,
}

impl Normal {
    /// Reads a text, in place of the one before.
    pub(super) fn read(&mut self, text: &str, escapes: Escapes) -> &[u8] {
        self.len = 0;
        self.make_room(text.len() + 2);
        self.push(b' ');
        // What is not settled may reach from one block into the next.
        let mut at = 0;
        for (batch, bytes) in text.as_bytes().chunks(BATCH).enumerate() {
            self.batch.read(bytes, escapes);
            for block in 0..self.batch.masks.len() {
                let start = batch * BATCH + block * BLOCK;
                at = self.push_block(text, (start, block), at.max(start));
            }
        }
        self.push_space();
        &self.room[..self.len]
    }

    /// Gives memory back that one long text needed and few others will.
    pub(super) fn shrink(&mut self, kept: usize) {
        if self.room.len() > kept {
            *self = Self::default();
        }
    }

    /// Makes room for that many bytes more, and for what is copied behind the end of a word.
    fn make_room(&mut self, more: usize) {
        let wanted = self.len + more + COPIED;
        if self.room.len() < wanted {
            self.room.resize(wanted.max(2 * self.room.len()), 0);
        }
    }

    /// Adds the rest of a block that begins at a place of the text; gives where it ended.
    fn push_block(&mut self, text: &str, (start, block): (usize, usize), from: usize) -> usize {
        let end = text.len().min(start + BLOCK);
        let masks = self.batch.masks[block];
        let mut at = from;
        while at < end {
            let unsettled = masks.unsettled >> (at - start);
            let settled = end.min(at + unsettled.trailing_zeros() as usize);
            if settled > at {
                self.push_words(block, at - start..settled - start);
            }
            at = settled;
            if at < end {
                at += self.push_unsettled(&text[at..]);
            }
        }
        at
    }

    /// Adds a part of a block, without the spaces that follow a space.
    fn push_words(&mut self, block: usize, part: Range<usize>) {
        self.make_room(BLOCK);
        let words = self.batch.masks[block].words >> part.start;
        let follows_word = u64::from(self.room[self.len - 1] != b' ');
        let kept = words | words << 1 | follows_word;
        let mut rest = kept & u64::MAX >> (BLOCK - part.len());
        let bytes = &self.batch.lower[block * BLOCK + part.start..];
        while rest != 0 {
            let start = rest.trailing_zeros();
            let length = (!(rest >> start)).trailing_zeros();
            rest &= u64::MAX.checked_shl(start + length).unwrap_or(0);
            let (mut from, mut to) = (start as usize, self.len);
            self.len += length as usize;
            while to < self.len {
                let copied = bytes[from..].first_chunk::<COPIED>();
                let room = self.room[to..].first_chunk_mut();
                if let (Some(copied), Some(room)) = (copied, room) {
                    *room = *copied;
                }
                from += COPIED;
                to += COPIED;
            }
        }
    }

    /// Adds what a text begins with, an escape or a character; gives its length.
    fn push_unsettled(&mut self, text: &str) -> usize {
        match text.chars().next() {
            Some(c) if c.is_ascii() => {
                if let Some((c, length)) = escape(text) {
                    self.push_char(c);
                    return length;
                }
                self.push_space();
                1
            }
            Some(c) => {
                self.push_char(c);
                c.len_utf8()
            }
            None => 1,
        }
    }

    fn push_char(&mut self, c: char) {
        if is_second(c) && self.compose(c) {
            return;
        }
        if c.is_alphanumeric() {
            for lower in c.to_lowercase() {
                for byte in lower.encode_utf8(&mut [0; 4]).bytes() {
                    self.push(byte);
                }
            }
        } else if !is_joiner(c) {
            self.push_space();
        }
    }

    /// Makes one character of the last one and this, if there is one, as other texts may have it.
    fn compose(&mut self, c: char) -> bool {
        let tail = &self.room[self.len.saturating_sub(4)..self.len];
        let start = tail.iter().rposition(|byte| *byte & 0xc0 != 0x80);
        let last = start.and_then(|start| str::from_utf8(&tail[start..]).ok());
        let last = last.and_then(|last| last.chars().next());
        let Some((last, whole)) = last.and_then(|last| Some((last, compose(last, c)?))) else {
            return false;
        };
        self.len -= last.len_utf8();
        for byte in whole.encode_utf8(&mut [0; 4]).bytes() {
            self.push(byte);
        }
        true
    }

    fn push_space(&mut self) {
        if self.room[self.len - 1] != b' ' {
            self.push(b' ');
        }
    }

    fn push(&mut self, byte: u8) {
        self.make_room(1);
        self.room[self.len] = byte;
        self.len += 1;
    }
}

/// The form for comparison.
pub(super) fn normalised(text: &str) -> String {
    normalised_with(text, Escapes::Kept)
}

/// The form for comparison, with escapes undone or not.
pub(super) fn normalised_with(text: &str, escapes: Escapes) -> String {
    let mut normal = Normal::default();
    String::from_utf8_lossy(normal.read(text, escapes)).into_owned()
}

/// Characters without width, which must not split a word.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{300}'..='\u{36f}'
        | '\u{3099}' | '\u{309a}' | '\u{e0000}'..='\u{e01ef}')
}

/// Characters that may make one of themselves and the character before, so that a text can be written in
/// two ways: marks, and all but the first letters of Korean syllables.
fn is_second(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1161}'..='\u{1175}' | '\u{11a8}'..='\u{11c2}' | '\u{3099}' | '\u{309a}')
}

/// Writes the text without everything between `<` and `>`, in place of what `out` held. Says whether
/// it had any tag: else `out` is the text.
pub(super) fn without_tags(text: &str, out: &mut String) -> bool {
    out.clear();
    let bytes = text.as_bytes();
    let (mut written, mut at) = (0, 0);
    while let Some(found) = memchr(b'<', &bytes[at..]) {
        let open = at + found;
        at = open + 1;
        let is_tag = bytes
            .get(at)
            .is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?'));
        if !is_tag {
            continue;
        }
        // What ends no tag ends none that opens later.
        let Some(length) = memchr(b'>', &bytes[at..]) else {
            break;
        };
        out.push_str(&text[written..open]);
        if !is_inline(&bytes[at..at + length]) {
            out.push(' ');
        }
        at += length + 1;
        written = at;
    }
    out.push_str(&text[written..]);
    written > 0
}

/// Whether a tag stands inside words rather than between them.
pub(super) fn is_inline(tag: &[u8]) -> bool {
    let slashes = tag.iter().take_while(|byte| **byte == b'/').count();
    let name = &tag[slashes..];
    let length = name.iter().take_while(|byte| byte.is_ascii_alphanumeric());
    matches!(
        &name[..length.count()],
        b"a" | b"abbr"
            | b"b"
            | b"code"
            | b"data"
            | b"em"
            | b"i"
            | b"mark"
            | b"s"
            | b"small"
            | b"span"
            | b"strong"
            | b"sub"
            | b"sup"
            | b"time"
            | b"wbr"
            | b"tspan"
    )
}

/// Undoes the escapes of HTML, XML, JSON and addresses.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '\\', '%']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['&', '\\', '%']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if let Some((c, length)) = escape(rest) {
            out.push(c);
            length
        } else {
            out.push_str(&rest[..1]);
            1
        };
        rest = &rest[length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character that the escape at a text's start stands for, and the bytes that it takes.
fn escape(text: &str) -> Option<(char, usize)> {
    match text.as_bytes().first()? {
        b'&' => entity(text),
        b'%' => percent(text),
        _ => json_escape(text),
    }
}

fn entity(text: &str) -> Option<(char, usize)> {
    let end = text.bytes().take(12).position(|byte| byte == b';')?;
    let c = match text.get(1..end)? {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "shy" => '\u{ad}',
        "zwnj" | "zwj" | "lrm" | "rlm" | "NoBreak" => '\u{200c}',
        name => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some((c, end + 1))
}

fn json_escape(text: &str) -> Option<(char, usize)> {
    match text.as_bytes().get(1)? {
        b'n' | b't' | b'r' | b'b' | b'f' => Some((' ', 2)),
        b'"' => Some(('"', 2)),
        b'/' => Some(('/', 2)),
        b'u' => {
            let unit = |at: usize| u16::from_str_radix(text.get(at..at + 4)?, 16).ok();
            let first = unit(2)?;
            if let Some(c) = char::from_u32(u32::from(first)) {
                return Some((c, 6));
            }
            let second = (text.get(6..8) == Some("\\u")).then(|| unit(8)).flatten()?;
            let c = char::decode_utf16([first, second]).next()?.ok()?;
            Some((c, 12))
        }
        _ => None,
    }
}

fn percent(text: &str) -> Option<(char, usize)> {
    let mut bytes = [0; 4];
    for (at, chunk) in text.as_bytes().chunks(3).take(4).enumerate() {
        let [b'%', digits @ ..] = chunk else { break };
        let digits = std::str::from_utf8(digits).ok();
        let byte = digits
            .filter(|digits| digits.len() == 2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let Some(byte) = byte else { break };
        bytes[at] = byte;
        if let Ok(decoded) = std::str::from_utf8(&bytes[..=at]) {
            return Some((decoded.chars().next()?, (at + 1) * 3));
        }
    }
    None
}

#[cfg(test)]
mod tests;
