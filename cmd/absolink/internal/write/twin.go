package write

import (
	"path/filepath"

	"absolink/base"
	"absolink/cmd/absolink/internal/input"
	"absolink/extract"
)

// A mirror may hold a page twice, as blog.html and as its twin blog/index.html. The program that
// saved the mirror could then not tell whether the server redirects /blog to /blog/. Only one of
// the two paths gives the right base URI: probably the path with which more links of the page lead
// to files of the mirror.

// outerLayers returns the layers around the input, which give its base URI (see package base). With
// --to disk, a page with a twin gets the layers of the twin if more of its links then lead to
// files. In this case outerLayers sets w.retrieved to the retrieval URI of in, and otherwise to "".
func (w *worker) outerLayers(in *input.Document) (*base.Layer, error) {
	own := w.OuterLayers(in)
	w.retrieved = ""
	if w.c.disk == nil || in.At == nil || !in.Kind.Single() {
		return own, nil
	}
	path, err := filepath.Abs(in.Path)
	if err != nil {
		return own, nil
	}
	twin := w.c.disk.twins[path]
	if twin == "" {
		return own, nil
	}
	file := in.File
	file.Path = twin
	twinLayers := w.c.o.Links.Bases.OptionLayers(file)
	ownFiles, err := w.countFiles(in, own)
	if err != nil {
		return nil, err
	}
	twinFiles, err := w.countFiles(in, twinLayers)
	if err != nil || twinFiles <= ownFiles {
		return own, err
	}
	w.retrieved = own.Retrieval(&w.c.o.Links.Bases.Policy)
	return twinLayers, nil
}

// countFiles returns the number of links of the input that lead to files of the mirror, with outer
// as the layers around the input.
func (w *worker) countFiles(in *input.Document, outer *base.Layer) (n int, err error) {
	r := w.c.o.Links.Bases.Resolver()
	content := in.DocumentSource(w.c.o.Links.Reading.Charset)
	if err := w.Docs.Open(content, outer, w.c.o.Links.DocumentOptions()); err != nil {
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
