package write

import (
	"path/filepath"

	"absolink/base"
	"absolink/cmd/absolink/internal/input"
	"absolink/extract"
)

// outerLayers returns the sources of base URIs around in (see package base). With --to disk it may
// return the layers of the twin of in. A mirror may hold a page twice, as blog.html and as
// blog/index.html, because it does not know whether the server redirected /blog to /blog/.
// outerLayers chooses the layers with which more links lead to files. If these are the layers of
// the twin, it sets w.retrieved to the retrieval URI of in.
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
	ofTwin := w.c.o.Links.Bases.OptionLayers(file)
	ownFiles, err := w.countFiles(in, own)
	if err != nil {
		return nil, err
	}
	twinFiles, err := w.countFiles(in, ofTwin)
	if err != nil || twinFiles <= ownFiles {
		return own, err
	}
	w.retrieved = own.Retrieval(&w.c.o.Links.Bases.Policy)
	return ofTwin, nil
}

// countFiles returns the number of links of in that lead to files if outer are the layers around
// it.
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
