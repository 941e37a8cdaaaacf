// Extras over pages that are whole without them: theme, copying, cards, contents, filter, search.
// The script stands in the head, before the style sheet, so that a chosen theme is set before the first paint;
// all the rest waits until the page is read.
{
  const page = document;
  const all = (selector, within = page) => [...within.querySelectorAll(selector)];
  const make = (tag, props) => Object.assign(page.createElement(tag), props);
  const store = {
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, value) { try { localStorage.setItem(key, value); } catch { /* nothing is kept */ } },
  };
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

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

  // Cards: a term's short answer, a number's formula. Hover, focus or, for a number, a tap shows one; Escape hides it.
  const cards = () => {
    const tip = make("div", { className: "tip", id: "tip" });
    if (tip.showPopover) {
      let anchor = null;
      let timer = 0;
      tip.popover = "manual";
      tip.setAttribute("role", "tooltip");
      page.body.append(tip);
      const hide = () => {
        clearTimeout(timer);
        if (!anchor) return;
        anchor.removeAttribute("aria-describedby");
        anchor = null;
        tip.hidePopover();
      };
      const show = (link) => {
        clearTimeout(timer);
        if (link === anchor) return;
        hide();
        const card = page.getElementById(link.dataset.card ?? link.hash.slice(1));
        if (!card) return;
        tip.replaceChildren(...[...card.childNodes].map((node) => node.cloneNode(true)));
        all(".back", tip).forEach((back) => back.remove());
        anchor = link;
        link.setAttribute("aria-describedby", "tip");
        tip.showPopover();
        const at = link.getClientRects()[0];
        const width = tip.offsetWidth;
        const below = at.bottom + tip.offsetHeight + 12 < innerHeight || at.top < tip.offsetHeight + 12;
        tip.style.left = `${Math.max(8, Math.min(at.left, page.documentElement.clientWidth - width - 8)) + scrollX}px`;
        tip.style.top = `${(below ? at.bottom + 6 : at.top - tip.offsetHeight - 6) + scrollY}px`;
      };
      const later = (act, wait) => { clearTimeout(timer); timer = setTimeout(act, wait); };
      for (const link of all("a[data-card], .claim a")) {
        link.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") later(() => show(link), 150); });
        link.addEventListener("pointerleave", () => later(hide, 200));
        link.addEventListener("focus", () => { if (link.matches(":focus-visible")) show(link); });
        link.addEventListener("blur", () => later(hide, 200));
        if (!link.dataset.card) {
          link.addEventListener("click", (event) => {
            if (event.pointerType !== "touch") return;
            event.preventDefault();
            show(link);
          });
        }
      }
      tip.addEventListener("pointerenter", () => clearTimeout(timer));
      tip.addEventListener("pointerleave", () => later(hide, 200));
      page.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
      page.addEventListener("pointerdown", (event) => { if (!tip.contains(event.target)) hide(); });
    }
  };

  // Contents: mark the section being read; in a lesson, remember how far it was read.
  const contents = () => {
    const links = all(".contents a");
    const heads = links.map((link) => page.getElementById(link.hash.slice(1)));
    if (links.length) {
      const path = all(".path a");
      const lesson = page.querySelector("[data-lesson]")?.dataset.lesson;
      const mark = () => {
        let now = -1;
        heads.forEach((head, index) => { if (head && head.getBoundingClientRect().top < innerHeight / 3) now = index; });
        links.forEach((link, index) => {
          if (index === now) link.setAttribute("aria-current", "location");
          else link.removeAttribute("aria-current");
        });
        const passed = path.filter((link) => page.getElementById(link.hash.slice(1)).getBoundingClientRect().top < innerHeight / 3).length;
        path.forEach((link, index) => link.classList.toggle("read", index < passed));
        if (lesson && passed > Number(store.get(`read:${lesson}`))) store.set(`read:${lesson}`, passed);
      };
      let due = false;
      const soon = () => {
        if (due) return;
        due = true;
        requestAnimationFrame(() => { due = false; mark(); });
      };
      addEventListener("scroll", soon, { passive: true });
      soon();
    }
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

  // The glossary's filter.
  const filter = () => {
    for (const filter of all(".filter")) {
      const field = filter.querySelector("input");
      const count = filter.querySelector("output");
      const rows = all(".letter .answers > div").map((row) => [row, plain(row.textContent)]);
      field.oninput = () => {
        const wanted = plain(field.value).split(/\s+/).filter(Boolean);
        let shown = 0;
        for (const [row, text] of rows) {
          row.hidden = !wanted.every((word) => text.includes(word));
          if (!row.hidden) shown += 1;
        }
        for (const letter of all(".letter")) letter.hidden = !letter.querySelector(".answers > div:not([hidden])");
        count.textContent = wanted.length ? `${shown} of ${rows.length} terms` : "";
      };
    }
  };

  // Search: the dialog's module and its index are loaded on first use.
  const search = () => {
    const dialog = page.querySelector("dialog.search");
    if (dialog) {
      const field = dialog.querySelector("input");
      const status = dialog.querySelector(".search-status");
      const list = dialog.querySelector("ol");
      let engine = null;
      let asked = 0;
      const open = () => {
        engine ??= import(new URL(dialog.dataset.module, page.baseURI).href);
        engine.catch(() => { status.textContent = "The search index could not be loaded."; });
        if (!dialog.open) dialog.showModal();
        field.select();
      };
      const ask = async () => {
        const query = field.value.trim();
        const turn = asked += 1;
        try {
          const found = query ? await (await engine).search(query) : [];
          if (turn !== asked) return;
          list.replaceChildren(...found.map((hit) => {
            const link = make("a", { href: dialog.dataset.root + hit.href, textContent: hit.title });
            link.append(make("span", { textContent: hit.short }));
            const item = make("li");
            item.append(link);
            return item;
          }));
          status.textContent = !query ? "" : found.length === 1 ? "1 result" : `${found.length} results`;
        } catch {
          status.textContent = "The search index could not be loaded.";
        }
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
        const stops = [field, ...all("a", list)];
        event.preventDefault();
        stops[(stops.indexOf(page.activeElement) + step + stops.length) % stops.length].focus();
      };
      for (const button of all(".search-open")) {
        button.onclick = open;
      }
      page.addEventListener("keydown", (event) => {
        const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
        if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        open();
      });
    }
  };

  page.addEventListener("DOMContentLoaded", () => {
    for (const part of [theme, copying, cards, contents, reveals, filter, search]) part();
  });
}
