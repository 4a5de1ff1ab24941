package write

import (
	"path/filepath"

	"absolink/base"
	"absolink/cmd/absolink/internal/input"
	"absolink/extract"
)

// aroundTwin returns the layers around in, and sets the place of the planned document. A mirror may
// hold a page twice, because it does not know whether a server answered /blog or redirected to
// /blog/. If more links lead to files with the layers of the other copy, aroundTwin returns those
// layers.
func (w *worker) aroundTwin(in *input.Document) (*base.Layer, error) {
	around := w.OuterLayers(in)
	w.place = ""
	if w.c.disk == nil || in.At == nil || !in.Kind.Single() {
		return around, nil
	}
	path, err := filepath.Abs(in.Path)
	if err != nil {
		return around, nil
	}
	twin := w.c.disk.twins[path]
	if twin == "" {
		return around, nil
	}
	file := in.File
	file.Path = twin
	other := w.c.o.Links.Bases.OptionLayers(file)
	own, err := w.countFiles(in, around)
	if err != nil {
		return nil, err
	}
	better, err := w.countFiles(in, other)
	if err != nil || better <= own {
		return around, err
	}
	w.place = around.Retrieval(&w.c.o.Links.Bases.Policy)
	return other, nil
}

// countFiles returns the number of references of in that lead to files if around are its layers.
func (w *worker) countFiles(in *input.Document, around *base.Layer) (n int, err error) {
	r := extract.Resolver{Policy: w.c.o.Links.Bases.Policy}
	content := in.DocumentSource(w.c.o.Links.Reading.Charset)
	if err := w.Docs.Open(content, around, w.c.o.Links.DocumentOptions()); err != nil {
		return 0, err
	}
	for d := range w.Docs.All() {
		for l := range r.Links(d.Doc) {
			if l.Status == extract.Resolved && w.c.disk.has(string(l.URI)) {
				n++
			}
		}
	}
	return n, nil
}
