package site

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"absolink/extract"
	"absolink/resolve"
)

// Anchors finds the places in files that fragments name. It reads each file once and does not see
// later changes. It is safe for concurrent use. The zero value is ready.
type Anchors struct {
	mu      sync.Mutex
	pages   map[string]*places
	readers sync.Pool // of *anchorReader
}

// places are the named places in a file.
type places struct {
	once  sync.Once // reads the file
	known bool      // false if the file cannot be read, or if its fragments have another meaning
	names []string  // sorted
	image bool      // SVG, in which fragments may name views
}

// Has reports whether a file has the place that a fragment names: an id, or in HTML the name of an
// A element (HTML 7.4.6.4). The fragment is percent-encoded as in a URI. Has is true if the file
// cannot be read, or if the meaning of its fragments is unknown.
func (a *Anchors) Has(path, fragment string) bool {
	fragment, _, _ = strings.Cut(fragment, ":~:") // a text directive, which only browsers read
	if fragment == "" {
		return true
	}
	p := a.of(path)
	if !p.known || p.has(fragment) || p.image && strings.ContainsAny(fragment, "(=") {
		return true
	}
	decoded := resolve.Unescape(fragment)
	return p.has(strings.ToValidUTF8(decoded, "\uFFFD")) || strings.EqualFold(decoded, "top") && !p.image
}

// of returns the places in a file.
func (a *Anchors) of(path string) *places {
	a.mu.Lock()
	p := a.pages[path]
	if p == nil {
		p = new(places)
		if a.pages == nil {
			a.pages = make(map[string]*places)
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

// has reports whether p has a name.
func (p *places) has(name string) bool {
	_, found := slices.BinarySearch(p.names, name)
	return found
}

// largestPage is the size in bytes of the largest file that is read.
const largestPage = 64 << 20

// headSize is the number of bytes by which the format of a file is detected.
const headSize = 16 << 10

// largestKept is the size in bytes of the largest file whose memory is kept for the next file.
const largestKept = 4 << 20

// anchorReader reads the places in one file after the other, and reuses its memory.
type anchorReader struct {
	file  bytes.Buffer
	doc   extract.Doc
	names []byte // all names, one after the other
	ends  []int  // of each name
}

// read sets p to the places in a file.
func (r *anchorReader) read(p *places, path string) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > largestPage {
		return
	}
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	if r.file.Cap() > largestKept {
		*r = anchorReader{}
	}
	r.file.Reset()
	if _, err := io.CopyN(&r.file, f, headSize); err != nil && err != io.EOF {
		return
	}
	r.doc.Reset()
	r.doc.Format = extract.Detect(r.file.Bytes(), path)
	switch r.doc.Format {
	case extract.HTML, extract.XHTML, extract.Markdown:
	case extract.SVG:
		p.image = true
	default:
		return
	}
	r.file.Grow(max(0, int(info.Size())-r.file.Len()) + bytes.MinRead)
	if _, err := r.file.ReadFrom(f); err != nil {
		return
	}
	r.doc.Data = r.file.Bytes()
	p.names = r.anchors()
	p.known = true
}

// anchors returns the names of the places in the document, sorted. They share one string.
func (r *anchorReader) anchors() []string {
	r.names = r.names[:0]
	r.ends = r.ends[:0]
	for name := range r.doc.Anchors() {
		r.names = append(r.names, name...)
		r.ends = append(r.ends, len(r.names))
	}
	all := string(r.names)
	list := make([]string, len(r.ends))
	start := 0
	for i, end := range r.ends {
		list[i] = all[start:end]
		start = end
	}
	slices.Sort(list)
	return slices.Compact(list)
}
