"use strict";
// The page without a server. The program, absolink.wasm, makes the main element of each page from
// the bytes of a document and a query. Documents stay in this browser: the Content-Security-Policy
// allows only requests for the files of the page. Each entry of the history is {index, query}:
// the number of a document and the parameters of its page.
const documents = []; // {name, bytes}

const put = html => { // the program escapes all text of documents
  find("main").outerHTML = html;
  arrange();
};
const draw = state => {
  const d = documents[state?.index];
  document.title = d ? d.name : "absolink";
  put(d ? absolink.show(d.name, d.bytes, state.query) : absolink.start(""));
};
const go = (state, fragment) => {
  history.pushState(state, "");
  draw(state);
  const at = fragment && document.getElementById(fragment);
  if (at) at.scrollIntoView(); else scrollTo(0, 0);
};
const add = (name, bytes, query) => go({ index: documents.push({ name, bytes }) - 1, query });
const current = () => documents[history.state?.index];
const refuse = text => put(absolink.start(text));

// parametersOf returns the fields of a form as a query, without the document and without empty values.
const parametersOf = form => {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && value.trim() && name !== "text") query.append(name, value.trim());
  }
  return query.toString();
};
const save = query => {
  const d = current(), out = absolink.rewrite(d.name, d.bytes, query);
  if (typeof out === "string") return refuse(out);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([out], { type: "application/octet-stream" }));
  link.download = d.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
};

document.addEventListener("click", e => {
  const link = e.target.closest("a[href]"), href = link?.getAttribute("href");
  if (!link || e.defaultPrevented || e.ctrlKey || e.metaKey || e.shiftKey || href.startsWith("#")) return;
  e.preventDefault();
  const [path, rest] = href.split(/\?(.*)/s), [query, fragment] = (rest || "").split("#"), d = current();
  if (path === "./" || !d) return go(null);
  if (path === "") return go({ index: history.state.index, query }, fragment);
  if (path === "download") return save(query);
  const item = path.match(/^item\/(\d+)$/) && absolink.item(d.name, d.bytes, +path.slice(5), query);
  if (item) add(item.name, item.bytes, item.query); else refuse("There is no such item.");
});
document.addEventListener("submit", async e => {
  e.preventDefault();
  const form = e.target, query = parametersOf(form);
  if (form.method === "get") return go({ index: history.state.index, query }, form.action.split("#")[1]);
  if (e.submitter?.name === "sample") {
    const sample = absolink.sample(e.submitter.value);
    return add(sample.name, sample.bytes, sample.query);
  }
  const file = form.elements.file.files[0], text = form.elements.text.value;
  if (file) add(file.name, new Uint8Array(await file.arrayBuffer()), query);
  else if (text) add("pasted text", new TextEncoder().encode(text), query);
  else refuse("Choose a file, drop one, paste the text of a document, or show a sample.");
});
addEventListener("popstate", e => draw(e.state));

(async () => {
  try {
    const program = new Go(), response = await fetch("absolink.wasm");
    if (!response.ok) throw new Error(`absolink.wasm: status ${response.status}`);
    // Not instantiateStreaming: some static hosts send the program with another media type.
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), program.importObject);
    program.run(instance);
    history.replaceState(null, "");
    draw(null);
  } catch (error) {
    find("main .lead").textContent = location.protocol === "file:" ?
      "This page needs a web server, such as: python3 -m http.server" : `The program did not load: ${error.message}`;
  }
})();
