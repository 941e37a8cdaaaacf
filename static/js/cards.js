// Cards, loaded with the first that is wanted. Escape, a press elsewhere, or leaving hides one.

const page = document;
const tip = Object.assign(page.createElement("div"), { className: "tip", id: "tip", popover: "manual" });
tip.setAttribute("role", "tooltip");
if (tip.showPopover) page.body.append(tip);

let anchor = null;
let timer = 0;

const hide = () => {
  clearTimeout(timer);
  if (!anchor) return;
  anchor.removeAttribute("aria-describedby");
  anchor = null;
  tip.hidePopover();
};
const later = (act, wait) => { clearTimeout(timer); timer = setTimeout(act, wait); };
const hideSoon = () => later(hide, 200);

const show = (link) => {
  clearTimeout(timer);
  if (link === anchor) return;
  hide();
  // A number's card is the item that it links to; a term's has the name of the page's folder.
  const card = page.getElementById(link.className ? `card-${link.pathname.split("/").at(-2)}` : link.hash.slice(1));
  if (!card || !tip.isConnected) return;
  tip.replaceChildren(...[...card.childNodes].map((node) => node.cloneNode(true)));
  for (const back of tip.querySelectorAll(".back")) back.remove();
  anchor = link;
  link.setAttribute("aria-describedby", "tip");
  tip.showPopover();
  const at = link.getClientRects()[0];
  const below = at.bottom + tip.offsetHeight + 12 < innerHeight || at.top < tip.offsetHeight + 12;
  tip.style.left = `${Math.max(8, Math.min(at.left, page.documentElement.clientWidth - tip.offsetWidth - 8)) + scrollX}px`;
  tip.style.top = `${(below ? at.bottom + 6 : at.top - tip.offsetHeight - 6) + scrollY}px`;
};

// A link was met: by `pointerover` of a mouse, `focusin`, or a `click` that was a tap.
export const meet = (link, kind) => {
  link.onpointerleave = hideSoon;
  link.onblur = hideSoon;
  if (kind === "click") show(link);
  if (kind === "focusin" && link.matches(":focus-visible")) show(link);
  if (kind === "pointerover") later(() => { if (link.matches(":hover")) show(link); }, 150);
};

tip.addEventListener("pointerenter", () => clearTimeout(timer));
tip.addEventListener("pointerleave", hideSoon);
page.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
page.addEventListener("pointerdown", (event) => { if (!tip.contains(event.target)) hide(); });
