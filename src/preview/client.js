// Reloads the page when the site was compiled anew, and shows what is wrong with it. Served by
// `countersign preview` alone: no release has it.
(() => {
  "use strict";
  const script = document.currentScript;
  const version = script.dataset.version;
  const key = `countersign:${location.pathname}`;

  // What a browser forgets when it reloads: where the reader was, what was open, what was set.
  const controls = () => [...document.querySelectorAll("input, select, textarea")];
  const remember = () => {
    const active = document.activeElement;
    const kept = {
      at: [scrollX, scrollY],
      open: [...document.querySelectorAll("details")].map((details) => details.open),
      values: controls().map((control) => [control.value, control.checked]),
      focus: active && active.id ? active.id : null,
    };
    try {
      sessionStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // Without storage the page is reloaded all the same.
    }
  };
  const restore = () => {
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(key));
      sessionStorage.removeItem(key);
    } catch {
      return;
    }
    if (!kept) return;
    document.querySelectorAll("details").forEach((details, index) => {
      if (index < kept.open.length) details.open = kept.open[index];
    });
    const now = controls();
    if (now.length === kept.values.length) {
      now.forEach((control, index) => {
        const [value, checked] = kept.values[index];
        if (control.type === "file" || (control.value === value && control.checked === checked)) return;
        if (typeof checked === "boolean") control.checked = checked;
        control.value = value;
        control.dispatchEvent(new Event("input", { bubbles: true }));
        control.dispatchEvent(new Event("change", { bubbles: true }));
      });
    }
    if (kept.focus) document.getElementById(kept.focus)?.focus({ preventScroll: true });
    scrollTo({ left: kept.at[0], top: kept.at[1], behavior: "instant" });
  };
  // After the page's own scripts, which may change its height.
  if (document.readyState === "complete") restore();
  else addEventListener("load", restore, { once: true });

  const panel = document.getElementById("countersign-panel");
  const text = panel.querySelector("pre");
  const show = (findings) => {
    if (findings === null) {
      panel.hidden = true;
    } else if (text.textContent !== findings || panel.hidden) {
      text.textContent = findings;
      panel.hidden = false;
    }
  };
  panel.querySelector("button").addEventListener("click", () => {
    panel.hidden = true;
  });

  const events = new EventSource(script.dataset.events);
  events.onmessage = (message) => {
    const update = JSON.parse(message.data);
    if (update.version !== version) {
      events.close();
      remember();
      location.reload();
      return;
    }
    show(update.panel);
  };
  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
})();
