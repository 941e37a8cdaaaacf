// Extras over pages that are whole without them. Those that a reader may never use are loaded when they are wanted:
// cards, finders, the player, the contents' mark. The script stands in the head, before the style sheet, so that a chosen theme is set before the
// first paint; all the rest waits until the page is read.
{
  const page = document;
  const here = page.currentScript.src;
  const load = (name) => import(new URL(name, here).href);
  // A style sheet of such an extra; settles when it is there, or will not come.
  const sheets = new Map();
  const dress = (name) => {
    if (!sheets.has(name)) {
      sheets.set(name, new Promise((done) => {
        page.head.append(make("link", { rel: "stylesheet", href: new URL(`../css/${name}`, here).href, onload: done, onerror: done }));
      }));
    }
    return sheets.get(name);
  };
  const all = (selector, within = page) => [...within.querySelectorAll(selector)];
  const make = (tag, props) => Object.assign(page.createElement(tag), props);
  const store = {
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, value) { try { localStorage.setItem(key, value); } catch { /* nothing is kept */ } },
  };

  // Controls that only a script answers (`.live`) are laid out from the start, so that nothing moves.
  page.documentElement.dataset.live = "";
  const chosen = store.get("theme");
  if (chosen === "light" || chosen === "dark") page.documentElement.dataset.theme = chosen;

  // Theme: system, light, dark and round again.
  const theme = () => {
    for (const button of all(".theme")) {
      const themes = ["system", "light", "dark"];
      const show = (theme) => {
        button.dataset.now = theme;
        button.setAttribute("aria-label", `Theme: ${theme}`);
      };
      show(page.documentElement.dataset.theme ?? "system");
      button.onclick = () => {
        const theme = themes[(themes.indexOf(button.dataset.now) + 1) % 3];
        if (theme === "system") delete page.documentElement.dataset.theme;
        else page.documentElement.dataset.theme = theme;
        store.set("theme", theme);
        show(theme);
      };
    }
  };

  // Copy buttons.
  const copying = () => {
    for (const box of all(".code")) {
      const code = box.querySelector("code");
      const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
      button.setAttribute("aria-live", "polite");
      button.onclick = async () => {
        try {
          await navigator.clipboard.writeText(code.textContent);
          button.textContent = "Copied";
        } catch {
          getSelection().selectAllChildren(code);
          button.textContent = "Selected";
        }
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
      };
      box.append(button);
    }
  };

  // Cards: a term's short answer, a number's formula. Hover, focus or, for a number, a tap shows one.
  const cards = () => {
    for (const kind of ["pointerover", "focusin", "click"]) {
      page.addEventListener(kind, (event) => {
        const link = event.target.closest?.("a.term, .claim a");
        if (!link) return;
        if (kind === "click") {
          if (link.className || event.pointerType !== "touch") return;
          event.preventDefault();
        }
        if (kind === "pointerover" && event.pointerType !== "mouse") return;
        Promise.all([load("cards.js"), dress("finders.css")]).then(([{ meet }]) => meet(link, kind));
      });
    }
  };

  // Contents follow the reading from the first scroll on; lists tell how far lessons were read.
  const contents = () => {
    if (page.querySelector(".contents a")) addEventListener("scroll", () => load("contents.js"), { once: true, passive: true });
    for (const place of all("[data-progress]")) {
      const read = Number(store.get(`read:${place.dataset.progress}`));
      if (!read) continue;
      place.textContent = ` · you have read ${read} of ${place.dataset.sections}`;
      place.hidden = false;
    }
  };

  // A link into a closed part opens it, in browsers that do not by themselves.
  const reveals = () => {
    const reveal = () => {
      let target = null;
      try { target = page.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { return; }
      const closed = target?.closest("details:not([open])");
      if (!closed) return;
      closed.open = true;
      target.scrollIntoView();
    };
    addEventListener("hashchange", reveal);
    reveal();
  };

  // The glossary's filter and search.
  const finders = () => {
    for (const field of all(".filter input")) field.onfocus = () => load("finders.js");
    const open = () => Promise.all([load("finders.js"), dress("finders.css")]).then(([{ open }]) => open());
    for (const button of all(".search-open")) button.onclick = open;
    if (!page.querySelector(".search-open")) return;
    page.addEventListener("keydown", (event) => {
      const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      open();
    });
  };

  // Figures that can be stepped through: the player comes before they do, or with an address that names one.
  const figures = () => {
    const figures = all("figure[data-model]");
    const start = () => {
      near.disconnect();
      removeEventListener("hashchange", asked);
      if (!page.querySelector('link[href$="css/lesson.css"]')) dress("player.css");
      load("player.js");
    };
    const near = new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) start(); }, { rootMargin: "100%" });
    const asked = () => {
      if (figures.some(({ dataset: { model } }) => `&${location.hash.slice(1)}`.includes(`&${model}=`))) start();
    };
    for (const figure of figures) near.observe(figure);
    addEventListener("hashchange", asked);
    asked();
  };

  page.addEventListener("DOMContentLoaded", () => {
    for (const part of [theme, copying, cards, contents, reveals, finders, figures]) part();
  });
}
