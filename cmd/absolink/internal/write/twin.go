package write

import (
	"path/filepath"

	"absolink/base"
	"absolink/cmd/absolink/internal/input"
	"absolink/extract"
)

// A mirror may hold a page twice, as blog.html and as its twin blog/index.html. The program that
// saved the mirror did not know whether the server redirects /blog to /blog/, so it saved both.
// Only one of the two paths gives the right base URI: probably the path with which more links of
// the page lead to files of the mirror.

// outerLayers returns the layers around the input, which give its base URI (see package base). With
// --to disk, a page with a twin gets the layers of the twin if more of its links then lead to
// files. In this case outerLayers sets w.retrieved to the retrieval URI of in, and otherwise to "".
func (w *worker) outerLayers(in *input.Document) *base.Layer {
	own := w.OuterLayers(in)
	w.retrieved = ""
	if w.c.disk == nil || in.At == nil || !in.Kind.Single() {
		return own
	}
	path, _ := filepath.Abs(in.Path) // after an error, path is "", which has no twin
	twin := w.c.disk.twins[path]
	if twin == "" {
		return own
	}
	file := in.File
	file.Path = twin
	twinLayers := w.c.o.Links.Bases.OptionLayers(file)
	if w.countFiles(in, twinLayers) <= w.countFiles(in, own) {
		return own
	}
	w.retrieved = own.Retrieval(&w.c.o.Links.Bases.Policy)
	return twinLayers
}

// countFiles returns the number of links of the input that lead to files of the mirror, with outer
// as the layers around the input. The input must not be a message.
func (w *worker) countFiles(in *input.Document, outer *base.Layer) (n int) {
	r := w.c.o.Links.Bases.Resolver()
	content := in.DocumentSource(w.c.o.Links.Reading.Charset)
	w.Docs.Open(content, outer, w.c.o.Links.DocumentOptions()) // it returns errors only for messages
	for d := range w.Docs.All() {
		for l := range r.Links(d.Doc) {
			if l.Status == extract.Resolved && w.c.disk.has(string(l.URI)) {
				n++
			}
		}
	}
	return n
}
