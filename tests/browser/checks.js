// What a page must hold, looked at from inside. `faults()` gives a line for each fault, which begins with the rule's name.
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const is = (element, selector) => element.matches(selector);
  const own = (element) => `<${element.localName}${element.id ? ` #${element.id}` : ""}${element.classList[0] ? ` .${element.classList[0]}` : ""}>`
    + ` ${element.textContent.trim().replace(/\s+/g, " ").slice(0, 40)}`;
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;

  const PHRASING = "a abbr b br button cite code data dialog del dfn em i img input ins kbd label math meter output q s samp script select small span strong sub sup svg textarea time u var wbr"
    .split(" ").filter((name) => name !== "dialog");
  const ONLY_PHRASING = "p h1 h2 h3 h4 h5 h6 pre code span b em i strong cite small sub sup time data output button label legend summary dfn abbr kbd mark q s u var".split(" ");
  const CHILDREN = {
    ul: "li", ol: "li", dl: "div, dt, dd", table: "caption, colgroup, thead, tbody, tfoot", thead: "tr", tbody: "tr", tr: "td, th",
    select: "option, optgroup", picture: "source, img",
  };
  const INTERACTIVE = "a[href], button, input, select, textarea, summary, label, [tabindex]";

  // What an HTML checker refuses beside what the parser mends without a word.
  const content = (say) => {
    for (const name of ONLY_PHRASING) {
      for (const child of all(`${name} > *`)) {
        if (child.namespaceURI === "http://www.w3.org/1999/xhtml" && !PHRASING.includes(child.localName) && !ONLY_PHRASING.slice(8).includes(child.localName)) {
          say("content", `${own(child)} in a ${name}`);
        }
      }
    }
    for (const [name, children] of Object.entries(CHILDREN)) {
      for (const child of all(`${name} > :not(script, template)`)) if (!is(child, children)) say("content", `${own(child)} in a ${name}`);
    }
    for (const parent of all("a[href], button")) for (const child of all(INTERACTIVE, parent)) say("content", `${own(child)} in ${own(parent)}`);
    for (const item of all("li")) if (!is(item.parentElement, "ul, ol, menu")) say("content", `${own(item)} outside a list`);
    for (const item of all("dt, dd")) if (!is(item.parentElement, "dl, dl > div")) say("content", `${own(item)} outside a list`);
    for (const details of all("details")) if (details.firstElementChild?.localName !== "summary") say("content", `${own(details)} without a summary`);
    for (const figure of all("figure > figcaption")) if (figure.nextElementSibling && figure.previousElementSibling) say("content", `${own(figure)} amid a figure`);
    for (const heading of all("th, caption, dt, figcaption, header, footer")) for (const child of all("header, footer, main", heading)) say("content", `${own(child)} in ${own(heading)}`);
    for (const item of all("[align], [bgcolor], [border], [valign], [nowrap], center, font, big, tt, strike")) say("content", `${own(item)} is obsolete`);
    for (const item of all("[style], [onclick], style:not(svg style), script:not([src], [type='application/ld+json'])")) say("content", `${own(item)} is refused by a strict policy`);
    for (const time of all("time")) if (!/^\d{4}-\d\d-\d\d$/.test(time.getAttribute("datetime") ?? time.textContent)) say("content", `${own(time)} is no date`);
    for (const data of all("data:not([value])")) say("content", `${own(data)} without a value`);
    for (const image of all("img:not([src])")) say("content", `${own(image)} without an address`);
    for (const section of all("section")) if (!section.querySelector("h1, h2, h3, h4, h5, h6")) say("content", `${own(section)} without a heading`);
  };

  const ids = (say) => {
    const seen = new Set();
    for (const { id } of all("[id]")) {
      if (!id || /\s/.test(id)) say("ids", `“${id}” is no id`);
      if (seen.has(id)) say("ids", `#${id} stands twice`);
      seen.add(id);
    }
    for (const name of ["for", "aria-labelledby", "aria-describedby", "aria-controls"]) {
      for (const element of all(`[${name}]`)) {
        for (const id of element.getAttribute(name).split(/\s+/)) if (!document.getElementById(id)) say("ids", `${name}="${id}" of ${own(element)} leads nowhere`);
      }
    }
    for (const link of all("a[href^='#']")) {
      const id = decodeURIComponent(link.hash.slice(1));
      if (id && !document.getElementById(id)) say("ids", `#${id} of ${own(link)} leads nowhere`);
    }
  };

  const order = (say) => {
    const heads = all("h1, h2, h3, h4, h5, h6").filter(shown);
    if (heads.filter((head) => head.localName === "h1").length !== 1) say("headings", "there is not one h1");
    let last = 0;
    for (const head of heads) {
      const level = Number(head.localName[1]);
      if (level > last + 1) say("headings", `${own(head)} after a level ${last}`);
      last = level;
      if (!head.textContent.trim()) say("headings", `${own(head)} is empty`);
    }
    const count = (selector) => all(selector).filter(shown).length;
    if (count("main") !== 1) say("landmarks", "there is not one main");
    if (count("body > header") !== 1 || count("body > footer") !== 1) say("landmarks", "there is not one header and one footer");
    const named = new Set();
    for (const landmark of all("nav, aside, section[aria-label], section[aria-labelledby], [role=region]").filter(shown)) {
      const by = document.getElementById(landmark.getAttribute("aria-labelledby"));
      const name = `${landmark.localName} ${(by ?? landmark).getAttribute("aria-label") ?? by?.textContent.trim()}`;
      if (!by && !landmark.ariaLabel) say("landmarks", `${own(landmark)} has no name`);
      if (named.has(name)) say("landmarks", `“${name}” stands twice`);
      named.add(name);
    }
    for (const child of document.body.children) {
      if (!is(child, "header, main, footer, aside, dialog, script, .skip, .tip") && shown(child)) say("landmarks", `${own(child)} is outside every landmark`);
    }
    if (!document.documentElement.lang) say("head", "the language is not named");
    if (!document.title.trim()) say("head", "there is no title");
    if (!document.querySelector("meta[name=viewport]")) say("head", "there is no viewport");
    if ((document.querySelector("meta[name=description]")?.content ?? "").length < 20) say("head", "there is no description");
  };

  // Colours as the canvas reads them, since they may be written in any of CSS's ways.
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      known.set(colour, [...pen.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(colour);
  };
  const light = ([red, green, blue]) => [red, green, blue].map((part) => part / 255)
    .map((part) => (part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [.2126, .7152, .0722][index], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const contrast = (say) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const done = new Set();
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || done.has(element) || !shown(element)) continue;
      done.add(element);
      if (element.closest("[aria-disabled=true], :disabled, script, style, option, .anchor, .skip")) continue;
      const style = getComputedStyle(element);
      const drawn = element.closest("svg");
      const colour = rgba(drawn ? style.fill : style.color);
      // Marks with a letter in them stand on their own colour, which the palette's own test covers.
      if (drawn && element.closest("use, defs, [data-state]")) continue;
      const [one, other] = [light(colour), light(ground(drawn ?? element))].sort((a, b) => b - a);
      const ratio = (one + .05) / (other + .05);
      const size = Number.parseFloat(style.fontSize);
      const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      if (ratio < least) say("contrast", `${ratio.toFixed(2)} of ${own(element)}`);
    }
  };

  const reach = (say) => {
    for (const element of all("body *")) {
      const style = getComputedStyle(element);
      const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY)
        && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
      if (scrolls && shown(element) && element.tabIndex < 0 && !element.querySelector("a[href], button, input, [tabindex]")) say("keyboard", `${own(element)} scrolls and cannot be reached`);
    }
    for (const element of all("[tabindex]")) if (element.tabIndex > 0) say("keyboard", `${own(element)} is out of its turn`);
    for (const element of all("button, select, input, summary, nav a").filter(shown)) {
      const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
      if (width > 1 && (width < 24 || height < 24) && !element.closest(".skip")) say("target", `${Math.round(width)} × ${Math.round(height)} px: ${own(element)}`);
    }
    for (const image of all("img:not([alt])")) say("alt", own(image));
    const over = document.documentElement.scrollWidth - innerWidth;
    if (over > 0) say("overflow", `${over} px over ${innerWidth}`);
  };

  const motion = (say) => {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const element of all("*")) {
      const { transitionDuration, animationName } = getComputedStyle(element);
      if (animationName !== "none" || transitionDuration.split(",").some((time) => Number.parseFloat(time) > .1)) say("motion", own(element));
    }
  };

  return () => {
    const found = [];
    const say = (rule, what) => found.push(`${rule}: ${what}`);
    for (const look of [content, ids, order, contrast, reach, motion]) look(say);
    return found;
  };
})()
