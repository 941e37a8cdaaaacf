// Contents, loaded with the first scroll: marks the section being read, and in a lesson remembers how far it was read.

const page = document;
const links = [...page.querySelectorAll(".contents a")];
const path = [...page.querySelectorAll(".path a")];
const lesson = page.querySelector("[data-lesson]")?.dataset.lesson;
const head = (link) => page.getElementById(link.hash.slice(1));
const heads = links.map(head);
const isPassed = (head) => head && head.getBoundingClientRect().top < innerHeight / 3;

// Where storage is refused, nothing is remembered.
const remember = (passed) => {
  try {
    const key = `read:${lesson}`;
    if (passed > Number(localStorage.getItem(key))) localStorage.setItem(key, passed);
  } catch { /* nothing is kept */ }
};

const mark = () => {
  const now = heads.findLastIndex(isPassed);
  links.forEach((link, index) => {
    if (index === now) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  });
  const passed = path.filter((link) => isPassed(head(link))).length;
  path.forEach((link, index) => link.classList.toggle("read", index < passed));
  if (lesson) remember(passed);
};

let due = false;
const soon = () => {
  if (due) return;
  due = true;
  requestAnimationFrame(() => { due = false; mark(); });
};
addEventListener("scroll", soon, { passive: true });
soon();
