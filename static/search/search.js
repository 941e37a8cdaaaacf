// Answers queries from the index in this folder. Names are looked through first; the words of the pages lie
// in files by the alphabet, and those that a query falls into are read.

const LETTERS = { æ: "ae", ð: "d", ø: "o", þ: "th", đ: "d", ħ: "h", ł: "l", œ: "oe", ς: "σ" };
const MARKS = /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u00ad\u0640\u200b-\u200f\u2060\ufeff]/gu;
// Scripts without spaces between words.
const SPACELESS = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{323af}]+/gu;
const MOST = 20;

// The form for comparison: case, accents, width and ligatures are set aside. `fold.rs` does the same to the index.
export const fold = (text) => text.normalize("NFKD").replace(MARKS, "").normalize("NFC").toUpperCase().toLowerCase()
  .replace(/[æðøþđħłœς]/g, (letter) => LETTERS[letter]);

const split = (folded) => folded.replace(/[^\p{L}\p{N}\p{M}]+/gu, " ").replace(SPACELESS, " $& ").split(" ").filter(Boolean);
const isRun = (word) => word.search(SPACELESS) === 0;

const load = async (file) => {
  const answer = await fetch(new URL(file, import.meta.url));
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  return answer.json();
};

let index = null;
const open = () => {
  index ??= load("titles.json").then(({ entries, words }) => ({
    entries: entries.map((entry) => ({
      entry,
      names: [entry.title, ...entry.names].map((name) => {
        const folded = fold(name);
        const parts = split(folded);
        return { folded, parts, initials: parts.length > 1 ? parts.map((part) => part[0]).join("") : "" };
      }),
    })),
    // A leading zero marks what is no whole word of a page.
    files: words.map(({ from, file }) => ({ from: from.slice(1), file, words: null })),
  }));
  index.catch(() => { index = null; });
  return index;
};

// All words of the pages that begin with `start`, each with its entries as a code.
const beginning = async (files, start) => {
  const stretch = files.filter(({ from }, at) => from <= `${start}\uffff` && !(files[at + 1]?.from <= start));
  const read = await Promise.all(stretch.map((part) => part.words ??= load(part.file).then(
    (words) => Object.entries(words).map(([word, code]) => {
      const bare = word[0] === "0" ? word.slice(1) : "";
      return [bare && isRun(bare) ? bare : fold(word), code];
    }),
    // Without this file the names still answer.
    () => { part.words = null; return []; },
  )));
  return read.flat().filter(([word]) => word.startsWith(start));
};

// Calls `give(entry, weight)` for each entry of a code: distances and weights, base 26, a capital letter last.
const decode = (code, give) => {
  let next = 0;
  let number = 0;
  for (let at = 1; at < code.length; at += 1) {
    const unit = code.charCodeAt(at);
    if (unit >= 97) {
      number = number * 26 + unit - 97;
    } else {
      number = number * 26 + unit - 65;
      next += number >> 2;
      give(next, number & 3);
      next += 1;
      number = 0;
    }
  }
};

// Whether two words differ by at most so many letters left out, put in, replaced or swapped with a neighbour.
const near = (a, b, most) => {
  if (Math.abs(a.length - b.length) > most) return false;
  let before = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      row[j] = Math.min(row[j - 1] + 1, last[j] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    if (Math.min(...row) > most) return false;
    before = last;
    last = row;
  }
  return last[b.length] <= most;
};
const typos = (word) => isRun(word) || word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
const alike = (word, other, most = typos(word)) => most > 0
  && (near(word, other, most) || (other.length > word.length && near(word, other.slice(0, word.length), 1)));

// How well a word of the query fits a name: 0 is not at all.
const fits = (word, { folded, parts, initials }) => {
  if (parts.includes(word)) return 10;
  if (initials === word) return 9;
  if (parts.some((part) => part.startsWith(word))) return 7;
  return (word.length > 2 || isRun(word)) && folded.includes(word) ? 5 : 0;
};

// Entries whose pages have the word: their scores, below those of names.
const inPages = async (word, files, total) => {
  const found = new Map();
  const add = (matches, share) => {
    for (const [, code] of matches) {
      // A word of few pages says more; every letter of a code is an entry or less.
      const rare = Math.log(1 + total / code.length) / Math.log(1 + total);
      decode(code, (entry, weight) => found.set(entry, Math.max(found.get(entry) ?? 0, share * (1 + weight) * (.4 + rare) / 2)));
    }
  };
  if (isRun(word)) {
    const letters = [...word];
    const pairs = letters.length < 2 ? letters : letters.slice(1).map((letter, at) => letters[at] + letter);
    let all = null;
    for (const pair of pairs) {
      found.clear();
      add(await beginning(files, pair), 1);
      all = new Map([...found].filter(([entry]) => !all || all.has(entry)));
    }
    return all;
  }
  if (word.length < 2) return found;
  const words = await beginning(files, word);
  add(words.filter(([other]) => other !== word), .4);
  add(words.filter(([other]) => other === word), 1);
  return found;
};

// The same for words that differ by a typo after their first two letters.
const nearPages = async (word, files) => {
  const found = new Map();
  if (!typos(word)) return found;
  for (const [other, code] of await beginning(files, word.slice(0, 2))) {
    if (alike(word, other)) decode(code, (entry) => found.set(entry, .3));
  }
  return found;
};

export async function search(query) {
  const asked = fold(query.slice(0, 200)).trim();
  const words = [...new Set(split(asked))].slice(0, 12);
  if (!words.length) return [];
  const { entries, files } = await open();
  const whole = words.join(" ");
  // The best name of each entry; of two names that fit alike, the shorter one.
  const best = (fit) => entries.map(({ names }) => Math.max(...names.map((name) => fit(name) && fit(name) + 2 / name.parts.length)));
  const scores = entries.map(({ names }) => Math.max(...names.map(({ folded, parts }) => {
    const name = parts.join(" ");
    return folded === asked || name === whole ? 60 : name.startsWith(whole) ? 20 : 0;
  })));
  for (const word of words) {
    let byName = best((name) => fits(word, name));
    let pages = await inPages(word, files, entries.length);
    if (!byName.some(Boolean)) {
      const most = Math.min(typos(word), pages.size ? 1 : 2);
      byName = best(({ parts }) => parts.some((part) => alike(word, part, most)) ? 4 : 0);
      if (!pages.size && !byName.some(Boolean)) pages = await nearPages(word, files);
    }
    byName.forEach((score, at) => {
      const sum = score + (pages.get(at) ?? 0);
      scores[at] = sum ? scores[at] + sum : -Infinity;
    });
  }
  return scores.map((score, at) => [score, at]).filter(([score]) => score > 0)
    .sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, MOST)
    .map(([, at]) => {
      const { title, href, short } = entries[at].entry;
      return { title, href, short };
    });
}
