package links

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"absolink/base"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/site"
	"absolink/cmd/absolink/internal/source"
	"absolink/extract"
)

// Manifests knows the files that pages name as the manifest of a web application, whatever the
// names of these files are (HTML, 4.6.8.10: rel=manifest). The pages are the pages among the
// inputs. They are read when Has is first called; only a file that looks like a manifest needs
// that. It is safe for concurrent use.
type Manifests struct {
	o      *Options
	inputs *source.Set
	once   sync.Once
	named  map[string]bool // absolute paths
}

// Has reports whether a page of the inputs names the file path as its manifest. The reading of
// pages ends when ctx is done.
func (m *Manifests) Has(ctx context.Context, path string) bool {
	m.once.Do(func() { m.read(ctx) })
	abs, err := filepath.Abs(path)
	return err == nil && m.named[abs]
}

// read reads the pages. It ignores files that cannot be read, since the run reports them.
func (m *Manifests) read(ctx context.Context) {
	m.named = make(map[string]bool)
	known := m.o.Targets.tree // after a move, too: the pages may have been rewritten before
	if known == nil {
		known = site.NewTree(m.o.Files(), nil)
	}
	for _, arg := range m.inputs.Args() {
		if arg == input.Stdin || source.IsURL(arg) {
			continue
		}
		top, err := filepath.Abs(arg)
		if err != nil {
			continue
		}
		if !input.IsDir(arg) {
			top = filepath.VolumeName(top) + string(filepath.Separator)
		}
		own := site.NewFiles([]site.Root{{Dir: top, URI: treeURI}}, m.o.Targets.Index)
		finder := manifestFinder{m: m, dir: top, known: known, own: site.NewTree(own, nil)}
		for f, err := range input.Walk([]string{arg}, m.inputs.Follow) {
			if ctx.Err() != nil {
				return
			}
			if err == nil && f.IsInput() {
				finder.file(ctx, f)
			}
		}
	}
}

// treeURI is the URI of a tree without a root. Links to files of the tree get URIs below it.
const treeURI = "http://tree.invalid/"

// manifestFinder finds the manifests that the pages below one directory name.
type manifestFinder struct {
	m          *Manifests
	dir        string
	known, own *site.Tree // trees by the roots, and by treeURI
	resolver   extract.Resolver
}

// file reads f if it is a page.
func (x *manifestFinder) file(ctx context.Context, f input.File) {
	r := input.Reader{Options: input.Options{MaxSize: x.m.o.Reading.Limits.Leaf, Peek: true}}
	in, err := r.Open(ctx, f)
	if err != nil {
		return
	}
	defer in.Close()
	if in.Kind != input.HTML && in.Kind != input.Kind(extract.XHTML) {
		return
	}
	data := in.Data
	if in.At != nil && data == nil && in.Size <= x.m.o.Reading.Limits.Leaf {
		data, err = io.ReadAll(in.Reader())
	}
	if in.At == nil { // the page is in a coding
		whole := input.Reader{Options: input.Options{MaxSize: x.m.o.Reading.Limits.Leaf}}
		decoded, failed := whole.Open(ctx, f)
		if failed != nil {
			return
		}
		defer decoded.Close()
		data = decoded.Data
	}
	if err == nil && bytes.Contains(bytes.ToLower(data), []byte("manifest")) {
		x.page(f, &extract.Doc{Format: in.Kind.Format(), Data: data, Charset: x.m.o.Reading.Charset})
	}
}

// page records the manifests that the page f links to. d is its document.
func (x *manifestFinder) page(f input.File, d *extract.Doc) {
	path, err := filepath.Abs(f.Path)
	if err != nil {
		return
	}
	d.Layer = x.m.o.Bases.Around(f)
	x.resolver.Policy = x.m.o.Bases.Policy
	x.note(d, x.known)
	rel, err := filepath.Rel(x.dir, path)
	if err != nil {
		return
	}
	d.Layer = &base.Layer{Source: base.Root, Value: treeURI + site.EscapePath(filepath.ToSlash(rel))}
	x.resolver.Policy.Force = ""
	x.note(d, x.own)
}

func (x *manifestFinder) note(d *extract.Doc, files *site.Tree) {
	own := extract.Doc{Format: d.Format, Data: d.Data, Charset: d.Charset, Layer: d.Layer}
	for l := range x.resolver.Links(&own) {
		if l.Element != "link" || !slices.Contains(strings.Fields(strings.ToLower(l.Rel)), "manifest") {
			continue
		}
		if _, path, _ := files.Find(string(l.URI)); path != "" {
			x.m.named[path] = true
		}
	}
}
