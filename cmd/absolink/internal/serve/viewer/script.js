"use strict";
document.documentElement.classList.add("scripted");

// A file is dropped on the form, or pasted anywhere.
const drop = document.getElementById("drop"), file = document.getElementById("file");
if (drop) {
  const take = files => { if (files.length) file.files = files; drop.classList.toggle("over", file.files.length > 0); };
  drop.addEventListener("dragover", e => { e.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.toggle("over", file.files.length > 0));
  drop.addEventListener("drop", e => { e.preventDefault(); take(e.dataTransfer.files); });
  document.addEventListener("paste", e => take(e.clipboardData.files));
  file.addEventListener("change", () => take([]));
}

// A mark selects its row and a row its mark, each within its own pane; without script they are
// links to each other. Tab leads to one of each only, the arrows lead to the others.
const marks = [...document.querySelectorAll(".mark")], links = [...document.querySelectorAll(".rows tr[id] a")];
const idOf = e => (e.closest("tr[id]") || e).id.slice(1);
const select = id => {
  document.querySelectorAll(".now").forEach(e => e.classList.remove("now"));
  for (const e of [document.getElementById("m" + id), document.getElementById("r" + id)]) {
    if (!e) continue;
    e.classList.add("now");
    const pane = e.closest(".source, .scroll"), at = e.getBoundingClientRect(), within = pane.getBoundingClientRect();
    if (at.top < within.top + 40 || at.bottom > within.bottom) pane.scrollTop += at.top - within.top - pane.clientHeight / 3;
  }
  for (const list of [marks, links]) {
    const now = list.find(e => idOf(e) === id);
    if (now) list.forEach(e => { e.tabIndex = e === now ? 0 : -1; });
  }
};
for (const list of [marks, links]) list.forEach((e, i) => { e.tabIndex = i ? -1 : 0; });
document.addEventListener("click", e => {
  const mark = e.target.closest(".mark"), row = e.target.closest(".rows tr[id]");
  if (!mark && !row || getSelection().toString()) return;
  const id = idOf(mark || row), link = e.target.closest("a");
  select(id);
  if (!link) return;
  e.preventDefault();
  document.querySelector(mark ? "#r" + id + " a" : "#m" + id)?.focus();
});
document.addEventListener("keydown", e => {
  const list = [marks, links].find(list => list.includes(e.target));
  if (!list || e.altKey || e.ctrlKey || e.metaKey) return;
  const i = list.indexOf(e.target), last = list.length - 1;
  const to = { ArrowDown: i + 1, ArrowRight: i + 1, ArrowUp: i - 1, ArrowLeft: i - 1, Home: 0, End: last }[e.key];
  if (to === undefined) return;
  e.preventDefault();
  const next = list[Math.min(Math.max(to, 0), last)];
  next.focus({ preventScroll: true });
  select(idOf(next));
});
document.addEventListener("focusin", e => { // not by a press of the mouse, under which nothing may move
  if (e.target.matches(":focus-visible") && (marks.includes(e.target) || links.includes(e.target))) select(idOf(e.target));
});
// An address that ends in #m5 or #r5 is that of a reference.
if (/^#[mr]\d+$/.test(location.hash)) select(location.hash.slice(2));
// What is chosen with the mouse is shown at once. With keys one passes values by.
let pointed = false;
for (const [event, by] of [["pointerdown", true], ["keydown", false]]) document.addEventListener(event, () => { pointed = by; }, true);
document.querySelectorAll(".filter select").forEach(s => s.addEventListener("change", () => { if (pointed) s.form.requestSubmit(); }));
