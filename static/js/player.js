// The player: steps through what the build simulated. It computes nothing of a machine; it only shows
// frame number `step` of run number `at`, both as an address can name them.
{
  const page = document;
  const SPEECH_MS = 200;
  const ADDRESS_MS = 250;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const slim = matchMedia("(width < 36rem)");
  const players = new Map();

  const set = (element, name, value) => {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const number = (text) => Number.parseInt(text, 10) || 0;
  const ask = async (path) => {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer;
  };

  // A drawing's file stands alone: its style sheet, its ground and its margins are not for a page.
  const readDrawing = async (path, prefix) => {
    const text = (await (await ask(path)).text())
      .replace(/<style>[^]*?<\/style>/, "")
      .replace(/(id="|"#|by=")cs-/g, `$1${prefix}-`);
    const svg = page.adoptNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
    svg.querySelector(":scope > .cs-ground").remove();
    const [corner, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    resize(svg, 0, width + 2 * corner, height + 2 * corner);
    return svg;
  };
  const resize = (svg, top, width, height) => {
    svg.setAttribute("viewBox", `0 ${top} ${width} ${height}`);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
  };

  const player = (figure) => {
    const name = figure.dataset.model;
    const one = (selector) => figure.querySelector(selector);
    const all = (selector) => [...figure.querySelectorAll(selector)];
    const panel = one(".player");
    const box = one(".timeline");
    const range = one(".player-range input");
    const line = one(".player-line");
    const said = one(".player-said");
    const cards = one(".warps");
    const inline = box.querySelector("svg");
    const button = Object.fromEntries(all("[data-do]").map((each) => [each.dataset.do, each]));
    const reveal = button.reveal?.textContent;
    const rows = all(".runs tbody tr").map((row) => [row, [...row.querySelectorAll("[data-result]")].map((cell) => [cell, cell.textContent])]);
    const drawings = new Map();
    const seen = new Set();
    let frames = null;
    let at = 0;
    let step = number(range.defaultValue);
    let ready = null;
    let turn = 0;
    let timer = 0;
    let speech = 0;
    let told = false;
    let used = false;

    const run = () => frames.runs[at];
    const last = () => run().say.length - 1;
    const offered = () => frames.axes.filter((axis) => axis.values.length > 1);

    // The cards say what the rows at the top of the drawing say, so the drawing begins below them.
    const crop = (svg, whole) => {
      const words = cards && svg.querySelectorAll("[data-cs-word]");
      if (!words?.length) return;
      svg.csHeight ??= Number(svg.getAttribute("height"));
      const top = whole ? 0 : Number(words[words.length - 1].getAttribute("y")) + 8;
      resize(svg, top, Number(svg.getAttribute("width")), svg.csHeight - top);
    };

    const drawing = (index) => {
      const narrow = slim.matches && "narrow" in figure.dataset;
      if (index === frames.start && !narrow) return inline;
      const key = `${index} ${narrow}`;
      if (!drawings.has(key)) {
        const path = (one(`.other-runs [data-run="${index}"]`) ?? one('figcaption a[href$=".svg"]'));
        const file = path.getAttribute("src") ?? path.getAttribute("href");
        const made = readDrawing(narrow ? file.replace(/svg$/, "narrow.svg") : file, figure.id);
        made.catch(() => drawings.delete(key));
        drawings.set(key, made);
      }
      return drawings.get(key);
    };

    // Sets what the shapes and the cards show at a step.
    const paint = (shown) => {
      const { states, texts } = run();
      for (const shape of all("[data-from]")) {
        const from = number(shape.dataset.from);
        set(shape, "data-when", shown < from ? "before" : shown > from ? "after" : "now");
      }
      const code = (id) => frames.codes[states[id]?.[shown]];
      for (const shape of all("[data-cs]")) {
        const known = code(shape.dataset.cs);
        if (known) set(shape, "data-state", known[0]);
      }
      const write = (element, text) => {
        if (text !== undefined && element.textContent !== text) element.textContent = text;
      };
      for (const word of all("[data-cs-word]")) write(word, code(word.dataset.csWord)?.[1]);
      for (const text of all("[data-cs-text]")) {
        const changes = texts[text.dataset.csText];
        write(text, changes?.findLast(([first]) => first <= shown)?.[1]);
      }
    };

    // Results stay back until the reader has seen the run that gives them.
    const tell = (every) => {
      rows.forEach(([row, cells], index) => {
        const open = every || told || seen.has(index);
        for (const [cell, text] of cells) cell.textContent = open ? text : "–";
        if (index === at && rows.length > 1) row.setAttribute("aria-current", "true");
        else row.removeAttribute("aria-current");
      });
      if (!button.reveal) return;
      button.reveal.textContent = told ? "Keep back what I have not seen" : reveal;
    };

    // Keeps the current step in view inside the drawing's own box; the page does not move.
    const follow = () => {
      const now = [...box.querySelectorAll('[data-when="now"]')].pop()?.getBoundingClientRect();
      if (step === 0) box.scrollTo(0, 0);
      const drawn = box.firstElementChild.getBoundingClientRect();
      if (!now || now.bottom < drawn.top) return;
      const view = box.getBoundingClientRect();
      if (now.left < view.left + 8 || now.right > view.right - 8) box.scrollLeft += now.left - view.left - view.width / 4;
      if (now.top < view.top + 24 || now.bottom > view.bottom - 24) box.scrollTop += now.top - view.top - view.height / 2;
    };

    const sync = () => {
      range.max = last();
      range.value = step;
      offered().forEach((axis) => {
        const value = String(run().parameters[frames.axes.indexOf(axis)]);
        for (const field of all(`[data-axis="${axis.name}"] :is(input, select)`)) {
          if (field.type === "radio") field.checked = field.value === value;
          else field.value = value;
        }
      });
    };

    const show = () => {
      const sentence = run().say[step];
      if (step === last()) seen.add(at);
      sync();
      set(range, "aria-valuetext", sentence.split(/ ?[:–]/)[0]);
      line.textContent = capital(sentence);
      for (const [action, idle] of [["first", step === 0], ["back", step === 0], ["next", step === last()], ["last", step === last()]]) {
        if (idle) button[action].setAttribute("aria-disabled", "true");
        else button[action].removeAttribute("aria-disabled");
      }
      paint(step);
      tell(false);
      follow();
      clearTimeout(speech);
      if (!used || timer) return;
      speech = setTimeout(() => { said.textContent = capital(sentence); }, SPEECH_MS);
      remember();
    };

    const stop = () => {
      clearInterval(timer);
      timer = 0;
      button.play.textContent = "Play";
    };

    const goTo = (next) => {
      used = true;
      step = Math.max(0, Math.min(last(), next));
      show();
    };

    const play = () => {
      if (step === last()) step = -1;
      button.play.textContent = "Pause";
      const tick = () => {
        if (step + 1 >= last()) stop();
        goTo(step + 1);
      };
      const pace = calm.matches ? 1000 : Math.max(150, Math.min(1000, 30000 / last()));
      timer = setInterval(tick, pace);
      tick();
    };

    const choose = async (index, next) => {
      stop();
      at = index;
      step = Math.max(0, Math.min(last(), next));
      turn += 1;
      const mine = turn;
      let svg;
      box.setAttribute("aria-busy", "true");
      try {
        svg = await drawing(index);
      } catch {
        // A page without its narrow drawing still has the wide one of the run that it opens with.
        svg = index === frames.start ? inline : null;
      }
      if (mine !== turn) return;
      box.removeAttribute("aria-busy");
      if (svg && svg !== box.firstElementChild) box.replaceChildren(svg);
      if (!svg) box.replaceChildren("The drawing of this run could not be loaded.");
      else crop(svg, false);
      show();
    };

    // The first use: the data, and the drawing that fits.
    const open = () => {
      ready ??= (async () => {
        try {
          frames = await (await ask(figure.dataset.frames)).json();
        } catch {
          for (const part of [...panel.children, ...all(".player-reveal")]) part.hidden = part !== line;
          line.removeAttribute("aria-hidden");
          line.textContent = "The steps could not be loaded. The picture shows the whole run.";
          tell(true);
          return false;
        }
        await choose(frames.start, step);
        figure.dataset.open = "";
        return true;
      })();
      return ready;
    };

    const act = async (action) => {
      if (action === "reveal") {
        told = !told;
        tell(false);
        return;
      }
      if (!await open() || button[action].hasAttribute("aria-disabled")) return;
      const playing = timer;
      stop();
      if (action === "first") goTo(0);
      if (action === "back") goTo(step - 1);
      if (action === "next") goTo(step + 1);
      if (action === "last") goTo(last());
      if (action === "play") playing ? goTo(step) : play();
    };

    figure.addEventListener("click", (event) => {
      const pressed = event.target.closest("[data-do]");
      if (pressed) act(pressed.dataset.do);
    });
    one(".player-controls").addEventListener("keydown", (event) => {
      const action = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
      if (!action || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      act(action);
    });
    range.addEventListener("input", async () => {
      const wanted = number(range.value);
      if (!await open()) return;
      stop();
      goTo(wanted);
    });
    panel.addEventListener("change", async (event) => {
      const axis = event.target.closest("[data-axis]")?.dataset.axis;
      const { value } = event.target;
      if (!axis || !await open()) return;
      used = true;
      const wanted = run().parameters.map((now, index) => (frames.axes[index].name === axis ? number(value) : now));
      choose(find(wanted), 0);
    });
    slim.addEventListener("change", () => { if (frames) choose(at, step); });
    addEventListener("pageshow", () => { if (frames) sync(); });
    addEventListener("beforeprint", () => {
      if (!frames) return;
      paint(last());
      tell(true);
      crop(box.firstElementChild, true);
    });
    addEventListener("afterprint", () => {
      if (!frames) return;
      crop(box.firstElementChild, false);
      show();
    });

    const find = (wanted) => frames.runs.findIndex(({ parameters }) => parameters.every((value, index) => value === wanted[index]));

    // What an address says of this player, for instance `residents-4,latency-4,step-12`.
    const address = () => {
      const chosen = offered().map((axis) => `${axis.name}-${run().parameters[frames.axes.indexOf(axis)]}`);
      return `${name}=${[...chosen, `step-${step}`].join()}`;
    };
    const restore = async (text) => {
      if (!await open()) return;
      const given = new Map(text.split(",").map((pair) => {
        const cut = pair.lastIndexOf("-");
        return [pair.slice(0, cut), number(pair.slice(cut + 1))];
      }));
      const start = frames.runs[frames.start].parameters;
      const wanted = frames.axes.map((axis, index) => given.get(axis.name) ?? start[index]);
      const index = find(wanted);
      used = true;
      await choose(index < 0 ? frames.start : index, given.get("step") ?? 0);
    };

    tell(false);
    near.observe(figure);
    players.set(name, { figure, open, restore, address: () => used && address() });
  };

  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      players.get(target.dataset.model).open();
    }
  }, { rootMargin: "25%" });

  // The address follows the players, so that a link, a reload and the way back open the same step.
  let writing = 0;
  const remember = () => {
    clearTimeout(writing);
    writing = setTimeout(() => {
      const parts = [...players.values()].map((each) => each.address()).filter(Boolean);
      history.replaceState(history.state, "", `#${parts.join("&")}`);
    }, ADDRESS_MS);
  };
  const read = async (arrive) => {
    let first = arrive;
    for (const part of location.hash.slice(1).split("&")) {
      const [name, state] = part.split("=");
      const found = state && players.get(name);
      if (!found) continue;
      await found.restore(state);
      if (first) found.figure.scrollIntoView();
      first = false;
    }
  };

  for (const figure of page.querySelectorAll("figure[data-model]")) player(figure);
  addEventListener("hashchange", () => read(true));
  read(performance.getEntriesByType("navigation")[0]?.type === "navigate");
}
