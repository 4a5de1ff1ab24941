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

// Anchors finds the places in files that fragments name. Each file is read once; what is
// changed in it afterwards is not seen. Safe for concurrent use. The zero value is ready.
type Anchors struct {
	mu    sync.Mutex
	pages map[string]places
}

// places are the names of the places in a file; nil if fragments mean something else there, or if
// it cannot be read.
type places struct {
	ids   map[string]bool
	image bool // SVG, in which fragments may name views
}

// Has reports whether a file has the place that a fragment names, which is percent-encoded, as
// in a URI: an id, or in HTML the name of an A element (HTML 7.4.6.4). That is so for files of
// which it is not known what fragments mean there, and for those that cannot be read.
func (a *Anchors) Has(path, fragment string) bool {
	fragment, _, _ = strings.Cut(fragment, ":~:") // what only browsers look at: text to be shown
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

// largestPage is the largest file that is looked at.
const largestPage = 64 << 20

// headSize is how much of a file tells what it is.
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
