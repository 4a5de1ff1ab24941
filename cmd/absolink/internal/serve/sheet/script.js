"use strict";
document.documentElement.classList.add("scripted");

// A file is dropped or pasted anywhere, and so is text, which comes into its field. What is dropped
// never leads the browser away. Text that is dropped on a field or pasted into one is the browser's.
// The elements are looked up when they are needed, because the page without a server replaces them.
const find = selector => document.querySelector(selector), all = selector => [...document.querySelectorAll(selector)];
const isField = e => e.selectionStart != null;
const hasFiles = data => data.types.includes("Files");
const over = now => find("#drop")?.classList.toggle("over", now || find("#file").files.length > 0);
const take = (e, data) => {
  if (!hasFiles(data) && isField(e.target)) return;
  e.preventDefault();
  if (!find("#drop")) return;
  const file = find("#file"), text = find("[name=text]"), written = data.getData("text/plain");
  if (data.files.length) file.files = data.files;
  else if (written) {
    file.value = "";
    text.setRangeText(written, text.selectionStart, text.selectionEnd, "end");
    text.focus();
  }
};
document.addEventListener("dragover", e => {
  if (!hasFiles(e.dataTransfer) && isField(e.target)) return;
  e.preventDefault();
  if (!find("#drop")) e.dataTransfer.dropEffect = "none";
  over(true);
});
document.addEventListener("dragleave", () => over(false));
document.addEventListener("drop", e => { take(e, e.dataTransfer); over(false); });
document.addEventListener("paste", e => {
  if (!find("#drop")) return;
  const data = e.clipboardData, office = data.types.includes("text/html") && data.getData("text/plain"); // which adds a picture of the text
  if (office && isField(e.target)) return;
  take(e, data);
  over(false);
});
document.addEventListener("change", e => { if (e.target.id === "file") over(false); });

// A mark selects its row and a row its mark, each within its own pane; without script they are
// links to each other. Tab leads to one of each only, the arrows lead to the others.
const marks = () => all(".mark"), links = () => all(".rows tr[id] a");
const idOf = e => (e.closest("tr[id]") || e).id.slice(1);
const select = id => {
  all(".now").forEach(e => e.classList.remove("now"));
  for (const e of [document.getElementById("m" + id), document.getElementById("r" + id)]) {
    if (!e) continue;
    e.classList.add("now");
    const pane = e.closest(".source, .scroll"), at = e.getBoundingClientRect(), within = pane.getBoundingClientRect();
    if (at.top < within.top + 40 || at.bottom > within.bottom) pane.scrollTop += at.top - within.top - pane.clientHeight / 3;
  }
  for (const list of [marks(), links()]) {
    const now = list.find(e => idOf(e) === id);
    if (now) list.forEach(e => { e.tabIndex = e === now ? 0 : -1; });
  }
};
const arrange = () => { for (const list of [marks(), links()]) list.forEach((e, i) => { e.tabIndex = i ? -1 : 0; }); };
arrange();
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
  const list = [marks(), links()].find(list => list.includes(e.target));
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
  if (e.target.matches(":focus-visible") && e.target.matches(".mark, .rows tr[id] a")) select(idOf(e.target));
});
// An address that ends in #m5 or #r5 is that of a reference.
if (/^#[mr]\d+$/.test(location.hash)) select(location.hash.slice(2));
// What is chosen with the mouse is shown at once. With keys one passes values by.
let pointed = false;
for (const [event, by] of [["pointerdown", true], ["keydown", false]]) document.addEventListener(event, () => { pointed = by; }, true);
document.addEventListener("change", e => { if (pointed && e.target.matches(".filter select")) e.target.form.requestSubmit(); });
