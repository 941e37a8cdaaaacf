// The glossary's filter and the search dialog, loaded on first use; the index of words, with the first search.

const page = document;
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

for (const filter of page.querySelectorAll(".filter")) {
  const field = filter.querySelector("input");
  const count = filter.querySelector("output");
  const letters = [...page.querySelectorAll(".letter")];
  const rows = [...page.querySelectorAll(".letter .answers > div")].map((row) => [row, plain(row.textContent)]);
  const narrow = () => {
    const wanted = plain(field.value).split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [row, text] of rows) {
      row.hidden = !wanted.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    for (const letter of letters) letter.hidden = !letter.querySelector(".answers > div:not([hidden])");
    count.textContent = wanted.length ? `${shown} of ${rows.length} terms` : "";
  };
  field.oninput = narrow;
  narrow();
}

// The dialog; the button in the masthead says where the index is.
const { module, root } = page.querySelector(".search-open[data-module]")?.dataset ?? {};
const dialog = Object.assign(page.createElement("dialog"), { className: "search", id: "search" });
dialog.setAttribute("aria-label", "Search");
dialog.innerHTML = [
  '<form method="dialog"><label for="search-field">Search terms and lessons</label>',
  '<div class="search-row"><input type="search" id="search-field" autocomplete="off" spellcheck="false"> <button>Close</button></div></form>',
  '<p class="search-status" role="status"></p><ol id="search-results"></ol>',
].join("");
const field = dialog.querySelector("input");
const status = dialog.querySelector(".search-status");
const list = dialog.querySelector("ol");
let engine = null;
let asked = 0;

const lost = () => { status.textContent = "The search index could not be loaded."; };

const item = ({ href, title, short }) => {
  const link = Object.assign(page.createElement("a"), { href: root + href, textContent: title });
  link.append(Object.assign(page.createElement("span"), { textContent: short }));
  const item = page.createElement("li");
  item.append(link);
  return item;
};

const ask = async () => {
  const query = field.value.trim();
  const turn = asked += 1;
  try {
    const found = query ? await (await engine).search(query) : [];
    if (turn !== asked) return;
    list.replaceChildren(...found.map(item));
    status.textContent = !query ? "" : found.length === 1 ? "1 result" : `${found.length} results`;
  } catch {
    lost();
  }
};

export const open = () => {
  if (!engine) {
    engine = import(new URL(module, page.baseURI).href);
    engine.catch(lost);
  }
  if (!dialog.open) dialog.showModal();
  field.select();
};

field.oninput = ask;
dialog.querySelector("form").onsubmit = (event) => {
  if (event.submitter && event.submitter === page.activeElement) return;
  event.preventDefault();
  list.querySelector("a")?.click();
};
dialog.onkeydown = (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const stops = [field, ...list.querySelectorAll("a")];
  event.preventDefault();
  stops[(stops.indexOf(page.activeElement) + step + stops.length) % stops.length].focus();
};
page.body.append(dialog);
