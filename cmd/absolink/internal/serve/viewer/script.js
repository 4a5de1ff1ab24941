"use strict";
document.documentElement.classList.add("scripted");

// A file is dropped on the form, or pasted anywhere.
const drop = document.getElementById("drop"), file = document.getElementById("file");
if (drop) {
  const take = files => { if (files.length) { file.files = files; drop.classList.add("over"); } };
  drop.addEventListener("dragover", e => { e.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", e => { e.preventDefault(); take(e.dataTransfer.files); });
  document.addEventListener("paste", e => take(e.clipboardData.files));
}

// A mark selects its row and a row its mark, each within its own pane; without script they are
// links to each other.
const select = id => {
  document.querySelectorAll(".now").forEach(e => e.classList.remove("now"));
  for (const e of [document.getElementById("m" + id), document.getElementById("r" + id)]) {
    if (!e) continue;
    e.classList.add("now");
    const pane = e.closest(".source, .scroll"), at = e.getBoundingClientRect(), within = pane.getBoundingClientRect();
    if (at.top < within.top + 40 || at.bottom > within.bottom) pane.scrollTop += at.top - within.top - pane.clientHeight / 3;
  }
};
document.addEventListener("click", e => {
  const mark = e.target.closest(".mark"), row = e.target.closest("tr[id]");
  if (!mark && !row) return;
  if (e.target.closest("a")) e.preventDefault();
  const id = (mark || row).id.slice(1);
  select(id);
  if (e.target.closest("a")) document.querySelector(mark ? "#r" + id + " a" : "#m" + id)?.focus({ preventScroll: true });
});
// What is chosen is shown at once.
document.querySelectorAll(".filter select").forEach(s => s.addEventListener("change", () => s.form.submit()));
