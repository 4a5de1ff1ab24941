package site

import (
	"bytes"
	"io"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"

	"absolink/extract"
	"absolink/resolve"
)

// Anchors finds the anchors in files: the names and ids to which fragments lead. It reads each file
// once and does not see later changes. It is safe for concurrent use. The zero value is ready.
type Anchors struct {
	mu      sync.Mutex
	pages   map[string]*anchorSet
	readers sync.Pool // has values of type *anchorReader
}

// anchorSet has the anchors of a file. It has no pointers to single names, so the garbage collector
// has no work with them.
type anchorSet struct {
	once sync.Once // reads the file
	// known is false if the file cannot be read, or if fragments mean something else in its format.
	known bool
	isSVG bool // the file is SVG, in which a fragment may be a view
	// isMarkdown is true if the file is Markdown. GitHub looks for a fragment in lower case too.
	isMarkdown bool
	names      string   // all anchors in order, one after the other
	ends       []uint32 // offset in names of the end of each anchor
}

// Has reports whether fragment leads to a place in a file: to an id, or in HTML to the name of an A
// element or to the top (HTML 7.4.6.4). The fragment is percent-encoded as in a URI. Has also
// returns true if it cannot know: if the file cannot be read, if the meaning of its fragments is
// unknown, or if the fragment is a text directive or may be a view of an SVG file. In Markdown the
// case of the fragment does not matter, as on GitHub.
func (a *Anchors) Has(path, fragment string) bool {
	fragment, _, _ = strings.Cut(fragment, ":~:") // a text directive, which only browsers read
	if fragment == "" {
		return true
	}
	p := a.load(path)
	if !p.known || p.has(fragment) || p.isSVG && strings.ContainsAny(fragment, "(=") {
		return true
	}
	decoded := strings.ToValidUTF8(resolve.Unescape(fragment), "\uFFFD")
	if p.has(decoded) || p.isMarkdown && p.has(strings.ToLower(decoded)) {
		return true
	}
	return strings.EqualFold(decoded, "top") && !p.isSVG
}

// load returns the anchors of a file. Only the first call for a path reads the file.
func (a *Anchors) load(path string) *anchorSet {
	a.mu.Lock()
	p := a.pages[path]
	if p == nil {
		p = new(anchorSet)
		if a.pages == nil {
			a.pages = make(map[string]*anchorSet)
		}
		a.pages[path] = p
	}
	a.mu.Unlock()
	p.once.Do(func() {
		r, _ := a.readers.Get().(*anchorReader)
		if r == nil {
			r = new(anchorReader)
		}
		r.read(p, path)
		a.readers.Put(r)
	})
	return p
}

// has reports whether p has the anchor name.
func (p *anchorSet) has(name string) bool {
	i := sort.Search(len(p.ends), func(i int) bool { return p.name(i) >= name })
	return i < len(p.ends) && p.name(i) == name
}

// name returns the anchor with an index.
func (p *anchorSet) name(i int) string {
	start := uint32(0)
	if i > 0 {
		start = p.ends[i-1]
	}
	return p.names[start:p.ends[i]]
}

// maxPage is the size in bytes of the largest file that is read.
const maxPage = 64 << 20

// headSize is the number of bytes at the start of a file from which its format is detected.
const headSize = 16 << 10

// maxKept is the size in bytes of the largest file whose memory is kept for the next file.
const maxKept = 4 << 20

// anchorReader reads the anchors of one file after the other, and reuses its memory.
type anchorReader struct {
	file  bytes.Buffer
	doc   extract.Doc
	names []byte // all anchors, one after the other
	list  []span // of the anchors in names
	order []byte // all anchors in order, each once
	ends  []uint32
}

// span is a part of anchorReader.names.
type span struct{ start, end int }

// read sets p to the anchors of a file.
func (r *anchorReader) read(p *anchorSet, path string) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxPage {
		return
	}
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	if r.file.Cap() > maxKept {
		*r = anchorReader{}
	}
	r.file.Reset()
	if _, err := io.CopyN(&r.file, f, headSize); err != nil && err != io.EOF {
		return
	}
	r.doc.Reset()
	r.doc.Format = extract.Detect(r.file.Bytes(), path)
	switch r.doc.Format {
	case extract.HTML, extract.XHTML:
	case extract.Markdown:
		p.isMarkdown = true
	case extract.SVG:
		p.isSVG = true
	default:
		return
	}
	r.file.Grow(max(0, int(info.Size())-r.file.Len()) + bytes.MinRead)
	if _, err := r.file.ReadFrom(f); err != nil {
		return
	}
	r.doc.Data = r.file.Bytes()
	p.names, p.ends = r.anchors()
	p.known = true
}

// anchors returns the anchors of the document for anchorSet.names and anchorSet.ends.
func (r *anchorReader) anchors() (names string, ends []uint32) {
	r.names = r.names[:0]
	r.list = r.list[:0]
	for name := range r.doc.Anchors() {
		start := len(r.names)
		r.names = append(r.names, name...)
		r.list = append(r.list, span{start, len(r.names)})
	}
	name := func(s span) []byte { return r.names[s.start:s.end] }
	slices.SortFunc(r.list, func(a, b span) int { return bytes.Compare(name(a), name(b)) })
	r.order = r.order[:0]
	r.ends = r.ends[:0]
	for i, s := range r.list {
		if i > 0 && bytes.Equal(name(s), name(r.list[i-1])) {
			continue
		}
		r.order = append(r.order, name(s)...)
		r.ends = append(r.ends, uint32(len(r.order)))
	}
	return string(r.order), slices.Clone(r.ends)
}
