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
	"absolink/resolve/ascii"
)

// Manifests knows the files that pages name as the manifest of a web application (HTML, 4.6.8.10:
// rel=manifest). It reads only pages among the inputs. The first call of Has reads all of these
// pages, so call Has only for a file that looks like a manifest. Manifests is safe for concurrent
// use.
type Manifests struct {
	options *Options
	inputs  *source.Set
	once    sync.Once
	paths   map[string]bool // absolute paths of the manifests
}

// Has reports whether a page among the inputs names the file at path as its manifest. If ctx is
// done before all pages are read, Has may miss manifests.
func (m *Manifests) Has(ctx context.Context, path string) bool {
	m.once.Do(func() { m.readPages(ctx) })
	abs, err := filepath.Abs(path)
	return err == nil && m.paths[abs]
}

// readPages sets m.paths. It ignores files that cannot be read, because the run reports them.
func (m *Manifests) readPages(ctx context.Context) {
	m.paths = make(map[string]bool)
	// A page may already be rewritten. This tree finds files by their new URIs, too.
	rooted := m.options.Targets.tree
	if rooted == nil {
		rooted = site.NewTree(m.options.Files(), nil)
	}
	for _, arg := range m.inputs.Args() {
		if arg == input.Stdin || source.IsURL(arg) {
			continue
		}
		top, err := topDirectory(arg)
		if err != nil {
			continue
		}
		below := site.NewFiles([]site.Root{{Dir: top, URI: treeURI}}, m.options.Targets.Index)
		finder := manifestFinder{m: m, dir: top, rooted: rooted, unrooted: site.NewTree(below, nil)}
		for f, err := range input.Walk([]string{arg}, m.inputs.Follow) {
			if ctx.Err() != nil {
				return
			}
			if err == nil && f.IsInput() {
				finder.readFile(ctx, f)
			}
		}
	}
}

// topDirectory returns the absolute path of the directory below which the manifests of the input
// arg lie. For a directory it is the directory itself. A single page may name a manifest anywhere,
// so for a file it is the root of the disk.
func topDirectory(arg string) (string, error) {
	path, err := filepath.Abs(arg)
	if err != nil || input.IsDir(arg) {
		return path, err
	}
	return filepath.VolumeName(path) + string(filepath.Separator), nil
}

// treeURI is the URI of the directory of a manifestFinder, as if --root had set it.
const treeURI = "http://tree.invalid/"

// manifestFinder finds the manifests that pages below a directory name. It looks up each link in
// two trees, because the directory may be below no --root.
type manifestFinder struct {
	m        *Manifests
	dir      string
	rooted   *site.Tree // finds files by the URIs of --root
	unrooted *site.Tree // finds the files below dir by URIs below treeURI
	resolver extract.Resolver
}

// readFile adds the manifests that f names, if f is a page.
func (x *manifestFinder) readFile(ctx context.Context, f input.File) {
	limit := x.m.options.Reading.Limits.Leaf
	r := input.Reader{Options: input.Options{MaxSize: limit, Peek: true}}
	in, err := r.Open(ctx, f)
	if err != nil {
		return
	}
	defer in.Close()
	if in.Kind != input.HTML && in.Kind != input.Kind(extract.XHTML) {
		return
	}
	var data []byte
	switch {
	case in.At == nil: // the page is compressed, and a Reader with Peek does not decode it
		whole := input.Reader{Options: input.Options{MaxSize: limit}}
		decoded, err := whole.Open(ctx, f)
		if err != nil {
			return
		}
		defer decoded.Close()
		data = decoded.Data
	case in.Data != nil:
		data = in.Data
	case in.Size <= limit:
		data, err = io.ReadAll(in.Reader())
		if err != nil {
			return
		}
	}
	if bytes.Contains(bytes.ToLower(data), []byte("manifest")) {
		x.addPage(f, &extract.Doc{Format: in.Kind.Format(), Data: data, Charset: x.m.options.Reading.Charset})
	}
}

// addPage adds the manifests that the page in the file f names. d is the document in f. addPage
// reads the page twice: once with the layers of the options, and once with a URI below treeURI.
func (x *manifestFinder) addPage(f input.File, d *extract.Doc) {
	path, err := filepath.Abs(f.Path)
	if err != nil {
		return
	}
	policy := x.m.options.Bases.Policy
	x.addManifests(d, x.m.options.Bases.OptionLayers(f), policy, x.rooted)
	rel, err := filepath.Rel(x.dir, path)
	if err != nil {
		return
	}
	policy.Force = "" // a forced base would replace the URI below treeURI
	uri := treeURI + site.EscapePath(filepath.ToSlash(rel))
	x.addManifests(d, &base.Layer{Source: base.Root, Value: uri}, policy, x.unrooted)
}

// addManifests adds the manifests that the document d names. layer is the layer around d. files
// finds the file of a URI.
func (x *manifestFinder) addManifests(d *extract.Doc, layer *base.Layer, policy base.Policy, files *site.Tree) {
	page := extract.Doc{Format: d.Format, Data: d.Data, Charset: d.Charset, Layer: layer}
	x.resolver.Policy = policy
	for l := range x.resolver.Links(&page) {
		rels := slices.Collect(ascii.Space.Split(strings.ToLower(l.Rel)))
		if l.Element != "link" || !slices.Contains(rels, "manifest") {
			continue
		}
		if _, path, _ := files.Find(string(l.URI)); path != "" {
			x.m.paths[path] = true
		}
	}
}
