package site

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"absolink/extract"
	"absolink/resolve"
)

// Anchors finds the places in files that fragments name. It reads each file once and does not see
// later changes. It is safe for concurrent use. The zero value is ready.
type Anchors struct {
	mu    sync.Mutex
	pages map[string]places
}

// places are the named places in a file. ids is nil if the file cannot be read, or if its fragments
// have another meaning.
type places struct {
	ids   map[string]bool
	image bool // SVG, in which fragments may name views
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
	if p.ids == nil || p.ids[fragment] || p.image && strings.ContainsAny(fragment, "(=") {
		return true
	}
	decoded := resolve.Unescape(fragment)
	return p.ids[strings.ToValidUTF8(decoded, "\uFFFD")] || strings.EqualFold(decoded, "top") && !p.image
}

// of returns the places in a file.
func (a *Anchors) of(path string) places {
	a.mu.Lock()
	defer a.mu.Unlock()
	if p, ok := a.pages[path]; ok {
		return p
	}
	p := placesIn(path)
	if a.pages == nil {
		a.pages = make(map[string]places)
	}
	a.pages[path] = p
	return p
}

// largestPage is the size in bytes of the largest file that is read.
const largestPage = 64 << 20

// headSize is the number of bytes by which the format of a file is detected.
const headSize = 16 << 10

func placesIn(path string) (p places) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > largestPage {
		return p
	}
	f, err := os.Open(path)
	if err != nil {
		return p
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, headSize))
	if err != nil {
		return p
	}
	switch extract.Detect(head, path) {
	case extract.HTML, extract.XHTML:
	case extract.SVG:
		p.image = true
	default:
		return p
	}
	rest, err := io.ReadAll(f)
	if err == nil {
		p.ids = idsIn(append(head, rest...))
	}
	return p
}

// idsIn returns the ids of elements in a page, and the names of its A elements.
func idsIn(data []byte) map[string]bool {
	r := io.Reader(bytes.NewReader(data))
	if !utf8.Valid(data) {
		if decoded, err := charset.NewReader(bytes.NewReader(data), ""); err == nil {
			r = decoded
		}
	}
	ids, z := make(map[string]bool), html.NewTokenizer(r)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ids
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			for _, attr := range t.Attr {
				if attr.Key == "id" || attr.Key == "xml:id" || attr.Key == "name" && t.Data == "a" {
					ids[attr.Val] = true
				}
			}
		}
	}
}
